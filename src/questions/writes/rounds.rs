//! Which round of a repeated string instruction an access was: a pass sees the instruction once, a debugger stops in front
//! of each round.

use super::collected::WritesPass;
use crate::hits::{self, Operand, Place, Visits};
use arch::{Arch, Program, Repeated, RunAddr, repeated};
use dwarf::FileCode;
use engine::model::hash_of_registers;
use softcounters::probes::{self, Writer, Written};
use std::collections::HashMap;

/// Most instructions that are remembered.
const MOST: usize = 1 << 16;

/// Tells rounds apart.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// Of an instruction: what each of its rounds does, if it is a repeated one.
    instructions: HashMap<u64, Option<Repeated>>,
}

/// The registers in front of an access.
enum Entry {
    /// Their hash, if they were collected.
    Exact(Option<u64>),
    /// Several rounds may be the one.
    Unclear,
}

impl Rounds {
    /// Returns the hash of the registers in front of the instruction, or in front of the round of a repeated one that has
    /// accessed memory first. `None`: they are not all collected, or several rounds may be the one.
    pub(super) fn registers(&mut self, found: &WritesPass, tid: u32, written: &Written) -> Option<u64> {
        match self.entry(found, tid, written) {
            Entry::Exact(hash) => hash,
            Entry::Unclear => None,
        }
    }

    /// Counts which time in its tick it is that an instruction, or one of its rounds, accesses memory with the same
    /// registers, of all that is told.
    pub(super) fn count_visit(
        &mut self,
        found: &WritesPass,
        visits: &mut Visits,
        tid: Option<u32>,
        written: &mut Written,
    ) {
        let (Some(thread), Some(pc), false) = (written.thread, pc_of(written), written.is_again) else { return };
        let entry =
            tid.map_or_else(|| Entry::Exact(hits::hash_of(&written.values)), |tid| self.entry(found, tid, written));
        match entry {
            Entry::Unclear => written.visit = None,
            Entry::Exact(_) if written.visit.is_some() => {}
            Entry::Exact(registers) => {
                let what = Operand { address: written.address, access: written.access };
                let place = Place { what: Some(what), registers, ..Place::at(pc) };
                written.visit = visits.count(thread, written.ticks, place);
            }
        }
    }

    fn entry(&mut self, found: &WritesPass, tid: u32, written: &Written) -> Entry {
        let plain = || Entry::Exact(hits::hash_of(&written.values));
        let Some(pc) = pc_of(written) else { return plain() };
        let Some(repeated) = self.instruction(found, tid, pc, written) else { return plain() };
        let value = |found: &probes::CollectedValue| match found {
            probes::CollectedValue::Register(value) => Some(*value),
            _ => None,
        };
        let registers: Vec<u64> = written.values.iter().map_while(value).collect();
        let Some(registers) = registers.first_chunk() else { return Entry::Exact(None) };
        let (first, last) = first_change(written);
        let at = |address| repeated.at_access(registers, address, written.access.writes());
        match (at(first), at(last)) {
            // Downward, the last byte comes first.
            (Some(one), Some(other)) => {
                Entry::Exact(Some(hash_of_registers(if one[RCX] >= other[RCX] { &one } else { &other })))
            }
            _ => Entry::Unclear,
        }
    }

    /// Returns what the instruction that has accessed memory does in each round, if it is a repeated one of a file.
    fn instruction(&mut self, found: &WritesPass, tid: u32, pc: u64, written: &Written) -> Option<Repeated> {
        if let Some(known) = self.instructions.get(&pc) {
            return *known;
        }
        let read = || {
            let at = found.moment(tid, written);
            let event = at.event.map_or(u64::MAX, |event| event.saturating_add(1));
            let (module, bias) = found.program.at(at.pid, event, pc)?;
            let code = FileCode(&module.image).code(RunAddr(RunAddr(pc).linked(bias).0));
            repeated(Arch::X86_64, &code, RunAddr(pc))
        };
        let read = read();
        if self.instructions.len() < MOST {
            self.instructions.insert(pc, read);
        }
        read
    }
}

/// The DWARF number of the register that counts rounds down.
const RCX: usize = 2;

fn pc_of(written: &Written) -> Option<u64> {
    match written.writer {
        Writer::Instruction(pc) => Some(pc),
        Writer::System => None,
    }
}

/// Returns the first byte and the last that an access has changed; of a read, those that it has read.
fn first_change(written: &Written) -> (u64, u64) {
    let changed = |index: &usize| written.before.get(*index) != written.after.get(*index);
    let all = 0..written.before.len().max(written.after.len());
    let is_change = written.access.writes() && written.is_change();
    let ends = all.clone().find(changed).zip(all.rev().find(changed)).filter(|_| is_change);
    let (first, last) = ends.map_or((0, written.length.saturating_sub(1)), |(first, last)| (first as u64, last as u64));
    (written.address.saturating_add(first), written.address.saturating_add(last))
}
