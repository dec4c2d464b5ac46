//! Emptying the buffer of a region that has nothing but writes to one range, of which the last are wanted: only these
//! are read, and the others are counted by the room that they take.

use super::super::cache::site::{self, word};
use super::super::cache::watch::Parts;
use super::collect::{Entry, PendingEntries};
use super::list::List;
use super::newest::{Tail, USUAL, wanted};
use crate::cache::Slots;
use crate::cache::layout::{BUFFER, REGION, slot};
use crate::memory;
use crate::state::State;
use crate::sys::Errno;
use std::sync::Arc;

/// How many entries are read first, besides those that are wanted; and how many times as many then.
const FIRST: usize = 16;
const MORE: usize = 8;

impl State {
    /// Takes what a thread has told of writes, if all it has told is of that kind. `end` is where its entries end.
    pub fn collect_last(
        &mut self,
        tid: i32,
        (written, end): (u64, u64),
        slots: &Slots,
        told: Option<PendingEntries>,
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
            let tail = Tail { bytes: &pass.buffer, room: room as usize, parts, begun: (before, written), watched };
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
        let tail = Tail { bytes: &buffer, room: room as usize, parts, begun: (before, written), watched };
        skipped += wanted.from;
        let mut payload = Vec::new();
        for number in wanted.from..kept {
            let ticks = tail.ticks(number);
            if number < wanted.last && Some(number) != wanted.change {
                payload.clear();
                if let Some(watch) = list.writes.list.get(watch as usize) {
                    site::tell(&watch.pieces, tail.entry(number), &mut payload);
                }
                pass.sink.note(watch, (thread, ticks), tail.instruction(number), &payload);
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
