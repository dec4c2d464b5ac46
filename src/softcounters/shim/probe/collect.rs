//! Emptying the buffer of a region.

use std::sync::Arc;

use super::super::cache::site::{HEAD, Item, Probe};
use crate::cache::layout::{BUFFER, REGION, SIZE, slot};
use super::look::is_repeated;
use crate::cache::{Exit, Slots, Space, count};
use crate::memory;
use crate::state::State;
use crate::sys::{self, Errno};

/// Entries for an instruction that is not executed yet.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// Where it is.
    pub address: u64,
    /// How many of its probes have told.
    pub entries: u8,
}

impl Space {
    /// What was told of the instruction before which the cache was left.
    pub fn told(&self, exit: Exit) -> Option<Told> {
        match exit {
            Exit::Full { address, told } => Some(Told { address, entries: told }),
            Exit::Overflow { address, .. } | Exit::Step { address } => self.told_at(address),
            _ => None,
        }
    }

    /// What was told of the instruction at this address before it was executed in the cache.
    pub fn told_at(&self, address: u64) -> Option<Told> {
        let entries = self.sites.at(address).len() as u8;
        (entries > 0).then_some(Told { address, entries })
    }
}

impl State {
    /// Takes what the thread's probes have told since it entered the cache with a count of `written`, but for the last
    /// `told` entries, which are about an instruction that is not executed yet.
    pub fn collect(&mut self, tid: i32, written: u64, slots: &Slots, told: Option<Told>) -> Result<(), Errno> {
        const START: u64 = REGION + BUFFER;
        let end = slots.get(slot::BUFFER_AT);
        let Some(pass) = &self.pass else { return Ok(()) };
        if end == START {
            return Ok(());
        }
        if !(START..=REGION + SIZE).contains(&end) {
            sys::give_up(&format!("thread {tid} has written to the entries of its probes"));
        }
        let list = Arc::clone(&pass.list);
        let mut whole = self.pass.as_mut().map_or_else(Vec::new, |pass| std::mem::take(&mut pass.buffer));
        whole.resize((SIZE - BUFFER) as usize, 0);
        let buffer = &mut whole[..(end - START) as usize];
        memory::read_exactly(tid, START, buffer)?;
        memory::write(tid, &[(REGION + slot::BUFFER_AT, &START.to_le_bytes())])?;
        let mut entries = Vec::new();
        let mut rest = &*buffer;
        while let Some((number, _)) = rest.split_first_chunk() {
            let probe = list.probes.get(u32::from_le_bytes(*number) as usize).map(|(_, probe)| probe);
            let Some((probe, (entry, after))) =
                probe.and_then(|probe| Some((probe, rest.split_at_checked(probe.room() as usize)?)))
            else {
                sys::give_up(&format!("thread {tid} has written to the entries of its probes"));
            };
            entries.push((probe, entry));
            rest = after;
        }
        if let Some(Told { address, entries: count }) = told {
            let id = self.space_of(tid);
            let all = self.spaces.get(id).map_or(0, |space| space.sites.at(address).len());
            // Some of its work may be done.
            let has_begun = usize::from(count) == all && is_repeated(tid, address);
            if has_begun {
                self.tracee(tid).begun = Some(address);
            } else {
                entries.truncate(entries.len().saturating_sub(usize::from(count)));
            }
        }
        let thread = self.thread_number(tid);
        let before = self.tracee(tid).ticks;
        let Some(pass) = &mut self.pass else { return Ok(()) };
        let mut payload = Vec::new();
        for (probe, entry) in entries {
            let left = count::remaining_from_slot(word(entry, 8));
            let ticks = before.wrapping_add(written.wrapping_sub(left));
            // As it is, unless there is memory, of which the length is told.
            if !probe.has_memory() {
                pass.sink.hit(probe.number, thread, ticks, &entry[HEAD..]);
                continue;
            }
            payload.clear();
            encode(probe, entry, &mut payload);
            pass.sink.hit(probe.number, thread, ticks, &payload);
        }
        pass.buffer = whole;
        Ok(())
    }
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
}

/// What a hit tells, of an entry of the buffer.
fn encode(probe: &Probe, entry: &[u8], payload: &mut Vec<u8>) {
    for (item, at) in probe.places() {
        let length = match item {
            Item::Register(_) => 8,
            Item::Vector(_) => 16,
            Item::Memory { length, .. } => {
                payload.extend(u32::from(*length).to_le_bytes());
                usize::from(*length)
            }
        };
        payload.extend(entry.get(at..at + length).unwrap_or(&[]));
    }
}
