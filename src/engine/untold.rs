//! Breakpoints where a movement has ended that did not run to them.
//!
//! A jump to an event, an `exec` or an interrupt may lead to an instruction that has a breakpoint. The instruction is
//! still to be executed, and the next run forward would step off it: so that run tells of it before it moves.

use super::error::Error;
use super::model::{Motion, Reason};
use super::motion::Mover;
use super::session::Session;
use super::timeline::{direction, runs};
use crate::arch::{Direction, Registers, ThreadId};
use std::sync::Arc;

/// The breakpoints at which a thread has arrived. One that is set later is for the next time.
#[derive(Clone, Debug)]
pub(super) struct Untold {
    thread: ThreadId,
    numbers: Vec<u32>,
}

impl Session {
    /// Remembers the breakpoints that are where the selected thread has arrived.
    pub(super) fn has_arrived(&mut self) {
        let thread = self.thread;
        let pc = self.scene.process.registers(thread).ok().and_then(|registers| registers.pc());
        let numbers = pc.map(|pc| self.breakpoints.at(pc)).unwrap_or_default();
        self.untold = Some(Untold { thread, numbers }).filter(|untold| !untold.numbers.is_empty());
    }
}

impl Mover<'_, '_> {
    /// What there is to tell of where a movement begins.
    pub(super) fn tell_untold(&mut self, motion: Motion) -> Result<Option<Reason>, Error> {
        let untold = self.session.untold.take();
        let Some(Untold { thread, numbers }) =
            untold.filter(|_| runs(motion) && direction(motion) == Direction::Forward)
        else {
            return Ok(None);
        };
        let pc = self.session.scene.process.registers(thread)?.pc().unwrap_or_default();
        let here = self.session.breakpoints.at(pc);
        match numbers.iter().any(|number| here.contains(number)) {
            true => self.user_breakpoint(thread),
            false => Ok(None),
        }
    }

    /// Whether another thread is selected now than one that had these registers, or it has others.
    pub(super) fn is_elsewhere(&mut self, thread: ThreadId, before: Option<&Arc<Registers>>) -> Result<bool, Error> {
        let now = self.session.thread;
        Ok(now != thread || before != Some(&self.session.scene.process.registers(now)?))
    }

    /// Counts the breakpoints where a thread has stopped for something else: the next run steps off them.
    pub(super) fn count_breakpoints_at(&mut self, thread: ThreadId) -> Result<(), Error> {
        if !self.session.is_awaited(thread)? {
            return Ok(());
        }
        match self.user_breakpoint(thread) {
            Ok(Some(Reason::Breakpoint { number, .. } | Reason::Catch { number, .. })) => {
                self.session.notes.push(format!("breakpoint {number} is hit here, too"));
                Ok(())
            }
            // The next movement finds out.
            Ok(_) | Err(Error::GivenUp { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
