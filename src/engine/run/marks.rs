//! Going back to checkpoints that are made for one movement or one question.

use crate::api::error::Error;
use crate::run::exact_position::ExactPosition;
use crate::run::session::Session;
use crate::run::time_limit::for_restart;
use base::cancel::Cancel;
use rsp::{Restart, StopReply};

impl Session {
    /// Goes back to rr's checkpoint `mark`, which was made at a place. Returns whether the session is there; if not, it
    /// is at the start of the event.
    ///
    /// rr (5.10) keeps one mark for moments of a tick that look alike to it, and leads to the first of them: then the
    /// place is looked for from the start of its event.
    pub(crate) fn go_to_mark(&mut self, mark: u64, place: &ExactPosition, cancel: &Cancel) -> Result<bool, Error> {
        let limit = for_restart(cancel, self.limits.forward.max(self.restart_limit));
        let reply = self.debuggee.inferior.process.restart(Restart::Checkpoint(mark), limit)?;
        self.state.at_end = false;
        let is_there = matches!(reply, StopReply::Stopped { .. }) && place.visit().is_none() && self.is_at(place);
        let is_there = is_there || self.go_to_place(place, cancel)?;
        if is_there {
            self.debuggee.thread = place.position.thread;
        }
        Ok(is_there)
    }
}
