//! Functions of rr's library that the program calls in place of its own (`pthread_mutex_lock`, `dlopen`).
//!
//! Some do a little and jump to the program's function: what they execute belongs to the instruction that has led there.
//! The others come back, and are executed whole.

use crate::arch::{Direction, Flow};
use crate::engine::breakpoints::temporary::Temporary;
use crate::engine::run::mover::Mover;
use crate::engine::run::step::{Machine, Moved, Spot};

/// How many instructions such a function executes before it jumps, at most.
const LONGEST: usize = 32;

impl Mover<'_, '_> {
    /// Goes on from the beginning of a function of rr's library to the program's function that it jumps to, or to where
    /// it comes back.
    pub(super) fn pass_interposed(&mut self) -> Moved {
        let mut here = self.actual_spot()?;
        let Some(behind) = self.behind_detour(here) else { return Ok(None) };
        for _ in 0..LONGEST {
            if !self.is_rr_code(here) {
                return Ok(None);
            }
            let flow = self.instruction(here.pc).map(|i| i.flow);
            if flow.is_none_or(|flow| matches!(flow, Flow::Call | Flow::Syscall)) {
                break;
            }
            if let Some(reason) = self.single_step(Direction::Forward)? {
                return Ok(Some(reason));
            }
            here = self.actual_spot()?;
        }
        self.run_to(Direction::Forward, &[Temporary::is(behind.pc, behind.sp)])
    }

    /// Goes back from where a function of rr's library jumps to the program's, to what has led to the former.
    pub(super) fn pass_interposed_back(&mut self) -> Moved {
        let last = self.actual_spot()?.pc;
        if !self.instruction(last).is_some_and(|i| matches!(i.flow, Flow::Jump | Flow::IndirectJump)) {
            return Ok(None);
        }
        for _ in 0..LONGEST {
            let here = self.actual_spot()?;
            if !self.is_rr_code(here) {
                break;
            }
            if let Some(reason) = self.single_step(Direction::Reverse)? {
                return Ok(Some(reason));
            }
        }
        Ok(None)
    }

    /// Returns whether the thread is in rr's code.
    pub(super) fn is_rr_code(&self, here: Spot) -> bool {
        self.session.debuggee.inferior.is_rr_code(here.pc)
    }
}
