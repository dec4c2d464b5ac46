//! What the codes of a block mean (RFC 1951 section 3.2), as tables that the next bits are looked up in.

use super::{Broken, Input};

/// Decodes the value of a length or distance: its base and the bits behind its code.
#[inline(always)]
pub(crate) fn value_of(entry: u32, bits: u64) -> usize {
    let (all, code) = (entry & 63, entry >> 8 & 15);
    let extra = (bits & ((1 << all) - 1)) >> code;
    (entry >> 12 & 0x7fff) as usize + extra as usize
}

/// Bits that the first table of literals and lengths is looked up by.
const LITERAL_BITS: u32 = 11;
const DISTANCE_BITS: u32 = 9;
/// Room for what is below: of each first part of a code that is too long there are two codes at least, or it is
/// refused.
const LITERALS: usize = 1 << 13;
const DISTANCES: usize = 1 << 11;

/// Entries. All: bits 0 to 5, how many bits to go on by. Literals: bits 8 to 15 and 16 to 23, and how many they are in
/// 24 and 25. Lengths and distances: length of the code in bits 8 to 11, base from bit 12 on. Those that lead to
/// another table: the bits that this one is looked up by in bits 0 to 5, its place from bit 8 on. 0 with [`SPECIAL`] is
/// no code.
pub(crate) const LITERAL: u32 = 1 << 31;
pub(crate) const SPECIAL: u32 = 1 << 30;
pub(crate) const SUBTABLE: u32 = 1 << 29;
pub(crate) const END: u32 = 1 << 28;

/// What the codes of a block mean.
pub(crate) struct Tables {
    literals: [u32; LITERALS],
    distances: [u32; DISTANCES],
}

impl Default for Tables {
    fn default() -> Self {
        Self { literals: [0; LITERALS], distances: [0; DISTANCES] }
    }
}

impl Tables {
    #[inline(always)]
    pub(crate) fn literal(&self, bits: u64) -> u32 {
        self.literals[(bits & ((1 << LITERAL_BITS) - 1)) as usize]
    }

    #[inline(always)]
    pub(crate) fn literal_below(&self, entry: u32, bits: u64) -> u32 {
        self.literals[below(entry, bits, LITERAL_BITS) & (LITERALS - 1)]
    }

    #[inline(always)]
    pub(crate) fn distance(&self, bits: u64) -> u32 {
        self.distances[(bits & ((1 << DISTANCE_BITS) - 1)) as usize]
    }

    #[inline(always)]
    pub(crate) fn distance_below(&self, entry: u32, bits: u64) -> u32 {
        self.distances[below(entry, bits, DISTANCE_BITS) & (DISTANCES - 1)]
    }

    /// Builds the fixed codes of RFC 1951 section 3.2.6.
    pub(crate) fn fixed(&mut self) -> Result<(), Broken> {
        let mut lengths = [8; 288];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        self.set(&lengths, &[5; 32])
    }

    /// Reads the dynamic codes of section 3.2.7.
    pub(crate) fn read(&mut self, input: &mut Input<'_>) -> Result<(), Broken> {
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

/// Fills a table with the canonical code of these lengths (section 3.2.2). `entry_of`: what a symbol stands for, with
/// the number of bits behind its code.
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
