//! Long work on debug info in the middle of a call: who wants it, how long it may take, and what is left if it is given
//! up.
//!
//! Such work ends inside the image that was asked ([`Work`](dwarf::Work)), which answers nothing from then on.
//! So that nothing comes of answers that are none, the process goes nowhere then, no frames are found, and whoever
//! keeps something [looks](crate::eval::inferior::Inferior::check_answers) before. It is told where a session
//! is whole: around a call, which has then changed nothing; around a movement, which then ends where the process is;
//! and around the description of a stop, which then tells the address only.

use crate::api::error::Error;
use crate::api::{Frame, Logged, Reason, Stop};
use crate::run::session::Session;
use crate::stack::describe::empty_frame;
use base::cancel::{Cancel, Cancelled};
use dwarf::CancelledWork;
use rsp::StopReply;
use std::time::Duration;

/// Returns the error with which a call ends if work for it was cancelled.
pub(crate) fn cut_short(cancelled: CancelledWork, cancel: &Cancel) -> Error {
    let after = match cancel.check() {
        Err(Cancelled::DeadlineExceeded { limit }) => Some(limit),
        Err(Cancelled::Requested) | Ok(()) => None,
    };
    Error::ReadingCancelled { progress: cancelled.0, after }
}

/// Returns the error for what was asked in the course of work that was cancelled, and what it has failed with itself.
fn unanswered(error: Option<Error>, cancelled: CancelledWork, cancel: &Cancel) -> Error {
    match error {
        // There is nothing left to be asked again.
        Some(error) if error.ends_replay() || matches!(error, Error::Exited { .. }) => error,
        _ => cut_short(cancelled, cancel),
    }
}

impl Session {
    /// Does something for which debug info may be read for so long.
    pub(crate) fn attempt<R>(
        &mut self,
        limit: Duration,
        ask: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.under(&self.cancel.with_deadline(limit), ask)
    }

    /// Does something for which debug info may be read until that is cancelled.
    pub(crate) fn under<R>(
        &mut self,
        cancel: &Cancel,
        ask: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let work = self.debuggee.inferior.work().clone();
        work.check().map_err(|cancelled| cut_short(cancelled, cancel))?;
        let (answer, whole) = work.ask(cancel, || ask(self));
        match whole {
            Ok(()) => answer,
            Err(cancelled) => Err(unanswered(answer.err(), cancelled, cancel)),
        }
    }

    /// Ends a movement whose debug info was not read to the end: it has ended where the process is.
    pub(crate) fn broken_off(&mut self, error: Error) -> Result<Reason, Error> {
        let Error::ReadingCancelled { progress, after } = error else { return Err(error) };
        let reason = after.map_or(Reason::Cancelled, |after| Reason::TimedOut { after });
        if let StopReply::Stopped { thread, .. } = self.debuggee.inferior.process.last_stop()? {
            self.debuggee.thread = thread;
        }
        self.notes.push(format!("stopped {progress}, which the movement needed to continue"));
        let here = match self.undecided {
            Some(thread) => {
                self.debuggee.inferior.process.registers(thread)?.pc().map(|pc| self.debuggee.breakpoints.at(pc))
            }
            None => None,
        };
        self.notes.extend(here.into_iter().flatten().map(|number| {
            format!(
                "breakpoint {number} is here; whether it stops is not known yet: the next movement, unless it is by \
                 instructions, to an event or to a checkpoint, asks again first"
            )
        }));
        Ok(reason)
    }

    /// Describes where the process is, as far as rr tells. `error`: why no more is known.
    pub(crate) fn bare_stop(&mut self, error: Error) -> Result<Stop, Error> {
        let Error::ReadingCancelled { progress, .. } = error else { return Err(error) };
        let position = self.debuggee.inferior.position(self.debuggee.thread)?;
        self.last_event = position.event().unwrap_or(self.last_event);
        // Whether the moment may recur is a question to debug info, too.
        self.counted = Some((self.debuggee.inferior.process.epoch(), self.debuggee.thread, None));
        self.last_place = Some(self.exact_position(self.debuggee.thread)?);
        self.debuggee.remember_watched_values();
        let waypoint = self.named_moment()?;
        self.counted = None;
        let module = self.debuggee.inferior.modules.at(position.pc).map(|module| module.name.clone());
        let mut notes = std::mem::take(&mut self.notes);
        notes.push(format!("stopped {progress}, so that function and line are not known here yet: ask again for them"));
        let frame = Frame { module, ..empty_frame(position.pc) };
        self.last_stop = None;
        let (reason, source, logged) = (self.reason.clone(), Vec::new(), Logged::default());
        Ok(Stop { reason, position, waypoint, frame, source, notes, logged })
    }
}
