//! What an instruction writes to memory: where, and how many bytes. What it reads is told by [`reads`](super::reads).
//!
//! The tests compare this with what a disassembler knows, for all opcodes.

use super::insn::{Encoding, Insn};

/// Where something is written or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The memory operand.
    Operand,
    /// Below the stack pointer.
    Stack,
    /// Where rdi leads; by a repeated instruction for each element.
    Destination,
    /// An address in the instruction.
    Absolute(u64),
    /// The word of the memory operand that has the bit a register names.
    Bit,
    /// A memory operand whose address is made when the stack pointer is already raised.
    Popped,
    /// Where the general register of this number in the encoding leads, in whole lines of 64 bytes.
    Line(u8),
    /// Where the frame of `enter` is made.
    Frame,
    /// Where the stack pointer leads.
    Top,
    /// Where rsi leads; by a repeated instruction for each element.
    Source,
    /// Where rbp leads.
    FramePointer,
    /// Where rbx and al lead together.
    Translation,
    /// Anywhere.
    Anywhere,
}

/// What an instruction writes, or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub target: Target,
    /// In bytes; of a repeated instruction, for each element.
    pub length: u32,
    /// All these bytes are; else only some of them.
    pub is_whole: bool,
    /// What a displacement of one byte is multiplied by.
    pub scale: u32,
}

/// No instruction that says how much it writes writes more.
pub const LONGEST: u32 = 108;
/// More than any instruction saves of the extended state.
pub const STATE: u32 = 16 << 10;

impl Access {
    pub fn whole(target: Target, length: u32) -> Option<Access> {
        Some(Access { target, length, is_whole: true, scale: length })
    }

    pub fn some(target: Target, length: u32) -> Option<Access> {
        Some(Access { target, length, is_whole: false, scale: length })
    }
}

impl Insn {
    /// Returns what the instruction writes to memory, if it writes; `code` begins with it.
    pub fn write(&self, code: &[u8]) -> Option<Access> {
        match (self.encoding, self.map) {
            (Encoding::Legacy, 0) => self.one_byte(code),
            (Encoding::Legacy, 1) => self.two_byte(),
            (Encoding::Legacy, 2) => self.legacy_0f38(),
            (Encoding::Evex, _) => self.evex_write(code),
            (Encoding::Vex2 | Encoding::Vex3, _) => self.vex_write(code),
            (Encoding::Legacy, _) => self.extract(u32::from(self.prefixes.wide())),
        }
    }

    /// Returns whether it is a string instruction with a prefix that repeats it.
    pub fn is_repeated(&self) -> bool {
        self.encoding == Encoding::Legacy
            && self.map == 0
            && matches!(self.opcode, 0x6c..=0x6f | 0xa4..=0xa7 | 0xaa..=0xaf)
            && self.prefixes.repeat != 0
    }

    /// Returns whether it is `wrfsbase` or `wrgsbase`.
    pub fn sets_segment(&self) -> bool {
        let is_register = !self.has_memory() && matches!(self.reg(), 2 | 3);
        (self.encoding, self.map, self.opcode) == (Encoding::Legacy, 1, 0xae)
            && is_register
            && self.prefixes.repeat == 0xf3
    }

    /// Returns the size of a general operand.
    pub fn operand_size(&self) -> u32 {
        match (self.prefixes.wide(), self.prefixes.operand_size) {
            (true, _) => 8,
            (false, true) => 2,
            (false, false) => 4,
        }
    }

    /// Returns one byte for even opcodes, an operand for odd ones.
    pub fn size(&self) -> u32 {
        if self.opcode & 1 == 0 { 1 } else { self.operand_size() }
    }

    /// Returns the memory at the address in the instruction.
    pub fn absolute(&self, code: &[u8]) -> Option<Access> {
        let (at, size) = self.immediate;
        let field = code.get(usize::from(at)..usize::from(at) + usize::from(size))?;
        let address = field.iter().rev().fold(0, |address, &byte| address << 8 | u64::from(byte));
        Access::whole(Target::Absolute(address), self.size())
    }

