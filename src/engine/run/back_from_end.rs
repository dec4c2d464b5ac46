//! A step back from the end of a process that another thread has ended: what the selected one did last was before that,
//! and the state in which it was since then is a stop of its own, as it is on the way forward.

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::syscalls::{ENDS, name_of};
use crate::run::mover::Mover;
use crate::run::step::Moved;
use arch::{Registers, ThreadId};

impl Mover<'_, '_> {
    /// Takes back one instruction; a detour is one. From the end, where another thread has ended the process, the state
    /// that the thread was in before is one, too.
    pub(crate) fn step_back(&mut self) -> Moved {
        let thread = self.session.debuggee.thread;
        let is_at_end = self.session.state.at_end;
        let at_end = is_at_end.then(|| self.session.debuggee.inferior.process.registers(thread)).transpose()?;
        let here = self.actual_spot()?;
        let moved = self.step_back_from(here)?;
        if let (None, Some(at_end)) = (&moved, at_end) {
            self.back_to_last_stop(thread, &at_end)?;
        }
        Ok(moved)
    }

    /// After a step back from the end, goes forward again if the thread comes to where it is at the end, and has not
    /// ended: another thread has ended the process then, while this one did nothing, and forward both are stops.
    fn back_to_last_stop(&mut self, thread: ThreadId, at_end: &Registers) -> Result<(), Error> {
        let is_exit = matches!(self.session.ending.reason(), Reason::EndOfRecording { exit_code: Some(_), .. });
        if !is_exit || self.session.debuggee.thread != thread || self.is_at_exit(thread)? {
            return Ok(());
        }
        let landed = self.place(thread)?;
        let reason = self.step_forward()?;
        let is_alive = reason.is_none() && !self.session.state.at_end && self.session.debuggee.thread == thread;
        if !is_alive || *self.session.debuggee.inferior.process.registers(thread)? != *at_end {
            self.arrive(thread, &landed)?;
            self.session.state.at_end = false;
        }
        self.session.state.signal = None;
        Ok(())
    }

    /// Returns whether a thread is about to make a system call that does not come back.
    fn is_at_exit(&mut self, thread: ThreadId) -> Result<bool, Error> {
        let registers = self.session.debuggee.inferior.process.registers(thread)?;
        let is_call = registers.pc().is_some_and(|pc| self.is_system_call(pc));
        let name = registers.value("rax").and_then(name_of);
        Ok(is_call && name.is_some_and(|name| ENDS.contains(&name)))
    }
}
