//! Program code as read from a tracee, page by page.

use std::ops::Range;
use std::sync::Arc;

use super::index::Numbers;
use crate::memory::{self, PAGE};

type Page = [u8; PAGE as usize];

/// The pages of code that were read. Like translations, they hold until a change of the code is seen.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pages: Numbers<Arc<Page>>,
}

impl Code {
    /// Up to `length` bytes from `address`, fewer at `end` or where a page cannot be read.
    pub fn read(&mut self, tid: i32, address: u64, length: usize, end: u64, into: &mut Vec<u8>) {
        into.clear();
        let end = end.min(address.saturating_add(length as u64));
        let mut at = address;
        while at < end {
            let Some(page) = self.page(tid, at / PAGE) else { break };
            let from = (at % PAGE) as usize;
            let to = (end - (at - at % PAGE)).min(PAGE) as usize;
            into.extend_from_slice(&page[from..to]);
            at += (to - from) as u64;
        }
    }

    fn page(&mut self, tid: i32, number: u64) -> Option<&Page> {
        if !self.pages.contains_key(&number) {
            let mut page = [0; PAGE as usize];
            memory::read_exactly(tid, number * PAGE, &mut page).ok()?;
            self.pages.insert(number, Arc::new(page));
        }
        self.pages.get(&number).map(|page| &**page)
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

    /// Whether a page of this range was read.
    pub fn overlaps(&self, range: &Range<u64>) -> bool {
        touches(&self.pages, range)
    }
}

/// The numbers of the pages a range touches.
pub fn pages(range: &Range<u64>) -> Range<u64> {
    range.start / PAGE..range.end.div_ceil(PAGE).max(range.start / PAGE)
}

/// Whether `map`, by page numbers, has a page of this range.
pub fn touches<T>(map: &Numbers<T>, range: &Range<u64>) -> bool {
    let mut pages = pages(range);
    if pages.end - pages.start > map.len() as u64 {
        map.keys().any(|page| pages.contains(page))
    } else {
        pages.any(|page| map.contains_key(&page))
    }
}
