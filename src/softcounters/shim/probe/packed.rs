//! Hits of a buffer, packed: what an entry has in common with the one before it of the same probe is not told again.
//!
//! Millions of entries differ in a counter and in little else. So of each word the difference is told, in as many bytes
//! as it needs, and how many these are in half a byte. The crate's module of the format describes it.

use std::collections::HashMap;

use super::super::cache::count;
use super::super::cache::site::{HEAD, PASSED, Piece};
use super::hits::{BEHIND_PASSED, OTHERS_PASSED};

/// Most probes at one place, so most entries that are taken back.
pub const MOST_TOGETHER: usize = 16;
/// Bytes behind the packed ones, so that whoever unpacks them may read a whole word everywhere.
const BEHIND: usize = 8;
/// Bytes of a record of a hit besides its values.
pub const HIT_ROOM: u64 = 24;
/// Most bytes of the number of a probe, of the branches since the entry before, and of how many were passed over.
const MOST_HEAD: usize = 5 + 10 + 10 + 5;
/// Most bytes of two words, with how many they are.
const MOST_PAIR: usize = 1 + 2 * 8;

/// How the entries of a probe are packed.
#[derive(Debug)]
struct Shape {
    /// Bytes of an entry in the buffer.
    room: usize,
    /// Bytes of the record of a hit that is not packed.
    told: u64,
    /// Where the words that are told are in an entry, and which of their bits, two by two; of one that is not there, none.
    words: Vec<[(usize, u64); 2]>,
    /// The words of the entry before, which is of this piece.
    last: Vec<[u64; 2]>,
    /// Where hits were passed over last.
    passed: Option<PassedIn>,
    piece: u32,
}

/// Packs entries.
#[derive(Debug)]
pub struct Packer {
    shapes: Vec<Shape>,
    piece: u32,
    bytes: Vec<u8>,
    passed: Passed,
}

/// Where hits were passed over last: by the thread and the number of the probe.
#[derive(Debug, Default)]
pub struct Passed(HashMap<(u32, u32), PassedIn>);

/// A tick in which hits of a probe were passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PassedIn {
    /// The branches that the thread had executed.
    ticks: u64,
    /// How many were, so far.
    hits: u32,
}

impl PassedIn {
    /// Another hit was passed over.
    fn and(before: Option<Self>, ticks: u64) -> Self {
        let hits = before.filter(|before| before.ticks == ticks).map_or(0, |before| before.hits);
        Self { ticks, hits: hits.saturating_add(1) }
    }
}

impl Passed {
    /// A hit was passed over.
    pub fn note(&mut self, thread: u32, probe: u32, ticks: u64) {
        let before = self.0.get(&(thread, probe)).copied();
        self.0.insert((thread, probe), PassedIn::and(before, ticks));
    }

    /// Returns how many hits of a probe were passed over in a tick of a thread.
    pub fn hits(&self, thread: u32, probe: u32, ticks: u64) -> u32 {
        if self.0.is_empty() {
            return 0;
        }
        self.0.get(&(thread, probe)).filter(|passed| passed.ticks == ticks).map_or(0, |passed| passed.hits)
    }
}

/// Hits that are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed<'a> {
    pub bytes: &'a [u8],
    pub hits: u32,
    /// How many bytes they would take if they were not.
    pub room: u64,
    /// How many others were passed over before the last one.
    pub passed: u64,
    /// And behind it.
    pub passed_behind: u64,
}

/// What has been packed up to an entry; and of its probe, where one was passed over before.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    bytes: usize,
    hits: u32,
    room: u64,
    passed: u64,
    /// Of these, those behind the last hit.
    since: u64,
    probe: u32,
    before: Option<PassedIn>,
}

impl Packer {
    /// Packs entries of probes, of each of which this is told.
    pub fn new(entries: &[(u32, Vec<Piece>)]) -> Packer {
        let shape = |(room, pieces): &(u32, Vec<Piece>)| {
            let words: Vec<(usize, u64)> = pieces.iter().flat_map(words_of).collect();
            let words: Vec<_> = words.chunks(2).map(|pair| [pair[0], pair.get(1).copied().unwrap_or((0, 0))]).collect();
            let length = |piece: &Piece| piece.length + if piece.is_memory { 4 } else { 0 };
            let told = HIT_ROOM + pieces.iter().map(length).sum::<usize>() as u64;
            Shape { room: *room as usize, told, last: vec![[0; 2]; words.len()], words, passed: None, piece: 0 }
        };
        let shapes = entries.iter().map(shape).collect();
        Packer { shapes, piece: 0, bytes: Vec::new(), passed: Passed::default() }
    }

    /// Where hits were passed over last.
    pub fn passed(&mut self) -> &mut Passed {
        &mut self.passed
    }

    /// Takes note of where the hits of a thread were passed over that were packed last.
    pub fn note_passed(&mut self, thread: u32) {
        for (number, shape) in (0..).zip(&self.shapes) {
            if let Some(passed) = shape.passed.filter(|_| shape.piece == self.piece) {
                self.passed.0.insert((thread, number), passed);
            }
        }
    }

