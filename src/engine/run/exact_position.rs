//! Where a thread was, to the instruction.

use crate::arch::Registers;
use crate::engine::api::Position;
use std::sync::Arc;

/// Where a stop was, exactly: within one tick, the registers tell one instruction from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct ExactPosition {
    pub(in crate::engine) position: Position,
    pub(in crate::engine) registers: Arc<Registers>,
}

/// The resume flag of `eflags`. The processor sets it when an instruction faults; a program does not see it, and rr
/// tells it or not, depending on how it has come to the moment.
const RESUME_FLAG: u64 = 1 << 16;

impl ExactPosition {
    /// Returns whether a thread with these registers may be here.
    pub(in crate::engine) fn has(&self, registers: &Registers) -> bool {
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