    fn push(&self) -> Option<Access> {
        Access::whole(Target::Stack, if self.prefixes.narrow() { 2 } else { 8 })
    }

    /// Returns `Access::whole` if there is a memory operand.
    fn at_operand(&self, length: u32) -> Option<Access> {
        self.has_memory().then(|| Access::whole(Target::Operand, length)).flatten()
    }

    fn one_byte(&self, code: &[u8]) -> Option<Access> {
        let is_reg = |wanted: &[u8]| wanted.contains(&self.reg());
        match self.opcode {
            0x50..=0x57 | 0x68 | 0x6a | 0x9c => self.push(),
            0xe8 => Access::whole(Target::Stack, 8),
            0xff if is_reg(&[6]) => self.push(),
            0xff if is_reg(&[2]) => Access::whole(Target::Stack, 8),
            // A far call pushes two of them.
            0xff if is_reg(&[3]) && self.has_memory() => Access::some(Target::Stack, 16),
            0xc8 => match code.get(usize::from(self.immediate.0) + 2)? & 31 {
                0 => self.push(),
                _ => Access::some(Target::Frame, 0),
            },
            0xa2 | 0xa3 => self.absolute(code),
            0x6c | 0x6d => {
                Access::whole(Target::Destination, if self.opcode == 0x6c { 1 } else { self.operand_size().min(4) })
            }
            0xa4 | 0xa5 | 0xaa | 0xab => Access::whole(Target::Destination, self.size()),
            0x8f if self.has_memory() => Access::whole(Target::Popped, if self.prefixes.narrow() { 2 } else { 8 }),
            opcode @ 0x00..=0x37 if opcode & 7 < 2 => self.at_operand(self.size()),
            0x80 | 0x81 if !is_reg(&[7]) => self.at_operand(self.size()),
            0x83 if !is_reg(&[7]) => self.at_operand(self.operand_size()),
            0x86..=0x89 | 0xc0 | 0xc1 | 0xc6 | 0xc7 | 0xd0..=0xd3 => self.at_operand(self.size()),
            0x8c => self.at_operand(2),
            0xf6 | 0xf7 if is_reg(&[2, 3]) => self.at_operand(self.size()),
            0xfe | 0xff if is_reg(&[0, 1]) => self.at_operand(self.size()),
            0xd8..=0xdf => self.at_operand(self.x87()?),
            _ => None,
        }
    }

    /// Returns the bytes that an instruction of x87 stores.
    fn x87(&self) -> Option<u32> {
        let is_short = self.prefixes.narrow();
        Some(match (self.opcode, self.reg()) {
            (0xd9, 2 | 3) | (0xdb, 1..=3) => 4,
            (0xd9, 6) => {
                if is_short {
                    14
                } else {
                    28
                }
            }
            (0xdd, 1..=3) | (0xdf, 7) => 8,
            (0xdd, 6) => {
                if is_short {
                    94
                } else {
                    108
                }
            }
            (0xdb, 7) | (0xdf, 6) => 10,
            (0xd9 | 0xdd, 7) | (0xdf, 1..=3) => 2,
            _ => return None,
        })
    }

