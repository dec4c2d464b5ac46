//! Breakpoints where a movement has ended that did not run to them.
//!
//! A jump to an event, an `exec` or an interrupt may lead to an instruction that has a breakpoint. The instruction is
//! still to be executed, and the next run forward would step off it: so that run tells of it before it moves.

use crate::api::error::Error;
use crate::api::{Motion, Reason};
use crate::run::mover::Mover;
use crate::run::session::Session;
use crate::run::stop_state::Arrival;
use arch::{Direction, Registers, ThreadId};
use std::sync::Arc;

impl Session {
    /// Remembers the breakpoints that are where the selected thread has arrived.
    pub(crate) fn note_arrival(&mut self) {
        let thread = self.debuggee.thread;
        let pc = self.debuggee.inferior.process.registers(thread).ok().and_then(|registers| registers.pc());
        let numbers = pc.map(|pc| self.debuggee.breakpoints.at(pc)).unwrap_or_default();
        self.state.arrival = Some(Arrival { thread, numbers }).filter(|arrival| !arrival.numbers.is_empty());
    }
}

impl Mover<'_, '_> {
    /// Takes what there is to tell of where a movement begins.
    pub(crate) fn report_arrival(&mut self, motion: Motion) -> Result<Option<Reason>, Error> {
        let arrival = self.session.state.arrival.take();
        let Some(Arrival { thread, numbers }) =
            arrival.filter(|_| motion.runs() && motion.direction() == Direction::Forward)
        else {
            return Ok(None);
        };
        let pc = self.session.debuggee.inferior.process.registers(thread)?.pc().unwrap_or_default();
        let here = self.session.debuggee.breakpoints.at(pc);
        match numbers.iter().any(|number| here.contains(number)) {
            true => self.user_breakpoint(thread),
            false => Ok(None),
        }
    }

    /// Returns whether another thread is selected now than one that had these registers, or it has others.
    pub(crate) fn is_elsewhere(&mut self, thread: ThreadId, before: Option<&Arc<Registers>>) -> Result<bool, Error> {
        let now = self.session.debuggee.thread;
        Ok(now != thread || before != Some(&self.session.debuggee.inferior.process.registers(now)?))
    }

    /// Counts the breakpoints where a thread has stopped for something else: the next run steps off them.
    pub(crate) fn count_breakpoints_at(&mut self, thread: ThreadId) -> Result<(), Error> {
        if !self.session.debuggee.is_awaited(thread)? {
            return Ok(());
        }
        match self.user_breakpoint(thread) {
            Ok(Some(Reason::Breakpoint { number, .. } | Reason::Catch { number, .. })) => {
                self.session.notes.push(format!("breakpoint {number} is hit here, too"));
                Ok(())
            }
            // The next movement finds out.
            Ok(_) | Err(Error::ReadingCancelled { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
