//! How much a vector instruction reads: by its map, its opcode, and the prefix that selects it (0: none, 1: 66, 2: F3, 3:
//! F2).
//!
//! Most read a whole register or, in the encoding EVEX, one element for all. Where something is listed that is no
//! instruction, nothing comes of it.

/// The size of an element, by the bit W.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// 4 bytes, or 8.
    Word,
    /// 1 byte, or 2.
    Small,
    /// So many.
    Bytes(u32),
}

impl Element {
    pub fn of(self, wide: bool) -> u32 {
        match (self, wide) {
            (Word, false) => 4,
            (Word, true) => 8,
            (Element::Small, false) => 1,
            (Element::Small, true) => 2,
            (Element::Bytes(bytes), _) => bytes,
        }
    }
}

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A whole register.
    Whole(Element),
    /// The register's length divided by this.
    Part(u32, Element),
    /// So many bytes.
    Bytes(u32),
    /// So many bytes, and so many if the bit W is set.
    Sized(u32, u32),
    /// By how much is shifted: the low 16 bytes of a register.
    Count,
    /// `movddup`: 8 bytes for the shortest register, else all.
    Doubled,
    /// A whole register, of which a mask in another says what is read.
    Masked,
    /// As many elements of this size as a mask names.
    Expanded(Element),
}

use Element::Word;
use Form::{Bytes, Count, Doubled, Expanded, Masked, Part, Sized, Whole};

impl Form {
    /// One number of the size that the bit W says.
    pub const WORD: Form = Sized(4, 8);

    /// Returns how many bytes that is, of a register of `whole` bytes.
    pub fn length(self, whole: u32, wide: bool) -> u32 {
        match self {
            Whole(_) | Masked | Expanded(_) => whole,
            Part(divisor, _) => whole / divisor,
            Bytes(bytes) => bytes,
            Sized(narrow, _) if !wide => narrow,
            Sized(_, bytes) => bytes,
            Count => 16,
            Doubled if whole == 16 => 8,
            Doubled => whole,
        }
    }

    /// Returns the element that is read for all.
    pub fn element(self, wide: bool) -> u32 {
        match self {
            Whole(element) | Part(_, element) => element.of(wide),
            form => form.length(16, wide),
        }
    }

    /// Reads this off an instruction in the legacy encoding, or in VEX.
    pub fn of(map: u8, opcode: u8, kind: u8, is_vex: bool) -> Option<Form> {
        match map {
            1 => in_0f(opcode, kind, is_vex),
            2 => in_0f38(opcode, kind, is_vex),
            _ => in_0f3a(opcode),
        }
    }

    /// Reads this off an instruction in EVEX.
    pub fn of_evex(map: u8, opcode: u8, kind: u8, wide: bool) -> Option<Form> {
        match map {
            1 => evex_0f(opcode, kind, wide),
            2 => evex_0f38(opcode, kind),
            3 => evex_0f3a(opcode, kind),
            5 => evex_5(opcode, kind),
            _ => evex_6(opcode, kind),
        }
    }
}

const WHOLE: Form = Whole(Word);

/// Returns the form of packed numbers, or of one: of 4 bytes with F3, of 8 with F2.
fn numbers(kind: u8) -> Form {
    match kind {
        2 => Bytes(4),
        3 => Bytes(8),
        _ => WHOLE,
    }
}

/// Opcodes that follow 0F.
fn in_0f(opcode: u8, kind: u8, is_vex: bool) -> Option<Form> {
    Some(match (opcode, kind) {
        (0x10, _) | (0x51 | 0x58 | 0x59 | 0x5c..=0x5f | 0xc2, _) => numbers(kind),
        (0x12, 0 | 1) | (0x16, 0 | 1) | (0x7e, 2) => Bytes(8),
        (0x12, 3) => Doubled,
        (0x12 | 0x16, 2) | (0x14 | 0x15 | 0x28 | 0x54..=0x57 | 0xc6, 0 | 1) => WHOLE,
        (0x2a, 0 | 1) if !is_vex => Bytes(8),
        (0x2a, 2 | 3) => Form::WORD,
        (0x2c | 0x2d, 0) if !is_vex => Bytes(8),
        (0x2c | 0x2d, 1) if !is_vex => WHOLE,
        (0x2c | 0x2d, 2) | (0x2e | 0x2f, 0) => Bytes(4),
        (0x2c | 0x2d, 3) | (0x2e | 0x2f, 1) => Bytes(8),
        (0x52 | 0x53, 0 | 2) => numbers(kind),
        (0x5a, 0) => Part(2, Element::Bytes(4)),
        (0x5a, _) => numbers(kind),
        (0x5b, 0..=2) => WHOLE,
        (0x6e, 0 | 1) => Form::WORD,
        (0x60..=0x6b, 0 | 1) | (0x6c | 0x6d, 1) | (0x6f, 0..=2) | (0x70, _) | (0x74..=0x76, 0 | 1) => WHOLE,
        (0x7c | 0x7d | 0xd0, 1 | 3) | (0xf0, 3) => WHOLE,
        (0xc4, 0 | 1) => Bytes(2),
        (0xd1..=0xd3 | 0xe1 | 0xe2 | 0xf1..=0xf3, 0 | 1) => Count,
        (0xe6, 2) => Part(2, Word),
        (0xe6, 1 | 3) => WHOLE,
        (0xd6 | 0xd7 | 0xe7 | 0xf0 | 0xf7 | 0xff, _) => return None,
        (0xd4..=0xfe, 0 | 1) => WHOLE,
        _ => return None,
    })
}

