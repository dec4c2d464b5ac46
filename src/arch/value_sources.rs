//! Where what an instruction writes comes from.

mod arithmetic;
mod comparison;
mod listing;
mod moves;
mod vectors;

pub use comparison::{Comparison, comparison};
pub use listing::{Listed, Onward, RegisterSet, listing};

use super::memory_operands::accesses;
use super::memory_writes::register_value;
use super::preserved_registers::instruction;
use super::return_emulation::number;
use super::{Arch, MAX_INSTRUCTION, RunAddr};
use iced_x86::{
    FlowControl, Instruction, InstructionInfoFactory, MemorySize, Mnemonic, OpAccess, OpKind, Register, UsedRegister,
};

/// DWARF number of xmm0 (System V ABI for AMD64, figure 3.36); fifteen others follow.
const XMM0: u16 = 17;
/// Bytes of a general register.
const WORD: usize = 8;

fn is_written(used: &UsedRegister) -> bool {
    matches!(used.access(), OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

/// Returns the DWARF number of a general register or a part of one, or of a vector register below 16.
fn dwarf_number(register: Register) -> Option<u16> {
    match register.full_register() {
        vector if vector.is_vector_register() => {
            u16::try_from(vector.number()).ok().filter(|number| *number < 16).map(|number| number + XMM0)
        }
        general => number(general).and_then(|number| u16::try_from(number).ok()),
    }
}

/// Something that an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Bytes of a register, by DWARF number.
    Register {
        /// Which.
        number: u16,
        /// The first of the bytes.
        offset: usize,
        /// How many.
        size: usize,
    },
    /// Its operand in memory.
    Memory {
        /// The first of the bytes that are meant.
        offset: usize,
        /// How many.
        size: usize,
    },
    /// A number in the instruction.
    Constant(u64),
}

/// What an instruction writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A register, by DWARF number.
    Register(u16),
    /// Memory.
    Memory,
}

/// Where some bytes come from that an instruction has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// They were there before.
    Copied(Operand),
    /// So many of them, from the first, come from there; the others are their sign.
    SignExtended(Operand, usize),
    /// Only so many of them, from the first, are written; the others are zero.
    ZeroExtended(usize),
    /// They are this number, whatever was before.
    Constant(u64),
    /// They are the address of something.
    Address,
    /// They were computed.
    Computed {
        /// By this instruction: `add`.
        mnemonic: String,
        /// From these.
        inputs: Vec<Operand>,
        /// They are floating-point numbers.
        of_floats: bool,
    },
    /// They are the sum of rbp and a number: an address in the frame where rbp points to that, else computed of these.
    NearFrame {
        /// By this instruction.
        mnemonic: String,
        /// From these.
        inputs: Vec<Operand>,
    },
    /// They come from the one or from the other.
    Either(Operand, Operand),
    /// They come from as far behind the beginning of what a repeated instruction has read.
    Repeated,
    /// They are the address that a call returns to.
    ReturnAddress,
    /// They are a result of the kernel's.
    Kernel,
    /// The instruction does not write them.
    Kept,
    /// It is not known what the instruction does; its mnemonic.
    Unknown(String),
}

/// Finds where bytes come from that the instruction at the beginning of `code` writes: `length` from `offset` on,
/// counted from the beginning of what it writes to.
pub fn source(arch: Arch, code: &[u8], at: RunAddr, to: Written, offset: usize, length: usize) -> Source {
    let bytes = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64);
    match bytes.and_then(|bytes| instruction(bytes, at.0)) {
        Some(i) => Asked { i, to, offset, length }.answer(),
        None => Source::Unknown("no instruction".to_owned()),
    }
}

