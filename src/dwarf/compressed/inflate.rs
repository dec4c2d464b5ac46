//! Large zlib streams (RFC 1950, RFC 1951) decompressed piece by piece, from any place between two blocks: general
//! libraries do that only where their interface is unsafe, for such a place is in the middle of a byte. As fast as they
//! are: all of the input is in memory and the output has a buffer that stays in the processor's cache, so that the
//! inner loop needs to look neither for the end of the one nor of the other. What is small goes to `object` instead.

mod tables;

use tables::{END, LITERAL, SPECIAL, SUBTABLE, Tables, value_of};
use zlib_rs::adler32::adler32;

/// How far back a match reaches.
const WINDOW: usize = 1 << 15;
/// So much is handed over at a time.
const PIECE: usize = 1 << 18;
/// No step of the inner loop writes more than this: a few literals and one match, copied in whole words.
const SLACK: usize = 512;
const ROOM: usize = WINDOW + PIECE + SLACK;
/// No step of it reads more than so many bits at a time, and so many bits are there after a refill.
const FILLED: u32 = 56;

/// The stream is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken;

/// A place between two blocks, from which decompression can go on with the window before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// In the decompressed bytes.
    pub(crate) output: u64,
    /// In the bits of the stream.
    pub(crate) input: u64,
    /// The checksum (RFC 1950 section 8.2) of what is before it.
    pub(crate) sum: u32,
}

/// Decompresses a stream, or a part of it.
pub(crate) struct Inflater<'i> {
    input: Input<'i>,
    output: Output,
    tables: Box<Tables>,
}

impl<'i> Inflater<'i> {
    /// Creates the `Inflater` of a stream that should expand to `size` bytes.
    pub(crate) fn new(data: &'i [u8], size: u64) -> Result<Self, Broken> {
        let head = data.first_chunk::<2>().ok_or(Broken)?;
        // Deflate, a window of no more than 32 KiB, no dictionary.
        if head[0] & 0x0f != 8 || head[0] >> 4 > 7 || head[1] & 0x20 != 0 || u16::from_be_bytes(*head) % 31 != 0 {
            return Err(Broken);
        }
        Self::resume(data, Point { output: 0, input: 16, sum: 1 }, &[], size)
    }

    /// Creates the `Inflater` of a part that begins at a point, behind this window, and has so many bytes.
    pub(crate) fn resume(data: &'i [u8], point: Point, window: &[u8], size: u64) -> Result<Self, Broken> {
        let at = usize::try_from(point.input / 8).map_err(|_| Broken)?;
        let mut input = Input { all: data, at, bits: 0, have: 0, phantom: 0 };
        input.refill();
        input.consume((point.input % 8) as u32);
        let mut buffer: Box<[u8; ROOM]> = vec![0; ROOM].try_into().map_err(|_| Broken)?;
        let window = window.get(window.len().saturating_sub(WINDOW)..).unwrap_or_default();
        buffer.get_mut(..window.len()).ok_or(Broken)?.copy_from_slice(window);
        let (at, made) = (window.len(), point.output);
        let output = Output { buffer, at, given: at, made, end: made.saturating_add(size), sum: point.sum };
        let tables = Box::new(Tables::default());
        Ok(Self { input, output, tables })
    }

    /// Decompresses a block. Calls `take` with pieces of it, and those of blocks before. `false`: it was the last one.
    pub(crate) fn block(&mut self, take: &mut impl FnMut(&[u8])) -> Result<bool, Broken> {
        self.input.refill();
        let last = self.input.take(1) == 1;
        match self.input.take(2) {
            0 => self.output.stored(&mut self.input, take)?,
            1 => {
                self.tables.fixed()?;
                self.output.compressed(&mut self.input, &self.tables, take)?;
            }
            2 => {
                self.tables.read(&mut self.input)?;
                self.output.compressed(&mut self.input, &self.tables, take)?;
            }
            _ => return Err(Broken),
        }
        Ok(!last)
    }

    /// Calls `take` with what it was not called with yet.
    pub(crate) fn flush(&mut self, take: &mut impl FnMut(&[u8])) -> Result<(), Broken> {
        self.output.hand_over(take)
    }

    /// Returns how many bytes there are before the next block.
    pub(crate) fn made(&self) -> u64 {
        self.output.made + (self.output.at - self.output.given) as u64
    }

    /// Returns how much of the stream has been read.
    pub(crate) fn read(&self) -> usize {
        self.input.at
    }

    /// Returns the point where the next block begins, and the window before it; after a flush.
    pub(crate) fn point(&self) -> (Point, &[u8]) {
        let behind = u64::from(self.input.have.saturating_sub(self.input.phantom));
        let input = (self.input.at as u64 * 8).saturating_sub(behind);
        (Point { output: self.output.made, input, sum: self.output.sum }, self.output.window())
    }

