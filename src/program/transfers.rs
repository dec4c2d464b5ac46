//! Direct calls of, and jumps to, an address.

use arch::LinkAddr;
use dwarf::Image;
use std::ops::RangeInclusive;

/// How far code is looked through, before the address and behind it.
const FARTHEST: u64 = 32 << 20;
/// Bytes that are looked at together.
const CHUNK: u64 = 1 << 20;
/// Most transfers that are listed.
const MOST_TRANSFERS: usize = 256;
/// `call` and `jmp` with a displacement of 32 bits.
const CALL: u8 = 0xe8;
const JUMP: u8 = 0xe9;
/// `jcc` with a displacement of 32 bits: this byte, and one of those.
const LONG: u8 = 0x0f;
const CONDITIONS: RangeInclusive<u8> = 0x80..=0x8f;
/// The length of the longest of them.
const LONGEST: u64 = 6;

/// A direct call or jump, for all that its bytes tell: they may be in the middle of another instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transfer {
    /// The address of the instruction.
    pub at: LinkAddr,
    /// The instruction behind it.
    pub next: LinkAddr,
    /// Whether it calls or jumps.
    pub kind: TransferKind,
}

/// Tells a direct call from a direct jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TransferKind {
    /// `call`, which pushes a return address.
    Call,
    /// `jmp`, with a condition or without.
    Jump,
}

/// Returns whether code that begins at an address is a function of its own rather than a part of one that jumps there:
/// something calls it, or it is come to through pointers alone. `false` if that cannot be told.
pub fn is_entered_by_calls(image: &Image, entry: LinkAddr) -> bool {
    transfers_to(image, entry).is_some_and(|transfers| {
        transfers.is_empty() || transfers.iter().any(|transfer| transfer.kind == TransferKind::Call)
    })
}

/// Lists the direct calls of, and jumps to, an address, by their addresses. `None` if there are too many, or code so far
/// away that it is not looked at.
pub fn transfers_to(image: &Image, entry: LinkAddr) -> Option<Vec<Transfer>> {
    let mut transfers = Vec::new();
    let mut look = |start: u64, bytes: &[u8]| {
        for number in memchr::memchr3_iter(CALL, JUMP, LONG, bytes) {
            let rest = bytes.get(number..).unwrap_or_default();
            let at = start.wrapping_add(number as u64);
            if let Some((kind, length, displacement)) = transfer(rest) {
                let next = at.wrapping_add(length);
                if next.wrapping_add_signed(i64::from(displacement)) == entry.0 {
                    transfers.push(Transfer { at: LinkAddr(at), next: LinkAddr(next), kind });
                }
            }
        }
        transfers.len() <= MOST_TRANSFERS
    };
    // What lies across the borders of two chunks is looked at twice as part of one.
    let overlap = LONGEST - 1;
    let mut at = entry.0;
    while let Some(bytes) = longest(|length| image.file_bytes(LinkAddr(at), length as usize)) {
        if !look(at, bytes) {
            return None;
        }
        if (bytes.len() as u64) < CHUNK {
            break;
        }
        at += CHUNK - overlap;
        if at >= entry.0.saturating_add(FARTHEST) {
            return None;
        }
    }
    let mut end = entry.0.saturating_add(overlap);
    loop {
        let before = |length: u64| image.file_bytes(LinkAddr(end.checked_sub(length)?), length as usize);
        let Some(bytes) = longest(before).filter(|bytes| bytes.len() as u64 > overlap) else { break };
        let start = end - bytes.len() as u64;
        if !look(start, bytes) {
            return None;
        }
        end = start + overlap;
        if end.saturating_add(FARTHEST) <= entry.0 {
            return None;
        }
    }
    transfers.sort_unstable();
    transfers.dedup();
    Some(transfers)
}

/// Returns the kind, the length and the displacement of the transfer that bytes begin with.
fn transfer(bytes: &[u8]) -> Option<(TransferKind, u64, i32)> {
    let (kind, length, displacement) = match bytes {
        [CALL, displacement @ ..] => (TransferKind::Call, 5, displacement),
        [JUMP, displacement @ ..] => (TransferKind::Jump, 5, displacement),
        [LONG, condition, displacement @ ..] if CONDITIONS.contains(condition) => {
            (TransferKind::Jump, LONGEST, displacement)
        }
        _ => return None,
    };
    Some((kind, length, i32::from_le_bytes(*displacement.first_chunk()?)))
}

/// Reads as many bytes as there are, up to a chunk.
fn longest<'a>(read: impl Fn(u64) -> Option<&'a [u8]>) -> Option<&'a [u8]> {
    if let Some(all) = read(CHUNK) {
        return Some(all);
    }
    let mut length = 0;
    let mut step = CHUNK / 2;
    while step > 0 {
        if read(length + step).is_some() {
            length += step;
        }
        step /= 2;
    }
    read(length).filter(|bytes| !bytes.is_empty())
}