/// Finds where a call goes that names a register or memory: `Ok` is the address, `Err` where in memory that is.
/// `register` has the registers in front of it.
pub fn call_target(
    arch: Arch,
    code: &[u8],
    at: RunAddr,
    register: &dyn Fn(&str) -> Option<u64>,
) -> Option<Result<u64, u64>> {
    let bytes = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64)?;
    let i = instruction(bytes, at.0).filter(|i| i.flow_control() == FlowControl::IndirectCall)?;
    match i.op0_kind() {
        OpKind::Register => register_value(i.op0_register(), register).map(Ok),
        OpKind::Memory => {
            let found = accesses(arch, code, at, register);
            found.into_iter().find(|access| access.reads).map(|access| Err(access.address))
        }
        _ => None,
    }
}

/// Returns how many bytes the instruction at the beginning of `code` writes to a general register, zeros that come with
/// them apart. `None`: it does not write to it.
pub fn width_written(arch: Arch, code: &[u8], to: u16) -> Option<usize> {
    let bytes = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64)?;
    let i = instruction(bytes, 0)?;
    let asked = Asked { i, to: Written::Register(to), offset: 0, length: 1 };
    let mut info = InstructionInfoFactory::new();
    let used = info.info(&i).used_registers().iter();
    let written = used.filter(|used| is_written(used) && dwarf_number(used.register()) == Some(to));
    let width = written.map(|used| used.register().size()).max()?;
    // The decoder says that the whole register is written where 32 bits are.
    let named = (0..i.op_count()).find(|n| asked.is_named(*n));
    Some(named.map_or(width, |named| i.op_register(named).size()))
}

/// A question about an instruction.
struct Asked {
    i: Instruction,
    to: Written,
    offset: usize,
    length: usize,
}

impl Asked {
    fn answer(&self) -> Source {
        let i = &self.i;
        let end = self.offset.saturating_add(self.length);
        // A result of 32 bits clears the rest of a general register.
        if let Written::Register(number) = self.to
            && number < XMM0
            && self.writes_half()
        {
            if self.offset >= 4 {
                return Source::Constant(0);
            }
            if end > 4 {
                return Source::ZeroExtended(4 - self.offset);
            }
        }
        match i.mnemonic() {
            Mnemonic::Call => Source::ReturnAddress,
            Mnemonic::Syscall | Mnemonic::Sysenter | Mnemonic::Int => Source::Kernel,
            Mnemonic::Mov | Mnemonic::Movnti if self.is_plain_move() => self.moved(1),
            Mnemonic::Push => self.moved(0),
            Mnemonic::Pop if self.is_named(0) || self.to == Written::Memory => {
                self.within(Operand::Memory { offset: 0, size: self.width(0) }, false)
            }
            Mnemonic::Leave if self.to == Written::Register(6) => {
                self.within(Operand::Memory { offset: 0, size: WORD }, false)
            }
            Mnemonic::Movzx => self.narrower(1, false),
            Mnemonic::Movsx | Mnemonic::Movsxd => self.narrower(1, true),
            Mnemonic::Cdqe => self.sign_of_rax(4),
            Mnemonic::Cwde => self.sign_of_rax(2),
            Mnemonic::Cbw => self.sign_of_rax(1),
            Mnemonic::Xchg => self.exchanged(),
            Mnemonic::Cmpxchg if self.to == Written::Memory => match (self.operand(0), self.operand(1)) {
                (Some(old), Some(new)) => self.either(old, new),
                _ => self.unknown(),
            },
            Mnemonic::Lea => self.address(),
            Mnemonic::Movsb | Mnemonic::Movsw | Mnemonic::Movsq => self.string_copy(),
            Mnemonic::Movsd if i.is_string_instruction() => self.string_copy(),
            Mnemonic::Stosb | Mnemonic::Stosw | Mnemonic::Stosd | Mnemonic::Stosq if self.to == Written::Memory => {
                let size = i.memory_size().size().max(1);
                let rax = |offset| Operand::Register { number: 0, offset, size: size - offset };
                let into = self.offset % size;
                if into + self.length <= size { Source::Copied(rax(into)) } else { self.computed() }
            }
            Mnemonic::Xor | Mnemonic::Sub | Mnemonic::Pxor | Mnemonic::Xorps | Mnemonic::Xorpd
                if i.op_count() == 2 && self.is_same(0, 1) =>
            {
                Source::Constant(0)
            }
            Mnemonic::Vpxor | Mnemonic::Vxorps | Mnemonic::Vxorpd if i.op_count() == 3 && self.is_same(1, 2) => {
                Source::Constant(0)
            }
            _ if is_conditional_move(i.mnemonic()) => match (self.operand(0), self.operand(1)) {
                (Some(old), Some(new)) => self.either(old, new),
                _ => self.unknown(),
            },
            _ if self.is_vector() => {
                self.vector_move().or_else(|| self.vector_arithmetic()).unwrap_or_else(|| self.unknown())
            }
            _ if self.mnemonic().starts_with('f') => Source::Unknown(format!("{}, of the x87 unit", self.mnemonic())),
            _ => self.computed(),
        }
    }