    fn two_byte(&self) -> Option<Access> {
        let (wide, repeat) = (self.prefixes.wide(), self.prefixes.repeat);
        match self.opcode {
            0xa0 | 0xa8 => return self.push(),
            // clzero
            0x01 if self.modrm.is_some_and(|(_, modrm)| modrm == 0xfc) => return Access::whole(Target::Line(0), 64),
            0xf7 if !self.has_memory() => {
                return Access::some(Target::Destination, if self.prefixes.operand_size { 16 } else { 8 });
            }
            _ if !self.has_memory() => return None,
            0xab | 0xb3 | 0xbb => return Access::whole(Target::Bit, self.operand_size()),
            0xae if self.reg() == 0 && repeat == 0 => return Access::some(Target::Operand, 512),
            0xae if matches!(self.reg(), 4 | 6) && repeat == 0 && !self.prefixes.operand_size => {
                return Access::some(Target::Operand, STATE);
            }
            0xc7 if matches!(self.reg(), 4 | 5) => return Access::some(Target::Operand, STATE),
            _ => {}
        }
        let length = match self.opcode {
            0x00 if self.reg() < 2 => 2,
            0x01 if self.reg() < 2 => 10,
            0x01 if self.reg() == 4 => 2,
            0x11 | 0x13 | 0x17 | 0x29 | 0x2b | 0x7e | 0x7f | 0xd6 | 0xe7 => {
                let kind = match repeat {
                    0 => u8::from(self.prefixes.operand_size),
                    0xf3 => 2,
                    _ => 3,
                };
                return self.vector_store(kind, wide, 16);
            }
            0x90..=0x9f | 0xb0 | 0xc0 => 1,
            0xa4 | 0xa5 | 0xac | 0xad | 0xb1 | 0xc1 => self.operand_size(),
            0xba if self.reg() > 4 => self.operand_size(),
            0xae if self.reg() == 3 && repeat == 0 => 4,
            0xc3 => {
                if wide {
                    8
                } else {
                    4
                }
            }
            0xc7 if self.reg() == 1 => {
                if wide {
                    16
                } else {
                    8
                }
            }
            _ => return None,
        };
        self.at_operand(length)
    }

    /// Stores of vector registers in the map of 0F, by the prefix that selects them (none, 66, F3, F2) and how much a
    /// whole register is.
    fn vector_store(&self, kind: u8, wide: bool, whole: u32) -> Option<Access> {
        let is_legacy = self.encoding == Encoding::Legacy;
        let length = match (self.opcode, kind) {
            (0x11, 2) => 4,
            (0x11, 3) | (0x13 | 0x17, 0 | 1) | (0xd6, 1) => 8,
            (0x11 | 0x29 | 0x2b, 0 | 1) | (0xe7, 1) | (0x7f, 1 | 2) => whole,
            // Of SSE4A.
            (0x2b, 2) if is_legacy => 4,
            (0x2b, 3) if is_legacy => 8,
            (0x7f | 0xe7, 0) if is_legacy => 8,
            (0x7f, _) if !is_legacy => whole,
            (0x7e, 1) | (0x7e, 0) if wide => 8,
            (0x7e, 1) | (0x7e, 0) => 4,
            _ => return None,
        };
        self.at_operand(length)
    }

    fn legacy_0f38(&self) -> Option<Access> {
        match self.opcode {
            0xf1 if self.prefixes.repeat != 0xf2 => self.at_operand(self.operand_size()),
            0xf8 => Access::whole(Target::Line(self.reg() | (self.prefixes.rex & 4) << 1), 64),
            0xf9 | 0xf6 if self.opcode == 0xf9 || self.prefixes.repeat == 0 && !self.prefixes.operand_size => {
                self.at_operand(if self.prefixes.wide() { 8 } else { 4 })
            }
            _ => None,
        }
    }

    /// Decodes `pextrb` and its like.
    fn extract(&self, wide: u32) -> Option<Access> {
        let length = match self.opcode {
            0x14 => 1,
            0x15 => 2,
            0x16 => 4 << wide,
            0x17 => 4,
            _ => return None,
        };
        self.at_operand(length)
    }

    fn vex_write(&self, code: &[u8]) -> Option<Access> {
        let at = usize::from(self.encoding_at);
        let (wide, last) = match self.encoding {
            Encoding::Vex2 => (false, *code.get(at + 1)?),
            _ => (code.get(at + 2)? & 0x80 != 0, *code.get(at + 2)?),
        };
        let (kind, whole) = (last & 3, 16 << (last >> 2 & 1));
        let masked = || self.has_memory().then(|| Access::some(Target::Operand, whole)).flatten();
        match (self.map, self.opcode) {
            (1, 0xf7) => Access::some(Target::Destination, 16),
            (1, 0x91) => self.at_operand(match (wide, kind) {
                (false, 0) => 2,
                (false, _) => 1,
                (true, 0) => 8,
                (true, _) => 4,
            }),
            (1, 0xae) if self.reg() == 3 => self.at_operand(4),
            (1, _) => self.vector_store(kind, wide, whole),
            (2, 0x2e | 0x2f | 0x8e) => masked(),
            // cmpccxadd
            (2, 0xe0..=0xef) => self.at_operand(if wide { 8 } else { 4 }),
            (3, 0x19 | 0x39) => self.at_operand(16),
            (3, 0x1d) => self.at_operand(whole / 2),
            (3, _) => self.extract(u32::from(wide)),
            _ => None,
        }
    }

