//! What is known of the code of units so far.

use arch::LinkAddr;
use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, OnceLock};

/// A stretch of code, and what has it.
pub(super) type Stretch<T> = (LinkAddr, LinkAddr, T);

/// What is known of the code of units so far.
#[derive(Default)]
pub(crate) struct CodeMap {
    /// Of `.debug_aranges`, with the offsets of units; by address.
    pub(super) listed: OnceLock<Vec<Stretch<u64>>>,
    /// How many addresses were searched for in it, and what is known without: one place is often asked about more than
    /// once, and places in a function that was looked up by its name are in its unit.
    pub(super) searched: AtomicUsize,
    pub(super) found: Mutex<Vec<Stretch<u64>>>,
    /// Of the other units, with their numbers; by address.
    pub(super) others: OnceLock<Vec<Stretch<usize>>>,
}

/// Looks up what a table has for an address.
pub(super) fn covering<T: Copy>(table: &[Stretch<T>], address: LinkAddr) -> Option<T> {
    let after = table.partition_point(|(start, _, _)| *start <= address);
    // Ranges of different units do not overlap but for identical functions that a linker folded.
    let candidates = table.get(..after)?.iter().rev().take(8);
    candidates.into_iter().find(|(_, end, _)| address < *end).map(|(_, _, found)| *found)
}