    fn mnemonic(&self) -> String {
        format!("{:?}", self.i.mnemonic()).to_lowercase()
    }

    fn unknown(&self) -> Source {
        Source::Unknown(self.mnemonic())
    }

    /// Returns whether it only moves, between general registers, memory and constants.
    fn is_plain_move(&self) -> bool {
        let is_plain = |n: u32| self.i.op_kind(n) != OpKind::Register || self.i.op_register(n).is_gpr();
        is_plain(0) && is_plain(1)
    }

    /// Returns whether an operand is the register that is written.
    fn is_named(&self, n: u32) -> bool {
        self.i.op_kind(n) == OpKind::Register
            && dwarf_number(self.i.op_register(n)).map(Written::Register) == Some(self.to)
    }

    fn is_same(&self, one: u32, other: u32) -> bool {
        let is_register = |n| self.i.op_kind(n) == OpKind::Register;
        is_register(one) && is_register(other) && self.i.op_register(one) == self.i.op_register(other)
    }

    /// Returns whether the general register that is written is so with 32 bits.
    fn writes_half(&self) -> bool {
        let mut info = InstructionInfoFactory::new();
        let used = info.info(&self.i).used_registers();
        let of_it = used
            .iter()
            .filter(|used| is_written(used) && dwarf_number(used.register()).map(Written::Register) == Some(self.to));
        // The decoder says that the whole register is written.
        let named = (0..self.i.op_count()).filter(|n| self.is_named(*n)).map(|n| self.i.op_register(n)).next();
        match named {
            Some(register) => register.is_gpr32(),
            None => of_it.into_iter().any(|used| used.register().is_gpr32()),
        }
    }

    fn is_vector(&self) -> bool {
        matches!(self.to, Written::Register(XMM0..))
            || (0..self.i.op_count())
                .any(|n| self.i.op_kind(n) == OpKind::Register && self.i.op_register(n).is_vector_register())
    }

    /// Returns how many bytes an operand has.
    fn width(&self, n: u32) -> usize {
        match self.i.op_kind(n) {
            OpKind::Register => self.i.op_register(n).size(),
            _ if self.i.memory_size() == MemorySize::Unknown => WORD,
            _ => self.i.memory_size().size(),
        }
    }

    /// Returns an operand as a whole.
    fn operand(&self, n: u32) -> Option<Operand> {
        Some(match self.i.op_kind(n) {
            OpKind::Register => {
                let register = self.i.op_register(n);
                let offset = usize::from(is_high(register));
                Operand::Register { number: dwarf_number(register)?, offset, size: register.size() }
            }
            OpKind::Memory => Operand::Memory { offset: 0, size: self.i.memory_size().size() },
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => return None,
            OpKind::Immediate8
            | OpKind::Immediate16
            | OpKind::Immediate32
            | OpKind::Immediate64
            | OpKind::Immediate8to16
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32to64 => Operand::Constant(self.i.immediate(n)),
            _ => return None,
        })
    }
}

fn is_high(register: Register) -> bool {
    matches!(register, Register::AH | Register::BH | Register::CH | Register::DH)
}

fn is_conditional_move(mnemonic: Mnemonic) -> bool {
    let name = format!("{mnemonic:?}");
    name.starts_with("Cmov")
}

#[cfg(test)]
mod tests;
