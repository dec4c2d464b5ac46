//! Where a stay in the cache ends: what its end makes of the state of the program.

use libc::user_regs_struct;

use super::child::Stop;
use super::pair::{Difference, Pair};
use crate::shim::cache::block::{Exit, Indirect, Spill};
use crate::shim::cache::count::remaining_from_slot;
use crate::shim::cache::layout::{REGION, slot};
use crate::shim::cache::piece as executed;
use crate::shim::cache::stubs::AFTER_EXIT;
use crate::shim::cache::translate::is_user_address;

/// How a stay in the cache ended.
pub struct Left {
    /// The state of the program.
    pub registers: user_regs_struct,
    pub remaining: u64,
    /// Branches the program has been taken along natively already.
    pub followed: u64,
    /// How many probes have told of the next instruction.
    pub told: usize,
    /// What of a piece is executed.
    pub executed: executed::Left,
    pub end: End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Somewhere else in the program.
    Gone,
    /// Before a native instruction.
    Native,
    /// Before an instruction that is native this time.
    Step,
    /// Before the branch that is due.
    Overflow,
    /// Where the count is used up.
    Spent,
    /// Before an instruction that raises this signal.
    Fault(Stop),
    /// Before an indirect branch that faults.
    BadTarget,
    /// Before code that is not what was translated.
    Stale,
}

impl Pair {
    /// Lets the translation run.
    pub(super) fn stay(&mut self) -> Result<Left, Difference> {
        let stop = self.cached.run();
        let mut registers = self.cached.registers();
        match stop {
            Stop::SystemCall => {
                if registers.rip != REGION + AFTER_EXIT {
                    return Err(format!("a system call at {:#x}", registers.rip));
                }
                registers.rax = self.cached.word(REGION + slot::RAX);
                registers.orig_rax = u64::MAX;
                registers.rcx = self.cached.word(REGION + slot::EXIT_RCX);
                registers.r11 = self.cached.word(REGION + slot::EXIT_R11);
                Ok(self.left(registers))
            }
            Stop::Signal { .. } => self.fault(registers, stop),
            Stop::Stepped => Err(String::from("a step nobody asked for")),
        }
    }

    /// The state of the program after an exit, the numbered one.
    pub(super) fn left(&self, mut registers: user_regs_struct) -> Left {
        let (block, exit) = self.exits[self.cached.word(REGION + slot::EXIT) as usize];
        let translation = &self.blocks[block].translation;
        let remaining = self.remaining(translation.owed[exit]);
        let run = translation.runs[exit];
        let exit = translation.exits[exit];
        let executed = run.left(&translation.pieces, 0);
        let end = match exit {
            Exit::Direct { target, .. } => {
                registers.rip = target;
                End::Gone
            }
            Exit::Native { address } => {
                registers.rip = address;
                End::Native
            }
            Exit::Step { address } | Exit::Full { address, .. } | Exit::Repeat { address } => {
                registers.rip = address;
                End::Step
            }
            Exit::Repeated { address } => {
                registers.rip = address;
                End::Gone
            }
            Exit::Stale { address } => {
                registers.rip = address;
                End::Stale
            }
            Exit::Overflow { address } => {
                registers.rip = address;
                End::Overflow
            }
            Exit::Spent { address } => {
                registers.rip = address;
                End::Spent
            }
            Exit::Indirect { address, kind } => {
                registers.rip = self.cached.word(REGION + slot::TARGET);
                if is_user_address(registers.rip) {
                    End::Gone
                } else {
                    registers.rip = address;
                    self.undo(&mut registers, kind);
                    End::BadTarget
                }
            }
        };
        let executed = match exit {
            Exit::Indirect { .. } if end == End::Gone => executed::Left::default(),
            _ => executed,
        };
        Left { registers, remaining, followed: 0, told: self.told_at(exit), executed, end }
    }

    /// How many branches are left where so many are owed; below zero, they wrap.
    pub(super) fn remaining(&self, owed: i32) -> u64 {
        remaining_from_slot(self.cached.word(REGION + slot::COUNT)).wrapping_add_signed(i64::from(owed))
    }

    fn undo(&self, registers: &mut user_regs_struct, kind: Indirect) {
        match kind {
            Indirect::Jump => {}
            Indirect::Return { popped } => registers.rsp -= u64::from(popped),
            Indirect::Call => {
                let word = self.cached.word(REGION + slot::BELOW_STACK);
                let bytes = self.cached.memory(registers.rsp).as_ptr().cast_mut();
                // SAFETY: the word is in memory both processes share, and the child is stopped.
                unsafe { bytes.cast::<u64>().write_unaligned(word) };
                registers.rsp += 8;
            }
        }
    }

    /// The state of the program before the instruction that raised a signal.
    pub(super) fn fault(&self, mut registers: user_regs_struct, stop: Stop) -> Result<Left, Difference> {
        let (block, point) = self.point(registers.rip).ok_or_else(|| format!("{stop:?} at {:#x}", registers.rip))?;
        let offset = (registers.rip - block.at) as u32;
        let turns = &block.translation.turns;
        let turn = turns.partition_point(|turn| turn.offset <= offset).checked_sub(1).map(|index| turns[index]);
        let turn = turn.filter(|turn| turn.offset > point.offset);
        let executed = turn.map_or(point.run, |turn| turn.run).left(&block.translation.pieces, 0);
        registers.rip = point.address;
        match point.spill {
            Some(Spill::Rcx) => registers.rcx = self.cached.word(REGION + slot::RCX),
            Some(Spill::Rbx) => registers.rbx = self.cached.word(REGION + slot::SPILL),
            Some(Spill::Rsi) => registers.rsi = self.cached.word(REGION + slot::SPILL),
            Some(Spill::Rdi) => registers.rdi = self.cached.word(REGION + slot::SPILL),
            Some(Spill::RaxAndRcx | Spill::Probe) => {
                registers.rax = self.cached.word(REGION + slot::RAX);
                registers.rcx = self.cached.word(REGION + slot::RCX);
            }
            None => {}
        }
        registers.orig_rax = u64::MAX;
        let remaining = self.remaining(turn.map_or(point.owed, |turn| turn.owed));
        // Where a probe finds no memory, the instruction is stepped.
        let end = if point.spill == Some(Spill::Probe) { End::Step } else { End::Fault(stop) };
        Ok(Left { registers, remaining, followed: 0, told: usize::from(point.told), executed, end })
    }
}
