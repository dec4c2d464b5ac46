//! Where an instruction of 64-bit code ends, and which operands it names.
//!
//! What is not listed here is not known, and an instruction not known is never copied: reserved opcodes, XOP, 3DNow!,
//! FMA4, AMX, APX. An instruction that is invalid for another reason faults in the cache as it does in the program.

/// The longest x86 instruction.
pub const MAX_LENGTH: usize = 15;

/// How the opcode is introduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Legacy,
    Vex2,
    Vex3,
    Evex,
}

/// Prefixes of the legacy kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefixes {
    /// 66.
    pub operand_size: bool,
    /// 67.
    pub address_size: bool,
    /// F0.
    pub lock: bool,
    /// F2 or F3, the last of them; 0 if none.
    pub repeat: u8,
    /// The last segment override; 0 if none.
    pub segment: u8,
    /// REX, or 0.
    pub rex: u8,
}

impl Prefixes {
    /// Returns whether REX.W is set.
    pub fn wide(&self) -> bool {
        self.rex & 8 != 0
    }

    /// Returns whether a 16-bit operand size is in force.
    pub fn narrow(&self) -> bool {
        self.operand_size && !self.wide()
    }
}

/// A decoded instruction. Offsets are from its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insn {
    pub length: u8,
    pub prefixes: Prefixes,
    pub encoding: Encoding,
    /// 0: one byte, 1: 0F, 2: 0F 38, 3: 0F 3A, 5 and 6: EVEX only.
    pub map: u8,
    pub opcode: u8,
    /// Offset of REX, VEX or EVEX, or of what would follow it.
    pub encoding_at: u8,
    /// Offset of the ModRM byte and the byte.
    pub modrm: Option<(u8, u8)>,
    /// Offset of the displacement of the memory operand, and its size.
    pub displacement: (u8, u8),
    /// Offset of the immediate, and its size; both immediates of `enter` count as one.
    pub immediate: (u8, u8),
    /// VEX.vvvv or EVEX.vvvv as a register number; 0 if there is none.
    pub vvvv: u8,
}

impl Insn {
    /// Returns ModRM.reg without its extension, 0 if there is no ModRM.
    pub fn reg(&self) -> u8 {
        self.modrm.map_or(0, |(_, modrm)| modrm >> 3 & 7)
    }

    /// Returns whether ModRM names a place in memory.
    pub fn has_memory(&self) -> bool {
        self.modrm.is_some_and(|(_, modrm)| modrm < 0xc0)
    }

    /// Returns whether the place in memory is relative to the next instruction.
    pub fn is_rip_relative(&self) -> bool {
        self.modrm.is_some_and(|(_, modrm)| modrm & 0xc7 == 5)
    }

    /// Returns the displacement of a memory operand, sign-extended; `code` begins with this instruction.
    pub fn displacement_in(&self, code: &[u8]) -> i64 {
        signed(code, self.displacement)
    }

    /// Returns the immediate or the relative displacement of a branch, sign-extended; `code` begins with this
    /// instruction.
    pub fn immediate_in(&self, code: &[u8]) -> i64 {
        signed(code, self.immediate)
    }
}

fn signed(code: &[u8], (at, size): (u8, u8)) -> i64 {
    let field = code.get(usize::from(at)..usize::from(at) + usize::from(size)).unwrap_or(&[]);
    let mut bytes = [if field.last().is_some_and(|last| *last >= 0x80) { 0xff } else { 0 }; 8];
    for (byte, value) in bytes.iter_mut().zip(field) {
        *byte = *value;
    }
    i64::from_le_bytes(bytes)
}

/// What follows the opcode.
#[derive(Clone, Copy)]
enum Shape {
    /// Nothing, or an immediate of this size.
    Plain(u8),
    /// ModRM, then an immediate of this size.
    Modrm(u8),
}

