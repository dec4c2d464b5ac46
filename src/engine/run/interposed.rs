//! Functions of rr's library that the program calls in place of its own (`pthread_mutex_lock`, `dlopen`).
//!
//! They do a little and jump to the program's function: what they execute belongs to the instruction that has led there.
//! Only such a one is gone through, as rr may lose its way or die where it is to step through other code of its own.

use crate::api::error::Error;
use crate::breakpoints::temporary::Temporary;
use crate::run::mover::Mover;
use crate::run::step::{Machine, Moved, Spot, after};
use arch::{Direction, Flow, RunAddr};

/// How many instructions such a function has up to its jump, at most.
const LONGEST: usize = 24;

/// A function that jumps to the program's one.
struct Interposed {
    entry: RunAddr,
    /// The jump.
    exit: RunAddr,
    /// It calls others before it jumps.
    calls: bool,
}

impl Mover<'_, '_> {
    /// Goes on from the beginning of a function of rr's library to the program's function that it jumps to. Stays anywhere
    /// else.
    /// Back: from where it jumps, to what has led to it.
    pub(super) fn pass_interposed(&mut self, direction: Direction) -> Moved {
        let begun = self.actual_spot()?;
        if !self.is_rr_code(begun) {
            return Ok(None);
        }
        let Some(function) = self.interposed(begun.pc) else { return Ok(None) };
        match function.calls {
            true => self.run_through(&function, begun, direction),
            false => self.walk_through(direction),
        }
    }

    fn walk_through(&mut self, direction: Direction) -> Moved {
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

    /// Runs from one end of the function to the other one, and out of it.
    fn run_through(&mut self, function: &Interposed, begun: Spot, direction: Direction) -> Moved {
        let (from, to) = match direction {
            Direction::Forward => (function.entry, function.exit),
            Direction::Reverse => (function.exit, function.entry),
        };
        if begun.pc != from {
            return Ok(None);
        }
        let moved = self.run_to(direction, &[Temporary::is(to, begun.sp)])?;
        if moved.is_some() {
            return Ok(moved);
        }
        if self.actual_spot()? != (Spot { pc: to, sp: begun.sp }) {
            return Err(Error::Strayed);
        }
        self.single_step(direction)
    }

    /// Returns the function around an address of rr's library if it comes to a jump elsewhere without a system call or a
    /// return before.
    fn interposed(&mut self, at: RunAddr) -> Option<Interposed> {
        let entry = self.body(at)?.entry;
        let (mut here, mut calls) = (entry, false);
        for _ in 0..LONGEST {
            let i = self.instruction(here)?;
            match i.flow {
                Flow::IndirectJump => return Some(Interposed { entry, exit: here, calls }),
                Flow::Next | Flow::Jump | Flow::Call => here = after(here, i),
                Flow::Return | Flow::Syscall | Flow::Trap => return None,
            }
            calls |= i.flow == Flow::Call;
        }
        None
    }

    /// Returns whether the thread is in rr's code.
    pub(super) fn is_rr_code(&self, here: Spot) -> bool {
        self.session.debuggee.inferior.is_rr_code(here.pc)
    }
}
