//! Stores of vector registers of which a register says which elements are written: a register of masks, or the highest
//! bits of the elements of another vector.
//!
//! What is written is told even if the same was there before: `memset` of a few bytes is such a store.

use super::super::extended::Extended;
use super::insn::{Encoding, Insn};

/// What says which elements are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mask {
    /// Nothing: all are.
    All,
    /// The register of masks of this number.
    Opmask(u8),
    /// The highest bits of the elements of this vector register.
    Signs(u8),
    /// Those of this register of MMX.
    Mmx(u8),
}

/// Where the elements are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Each in its place.
    Spread,
    /// Those that are written one behind the other.
    Packed,
    /// Where the numbers of this vector register say, which are of so many bytes, multiplied.
    Scattered { indices: u8, size: u32, scale: i64 },
}

/// A store of some elements of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskedStore {
    pub mask: Mask,
    /// Bytes of an element.
    pub element: u32,
    /// How many elements there are.
    pub count: u32,
    pub layout: Layout,
}

impl MaskedStore {
    /// Returns how far from where the operand leads each element is that is written. `None` if the registers are not
    /// known.
    pub fn offsets(&self, registers: &Extended) -> Option<Vec<i64>> {
        let chosen = (0..self.count).map(|number| Some((number, self.chooses(number, registers)?)));
        let chosen: Option<Vec<(u32, bool)>> = chosen.collect();
        let written = chosen?.into_iter().filter(|(_, is_chosen)| *is_chosen).map(|(number, _)| number);
        let place = |number: u32| i64::from(number * self.element);
        match self.layout {
            Layout::Spread => Some(written.map(place).collect()),
            Layout::Packed => Some((0..written.count() as u32).map(place).collect()),
            Layout::Scattered { indices, size, scale } => {
                let index = |number| Some(registers.signed(indices, number, size)?.wrapping_mul(scale));
                written.map(index).collect()
            }
        }
    }

    /// Whether the element of this number is written.
    fn chooses(&self, number: u32, registers: &Extended) -> Option<bool> {
        let last = (number + 1) * self.element - 1;
        let is_negative = |byte: u8| byte & 0x80 != 0;
        match self.mask {
            Mask::All => Some(true),
            Mask::Opmask(register) => registers.opmask(register).map(|mask| mask >> number & 1 != 0),
            Mask::Signs(register) => registers.vector_byte(register, last).map(is_negative),
            Mask::Mmx(register) => registers.mmx(register)?.get(last as usize).copied().map(is_negative),
        }
    }
}

impl Insn {
    /// Returns which elements a store writes, if a register may say that; `code` begins with it.
    pub fn masked_store(&self, code: &[u8]) -> Option<MaskedStore> {
        let written = self.write(code).filter(|write| !write.is_whole)?;
        match self.encoding {
            Encoding::Evex => self.evex_masked_store(code, written.length),
            Encoding::Legacy if (self.map, self.opcode) == (1, 0xf7) => Some(self.bytes_by_signs(code, written.length)),
            Encoding::Legacy => None,
            Encoding::Vex2 | Encoding::Vex3 => self.vex_masked_store(code, written.length),
        }
    }

    /// Decodes `maskmovq` and `maskmovdqu`.
    fn bytes_by_signs(&self, code: &[u8], length: u32) -> MaskedStore {
        let rm = self.modrm.map_or(0, |(_, modrm)| modrm & 7);
        let [extended, _] = self.extensions(code);
        let mask = if length == 8 { Mask::Mmx(rm) } else { Mask::Signs(rm | extended) };
        MaskedStore { mask, element: 1, count: length, layout: Layout::Spread }
    }

    fn vex_masked_store(&self, code: &[u8], length: u32) -> Option<MaskedStore> {
        let is_wide = self.encoding == Encoding::Vex3 && code.get(usize::from(self.encoding_at) + 2)? & 0x80 != 0;
        let element = match (self.map, self.opcode) {
            (1, 0xf7) => return Some(self.bytes_by_signs(code, length)),
            (2, 0x2e) => 4,
            (2, 0x2f) => 8,
            (2, 0x8e) if is_wide => 8,
            (2, 0x8e) => 4,
            _ => return None,
        };
        Some(MaskedStore { mask: Mask::Signs(self.vvvv), element, count: length / element, layout: Layout::Spread })
    }

    fn evex_masked_store(&self, code: &[u8], length: u32) -> Option<MaskedStore> {
        let at = usize::from(self.encoding_at);
        let (second, third) = (*code.get(at + 2)?, *code.get(at + 3)?);
        let (is_wide, kind) = (second & 0x80 != 0, second & 3);
        let word = if is_wide { 8 } else { 4 };
        let small = if is_wide { 2 } else { 1 };
        let element = match (self.map, self.opcode) {
            (1, 0x11) if kind >= 2 => length,
            (1, 0x7f) if kind == 3 => small,
            (1, 0x11 | 0x29 | 0x7f) => word,
            (2, opcode @ (0x10..=0x15 | 0x20..=0x25 | 0x30..=0x35)) => {
                *[1, 1, 1, 2, 2, 4].get(usize::from(opcode & 7))?
            }
            (2, 0x63) => small,
            (2, 0x8a | 0x8b | 0xa0..=0xa3) => word,
            (3, 0x19 | 0x1b | 0x39 | 0x3b) => word,
            (3, 0x1d) | (5, 0x11) => 2,
            _ => return None,
        };
        let mask = if third & 7 == 0 { Mask::All } else { Mask::Opmask(third & 7) };
        let whole = 16 << (third >> 5 & 3).min(2);
        let (count, layout) = match (self.map, self.opcode) {
            (2, 0x63 | 0x8a | 0x8b) => (length / element, Layout::Packed),
            (2, 0xa0..=0xa3) => {
                let size = if self.opcode & 1 == 0 { 4 } else { 8 };
                (whole / element.max(size), self.scattered(code, third, size)?)
            }
            _ => (length / element, Layout::Spread),
        };
        Some(MaskedStore { mask, element, count, layout })
    }

    /// Reads which vector has the indices, of so many bytes each.
    fn scattered(&self, code: &[u8], third: u8, size: u32) -> Option<Layout> {
        let (at, modrm) = self.modrm.filter(|_| self.has_memory())?;
        let sib = *code.get(usize::from(at) + 1).filter(|_| modrm & 7 == 4)?;
        let [_, extended] = self.extensions(code);
        // The highest bit is inverted.
        let highest = if third & 8 == 0 { 16 } else { 0 };
        Some(Layout::Scattered { indices: sib >> 3 & 7 | extended | highest, size, scale: 1 << (sib >> 6) })
    }
}
