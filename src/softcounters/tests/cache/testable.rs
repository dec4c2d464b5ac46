//! Which code can be compared with its translation.

use crate::shim::cache::insn::{MAX_LENGTH, decode};

/// Whether all instructions do the same each time, and none lets the processor single-step.
pub fn is_testable(code: &[u8]) -> bool {
    let mut at = 0;
    while let Some(insn) = code.get(at..).and_then(decode) {
        let is_popf = insn.map == 0 && insn.opcode == 0x9d;
        let is_rdtscp = insn.opcode == 0x01 && insn.modrm.is_some_and(|(_, modrm)| modrm == 0xf9);
        let is_rdrand = insn.opcode == 0xc7 && !insn.has_memory();
        let is_random = insn.map == 1 && (is_rdtscp || is_rdrand || matches!(insn.opcode, 0x31 | 0xa2));
        if is_popf || is_random {
            return false;
        }
        at += usize::from(insn.length);
    }
    at + MAX_LENGTH >= code.len()
}