/// Decodes the instruction at the start of `code`, which is 64-bit code and may be cut off.
///
/// `None` if it is cut off, longer than [`MAX_LENGTH`], invalid as far as can be told here, or not known.
pub fn decode(code: &[u8]) -> Option<Insn> {
    let code = &code[..code.len().min(MAX_LENGTH)];
    let mut at = 0;
    let mut prefixes = Prefixes::default();
    loop {
        match *code.get(at)? {
            segment @ (0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65) => prefixes.segment = segment,
            0x66 => prefixes.operand_size = true,
            0x67 => prefixes.address_size = true,
            0xf0 => prefixes.lock = true,
            repeat @ (0xf2 | 0xf3) => prefixes.repeat = repeat,
            _ => break,
        }
        at += 1;
    }
    let encoding_at = at as u8;
    let mut map = 0;
    let mut vvvv = 0;
    let mut encoding = Encoding::Legacy;
    let mut opcode = *code.get(at)?;
    if matches!(opcode, 0xc4 | 0xc5 | 0x62) {
        if prefixes.operand_size || prefixes.lock || prefixes.repeat != 0 {
            return None;
        }
        let start = at;
        let payload = |index: usize| code.get(start + index).copied();
        let vector = match opcode {
            0xc5 => {
                (encoding, map) = (Encoding::Vex2, 1);
                at += 2;
                payload(1)?
            }
            0xc4 => {
                (encoding, map) = (Encoding::Vex3, payload(1)? & 0x1f);
                at += 3;
                payload(2)?
            }
            _ => {
                (encoding, map) = (Encoding::Evex, payload(1)? & 7);
                // Of the bits that are fixed, the extensions of APX and AVX10.2 make use.
                if payload(1)? & 8 != 0 || payload(2)? & 4 == 0 {
                    return None;
                }
                at += 4;
                payload(2)?
            }
        };
        vvvv = !(vector >> 3) & 0xf;
        opcode = *code.get(at)?;
    } else {
        if opcode & 0xf0 == 0x40 {
            prefixes.rex = opcode;
            at += 1;
            opcode = *code.get(at)?;
        }
        if opcode == 0x0f {
            at += 1;
            opcode = *code.get(at)?;
            map = 1;
            if let 0x38 | 0x3a = opcode {
                map = if opcode == 0x38 { 2 } else { 3 };
                at += 1;
                opcode = *code.get(at)?;
            }
        }
    }
    at += 1;

    let next = code.get(at).copied();
    let shape = match (encoding, map) {
        (Encoding::Legacy, 0) => one_byte(opcode, next, &prefixes)?,
        (Encoding::Legacy, 1) => two_byte(opcode, next, &prefixes)?,
        (Encoding::Legacy, 2) => legacy_0f38(opcode, &prefixes)?,
        (Encoding::Legacy, _) => legacy_0f3a(opcode)?,
        (Encoding::Vex2 | Encoding::Vex3, _) => vex(map, opcode)?,
        (Encoding::Evex, _) => evex(map, opcode)?,
    };
    let mut modrm = None;
    let mut displacement = (0, 0);
    let size = match shape {
        Shape::Plain(size) => size,
        Shape::Modrm(size) => {
            let byte = next?;
            modrm = Some((at as u8, byte));
            at += 1;
            let has_sib = byte < 0xc0 && byte & 7 == 4;
            let base = if has_sib { *code.get(at)? } else { byte };
            at += usize::from(has_sib);
            let bytes = match byte >> 6 {
                0 if base & 7 == 5 => 4,
                1 => 1,
                2 => 4,
                _ => 0,
            };
            displacement = (at as u8, bytes);
            at += usize::from(bytes);
            size
        }
    };
    let immediate = (at as u8, size);
    at += usize::from(size);
    (at <= code.len()).then_some(Insn {
        length: at as u8,
        prefixes,
        encoding,
        map,
        opcode,
        encoding_at,
        modrm,
        displacement,
        immediate,
        vvvv,
    })
}

/// Bits 3 to 5 of the ModRM byte that follows.
fn extension(next: Option<u8>) -> Option<u8> {
    next.map(|modrm| modrm >> 3 & 7)
}

