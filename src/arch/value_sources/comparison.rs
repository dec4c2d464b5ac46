//! What instructions compare whose flags others use.

use super::{Asked, Operand, Written};
use crate::preserved_registers::instruction;
use crate::{Arch, MAX_INSTRUCTION, RunAddr};
use iced_x86::Mnemonic;

/// What an instruction compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// `cmp`
    pub mnemonic: String,
    /// The first with the second.
    pub operands: [Operand; 2],
    /// They are floating-point numbers.
    pub of_floats: bool,
}

/// Returns what the instruction at the beginning of `code` compares; `None`: it is no instruction that only compares.
pub fn comparison(arch: Arch, code: &[u8], at: RunAddr) -> Option<Comparison> {
    let bytes = code.get(..MAX_INSTRUCTION.min(code.len())).filter(|_| arch == Arch::X86_64)?;
    let i = instruction(bytes, at.0)?;
    let of_floats = match i.mnemonic() {
        Mnemonic::Cmp | Mnemonic::Test => false,
        Mnemonic::Comiss | Mnemonic::Comisd | Mnemonic::Ucomiss | Mnemonic::Ucomisd => true,
        Mnemonic::Vcomiss | Mnemonic::Vcomisd | Mnemonic::Vucomiss | Mnemonic::Vucomisd => true,
        _ => return None,
    };
    let asked = Asked { i, to: Written::Memory, offset: 0, length: 0 };
    let (first, second) = (asked.operand(0)?, asked.operand(1)?);
    let low = |operand| match operand {
        // Of a vector register, the number is at its beginning.
        Operand::Register { number, offset, .. } if of_floats => {
            Operand::Register { number, offset, size: float_size(i.mnemonic()) }
        }
        other => other,
    };
    Some(Comparison { mnemonic: asked.mnemonic(), operands: [low(first), low(second)], of_floats })
}

/// Returns how many bytes the numbers have that are compared.
const fn float_size(mnemonic: Mnemonic) -> usize {
    match mnemonic {
        Mnemonic::Comiss | Mnemonic::Ucomiss | Mnemonic::Vcomiss | Mnemonic::Vucomiss => 4,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_name_both_sides() {
        let compared = |code: &[u8]| comparison(Arch::X86_64, code, RunAddr(0x1000));
        let register = |number, size| Operand::Register { number, offset: 0, size };
        let told = |mnemonic: &str, operands, of_floats| {
            Some(Comparison { mnemonic: mnemonic.to_owned(), operands, of_floats })
        };
        // cmp %edx,%eax; cmpl $7,-4(%rbp); test %rax,%rax; ucomisd %xmm1,%xmm0; sub %edx,%eax
        assert_eq!(compared(&[0x39, 0xd0]), told("cmp", [register(0, 4), register(1, 4)], false));
        let memory = Operand::Memory { offset: 0, size: 4 };
        assert_eq!(compared(&[0x83, 0x7d, 0xfc, 7]), told("cmp", [memory, Operand::Constant(7)], false));
        assert_eq!(compared(&[0x48, 0x85, 0xc0]), told("test", [register(0, 8), register(0, 8)], false));
        assert_eq!(compared(&[0x66, 0x0f, 0x2e, 0xc1]), told("ucomisd", [register(17, 8), register(18, 8)], true));
        assert_eq!(compared(&[0x29, 0xd0]), None);
        assert_eq!(compared(&[]), None);
    }
}
