//! Registers as a remote target describes them, and their DWARF numbers.

use super::{Arch, RunAddr};
use std::sync::Arc;

/// How the bytes of a register are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegisterKind {
    /// A little-endian integer.
    Integer,
    /// A code address.
    CodePointer,
    /// A data address.
    DataPointer,
    /// A set of flag bits (`eflags`, `cpsr`).
    Flags,
    /// An 80-bit x87 number.
    Float80,
    /// A vector register.
    Vector,
}

/// One register of a [`RegisterLayout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// The target's name for it: `rax`, `xmm0`, `x29`.
    pub name: String,
    /// The number that the `p` packet and agent expressions use.
    pub number: u32,
    /// Size in bytes.
    pub size: usize,
    /// Where it starts in the reply to the `g` packet, in bytes.
    pub offset: usize,
    /// How to read it.
    pub kind: RegisterKind,
}

/// The registers of a target, in the order of its `g` packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterLayout {
    /// The instruction set.
    pub arch: Arch,
    /// All registers, by rising offset.
    pub registers: Vec<Register>,
}

impl RegisterLayout {
    /// Finds the register with this name.
    pub fn find(&self, name: &str) -> Option<&Register> {
        self.registers.iter().find(|r| r.name == name)
    }

    /// Returns the length of the `g` reply in bytes.
    pub fn size(&self) -> usize {
        self.registers.iter().map(|r| r.offset + r.size).max().unwrap_or(0)
    }
}

/// The register values of one thread at one moment.
///
/// Two are equal if all are but the pointers to the last instruction of the x87 unit. A processor leaves these where the
/// code of that instruction was executed, and that may be a translated copy or the original, from one replay to the next.
#[derive(Clone, Debug)]
pub struct Registers {
    layout: Arc<RegisterLayout>,
    bytes: Vec<u8>,
    /// One flag a byte: false where the target said `xx`.
    known: Vec<bool>,
}

/// The registers of the x87 unit that only describe its last instruction: its address, operand and opcode (FXSAVE's FIP,
/// FDP and FOP).
const LAST_X87_INSTRUCTION: [&str; 5] = ["fiseg", "fioff", "foseg", "fooff", "fop"];

impl PartialEq for Registers {
    fn eq(&self, other: &Self) -> bool {
        if self.layout != other.layout || (&self.bytes, &self.known) == (&other.bytes, &other.known) {
            return self.layout == other.layout;
        }
        let compared = |register: &&Register| !LAST_X87_INSTRUCTION.contains(&&*register.name);
        self.layout.registers.iter().filter(compared).all(|register| {
            let range = register.offset..register.offset + register.size;
            self.bytes.get(range.clone()) == other.bytes.get(range.clone())
                && self.known.get(range.clone()) == other.known.get(range)
        })
    }
}

impl Eq for Registers {}

impl Registers {
    /// Creates the values from a decoded `g` reply: `None` for each byte that the target gave as `xx`. A short reply
    /// leaves the registers past its end unavailable.
    pub fn new(layout: Arc<RegisterLayout>, reply: &[Option<u8>]) -> Self {
        let size = layout.size();
        let at = |i: usize| reply.get(i).copied().flatten();
        let bytes = (0..size).map(|i| at(i).unwrap_or(0)).collect();
        let known = (0..size).map(|i| at(i).is_some()).collect();
        Self { layout, bytes, known }
    }

    /// Returns the description of these registers.
    pub fn layout(&self) -> &Arc<RegisterLayout> {
        &self.layout
    }

    /// Returns the bytes of a register in target order, or `None` if there is no such register or its value is
    /// unavailable.
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        let r = self.layout.find(name)?;
        let range = r.offset..r.offset + r.size;
        self.known[range.clone()].iter().all(|k| *k).then(|| &self.bytes[range])
    }

    /// Returns the value of a register of at most 8 bytes, zero-extended.
    pub fn value(&self, name: &str) -> Option<u64> {
        let bytes = self.bytes(name)?;
        let mut wide = [0u8; 8];
        wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(u64::from_le_bytes(wide))
    }

    /// Clears the resume flag of `eflags`. The processor sets it when an instruction faults; a program does not see it,
    /// and a target tells it or not, depending on how it has come to the moment.
    pub fn clear_resume_flag(&mut self) {
        /// The byte of the register that has the flag, and the flag in it: bit 16 of all.
        const RESUME_FLAG: (usize, u8) = (2, 1);
        let (byte, flag) = RESUME_FLAG;
        let at = self.layout.find("eflags").filter(|r| r.size > byte).map(|r| r.offset + byte);
        if let Some(bits) = at.and_then(|at| self.bytes.get_mut(at)) {
            *bits &= !flag;
        }
    }

    /// Returns the program counter.
    pub fn pc(&self) -> Option<RunAddr> {
        self.value(self.layout.arch.pc_name()).map(RunAddr)
    }

    /// Returns the stack pointer.
    pub fn sp(&self) -> Option<u64> {
        self.value(self.layout.arch.sp_name())
    }

    /// Returns the value of the register with a DWARF number, zero-extended to 64 bits.
    pub fn dwarf(&self, number: u16) -> Option<u64> {
        self.value(self.layout.arch.dwarf_register(number)?)
    }
}

