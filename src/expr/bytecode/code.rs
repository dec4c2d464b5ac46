//! Instructions and their encoding (GDB manual, appendix "The GDB Agent Expression Mechanism"), as far as rr has them.

use super::NotCompilable;

/// The longest bytecode: what fits a packet several times over.
pub(super) const MAX_BYTES: usize = 4096;

pub(super) const ADD: u8 = 0x02;
pub(super) const SUB: u8 = 0x03;
pub(super) const MUL: u8 = 0x04;
pub(super) const DIV_SIGNED: u8 = 0x05;
pub(super) const DIV_UNSIGNED: u8 = 0x06;
pub(super) const REM_SIGNED: u8 = 0x07;
pub(super) const REM_UNSIGNED: u8 = 0x08;
pub(super) const LSH: u8 = 0x09;
pub(super) const RSH_SIGNED: u8 = 0x0a;
pub(super) const RSH_UNSIGNED: u8 = 0x0b;
pub(super) const LOG_NOT: u8 = 0x0e;
pub(super) const BIT_AND: u8 = 0x0f;
pub(super) const BIT_OR: u8 = 0x10;
pub(super) const BIT_XOR: u8 = 0x11;
pub(super) const BIT_NOT: u8 = 0x12;
pub(super) const EQUAL: u8 = 0x13;
pub(super) const LESS_SIGNED: u8 = 0x14;
pub(super) const LESS_UNSIGNED: u8 = 0x15;
pub(super) const REF8: u8 = 0x17;
pub(super) const REF16: u8 = 0x18;
pub(super) const REF32: u8 = 0x19;
pub(super) const REF64: u8 = 0x1a;
pub(super) const IF_GOTO: u8 = 0x20;
pub(super) const GOTO: u8 = 0x21;
pub(super) const CONST8: u8 = 0x22;
pub(super) const CONST16: u8 = 0x23;
pub(super) const CONST32: u8 = 0x24;
pub(super) const CONST64: u8 = 0x25;
pub(super) const REG: u8 = 0x26;
pub(super) const END: u8 = 0x27;
pub(super) const DUP: u8 = 0x28;
pub(super) const POP: u8 = 0x29;
pub(super) const SWAP: u8 = 0x2b;
pub(super) const PICK: u8 = 0x32;

/// An instruction, with jumps still by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// One without operand.
    Plain(u8),
    /// Pushes a number.
    Constant(u64),
    /// Pushes a register.
    Register(u16),
    /// Pushes what lies so many below the top.
    Pick(u8),
    /// Takes a number and jumps if it is not zero.
    IfGoto(usize),
    /// Jumps.
    Goto(usize),
    /// The destination of jumps.
    Label(usize),
}

pub(super) type Code = Vec<Op>;

impl Op {
    fn length(self) -> usize {
        match self {
            Self::Label(_) => 0,
            Self::Plain(_) => 1,
            Self::Pick(_) => 2,
            Self::Register(_) | Self::IfGoto(_) | Self::Goto(_) => 3,
            Self::Constant(value) => match value {
                0..=0xff => 2,
                0x100..=0xffff => 3,
                0x1_0000..=0xffff_ffff => 5,
                _ => 9,
            },
        }
    }
}

/// Encodes instructions, and `end` after them; operands are big-endian.
pub(super) fn assemble(code: &[Op]) -> Result<Vec<u8>, NotCompilable> {
    let mut labels = std::collections::HashMap::new();
    let mut length = 0;
    for op in code {
        if let Op::Label(label) = op {
            labels.insert(*label, length);
        }
        length += op.length();
    }
    if length >= MAX_BYTES {
        return Err(NotCompilable::because("it is too long"));
    }
    let destination = |label: &usize| (labels.get(label).copied().unwrap_or(length) as u16).to_be_bytes();
    let mut bytes = Vec::with_capacity(length + 1);
    for op in code {
        match op {
            Op::Label(_) => {}
            Op::Plain(byte) => bytes.push(*byte),
            Op::Pick(depth) => bytes.extend([PICK, *depth]),
            Op::Register(number) => {
                bytes.push(REG);
                bytes.extend(number.to_be_bytes());
            }
            Op::IfGoto(label) => {
                bytes.push(IF_GOTO);
                bytes.extend(destination(label));
            }
            Op::Goto(label) => {
                bytes.push(GOTO);
                bytes.extend(destination(label));
            }
            Op::Constant(value) => {
                let (opcode, width) = match op.length() {
                    2 => (CONST8, 1),
                    3 => (CONST16, 2),
                    5 => (CONST32, 4),
                    _ => (CONST64, 8),
                };
                bytes.push(opcode);
                bytes.extend(&value.to_be_bytes()[8 - width..]);
            }
        }
    }
    bytes.push(END);
    Ok(bytes)
}
