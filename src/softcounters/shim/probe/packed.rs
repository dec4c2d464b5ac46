//! Hits of a buffer, packed: what an entry has in common with the one before it of the same probe is not told again.
//!
//! Millions of entries differ in a counter and in little else. So of each word the difference is told, in as many bytes
//! as it needs, and how many these are in half a byte. The crate's module of the format describes it.

use super::super::cache::count;
use super::super::cache::site::{HEAD, Piece};

/// Most probes at one place, so most entries that are taken back.
const MOST_TOGETHER: usize = 16;
/// Bytes behind the packed ones, so that whoever unpacks them may read a whole word everywhere.
const BEHIND: usize = 8;
/// Bytes of a record of a hit besides its values.
const HIT_ROOM: u64 = 24;
/// Most bytes of the number of a probe, and of the branches since the entry before.
const MOST_HEAD: usize = 5 + 10;

/// How the entries of a probe are packed.
#[derive(Debug)]
struct Shape {
    /// Bytes of an entry in the buffer.
    room: usize,
    /// Bytes of the record of a hit that is not packed.
    told: u64,
    /// Where the words that are told are in an entry, and which of their bits.
    words: Vec<(usize, u64)>,
    /// The words of the entry before, which is of this piece.
    last: Vec<u64>,
    piece: u32,
}

/// Packs entries.
#[derive(Debug)]
pub struct Packer {
    shapes: Vec<Shape>,
    piece: u32,
    bytes: Vec<u8>,
}

/// Hits that are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed<'a> {
    pub bytes: &'a [u8],
    pub hits: u32,
    /// How many bytes they would take if they were not.
    pub room: u64,
}

/// What has been packed up to an entry.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    bytes: usize,
    hits: u32,
    room: u64,
}

impl Packer {
    /// Packs entries of probes, of each of which this is told.
    pub fn new(entries: &[(u32, Vec<Piece>)]) -> Packer {
        let shape = |(room, pieces): &(u32, Vec<Piece>)| {
            let words: Vec<(usize, u64)> = pieces.iter().flat_map(words_of).collect();
            let length = |piece: &Piece| piece.length + if piece.is_memory { 4 } else { 0 };
            let told = HIT_ROOM + pieces.iter().map(length).sum::<usize>() as u64;
            Shape { room: *room as usize, told, last: vec![0; words.len()], words, piece: 0 }
        };
        Packer { shapes: entries.iter().map(shape).collect(), piece: 0, bytes: Vec::new() }
    }

    /// Packs the entries of a buffer, but for the last `without`, of a thread that had executed `ticks` branches when it
    /// could execute `written` more. `None`: the buffer is not as it was made.
    pub fn pack(&mut self, buffer: &[u8], without: usize, (ticks, written): (u64, u64)) -> Option<Packed<'_>> {
        self.piece = self.piece.wrapping_add(1);
        if self.piece == 0 {
            self.shapes.iter_mut().for_each(|shape| shape.piece = 0);
            self.piece = 1;
        }
        // Each word takes half a byte more at most; the head of an entry takes less than it does in the buffer.
        self.bytes.resize(buffer.len() + buffer.len() / 8 + MOST_HEAD + 2 * BEHIND, 0);
        let mut marks = [Mark::default(); MOST_TOGETHER + 1];
        let (mut at, mut hits, mut room) = (0, 0u32, 0);
        let (mut rest, mut before) = (buffer, ticks);
        while !rest.is_empty() {
            let (head, _) = rest.split_first_chunk::<HEAD>()?;
            let number = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
            let left = count::remaining_from_slot(u64::from_le_bytes(*head.last_chunk()?));
            let shape = self.shapes.get_mut(number as usize)?;
            let (entry, after) = rest.split_at_checked(shape.room)?;
            rest = after;
            marks[hits as usize % marks.len()] = Mark { bytes: at, hits, room };
            if shape.piece != self.piece {
                shape.piece = self.piece;
                shape.last.fill(0);
            }
            let now = ticks.wrapping_add(written.wrapping_sub(left));
            at = number_to(&mut self.bytes, at, u64::from(number))?;
            at = number_to(&mut self.bytes, at, now.wrapping_sub(before))?;
            before = now;
            let mut lengths = at;
            for (place, ((from, mask), last)) in shape.words.iter().zip(&mut shape.last).enumerate() {
                let is_second = place % 2 == 1;
                if !is_second {
                    lengths = at;
                    *self.bytes.get_mut(at)? = 0;
                    at += 1;
                }
                let word = u64::from_le_bytes(*entry.get(*from..)?.first_chunk()?) & mask;
                // Most have not changed.
                if word != *last {
                    let length = difference_to(&mut self.bytes, at, word.wrapping_sub(*last))?;
                    *last = word;
                    *self.bytes.get_mut(lengths)? |= (length as u8) << if is_second { 4 } else { 0 };
                    at += length;
                }
            }
            hits += 1;
            room += shape.told;
        }
        if without > 0 {
            let kept = (hits as usize).saturating_sub(without.min(MOST_TOGETHER));
            Mark { bytes: at, hits, room } = marks[kept % marks.len()];
        }
        self.bytes.get_mut(at..at + BEHIND)?.fill(0);
        Some(Packed { bytes: &self.bytes[..at + BEHIND], hits, room })
    }
}

/// Returns where the words of a piece are, and which of their bits are told.
fn words_of(piece: &Piece) -> impl Iterator<Item = (usize, u64)> + use<> {
    let Piece { at, length, .. } = *piece;
    (0..length).step_by(8).map(move |from| match length - from {
        rest @ 1..8 => (at + from, (1 << (8 * rest)) - 1),
        _ => (at + from, u64::MAX),
    })
}

/// Puts a number there, seven bits a byte. Returns where it ends.
fn number_to(bytes: &mut [u8], mut at: usize, mut number: u64) -> Option<usize> {
    while number >= 0x80 {
        *bytes.get_mut(at)? = number as u8 | 0x80;
        number >>= 7;
        at += 1;
    }
    *bytes.get_mut(at)? = number as u8;
    Some(at + 1)
}

/// Puts a difference there, in as few bytes as it needs; of what is near zero these are few, whichever way it is.
/// Returns how many. What is written behind them does not matter.
fn difference_to(bytes: &mut [u8], at: usize, difference: u64) -> Option<usize> {
    let folded = difference << 1 ^ ((difference as i64) >> 63) as u64;
    *bytes.get_mut(at..)?.first_chunk_mut()? = folded.to_le_bytes();
    Some(8 - folded.leading_zeros() as usize / 8)
}
