//! What an instruction reads from memory: where, and how many bytes.
//!
//! Of vector instructions, the ways in which their lengths follow from their opcodes are in [`vectors`](super::vectors).
//! The tests compare this with what a disassembler knows, for all opcodes.

use super::insn::{Encoding, Insn};
use super::vectors::Form;
use super::writes::{Access, Target};

/// What an instruction reads: at most two places.
pub type Reads = [Option<Access>; 2];

const NOTHING: Reads = [None, None];

fn one(read: Option<Access>) -> Reads {
    [read, None]
}

impl Insn {
    /// Returns what the instruction reads from memory; `code` begins with it. What it fetches to be executed is not
    /// meant, nor what it is told to bring near. Of what gathers from many places nothing is told, nor of `xrstor`, which
    /// reads as much as a mask and the saved state itself say.
    pub fn reads(&self, code: &[u8]) -> Reads {
        match (self.encoding, self.map) {
            (Encoding::Legacy, 0) => self.one_byte_reads(code),
            (Encoding::Legacy, 1) => one(self.two_byte_read()),
            (Encoding::Legacy, _) => one(self.sse_read()),
            _ => one(self.vex_read(code)),
        }
    }

    /// Returns whether it is done at once, for all other processors: it has a prefix for that, or exchanges with
    /// memory.
    pub fn is_locked(&self) -> bool {
        let is_exchange = self.encoding == Encoding::Legacy && self.map == 0 && matches!(self.opcode, 0x86 | 0x87);
        self.prefixes.lock || is_exchange && self.has_memory()
    }

    fn read(&self, length: u32) -> Option<Access> {
        self.has_memory().then(|| Access::whole(Target::Operand, length)).flatten()
    }

    fn popped(&self) -> Option<Access> {
        Access::whole(Target::Top, if self.prefixes.narrow() { 2 } else { 8 })
    }

    fn one_byte_reads(&self, code: &[u8]) -> Reads {
        let reg = self.reg();
        one(match self.opcode {
            opcode @ 0x00..=0x3f if opcode & 7 < 4 => self.read(self.size()),
            0x58..=0x5f | 0x9d => self.popped(),
            0x63 => self.read(if self.prefixes.narrow() { 2 } else { 4 }),
            0x69 | 0x83 | 0x6b => self.read(self.operand_size()),
            0x80 | 0x81 | 0x84..=0x87 | 0x8a | 0x8b | 0xc0 | 0xc1 | 0xd0..=0xd3 | 0xf6 | 0xf7 => self.read(self.size()),
            0x8e => self.read(2),
            0x8f => self.popped(),
            0xa0 | 0xa1 => self.absolute(code),
            0xa4 | 0xa5 | 0xac | 0xad => Access::whole(Target::Source, self.size()),
            0xa6 | 0xa7 => {
                let length = self.size();
                return [Access::whole(Target::Source, length), Access::whole(Target::Destination, length)];
            }
            0x6e | 0x6f => Access::whole(Target::Source, self.size().min(4)),
            0xae | 0xaf => Access::whole(Target::Destination, self.size()),
            0xc2 | 0xc3 => Access::whole(Target::Top, 8),
            // Far returns and those from interrupts.
            0xca | 0xcb | 0xcf => Access::some(Target::Top, 40),
            0xc9 => Access::whole(Target::FramePointer, if self.prefixes.narrow() { 2 } else { 8 }),
            0xd7 => Access::whole(Target::Translation, 1),
            0xd8..=0xdf => self.read(match self.x87_read() {
                Some(length) => length,
                None => return NOTHING,
            }),
            0xfe if reg < 2 => self.read(1),
            0xff => match reg {
                0 | 1 => self.read(self.operand_size()),
                2 | 4 => self.read(8),
                3 | 5 if self.has_memory() => Access::some(Target::Operand, 10),
                6 => self.read(if self.prefixes.narrow() { 2 } else { 8 }),
                _ => None,
            },
            _ => None,
        })
    }

    /// Returns the bytes that an instruction of x87 loads.
    fn x87_read(&self) -> Option<u32> {
        let is_short = self.prefixes.narrow();
        Some(match (self.opcode, self.reg()) {
            (0xd8 | 0xda, _) | (0xd9 | 0xdb, 0) => 4,
            (0xdc, _) | (0xdd, 0) | (0xdf, 5) => 8,
            (0xde, _) | (0xdf, 0) | (0xd9, 5) => 2,
            (0xdb, 5) | (0xdf, 4) => 10,
            (0xd9, 4) => {
                if is_short {
                    14
                } else {
                    28
                }
            }
            (0xdd, 4) => {
                if is_short {
                    94
                } else {
                    108
                }
            }
            _ => return None,
        })
    }

