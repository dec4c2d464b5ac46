//! What a single step leaves of itself.

use super::child::Child;
use crate::shim::cache::insn::Insn;

/// Whether it stores the flags, that of the step among them.
pub fn is_pushf(insn: &Insn) -> bool {
    insn.map == 0 && insn.opcode == 0x9c
}

/// Takes back what a single step of `pushf` shows.
pub fn clear_trap_flag(child: &mut Child) {
    let top = child.registers().rsp;
    child.memory_mut(top)[1] &= !1;
}