    /// Finishes behind the last block, and after a flush: fails unless this is all, and what was compressed.
    pub(crate) fn finish(mut self) -> Result<(), Broken> {
        self.input.align()?;
        let sum = self.input.bytes(4).and_then(|bytes| bytes.first_chunk::<4>()).map(|sum| u32::from_be_bytes(*sum));
        if self.output.made == self.output.end && sum == Some(self.output.sum) { Ok(()) } else { Err(Broken) }
    }
}

/// The compressed bits, the lowest of each byte first.
struct Input<'i> {
    all: &'i [u8],
    /// What is not in `bits` yet, but for bits that are there twice over: a refill may bring part of a byte.
    at: usize,
    bits: u64,
    have: u32,
    /// Of `have`, bits that are not there: behind the end come zeros.
    phantom: u32,
}

impl<'i> Input<'i> {
    /// Makes [`FILLED`] bits available.
    #[inline(always)]
    fn refill(&mut self) {
        match self.all.get(self.at..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(word) => {
                self.bits |= u64::from_le_bytes(*word) << self.have;
                self.at += ((63 - self.have) >> 3) as usize;
                self.have |= FILLED;
            }
            None => self.refill_at_end(),
        }
    }

    #[cold]
    fn refill_at_end(&mut self) {
        // Bits that are there twice over.
        self.bits &= (1 << self.have) - 1;
        while self.have < FILLED {
            match self.all.get(self.at) {
                Some(byte) => {
                    self.bits |= u64::from(*byte) << self.have;
                    self.at += 1;
                }
                None => self.phantom += 8,
            }
            self.have += 8;
        }
    }

    #[inline(always)]
    fn consume(&mut self, count: u32) {
        self.bits >>= count;
        self.have -= count;
    }

    /// Takes the next bits; no more than a refill has made available.
    fn take(&mut self, count: u32) -> u32 {
        let bits = self.bits & ((1 << count) - 1);
        self.consume(count);
        bits as u32
    }

    /// Returns whether bits were taken that are not there.
    fn is_overrun(&self) -> bool {
        self.have < self.phantom
    }

    /// Goes on at the next byte.
    fn align(&mut self) -> Result<(), Broken> {
        if self.is_overrun() {
            return Err(Broken);
        }
        self.at -= ((self.have - self.phantom) / 8) as usize;
        (self.bits, self.have, self.phantom) = (0, 0, 0);
        Ok(())
    }

    /// Takes whole bytes; the input is to be aligned before.
    fn bytes(&mut self, count: usize) -> Option<&'i [u8]> {
        let bytes = self.all.get(self.at..)?.get(..count)?;
        self.at += count;
        Some(bytes)
    }
}

/// What is decompressed: up to a window of what was handed over, what was not, and room.
struct Output {
    buffer: Box<[u8; ROOM]>,
    at: usize,
    /// Up to here it was handed over.
    given: usize,
    /// So much was handed over since the beginning of the stream, and this is its checksum.
    made: u64,
    sum: u32,
    /// So much there may be.
    end: u64,
}

impl Output {
    fn hand_over(&mut self, take: &mut impl FnMut(&[u8])) -> Result<(), Broken> {
        let piece = self.buffer.get(self.given..self.at).unwrap_or_default();
        self.made += piece.len() as u64;
        if self.made > self.end {
            return Err(Broken);
        }
        self.sum = adler32(self.sum, piece);
        take(piece);
        let keep = self.at.saturating_sub(WINDOW);
        self.buffer.copy_within(keep..self.at, 0);
        self.at -= keep;
        self.given = self.at;
        Ok(())
    }

    /// Returns what was handed over last.
    fn window(&self) -> &[u8] {
        self.buffer.get(..self.given).unwrap_or_default()
    }

    /// Copies a block that is not compressed.
    fn stored(&mut self, input: &mut Input<'_>, take: &mut impl FnMut(&[u8])) -> Result<(), Broken> {
        input.align()?;
        let lengths = input.bytes(4).ok_or(Broken)?;
        let (lengths, _) = lengths.as_chunks::<2>();
        let [length, inverse] = *lengths else { return Err(Broken) };
        let length = u16::from_le_bytes(length);
        if length != !u16::from_le_bytes(inverse) {
            return Err(Broken);
        }
        let mut rest = input.bytes(usize::from(length)).ok_or(Broken)?;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(WINDOW + PIECE - self.at));
            let to = self.buffer.get_mut(self.at..self.at + now.len()).ok_or(Broken)?;
            to.copy_from_slice(now);
            self.at += now.len();
            rest = later;
            if self.at == WINDOW + PIECE {
                self.hand_over(take)?;
            }
        }
        Ok(())
    }

    /// Decodes a block of literals and matches.
    fn compressed(
        &mut self,
        input: &mut Input<'_>,
        tables: &Tables,
        take: &mut impl FnMut(&[u8]),
    ) -> Result<(), Broken> {
        loop {
            let ended = decode(input, tables, &mut self.buffer, &mut self.at)?;
            if input.is_overrun() {
                return Err(Broken);
            }
            if self.at >= WINDOW + PIECE {
                self.hand_over(take)?;
            }
            if ended {
                return Ok(());
            }
        }
    }
}

