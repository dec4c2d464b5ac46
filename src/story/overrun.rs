//! Who wrote past the end of a block, where the C library ends a process because its heap is damaged.
//!
//! glibc keeps the size of each chunk in the 8 bytes before the block that it hands out, with three flags in the lowest
//! bits (`malloc/malloc.c`, `struct malloc_chunk`). A size that no allocation can have made was overwritten, mostly by
//! code that wrote past the end of the block before it.

use super::memory::{Block, is_complaint};
use super::wrong_value::{WrongValue, wrong_value};
use base::cancel::Cancel;
use engine::Engine;
use engine::model::Explanation;
use questions::{Heap, HeapCalls, HeapOf, HeapQuery, Hop};
use rr::Rr;
use std::path::Path;
use std::time::Duration;

/// Bytes of the size before a block.
const WORD: u64 = 8;
/// Blocks begin at multiples of this.
const ALIGNMENT: u64 = 16;
/// The smallest chunk.
const LEAST: u64 = 32;
/// The flags in a size, and those that say that the chunk before is in use, and that the chunk is a mapping of its own.
const FLAGS: u64 = 7;
const IS_BEFORE_USED: u64 = 1;
const IS_MAPPED: u64 = 2;
/// A size from which on it is none of the main heap.
const MOST: u64 = 1 << 40;
/// The last chunk ends at a multiple of this.
const PAGE: u64 = 4096;

/// A size of the C library that was overwritten.
pub(super) struct Overrun {
    /// What shows it.
    pub(super) evidence: String,
    /// The size, and who wrote it.
    pub(super) value: WrongValue,
    /// The block that ends before it.
    pub(super) block: Option<Block>,
}

/// Finds the size that was overwritten, and by whom, at the stop of an engine, which stays there.
///
/// # Errors
/// If the replay has ended.
pub(super) fn overrun(
    rr: &Rr,
    engine: &mut Engine,
    trace: &Path,
    explanation: &Explanation,
    patience: Duration,
    cancel: &Cancel,
) -> Result<Option<Overrun>, engine::Error> {
    if !is_complaint(explanation) {
        return Ok(None);
    }
    let position = engine.position()?;
    let Ok(calls) = HeapCalls::ask(rr, trace, cancel) else { return Ok(None) };
    let block = |of| calls.block(rr, trace, &HeapQuery::at(&position, vec![of]), cancel).ok();
    let of_block = |heap: Heap| heap.block.map(|block| (block.base, block.size));
    let freeing = block(HeapOf::Freeing);
    let is_last = freeing.is_none();
    let Some((base, size)) = freeing.or_else(|| block(HeapOf::Highest)).and_then(of_block) else { return Ok(None) };
    let Some(damaged) = damaged(engine, base, size, is_last)? else { return Ok(None) };
    let expression = format!("*(unsigned long *){:#x}", damaged.address);
    let Some(value) = wrong_value(rr, engine, trace, vec![expression.clone()], patience, cancel)? else {
        return Ok(None);
    };
    // If the C library has written it itself, it is a size after all.
    let is_written = value.origin.as_ref().is_ok_and(|origin| origin.hops.first().is_some_and(Hop::is_of_own_source));
    if !is_written {
        return Ok(None);
    }
    let before = block(HeapOf::Address { address: damaged.address, held_at: None });
    let block = before.filter(|heap| heap.block.is_some()).map(|heap| Block { expression, heap });
    Ok(Some(Overrun { evidence: damaged.evidence(), value, block }))
}

/// A size that no allocation can have made.
struct Damaged {
    address: u64,
    holds: u64,
    /// Of which chunk it is.
    of: String,
}

impl Damaged {
    fn evidence(&self) -> String {
        let Self { address, holds, of } = self;
        format!(
            "the heap is damaged: at {address:#x}, where the C library keeps the size of {of}, {holds:#x} was written"
        )
    }
}

/// Finds the size that is damaged: of the chunk of a block, or of the one behind it.
fn damaged(engine: &mut Engine, base: u64, size: u64, is_last: bool) -> Result<Option<Damaged>, engine::Error> {
    let Some(own) = word(engine, base.wrapping_sub(WORD))? else { return Ok(None) };
    if own & IS_MAPPED != 0 && (own & !FLAGS).is_multiple_of(PAGE) {
        return Ok(None);
    }
    let needed = chunk(size);
    // A rest that is too small for a chunk stays with the block.
    if ![needed, needed + ALIGNMENT].contains(&(own & !FLAGS)) {
        let of = format!("the block of {size} bytes at {base:#x}");
        return Ok(Some(Damaged { address: base.wrapping_sub(WORD), holds: own, of }));
    }
    let address = base.wrapping_add(own & !FLAGS).wrapping_sub(WORD);
    let Some(next) = word(engine, address)? else { return Ok(None) };
    let length = next & !FLAGS;
    let is_size = (LEAST..MOST).contains(&length) && length.is_multiple_of(ALIGNMENT) && next & IS_BEFORE_USED != 0;
    let is_end = address.wrapping_sub(WORD).wrapping_add(length).is_multiple_of(PAGE);
    if is_size && (is_end || !is_last) {
        return Ok(None);
    }
    let of = format!("what is behind the block of {size} bytes at {base:#x}");
    Ok(Some(Damaged { address, holds: next, of }))
}

/// Returns the size of the chunk for a block.
fn chunk(size: u64) -> u64 {
    size.saturating_add(WORD).checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX).max(LEAST)
}

fn word(engine: &mut Engine, address: u64) -> Result<Option<u64>, engine::Error> {
    match engine.read_memory(&format!("{address:#x}"), WORD) {
        Ok(read) => Ok(read.bytes.as_slice().try_into().ok().map(u64::from_le_bytes)),
        Err(error @ engine::Error::Ended(_)) => Err(error),
        Err(_) => Ok(None),
    }
}
