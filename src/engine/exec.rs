//! Passing an `exec` of the debuggee, in both directions.
//!
//! Forward, rr stops before the new image exists and cannot be resumed across it; a restart at the next event can.
//! Backward, a run would pass the start of the image by: the breakpoints of the image before belong to an address
//! space that does not exist yet when the run begins. So the run is stopped at the image's first instruction, and goes
//! on from the moment before the `exec`.

use super::error::Error;
use super::model::Reason;
use super::motion::Mover;
use crate::arch::{RunAddr, ThreadId};
use crate::rsp::{Outcome, Restart, Resume, StopReply};

/// An `exec` that the session has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossing {
    /// The event after which the old image goes on to its `exec`.
    pub(super) before: u64,
    /// First instruction of the new image.
    pub(super) start: RunAddr,
}

impl Mover<'_, '_> {
    /// Passes the `exec` that the thread is about to complete. `None`: nothing lives behind it.
    pub(super) fn cross_exec(&mut self, thread: ThreadId) -> Result<Option<Reason>, Error> {
        let s = &mut *self.session;
        let before = s.scene.process.moment(thread)?.event;
        let reply = s.scene.process.restart(Restart::Event(before + 1), self.limit.for_restart(s.restart_limit))?;
        let StopReply::Stopped { thread, .. } = reply else { return Ok(None) };
        s.thread = thread;
        s.catch_up()?;
        let start = s.scene.process.registers(thread)?.pc().unwrap_or_default();
        if s.crossings.iter().all(|c| c.before != before) {
            s.crossings.push(Crossing { before, start });
        }
        let path = s.scene.process.exec_file()?;
        let number = s.on_exec();
        number.map_or(Ok(()), |number| s.has_caught(number))?;
        Ok(Some(Reason::Exec { path, number }))
    }

    /// The `exec` that made the present image, if the session has passed it.
    pub(super) fn image_start(&mut self) -> Result<Option<Crossing>, Error> {
        let s = &mut *self.session;
        if s.crossings.is_empty() {
            return Ok(None);
        }
        let Some(living) = s.scene.process.threads()?.first().copied() else { return Ok(None) };
        let now = s.scene.process.moment(living)?.event;
        Ok(s.crossings.iter().filter(|c| c.before < now).max_by_key(|c| c.before).copied())
    }

    /// Goes back from the first instruction of an image to the moment before its `exec`.
    pub(super) fn cross_exec_back(&mut self, crossing: Crossing) -> Result<Reason, Error> {
        let s = &mut *self.session;
        let reply =
            s.scene.process.restart(Restart::Event(crossing.before), self.limit.for_restart(s.restart_limit))?;
        // From the last event of the old image it still runs to its `exec`, where rr stops by itself.
        s.scene.process.set_breaks(&[])?;
        let outcome = s.scene.process.resume(Resume::Continue, self.limit)?;
        let (Outcome::Stopped(last) | Outcome::Interrupted(last)) = outcome;
        if let StopReply::Stopped { thread, .. } = last {
            s.thread = thread;
        } else if let StopReply::Stopped { thread, .. } = reply {
            s.thread = thread;
        }
        s.catch_up()?;
        if let (Outcome::Interrupted(_), Some(verdict)) = (outcome, self.limit.verdict()) {
            return Ok(verdict);
        }
        let path = s.scene.process.exec_file()?;
        let number = s.on_exec();
        number.map_or(Ok(()), |number| s.has_caught(number))?;
        Ok(Reason::Exec { path, number })
    }
}