/// Decodes until the block ends (`true`) or the buffer is full but for its slack (`false`).
fn decode(
    input: &mut Input<'_>,
    tables: &Tables,
    buffer: &mut [u8; ROOM],
    position: &mut usize,
) -> Result<bool, Broken> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi1") && std::arch::is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has what the function needs.
        #[expect(unsafe_code, reason = "as said")]
        return unsafe { decode_bmi2(input, tables, buffer, position) };
    }
    decode_with(input, tables, buffer, position)
}

/// Decodes on processors that shift by a variable count in one step.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2")]
fn decode_bmi2(
    input: &mut Input<'_>,
    tables: &Tables,
    buffer: &mut [u8; ROOM],
    position: &mut usize,
) -> Result<bool, Broken> {
    decode_with(input, tables, buffer, position)
}

#[inline(always)]
fn decode_with(
    input: &mut Input<'_>,
    tables: &Tables,
    buffer: &mut [u8; ROOM],
    position: &mut usize,
) -> Result<bool, Broken> {
    // In registers.
    let Input { all, mut at, mut bits, mut have, mut phantom } = *input;
    let mut to = *position;
    let mut ended = false;
    macro_rules! refill {
        () => {
            if let Some(word) = all.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
                bits |= u64::from_le_bytes(*word) << have;
                at += ((63 - have) >> 3) as usize;
                have |= FILLED;
            } else {
                let mut end = Input { all, at, bits, have, phantom };
                end.refill_at_end();
                Input { at, bits, have, phantom, .. } = end;
            }
        };
    }
    macro_rules! consume {
        ($count:expr) => {
            let count = $count & 63;
            bits >>= count;
            have = have.wrapping_sub(count);
        };
    }
    macro_rules! literals {
        ($entry:expr) => {
            let pair = (($entry >> 8) as u16).to_le_bytes();
            *buffer.get_mut(to..).and_then(|rest| rest.first_chunk_mut::<2>()).ok_or(Broken)? = pair;
            to += (($entry >> 24) & 3) as usize;
            consume!($entry);
        };
    }
    refill!();
    let mut entry = tables.literal(bits);
    while to < WINDOW + PIECE {
        // Three lookups take no more bits than a refill brings.
        if entry & LITERAL != 0 {
            literals!(entry);
            entry = tables.literal(bits);
            if entry & LITERAL != 0 {
                literals!(entry);
                entry = tables.literal(bits);
                if entry & LITERAL != 0 {
                    literals!(entry);
                    refill!();
                    entry = tables.literal(bits);
                    continue;
                }
            }
            refill!();
        }
        if entry & SPECIAL != 0 {
            if entry & SUBTABLE != 0 {
                entry = tables.literal_below(entry, bits);
            }
            if entry & LITERAL != 0 {
                literals!(entry);
                refill!();
                entry = tables.literal(bits);
                continue;
            }
            if entry & SPECIAL != 0 {
                if entry & END == 0 {
                    return Err(Broken);
                }
                consume!(entry);
                ended = true;
                break;
            }
        }
        let length = value_of(entry, bits);
        consume!(entry);
        let mut far = tables.distance(bits);
        if far & SPECIAL != 0 {
            if far & SUBTABLE != 0 {
                far = tables.distance_below(far, bits);
            }
            if far & SPECIAL != 0 {
                return Err(Broken);
            }
        }
        let distance = value_of(far, bits);
        consume!(far);
        // What comes next is looked up while this is being copied.
        refill!();
        entry = tables.literal(bits);
        copy(buffer, to, distance, length).ok_or(Broken)?;
        to += length;
    }
    *input = Input { all, at, bits, have, phantom };
    *position = to;
    Ok(ended)
}

/// Copies a match. Behind it there is room for some more.
#[inline(always)]
fn copy(buffer: &mut [u8; ROOM], to: usize, distance: usize, length: usize) -> Option<()> {
    let (mut from, mut at, end) = (to.checked_sub(distance)?, to, to + length);
    if distance >= 16 {
        // Most are no longer than two words.
        words::<16>(buffer, from, at)?;
        words::<16>(buffer, from + 16, at + 16)?;
        while at + 32 < end {
            (from, at) = (from + 16, at + 16);
            words::<16>(buffer, from + 16, at + 16)?;
        }
    } else if distance == 1 {
        let byte = *buffer.get(from)?;
        buffer.get_mut(at..end)?.fill(byte);
    } else {
        // What is copied too far each time is written again.
        let step = distance.min(8);
        while at < end {
            words::<8>(buffer, from, at)?;
            (from, at) = (from + step, at + step);
        }
    }
    Some(())
}

#[inline(always)]
fn words<const N: usize>(buffer: &mut [u8; ROOM], from: usize, to: usize) -> Option<()> {
    let word = *buffer.get(from..)?.first_chunk::<N>()?;
    *buffer.get_mut(to..)?.first_chunk_mut::<N>()? = word;
    Some(())
}

#[cfg(test)]
mod tests;
