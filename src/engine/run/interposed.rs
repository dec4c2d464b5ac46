//! Functions of rr's library that the program calls in place of its own (`pthread_mutex_lock`).
//!
//! They do a little and jump to the program's function: what they execute belongs to the instruction that has led there.
//! Only such a one is gone through, as rr may lose its way or die where it is to step through other code of its own.

use crate::arch::{Direction, Flow, RunAddr};
use crate::engine::run::mover::Mover;
use crate::engine::run::step::{Machine, Moved, Spot, after};

/// How many instructions such a function has up to its jump, at most.
const LONGEST: usize = 16;

impl Mover<'_, '_> {
    /// Goes on from the beginning of a function of rr's library to the program's function that it jumps to. Stays anywhere
    /// else.
    /// Back: from where it jumps, to what has led to it.
    pub(super) fn pass_interposed(&mut self, direction: Direction) -> Moved {
        let begun = self.actual_spot()?;
        if !self.is_rr_code(begun) || !self.is_interposed(begun.pc) {
            return Ok(None);
        }
        for _ in 0..LONGEST {
            if let Some(reason) = self.single_step(direction)? {
                return Ok(Some(reason));
            }
            let here = self.actual_spot()?;
            if !self.is_rr_code(here) {
                break;
            }
        }
        Ok(None)
    }

    /// Returns whether the function around an address of rr's library comes to a jump elsewhere without a call, a system
    /// call or a return before.
    fn is_interposed(&mut self, at: RunAddr) -> bool {
        let Some(body) = self.body(at) else { return false };
        let mut here = body.entry;
        for _ in 0..LONGEST {
            match self.instruction(here) {
                Some(i) if i.flow == Flow::IndirectJump => return true,
                Some(i) if matches!(i.flow, Flow::Next | Flow::Jump) => here = after(here, i),
                _ => return false,
            }
        }
        false
    }

    /// Returns whether the thread is in rr's code.
    pub(super) fn is_rr_code(&self, here: Spot) -> bool {
        self.session.debuggee.inferior.is_rr_code(here.pc)
    }
}
