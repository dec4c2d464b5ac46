//! Large zlib streams (RFC 1950, RFC 1951) unpacked piece by piece, at about twice the speed of general libraries: all of
//! the input is in memory and the output has a buffer that stays in the processor's cache, so that the inner loop needs to
//! look neither for the end of the one nor of the other. What is small goes to `object` instead.

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
pub(super) struct Broken;

/// A place between two blocks, from which unpacking can go on with the window before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    /// In the unpacked bytes.
    pub(super) output: u64,
    /// In the bits of the stream.
    pub(super) input: u64,
    /// The checksum (RFC 1950 section 8.2) of what is before it.
    pub(super) sum: u32,
}

/// Unpacks a stream, or a part of it.
pub(super) struct Inflater<'i> {
    input: Input<'i>,
    output: Output,
    tables: Box<Tables>,
}

impl<'i> Inflater<'i> {
    /// Of a stream that should expand to `size` bytes.
    pub(super) fn new(data: &'i [u8], size: u64) -> Result<Self, Broken> {
        let head = data.first_chunk::<2>().ok_or(Broken)?;
        // Deflate, a window of no more than 32 KiB, no dictionary.
        if head[0] & 0x0f != 8 || head[0] >> 4 > 7 || head[1] & 0x20 != 0 || u16::from_be_bytes(*head) % 31 != 0 {
            return Err(Broken);
        }
        Self::resume(data, Point { output: 0, input: 16, sum: 1 }, &[], size)
    }

    /// Of a part that begins at a point, behind this window, and has so many bytes.
    pub(super) fn resume(data: &'i [u8], point: Point, window: &[u8], size: u64) -> Result<Self, Broken> {
        let at = usize::try_from(point.input / 8).map_err(|_| Broken)?;
        let mut input = Input { all: data, at, bits: 0, have: 0, phantom: 0 };
        input.refill();
        input.consume((point.input % 8) as u32);
        let mut buffer: Box<[u8; ROOM]> = vec![0; ROOM].try_into().map_err(|_| Broken)?;
        let window = window.get(window.len().saturating_sub(WINDOW)..).unwrap_or_default();
        buffer.get_mut(..window.len()).ok_or(Broken)?.copy_from_slice(window);
        let (at, made) = (window.len(), point.output);
        let output = Output { buffer, at, given: at, made, end: made.saturating_add(size), sum: point.sum };
        let tables = Box::new(Tables { literals: [0; LITERALS], distances: [0; DISTANCES] });
        Ok(Self { input, output, tables })
    }

    /// Unpacks a block. Calls `take` with pieces of it, and those of blocks before. `false`: it was the last one.
    pub(super) fn block(&mut self, take: &mut impl FnMut(&[u8])) -> Result<bool, Broken> {
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
    pub(super) fn flush(&mut self, take: &mut impl FnMut(&[u8])) -> Result<(), Broken> {
        self.output.hand_over(take)
    }

    /// How many bytes there are before the next block.
    pub(super) fn made(&self) -> u64 {
        self.output.made + (self.output.at - self.output.given) as u64
    }

    /// How much of the stream has been read.
    pub(super) fn read(&self) -> usize {
        self.input.at
    }

    /// Where the next block begins, and the window before it; after a flush.
    pub(super) fn point(&self) -> (Point, &[u8]) {
        let behind = u64::from(self.input.have.saturating_sub(self.input.phantom));
        let input = (self.input.at as u64 * 8).saturating_sub(behind);
        (Point { output: self.output.made, input, sum: self.output.sum }, self.output.window())
    }

    /// Behind the last block, and after a flush: whether this is all, and what was packed.
    pub(super) fn finish(mut self) -> Result<(), Broken> {
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

    /// The next bits; no more than a refill has made available.
    fn take(&mut self, count: u32) -> u32 {
        let bits = self.bits & ((1 << count) - 1);
        self.consume(count);
        bits as u32
    }

    /// Whether bits were taken that are not there.
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

    /// Whole bytes; to be aligned before.
    fn bytes(&mut self, count: usize) -> Option<&'i [u8]> {
        let bytes = self.all.get(self.at..)?.get(..count)?;
        self.at += count;
        Some(bytes)
    }
}

/// What is unpacked: up to a window of what was handed over, what was not, and room.
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

    /// What was handed over last.
    fn window(&self) -> &[u8] {
        self.buffer.get(..self.given).unwrap_or_default()
    }

    /// A block that is not compressed.
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

