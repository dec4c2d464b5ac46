//! Which registers a function has not written to on its way, whatever way that was.
//!
//! The rules of unwinding say nothing of registers that a callee may overwrite: in an outer frame they are lost. But
//! many callees have not, and never in their first instructions: the code between the call's target and the place where
//! the callee is tells. All ways through it count, so this is right without knowing which one was taken.

use super::return_emulation::number;
use super::{Arch, MAX_INSTRUCTION, Program, RunAddr};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess, Register};
use std::collections::HashMap;

/// Instructions that are looked at, on all ways together.
const MAX_INSTRUCTIONS: usize = 2_000;

/// DWARF number of xmm0 (System V ABI for AMD64, figure 3.36); fifteen others follow.
const XMM0: u32 = 17;

/// A set of registers by DWARF number: the general ones, and the vector registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Untouched(u64);

impl Untouched {
    /// Returns whether a register is untouched.
    pub fn contains(self, number: u16) -> bool {
        1u64.checked_shl(u32::from(number)).is_some_and(|bit| self.0 & bit != 0)
    }
}

/// Where a frame is in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Before this instruction.
    Before(RunAddr),
    /// Before the instruction that this address is in: its first, or any other byte.
    At(RunAddr),
    /// In the call that returns here.
    Returning(RunAddr),
}

/// Finds the function that the call before a return address has called, if the call names it.
pub fn direct_call(arch: Arch, ret: RunAddr, program: &mut dyn Program) -> Option<RunAddr> {
    /// `call rel32`.
    const LENGTH: u64 = 5;
    if arch != Arch::X86_64 {
        return None;
    }
    let at = ret.0.checked_sub(LENGTH)?;
    let call = instruction(&program.code(RunAddr(at)), at)?;
    let is_it = call.is_call_near() && call.next_ip() == ret.0;
    is_it.then(|| RunAddr(call.near_branch_target()))
}

/// Finds what a function has left as it was, from its entry to where it is. None of the registers if that cannot be
/// told: it has made another call, its code goes where a register says, or is too long.
pub fn untouched(arch: Arch, entry: RunAddr, reached: Reached, program: &mut dyn Program) -> Untouched {
    certainly_untouched(arch, entry, reached, program).unwrap_or_default()
}

/// As [`untouched`]; `None` if the function's code cannot be followed.
pub fn certainly_untouched(
    arch: Arch,
    entry: RunAddr,
    reached: Reached,
    program: &mut dyn Program,
) -> Option<Untouched> {
    match arch {
        Arch::X86_64 => walk(entry, reached, program),
        Arch::Aarch64 => None,
    }
}

fn walk(entry: RunAddr, reached: Reached, program: &mut dyn Program) -> Option<Untouched> {
    let code = Code::follow(entry.0, program)?;
    let here = code.instructions.iter().position(|i| match reached {
        Reached::Before(pc) => i.ip() == pc.0,
        Reached::At(pc) => (i.ip()..i.next_ip()).contains(&pc.0),
        Reached::Returning(ret) => i.next_ip() == ret.0 && is_call(i),
    })?;
    let mut info = InstructionInfoFactory::new();
    let mut kept = Untouched(u64::from(u16::MAX) | u64::from(u16::MAX) << XMM0);
    for executed in code.before(here) {
        let instruction = &code.instructions[executed];
        if is_call(instruction) {
            return Some(Untouched::default());
        }
        for used in info.info(instruction).used_registers() {
            let is_read = matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
            if !is_read && let Some(bit) = bit(used.register()) {
                kept.0 &= !bit;
            }
        }
    }
    Some(kept)
}

/// Returns whether an instruction is a call of a function, or of the kernel.
pub(super) fn is_call(instruction: &Instruction) -> bool {
    matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall | FlowControl::Interrupt)
}

fn bit(register: Register) -> Option<u64> {
    let number = match register.full_register() {
        vector if vector.is_zmm() => u32::try_from(vector.number()).ok().filter(|n| *n < 16).map(|n| n + XMM0),
        general => number(general).and_then(|n| u32::try_from(n).ok()),
    };
    number.map(|number| 1 << number)
}

pub(super) fn instruction(bytes: &[u8], at: u64) -> Option<Instruction> {
    let decoded = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode();
    (!decoded.is_invalid()).then_some(decoded)
}

/// All instructions that a function may come to.
#[derive(Default)]
struct Code {
    instructions: Vec<Instruction>,
    /// For each instruction, those that may come right before it.
    before: Vec<Vec<usize>>,
}

impl Code {
    fn follow(entry: u64, program: &mut dyn Program) -> Option<Self> {
        let mut code = Self::default();
        let mut known = HashMap::new();
        let mut open = vec![(entry, None)];
        while let Some((at, from)) = open.pop() {
            let index = match known.get(&at) {
                Some(index) => *index,
                None => {
                    let index = code.instructions.len();
                    if index == MAX_INSTRUCTIONS {
                        return None;
                    }
                    let bytes = program.code(RunAddr(at));
                    let decoded = instruction(bytes.get(..MAX_INSTRUCTION.min(bytes.len()))?, at)?;
                    known.insert(at, index);
                    open.extend(successors(&decoded)?.into_iter().flatten().map(|next| (next, Some(index))));
                    code.instructions.push(decoded);
                    code.before.push(Vec::new());
                    index
                }
            };
            code.before[index].extend(from);
        }
        Some(code)
    }