/// Extensions of packed numbers, by the last three bits of their opcodes.
fn extended(opcode: u8) -> Option<Form> {
    let divisor = *[2, 4, 8, 2, 4, 2].get(usize::from(opcode & 7))?;
    Some(Part(divisor, Word))
}

/// Opcodes that follow 0F 38.
fn in_0f38(opcode: u8, kind: u8, is_vex: bool) -> Option<Form> {
    Some(match (opcode, kind) {
        (0x13, 1) if is_vex => Part(2, Word),
        (0x00..=0x0f | 0x16 | 0x17 | 0x1c..=0x1e, _) => WHOLE,
        (0x10 | 0x14 | 0x15, 1) if !is_vex => WHOLE,
        (0x18 | 0x58, 1) => Bytes(4),
        (0x19 | 0x59, 1) => Bytes(8),
        (0x1a | 0x5a | 0x41, 1) => Bytes(16),
        (0x20..=0x25 | 0x30..=0x35, 1) => return extended(opcode),
        (0x2c | 0x2d | 0x8c, 1) if is_vex => Masked,
        (0x2e | 0x2f | 0x8e, _) => return None,
        (0x28..=0x2b | 0x36..=0x40 | 0x45..=0x47, 1) => WHOLE,
        (0x50..=0x53 | 0xd2 | 0xd3, _) if is_vex => WHOLE,
        (0x72, 2) => WHOLE,
        (0x78, 1) => Bytes(1),
        (0x79, 1) => Bytes(2),
        (0x99 | 0x9b | 0x9d | 0x9f | 0xa9 | 0xab | 0xad | 0xaf | 0xb9 | 0xbb | 0xbd | 0xbf, 1) if is_vex => Form::WORD,
        (0x96..=0x9f | 0xa6..=0xaf | 0xb4..=0xbf, 1) if is_vex => WHOLE,
        (0xb0, _) if is_vex => WHOLE,
        (0xb1, 1 | 2) if is_vex => Bytes(2),
        (0xc8..=0xcd, 0) if !is_vex => WHOLE,
        (0xcf, 1) | (0xdb..=0xdf, 1) => WHOLE,
        (0xda, 0 | 1) if is_vex => Bytes(16),
        (0xda, 2 | 3) if is_vex => WHOLE,
        _ => return None,
    })
}

/// Opcodes that follow 0F 3A.
fn in_0f3a(opcode: u8) -> Option<Form> {
    Some(match opcode {
        0x0a => Bytes(4),
        0x0b => Bytes(8),
        0x00..=0x0f | 0x40 | 0x42 | 0x44 | 0x46 | 0x4a..=0x4c | 0xcc | 0xce | 0xcf => WHOLE,
        0x18 | 0x38 | 0x41 | 0x60..=0x63 | 0xde | 0xdf => Bytes(16),
        0x20 => Bytes(1),
        0x21 => Bytes(4),
        0x22 => Form::WORD,
        _ => return None,
    })
}

/// Opcodes of EVEX that follow 0F.
fn evex_0f(opcode: u8, kind: u8, wide: bool) -> Option<Form> {
    let half = |is_half: bool| if is_half { Part(2, Element::Bytes(4)) } else { WHOLE };
    Some(match (opcode, kind) {
        (0x71..=0x73, 1) => WHOLE,
        (0x78 | 0x79, 0) => WHOLE,
        (0x78..=0x7b, 1) | (0x7a, 2) => half(!wide),
        (0x78 | 0x79, 2) => Bytes(4),
        (0x78 | 0x79, 3) => Bytes(8),
        (0x7a, 3) => WHOLE,
        (0x7b, 2 | 3) => Form::WORD,
        (0x6f, 1..=3) => WHOLE,
        (0xe6, 2) => half(!wide),
        _ => return in_0f(opcode, kind, true),
    })
}

