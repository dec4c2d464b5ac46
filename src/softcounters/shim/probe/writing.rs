//! Writes to watched memory by instructions that are stepped.

use std::ops::Range;

use super::hits::{Origin, Write};
use super::look::payload_of;
use crate::cache::insn::{Insn, decode};
use crate::cache::writes::{NEXT, Target};
use crate::memory;
use crate::state::State;
use crate::sys::UserRegs;

/// Most bytes that are told of a write, before and after.
pub const MOST_TOLD: u64 = 4096;
/// Most bytes that are compared to find out which of them were written.
const MOST_COMPARED: u64 = 1 << 20;

/// An instruction that is about to write to watched memory.
#[derive(Debug)]
pub struct Writing {
    /// Where it is.
    address: u64,
    ticks: u64,
    /// It writes all of what is watched of it.
    is_whole: bool,
    /// It is a repeated string instruction.
    is_repeated: bool,
    /// Some of its work is done.
    has_begun: bool,
    parts: Vec<Part>,
}

/// What is watched of a write.
#[derive(Debug)]
struct Part {
    watch: u32,
    range: Range<u64>,
    before: Vec<u8>,
    values: Vec<u8>,
}

impl State {
    /// Looks at what the instruction is going to write, of which `code` are the bytes in memory.
    pub fn look_at_writes(&mut self, tid: i32, registers: &UserRegs, code: &[u8]) {
        let Some(list) = self.watching() else { return };
        let address = registers.rip;
        if self.settle_writes(tid, address) {
            return;
        }
        let ticks = self.tracee(tid).ticks;
        let id = self.space_of(tid);
        let Some(space) = self.spaces.get(id).filter(|space| !space.watched.is_empty()) else { return };
        let Some(insn) = decode(code) else { return };
        let Some(write) = insn.write(code) else { return };
        let reached = reach(&insn, code, registers, write.target, u64::from(write.length)).unwrap_or(0..u64::MAX);
        let parts: Vec<_> = space.watched.parts(&reached).collect();
        if parts.is_empty() {
            return;
        }
        let memory = super::look::Memory::of(tid, space);
        let parts = parts.into_iter().map(|(watch, range)| {
            let most = if write.is_whole { MOST_TOLD } else { MOST_COMPARED };
            let mut before = vec![0; (range.end - range.start).min(most) as usize];
            let read = memory::read_up_to(tid, range.start, &mut before);
            before.truncate(read);
            let values = list.writes.list.get(watch as usize);
            let values = values.map_or_else(Vec::new, |watch| payload_of(&memory, registers, &watch.items));
            Part { watch, range, before, values }
        });
        let parts = parts.collect();
        let is_repeated = insn.is_repeated();
        let writing = Writing { address, ticks, is_whole: write.is_whole, is_repeated, has_begun: false, parts };
        self.tracee(tid).writing = Some(writing);
    }

    /// The thread is about to execute the instruction at `rip`. Whether it is inside that one, of which the first look
    /// tells all; what was interrupted has written what it has.
    pub fn settle_writes(&mut self, tid: i32, rip: u64) -> bool {
        if self.pass.is_none() {
            return false;
        }
        let Some(writing) = self.tracee(tid).writing.take() else { return false };
        if writing.has_begun && writing.address == rip {
            self.tracee(tid).writing = Some(writing);
            return true;
        }
        if writing.has_begun {
            self.told_of(tid, writing, false);
        }
        false
    }

    /// The instruction that was looked at has been executed, and the thread is at `rip` now; or it has begun.
    pub fn tell_writes(&mut self, tid: i32, rip: u64) {
        if self.pass.is_none() {
            return;
        }
        let Some(mut writing) = self.tracee(tid).writing.take() else { return };
        if writing.is_repeated && rip == writing.address {
            writing.has_begun = true;
            self.tracee(tid).writing = Some(writing);
            return;
        }
        self.told_of(tid, writing, true);
    }

    /// The instruction that was looked at was not executed, or it faulted.
    pub fn forget_writes(&mut self, tid: i32) {
        let writing = &mut self.tracee(tid).writing;
        if writing.as_ref().is_some_and(|writing| !writing.has_begun) {
            *writing = None;
        }
    }

