//! Writes to watched memory by instructions that are stepped, and reads.

use std::ops::Range;

use super::hits::{Origin, Write, mark};
use super::look::payload_of;
use crate::cache::insn::{Insn, decode};
use crate::cache::masks::Layout;
use crate::cache::writes::{Access, NEXT, Operand, Target};
use crate::extended::Extended;
use crate::memory;
use crate::state::State;
use crate::sys::UserRegs;

/// Most bytes that are told of a write, before and after.
pub const MOST_TOLD: u64 = 4096;
/// Most bytes that are compared to find out which of them were written.
const MOST_COMPARED: u64 = 1 << 20;

/// An instruction that is about to write to watched memory, or to read it.
#[derive(Debug)]
pub struct Writing {
    /// Where it is.
    address: u64,
    ticks: u64,
    /// Its parts are what it writes; else they are compared.
    is_whole: bool,
    /// What rcx was before, if it is a repeated string instruction, and which bits of it count.
    rounds: Option<(u64, u64)>,
    /// It may stop inside, and goes on later: a repeated instruction, or one that scatters, of which a step ends where a
    /// page is missing.
    stops_inside: bool,
    /// Some of its work is done.
    has_begun: bool,
    parts: Vec<Part>,
}

/// What is watched of a write, or of a read.
#[derive(Debug)]
struct Part {
    watch: u32,
    /// See [`mark`].
    marks: u32,
    range: Range<u64>,
    before: Vec<u8>,
    values: Vec<u8>,
    /// Where the instruction begins, and how far it goes in each round.
    stride: (u64, i64),
}

impl Part {
    /// What has been read of it, when so many rounds were made.
    fn read_in(&self, rounds: u64) -> Range<u64> {
        let (start, step) = self.stride;
        let all = rounds.saturating_mul(step.unsigned_abs());
        let end = start.saturating_add(step.unsigned_abs());
        let read = if step < 0 { end.saturating_sub(all)..end } else { start..start.saturating_add(all) };
        self.range.start.max(read.start)..self.range.end.min(read.end)
    }
}

impl State {
    /// Looks at what the instruction is going to write and to read, of which `code` are the bytes in memory.
    pub fn look_at_writes(&mut self, tid: i32, registers: &UserRegs, code: &[u8]) {
        let Some(list) = self.watching() else { return };
        let address = registers.rip;
        if self.settle_writes(tid, address, registers.rcx) {
            return;
        }
        let ticks = self.tracee(tid).ticks;
        let id = self.space_of(tid);
        let Some(space) = self.spaces.get(id).filter(|space| !space.watched.is_empty()) else { return };
        let Some(insn) = decode(code) else { return };
        let write = insn.write(code);
        let elements = write.filter(|write| !write.is_whole).and_then(|_| elements(tid, &insn, code, registers));
        let reads = if list.writes.reads { insn.reads(code) } else { [None, None] };
        let is_written = |read: &Access| write.is_some_and(|write| write.target == read.target);
        let locked = if insn.is_locked() { mark::LOCKED } else { 0 };
        let has_read = reads.iter().flatten().any(is_written);
        let memory = super::look::Memory::of(tid, space);
        let mut parts = Vec::new();
        let apart = reads.iter().flatten().filter(|read| !is_written(read)).map(|read| (*read, true, false));
        for (access, has_read, has_written) in apart.chain(write.map(|write| (write, has_read, true))) {
            let (reached, stride) = reach(&insn, code, registers, &access).unwrap_or((0..u64::MAX, (0, 0)));
            for (number, range) in space.watched.parts(&reached) {
                let chosen = elements.as_ref().filter(|_| has_written);
                let Some(range) = chosen.map_or(Some(range.clone()), |chosen| hull(chosen, &range)) else { continue };
                let Some(watch) = list.writes.list.get(number as usize) else { continue };
                let Some(marks) = watch.marks(has_read, has_written) else { continue };
                let most = if access.is_whole || chosen.is_some() { MOST_TOLD } else { MOST_COMPARED };
                let mut before = vec![0; (range.end - range.start).min(most) as usize];
                let read = memory::read_up_to(tid, range.start, &mut before);
                before.truncate(read);
                let values = payload_of(&memory, registers, &watch.items);
                parts.push(Part { watch: number, marks: marks | locked, range, before, values, stride });
            }
        }
        if parts.is_empty() {
            return;
        }
        let is_whole = elements.is_some() || write.is_none_or(|write| write.is_whole);
        let rounds = insn
            .is_repeated()
            .then_some((registers.rcx, if insn.prefixes.address_size { 0xffff_ffff } else { u64::MAX }));
        let stops_inside = rounds.is_some() || write.is_some_and(|write| write.target == Target::Anywhere);
        let writing = Writing { address, ticks, is_whole, rounds, stops_inside, has_begun: false, parts };
        self.tracee(tid).writing = Some(writing);
    }