    fn two_byte_read(&self) -> Option<Access> {
        let (wide, repeat, reg) = (self.prefixes.wide(), self.prefixes.repeat, self.reg());
        match self.opcode {
            0xa1 | 0xa9 => return self.popped(),
            0xf7 if !self.has_memory() => return None,
            _ if !self.has_memory() => return None,
            0xa3 | 0xab | 0xb3 | 0xbb => return Access::whole(Target::Bit, self.operand_size()),
            0xae if reg == 1 && repeat == 0 => return Access::some(Target::Operand, 512),
            0xb2 | 0xb4 | 0xb5 => return Access::some(Target::Operand, 10),
            _ => {}
        }
        let length = match self.opcode {
            0x00 if matches!(reg, 2..=5) => 2,
            0x01 if matches!(reg, 2 | 3) => 10,
            0x01 if reg == 6 => 2,
            0x02 | 0x03 => 2,
            0x40..=0x4f | 0xa4 | 0xa5 | 0xac | 0xad | 0xaf | 0xb1 | 0xc1 | 0xbc | 0xbd => self.operand_size(),
            0xb8 if repeat == 0xf3 => self.operand_size(),
            0xba if reg >= 4 => self.operand_size(),
            0xae if reg == 2 && repeat == 0 => 4,
            // ptwrite
            0xae if reg == 4 && repeat == 0xf3 => self.operand_size(),
            0xb0 | 0xc0 | 0xb6 | 0xbe => 1,
            0xb7 | 0xbf => 2,
            0xc7 if reg == 1 => {
                if wide {
                    16
                } else {
                    8
                }
            }
            _ => return self.sse_read(),
        };
        self.read(length)
    }

    /// Reads of the vector instructions that have the legacy encoding, and of others in their maps.
    fn sse_read(&self) -> Option<Access> {
        let prefixes = self.prefixes;
        let wide = prefixes.wide();
        if (self.map, self.opcode) == (2, 0xf0) || (self.map, self.opcode) == (2, 0xf1) {
            // crc32; movbe, which loads in one of both directions.
            return match (self.opcode, prefixes.repeat) {
                (0xf0, 0xf2) => self.read(1),
                (0xf0, _) | (0xf1, 0xf2) => self.read(self.operand_size()),
                _ => None,
            };
        }
        match (self.map, self.opcode) {
            (2, 0xf6) if prefixes.operand_size || prefixes.repeat != 0 => return self.read(if wide { 8 } else { 4 }),
            (2, 0xf8) => return self.read(64),
            (2, 0xf6 | 0xf9) => return None,
            _ => {}
        }
        let kind = match prefixes.repeat {
            0 => u8::from(prefixes.operand_size),
            0xf3 => 2,
            _ => 3,
        };
        // Registers of MMX, which nothing but the missing prefix names.
        let is_mmx = kind == 0 && self.is_of_mmx();
        let whole = if is_mmx { 8 } else { 16 };
        let form = Form::of(self.map, self.opcode, kind, false)?;
        let length = match form {
            // The low half of such a register.
            Form::Whole(_) if is_mmx && matches!(self.opcode, 0x60..=0x62) && self.map == 1 => 4,
            Form::Count if is_mmx => 8,
            form => form.length(whole, wide),
        };
        self.read(length)
    }

    fn is_of_mmx(&self) -> bool {
        match self.map {
            1 => matches!(self.opcode, 0x60..=0x6b | 0x6f | 0x70 | 0x74..=0x76 | 0xd1..=0xfe),
            2 => matches!(self.opcode, 0x00..=0x0b | 0x1c..=0x1e),
            _ => self.opcode == 0x0f,
        }
    }

    fn vex_read(&self, code: &[u8]) -> Option<Access> {
        let at = usize::from(self.encoding_at);
        let byte = |offset: usize| code.get(at + offset).copied();
        if !self.has_memory() {
            return None;
        }
        let is_evex = self.encoding == Encoding::Evex;
        let (wide, kind, whole, is_one, is_masked) = match self.encoding {
            Encoding::Vex2 => (false, byte(1)? & 3, 16 << (byte(1)? >> 2 & 1), false, false),
            Encoding::Evex => {
                let (second, third) = (byte(2)?, byte(3)?);
                let whole = 16 << (third >> 5 & 3).min(2);
                (second & 0x80 != 0, second & 3, whole, third & 0x10 != 0, third & 7 != 0)
            }
            _ => (byte(2)? & 0x80 != 0, byte(2)? & 3, 16 << (byte(2)? >> 2 & 1), false, false),
        };
        let form = match is_evex {
            true => Form::of_evex(self.map, self.opcode, kind, wide)?,
            false => self.general_form(kind).or_else(|| Form::of(self.map, self.opcode, kind, true))?,
        };
        let length = match form {
            form if is_one && is_evex => form.element(wide),
            form => form.length(whole, wide),
        };
        let scale = match form {
            Form::Expanded(size) => size.of(wide),
            _ => length,
        };
        let is_whole = !is_masked && !matches!(form, Form::Masked | Form::Expanded(_));
        Some(Access { target: Target::Operand, length, is_whole, scale })
    }

    /// Forms of what computes with general registers and masks.
    fn general_form(&self, kind: u8) -> Option<Form> {
        Some(match (self.map, self.opcode, kind) {
            (1, 0x90, 0) => Form::Sized(2, 8),
            (1, 0x90, 1) => Form::Sized(1, 4),
            (1, 0xae, 0) if self.reg() == 2 => Form::Bytes(4),
            (2, 0xe0..=0xef, 1) => Form::WORD,
            (2, 0xf2, 0) | (2, 0xf3, 0) | (2, 0xf5, 0 | 2 | 3) | (2, 0xf6, 3) | (2, 0xf7, _) => Form::WORD,
            (3, 0xf0, 3) => Form::WORD,
            _ => return None,
        })
    }
}
