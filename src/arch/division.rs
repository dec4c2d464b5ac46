//! What an instruction divides by.

use super::memory_operands::accesses;
use super::memory_writes::register_value;
use super::preserved_registers::instruction;
use super::{Arch, MAX_INSTRUCTION, RunAddr};
use iced_x86::{Mnemonic, OpKind};

/// The operand that a division of whole numbers divides by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divisor {
    /// `ecx`, `[rbp-0x8]`.
    pub operand: String,
    /// `Ok` is its value, `Err` where in memory that is.
    pub value: Result<u64, u64>,
    /// How many bytes it has.
    pub size: usize,
    /// Whether it divides signed numbers.
    pub is_signed: bool,
}

/// Finds what the instruction divides by that `code`, found at `at`, begins with, if it divides whole numbers.
/// `register` has the registers in front of it.
pub fn divisor(arch: Arch, code: &[u8], at: RunAddr, register: &dyn Fn(&str) -> Option<u64>) -> Option<Divisor> {
    let bytes = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64)?;
    let i = instruction(bytes, at.0)?;
    let is_signed = match i.mnemonic() {
        Mnemonic::Div => false,
        Mnemonic::Idiv => true,
        _ => return None,
    };
    Some(match i.op0_kind() {
        OpKind::Register => {
            let named = i.op0_register();
            let operand = format!("{named:?}").to_lowercase();
            Divisor { operand, value: Ok(register_value(named, register)?), size: named.size(), is_signed }
        }
        _ => {
            let access = accesses(arch, code, at, register).into_iter().find(|access| access.reads)?;
            let size = usize::try_from(access.size).ok().filter(|size| (1..=8).contains(size))?;
            Divisor { operand: access.operand, value: Err(access.address), size, is_signed }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(code: &[u8]) -> Option<(String, Result<u64, u64>, usize, bool)> {
        let register = |name: &str| match name {
            "rcx" => Some(0xffff_ffff_0000_0000),
            "rbp" => Some(0x7000),
            _ => None,
        };
        divisor(Arch::X86_64, code, RunAddr(0x1000), &register).map(|d| (d.operand, d.value, d.size, d.is_signed))
    }

    #[test]
    fn divisors_are_registers_or_memory() {
        // idiv %ecx; div %rcx; idivl -8(%rbp); div %ch; mul %ecx
        assert_eq!(of(&[0xf7, 0xf9]), Some(("ecx".to_owned(), Ok(0), 4, true)));
        assert_eq!(of(&[0x48, 0xf7, 0xf1]), Some(("rcx".to_owned(), Ok(0xffff_ffff_0000_0000), 8, false)));
        assert_eq!(of(&[0xf7, 0x7d, 0xf8]), Some(("[rbp-0x8]".to_owned(), Err(0x6ff8), 4, true)));
        assert_eq!(of(&[0xf6, 0xf5]), Some(("ch".to_owned(), Ok(0), 1, false)));
        assert_eq!((of(&[0xf7, 0xe1]), of(&[0xf7, 0xfb]), of(&[])), (None, None, None));
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..20), at: u64, value: u64) {
            divisor(Arch::X86_64, &bytes, RunAddr(at), &|_| Some(value));
        }
    }
}