    fn evex_write(&self, code: &[u8]) -> Option<Access> {
        let at = usize::from(self.encoding_at);
        let (second, third) = (*code.get(at + 2)?, *code.get(at + 3)?);
        let (wide, kind, whole) = (second & 0x80 != 0, second & 3, 16 << (third >> 5 & 3).min(2));
        let write = match (self.map, self.opcode) {
            (1, _) => self.vector_store(kind, wide, whole),
            (2, 0x10..=0x15 | 0x20..=0x25 | 0x30..=0x35) if kind == 2 => {
                const PARTS: [u32; 6] = [2, 4, 8, 2, 4, 2];
                self.at_operand(whole / PARTS.get(usize::from(self.opcode & 7))?)
            }
            (2, 0x63 | 0x8a | 0x8b) if self.has_memory() => {
                let scale = if self.opcode == 0x63 { 1 << u32::from(wide) } else { 4 << u32::from(wide) };
                return Some(Access { target: Target::Operand, length: whole, is_whole: false, scale });
            }
            (2, 0xa0..=0xa3) => Access::some(Target::Anywhere, 0),
            (3, 0x19 | 0x39) => self.at_operand(16),
            (3, 0x1b | 0x3b) => self.at_operand(32),
            (3, 0x1d) => self.at_operand(whole / 2),
            (3, _) => self.extract(u32::from(wide)),
            (5, 0x11 | 0x7e) if self.opcode == 0x7e || kind == 2 => self.at_operand(2),
            _ => None,
        }?;
        // A mask says which elements.
        Some(Access { is_whole: write.is_whole && third & 7 == 0, ..write })
    }
}

/// A memory operand, but for its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// General registers by their numbers in the encoding; 16 is the address of the next instruction.
    pub base: Option<u8>,
    /// With what it is multiplied by.
    pub index: Option<(u8, u8)>,
    pub displacement: i64,
}

/// The base that is the address of the next instruction.
pub const NEXT: u8 = 16;

impl Insn {
    /// Reads the memory operand, whose displacement of one byte is multiplied by `scale` in some encodings.
    pub fn operand(&self, code: &[u8], scale: u32) -> Option<Operand> {
        let (at, modrm) = self.modrm.filter(|_| self.has_memory())?;
        let [extended_base, extended_index] = self.extensions(code);
        let mut displacement = self.displacement_in(code);
        if self.encoding == Encoding::Evex && self.displacement.1 == 1 {
            displacement *= i64::from(scale);
        }
        if modrm & 7 != 4 {
            let base = if self.is_rip_relative() { NEXT } else { modrm & 7 | extended_base };
            return Some(Operand { base: Some(base), index: None, displacement });
        }
        let sib = *code.get(usize::from(at) + 1)?;
        let index = sib >> 3 & 7 | extended_index;
        let has_no_base = modrm < 0x40 && sib & 7 == 5;
        Some(Operand {
            base: (!has_no_base).then_some(sib & 7 | extended_base),
            index: (index != 4).then_some((index, 1 << (sib >> 6))),
            displacement,
        })
    }

    /// Returns what is to be added to the numbers of the base and the index.
    pub fn extensions(&self, code: &[u8]) -> [u8; 2] {
        let bits = match self.encoding {
            Encoding::Legacy => self.prefixes.rex & 3,
            Encoding::Vex2 => 0,
            // Inverted, and two bits of three: of index and base.
            Encoding::Vex3 | Encoding::Evex => {
                code.get(usize::from(self.encoding_at) + 1).map_or(0, |bits| !bits >> 5 & 3)
            }
        };
        [(bits & 1) << 3, (bits & 2) << 2]
    }
}
