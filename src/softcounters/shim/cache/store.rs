//! What earlier runs translated: where blocks begin, by the content of the page of code they begin in.
//!
//! A new address space that runs known code has all its blocks translated at once, instead of leaving the cache for
//! each few. Nothing that is kept can be wrong: translations are always made from the bytes that are there, or compared
//! with them, and a block that begins where nothing is executed is merely useless. So the file is a hint, and needs no
//! more protection than that.

use std::collections::BTreeMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use super::block::Lowering;
use super::made::Made;
use super::pages::{Hash, Numbers};

/// Identifies the format of the file.
const MAGIC: u64 = u64::from_le_bytes(*b"softhot1");
/// Bounds what is kept: of more, all is forgotten, and what is run now is learned again.
const MOST_BLOCKS: usize = 400_000;
/// Bounds the translations kept in memory, which take about a kilobyte each.
const MOST_MADE: usize = 100_000;

/// Where blocks begin in a page: offsets, and whether an indirect branch was seen to go there.
pub type Starts = BTreeMap<u16, bool>;

/// All that is known.
#[derive(Debug)]
pub struct Store {
    pages: Numbers<Starts>,
    blocks: usize,
    /// Translations made by this tracer, by page and offset.
    made: Numbers<Vec<Arc<Made>>>,
    made_count: usize,
    /// Blocks and indirect targets learned since the last [`Store::encode`].
    pub learned: usize,
    /// It was full and has begun anew: what is in the file is to be forgotten, too.
    pub is_renewed: bool,
}

impl Store {
    /// Begins with nothing known.
    pub const fn new() -> Store {
        Store {
            pages: Numbers::with_hasher(BuildHasherDefault::new()),
            blocks: 0,
            made: Numbers::with_hasher(BuildHasherDefault::new()),
            made_count: 0,
            learned: 0,
            is_renewed: false,
        }
    }

    /// Returns where blocks begin in the page of this content.
    pub fn starts(&self, page: Hash) -> Option<&Starts> {
        self.pages.get(&page)
    }

    /// Notes that a block begins at `offset` of a page of this content.
    pub fn learn(&mut self, page: Hash, offset: u16, indirect: bool) {
        if self.blocks >= MOST_BLOCKS {
            self.pages.clear();
            self.blocks = 0;
            self.is_renewed = true;
        }
        let starts = self.pages.entry(page).or_default();
        let before = starts.get(&offset).copied();
        if before.is_none_or(|before| indirect && !before) {
            starts.insert(offset, indirect);
            self.blocks += usize::from(before.is_none());
            self.learned += 1;
        }
    }

    /// Finds a translation that stands for `code` at `address`, which is at `offset` of a page of this content, and
    /// lowers the count like this; and by how much it is to be shifted.
    pub fn made(
        &self,
        page: Hash,
        offset: u16,
        code: &[u8],
        address: u64,
        lowering: Lowering,
    ) -> Option<(Arc<Made>, u64)> {
        let mut candidates = self.made.get(&key(page, offset))?.iter().filter(|made| made.lowering() == lowering);
        candidates.find_map(|made| Some((Arc::clone(made), made.shift_for(code, address)?)))
    }

    /// Keeps a translation for other address spaces.
    pub fn remember(&mut self, page: Hash, offset: u16, made: &Arc<Made>) {
        if self.made_count >= MOST_MADE {
            self.made.clear();
            self.made_count = 0;
        }
        self.made.entry(key(page, offset)).or_default().push(Arc::clone(made));
        self.made_count += 1;
    }

    /// Encodes the content of the file.
    pub fn encode(&mut self) -> Vec<u8> {
        self.learned = 0;
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        for (page, starts) in &self.pages {
            bytes.extend(page.to_le_bytes());
            bytes.extend((starts.len() as u16).to_le_bytes());
            for (&offset, &indirect) in starts {
                bytes.extend((offset | if indirect { INDIRECT } else { 0 }).to_le_bytes());
            }
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Adds what a file says. A damaged one says nothing.
    pub fn merge(&mut self, bytes: &[u8]) {
        let Some((content, sum)) = bytes.split_last_chunk::<8>() else { return };
        if checksum(content) != u64::from_le_bytes(*sum) {
            return;
        }
        let mut rest = content;
        if take(&mut rest).map(u64::from_le_bytes) != Some(MAGIC) {
            return;
        }
        let learned = self.learned;
        while let Some(page) = take(&mut rest).map(Hash::from_le_bytes) {
            for _ in 0..take(&mut rest).map_or(0, u16::from_le_bytes) {
                let Some(start) = take(&mut rest).map(u16::from_le_bytes) else { break };
                self.learn(page, start & OFFSET, start & INDIRECT != 0);
            }
        }
        self.learned = learned;
    }
}

/// How a start is written: its offset, and a bit that says whether indirect branches go there.
const OFFSET: u16 = 0xfff;
const INDIRECT: u16 = 1 << 15;

fn key(page: Hash, offset: u16) -> u64 {
    page ^ u64::from(offset) << 48
}

/// Takes the next `N` bytes.
fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*taken)
}

/// Computes FNV-1a, 64 bits, which finds accidents.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_pages() -> Store {
        let mut store = Store::new();
        store.learn(11, 0x10, false);
        store.learn(11, 0x20, true);
        store.learn(22, 0xfff, false);
        store
    }

    #[test]
    fn a_target_of_an_indirect_branch_stays_one() {
        let mut store = two_pages();
        let learned = store.learned;
        store.learn(11, 0x20, false);
        assert_eq!(store.learned, learned);
        store.learn(11, 0x10, true);
        assert_eq!(store.learned, learned + 1);
        assert_eq!(store.starts(11), Some(&Starts::from([(0x10, true), (0x20, true)])));
        assert_eq!(store.starts(33), None);
    }

    #[test]
    fn what_is_written_is_read() {
        let file = two_pages().encode();
        let mut store = Store::new();
        store.merge(&file);
        assert_eq!(store.learned, 0);
        assert_eq!(store.starts(11), Some(&Starts::from([(0x10, false), (0x20, true)])));
        assert_eq!(store.starts(22), Some(&Starts::from([(0xfff, false)])));
    }

    #[test]
    fn a_full_one_begins_anew_and_learns_on() {
        let mut store = Store::new();
        for block in 0..MOST_BLOCKS as u64 {
            store.learn(block / 1000, (block % 1000) as u16, false);
        }
        assert!(!store.is_renewed && store.starts(0).is_some());
        store.learn(77, 7, true);
        assert!(store.is_renewed);
        assert_eq!((store.starts(0), store.starts(77)), (None, Some(&Starts::from([(7, true)]))));
    }

    #[test]
    fn merging_adds() {
        let file = two_pages().encode();
        let mut store = Store::new();
        store.learn(22, 1, false);
        store.merge(&file);
        assert_eq!(store.starts(22), Some(&Starts::from([(1, false), (0xfff, false)])));
        assert_eq!(store.learned, 1);
    }

    #[test]
    fn damage_is_nothing() {
        let file = two_pages().encode();
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x40;
            let mut store = Store::new();
            store.merge(&damaged);
            assert!(store.pages.is_empty(), "byte {at}");
            store.merge(&file[..at]);
            assert!(store.pages.is_empty(), "cut at {at}");
        }
    }
}