/// Opcodes of one byte.
fn one_byte(opcode: u8, next: Option<u8>, prefixes: &Prefixes) -> Option<Shape> {
    use Shape::{Modrm, Plain};
    let word = if prefixes.narrow() { 2 } else { 4 };
    Some(match opcode {
        0x00..=0x3f => match opcode & 7 {
            0..=3 => Modrm(0),
            4 => Plain(1),
            5 => Plain(word),
            _ => return None,
        },
        0x50..=0x5f | 0x6c..=0x6f | 0x90..=0x99 | 0x9b..=0x9f | 0xa4..=0xa7 | 0xaa..=0xaf => Plain(0),
        0x63 | 0x84..=0x8e | 0xd0..=0xd3 | 0xd8..=0xdf => Modrm(0),
        0x68 | 0xa9 => Plain(word),
        0x69 | 0x81 => Modrm(word),
        0x6a | 0x70..=0x7f | 0xa8 | 0xb0..=0xb7 | 0xcd | 0xe0..=0xe7 | 0xeb => Plain(1),
        0x6b | 0x80 | 0x83 | 0xc0 | 0xc1 => Modrm(1),
        0x8f if extension(next)? == 0 => Modrm(0),
        0xa0..=0xa3 => Plain(if prefixes.address_size { 4 } else { 8 }),
        0xb8..=0xbf => Plain(if prefixes.wide() { 8 } else { word }),
        0xc2 | 0xca => Plain(2),
        0xc3 | 0xc9 | 0xcb | 0xcc | 0xcf | 0xd7 | 0xec..=0xef | 0xf1 | 0xf4 | 0xf5 | 0xf8..=0xfd => Plain(0),
        // xabort and xbegin are the register forms.
        0xc6 if extension(next)? == 0 || next? == 0xf8 => Modrm(1),
        0xc7 if extension(next)? == 0 || next? == 0xf8 => Modrm(word),
        0xc8 => Plain(3),
        // On processors of AMD the prefix 66 makes these shorter; no such branch is translated.
        0xe8 | 0xe9 => Plain(4),
        0xf6 => Modrm(if extension(next)? < 2 { 1 } else { 0 }),
        0xf7 => Modrm(if extension(next)? < 2 { word } else { 0 }),
        0xfe if extension(next)? < 2 => Modrm(0),
        0xff if extension(next)? < 7 => Modrm(0),
        _ => return None,
    })
}

/// Opcodes that follow 0F.
fn two_byte(opcode: u8, next: Option<u8>, prefixes: &Prefixes) -> Option<Shape> {
    use Shape::{Modrm, Plain};
    Some(match opcode {
        0x05..=0x09 | 0x0b | 0x30..=0x35 | 0x37 | 0x77 | 0xa0..=0xa2 | 0xa8..=0xaa | 0xc8..=0xcf => Plain(0),
        0x00..=0x03 | 0x0d | 0x10..=0x19 | 0x1c..=0x23 | 0x28..=0x2f | 0x40..=0x6f | 0x74..=0x76 => Modrm(0),
        0x70..=0x73 | 0xa4 | 0xac | 0xc2 | 0xc4..=0xc6 => Modrm(1),
        0x7c..=0x7f | 0x90..=0x9f | 0xa3 | 0xa5 | 0xab | 0xad..=0xb7 | 0xb9 | 0xbb..=0xc1 => Modrm(0),
        0x80..=0x8f => Plain(4),
        0xb8 if prefixes.repeat == 0xf3 => Modrm(0),
        0xba if extension(next)? >= 4 => Modrm(1),
        0xc3 | 0xc7 | 0xd0..=0xff => Modrm(0),
        _ => return None,
    })
}

/// Opcodes that follow 0F 38.
fn legacy_0f38(opcode: u8, prefixes: &Prefixes) -> Option<Shape> {
    let known = match opcode {
        0x00..=0x0b | 0x10 | 0x14 | 0x15 | 0x17 | 0x1c..=0x1e | 0x20..=0x25 | 0x28..=0x2b | 0x30..=0x35 => true,
        0x37..=0x41 | 0xc8..=0xcd | 0xcf | 0xdb | 0xf0 | 0xf1 | 0xf6 | 0xf9 => true,
        // With F3 the same opcodes are those of Key Locker; F8 is movdir64b with 66.
        0xdc..=0xdf => prefixes.repeat == 0,
        0xf8 => prefixes.operand_size && prefixes.repeat == 0,
        _ => false,
    };
    known.then_some(Shape::Modrm(0))
}

/// Opcodes that follow 0F 3A.
fn legacy_0f3a(opcode: u8) -> Option<Shape> {
    let known = matches!(opcode,
        0x08..=0x0f | 0x14..=0x17 | 0x20..=0x22 | 0x40..=0x42 | 0x44 | 0x60..=0x63 | 0xcc | 0xce | 0xcf | 0xdf);
    known.then_some(Shape::Modrm(1))
}

