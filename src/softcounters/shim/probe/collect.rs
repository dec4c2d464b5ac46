//! Emptying the buffer of a region.

use std::sync::Arc;

use super::super::cache::site::{self, HEAD, PASSED, word};
use super::super::cache::watch::{LENGTH, LOCKED, ONLY_READ, Parts, READ, WRITTEN};
use super::hits::{Origin, Sink, Write, mark};
use super::list::List;
use super::look::is_repeated;
use super::watches::Watched;
use crate::cache::layout::{BUFFER, REGION, SIZE, slot};
use crate::cache::{Exit, Slots, Space, count};
use crate::memory;
use crate::state::State;
use crate::sys::{self, Errno};

/// Entries for an instruction that is not executed yet.
#[derive(Clone, Copy, Debug)]
pub struct PendingEntries {
    /// Where it is.
    pub address: u64,
    /// How many of its probes have told.
    pub entries: u8,
    /// It was executed, and is taken back.
    pub is_undone: bool,
}

impl Space {
    /// What was told of the instruction before which the cache was left.
    pub fn told(&self, exit: Exit) -> Option<PendingEntries> {
        match exit {
            Exit::Full { address, told } => Some(PendingEntries { address, entries: told, is_undone: false }),
            Exit::Overflow { address } | Exit::Step { address } | Exit::Repeat { address } => self.told_at(address),
            _ => None,
        }
    }

    /// What was told of the instruction at this address before it was executed in the cache.
    pub fn told_at(&self, address: u64) -> Option<PendingEntries> {
        let entries = self.sites.at(address).len() as u8;
        (entries > 0).then_some(PendingEntries { address, entries, is_undone: false })
    }

    /// The same of one that was executed and is taken back.
    pub fn undone_at(&self, address: u64) -> PendingEntries {
        PendingEntries { address, entries: self.sites.at(address).len() as u8, is_undone: true }
    }
}

impl State {
    /// Takes what the thread's probes have told since it entered the cache with a count of `written`, but for the last
    /// `told` entries, which are about an instruction that is not executed yet.
    pub fn collect(&mut self, tid: i32, written: u64, slots: &Slots, told: Option<PendingEntries>) -> Result<(), Errno> {
        const START: u64 = REGION + BUFFER;
        let end = slots.get(slot::BUFFER_AT);
        let Some(pass) = &self.pass else { return Ok(()) };
        if end == START {
            return Ok(());
        }
        if !(START..=REGION + SIZE).contains(&end) {
            spoilt(tid);
        }
        let list = Arc::clone(&pass.list);
        // Nothing is in the buffer, and nothing of unusual length.
        let empty: [(u64, &[u8]); 2] =
            [(REGION + slot::BUFFER_AT, &START.to_le_bytes()), (REGION + slot::LONG, &[0; 8])];
        if self.collect_last(tid, (written, end), slots, told)? {
            return memory::write(tid, &empty);
        }
        let id = self.space_of(tid);
        let is_shared = self.spaces.get(id).is_some_and(|space| space.shares_buffer);
        let Some(pass) = &mut self.pass else { return Ok(()) };
        let shared = pass.shared.clone().filter(|_| is_shared);
        let mut copied = std::mem::take(&mut pass.buffer);
        let length = (end - START) as usize;
        let buffer = match &shared {
            Some(shared) => shared.bytes(length),
            None => {
                copied.resize(length, 0);
                memory::read_exactly(tid, START, &mut copied)?;
                &copied
            }
        };
        memory::write(tid, &empty)?;
        if list.writes.told.is_none() && self.pass.as_ref().is_some_and(|pass| pass.sink.packs()) {
            let without = told.map_or(0, |told| self.taken_back(tid, &told));
            let (thread, ticks) = (self.thread_number(tid), self.tracee(tid).ticks);
            let Some(pass) = &mut self.pass else { return Ok(()) };
            let Some(packed) = pass.packer.pack(buffer, without, thread, (ticks, written)) else { spoilt(tid) };
            let has_passed = packed.passed + packed.passed_behind > 0;
            if pass.sink.packed(thread, ticks, &packed) {
                if has_passed {
                    pass.packer.note_passed(thread);
                }
                pass.buffer = copied;
                return Ok(());
            }
        }
        let mut entries = Vec::new();
        let mut rest = buffer;
        while let Some((number, _)) = rest.split_first_chunk() {
            let number = u32::from_le_bytes(*number);
            let room = match number & WRITTEN {
                0 if number & PASSED != 0 => Some(HEAD as u32),
                0 => list.entries.get(number as usize).map(|(room, _)| *room),
                _ => list.writes.told.as_ref().map(|_| Parts::behind(list.writes.room, number & LENGTH).room),
            };
            let Some((entry, after)) = room.and_then(|room| rest.split_at_checked(room as usize)) else { spoilt(tid) };
            entries.push(entry);
            rest = after;
        }
        if let Some(told) = told {
            let is_of = |entry: &[u8]| {
                word(entry, 0) as u32 & WRITTEN != 0
                    && word(entry, list.writes.room as usize) == told.address
                    && word(entry, 8) == slots.get(slot::COUNT)
            };
            // It has told once at most: of a call that reads what is watched, the tracer tells. Others at this count are
            // of rounds before it, without a branch that counts between.
            if told.is_undone && entries.last().is_some_and(|entry| is_of(entry)) {
                entries.pop();
            }
            entries.truncate(entries.len().saturating_sub(self.taken_back(tid, &told)));
        }
        let thread = self.thread_number(tid);
        let before = self.tracee(tid).ticks;
        let Some(watched) = self.spaces.get(id).map(|space| &space.watched) else { return Ok(()) };
        let Some(pass) = &mut self.pass else { return Ok(()) };
        let mut payload = Vec::new();
        for entry in entries {
            let left = count::remaining_from_slot(word(entry, 8));
            let ticks = before.wrapping_add(written.wrapping_sub(left));
            let number = word(entry, 0) as u32;
            if number & WRITTEN != 0 {
                let at = Entry { bytes: entry, number, length: number & LENGTH, space: id };
                at.tell(watched, &list, (thread, ticks), &mut payload, &mut pass.sink);
                continue;
            }
            if number & PASSED != 0 {
                pass.packer.passed().note(thread, number & !PASSED, ticks);
                pass.sink.pass_over(1);
                continue;
            }
            payload.clear();
            if let Some((_, pieces)) = list.entries.get(number as usize) {
                site::tell(pieces, entry, &mut payload);
            }
            let passed = pass.packer.passed().hits(thread, number, ticks);
            pass.sink.hit((number, passed), thread, ticks, &payload);
        }
        pass.buffer = copied;
        Ok(())
    }

