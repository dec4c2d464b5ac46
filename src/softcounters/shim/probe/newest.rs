//! What of the entries at the end of a buffer is told, where only the last writes are wanted.

use std::ops::Range;

use super::super::cache::count;
use super::super::cache::site::word;
use super::super::cache::watch::{LENGTH, Parts, WRITTEN};
use super::watches::Watched;

/// Bytes that most writes take at most, so that all entries are of one length.
pub const USUAL: u32 = 8;

/// The entries at the end of a buffer.
pub struct Tail<'a> {
    pub bytes: &'a [u8],
    pub room: usize,
    /// Where an entry has its parts.
    pub parts: Parts,
    /// The branches of the thread when it entered the cache, and how many it could execute then.
    pub begun: (u64, u64),
    pub watched: &'a Watched,
}

impl<'a> Tail<'a> {
    pub fn entry(&self, number: usize) -> &'a [u8] {
        self.bytes.get(number * self.room..(number + 1) * self.room).unwrap_or(&[])
    }

    pub fn ticks(&self, number: usize) -> u64 {
        let (before, written) = self.begun;
        before.wrapping_add(written.wrapping_sub(count::remaining_from_slot(word(self.entry(number), 8))))
    }

    pub fn instruction(&self, number: usize) -> u64 {
        word(self.entry(number), self.parts.instruction as usize)
    }

    pub fn length(&self, number: usize) -> u32 {
        word(self.entry(number), 0) as u32 & LENGTH
    }

    pub fn is_write(&self, number: usize) -> bool {
        word(self.entry(number), 0) as u32 & WRITTEN != 0 && self.length(number) <= USUAL
    }

    /// Whether it changed something that is watched: what else it has written is nobody's concern.
    fn is_change(&self, number: usize) -> bool {
        let entry = self.entry(number);
        let start = word(entry, self.parts.address as usize);
        let bytes = |from: u32, range: &Range<u64>| {
            let from = from as usize + (range.start - start) as usize;
            entry.get(from..from + (range.end - range.start) as usize)
        };
        let mut parts = self.watched.parts(&(start..start.saturating_add(u64::from(self.length(number)))));
        parts.any(|(_, range)| bytes(self.parts.before, &range) != bytes(self.parts.after, &range))
    }
}

/// What of a tail is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The first that is looked at: no one before it is of the same tick as one that is told.
    pub from: usize,
    /// The last one that changed something before the last ones.
    pub change: Option<usize>,
    /// The first of the last ones.
    pub last: usize,
}

/// Finds out what of the last entries is to be told. `None`: more of them have to be known.
pub fn wanted(tail: &Tail<'_>, kept: usize, most: usize, is_all: bool) -> Option<Selection> {
    let last = kept.checked_sub(most)?;
    let change = (0..last).rev().find(|number| tail.is_change(*number));
    let first = change.or(is_all.then_some(last))?;
    let from = (0..first).rev().find(|number| tail.ticks(*number) != tail.ticks(first)).map(|number| number + 1);
    Some(Selection { from: from.or(is_all.then_some(0))?, change, last })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of stores of two numbers of four bytes at 0x1000: of each, what they were and what they are.
    fn entries(stores: &[[[u32; 2]; 2]], parts: Parts) -> Vec<u8> {
        let entry = |(number, store): (usize, &[[u32; 2]; 2])| {
            let mut entry = vec![0; parts.room as usize];
            let mut put = |at: u32, bytes: &[u8]| entry[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
            put(0, &(WRITTEN | 8).to_le_bytes());
            put(8, &(1000 - number as u64).to_le_bytes());
            put(parts.address, &0x1000u64.to_le_bytes());
            for (at, [a, b]) in [parts.before, parts.after].into_iter().zip(store) {
                put(at, &a.to_le_bytes());
                put(at + 4, &b.to_le_bytes());
            }
            entry
        };
        stores.iter().enumerate().flat_map(entry).collect()
    }

    #[test]
    fn a_change_beside_what_is_watched_is_none() {
        let parts = Parts::behind(16, USUAL);
        let stores: Vec<_> = (0..10).map(|n| [[u32::from(n > 3), n], [u32::from(n >= 3), n + 1]]).collect();
        let bytes = entries(&stores, parts);
        let change = |range: Range<u64>| {
            let watched = Watched::new(vec![(range, 0)]);
            let (room, begun) = (parts.room as usize, (0, 1000));
            let tail = Tail { bytes: &bytes, room, parts, begun, watched: &watched };
            wanted(&tail, 10, 1, true)
        };
        assert_eq!(change(0x1000..0x1004), Some(Selection { from: 3, change: Some(3), last: 9 }));
        assert_eq!(change(0x0ff0..0x1001), Some(Selection { from: 3, change: Some(3), last: 9 }));
        assert_eq!(change(0x1004..0x1008), Some(Selection { from: 8, change: Some(8), last: 9 }));
        assert_eq!(change(0x1005..0x1010), Some(Selection { from: 9, change: None, last: 9 }));
    }
}