/// Opcodes of the VEX maps.
fn vex(map: u8, opcode: u8) -> Option<Shape> {
    use Shape::{Modrm, Plain};
    match map {
        1 => Some(match opcode {
            0x77 => Plain(0),
            0x70..=0x73 | 0xc2 | 0xc4..=0xc6 => Modrm(1),
            0x10..=0x17 | 0x28..=0x2f | 0x41 | 0x42 | 0x44..=0x47 | 0x4a | 0x4b | 0x50..=0x6f | 0x74..=0x76 => Modrm(0),
            0x7c..=0x7f | 0x90..=0x93 | 0x98 | 0x99 | 0xae | 0xd0..=0xfe => Modrm(0),
            _ => return None,
        }),
        2 => {
            let known = matches!(opcode,
                0x00..=0x0f | 0x13 | 0x16..=0x1a | 0x1c..=0x1e | 0x20..=0x25 | 0x28..=0x41 | 0x45..=0x47 |
                0x50..=0x53 | 0x58..=0x5a | 0x72 | 0x78 | 0x79 | 0x8c | 0x8e | 0x90..=0x93 | 0x96..=0x9f |
                0xa6..=0xaf | 0xb0 | 0xb1 | 0xb4..=0xbf | 0xcb..=0xcd | 0xcf | 0xd2 | 0xd3 | 0xda..=0xdf |
                0xe0..=0xef | 0xf2 | 0xf3 | 0xf5..=0xf7);
            known.then_some(Modrm(0))
        }
        3 => {
            let known = matches!(opcode,
                0x00..=0x02 | 0x04..=0x06 | 0x08..=0x0f | 0x14..=0x19 | 0x1d | 0x20..=0x22 | 0x30..=0x33 | 0x38 | 0x39
                | 0x40..=0x42 | 0x44 | 0x46 | 0x4a..=0x4c | 0x60..=0x63 | 0xce | 0xcf | 0xde | 0xdf | 0xf0);
            known.then_some(Modrm(1))
        }
        _ => None,
    }
}

/// Opcodes of the EVEX maps.
fn evex(map: u8, opcode: u8) -> Option<Shape> {
    use Shape::Modrm;
    match map {
        1 => Some(match opcode {
            0x70..=0x73 | 0xc2 | 0xc4..=0xc6 => Modrm(1),
            0x10..=0x17 | 0x28..=0x2f | 0x51 | 0x54..=0x6f | 0x74..=0x76 | 0x78..=0x7b | 0x7e | 0x7f => Modrm(0),
            0xd1..=0xfe => Modrm(0),
            _ => return None,
        }),
        2 => {
            let known = matches!(opcode,
                0x00 | 0x04 | 0x0b..=0x0d | 0x10..=0x16 | 0x18..=0x1f | 0x20..=0x2d | 0x30..=0x40 | 0x42..=0x47 |
                0x4c..=0x4f | 0x50..=0x55 | 0x58..=0x5b | 0x62..=0x66 | 0x68 | 0x70..=0x73 | 0x75..=0x7f | 0x83 |
                0x88..=0x8b | 0x8d | 0x8f..=0x93 | 0x96..=0xaf | 0xb4..=0xbf | 0xc4 | 0xc6..=0xc8 | 0xca..=0xcd |
                0xcf | 0xdc..=0xdf);
            known.then_some(Modrm(0))
        }
        3 => {
            let known = matches!(opcode,
                0x00 | 0x01 | 0x03..=0x05 | 0x08..=0x0b | 0x0f | 0x14..=0x1b | 0x1d..=0x1f | 0x20..=0x23 | 0x25..=0x27
                | 0x38..=0x3b | 0x3e | 0x3f | 0x42..=0x44 | 0x50 | 0x51 | 0x54..=0x57 | 0x66 | 0x67 | 0x70..=0x73
                | 0xc2 | 0xce | 0xcf);
            known.then_some(Modrm(1))
        }
        5 => {
            let known =
                matches!(opcode, 0x10 | 0x11 | 0x1d | 0x2a | 0x2c..=0x2f | 0x51 | 0x58..=0x5f | 0x6e | 0x78..=0x7e);
            known.then_some(Modrm(0))
        }
        6 => {
            let known = matches!(opcode,
                0x13 | 0x2c | 0x2d | 0x42 | 0x43 | 0x4c..=0x4f | 0x56 | 0x57 | 0x96..=0x9f | 0xa6..=0xaf | 0xb6..=0xbf
                | 0xd6 | 0xd7);
            known.then_some(Modrm(0))
        }
        _ => None,
    }
}
