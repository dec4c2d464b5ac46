//! Memory that is watched: where, and what is told of writes to it, and of reads.

use std::ops::Range;
use std::sync::Arc;

use super::super::cache::layout::FILTER_SIZE;
use super::super::cache::site::{self, Item, Piece, Probe, RIP};
use super::super::cache::writes::LONGEST;
use super::hits::mark;
use super::list::{self, Place};

/// Most ranges that are watched.
const MOST: usize = 4096;
/// Most hits that are kept for the end.
const MOST_KEPT: usize = 1 << 16;
const MOST_ITEMS: usize = 32;

/// A range of memory that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    pub place: Place,
    /// In bytes.
    pub length: u64,
    /// Writes are wanted.
    pub writes: bool,
    /// Reads are.
    pub reads: bool,
    /// Only so many hits are wanted, the last ones.
    pub last: Option<usize>,
    pub items: Vec<Item>,
    /// What is told of an entry.
    pub pieces: Vec<Piece>,
}

impl Watch {
    /// Returns what is to be told of an instruction that has read and written what is watched; nothing if that is not wanted.
    pub fn marks(&self, has_read: bool, has_written: bool) -> Option<u32> {
        match (has_written && self.writes, has_read) {
            (true, true) => Some(mark::READ),
            (true, false) => Some(0),
            (false, has_read) => (has_read && self.reads).then_some(mark::ONLY_READ),
        }
    }
}

/// All that are asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Watches {
    pub list: Vec<Watch>,
    /// What is to be told of any of them, each once; as a probe of no number.
    pub told: Option<Arc<Probe>>,
    /// Bytes of an entry before what is written.
    pub room: u32,
    /// Of some of them, reads are wanted.
    pub reads: bool,
}

impl Watches {
    /// Reads what follows the first word of a line, by which writes are wanted, or reads.
    pub fn add<'a>(
        &mut self,
        words: &mut impl Iterator<Item = &'a str>,
        modules: usize,
        (writes, reads): (bool, bool),
    ) -> Result<(), &'static str> {
        let place = list::place(words, modules)?;
        let length = words.next().and_then(|word| word.parse().ok()).filter(|&length| length > 0);
        let length = length.ok_or("it is not clear how much is watched")?;
        let mut words = words.peekable();
        let mut last = None;
        if words.next_if_eq(&"last").is_some() {
            if reads {
                return Err("only of writes are the last ones kept");
            }
            let most = words.next().and_then(|word| word.parse().ok()).filter(|most| (1..=MOST_KEPT).contains(most));
            last = Some(most.ok_or("how many writes are to be kept is not clear")?);
        }
        let items: Option<Vec<Item>> = words.map(list::item).collect();
        let is_general = |item: &Item| match item {
            Item::Register(number) | Item::Memory { base: number, .. } => *number < RIP,
            Item::Vector(_) => true,
        };
        let items = items.filter(|items| items.len() <= MOST_ITEMS && items.iter().all(is_general));
        let items = items.ok_or("the request for a write is invalid")?;
        if self.list.len() == MOST {
            return Err("too much is watched");
        }
        let mut told = self.told.as_ref().map_or_else(Vec::new, |told| told.items.clone());
        for item in &items {
            if !told.contains(item) {
                told.push(item.clone());
            }
        }
        if told.len() > MOST_ITEMS {
            return Err("the requests for writes are too long");
        }
        let told = Probe { number: u32::MAX, items: told, requires: Vec::new() };
        let at = items.iter().filter_map(|item| told.places().find(|(other, _)| *other == item));
        let pieces = site::pieces(at);
        self.room = told.room();
        self.told = Some(Arc::new(told));
        self.list.push(Watch { place, length, writes, reads, last, items, pieces });
        self.reads |= reads;
        Ok(())
    }
}

/// What is watched in an address space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// With the numbers of the watches, by their beginnings.
    ranges: Vec<(Range<u64>, u32)>,
    /// The same, without overlaps and gaps of none.
    all: Vec<Range<u64>>,
}

impl Watched {
    pub fn new(mut ranges: Vec<(Range<u64>, u32)>) -> Watched {
        ranges.sort_by_key(|(range, number)| (range.start, *number));
        let mut all: Vec<Range<u64>> = Vec::new();
        for (range, _) in &ranges {
            match all.last_mut().filter(|last| range.start <= last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => all.push(range.clone()),
            }
        }
        Watched { ranges, all }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the watch, if there is one alone here.
    pub fn only(&self) -> Option<u32> {
        match *self.ranges {
            [(_, watch)] => Some(watch),
            _ => None,
        }
    }

    /// From where to where something is watched, as translations compare it: the negated beginning, and the end.
    pub fn bounds(&self) -> [u64; 2] {
        let start = self.all.first().map_or(0, |first| first.start);
        [start.wrapping_neg(), self.all.last().map_or(0, |last| last.end)]
    }

    /// Whether something in this range is watched.
    pub fn touches(&self, range: &Range<u64>) -> bool {
        let next = self.all.partition_point(|watched| watched.end <= range.start);
        self.all.get(next).is_some_and(|watched| watched.start < range.end)
    }

    /// Which parts of a range are watched, and by which watches, in the order of what these watch.
    pub fn parts(&self, range: &Range<u64>) -> impl Iterator<Item = (u32, Range<u64>)> + '_ {
        let range = range.clone();
        let end = if self.touches(&range) {
            self.ranges.partition_point(|(watched, _)| watched.start < range.end)
        } else {
            0
        };
        let watched = self.ranges.get(..end).unwrap_or(&[]).iter();
        watched.filter_map(move |(watched, number)| {
            let (start, end) = (watched.start.max(range.start), watched.end.min(range.end));
            (start < end).then_some((*number, start..end))
        })
    }

