//! Whether a function really returns something in a register.
//!
//! An optimiser that knows all callers of a function leaves out what they need not be told, as what is alike in all
//! calls; the debug info still says what the source does. It leaves it out at all returns or at none. So one proof is
//! enough: an instruction that sets the register, before a return, and does nothing else that anybody could look at.
//! An optimiser leaves no such instruction in, unless its result is what is returned.

use super::data_flow::{Analysis, at_returns};
use super::preserved_registers::is_call;
use super::{Arch, Program, RunAddr};
use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, RflagsBits};
use std::collections::BTreeSet;

/// The registers that values are returned in.
pub(super) const REGISTERS: [(&str, Register); 4] =
    [("rax", Register::RAX), ("rdx", Register::RDX), ("xmm0", Register::ZMM0), ("xmm1", Register::ZMM1)];
/// Among what is kept book of, behind the registers.
const FLAGS: usize = REGISTERS.len();
/// What comparisons and computations leave.
const STATUS: u32 = RflagsBits::OF | RflagsBits::SF | RflagsBits::ZF | RflagsBits::CF;

/// Finds out whether the function at `entry` sets each of these registers in order to return it. `is_own` tells its
/// code from others'. False if that cannot be told.
pub fn sets_for_return(
    arch: Arch,
    entry: RunAddr,
    wanted: &[&str],
    is_own: &dyn Fn(RunAddr) -> bool,
    program: &mut dyn Program,
) -> bool {
    if arch != Arch::X86_64 {
        return false;
    }
    let mut uses = Uses { info: InstructionInfoFactory::new(), used: BTreeSet::new() };
    let Some(returns) = at_returns(&mut uses, entry.0, Setters::default(), is_own, program) else { return false };
    wanted.iter().all(|name| {
        let n = REGISTERS.iter().position(|(known, _)| known == name);
        n.is_some_and(|n| returns.iter().any(|setters| setters[n].iter().any(|at| !uses.used.contains(at))))
    })
}

/// For each register and the flags, the instructions that may have set it, and do nothing else.
type Setters = [BTreeSet<u64>; REGISTERS.len() + 1];

struct Uses {
    info: InstructionInfoFactory,
    /// The instructions whose results something else looks at.
    used: BTreeSet<u64>,
}

impl Analysis for Uses {
    type State = Setters;

    /// Joins two states to what may be so on either way.
    fn meet(one: &Setters, other: &Setters) -> Setters {
        let mut both = one.clone();
        for (setters, more) in both.iter_mut().zip(other) {
            setters.extend(more);
        }
        both
    }

    fn step(&mut self, setters: &mut Setters, i: &Instruction) {
        if is_call(i) {
            // The callee may look at any, and changes them.
            self.leave(setters);
            *setters = Setters::default();
            return;
        }
        if i.rflags_read() != 0 {
            self.used.extend(&setters[FLAGS]);
        }
        let info = self.info.info(i);
        let does_write =
            |access: OpAccess| !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
        let mut written = BTreeSet::new();
        for register in info.used_registers() {
            let full = register.register().full_register();
            if register.access() != OpAccess::Write
                && let Some(n) = number(full)
            {
                self.used.extend(&setters[n]);
            }
            if does_write(register.access()) {
                written.insert(full as u32);
            }
        }
        let is_pure = written.len() == 1
            && i.op0_kind() == OpKind::Register
            && written.contains(&(i.op0_register().full_register() as u32))
            && !is_stack_address(i)
            && !info.used_memory().iter().any(|memory| does_write(memory.access()));
        for (n, (_, register)) in REGISTERS.iter().enumerate() {
            if written.contains(&(*register as u32)) {
                setters[n].clear();
                if is_pure {
                    setters[n].insert(i.ip());
                }
            }
        }
        if i.rflags_modified() & STATUS == STATUS {
            setters[FLAGS].clear();
        }
        if i.rflags_modified() != 0 {
            setters[FLAGS].insert(i.ip());
        }
    }

    fn leave(&mut self, setters: &Setters) -> bool {
        self.used.extend(setters.iter().flatten());
        true
    }
}