    /// A block of literals and matches.
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
        #[allow(unsafe_code)]
        return unsafe { decode_bmi2(input, tables, buffer, position) };
    }
    decode_with(input, tables, buffer, position)
}

/// For processors that shift by a variable count in one step.
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

/// The value of a length or distance: its base and the bits behind its code.
#[inline(always)]
fn value_of(entry: u32, bits: u64) -> usize {
    let (all, code) = (entry & 63, entry >> 8 & 15);
    let extra = (bits & ((1 << all) - 1)) >> code;
    (entry >> 12 & 0x7fff) as usize + extra as usize
}

/// Bits that the first table of literals and lengths is looked up by.
const LITERAL_BITS: u32 = 11;
const DISTANCE_BITS: u32 = 9;
/// Room for what is below: of each first part of a code that is too long there are two codes at least, or it is refused.
const LITERALS: usize = 1 << 13;
const DISTANCES: usize = 1 << 11;

/// Entries. All: bits 0 to 5, how many bits to go on by. Literals: bits 8 to 15 and 16 to 23, and how many they are in 24
/// and 25. Lengths and distances: length of the code in bits 8 to 11, base from bit 12 on. Those that lead to another
/// table: the bits that this one is looked up by in bits 0 to 5, its place from bit 8 on. 0 with [`SPECIAL`] is no code.
const LITERAL: u32 = 1 << 31;
const SPECIAL: u32 = 1 << 30;
const SUBTABLE: u32 = 1 << 29;
const END: u32 = 1 << 28;

/// What the codes of a block mean.
struct Tables {
    literals: [u32; LITERALS],
    distances: [u32; DISTANCES],
}

impl Tables {
    #[inline(always)]
    fn literal(&self, bits: u64) -> u32 {
        self.literals[(bits & ((1 << LITERAL_BITS) - 1)) as usize]
    }

    #[inline(always)]
    fn literal_below(&self, entry: u32, bits: u64) -> u32 {
        self.literals[below(entry, bits, LITERAL_BITS) & (LITERALS - 1)]
    }

    #[inline(always)]
    fn distance(&self, bits: u64) -> u32 {
        self.distances[(bits & ((1 << DISTANCE_BITS) - 1)) as usize]
    }

    #[inline(always)]
    fn distance_below(&self, entry: u32, bits: u64) -> u32 {
        self.distances[below(entry, bits, DISTANCE_BITS) & (DISTANCES - 1)]
    }

    /// The codes of RFC 1951 section 3.2.6.
    fn fixed(&mut self) -> Result<(), Broken> {
        let mut lengths = [8; 288];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        self.set(&lengths, &[5; 32])
    }

    /// The codes of section 3.2.7.
    fn read(&mut self, input: &mut Input<'_>) -> Result<(), Broken> {
        const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
        input.refill();
        let (literals, distances) = (input.take(5) as usize + 257, input.take(5) as usize + 1);
        let count = input.take(4) as usize + 4;
        if literals > 286 || distances > 30 {
            return Err(Broken);
        }
        let mut first = [0; 19];
        for symbol in ORDER.into_iter().take(count) {
            input.refill();
            first[symbol] = input.take(3) as u8;
        }
        let mut table = [0; 1 << 7];
        build(&mut table, 7, &first, |symbol| Some((symbol as u32) << 12))?;
        let mut lengths = [0; 286 + 30];
        let mut at = 0;
        while at < literals + distances {
            input.refill();
            let entry = table[(input.bits & 0x7f) as usize];
            if entry & SPECIAL != 0 || input.is_overrun() {
                return Err(Broken);
            }
            let symbol = value_of(entry, input.bits);
            input.consume(entry & 63);
            let before = at.checked_sub(1).and_then(|before| lengths.get(before)).copied();
            let (length, times) = match symbol {
                16 => (before.ok_or(Broken)?, 3 + input.take(2)),
                17 => (0, 3 + input.take(3)),
                18 => (0, 11 + input.take(7)),
                length => (length as u8, 1),
            };
            let end = at + times as usize;
            if end > literals + distances {
                return Err(Broken);
            }
            lengths.get_mut(at..end).ok_or(Broken)?.fill(length);
            at = end;
        }
        let (of_literals, rest) = lengths.split_at(literals);
        // Nothing would end the block.
        if of_literals.get(256).is_none_or(|length| *length == 0) {
            return Err(Broken);
        }
        self.set(of_literals, rest.get(..distances).ok_or(Broken)?)
    }

