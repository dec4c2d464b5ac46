//! What a function's caller has, found out by following the function's own code to its return.
//!
//! Where nothing describes a frame, its code does: whatever has been pushed will be popped, and the frame that was set
//! up will be taken down. So this goes on from where the function is, keeps book of the stack pointer and of the
//! registers that are restored, and ends at the return. It works in leaf functions, prologues, epilogues and linkage
//! stubs alike.

use super::{Arch, MAX_INSTRUCTION, RunAddr};
use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register};
use std::collections::{HashMap, HashSet};

/// Instructions that are followed, on all ways together.
const MAX_STEPS: usize = 5_000;
/// Branches that are kept to be tried.
const MAX_BRANCHES: usize = 256;

/// What the code and the stack are read from.
pub trait Program {
    /// Reads some bytes of code, at most [`MAX_INSTRUCTION`]; fewer where there are no more.
    fn code(&mut self, at: RunAddr) -> Vec<u8>;
    /// Reads eight bytes of memory as a number.
    fn word(&mut self, address: u64) -> Option<u64>;
    /// Returns whether a call may have put this address on the stack.
    fn is_return_address(&mut self, address: u64) -> bool;
}

/// A function that has returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// Where to.
    pub address: u64,
    /// The stack pointer there.
    pub sp: u64,
    /// The callee-saved registers there, by DWARF number, as far as they are known.
    pub registers: Vec<(u16, u64)>,
}

/// Follows a function from `pc`, with the registers by DWARF number that are known there, to its return. `None`: no way
/// was found that ends at a return address, or the machine is not supported.
pub fn follow_to_return(
    arch: Arch,
    pc: RunAddr,
    registers: &mut dyn FnMut(u16) -> Option<u64>,
    program: &mut dyn Program,
) -> Option<Returned> {
    if arch != Arch::X86_64 {
        return None;
    }
    let mut start = MachineState { pc: pc.0, registers: [None; REGISTERS], stack: HashMap::new() };
    for (number, value) in (0u16..).zip(&mut start.registers) {
        *value = registers(number);
    }
    let mut open = vec![start];
    let mut seen = HashSet::new();
    let mut steps = 0;
    while let Some(mut state) = open.pop() {
        while steps < MAX_STEPS && seen.insert(state.pc) {
            steps += 1;
            match state.step(program) {
                Step::On => {}
                Step::Branch(target) => {
                    if open.len() < MAX_BRANCHES {
                        open.push(MachineState { pc: target, ..state.clone() });
                    }
                }
                Step::Returned(returned) => return Some(returned),
                Step::Stuck => break,
            }
        }
    }
    None
}

/// General registers, in the order of DWARF numbers (System V ABI for AMD64, figure 3.36).
const REGISTERS: usize = 16;
const ORDER: [Register; REGISTERS] = [
    Register::RAX,
    Register::RDX,
    Register::RCX,
    Register::RBX,
    Register::RSI,
    Register::RDI,
    Register::RBP,
    Register::RSP,
    Register::R8,
    Register::R9,
    Register::R10,
    Register::R11,
    Register::R12,
    Register::R13,
    Register::R14,
    Register::R15,
];
const RBX: usize = 3;
const RBP: usize = 6;
const RSP: usize = 7;

/// Returns the DWARF number of the register that a register is a part of.
pub(super) fn number(register: Register) -> Option<usize> {
    ORDER.iter().position(|known| *known == register.full_register())
}

enum Step {
    On,
    /// The same, and perhaps to this address instead.
    Branch(u64),
    Returned(Returned),
    /// The function cannot be followed any farther here.
    Stuck,
}

/// The machine at one instruction.
#[derive(Clone)]
struct MachineState {
    pc: u64,
    registers: [Option<u64>; REGISTERS],
    /// What was written to the stack on the way.
    stack: HashMap<u64, Option<u64>>,
}

impl MachineState {
    fn step(&mut self, program: &mut dyn Program) -> Step {
        let bytes = program.code(RunAddr(self.pc));
        let bytes = bytes.get(..MAX_INSTRUCTION.min(bytes.len())).unwrap_or_default();
        let i = Decoder::with_ip(64, bytes, self.pc, DecoderOptions::NONE).decode();
        if i.is_invalid() {
            return Step::Stuck;
        }
        self.pc = i.next_ip();
        match i.flow_control() {
            FlowControl::Return => self.returned(program),
            // A stub, or a tail call: what it goes to returns in its place.
            FlowControl::IndirectBranch => self.returned(program),
            FlowControl::UnconditionalBranch => {
                self.pc = i.near_branch_target();
                Step::On
            }
            FlowControl::ConditionalBranch => Step::Branch(i.near_branch_target()),
            FlowControl::Call | FlowControl::IndirectCall => {
                for (n, value) in (0u16..).zip(&mut self.registers) {
                    if usize::from(n) != RSP && !Arch::X86_64.callee_saved().contains(&n) {
                        *value = None;
                    }
                }
                Step::On
            }
            FlowControl::Next => match self.execute(&i, program) {
                Some(()) => Step::On,
                None => Step::Stuck,
            },
            FlowControl::Exception | FlowControl::Interrupt | FlowControl::XbeginXabortXend => Step::Stuck,
        }
    }

