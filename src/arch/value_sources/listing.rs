//! The instructions of some code: how each goes on, and which registers it writes.

use super::{XMM0, dwarf_number, is_written};
use crate::preserved_registers::instruction;
use crate::{Arch, MAX_INSTRUCTION, RunAddr};
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, Register};

/// Most instructions of a function that are listed.
const MOST_INSTRUCTIONS: usize = 50_000;
/// What a called function may change (System V ABI for AMD64, section 3.2.1), by DWARF number: rax, rdx, rcx, rsi, rdi
/// and r8 to r11.
const CALLER_SAVED: u64 = 0b1111_0011_0111 | XMMS;
/// The vector registers.
const XMMS: u64 = 0xffff << XMM0;
/// What the kernel changes: rax, rcx and r11.
const OF_KERNEL: u64 = 1 | 1 << 2 | 1 << 11;

/// Registers by DWARF number: the general ones and the vector registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet(u64);

impl RegisterSet {
    /// Returns whether a register is one of them.
    pub fn contains(self, number: u16) -> bool {
        1u64.checked_shl(u32::from(number)).is_some_and(|bit| self.0 & bit != 0)
    }
}

/// How an instruction goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// With the next one.
    Next,
    /// There or with the next one.
    Branch(Option<u64>),
    /// There, if that is known.
    Jump(Option<u64>),
    /// In a function, if it is known which.
    Call(Option<u64>),
    /// At its caller.
    Return,
    /// In the kernel.
    Kernel,
    /// Nowhere.
    Ends,
}

/// An instruction of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Where it is.
    pub at: u64,
    /// Where the next one is.
    pub next: u64,
    /// How it goes on.
    pub onward: Onward,
    /// The registers that it, or what it calls, may write.
    pub writes: RegisterSet,
    /// The registers that are in the address of its operand in memory.
    pub addressed_by: RegisterSet,
}

/// Lists the instructions of some code, found at `at`, from its beginning.
pub fn listing(arch: Arch, code: &[u8], at: RunAddr) -> Vec<Listed> {
    let mut list = Vec::new();
    if arch != Arch::X86_64 {
        return list;
    }
    let mut info = InstructionInfoFactory::new();
    let mut offset = 0;
    while let Some(rest) = code.get(offset..).filter(|rest| !rest.is_empty() && list.len() < MOST_INSTRUCTIONS) {
        let from = at.0.wrapping_add(offset as u64);
        let Some(i) = instruction(rest.get(..MAX_INSTRUCTION.min(rest.len())).unwrap_or(rest), from) else {
            offset += 1;
            continue;
        };
        offset += i.len();
        list.push(listed(&i, &mut info));
    }
    list
}

fn listed(i: &Instruction, info: &mut InstructionInfoFactory) -> Listed {
    let target = || {
        Some(i.near_branch_target()).filter(|_| {
            i.is_call_near()
                || i.is_jmp_short_or_near()
                || i.is_jcc_short_or_near()
                || i.is_loop()
                || i.is_jcx_short()
                || i.is_loopcc()
        })
    };
    let is_kernel = matches!(i.mnemonic(), Mnemonic::Syscall | Mnemonic::Sysenter);
    let onward = match i.flow_control() {
        _ if is_kernel => Onward::Kernel,
        FlowControl::Next => Onward::Next,
        FlowControl::ConditionalBranch => Onward::Branch(target()),
        FlowControl::UnconditionalBranch => Onward::Jump(target()),
        FlowControl::IndirectBranch => Onward::Jump(None),
        FlowControl::Call => Onward::Call(target()),
        FlowControl::IndirectCall => Onward::Call(None),
        FlowControl::Return => Onward::Return,
        FlowControl::Interrupt => Onward::Kernel,
        FlowControl::Exception | FlowControl::XbeginXabortXend => Onward::Ends,
    };
    let writes = match onward {
        Onward::Call(_) => CALLER_SAVED,
        Onward::Kernel => OF_KERNEL,
        _ => info
            .info(i)
            .used_registers()
            .iter()
            .filter(|used| is_written(used))
            .fold(0, |set, used| set | bit(used.register())),
    };
    let addressed_by = bit(i.memory_base()) | bit(i.memory_index());
    // String instructions and the stack's name no operand.
    let implied = info.info(i).used_memory().iter().fold(0, |set, used| set | bit(used.base()) | bit(used.index()));
    Listed {
        at: i.ip(),
        next: i.next_ip(),
        onward,
        writes: RegisterSet(writes),
        addressed_by: RegisterSet(addressed_by | implied),
    }
}

fn bit(register: Register) -> u64 {
    dwarf_number(register).and_then(|number| 1u64.checked_shl(u32::from(number))).unwrap_or(0)
}
