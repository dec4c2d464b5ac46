//! rr's search backward, with an eye on whether it ends.
//!
//! `bc` runs forward from earlier and earlier moments and remembers what it met last. Where it meets a watchpoint and a
//! breakpoint in one tick, rr 5.10 goes back in that tick to look again, compares where it is without the stack pointer
//! and takes an earlier moment for the one it came from: it meets the same breakpoint for ever, and no interrupt reaches
//! it. So a search with both is interrupted now and then. What has answered goes on from where it was: rr has met
//! nothing behind that. What has not is done in another replay, forward (see `back_by_forward`).

use crate::api::error::Error;
use crate::run::confusion::is_data;
use crate::run::mover::Mover;
use rsp::{Break, Outcome, Resume};
use std::time::Duration;

/// How long the first part of a search may take. Each further one may take twice as long as the one before.
const FIRST: Duration = Duration::from_secs(8);

/// Returns whether rr may look for these for ever.
pub(super) fn may_hang(wanted: &[Break]) -> bool {
    wanted.iter().any(is_data) && !wanted.iter().all(is_data)
}

impl Mover<'_, '_> {
    /// Resumes with what is set. A search backward for `wanted` that does not answer is not begun again by rr.
    pub(super) fn resume_once(&mut self, how: Resume, wanted: &[Break]) -> Result<Outcome, Error> {
        if !matches!(how, Resume::ReverseContinue(_)) || !may_hang(wanted) {
            return self.session.debuggee.inferior.process.resume(how, self.cancel);
        }
        let mut part = FIRST;
        loop {
            let limit = self.cancel.with_deadline(part);
            match self.session.debuggee.inferior.process.resume(how, &limit) {
                Ok(Outcome::Interrupted(_)) if !self.cancel.is_cancelled() => part = part.saturating_mul(2),
                Err(error @ Error::Rsp(rsp::Error::Timeout { .. })) if !self.cancel.is_cancelled() => {
                    self.session.search_hangs = true;
                    return Err(error);
                }
                outcome => return outcome,
            }
        }
    }
}