    fn returned(&mut self, program: &mut dyn Program) -> Step {
        let sp = self.registers[RSP];
        let address = sp.and_then(|sp| self.word(sp, program));
        let Some((sp, address)) = sp.zip(address).filter(|(_, address)| program.is_return_address(*address)) else {
            return Step::Stuck;
        };
        let saved = Arch::X86_64.callee_saved().iter();
        let registers = saved.filter_map(|n| Some((*n, (*self.registers.get(usize::from(*n))?)?))).collect();
        Step::Returned(Returned { address, sp: sp.wrapping_add(8), registers })
    }

    fn word(&self, address: u64, program: &mut dyn Program) -> Option<u64> {
        match self.stack.get(&address) {
            Some(written) => *written,
            None => program.word(address),
        }
    }

    /// Executes an instruction that goes on to the next one; `None` if the stack cannot be followed any more.
    fn execute(&mut self, i: &Instruction, program: &mut dyn Program) -> Option<()> {
        match i.mnemonic() {
            Mnemonic::Push | Mnemonic::Pushfq => {
                let sp = self.registers[RSP]?.wrapping_sub(8);
                let pushed = match i.op0_kind() {
                    OpKind::Register => number(i.op0_register()).and_then(|n| self.registers[n]),
                    _ => None,
                };
                self.stack.insert(sp, pushed);
                self.registers[RSP] = Some(sp);
            }
            Mnemonic::Pop | Mnemonic::Popfq => {
                let sp = self.registers[RSP]?;
                let popped = self.word(sp, program);
                self.registers[RSP] = Some(sp.wrapping_add(8));
                if i.op0_kind() == OpKind::Register
                    && let Some(n) = number(i.op0_register())
                {
                    self.registers[n] = popped;
                }
            }
            Mnemonic::Leave => {
                let frame = self.registers[RBP]?;
                self.registers[RBP] = self.word(frame, program);
                self.registers[RSP] = Some(frame.wrapping_add(8));
            }
            Mnemonic::Add | Mnemonic::Sub if i.op0_register() == Register::RSP => {
                let is_constant = i.op1_kind() != OpKind::Register && i.op1_kind() != OpKind::Memory;
                let moved = is_constant.then(|| i.immediate(1)).zip(self.registers[RSP]);
                let add = i.mnemonic() == Mnemonic::Add;
                self.registers[RSP] = moved.map(|(by, sp)| if add { sp.wrapping_add(by) } else { sp.wrapping_sub(by) });
            }
            Mnemonic::Lea if i.op0_kind() == OpKind::Register => {
                let address = self.address(i);
                self.set(i.op0_register(), address);
            }
            Mnemonic::Mov if i.code() == Code::Mov_r64_rm64 || i.code() == Code::Mov_rm64_r64 => {
                let value = match i.op1_kind() {
                    OpKind::Register => number(i.op1_register()).and_then(|n| self.registers[n]),
                    OpKind::Memory => self.address(i).and_then(|address| self.word(address, program)),
                    _ => None,
                };
                match i.op0_kind() {
                    OpKind::Memory => {
                        if let Some(address) = self.address(i) {
                            self.stack.insert(address, value);
                        }
                    }
                    _ => self.set(i.op0_register(), value),
                }
            }
            Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Nop | Mnemonic::Bt => {}
            Mnemonic::Cpuid => self.registers[RBX] = None,
            Mnemonic::Enter => return None,
            _ => {
                for operand in 0..i.op_count().min(2) {
                    if i.op_kind(operand) == OpKind::Register && (operand == 0 || i.mnemonic() == Mnemonic::Xchg) {
                        self.set(i.op_register(operand), None);
                    }
                }
            }
        }
        Some(())
    }

    fn set(&mut self, register: Register, value: Option<u64>) {
        if let Some(n) = number(register) {
            self.registers[n] = value.filter(|_| register.size() == 8);
        }
    }