    /// The tables by which translations look whether a write is to watched memory perhaps, see
    /// [`FILTERS`](super::super::cache::layout::FILTERS).
    pub fn filters(&self) -> Vec<u8> {
        const BLOCK: u32 = 8;
        const LARGE: u32 = 24;
        const NEIGHBOUR: u64 = 1 << LARGE;
        let mut tables = vec![0; 3 * FILTER_SIZE as usize];
        let (fine, rest) = tables.split_at_mut(FILTER_SIZE as usize);
        let (large, near) = rest.split_at_mut(FILTER_SIZE as usize);
        for range in &self.all {
            let start = range.start.saturating_sub(u64::from(LONGEST));
            mark(fine, start..range.end, BLOCK);
            mark(large, start..range.end, LARGE);
            mark(near, range.start.saturating_sub(NEIGHBOUR)..range.end.saturating_add(NEIGHBOUR), LARGE);
        }
        tables
    }
}

/// Marks the blocks of a range, each of 2^`bits` bytes.
fn mark(table: &mut [u8], range: Range<u64>, bits: u32) {
    let blocks = range.start >> bits..((range.end - 1) >> bits) + 1;
    for block in blocks.take(table.len()) {
        let length = table.len() as u64;
        table[(block % length) as usize] = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_all_watches() {
        let watched = Watched::new(vec![(10..20, 0), (15..30, 1), (30..31, 2), (50..60, 0)]);
        assert_eq!(watched.all, [10..31, 50..60]);
        let parts = |range: Range<u64>| watched.parts(&range).collect::<Vec<_>>();
        assert_eq!(parts(18..55), [(0, 18..20), (1, 18..30), (2, 30..31), (0, 50..55)]);
        assert!(watched.touches(&(0..11)) && !watched.touches(&(0..10)));
        assert!(!watched.touches(&(31..50)) && watched.touches(&(31..51)) && !watched.touches(&(60..100)));
        assert_eq!(parts(31..50), []);
    }

    #[test]
    fn filters_have_what_begins_before_a_range_and_reaches_into_it() {
        let at = |filters: &[u8], filter: u64, address: u64, bits: u32| {
            filters[(filter * FILTER_SIZE + (address >> bits) % FILTER_SIZE) as usize] != 0
        };
        let start = 0x7ffd_1234_5600;
        let filters = Watched::new(vec![(start..start + 8, 0)]).filters();
        assert_eq!(filters.iter().filter(|&&byte| byte != 0).count(), 2 + 1 + 3);
        assert!(at(&filters, 0, start, 8) && at(&filters, 0, start - 1, 8) && !at(&filters, 0, start + 256, 8));
        assert!(at(&filters, 1, start, 24) && !at(&filters, 1, start + (1 << 24), 24));
        assert!(at(&filters, 2, start + (1 << 24), 24) && at(&filters, 2, start - (1 << 24), 24));
        let all = Watched::new(vec![(0..1 << 47, 0)]).filters();
        assert!(all.iter().all(|&byte| byte == 1));
    }

    #[test]
    fn what_is_asked_for_is_asked_for_once() {
        let mut watches = Watches::default();
        let mut add = |text: &str| watches.add(&mut text.split(' '), 1, (true, false));
        assert_eq!(add("space all 7f00 16 rdi xmm0"), Ok(()));
        assert_eq!(add("module 0 10 8 last 3 xmm0 rsi"), Ok(()));
        for wrong in
            ["space all 7f00", "space all 7f00 0", "module 1 10 8", "space all 10 8 last 0", "space all 10 8 eax"]
        {
            assert!(add(wrong).is_err(), "{wrong}");
        }
        assert!(!watches.reads);
        assert_eq!(watches.add(&mut "space all 10 8".split(' '), 1, (false, true)), Ok(()));
        assert!(watches.reads && watches.add(&mut "space all 10 8 last 1".split(' '), 1, (true, true)).is_err());
        assert_eq!(watches.told.unwrap().items, [Item::Register(7), Item::Vector(0), Item::Register(6)]);
        assert_eq!((watches.list[0].last, watches.list[1].last, watches.list[1].length), (None, Some(3), 8));
    }
}
