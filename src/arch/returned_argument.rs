//! Whether a function returns the pointer that it was given first, whatever way it goes.
//!
//! A large value is put where the caller says, and most compilers have the function return that address, too. Where
//! nothing promises it, the function's own code tells: the address comes in rdi, is kept somewhere, and is in rax at
//! each return, or it is not known to be.

use super::data_flow::{Analysis, at_returns};
use super::preserved_registers::is_call;
use super::return_emulation::number;
use super::{Arch, Program, RunAddr};
use iced_x86::{Code, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};
use std::collections::BTreeMap;

/// Stack slots that are kept book of.
const MAX_SLOTS: usize = 256;

const RAX: usize = 0;
const RDI: usize = 5;
const RSP: usize = 7;
/// By DWARF number: rbx, rbp, rsp, r12 to r15.
const CALLEE_SAVED: [usize; 7] = [3, 6, RSP, 12, 13, 14, 15];

/// What is in a register or a stack slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// What was in rdi at the entry.
    Given,
    /// The stack pointer at the entry and so much more.
    Stack(i64),
    Anything,
}

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

/// What is known before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TrackedValues {
    registers: [Held; 16],
    /// By distance from the stack pointer at the entry.
    slots: BTreeMap<i64, Held>,
}

impl TrackedValues {
    fn at_entry() -> Self {
        let mut registers = [Held::Anything; 16];
        (registers[RDI], registers[RSP]) = (Held::Given, Held::Stack(0));
        Self { registers, slots: BTreeMap::new() }
    }

    /// Joins two states to what is so on both ways.
    fn meet(&self, other: &Self) -> Self {
        let mut both = self.clone();
        for (held, there) in both.registers.iter_mut().zip(&other.registers) {
            if *held != *there {
                *held = Held::Anything;
            }
        }
        both.slots.retain(|at, held| other.slots.get(at) == Some(held));
        both
    }

    fn step(&mut self, i: &Instruction, info: &mut InstructionInfoFactory) {
        if is_call(i) {
            for (n, held) in self.registers.iter_mut().enumerate() {
                if !CALLEE_SAVED.contains(&n) {
                    *held = Held::Anything;
                }
            }
            return;
        }
        let before = self.clone();
        self.forget_written(i, info);
        match i.mnemonic() {
            Mnemonic::Push | Mnemonic::Pop => before.moved_on_stack(i, self),
            Mnemonic::Add | Mnemonic::Sub if i.op0_register() == Register::RSP && is_immediate(i) => {
                let by = i.immediate(1) as i64;
                let by = if i.mnemonic() == Mnemonic::Add { by } else { by.wrapping_neg() };
                self.registers[RSP] = before.registers[RSP].plus(by);
            }
            Mnemonic::Lea => {
                if let (Some(to), Some(at)) = (number(i.op0_register()), before.slot(i)) {
                    self.registers[to] = Held::Stack(at);
                }
            }
            Mnemonic::Mov if matches!(i.code(), Code::Mov_r64_rm64 | Code::Mov_rm64_r64) => {
                let held = match i.op1_kind() {
                    OpKind::Register => number(i.op1_register()).map(|n| before.registers[n]),
                    _ => before.slot(i).and_then(|at| before.slots.get(&at).copied()),
                };
                let held = held.unwrap_or(Held::Anything);
                match i.op0_kind() {
                    OpKind::Register => self.set(i.op0_register(), held),
                    _ => {
                        if let Some(at) = before.slot(i) {
                            self.store(at, held);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Forgets what the instruction writes to: that may hold anything.
    fn forget_written(&mut self, i: &Instruction, info: &mut InstructionInfoFactory) {
        let used = info.info(i);
        let is_written =
            |access: OpAccess| !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
        for memory in used.used_memory().iter().filter(|memory| is_written(memory.access())) {
            let held = number(memory.base()).filter(|_| memory.index() == Register::None).map(|n| self.registers[n]);
            if let Some(Held::Stack(base)) = held {
                let from = base.wrapping_add(memory.displacement() as i64);
                let to = from.saturating_add(memory.memory_size().size() as i64);
                self.slots.retain(|at, _| at.saturating_add(8) <= from || to <= *at);
            }
        }
        for register in used.used_registers().iter().filter(|register| is_written(register.access())) {
            self.set(register.register(), Held::Anything);
        }
    }

    /// Follows `push` and `pop`, which lead from this state to `after`.
    fn moved_on_stack(&self, i: &Instruction, after: &mut Self) {
        let Held::Stack(sp) = self.registers[RSP] else { return };
        let is_register = i.op0_kind() == OpKind::Register && i.op0_register().size() == 8;
        match i.mnemonic() {
            Mnemonic::Push => {
                let held = number(i.op0_register()).filter(|_| is_register).map(|n| self.registers[n]);
                after.registers[RSP] = Held::Stack(sp.wrapping_sub(8));
                after.store(sp.wrapping_sub(8), held.unwrap_or(Held::Anything));
            }
            _ => {
                after.registers[RSP] = Held::Stack(sp.wrapping_add(8));
                if is_register {
                    after.set(i.op0_register(), self.slots.get(&sp).copied().unwrap_or(Held::Anything));
                }
            }
        }
    }

    fn set(&mut self, register: Register, held: Held) {
        if let Some(n) = number(register) {
            self.registers[n] = held;
        }
    }

    fn store(&mut self, at: i64, held: Held) {
        self.slots.remove(&at);
        if held != Held::Anything && self.slots.len() < MAX_SLOTS {
            self.slots.insert(at, held);
        }
    }

    /// Returns the offset on the stack where the memory operand is.
    fn slot(&self, i: &Instruction) -> Option<i64> {
        let is_plain = i.memory_index() == Register::None && i.segment_prefix() == Register::None;
        match self.registers[number(i.memory_base()).filter(|_| is_plain)?] {
            Held::Stack(base) => Some(base.wrapping_add(i.memory_displacement64() as i64)),
            _ => None,
        }
    }
}

impl Held {
    fn plus(self, by: i64) -> Self {
        match self {
            Self::Stack(at) => Self::Stack(at.wrapping_add(by)),
            _ => Self::Anything,
        }
    }
}

fn is_immediate(i: &Instruction) -> bool {
    !matches!(i.op1_kind(), OpKind::Register | OpKind::Memory)
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
