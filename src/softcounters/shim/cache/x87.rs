//! What the x87 unit remembers of the last instruction, for a thread that executed it in the cache.
//!
//! The address (FIP) is that of the translation. The opcode (FOP) contains ModRM, of which the low bits are others
//! where an operand relative to rip was translated; processors remember it only for an exception that is not masked.

use super::insn::{Encoding, decode};

/// Returns what the program would find instead of the remembered opcode `opcode`, if the instruction whose address is
/// remembered is the one at the start of `code`.
pub fn program_opcode(code: &[u8], opcode: u16) -> u16 {
    /// ModRM.rm.
    const OPERAND: u16 = 7;
    let original = decode(code)
        .filter(|insn| insn.encoding == Encoding::Legacy && insn.map == 0 && insn.opcode & 0xf8 == 0xd8)
        .filter(|insn| insn.is_rip_relative())
        .and_then(|insn| Some(u16::from(insn.opcode & 7) << 8 | u16::from(insn.modrm?.1)));
    // No translation uses rax, but 0 is there before there was an exception.
    original.filter(|original| original & !OPERAND == opcode & !OPERAND && opcode & OPERAND != 0).unwrap_or(opcode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opcode_of_a_translated_operand_is_corrected() {
        let fsub = [0xd8, 0x25, 0x64, 0x53, 0x06, 0x00];
        assert_eq!(program_opcode(&fsub, 0x0026), 0x0025);
        assert_eq!(program_opcode(&fsub, 0x0024), 0x0025);
        assert_eq!(program_opcode(&fsub, 0), 0);
        let fadd = [0xd8, 0x05, 0x64, 0x53, 0x06, 0x00];
        assert_eq!(program_opcode(&fadd, 0), 0);
        assert_eq!(program_opcode(&fsub, 0x0126), 0x0126);
        assert_eq!(program_opcode(&[0xd8, 0x26], 0x0026), 0x0026);
        assert_eq!(program_opcode(&[0x90], 0x0026), 0x0026);
    }
}