/// DWARF numbers 0–16 of the System V x86-64 psABI (figure 3.36).
const X86_64_GENERAL: [&str; 17] = [
    "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
];
const X86_64_XMM: [&str; 32] = [
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
    "xmm14", "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
    "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31",
];
const X86_64_MASK: [&str; 8] = ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"];
const X86_64_ST: [&str; 8] = ["st0", "st1", "st2", "st3", "st4", "st5", "st6", "st7"];
const AARCH64_GENERAL: [&str; 32] = [
    "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
    "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",
];
const AARCH64_VECTOR: [&str; 32] = [
    "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17",
    "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31",
];

impl Arch {
    /// Returns the name of the program counter.
    pub fn pc_name(self) -> &'static str {
        match self {
            Self::X86_64 => "rip",
            Self::Aarch64 => "pc",
        }
    }

    /// Returns the name of the stack pointer.
    pub fn sp_name(self) -> &'static str {
        match self {
            Self::X86_64 => "rsp",
            Self::Aarch64 => "sp",
        }
    }

    /// Returns the register that a DWARF number means (psABI x86-64 figure 3.36; DWARF for the Arm 64-bit Architecture
    /// §4.1).
    pub fn dwarf_register(self, number: u16) -> Option<&'static str> {
        let n = usize::from(number);
        match self {
            Self::X86_64 => match n {
                0..=16 => Some(X86_64_GENERAL[n]),
                17..=32 => Some(X86_64_XMM[n - 17]),
                33..=40 => Some(X86_64_ST[n - 33]),
                49 => Some("eflags"),
                58 => Some("fs_base"),
                59 => Some("gs_base"),
                67..=82 => Some(X86_64_XMM[n - 67 + 16]),
                118..=125 => Some(X86_64_MASK[n - 118]),
                _ => None,
            },
            Self::Aarch64 => match n {
                0..=31 => Some(AARCH64_GENERAL[n]),
                32 => Some("pc"),
                64..=95 => Some(AARCH64_VECTOR[n - 64]),
                _ => None,
            },
        }
    }

    /// Returns the register that GDB's names for all architectures (`pc`, `sp`, `fp`) mean here; other names mean
    /// themselves.
    pub fn register_alias(self, name: &str) -> &str {
        match name {
            "pc" => self.pc_name(),
            "sp" => self.sp_name(),
            "fp" => self.dwarf_register(self.dwarf_fp()).unwrap_or(name),
            other => other,
        }
    }

    /// Returns the DWARF number of the stack pointer.
    pub fn dwarf_sp(self) -> u16 {
        match self {
            Self::X86_64 => 7,
            Self::Aarch64 => 31,
        }
    }

    /// Returns the DWARF number of the frame pointer.
    pub fn dwarf_fp(self) -> u16 {
        match self {
            Self::X86_64 => 6,
            Self::Aarch64 => 29,
        }
    }

    /// Returns the DWARF registers that a callee must preserve, besides the stack pointer.
    pub fn callee_saved(self) -> &'static [u16] {
        match self {
            Self::X86_64 => &[3, 6, 12, 13, 14, 15],
            Self::Aarch64 => &[19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_to_the_last_instruction_of_the_x87_unit_are_not_compared() {
        let register = |name: &str, number: u32| Register {
            name: name.to_owned(),
            number,
            size: 4,
            offset: 4 * number as usize,
            kind: RegisterKind::Integer,
        };
        let registers = vec![register("rax", 0), register("fioff", 1), register("fstat", 2)];
        let layout = Arc::new(RegisterLayout { arch: Arch::X86_64, registers });
        let of = |values: [u8; 3]| {
            let bytes: Vec<_> = values.iter().flat_map(|value| [Some(*value); 4]).collect();
            Registers::new(layout.clone(), &bytes)
        };
        assert_eq!(of([1, 2, 3]), of([1, 9, 3]));
        assert_ne!(of([1, 2, 3]), of([8, 2, 3]));
        assert_ne!(of([1, 2, 3]), of([1, 2, 7]));
        let unavailable = Registers::new(layout.clone(), &[Some(1); 4]);
        assert_ne!(of([1, 2, 3]), unavailable);
    }
}