    /// The thread is about to execute the instruction at `rip`, with this in rcx. Whether it is inside that one, of
    /// which the first look tells all; what was interrupted has written what it has.
    pub fn settle_writes(&mut self, tid: i32, rip: u64, rcx: u64) -> bool {
        if self.pass.is_none() {
            return false;
        }
        let Some(writing) = self.tracee(tid).writing.take() else { return false };
        if writing.has_begun && writing.address == rip {
            self.tracee(tid).writing = Some(writing);
            return true;
        }
        if writing.has_begun {
            self.told_of(tid, writing, None, rcx);
        }
        false
    }

    /// The instruction that was looked at has been executed, and the thread is at `rip` now, with this in rcx; or it has
    /// begun.
    pub fn tell_writes(&mut self, tid: i32, rip: u64, rcx: u64) {
        if self.pass.is_none() {
            return;
        }
        let Some(mut writing) = self.tracee(tid).writing.take() else { return };
        if writing.stops_inside && rip == writing.address {
            writing.has_begun = true;
            self.tracee(tid).writing = Some(writing);
            return;
        }
        let is_whole = writing.is_whole;
        self.told_of(tid, writing, Some(is_whole), rcx);
    }

    /// The instruction that was looked at was not executed, or it faulted.
    pub fn forget_writes(&mut self, tid: i32) {
        let writing = &mut self.tracee(tid).writing;
        if writing.as_ref().is_some_and(|writing| !writing.has_begun) {
            *writing = None;
        }
    }

    /// Tells what an instruction has written and read, that is at its end or not.
    fn told_of(&mut self, tid: i32, writing: Writing, is_whole: Option<bool>, rcx: u64) {
        let (thread, space) = (self.thread_number(tid), self.space_of(tid));
        for mut part in writing.parts {
            let mut after = Vec::new();
            if part.marks & mark::ONLY_READ != 0 {
                if let Some((rounds, mask)) = writing.rounds {
                    let read = part.read_in(rounds.wrapping_sub(rcx) & mask);
                    if read.is_empty() {
                        continue;
                    }
                    part.keep(read);
                }
                part.before.truncate(MOST_TOLD as usize);
            } else {
                after.resize(part.before.len(), 0);
                let read = memory::read_up_to(tid, part.range.start, &mut after);
                after.truncate(read);
                if is_whole != Some(true) {
                    let Some(changed) = difference(&part.before, &after) else { continue };
                    after = after[changed.clone()].to_vec();
                    let start = part.range.start;
                    part.keep(start + changed.start as u64..start + changed.end as u64);
                }
            }
            let Some(pass) = &mut self.pass else { return };
            let Part { watch, marks, range, before, values, .. } = &part;
            let (origin, instruction, ticks) = (Origin::Instruction, writing.address, writing.ticks);
            let (watch, marks, range) = (*watch, *marks, range.clone());
            let write = Write { watch, space, thread, ticks, origin, marks, instruction, range, before, after: &after };
            pass.sink.write(&write, values);
        }
    }
}

