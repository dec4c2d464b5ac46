//! Whether a function returns the pointer that it was given first, whatever way it goes.
//!
//! A large value is put where the caller says, and most compilers have the function return that address, too. Where
//! nothing promises it, the function's own code tells: the address comes in rdi, is kept somewhere, and is in rax at
//! each return, or it is not known to be.

use super::data_flow::{Analysis, at_returns};
use super::tracked_values::{Held, RAX, RSP, TrackedValues};
use super::{Arch, Program, RunAddr};
use iced_x86::{Instruction, InstructionInfoFactory};

/// Finds out whether the function at `entry` returns in rax what it is given in rdi. `is_own` tells its code from
/// others'. False if that cannot be told: it jumps to another function, or where a register says, or is too long.
pub fn gives_back_first(
    arch: Arch,
    entry: RunAddr,
    is_own: &dyn Fn(RunAddr) -> bool,
    program: &mut dyn Program,
) -> bool {
    if arch != Arch::X86_64 {
        return false;
    }
    let mut follow = Follow(InstructionInfoFactory::new());
    let returns = at_returns(&mut follow, entry.0, TrackedValues::at_entry(), is_own, program).unwrap_or_default();
    let gives = |state: &TrackedValues| state.registers[RAX] == Held::Given && state.registers[RSP] == Held::Stack(0);
    !returns.is_empty() && returns.iter().all(gives)
}

/// The analysis that follows the address.
struct Follow(InstructionInfoFactory);

impl Analysis for Follow {
    type State = TrackedValues;

    fn meet(one: &TrackedValues, other: &TrackedValues) -> TrackedValues {
        one.meet(other)
    }

    fn step(&mut self, state: &mut TrackedValues, instruction: &Instruction) {
        state.step(instruction, &mut self.0);
    }

    fn leave(&mut self, _state: &TrackedValues) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{Bytes, CODE};
    use proptest::prelude::*;

    fn gives(code: &[u8]) -> bool {
        let end = CODE + code.len() as u64;
        gives_back_first(Arch::X86_64, RunAddr(CODE), &|at| (CODE..end).contains(&at.0), &mut Bytes(code))
    }

    #[test]
    fn the_address_may_be_kept_in_a_register_or_on_the_stack() {
        // mov %rdi,%rax; movq $2,8(%rdi); ret
        assert!(gives(&[0x48, 0x89, 0xf8, 0x48, 0xc7, 0x47, 0x08, 2, 0, 0, 0, 0xc3]));
        // push %rbx; mov %rdi,%rbx; call; mov %rbx,%rax; pop %rbx; ret
        assert!(gives(&[0x53, 0x48, 0x89, 0xfb, 0xe8, 0, 1, 0, 0, 0x48, 0x89, 0xd8, 0x5b, 0xc3]));
        // sub $0x18,%rsp; mov %rdi,8(%rsp); call; mov 8(%rsp),%rax; add $0x18,%rsp; ret
        let head = [0x48, 0x83, 0xec, 0x18, 0x48, 0x89, 0x7c, 0x24, 0x08, 0xe8, 0, 1, 0, 0];
        let tail = [0x48, 0x8b, 0x44, 0x24, 0x08, 0x48, 0x83, 0xc4, 0x18, 0xc3];
        assert!(gives(&[&head[..], &tail].concat()));
        // movl $1,12(%rsp) in between.
        assert!(!gives(&[&head[..], &[0xc7, 0x44, 0x24, 0x0c, 1, 0, 0, 0], &tail].concat()));
    }

    #[test]
    fn every_way_has_to_return_it() {
        // mov %rdi,%rax; test %esi,%esi; je 1; ret; ret
        assert!(gives(&[0x48, 0x89, 0xf8, 0x85, 0xf6, 0x74, 0x01, 0xc3, 0xc3]));
        // … xor %eax,%eax on one way.
        assert!(!gives(&[0x48, 0x89, 0xf8, 0x85, 0xf6, 0x74, 0x02, 0x31, 0xc0, 0xc3]));
        // ret; mov %rdi,%rax; call; ret; a jump out of it, a jump anywhere, and no return at all.
        assert!(!gives(&[0xc3]));
        assert!(!gives(&[0x48, 0x89, 0xf8, 0xe8, 0, 1, 0, 0, 0xc3]));
        assert!(!gives(&[0x48, 0x89, 0xf8, 0xe9, 0, 1, 0, 0]));
        assert!(!gives(&[0x48, 0x89, 0xf8, 0xff, 0xe1]));
        assert!(!gives(&[0xeb, 0xfe]));
        // mov %rdi,%rax; test %esi,%esi; je 1; ret; a call that does not return, at the end.
        assert!(gives(&[0x48, 0x89, 0xf8, 0x85, 0xf6, 0x74, 0x01, 0xc3, 0xe8, 0, 1, 0, 0]));
        // mov %edi,%eax; ret
        assert!(!gives(&[0x89, 0xf8, 0xc3]));
    }

    proptest! {
        #[test]
        fn any_code_comes_to_an_end(code in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = gives(&code);
        }
    }
}