/// Returns whether an instruction computes an address on the stack. None is returned, and `std::hint::black_box` looks
/// at one without any instruction.
fn is_stack_address(i: &Instruction) -> bool {
    match i.mnemonic() {
        Mnemonic::Lea => i.memory_base() == Register::RSP || i.memory_base() == Register::RBP,
        Mnemonic::Mov => i.op1_kind() == OpKind::Register && i.op1_register() == Register::RSP,
        _ => false,
    }
}

fn number(full: Register) -> Option<usize> {
    REGISTERS.iter().position(|(_, register)| *register == full)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{Bytes, CODE};
    use proptest::prelude::*;

    fn sets(code: &[u8], wanted: &[&str]) -> bool {
        let end = CODE + code.len() as u64;
        let is_own = |at: RunAddr| (CODE..end).contains(&at.0);
        sets_for_return(Arch::X86_64, RunAddr(CODE), wanted, &is_own, &mut Bytes(code))
    }

    #[test]
    fn what_nothing_else_looks_at_is_returned() {
        // mov $7,%eax; ret
        assert!(sets(&[0xb8, 7, 0, 0, 0, 0xc3], &["rax"]));
        assert!(!sets(&[0xb8, 7, 0, 0, 0, 0xc3], &["rax", "rdx"]));
        // mov $7,%eax; mov %rdi,%rdx; ret
        assert!(sets(&[0xb8, 7, 0, 0, 0, 0x48, 0x89, 0xfa, 0xc3], &["rax", "rdx"]));
        // movsd (%rdi),%xmm0; ret
        assert!(sets(&[0xf2, 0x0f, 0x10, 0x07, 0xc3], &["xmm0"]));
        // call; ret on one way, xor %eax,%eax; ret on the other.
        assert!(sets(&[0x85, 0xff, 0x74, 0x06, 0xe8, 0, 1, 0, 0, 0xc3, 0x31, 0xc0, 0xc3], &["rax"]));
    }

    #[test]
    fn what_may_be_left_over_is_not() {
        // ret; call; ret; pop %rax; ret
        assert!(!sets(&[0xc3], &["rax"]));
        assert!(!sets(&[0xe8, 0, 1, 0, 0, 0xc3], &["rax"]));
        assert!(!sets(&[0x58, 0xc3], &["rax"]));
        // lea -8(%rsp),%rax; mov %rax,(%rdi); ret
        assert!(!sets(&[0x48, 0x8d, 0x44, 0x24, 0xf8, 0x48, 0x89, 0x07, 0xc3], &["rax"]));
        // mov $7,%eax; test %edi,%edi; je ret; mov %eax,(%rdi); ret
        assert!(!sets(&[0xb8, 7, 0, 0, 0, 0x85, 0xff, 0x74, 0x02, 0x89, 0x07, 0xc3], &["rax"]));
        // mov $7,%edx; test %edi,%edi; je ret; call; ret
        assert!(!sets(&[0xba, 7, 0, 0, 0, 0x85, 0xff, 0x74, 0x05, 0xe8, 0, 1, 0, 0, 0xc3], &["rdx"]));
        // add %rdi,%rax; jc 0; ret
        assert!(!sets(&[0x48, 0x01, 0xf8, 0x72, 0x00, 0xc3], &["rax"]));
        // div %rsi; ret: one of its two results may be the one that counts.
        assert!(!sets(&[0x48, 0xf7, 0xf6, 0xc3], &["rdx"]));
        // lea 8(%rsp),%rax; ret
        assert!(!sets(&[0x48, 0x8d, 0x44, 0x24, 0x08, 0xc3], &["rax"]));
        // mov $7,%eax; jmp *%rcx
        assert!(!sets(&[0xb8, 7, 0, 0, 0, 0xff, 0xe1], &["rax"]));
    }

    proptest! {
        #[test]
        fn any_code_comes_to_an_end(code in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = sets(&code, &["rax", "rdx", "xmm0", "xmm1"]);
        }
    }
}