    /// Computes the address of a memory operand that is at a fixed distance from a register.
    fn address(&self, i: &Instruction) -> Option<u64> {
        if i.is_ip_rel_memory_operand() || i.memory_index() != Register::None || i.segment_prefix() != Register::None {
            return None;
        }
        let base = self.registers[number(i.memory_base())?]?;
        Some(base.wrapping_add(i.memory_displacement64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CODE: u64 = 0x1000;
    const STACK: u64 = 0x8000;
    const RETURN: u64 = 0x2222;

    struct Bytes<'c> {
        code: &'c [u8],
        words: HashMap<u64, u64>,
    }

    impl Program for Bytes<'_> {
        fn code(&mut self, at: RunAddr) -> Vec<u8> {
            let start = at.0.checked_sub(CODE).and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
            self.code.get(start..).map(|rest| rest.iter().copied().take(MAX_INSTRUCTION).collect()).unwrap_or_default()
        }

        fn word(&mut self, address: u64) -> Option<u64> {
            self.words.get(&address).copied()
        }

        fn is_return_address(&mut self, address: u64) -> bool {
            address == RETURN
        }
    }

    /// Follows `code` with these words at and above the stack pointer; rbx is 11, rbp is `STACK + 16`.
    fn follow(code: &[u8], words: &[u64]) -> Option<Returned> {
        let words = (STACK..).step_by(8).zip(words.iter().copied()).collect();
        let mut registers = |n: u16| match usize::from(n) {
            RBX => Some(11),
            RBP => Some(STACK + 16),
            RSP => Some(STACK),
            _ => None,
        };
        follow_to_return(Arch::X86_64, RunAddr(CODE), &mut registers, &mut Bytes { code, words })
    }

    fn value(returned: &Returned, n: usize) -> Option<u64> {
        returned.registers.iter().find(|(known, _)| usize::from(*known) == n).map(|(_, value)| *value)
    }

    #[test]
    fn functions_without_a_frame() {
        // xor %eax,%eax; ret
        let returned = follow(&[0x31, 0xc0, 0xc3], &[RETURN]).unwrap();
        assert_eq!((returned.address, returned.sp), (RETURN, STACK + 8));
        assert_eq!((value(&returned, RBX), value(&returned, RBP)), (Some(11), Some(STACK + 16)));
        // jmp *0x100(%rip): a linkage stub.
        assert_eq!(follow(&[0xff, 0x25, 0, 1, 0, 0], &[RETURN]).map(|r| r.sp), Some(STACK + 8));
        // What is on the stack is no return address.
        assert_eq!(follow(&[0xc3], &[7]), None);
    }

    #[test]
    fn prologues_and_epilogues() {
        // push %rbp; mov %rsp,%rbp; push %rbx; sub $16,%rsp; xor %ebx,%ebx; add $16,%rsp; pop %rbx; pop %rbp; ret
        let whole = [
            0x55, 0x48, 0x89, 0xe5, 0x53, 0x48, 0x83, 0xec, 0x10, 0x31, 0xdb, 0x48, 0x83, 0xc4, 0x10, 0x5b, 0x5d, 0xc3,
        ];
        let returned = follow(&whole, &[RETURN]).unwrap();
        assert_eq!(
            (returned.sp, value(&returned, RBX), value(&returned, RBP)),
            (STACK + 8, Some(11), Some(STACK + 16))
        );
        // From behind the prologue, and from behind the first pop.
        let returned = follow(&whole[9..], &[0, 0, 77, 88, RETURN]).unwrap();
        assert_eq!((returned.sp, value(&returned, RBX), value(&returned, RBP)), (STACK + 40, Some(77), Some(88)));
        let returned = follow(&whole[16..], &[88, RETURN]).unwrap();
        assert_eq!((returned.sp, value(&returned, RBX), value(&returned, RBP)), (STACK + 16, Some(11), Some(88)));
        // and $-32,%rsp; call; leave; ret: the frame pointer knows where the aligned stack began.
        let aligned = [0x48, 0x83, 0xe4, 0xe0, 0xe8, 0, 0, 0, 0, 0xc9, 0xc3];
        let returned = follow(&aligned, &[0, 0, 88, RETURN]).unwrap();
        assert_eq!((returned.sp, value(&returned, RBP)), (STACK + 32, Some(88)));
    }

    #[test]
    fn branches_and_loops() {
        // 1: dec %ecx; jne 1b; test %eax,%eax; je 2f; ud2; 2: pop %rbx; ret
        let code = [0xff, 0xc9, 0x75, 0xfc, 0x85, 0xc0, 0x74, 0x02, 0x0f, 0x0b, 0x5b, 0xc3];
        let returned = follow(&code, &[77, RETURN]).unwrap();
        assert_eq!((returned.sp, value(&returned, RBX)), (STACK + 16, Some(77)));
        // jmp .: never ends.
        assert_eq!(follow(&[0xeb, 0xfe], &[RETURN]), None);
        assert_eq!(follow(&[], &[RETURN]), None);
    }

    proptest! {
        #[test]
        fn any_code_ends(code in proptest::collection::vec(any::<u8>(), 0..200), words: [u64; 4]) {
            let _ = follow(&code, &words);
        }
    }
}
