//! Movements to where a recording ends for rr.
//!
//! Of one that ends before its program did, as rr gave up, rr (5.10) cannot replay the last event: a run that comes there
//! ends rr, and a restart to it never comes back. Where a replay goes another way than the recording, rr ends, too. In
//! both, the event before is the last one that can be looked at, and where a movement ends that leads there.

use crate::api::error::Error;
use crate::api::{Motion, Reason};
use crate::run::cut_recording::CutRecording;
use crate::run::session::{Ending, Session};
use arch::Direction;
use base::cancel::Cancel;
use rr::diverges_at;
use rsp::Restart;

impl Session {
    /// Takes what rr has said when it ended. Returns whether it had come to where the recording cannot be replayed: what
    /// is being done leads there.
    pub(crate) fn has_run_out(&mut self, words: &str) -> bool {
        if let Some(event) = diverges_at(words) {
            self.cut = Some(CutRecording { event, why: Some(words.to_owned()), runs_out: true });
            return true;
        }
        let Some(cut) = &mut self.cut else { return false };
        let event = words.rsplit_once(" at event ").and_then(|(_, event)| leading_number(event));
        cut.runs_out = words.contains("FATAL") && event.is_some_and(|event| event >= cut.reach());
        cut.runs_out
    }

    /// Goes to where the recording ends for rr, if the movement is known to lead there.
    pub(crate) fn go_to_cut(&mut self, motion: Motion, cancel: &Cancel) -> Result<Option<Reason>, Error> {
        let runs_out = self.cut.as_mut().is_some_and(|cut| std::mem::take(&mut cut.runs_out));
        match runs_out && motion.direction() == Direction::Forward {
            true => self.run_to_cut(cancel).map(Some),
            false => Ok(None),
        }
    }

    /// Goes there in place of an event that rr cannot go to.
    pub(crate) fn go_before_cut(&mut self, event: u64, cancel: &Cancel) -> Result<Option<Reason>, Error> {
        match self.cut.as_ref().is_some_and(|cut| event >= cut.event) {
            true => self.run_to_cut(cancel).map(Some),
            false => Ok(None),
        }
    }

    fn run_to_cut(&mut self, cancel: &Cancel) -> Result<Reason, Error> {
        let Some(cut) = self.cut.clone() else { return Ok(self.ending.reason()) };
        let reach = cut.reach();
        let reason = self.restart(Restart::Event(reach), cancel)?;
        if self.state.at_end {
            return Ok(reason);
        }
        let gave_up = || format!("rr gave up recording here: nothing after event {reach} can be replayed");
        self.notes.push(cut.why.unwrap_or_else(gave_up));
        Ok(Ending(None).reason())
    }
}

fn leading_number(text: &str) -> Option<u64> {
    text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
