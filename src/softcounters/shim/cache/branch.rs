//! What a conditional branch does, without executing it.
//!
//! The branch that makes a counter overflow is the last instruction before rr sees the thread. A single step over it
//! costs as much as ten other stops where the processor is virtual, and all it does is to choose where to go on.

use super::class::{Class, classify};
use super::insn::{Insn, decode};
use super::translate::is_user_address;

const CARRY: u64 = 1 << 0;
const PARITY: u64 = 1 << 2;
const ZERO: u64 = 1 << 6;
const SIGN: u64 = 1 << 7;
const OVERFLOW: u64 = 1 << 11;

/// The registers that matter to a conditional branch, all of them if it is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    pub rip: u64,
    pub rcx: u64,
    pub flags: u64,
}

impl Branch {
    /// Computes what the conditional branch at the start of `code`, which is the one at `rip`, makes of the registers.
    ///
    /// `None` if it is none, or one of a form that processors do not agree on, or that may fault.
    pub fn execute(self, code: &[u8]) -> Option<Branch> {
        let insn = decode(code)?;
        if insn.prefixes.operand_size {
            return None;
        }
        let (is_taken, rcx) = match classify(&insn) {
            Class::ConditionalJump(condition) => (self.holds(condition), self.rcx),
            // With a prefix of repetition, some processors look at another condition.
            Class::Loop if insn.prefixes.repeat != 0 => return None,
            Class::Loop => self.repeats(&insn),
            _ => return None,
        };
        let next = self.rip.wrapping_add(u64::from(insn.length));
        let target = next.wrapping_add(insn.immediate_in(code) as u64);
        let rip = if is_taken { target } else { next };
        is_user_address(rip).then_some(Branch { rip, rcx, ..self })
    }

    /// Returns whether the condition holds that `Jcc` encodes by this number.
    fn holds(&self, condition: u8) -> bool {
        let is = |flag: u64| self.flags & flag != 0;
        let is_less = is(SIGN) != is(OVERFLOW);
        let holds = match condition >> 1 & 7 {
            0 => is(OVERFLOW),
            1 => is(CARRY),
            2 => is(ZERO),
            3 => is(CARRY | ZERO),
            4 => is(SIGN),
            5 => is(PARITY),
            6 => is_less,
            _ => is_less || is(ZERO),
        };
        holds != (condition & 1 != 0)
    }

    /// Returns whether `loopne`, `loope`, `loop` or `jrcxz` jumps, and rcx, which the first three count down.
    fn repeats(&self, insn: &Insn) -> (bool, u64) {
        let width = if insn.prefixes.address_size { u64::from(u32::MAX) } else { u64::MAX };
        let left = self.rcx.wrapping_sub(1) & width;
        let is_zero = self.flags & ZERO != 0;
        match insn.opcode {
            0xe0 => (left != 0 && !is_zero, left),
            0xe1 => (left != 0 && is_zero, left),
            0xe2 => (left != 0, left),
            _ => (self.rcx & width == 0, self.rcx),
        }
    }
}
