//! Maps by numbers, and ranges of pages.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// Bytes in a page.
pub const PAGE: u64 = 0x1000;

/// Stands for the content of a page. Equal hashes of different pages are possible, and do no harm.
pub type Hash = u64;

/// Numbers are spread by one multiplication; nobody chooses them to collide.
#[derive(Default)]
pub struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

/// A map from numbers.
pub type Numbers<T> = HashMap<u64, T, BuildHasherDefault<NumberHasher>>;

/// Returns the numbers of the pages a range touches.
pub fn pages(range: &Range<u64>) -> Range<u64> {
    range.start / PAGE..range.end.div_ceil(PAGE).max(range.start / PAGE)
}

/// Returns whether `map`, by page numbers, has a page of this range.
pub fn touches<T>(map: &Numbers<T>, range: &Range<u64>) -> bool {
    let mut pages = pages(range);
    if pages.end - pages.start > map.len() as u64 {
        map.keys().any(|page| pages.contains(page))
    } else {
        pages.any(|page| map.contains_key(&page))
    }
}
