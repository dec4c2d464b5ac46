//! Where a thread was, to the instruction.
//!
//! A thread may execute the same instruction several times in one tick, with the same registers: calls in a row, the
//! turns of an unrolled loop. The top of the stack tells these apart, by the return addresses that are there; where it
//! may not, they are [counted](super::visits).

use crate::arch::{Registers, ThreadId};
use crate::engine::api::error::Error;
use crate::engine::api::{Fingerprint, Hash, Position, Waypoint};
use crate::engine::run::session::Session;
use crate::engine::target::process::Process;
use std::sync::Arc;

/// DWARF numbers of the general registers, of whatever architecture.
const GENERAL: std::ops::RangeInclusive<u16> = 0..=31;
/// Bytes of the stack that tell one visit of an instruction from another: return addresses and locals.
pub(in crate::engine) const STACK: usize = 4096;

/// Where a stop was, exactly: within one tick, the registers and the top of the stack tell one visit of an instruction
/// from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct ExactPosition {
    pub(in crate::engine) position: Position,
    pub(in crate::engine) registers: Arc<Registers>,
    /// The hash of the general registers and of the top of the stack.
    fingerprint: u64,
    /// Which of the moments of its tick of which all this is so it is, if there may be several.
    visit: Option<u32>,
}

/// The resume flag of `eflags`. The processor sets it when an instruction faults; a program does not see it, and rr
/// tells it or not, depending on how it has come to the moment.
const RESUME_FLAG: u64 = 1 << 16;

impl ExactPosition {
    /// Returns whether a thread of a process has the registers and the stack that it had here.
    pub(in crate::engine) fn fits(&self, thread: ThreadId, process: &mut Process) -> Result<bool, Error> {
        let registers = process.registers(thread)?;
        Ok(self.has(&registers) && self.fingerprint == fingerprint(&registers, process))
    }

    /// Returns whether a thread of a process looks as it did here: so the visits are counted, whatever the flags are.
    pub(in crate::engine) fn looks_alike(&self, thread: ThreadId, process: &mut Process) -> Result<bool, Error> {
        let registers = process.registers(thread)?;
        Ok(registers.pc() == Some(self.position.pc) && self.fingerprint == fingerprint(&registers, process))
    }

    /// Returns whether the top of the stack is the same, and the time that the thread comes by.
    pub(in crate::engine) fn is_same_visit(&self, other: &Self) -> bool {
        (self.fingerprint, self.visit) == (other.fingerprint, other.visit)
    }

    pub(in crate::engine) const fn visit(&self) -> Option<u32> {
        self.visit
    }

    /// Returns the moment by its name, if it has one.
    pub(in crate::engine) fn waypoint(&self) -> Option<Waypoint> {
        let Position { moment, thread, pc } = self.position;
        let fingerprint = Some(Fingerprint::Stop(self.fingerprint));
        Some(Waypoint { moment: moment?, thread, pc, fingerprint, visit: self.visit, is_end: false })
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
        let fingerprint = fingerprint(&registers, &mut inferior.process);
        let place = ExactPosition { position, registers, fingerprint, visit: None };
        let visit = match place.waypoint() {
            Some(moment) if !self.state.at_end => self.visit_of(&moment)?,
            _ => None,
        };
        Ok(ExactPosition { visit, ..place })
    }
}

/// Hashes the general registers and the top of the stack.
pub(in crate::engine) fn fingerprint(registers: &Registers, process: &mut Process) -> u64 {
    let mut hash = Hash::default();
    for value in GENERAL.filter_map(|number| registers.dwarf(number)) {
        hash.add(&value.to_le_bytes());
    }
    if let Some(sp) = registers.sp() {
        hash.add(&process.read_up_to(sp, STACK));
    }
    hash.0
}