impl Part {
    /// Leaves of it what is in this range.
    fn keep(&mut self, range: Range<u64>) {
        let from = (range.start - self.range.start) as usize;
        let to = (range.end - self.range.start) as usize;
        self.before = self.before.get(from..to.min(self.before.len())).unwrap_or(&[]).to_vec();
        self.range = range;
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

/// Finds the elements that a store writes of which registers say that, if it is one. `None` also if the kernel does not
/// tell these registers.
fn elements(tid: i32, insn: &Insn, code: &[u8], registers: &UserRegs) -> Option<Vec<Range<u64>>> {
    let store = insn.masked_store(code)?;
    let length = u64::from(store.element);
    let from = |start: u64| start..start.saturating_add(length);
    let offsets = store.offsets(&Extended::of(tid)?)?;
    if let Layout::Scattered { .. } = store.layout {
        let base = Operand { index: None, ..insn.operand(code, store.element)? };
        let start = sum(insn, registers, &base);
        let place = |offset| narrow(insn, start.wrapping_add_signed(offset)).wrapping_add(segment(insn, registers));
        return Some(offsets.into_iter().map(|offset| from(place(offset))).collect());
    }
    let (reached, _) = reach(insn, code, registers, &insn.write(code)?)?;
    Some(offsets.into_iter().map(|offset| from(reached.start.wrapping_add_signed(offset))).collect())
}

/// From the first to the last byte of these elements that is in the range.
fn hull(elements: &[Range<u64>], range: &Range<u64>) -> Option<Range<u64>> {
    let inside = elements.iter().map(|element| element.start.max(range.start)..element.end.min(range.end));
    let inside = inside.filter(|part| !part.is_empty());
    inside.reduce(|all, part| all.start.min(part.start)..all.end.max(part.end))
}

/// Adds up the memory operand, without its segment.
fn sum(insn: &Insn, registers: &UserRegs, operand: &Operand) -> u64 {
    let value = |number: u8| match number {
        NEXT => registers.rip.wrapping_add(u64::from(insn.length)),
        number => super::look::general(registers, number),
    };
    let base = operand.base.map_or(0, value);
    let index = operand.index.map_or(0, |(index, scale)| value(index).wrapping_mul(u64::from(scale)));
    base.wrapping_add(index).wrapping_add_signed(operand.displacement)
}

/// Cuts an address to what the instruction computes with.
fn narrow(insn: &Insn, address: u64) -> u64 {
    if insn.prefixes.address_size { address & 0xffff_ffff } else { address }
}

/// Returns where the segment begins that the instruction names.
fn segment(insn: &Insn, registers: &UserRegs) -> u64 {
    match insn.prefixes.segment {
        0x64 => registers.fs_base,
        0x65 => registers.gs_base,
        _ => 0,
    }
}

/// What an instruction can write to or read, and where it begins and how far it goes in each round; `None` if that is
/// anything.
fn reach(insn: &Insn, code: &[u8], registers: &UserRegs, access: &Access) -> Option<(Range<u64>, (u64, i64))> {
    let length = u64::from(access.length);
    let from = |start: u64| Some((start..start.saturating_add(length), (start, length as i64)));
    let segment = segment(insn, registers);
    let narrow = |address: u64| narrow(insn, address);
    let operand = |more: u64| {
        let operand = insn.operand(code, access.scale)?;
        let raised = if operand.base == Some(4) { more } else { 0 };
        Some(narrow(sum(insn, registers, &operand).wrapping_add(raised)).wrapping_add(segment))
    };
    let string = |start: u64| {
        const DIRECTION: u64 = 1 << 10;
        let rounds = if insn.is_repeated() { narrow(registers.rcx) } else { 1 };
        let all = rounds.saturating_mul(length);
        Some(match registers.eflags & DIRECTION {
            0 => (start..start.saturating_add(all), (start, length as i64)),
            _ => {
                let end = start.saturating_add(length);
                (end.saturating_sub(all)..end, (start, -(length as i64)))
            }
        })
    };
    match access.target {
        Target::Operand => from(operand(0)?),
        Target::Popped => from(operand(length)?),
        Target::Stack => from(registers.rsp.wrapping_sub(length)),
        Target::Top => from(registers.rsp),
        Target::FramePointer => from(registers.rbp),
        Target::Translation => from(narrow(registers.rbx.wrapping_add(registers.rax & 0xff)).wrapping_add(segment)),
        Target::Absolute(address) => from(address.wrapping_add(segment)),
        Target::Line(number) => from(super::look::general(registers, number) & !63),
        Target::Frame => {
            let levels = code.get(usize::from(insn.immediate.0) + 2).map_or(0, |level| u64::from(level & 31));
            let start = registers.rsp.wrapping_sub(8 * (levels + 2));
            Some((start..registers.rsp, (start, 0)))
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
        Target::Source => string(narrow(registers.rsi).wrapping_add(segment)),
        Target::Destination => {
            let start = narrow(registers.rdi);
            let is_string = matches!(insn.opcode, 0x6c..=0x6d | 0xa4..=0xaf);
            if is_string { string(start) } else { from(start.wrapping_add(segment)) }
        }
        Target::Anywhere => None,
    }
}