    fn set(&mut self, literals: &[u8], distances: &[u8]) -> Result<(), Broken> {
        build(&mut self.literals, LITERAL_BITS, literals, |symbol| match symbol {
            0..256 => Some(LITERAL | 1 << 24 | (symbol as u32) << 8),
            256 => Some(SPECIAL | END),
            _ => LENGTHS.get(symbol - 257).map(|(base, extra)| base << 12 | extra),
        })?;
        // Two literals whose codes fit together are looked up at once. From above: what is below is still of one.
        for i in (1..1 << LITERAL_BITS).rev() {
            let first = self.literals[i];
            if first & LITERAL != 0 {
                let second = self.literals[i >> (first & 63)];
                let bits = (first & 63) + (second & 63);
                if second & LITERAL != 0 && bits <= LITERAL_BITS {
                    self.literals[i] = LITERAL | 2 << 24 | (second & 0xff00) << 8 | first & 0xff00 | bits;
                }
            }
        }
        build(&mut self.distances, DISTANCE_BITS, distances, |symbol| {
            DISTANCE_CODES.get(symbol).map(|(base, extra)| base << 12 | extra)
        })
    }
}

fn below(entry: u32, bits: u64, root: u32) -> usize {
    let index = bits >> root & ((1 << (entry & 63)) - 1);
    (entry >> 8 & 0xffff) as usize + index as usize
}

/// Fills a table with the canonical code of these lengths (section 3.2.2). `entry_of`: what a symbol stands for, with the
/// number of bits behind its code.
fn build(table: &mut [u32], root: u32, lengths: &[u8], entry_of: impl Fn(usize) -> Option<u32>) -> Result<(), Broken> {
    let mut counts = [0u32; 16];
    for length in lengths {
        counts[usize::from(length & 15)] += 1;
    }
    counts[0] = 0;
    let (mut next, mut code, mut room) = ([0u32; 16], 0, 1 << 15);
    let mut longest = 0;
    for length in 1..16 {
        code = (code + counts[length - 1]) << 1;
        next[length] = code;
        room -= (counts[length] as i32) << (15 - length);
        if room < 0 {
            return Err(Broken);
        }
        if counts[length] != 0 {
            longest = length as u32;
        }
    }
    // A code that is not complete is allowed if it has one symbol or none.
    if room != 0 && (longest > 1 || counts[1] > 1) {
        return Err(Broken);
    }
    let size = 1usize << root;
    table.get_mut(..size).ok_or(Broken)?.fill(SPECIAL);
    let mut free = size;
    let below = longest.saturating_sub(root);
    for (symbol, length) in lengths.iter().enumerate().filter(|(_, length)| **length != 0) {
        let length = u32::from(length & 15);
        let code = next[length as usize];
        next[length as usize] += 1;
        let reversed = (code.reverse_bits() >> (32 - length)) as usize;
        let entry = entry_of(symbol).map_or(SPECIAL, |entry| entry + length);
        // Lengths and distances know the length of their code.
        let entry = if entry & (LITERAL | SPECIAL) == 0 { entry | length << 8 } else { entry };
        if length <= root {
            table
                .get_mut(..size)
                .ok_or(Broken)?
                .iter_mut()
                .skip(reversed)
                .step_by(1 << length)
                .for_each(|e| *e = entry);
            continue;
        }
        let first = table.get_mut(reversed & (size - 1)).ok_or(Broken)?;
        if *first & SUBTABLE == 0 {
            *first = SPECIAL | SUBTABLE | (free as u32) << 8 | below;
            free += 1 << below;
        }
        let start = (*first >> 8 & 0xffff) as usize;
        let part = table.get_mut(start..start + (1 << below)).ok_or(Broken)?;
        part.iter_mut().skip(reversed >> root).step_by(1 << (length - root)).for_each(|e| *e = entry);
    }
    Ok(())
}

/// Base and number of further bits of the lengths from symbol 257 on (section 3.2.5).
const LENGTHS: [(u32, u32); 29] = {
    let mut table = [(0, 0); 29];
    let (mut base, mut i) = (3, 0);
    while i < 28 {
        let extra = if i < 8 { 0 } else { (i as u32 - 4) / 4 };
        table[i] = (base, extra);
        base += 1 << extra;
        i += 1;
    }
    table[28] = (258, 0);
    table
};

/// The same of the distances.
const DISTANCE_CODES: [(u32, u32); 30] = {
    let mut table = [(0, 0); 30];
    let (mut base, mut i) = (1, 0);
    while i < 30 {
        let extra = if i < 4 { 0 } else { (i as u32 - 2) / 2 };
        table[i] = (base, extra);
        base += 1 << extra;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests;
