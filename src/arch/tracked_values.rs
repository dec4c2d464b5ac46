//! What a function's registers and stack slots hold of its first argument, and of addresses on the stack.

use super::preserved_registers::is_call;
use super::return_emulation::number;
use iced_x86::{Code, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, UsedMemory};
use std::collections::BTreeMap;

/// Stack slots that are kept book of.
const MAX_SLOTS: usize = 256;

pub(super) const RAX: usize = 0;
const RDI: usize = 5;
pub(super) const RSP: usize = 7;
/// By DWARF number: rbx, rbp, rsp, r12 to r15.
const CALLEE_SAVED: [usize; 7] = [3, 6, RSP, 12, 13, 14, 15];

/// What is in a register or a stack slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// What was in rdi at the entry.
    Given,
    /// The stack pointer at the entry and so much more.
    Stack(i64),
    Anything,
}

/// What is known before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TrackedValues {
    pub(super) registers: [Held; 16],
    /// By distance from the stack pointer at the entry.
    slots: BTreeMap<i64, Held>,
}

impl TrackedValues {
    /// Returns what is where at the first instruction of a function.
    pub(super) fn at_entry() -> Self {
        let mut registers = [Held::Anything; 16];
        (registers[RDI], registers[RSP]) = (Held::Given, Held::Stack(0));
        Self { registers, slots: BTreeMap::new() }
    }

    /// Joins two states to what is so on both ways.
    pub(super) fn meet(&self, other: &Self) -> Self {
        let mut both = self.clone();
        for (held, there) in both.registers.iter_mut().zip(&other.registers) {
            if *held != *there {
                *held = Held::Anything;
            }
        }
        both.slots.retain(|at, held| other.slots.get(at) == Some(held));
        both
    }

    /// Takes an instruction into account.
    pub(super) fn step(&mut self, i: &Instruction, info: &mut InstructionInfoFactory) {
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

    /// Returns what an instruction writes of the stack, by accesses that count: from and to which distance from the stack
    /// pointer at the entry.
    pub(super) fn stored_by(
        &self,
        i: &Instruction,
        info: &mut InstructionInfoFactory,
        counts: fn(OpAccess) -> bool,
    ) -> Vec<(i64, i64)> {
        let written = info.info(i).used_memory().iter().filter(|memory| counts(memory.access()));
        let span = |memory: &UsedMemory| {
            let base = number(memory.base()).filter(|_| memory.index() == Register::None)?;
            let Held::Stack(base) = self.registers[base] else { return None };
            let from = base.wrapping_add(memory.displacement() as i64);
            Some((from, from.saturating_add(memory.memory_size().size() as i64)))
        };
        written.filter_map(span).collect()
    }

    /// Forgets what the instruction writes to: that may hold anything.
    fn forget_written(&mut self, i: &Instruction, info: &mut InstructionInfoFactory) {
        for (from, to) in self.stored_by(i, info, is_written) {
            self.slots.retain(|at, _| at.saturating_add(8) <= from || to <= *at);
        }
        for register in info.info(i).used_registers().iter().filter(|register| is_written(register.access())) {
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

fn is_written(access: OpAccess) -> bool {
    !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess)
}

fn is_immediate(i: &Instruction) -> bool {
    !matches!(i.op1_kind(), OpKind::Register | OpKind::Memory)
}
