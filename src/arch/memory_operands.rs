//! What memory an instruction accesses, in terms of its operands.

use super::memory_writes::register_value;
use super::preserved_registers::instruction;
use super::{Arch, MAX_INSTRUCTION, RunAddr};
use iced_x86::{InstructionInfoFactory, OpAccess, Register, UsedMemory};
use std::fmt::Write as _;

/// An access to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryAccess {
    /// The first byte.
    pub address: u64,
    /// How many; 0 if that is not known.
    pub size: u64,
    /// Whether it is read.
    pub reads: bool,
    /// Whether it is written.
    pub writes: bool,
    /// The operand: `[rax+rcx*8+0x18]`.
    pub operand: String,
    /// The registers in it with their values, base and index.
    pub registers: Vec<(String, u64)>,
    /// The value of its base register.
    pub base: Option<u64>,
}

/// Finds the accesses of the instruction that `code`, found at `at`, begins with, of which the addresses are known.
/// `register` has the registers in front of it.
pub fn accesses(arch: Arch, code: &[u8], at: RunAddr, register: &dyn Fn(&str) -> Option<u64>) -> Vec<MemoryAccess> {
    let bytes = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64);
    let Some(i) = bytes.and_then(|bytes| instruction(bytes, at.0)) else { return Vec::new() };
    let mut info = InstructionInfoFactory::new();
    info.info(&i).used_memory().iter().filter_map(|used| access(used, register)).collect()
}

fn access(used: &UsedMemory, register: &dyn Fn(&str) -> Option<u64>) -> Option<MemoryAccess> {
    let (reads, writes) = match used.access() {
        OpAccess::Read | OpAccess::CondRead => (true, false),
        OpAccess::Write | OpAccess::CondWrite => (false, true),
        OpAccess::ReadWrite | OpAccess::ReadCondWrite => (true, true),
        _ => return None,
    };
    if used.vsib_size() != 0 {
        return None;
    }
    let segment = match used.segment() {
        Register::FS => Some(("fs", register("fs_base")?)),
        Register::GS => Some(("gs", register("gs_base")?)),
        _ => None,
    };
    let address = used.virtual_address(0, |wanted, _, _| match wanted {
        Register::FS | Register::GS => segment.map(|(_, base)| base),
        Register::ES | Register::CS | Register::SS | Register::DS => Some(0),
        _ => register_value(wanted, register),
    })?;
    let (mut operand, mut registers, mut base) = (String::from("["), Vec::new(), None);
    for (named, scale) in [(used.base(), 1), (used.index(), used.scale())] {
        if named == Register::None {
            continue;
        }
        let (name, value) = (format!("{named:?}").to_lowercase(), register_value(named, register)?);
        if operand.len() > 1 {
            operand.push('+');
        }
        operand.push_str(&name);
        if scale != 1 {
            let _ = write!(operand, "*{scale}");
        }
        base = base.or_else(|| (named == used.base()).then_some(value));
        registers.push((name, value));
    }
    let displacement = used.displacement();
    if operand.len() == 1 {
        let _ = write!(operand, "{displacement:#x}");
    } else if (displacement as i64) < 0 {
        let _ = write!(operand, "-{:#x}", displacement.wrapping_neg());
    } else if displacement != 0 {
        let _ = write!(operand, "+{displacement:#x}");
    }
    operand.push(']');
    if let Some((name, value)) = segment {
        operand.insert_str(0, &format!("{name}:"));
        registers.push((format!("{name}_base"), value));
    }
    let size = u64::try_from(used.memory_size().size()).unwrap_or_default();
    Some(MemoryAccess { address, size, reads, writes, operand, registers, base })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn register(name: &str) -> Option<u64> {
        Some(match name {
            "rax" => 0,
            "rcx" => 3,
            "rdi" => 0x5000,
            "rsp" => 0x7000,
            "fs_base" => 0x10_0000,
            _ => return None,
        })
    }

    fn of(code: &[u8]) -> Vec<(u64, u64, bool, bool, String)> {
        let found = accesses(Arch::X86_64, code, RunAddr(0x1000), &register);
        found.into_iter().map(|a| (a.address, a.size, a.reads, a.writes, a.operand)).collect()
    }

    #[test]
    fn operands_are_told_with_their_parts() {
        // mov 0x18(%rax),%edx; mov %edx,-8(%rax,%rcx,4); addl $1,(%rdi); push %rax; mov %fs:0x28,%rax
        assert_eq!(of(&[0x8b, 0x50, 0x18]), [(0x18, 4, true, false, "[rax+0x18]".to_owned())]);
        let below = 4_u64.wrapping_mul(3).wrapping_sub(8);
        assert_eq!(of(&[0x89, 0x54, 0x88, 0xf8]), [(below, 4, false, true, "[rax+rcx*4-0x8]".to_owned())]);
        assert_eq!(of(&[0x83, 0x07, 1]), [(0x5000, 4, true, true, "[rdi]".to_owned())]);
        assert_eq!(of(&[0x50]).first().map(|a| (a.0, a.3)), Some((0x6ff8, true)));
        let tls = [0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0];
        assert_eq!(of(&tls), [(0x10_0028, 8, true, false, "fs:[0x28]".to_owned())]);
        // lea accesses nothing; of rbx nothing is known.
        assert!(of(&[0x48, 0x8d, 0x50, 0x18]).is_empty() && of(&[0x8b, 0x13]).is_empty());
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..20), at: u64, value: u64) {
            accesses(Arch::X86_64, &bytes, RunAddr(at), &|_| Some(value));
        }
    }
}
