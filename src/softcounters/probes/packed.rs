//! Hits that are told together, each by what it has not in common with the one before it of the same probe.

use super::hits::{Damage, Fields, named};
use super::values::Shape;
use std::ops::Range;
use std::sync::Arc;

/// Bytes before the packed hits.
pub(super) const HEAD: usize = 24;
/// Bytes behind them, which are zero.
const BEHIND: usize = 8;
/// What is added to the number of a probe if hits of any were passed over since the one before.
const OTHERS_PASSED: u64 = 8192;
/// Bits of a number in each of its bytes, and how many bytes there are at most.
const BITS: u32 = 7;
const MOST: u32 = 10;

/// Where the values of a probe are among the words of a hit.
#[derive(Debug)]
struct Words {
    /// Where each begins, and where the last one ends.
    starts: Vec<usize>,
    /// The words of the hit before, which is of this piece.
    last: Vec<u64>,
    piece: u64,
}

/// Unpacks hits, one by one.
#[derive(Debug)]
pub(super) struct Unpacking {
    /// Of each probe.
    words: Vec<Words>,
    /// The number of the record.
    piece: u64,
    pub(super) thread: u32,
    pub(super) ticks: u64,
    /// The probe of the hit that was unpacked last, as a hit names it.
    pub(super) probe: u32,
    /// How many hits of any probe were passed over between it and the one before.
    pub(super) passed: u64,
    /// How many of the same probe were passed over before it in the same tick.
    pub(super) passed_in_tick: u64,
    /// How many are left.
    pub(super) left: u32,
    /// Where in the buffer what is left of the record is.
    rest: Range<usize>,
}

impl Unpacking {
    /// Creates what unpacks the hits of probes that ask for values of these shapes.
    pub(super) fn new(shapes: &[Arc<[Shape]>]) -> Self {
        let words = |shapes: &Arc<[Shape]>| {
            let mut starts = vec![0];
            let mut end = 0;
            for shape in shapes.iter() {
                end += shape.words();
                starts.push(end);
            }
            Words { starts, last: vec![0; end], piece: 0 }
        };
        let words = shapes.iter().map(words).collect();
        Self { words, piece: 0, thread: 0, ticks: 0, probe: 0, passed: 0, passed_in_tick: 0, left: 0, rest: 0..0 }
    }

    /// Reads what a record says of all its hits: the thread, how many, the branches before, how many others were passed
    /// over before the last one.
    pub(super) fn head(content: &[u8]) -> Result<(u32, u32, u64, u64), Damage> {
        let mut fields = Fields(content);
        Ok((fields.word()?, fields.word()?, fields.long()?, fields.long()?))
    }

    /// Begins with a record, of which the content is there in the buffer.
    pub(super) fn begin(&mut self, buffer: &[u8], content: Range<usize>) -> Result<(), Damage> {
        (self.thread, self.left, self.ticks, _) = Self::head(buffer.get(content.clone()).unwrap_or_default())?;
        self.rest = content.start + HEAD..content.end;
        self.piece += 1;
        Ok(())
    }

    /// Unpacks the next hit.
    #[inline]
    pub(super) fn next(&mut self, buffer: &[u8]) -> Result<(), Damage> {
        let bytes = buffer.get(self.rest.clone()).unwrap_or_default();
        let mut at = 0;
        let probe = number(bytes, &mut at)?;
        self.ticks = self.ticks.wrapping_add(number(bytes, &mut at)?);
        self.passed = if probe & OTHERS_PASSED == 0 { 0 } else { number(bytes, &mut at)? };
        self.probe = u32::try_from(probe & !OTHERS_PASSED).map_err(|_| Damage::NO_PROBE)?;
        let (probe, is_behind_passed) = named(self.probe);
        self.passed_in_tick = if is_behind_passed { number(bytes, &mut at)? } else { 0 };
        let words = self.words.get_mut(probe as usize).ok_or(Damage::NO_PROBE)?;
        if words.piece != self.piece {
            words.piece = self.piece;
            words.last.fill(0);
        }
        for pair in words.last.chunks_mut(2) {
            let mut lengths = *bytes.get(at).ok_or(Fields::SHORT)?;
            at += 1;
            for word in pair {
                let length = usize::from(lengths & 15);
                lengths >>= 4;
                if length > 0 {
                    let all = bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or(Fields::SHORT)?;
                    let unused = 64 - 8 * u32::try_from(length).unwrap_or(8).min(8);
                    let folded = u64::from_le_bytes(*all) << unused >> unused;
                    *word = word.wrapping_add(folded >> 1 ^ (folded & 1).wrapping_neg());
                    at += length.min(8);
                }
            }
        }
        self.rest.start += at;
        self.left -= 1;
        let is_right = if self.left == 0 { self.rest.len() == BEHIND } else { self.rest.len() > BEHIND };
        if is_right { Ok(()) } else { Err(Damage::Record("packed hits are not as many as they should be")) }
    }

    /// Returns the words of the hit that was unpacked last.
    #[inline]
    pub(super) fn words(&self) -> (&[u64], &[usize]) {
        self.words.get(named(self.probe).0 as usize).map_or((&[], &[]), |words| (&words.last, &words.starts))
    }
}

/// Reads a number of seven bits a byte.
#[inline]
fn number(bytes: &[u8], at: &mut usize) -> Result<u64, Damage> {
    // Most are of one.
    if let Some(byte) = bytes.get(*at).filter(|byte| **byte < 0x80) {
        *at += 1;
        return Ok(u64::from(*byte));
    }
    let mut number = 0;
    for shift in (0..MOST).map(|byte| byte * BITS) {
        let byte = *bytes.get(*at).ok_or(Fields::SHORT)?;
        *at += 1;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(Damage::Record("a number is too long"))
}