    /// Packs the entries of a buffer, but for the last `without`, of a thread that had executed `ticks` branches when it
    /// could execute `written` more. `None`: the buffer is not as it was made.
    pub fn pack(
        &mut self,
        buffer: &[u8],
        without: usize,
        thread: u32,
        (ticks, written): (u64, u64),
    ) -> Option<Packed<'_>> {
        self.piece = self.piece.wrapping_add(1);
        if self.piece == 0 {
            self.shapes.iter_mut().for_each(|shape| shape.piece = 0);
            self.piece = 1;
        }
        // Each word takes half a byte more at most; the head of an entry takes less than it does in the buffer.
        self.bytes.resize(buffer.len() + buffer.len() / 8 + MOST_HEAD + MOST_PAIR + BEHIND, 0);
        let (bytes, shapes, piece) = (self.bytes.as_mut_slice(), self.shapes.as_mut_slice(), self.piece);
        let mut marks = [Mark::default(); MOST_TOGETHER + 1];
        let (mut at, mut hits, mut room, mut passed, mut since, mut entries) = (0, 0u32, 0, 0, 0, 0usize);
        let (mut rest, mut before) = (buffer, ticks);
        while !rest.is_empty() {
            let (head, _) = rest.split_first_chunk::<HEAD>()?;
            let word = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
            let (number, is_passed) = (word & !PASSED, word & PASSED != 0);
            let left = count::remaining_from_slot(u64::from_le_bytes(*head.last_chunk()?));
            let shape = shapes.get_mut(number as usize)?;
            let (entry, after) = rest.split_at_checked(if is_passed { HEAD } else { shape.room })?;
            rest = after;
            if shape.piece != piece {
                shape.piece = piece;
                shape.last.fill([0; 2]);
                shape.passed = self.passed.0.get(&(thread, number)).copied();
            }
            if without > 0 {
                let mark = Mark { bytes: at, hits, room, passed, since, probe: number, before: shape.passed };
                marks[entries % marks.len()] = mark;
            }
            entries += 1;
            let now = ticks.wrapping_add(written.wrapping_sub(left));
            if is_passed {
                shape.passed = Some(PassedIn::and(shape.passed, now));
                (passed, since) = (passed + 1, since + 1);
                continue;
            }
            let in_tick = shape.passed.filter(|passed| passed.ticks == now);
            let behind = if in_tick.is_some() { BEHIND_PASSED } else { 0 };
            let others = if since > 0 { OTHERS_PASSED } else { 0 };
            at = numbers_to(bytes, at, [u64::from(number + behind + others), now.wrapping_sub(before)])?;
            if since > 0 {
                at = number_to(bytes, at, std::mem::take(&mut since))?;
            }
            if let Some(passed) = in_tick {
                at = number_to(bytes, at, u64::from(passed.hits))?;
            }
            before = now;
            for ([(first, of_first), (second, of_second)], last) in shape.words.iter().zip(&mut shape.last) {
                let words = [word_at(entry, *first)? & of_first, word_at(entry, *second)? & of_second];
                at += pair_to(bytes.get_mut(at..)?.first_chunk_mut()?, words, last)?;
            }
            hits += 1;
            room += shape.told;
        }
        if without > 0 {
            // Of more it is not known where they begin.
            let kept = entries.saturating_sub(Some(without).filter(|without| *without <= MOST_TOGETHER)?);
            for entry in (kept..entries).rev() {
                let mark = marks[entry % marks.len()];
                shapes.get_mut(mark.probe as usize)?.passed = mark.before;
                (at, hits, room, passed, since) = (mark.bytes, mark.hits, mark.room, mark.passed, mark.since);
            }
        }
        bytes.get_mut(at..at + BEHIND)?.fill(0);
        let passed = passed - since;
        Some(Packed { bytes: &self.bytes[..at + BEHIND], hits, room, passed, passed_behind: since })
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

/// Returns the word that begins there.
fn word_at(entry: &[u8], from: usize) -> Option<u64> {
    entry.get(from..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
}

/// Puts numbers there, seven bits a byte. Returns where they end.
fn numbers_to(bytes: &mut [u8], mut at: usize, numbers: [u64; 2]) -> Option<usize> {
    // Most are of one.
    if numbers[0] | numbers[1] < 0x80 {
        *bytes.get_mut(at..)?.first_chunk_mut()? = numbers.map(|number| number as u8);
        return Some(at + numbers.len());
    }
    for number in numbers {
        at = number_to(bytes, at, number)?;
    }
    Some(at)
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

/// Puts by what two words differ from those before there, each in as few bytes as it needs; of what is near zero these
/// are few, whichever way it is. Returns how many. What is written behind them does not matter.
fn pair_to(pair: &mut [u8; MOST_PAIR], words: [u64; 2], last: &mut [u64; 2]) -> Option<usize> {
    if words == *last {
        pair[0] = 0;
        return Some(1);
    }
    let before = std::mem::replace(last, words);
    let (first, second) = (folded(words[0], before[0]), folded(words[1], before[1]));
    let (one, other) = (length_of(first), length_of(second));
    pair[0] = (one | other << 4) as u8;
    *pair.get_mut(1..)?.first_chunk_mut()? = first.to_le_bytes();
    *pair.get_mut(1 + one..)?.first_chunk_mut()? = second.to_le_bytes();
    Some(1 + one + other)
}

/// Returns by what a word differs, near zero whichever way that is.
fn folded(word: u64, before: u64) -> u64 {
    let difference = word.wrapping_sub(before);
    difference << 1 ^ ((difference as i64) >> 63) as u64
}

/// Returns how many bytes a number needs; zero needs none.
fn length_of(number: u64) -> usize {
    8 - number.leading_zeros() as usize / 8
}