    /// Finds what may have been executed when the instruction at an index is about to be: itself only if it is in a
    /// loop.
    fn before(&self, index: usize) -> Vec<usize> {
        let mut is_met = vec![false; self.instructions.len()];
        let mut met = Vec::new();
        let mut open = vec![index];
        while let Some(at) = open.pop() {
            for &earlier in &self.before[at] {
                if !std::mem::replace(&mut is_met[earlier], true) {
                    met.push(earlier);
                    open.push(earlier);
                }
            }
        }
        met
    }
}

/// Returns where an instruction may go. `None`: anywhere.
pub(super) fn successors(instruction: &Instruction) -> Option<[Option<u64>; 2]> {
    let (next, target) = (instruction.next_ip(), instruction.near_branch_target());
    match instruction.flow_control() {
        FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall | FlowControl::Interrupt => {
            Some([Some(next), None])
        }
        FlowControl::ConditionalBranch => Some([Some(next), Some(target)]),
        FlowControl::UnconditionalBranch => Some([Some(target), None]),
        FlowControl::Return | FlowControl::Exception => Some([None, None]),
        FlowControl::IndirectBranch | FlowControl::XbeginXabortXend => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{Bytes, CODE};
    use proptest::prelude::*;

    /// Which of rax, rdx, rcx, rsi, rdi, xmm0 and xmm1 are as they were at the entry.
    fn kept(code: &[u8], reached: Reached) -> Vec<u16> {
        let found = untouched(Arch::X86_64, RunAddr(CODE), reached, &mut Bytes(code));
        [0, 1, 2, 4, 5, 17, 18].into_iter().filter(|number| found.contains(*number)).collect()
    }

    fn before(code: &[u8], offset: u64) -> Vec<u16> {
        kept(code, Reached::Before(RunAddr(CODE + offset)))
    }

    const NONE: [u16; 0] = [];
    const ALL: [u16; 7] = [0, 1, 2, 4, 5, 17, 18];

    #[test]
    fn what_is_written_on_the_way_is_touched() {
        // mov %edi,%eax; xor %cl,%cl; vaddss %xmm1,%xmm1,%xmm1; ret
        let code = [0x89, 0xf8, 0x30, 0xc9, 0xc5, 0xf2, 0x58, 0xc9, 0xc3];
        assert_eq!(before(&code, 0), ALL);
        assert_eq!(before(&code, 2), [1, 2, 4, 5, 17, 18]);
        assert_eq!(before(&code, 4), [1, 4, 5, 17, 18]);
        assert_eq!(before(&code, 8), [1, 4, 5, 17]);
        // Not an instruction of it.
        assert_eq!(before(&code, 1), NONE);
        assert_eq!(before(&code, 9), NONE);
    }

    #[test]
    fn loops_are_gone_through() {
        // nop; dec %edi; jne 0; mov %eax,%edx; ret
        let code = [0x90, 0xff, 0xcf, 0x75, 0xfb, 0x89, 0xc2, 0xc3];
        assert_eq!(before(&code, 0), [0, 1, 2, 4, 17, 18]);
        assert_eq!(before(&code, 5), [0, 1, 2, 4, 17, 18]);
    }

    #[test]
    fn calls_touch_everything_once_they_have_returned() {
        // mov %edi,%edx; call 1100; nop; ret
        let code = [0x89, 0xfa, 0xe8, 0xf9, 0, 0, 0, 0x90, 0xc3];
        assert_eq!(before(&code, 2), [0, 2, 4, 5, 17, 18]);
        assert_eq!(kept(&code, Reached::Returning(RunAddr(CODE + 7))), [0, 2, 4, 5, 17, 18]);
        assert_eq!(before(&code, 7), NONE);
        let target = |ret| direct_call(Arch::X86_64, RunAddr(ret), &mut Bytes(&code));
        assert_eq!(target(CODE + 7), Some(RunAddr(CODE + 0x100)));
        assert_eq!((target(CODE + 8), target(0)), (None, None));
        // call 1000: in a loop by itself.
        let code = [0xe8, 0xfb, 0xff, 0xff, 0xff, 0xeb, 0xf9];
        assert_eq!(kept(&code, Reached::Returning(RunAddr(CODE + 5))), NONE);
        // syscall; ret
        assert_eq!(before(&[0x0f, 0x05, 0xc3], 2), NONE);
    }

    #[test]
    fn code_that_goes_anywhere_tells_nothing() {
        // nop; jmp *%rax
        assert_eq!(before(&[0x90, 0xff, 0xe0], 0), NONE);
        let found = untouched(Arch::Aarch64, RunAddr(CODE), Reached::Before(RunAddr(CODE)), &mut Bytes(&[0x90, 0xc3]));
        assert_eq!(found, Untouched::default());
    }

    proptest! {
        #[test]
        fn any_code_comes_to_an_end(code in prop::collection::vec(any::<u8>(), 0..400), at in 0u64..400) {
            let _ = before(&code, at);
            let _ = kept(&code, Reached::Returning(RunAddr(CODE + at)));
            let _ = direct_call(Arch::X86_64, RunAddr(CODE + at), &mut Bytes(&code));
        }
    }
}
