//! Code as only compilers write it that do not optimise: it stores a parameter on the stack, and never looks at it.

use super::preserved_registers::instruction;
use super::{Arch, MAX_INSTRUCTION, Program, RunAddr};
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

/// Instructions of one function that are looked at.
const MAX_INSTRUCTIONS: usize = 4_000;

/// Where on the stack a parameter is, of a scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// DWARF number of the register that it is counted from.
    pub register: u16,
    /// Bytes from there.
    pub offset: i64,
}

/// Returns whether the code from `start` to `end` stores a register in this slot, and does nothing else with it. Every
/// optimiser leaves such a store out; it is there for debuggers.
pub fn stores_in_vain(arch: Arch, (start, end): (RunAddr, RunAddr), slot: Slot, program: &mut dyn Program) -> bool {
    let base = match slot.register {
        6 => Register::RBP,
        7 => Register::RSP,
        _ => return false,
    };
    if arch != Arch::X86_64 {
        return false;
    }
    let mut info = InstructionInfoFactory::new();
    let (mut at, mut is_stored, mut is_begun) = (start.0, false, false);
    for _ in 0..MAX_INSTRUCTIONS {
        if at >= end.0 {
            return is_stored;
        }
        let bytes = program.code(RunAddr(at));
        let Some(next) = bytes.get(..MAX_INSTRUCTION.min(bytes.len())).and_then(|code| instruction(code, at)) else {
            return false;
        };
        let is_push = next.mnemonic() == Mnemonic::Push;
        match touch(&next, base, slot.offset, &mut info) {
            Touch::Not => {}
            Touch::Store => is_stored = true,
            Touch::Other => return false,
        }
        // Later on, pushing moves what the slot is counted from.
        if is_push && is_begun {
            return false;
        }
        is_begun |= !is_push;
        at = next.next_ip();
    }
    false
}

enum Touch {
    Not,
    Store,
    Other,
}

/// Returns what an instruction does with the slot, or with its address.
fn touch(i: &Instruction, base: Register, offset: i64, info: &mut InstructionInfoFactory) -> Touch {
    let copies_base = i.op_count() > 1 && i.op1_kind() == OpKind::Register && i.op1_register() == base;
    if copies_base {
        return Touch::Other;
    }
    if i.mnemonic() == Mnemonic::Lea && i.memory_base() == base {
        let to = (i.memory_displacement64() as i64).wrapping_sub(offset);
        return if (0..8).contains(&to) { Touch::Other } else { Touch::Not };
    }
    let is_implied = matches!(i.mnemonic(), Mnemonic::Push | Mnemonic::Pop | Mnemonic::Call | Mnemonic::Ret);
    for memory in info.info(i).used_memory() {
        // The stack pointer's own uses are below or above the slots.
        if memory.base() != base || is_implied && i.memory_base() != base {
            continue;
        }
        let from = (memory.displacement() as i64).wrapping_sub(offset);
        let size = memory.memory_size().size() as i64;
        if from >= 8 || from.saturating_add(size.max(1)) <= 0 {
            continue;
        }
        let is_store = memory.access() == OpAccess::Write
            && memory.index() == Register::None
            && from == 0
            && i.op0_kind() == OpKind::Memory
            && i.op1_kind() == OpKind::Register;
        // Smaller parameters have neighbours.
        if !is_store && from > 0 && memory.access() == OpAccess::Write {
            continue;
        }
        return if is_store { Touch::Store } else { Touch::Other };
    }
    Touch::Not
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{Bytes, CODE};
    use proptest::prelude::*;

    fn in_vain(code: &[u8], offset: i64) -> bool {
        let end = RunAddr(CODE + code.len() as u64);
        stores_in_vain(Arch::X86_64, (RunAddr(CODE), end), Slot { register: 7, offset }, &mut Bytes(code))
    }

    /// Returns a function: sub $0x18,%rsp; mov %rdi,8(%rsp); …; add $0x18,%rsp; ret
    fn function(middle: &[u8]) -> Vec<u8> {
        let head = [0x48, 0x83, 0xec, 0x18, 0x48, 0x89, 0x7c, 0x24, 0x08];
        [&head[..], middle, &[0x48, 0x83, 0xc4, 0x18, 0xc3]].concat()
    }

    #[test]
    fn a_slot_that_is_only_stored_to_is_for_debuggers() {
        assert!(in_vain(&function(&[]), 8));
        // mov %rdi,%rax; call
        assert!(in_vain(&function(&[0x48, 0x89, 0xf8, 0xe8, 0, 1, 0, 0]), 8));
        // lea 16(%rsp),%rax; mov (%rsp),%rcx
        assert!(in_vain(&function(&[0x48, 0x8d, 0x44, 0x24, 0x10, 0x48, 0x8b, 0x0c, 0x24]), 8));
        // Nothing is stored there.
        assert!(!in_vain(&function(&[]), 16));
    }

    #[test]
    fn a_slot_that_is_looked_at_may_be_needed() {
        // mov 8(%rsp),%rax; lea 8(%rsp),%rax; mov %rsp,%rax; push %rax
        for middle in
            [&[0x48, 0x8b, 0x44, 0x24, 0x08][..], &[0x48, 0x8d, 0x44, 0x24, 0x08], &[0x48, 0x89, 0xe0], &[0x50]]
        {
            assert!(!in_vain(&function(middle), 8), "{middle:x?}");
        }
        // mov 4(%rsp),%rax covers half of it.
        assert!(!in_vain(&function(&[0x48, 0x8b, 0x44, 0x24, 0x04]), 8));
    }

    proptest! {
        #[test]
        fn any_code_comes_to_an_end(code in prop::collection::vec(any::<u8>(), 0..400), offset in any::<i64>()) {
            let _ = in_vain(&code, offset);
        }
    }
}
