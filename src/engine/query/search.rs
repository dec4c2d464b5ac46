//! Searching memory.

use crate::api::Mapping;
use crate::api::error::Error;
use crate::session::engine::Engine;
use arch::RunAddr;
use memchr::memmem;

/// Most bytes of what the program may not read that are looked at.
const MAX_CLOSED: u64 = 16 << 20;
/// Bytes that are read at a time.
const PIECE: u64 = 64 << 10;

impl Engine {
    /// Finds where bytes are in the `length` bytes from `start` on: at most so many places, in order. What is not
    /// mapped is left out, and so is what was not looked at when the call was cancelled.
    pub fn find_bytes(
        &mut self,
        start: RunAddr,
        length: u64,
        pattern: &[u8],
        most: usize,
    ) -> Result<Vec<RunAddr>, Error> {
        let mut found = Vec::new();
        let Some(last) = (length.checked_sub(pattern.len() as u64)).filter(|_| !pattern.is_empty()) else {
            return Ok(found);
        };
        // One past the last byte that counts, and the last place where the pattern may begin.
        let (end, last) = (start.0.saturating_add(length), start.0.saturating_add(last));
        let mapped = self.mappings()?;
        // What was read last, and where it ends: a pattern may go on in the next piece.
        let (mut tail, mut tail_end): (Vec<u8>, u64) = (Vec::new(), 0);
        // What the program itself may not read can be looked at; reservations of address space are not worth it.
        let is_searched = |mapping: &&Mapping| mapping.allows('r') || mapping.end.0 - mapping.start.0 <= MAX_CLOSED;
        for mapping in mapped.iter().filter(is_searched) {
            let (mut at, until) = (mapping.start.0.max(start.0), mapping.end.0.min(end));
            while at < until {
                if self.cancel().is_cancelled() {
                    return Ok(found);
                }
                let wanted = usize::try_from(PIECE.min(until - at)).unwrap_or_default();
                let read = self.with(|s| s.debuggee.inferior.process.read_once(RunAddr(at), wanted))?;
                if read.is_empty() {
                    break;
                }
                if tail_end != at {
                    tail.clear();
                }
                let base = at - tail.len() as u64;
                tail.extend_from_slice(&read);
                at += read.len() as u64;
                tail_end = at;
                let mut from = 0;
                while let Some(next) = tail.get(from..).and_then(|rest| memmem::find(rest, pattern)) {
                    let place = base + (from + next) as u64;
                    if place > last {
                        return Ok(found);
                    }
                    found.push(RunAddr(place));
                    if found.len() >= most {
                        return Ok(found);
                    }
                    from += next + 1;
                }
                // A place that was told begins before what is kept.
                let kept = (pattern.len() - 1).min(tail.len().saturating_sub(from));
                tail.drain(..tail.len() - kept);
            }
        }
        Ok(found)
    }
}
