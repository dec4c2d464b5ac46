//! Where a thread was, to the instruction.
//!
//! A thread may execute the same instruction several times in one tick, with the same registers: calls in a row, the
//! turns of an unrolled loop. The top of the stack tells these apart, by the return addresses that are there; where it
//! may not, they are [counted](super::visits).

use crate::api::error::Error;
use crate::api::{Fingerprint, Hash, Position, Waypoint};
use crate::target::process::Process;
use arch::{Registers, ThreadId};
use std::sync::Arc;

/// DWARF numbers of the general registers, of whatever architecture.
const GENERAL: std::ops::RangeInclusive<u16> = 0..=31;
/// Bytes of the stack that tell one visit of an instruction from another: return addresses and locals.
pub(crate) const STACK: usize = 4096;

/// Where a stop was, exactly: within one tick, the registers and the top of the stack tell one visit of an instruction
/// from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExactPosition {
    pub(crate) position: Position,
    pub(crate) registers: Arc<Registers>,
    /// The hash of the general registers and of the top of the stack.
    fingerprint: u64,
    /// Which of the moments of its tick of which all this is so it is, if there may be several.
    visit: Option<u32>,
}

impl ExactPosition {
    /// Makes the place of a thread, of which only the visit is not known.
    pub(crate) fn new(position: Position, registers: Arc<Registers>, process: &mut Process) -> Self {
        let fingerprint = fingerprint(&registers, process);
        Self { position, registers, fingerprint, visit: None }
    }

    /// Says which visit it is.
    pub(crate) fn with_visit(self, visit: Option<u32>) -> Self {
        Self { visit, ..self }
    }

    /// Returns whether a thread of a process has the registers and the stack that it had here.
    pub(crate) fn fits(&self, thread: ThreadId, process: &mut Process) -> Result<bool, Error> {
        let registers = process.registers(thread)?;
        Ok(*registers == *self.registers && self.fingerprint == fingerprint(&registers, process))
    }

    /// Returns whether a thread of a process looks as it did here: so the visits are counted, whatever the flags are.
    pub(crate) fn looks_alike(&self, thread: ThreadId, process: &mut Process) -> Result<bool, Error> {
        let registers = process.registers(thread)?;
        Ok(registers.pc() == Some(self.position.pc) && self.fingerprint == fingerprint(&registers, process))
    }

    /// Returns whether the top of the stack is the same, and the time that the thread comes by.
    pub(crate) fn is_same_visit(&self, other: &Self) -> bool {
        (self.fingerprint, self.visit) == (other.fingerprint, other.visit)
    }

    pub(crate) const fn visit(&self) -> Option<u32> {
        self.visit
    }

    /// Returns the moment by its name, if it has one.
    pub(crate) fn waypoint(&self) -> Option<Waypoint> {
        let Position { moment, thread, pc } = self.position;
        let fingerprint = Some(Fingerprint::Stop(self.fingerprint));
        Some(Waypoint { moment: moment?, thread, pc, fingerprint, visit: self.visit, is_end: false, entry: None })
    }
}

/// Hashes the general registers and the top of the stack.
pub(crate) fn fingerprint(registers: &Registers, process: &mut Process) -> u64 {
    let mut hash = Hash::default();
    for value in GENERAL.filter_map(|number| registers.dwarf(number)) {
        hash.add(&value.to_le_bytes());
    }
    if let Some(sp) = registers.sp() {
        hash.add(&process.read_up_to(sp, STACK));
    }
    hash.0
}
