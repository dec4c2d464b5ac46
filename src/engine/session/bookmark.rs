//! Remembering where a session is, going elsewhere, and coming back as if nothing had been.

use crate::api::error::Error;
use crate::api::{Reason, Stop};
use crate::run::session::Session;
use crate::session::engine::Engine;
use crate::session::restart::Snapshot;
use base::cancel::Cancel;
use rsp::{Restart, StopReply};
use std::time::Duration;

/// Where a session was, and all that it remembered there: the stop, what is selected, the breakpoints and their counts.
pub struct Bookmark {
    before: Snapshot,
    stop: Option<Stop>,
    /// rr's number of a checkpoint there, and the replay that has it.
    checkpoint: Option<(u64, u32)>,
}

impl Engine {
    /// Remembers where the session is. It costs nothing; going back takes a replay of the event that it is in.
    pub fn bookmark(&self) -> Bookmark {
        Bookmark { before: self.session.before(), stop: self.session.last_stop.clone(), checkpoint: None }
    }

    /// Bookmarks the place as [`Self::bookmark`] does, with a checkpoint, where rr can make one, so that going back
    /// from far away is quick.
    pub fn bookmark_for_a_journey(&mut self) -> Result<Bookmark, Error> {
        let made = self.with(|s| match s.state.at_end || !s.debuggee.inferior.process.abilities().time {
            true => Ok(None),
            // Where it refuses one, there is the longer way.
            false => Ok(s.quick_checkpoint("journey")),
        })?;
        let checkpoint = made.map(|number| (number, self.replays));
        Ok(Bookmark { checkpoint, ..self.bookmark() })
    }

    /// Comes back to where the session was, with what was selected and set there. If that is not found, the session is
    /// where the same event begins, and this fails.
    pub fn return_to(&mut self, bookmark: Bookmark) -> Result<(), Error> {
        let Bookmark { before, stop, checkpoint } = bookmark;
        let replays = self.replays;
        // Once: in another replay, which may take this one's place meanwhile, the number means another one.
        let mut checkpoint = checkpoint.filter(|(_, of)| *of == replays).map(|(number, _)| number);
        let is_back = self.within(Duration::MAX, |s| s.come_back_to(&before, checkpoint.take()))?;
        self.session.last_stop = stop.filter(|_| is_back);
        match is_back {
            true => Ok(()),
            false => Err(Error::Strayed),
        }
    }
}

impl Session {
    fn come_back_to(&mut self, before: &Snapshot, checkpoint: Option<u64>) -> Result<bool, Error> {
        let is_back = match (before.last_place.clone(), checkpoint) {
            (Some(place), _) if self.state.at_end == before.state.at_end && self.is_at(&place) => true,
            (Some(place), Some(number)) => self.go_to_mark(number, &place, &Cancel::new())?,
            (None, Some(number)) => {
                let limit = self.limits.forward.max(self.restart_limit);
                let reply = self.debuggee.inferior.process.restart(Restart::Checkpoint(number), limit)?;
                matches!(reply, StopReply::Stopped { .. })
            }
            (Some(_), None) if before.state.at_end => {
                self.go_to_end()?;
                self.state.at_end
            }
            (Some(place), None) => self.go_to_place(&place, &Cancel::new())?,
            (None, None) => false,
        };
        if let Some(number) = checkpoint {
            // One that is not there any more is what is wanted.
            let _ = self.debuggee.inferior.process.delete_checkpoint(number);
        }
        self.debuggee.unbound = true;
        match is_back {
            true => {
                self.restore_snapshot(before.clone());
                self.debuggee.catch_up()?;
                self.debuggee.remember_watched_values();
            }
            false => {
                self.debuggee.breakpoints = before.breakpoints.clone();
                self.debuggee.level = 0;
                self.stranded();
                self.reason = Reason::Arrived;
            }
        }
        Ok(is_back)
    }
}