    /// Returns how many of the last entries are taken back: those of an instruction that is not executed yet. Of one that
    /// is repeated some of its work may be done.
    fn taken_back(&mut self, tid: i32, PendingEntries { address, entries, .. }: &PendingEntries) -> usize {
        let id = self.space_of(tid);
        let all = self.spaces.get(id).map_or(0, |space| space.sites.at(*address).len());
        let has_begun = usize::from(*entries) == all && is_repeated(tid, *address);
        if has_begun {
            self.tracee(tid).begun = Some(*address);
        }
        if has_begun { 0 } else { usize::from(*entries) }
    }
}

/// The buffer has what nobody has put there but the program.
fn spoilt(tid: i32) -> ! {
    sys::give_up(&format!("thread {tid} has written to the entries of its probes"))
}

/// An entry that tells of watched memory.
pub struct Entry<'a> {
    pub bytes: &'a [u8],
    /// With what the instruction has done.
    pub number: u32,
    pub length: u32,
    pub space: u32,
}

impl Entry<'_> {
    /// Tells of it to whom it concerns.
    pub fn tell(
        &self,
        watched: &Watched,
        list: &List,
        (thread, ticks): (u32, u64),
        values: &mut Vec<u8>,
        sink: &mut Sink,
    ) {
        let parts = Parts::behind(list.writes.room, self.length);
        let start = word(self.bytes, parts.address as usize);
        let locked = if self.number & LOCKED != 0 { mark::LOCKED } else { 0 };
        for (watch, range) in watched.parts(&(start..start.saturating_add(u64::from(self.length)))) {
            let bytes = |from: u32| {
                let from = from as usize + (range.start - start) as usize;
                self.bytes.get(from..from + (range.end - range.start) as usize).unwrap_or(&[])
            };
            let number = watch as usize;
            let Some(marks) = list.writes.list.get(number).and_then(|watch| {
                let (has_read, has_written) = (self.number & (READ | ONLY_READ) != 0, self.number & ONLY_READ == 0);
                watch.marks(has_read, has_written)
            }) else {
                continue;
            };
            let before = bytes(parts.before);
            let after = if marks & mark::ONLY_READ == 0 { bytes(parts.after) } else { &[] };
            values.clear();
            if let Some(watch) = list.writes.list.get(number) {
                site::tell(&watch.pieces, self.bytes, values);
            }
            let instruction = word(self.bytes, parts.instruction as usize);
            let (origin, marks, space) = (Origin::Instruction, marks | locked, self.space);
            sink.write(
                &Write { watch, space, thread, ticks, origin, marks, instruction, range, before, after },
                values,
            );
        }
    }
}
