//! Program code as read from a tracee, page by page.

use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use super::super::memory;
use super::pages::{Hash, Numbers, PAGE, pages, touches};

type Page = [u8; PAGE as usize];

/// The pages of code that were read. Like translations, they hold until a change of the code is seen.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The hash is made when it is asked for.
    pages: Numbers<(Arc<Page>, Option<Hash>)>,
}

impl Code {
    /// Reads up to `length` bytes from `address`, fewer at `end` or where a page cannot be read.
    pub fn read(&mut self, tid: i32, address: u64, length: usize, end: u64, into: &mut Vec<u8>) {
        into.clear();
        let end = end.min(address.saturating_add(length as u64));
        let mut at = address;
        while at < end {
            let Some((page, _)) = self.page(tid, at / PAGE) else { break };
            let from = (at % PAGE) as usize;
            let to = (end - (at - at % PAGE)).min(PAGE) as usize;
            into.extend_from_slice(&page[from..to]);
            at += (to - from) as u64;
        }
    }

    /// Returns `length` bytes from `address` if their page was read, and they are all on it.
    pub fn known(&self, address: u64, length: usize) -> Option<&[u8]> {
        let (page, _) = self.pages.get(&(address / PAGE))?;
        let from = (address % PAGE) as usize;
        page.get(from..from + length)
    }

    /// Stands for the content of the page of this number.
    pub fn hash(&mut self, tid: i32, number: u64) -> Option<Hash> {
        self.page(tid, number).map(|(page, known)| *known.get_or_insert_with(|| hash(page)))
    }

    fn page(&mut self, tid: i32, number: u64) -> Option<&mut (Arc<Page>, Option<Hash>)> {
        match self.pages.entry(number) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(place) => {
                let mut page = [0; PAGE as usize];
                memory::read_exactly(tid, number * PAGE, &mut page).ok()?;
                Some(place.insert((Arc::new(page), None)))
            }
        }
    }

    /// Notes that one byte has changed. Returns the code from there to the end of the page, if that was read.
    pub fn patch(&mut self, address: u64, byte: u8) -> Option<&[u8]> {
        let (page, hash) = self.pages.get_mut(&(address / PAGE))?;
        let from = (address % PAGE) as usize;
        Arc::make_mut(page)[from] = byte;
        *hash = None;
        Some(&page[from..])
    }

    /// Forgets pages whose code has changed or may have.
    pub fn forget(&mut self, range: &Range<u64>) {
        let pages = pages(range);
        if pages.end - pages.start > self.pages.len() as u64 {
            self.pages.retain(|page, _| !pages.contains(page));
        } else {
            for page in pages {
                self.pages.remove(&page);
            }
        }
    }

    /// Returns whether a page of this range was read.
    pub fn overlaps(&self, range: &Range<u64>) -> bool {
        touches(&self.pages, range)
    }
}

fn hash(page: &Page) -> Hash {
    // Four lanes, so that one multiplication need not wait for the one before.
    let mut lanes = [0x9e37_79b9_7f4a_7c15u64, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0x2545_f491_4f6c_dd1d];
    let (words, _) = page.as_chunks::<8>();
    for words in words.chunks_exact(lanes.len()) {
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }
    lanes.iter().fold(0, |hash: u64, lane| (hash.rotate_left(23) ^ lane).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_changes_the_page_and_what_stands_for_it() {
        let text = vec![0x90u8; 2 * PAGE as usize];
        let start = (text.as_ptr() as u64).next_multiple_of(PAGE);
        let (number, this) = (start / PAGE, memory::this_process());
        let mut code = Code::default();
        assert_eq!(code.patch(start, 0xcc), None);
        let before = code.hash(this, number).unwrap();
        let inherited = code.clone();
        assert_eq!(code.patch(start + PAGE - 2, 0xcc), Some(&[0xcc, 0x90][..]));
        assert_ne!(code.hash(this, number), Some(before));
        assert_eq!(code.known(start + PAGE - 3, 3), Some(&[0x90, 0xcc, 0x90][..]));
        assert_eq!(inherited.known(start + PAGE - 3, 3), Some(&[0x90; 3][..]));
        assert_eq!(code.patch(start + PAGE - 2, 0x90), Some(&[0x90, 0x90][..]));
        assert_eq!(code.hash(this, number), Some(before));
    }
}