    /// Tells what an instruction has written.
    fn told_of(&mut self, tid: i32, writing: Writing, is_done: bool) {
        let (thread, space) = (self.thread_number(tid), self.space_of(tid));
        let is_whole = writing.is_whole && is_done;
        for Part { watch, mut range, mut before, values } in writing.parts {
            let mut after = vec![0; before.len()];
            let read = memory::read_up_to(tid, range.start, &mut after);
            after.truncate(read);
            if !is_whole {
                let Some(changed) = difference(&before, &after) else { continue };
                (before, after) = (before[changed.clone()].to_vec(), after[changed.clone()].to_vec());
                range = range.start + changed.start as u64..range.start + changed.end as u64;
            }
            let Some(pass) = &mut self.pass else { return };
            let (instruction, ticks) = (writing.address, writing.ticks);
            let origin = Origin::Instruction;
            let (before, after) = (&before[..], &after[..]);
            let write = Write { watch, space, thread, ticks, origin, instruction, range, before, after };
            pass.sink.write(&write, &values);
        }
    }
}

/// From the first to the last byte that differs.
fn difference(before: &[u8], after: &[u8]) -> Option<Range<usize>> {
    let differs = |at: &usize| before.get(*at) != after.get(*at);
    let length = before.len().min(after.len());
    let first = (0..length).find(differs)?;
    let last = (first..length).rev().find(differs)?;
    Some(first..last + 1)
}

/// What an instruction can write to; `None` if that is anything.
fn reach(insn: &Insn, code: &[u8], registers: &UserRegs, target: Target, length: u64) -> Option<Range<u64>> {
    let from = |start: u64| Some(start..start.saturating_add(length));
    let segment = match insn.prefixes.segment {
        0x64 => registers.fs_base,
        0x65 => registers.gs_base,
        _ => 0,
    };
    let narrow = |address: u64| if insn.prefixes.address_size { address & 0xffff_ffff } else { address };
    let operand = |more: u64| {
        let scale = insn.write(code)?.scale;
        let operand = insn.operand(code, scale)?;
        let value = |number: u8| match number {
            NEXT => registers.rip.wrapping_add(u64::from(insn.length)),
            number => super::look::general(registers, number),
        };
        let base = operand.base.map_or(0, value);
        let index = operand.index.map_or(0, |(index, scale)| value(index).wrapping_mul(u64::from(scale)));
        let raised = if operand.base == Some(4) { more } else { 0 };
        let address = base.wrapping_add(index).wrapping_add_signed(operand.displacement).wrapping_add(raised);
        Some(narrow(address).wrapping_add(segment))
    };
    match target {
        Target::Operand => from(operand(0)?),
        Target::Popped => from(operand(length)?),
        Target::Stack => from(registers.rsp.wrapping_sub(length)),
        Target::Absolute(address) => from(address.wrapping_add(segment)),
        Target::Line(number) => from(super::look::general(registers, number) & !63),
        Target::Frame => {
            let levels = code.get(usize::from(insn.immediate.0) + 2).map_or(0, |level| u64::from(level & 31));
            Some(registers.rsp.wrapping_sub(8 * (levels + 2))..registers.rsp)
        }
        Target::Bit => {
            let rex = insn.prefixes.rex;
            let bit = super::look::general(registers, insn.reg() | (rex & 4) << 1);
            let bit = match length {
                2 => i64::from(bit as i16),
                4 => i64::from(bit as i32),
                _ => bit as i64,
            };
            from(operand(0)?.wrapping_add_signed(bit.div_euclid(length as i64 * 8) * length as i64))
        }
        Target::Destination => {
            const DIRECTION: u64 = 1 << 10;
            let is_string = matches!(insn.opcode, 0x6c..=0x6d | 0xa4..=0xab);
            let start = narrow(registers.rdi);
            if !is_string {
                return from(start.wrapping_add(segment));
            }
            let rounds = if insn.is_repeated() { narrow(registers.rcx) } else { 1 };
            let all = rounds.saturating_mul(length);
            match registers.eflags & DIRECTION {
                0 => Some(start..start.saturating_add(all)),
                _ => Some(start.saturating_add(length).saturating_sub(all)..start.saturating_add(length)),
            }
        }
        Target::Anywhere => None,
    }
}
