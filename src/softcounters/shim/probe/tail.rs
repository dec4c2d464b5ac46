//! Emptying the buffer of a region that has nothing but writes to one range, of which the last are wanted: only these
//! are read, and the others are counted by the room that they take.

use super::super::cache::watch::{LENGTH, Parts, WRITTEN};
use super::collect::{Entry, Told, word};
use super::list::List;
use crate::cache::layout::{BUFFER, REGION, slot};
use crate::cache::{Slots, count};
use crate::memory;
use crate::state::State;
use crate::sys::Errno;
use std::sync::Arc;

/// Bytes that most writes take at most, so that all entries are of one length.
const USUAL: u32 = 8;
/// How many entries are read first, besides those that are wanted; and how many times as many then.
const FIRST: usize = 16;
const MORE: usize = 8;

/// The entries at the end of a buffer.
struct Tail<'a> {
    bytes: &'a [u8],
    room: usize,
    /// Where an entry has its parts.
    parts: Parts,
    /// The branches of the thread when it entered the cache, and how many it could execute then.
    begun: (u64, u64),
}

impl<'a> Tail<'a> {
    fn entry(&self, number: usize) -> &'a [u8] {
        self.bytes.get(number * self.room..(number + 1) * self.room).unwrap_or(&[])
    }

    fn ticks(&self, number: usize) -> u64 {
        let (before, written) = self.begun;
        before.wrapping_add(written.wrapping_sub(count::remaining_from_slot(word(self.entry(number), 8))))
    }

    fn instruction(&self, number: usize) -> u64 {
        word(self.entry(number), self.parts.instruction as usize)
    }

    fn length(&self, number: usize) -> u32 {
        word(self.entry(number), 0) as u32 & LENGTH
    }

    fn is_write(&self, number: usize) -> bool {
        word(self.entry(number), 0) as u32 & WRITTEN != 0 && self.length(number) <= USUAL
    }

    fn is_change(&self, number: usize) -> bool {
        let bytes = |from: u32| {
            let from = from as usize;
            self.entry(number).get(from..from + self.length(number) as usize)
        };
        bytes(self.parts.before) != bytes(self.parts.after)
    }
}

/// What of a tail is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    /// The first that is looked at: no one before it is of the same tick as one that is told.
    from: usize,
    /// The last one that changed something before the last ones.
    change: Option<usize>,
    /// The first of the last ones.
    last: usize,
}

impl State {
    /// Takes what a thread has told of writes, if all it has told is of that kind. `end` is where its entries end.
    pub fn collect_last(
        &mut self,
        tid: i32,
        (written, end): (u64, u64),
        slots: &Slots,
        told: Option<Told>,
    ) -> Result<bool, Errno> {
        const START: u64 = REGION + BUFFER;
        let id = self.space_of(tid);
        let thread = self.thread_number(tid);
        let before = self.tracee(tid).ticks;
        let Some(watched) = self.spaces.get(id).map(|space| &space.watched) else { return Ok(false) };
        let Some(pass) = &mut self.pass else { return Ok(false) };
        let list = Arc::clone(&pass.list);
        let Some((watch, most)) = watched.only().and_then(|watch| Some((watch, only_last(&list, watch)?))) else {
            return Ok(false);
        };
        let parts = Parts::behind(list.writes.room, USUAL);
        let room = u64::from(parts.room);
        let mut all = ((end - START) / room) as usize;
        if !(end - START).is_multiple_of(room) || all / MORE < most + FIRST {
            return Ok(false);
        }
        let mut long = [0; 8];
        memory::read_exactly(tid, REGION + slot::LONG, &mut long)?;
        if long != [0; 8] {
            return Ok(false);
        }
        let mut read = most + FIRST;
        let (buffer, kept, mut skipped, wanted) = loop {
            let from = START + (all - read) as u64 * room;
            pass.buffer.resize(read * room as usize, 0);
            memory::read_exactly(tid, from, &mut pass.buffer)?;
            let tail = Tail { bytes: &pass.buffer, room: room as usize, parts, begun: (before, written) };
            if !(0..read).all(|number| tail.is_write(number)) {
                return Ok(false);
            }
            let is_undone = told.is_some_and(|told| {
                told.is_undone
                    && tail.instruction(read - 1) == told.address
                    && word(tail.entry(read - 1), 8) == slots.get(slot::COUNT)
            });
            let kept = read - usize::from(is_undone);
            if !pass.sink.is_sure(thread, tail.ticks(kept - 1)) {
                return Ok(false);
            }
            if let Some(wanted) = wanted(&tail, kept, most, read == all) {
                all -= usize::from(is_undone);
                let skipped = all - kept;
                break (std::mem::take(&mut pass.buffer), kept, skipped, wanted);
            }
            read = (read * MORE).min(all);
        };
        let tail = Tail { bytes: &buffer, room: room as usize, parts, begun: (before, written) };
        skipped += wanted.from;
        let mut payload = Vec::new();
        for number in wanted.from..kept {
            let ticks = tail.ticks(number);
            if number < wanted.last && Some(number) != wanted.change {
                pass.sink.note(watch, thread, ticks, tail.instruction(number));
                skipped += 1;
                continue;
            }
            pass.sink.skip(watch, id, std::mem::take(&mut skipped) as u64);
            let bytes = tail.entry(number);
            let entry = Entry { bytes, number: word(bytes, 0) as u32, length: tail.length(number), space: id };
            entry.tell(watched, &list, (thread, ticks), &mut payload, &mut pass.sink);
        }
        pass.buffer = buffer;
        Ok(true)
    }
}

/// Returns how many of the last writes of a watch are wanted, if nothing else can be in a buffer.
fn only_last(list: &List, watch: u32) -> Option<usize> {
    let is_alone = list.probes.is_empty() && !list.writes.reads;
    list.writes.list.get(watch as usize)?.last.filter(|_| is_alone)
}

/// Finds out what of the last entries is to be told. `None`: more of them have to be known.
fn wanted(tail: &Tail<'_>, kept: usize, most: usize, is_all: bool) -> Option<Wanted> {
    let last = kept.checked_sub(most)?;
    let change = (0..last).rev().find(|number| tail.is_change(*number));
    let first = change.or(is_all.then_some(last))?;
    let from = (0..first).rev().find(|number| tail.ticks(*number) != tail.ticks(first)).map(|number| number + 1);
    Some(Wanted { from: from.or(is_all.then_some(0))?, change, last })
}