/// Opcodes of EVEX that follow 0F 38.
fn evex_0f38(opcode: u8, kind: u8) -> Option<Form> {
    Some(match (opcode, kind) {
        (0x13, 1) => Part(2, Word),
        (0x10..=0x15, 1) => WHOLE,
        (0x19, 1) | (0x59, 1) => Bytes(8),
        (0x18 | 0x58, 1) => Bytes(4),
        (0x1a | 0x5a, 1) => Bytes(16),
        (0x1b | 0x5b, 1) => Bytes(32),
        (0x20..=0x25 | 0x30..=0x35, 1) => return extended(opcode),
        (0x26 | 0x27, 1 | 2) => WHOLE,
        (0x2d | 0x43 | 0x4d | 0x4f | 0xcb | 0xcd, 1) => Form::WORD,
        (0x9a | 0xaa, 3) | (0x9b | 0xab, 3) | (0x52 | 0x53, 3) => Bytes(16),
        (0x99 | 0x9b | 0x9d | 0x9f | 0xa9 | 0xab | 0xad | 0xaf | 0xb9 | 0xbb | 0xbd | 0xbf, 1) => Form::WORD,
        (0x52, 2) | (0x72, 2 | 3) | (0x68, 3) => WHOLE,
        (0x62, 1) => Expanded(Element::Small),
        (0x88 | 0x89, 1) => Expanded(Word),
        (0x63 | 0x8a | 0x8b | 0x90..=0x93 | 0xa0..=0xa3 | 0xc6 | 0xc7 | 0x7a..=0x7c, _) => return None,
        (0x78, 1) => Bytes(1),
        (0x79, 1) => Bytes(2),
        (_, 1) => WHOLE,
        _ => return None,
    })
}

/// Opcodes of EVEX that follow 0F 3A.
fn evex_0f3a(opcode: u8, kind: u8) -> Option<Form> {
    let is_half = kind == 0;
    let packed = if is_half { Whole(Element::Bytes(2)) } else { WHOLE };
    let scalar = if is_half { Bytes(2) } else { Form::WORD };
    Some(match opcode {
        0x08 | 0x26 | 0x56 | 0x66 => packed,
        0x0a | 0x27 | 0x57 | 0x67 if is_half => Bytes(2),
        0x0a => Bytes(4),
        0x0b => Bytes(8),
        0x27 | 0x51 | 0x55 | 0x57 | 0x67 => scalar,
        0x14..=0x17 | 0x19 | 0x1b | 0x1d | 0x39 | 0x3b => return None,
        0x18 | 0x38 => Bytes(16),
        0x1a | 0x3a => Bytes(32),
        0x20 => Bytes(1),
        0x21 => Bytes(4),
        0x22 => Form::WORD,
        0xc2 if kind == 2 => Bytes(2),
        0xc2 => Whole(Element::Bytes(2)),
        _ => WHOLE,
    })
}

const HALVES: Form = Whole(Element::Bytes(2));

/// Opcodes of the fifth map: numbers of 2 bytes.
fn evex_5(opcode: u8, kind: u8) -> Option<Form> {
    Some(match (opcode, kind) {
        (0x10, 2) | (0x2c | 0x2d, 2) | (0x2e | 0x2f, 0) | (0x78 | 0x79, 2) | (0x6e, 1) => Bytes(2),
        (0x51 | 0x58 | 0x59 | 0x5c..=0x5f, 0) => HALVES,
        (0x51 | 0x58 | 0x59 | 0x5c..=0x5f, 2) => Bytes(2),
        (0x1d, 0) => Bytes(4),
        (0x1d, 1) => WHOLE,
        (0x2a | 0x7b, 2) => Form::WORD,
        (0x5a, 0) => Part(4, Element::Bytes(2)),
        (0x5a, 1) => Whole(Element::Bytes(8)),
        (0x5a, 2) => Bytes(2),
        (0x5a, 3) => Bytes(8),
        (0x5b, 0) | (0x7a, 3) => WHOLE,
        (0x5b, 1 | 2) | (0x78 | 0x79, 0) => Part(2, Element::Bytes(2)),
        (0x78..=0x7b, 1) => Part(4, Element::Bytes(2)),
        (0x7c, 0 | 1) | (0x7d, _) => HALVES,
        _ => return None,
    })
}

/// Opcodes of the sixth map: the same, as those that follow 0F 38.
fn evex_6(opcode: u8, kind: u8) -> Option<Form> {
    Some(match (opcode, kind) {
        (0x13, 0) => Bytes(2),
        (0x13, 1) => Part(2, Element::Bytes(2)),
        (0x56 | 0xd6, 2 | 3) => Whole(Element::Bytes(4)),
        (0x57 | 0xd7, 2 | 3) => Bytes(4),
        (0x2d | 0x43 | 0x4d | 0x4f, 1) => Bytes(2),
        (0x99 | 0x9b | 0x9d | 0x9f | 0xa9 | 0xab | 0xad | 0xaf | 0xb9 | 0xbb | 0xbd | 0xbf, 1) => Bytes(2),
        (_, 1) => HALVES,
        _ => return None,
    })
}
