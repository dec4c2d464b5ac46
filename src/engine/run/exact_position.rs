//! Where a thread was, to the instruction.
//!
//! A thread may execute the same instruction several times in one tick, with the same registers: calls in a row, the
//! turns of an unrolled loop. The top of the stack tells these apart, by the return addresses that are there.

use crate::arch::{Registers, ThreadId};
use crate::engine::api::error::Error;
use crate::engine::api::{Hash, Position};
use crate::engine::run::session::Session;
use crate::engine::target::process::Process;
use std::sync::Arc;

/// Bytes of the stack that tell one visit of an instruction from another: return addresses and locals.
pub(in crate::engine) const STACK: usize = 4096;

/// Where a stop was, exactly: within one tick, the registers and the top of the stack tell one visit of an instruction
/// from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct ExactPosition {
    pub(in crate::engine) position: Position,
    pub(in crate::engine) registers: Arc<Registers>,
    /// The hash of the top of the stack.
    stack: u64,
}

/// The resume flag of `eflags`. The processor sets it when an instruction faults; a program does not see it, and rr
/// tells it or not, depending on how it has come to the moment.
const RESUME_FLAG: u64 = 1 << 16;

impl ExactPosition {
    /// Returns whether a thread of a process has the registers and the stack that it had here.
    pub(in crate::engine) fn fits(&self, thread: ThreadId, process: &mut Process) -> Result<bool, Error> {
        let registers = process.registers(thread)?;
        Ok(self.has(&registers) && self.stack == hash_of_stack(&registers, process))
    }

    /// Returns whether the top of the stack is the same.
    pub(in crate::engine) fn has_same_stack(&self, other: &Self) -> bool {
        self.stack == other.stack
    }

    /// Returns whether a thread with these registers may be here.
    fn has(&self, registers: &Registers) -> bool {
        let same = |name: &str| {
            let (kept, now) = (self.registers.bytes(name), registers.bytes(name));
            let is_flag = || {
                let (kept, now) = (self.registers.value(name), registers.value(name));
                name == "eflags" && kept.zip(now).is_some_and(|(kept, now)| kept ^ now == RESUME_FLAG)
            };
            kept == now || is_flag()
        };
        *self.registers == *registers || registers.layout().registers.iter().all(|register| same(&register.name))
    }
}

impl Session {
    /// Returns where a thread is.
    pub(in crate::engine) fn exact_position(&mut self, thread: ThreadId) -> Result<ExactPosition, Error> {
        let inferior = &mut self.debuggee.inferior;
        let (position, registers) = (inferior.position(thread)?, inferior.process.registers(thread)?);
        let stack = hash_of_stack(&registers, &mut inferior.process);
        Ok(ExactPosition { position, registers, stack })
    }
}

fn hash_of_stack(registers: &Registers, process: &mut Process) -> u64 {
    let mut hash = Hash::default();
    if let Some(sp) = registers.sp() {
        hash.add(&process.read_up_to(sp, STACK));
    }
    hash.0
}
