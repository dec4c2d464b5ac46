//! Which registers code reads though it has not set them: what a function expects of its caller, and what a caller
//! looks at when a function has returned.

use super::data_flow::{Analysis, at_returns};
use super::preserved_registers::is_call;
use super::return_registers::REGISTERS;
use super::{Arch, Program, RunAddr};
use iced_x86::{Instruction, InstructionInfoFactory, OpAccess, Register};

/// The registers that arguments are passed in, in this order.
const ARGUMENTS: [(&str, Register); 6] = [
    ("rdi", Register::RDI),
    ("rsi", Register::RSI),
    ("rdx", Register::RDX),
    ("rcx", Register::RCX),
    ("r8", Register::R8),
    ("r9", Register::R9),
];

/// Finds a register for arguments behind the first `passed` ones that the function at `entry` reads on some way before
/// it writes to it. `is_own` tells its code from others', which is not looked at: `None` does not prove that none is
/// needed.
pub fn reads_unpassed(
    arch: Arch,
    entry: RunAddr,
    passed: usize,
    is_own: &dyn Fn(RunAddr) -> bool,
    program: &mut dyn Program,
) -> Option<&'static str> {
    if arch != Arch::X86_64 {
        return None;
    }
    let mut reads = Reads::of(ARGUMENTS.map(|(_, register)| register));
    // What has been read is so, even if the rest of the code cannot be followed.
    let _ = at_returns(&mut reads, entry.0, [true; ARGUMENTS.len()], is_own, program);
    let behind = ARGUMENTS.iter().zip(reads.read).skip(passed);
    behind.into_iter().find(|(_, is_read)| *is_read).map(|((name, _), _)| *name)
}

/// What a caller does with a register in which a function may have returned something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UseOfResult {
    /// It reads it.
    Read,
    /// It returns it, on some way, without having looked at it.
    Returned,
    /// Neither, as far as its code can be followed.
    None,
}

/// Finds out what the code behind a call does with this register; `is_own` tells the code of the caller from others'.
pub fn use_of_result(
    arch: Arch,
    behind: RunAddr,
    register: &str,
    is_own: &dyn Fn(RunAddr) -> bool,
    program: &mut dyn Program,
) -> UseOfResult {
    let result = REGISTERS.iter().find(|(name, _)| *name == register).filter(|_| arch == Arch::X86_64);
    let Some((_, result)) = result else { return UseOfResult::None };
    let mut reads = Reads::of([*result]);
    let returns = at_returns(&mut reads, behind.0, [true], is_own, program);
    match returns.is_some_and(|states| states.contains(&[true])) {
        _ if reads.read == [true] => UseOfResult::Read,
        true => UseOfResult::Returned,
        false => UseOfResult::None,
    }
}

struct Reads<const N: usize> {
    info: InstructionInfoFactory,
    registers: [Register; N],
    read: [bool; N],
}

impl<const N: usize> Reads<N> {
    fn of(registers: [Register; N]) -> Self {
        Self { info: InstructionInfoFactory::new(), registers, read: [false; N] }
    }
}

impl<const N: usize> Analysis for Reads<N> {
    /// Which registers may still have what was there at first.
    type State = [bool; N];

    fn meet(one: &Self::State, other: &Self::State) -> Self::State {
        std::array::from_fn(|n| one[n] || other[n])
    }

    fn step(&mut self, state: &mut Self::State, i: &Instruction) {
        let registers = self.registers;
        let number = |register: Register| registers.iter().position(|known| *known == register.full_register());
        for used in self.info.info(i).used_registers() {
            let is_read = !matches!(used.access(), OpAccess::Write | OpAccess::CondWrite | OpAccess::NoMemAccess);
            if let Some(n) = number(used.register()).filter(|n| is_read && state[*n]) {
                self.read[n] = true;
            }
        }
        for used in self.info.info(i).used_registers() {
            if let Some(n) = number(used.register()).filter(|_| used.access() != OpAccess::Read) {
                state[n] = false;
            }
        }
        if is_call(i) {
            *state = [false; N];
        }
    }

    fn leave(&mut self, _state: &Self::State) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{Bytes, CODE};
    use proptest::prelude::*;

    fn reads(code: &[u8], passed: usize) -> Option<&'static str> {
        let end = CODE + code.len() as u64;
        let is_own = |at: RunAddr| (CODE..end).contains(&at.0);
        reads_unpassed(Arch::X86_64, RunAddr(CODE), passed, &is_own, &mut Bytes(code))
    }

    #[test]
    fn what_is_read_before_it_is_set_comes_from_the_caller() {
        // add 0x10(%rsi),%edi; mov %edi,%eax; ret
        let hidden = [0x03, 0x7e, 0x10, 0x89, 0xf8, 0xc3];
        assert_eq!(reads(&hidden, 1), Some("rsi"));
        assert_eq!(reads(&hidden, 2), None);
        assert_eq!(reads(&hidden, 0), Some("rdi"));
        // mov %rsi,8(%rsp); ret
        assert_eq!(reads(&[0x48, 0x89, 0x74, 0x24, 0x08, 0xc3], 1), Some("rsi"));
        // test %edi,%edi; je 2; xor %esi,%esi; mov %esi,%eax; ret: on one of two ways.
        assert_eq!(reads(&[0x85, 0xff, 0x74, 0x02, 0x31, 0xf6, 0x89, 0xf0, 0xc3], 1), Some("rsi"));
    }

    #[test]
    fn what_the_function_sets_itself_does_not() {
        // mov $1,%esi; add %esi,%edi; xor %edx,%edx; add %edx,%edi; ret
        assert_eq!(reads(&[0xbe, 1, 0, 0, 0, 0x01, 0xf7, 0x31, 0xd2, 0x01, 0xd7, 0xc3], 1), None);
        // call; mov %esi,%eax; ret: the callee has changed it.
        assert_eq!(reads(&[0xe8, 0, 1, 0, 0, 0x89, 0xf0, 0xc3], 1), None);
        assert_eq!(reads(&[0xc3], 0), None);
    }

    proptest! {
        #[test]
        fn any_code_comes_to_an_end(code in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = reads(&code, 0);
        }
    }

    fn used(code: &[u8], register: &str) -> UseOfResult {
        let end = CODE + code.len() as u64;
        let is_own = |at: RunAddr| (CODE..end).contains(&at.0);
        use_of_result(Arch::X86_64, RunAddr(CODE), register, &is_own, &mut Bytes(code))
    }

    #[test]
    fn what_a_caller_does_with_a_result() {
        // test %eax,%eax; ret
        assert_eq!(used(&[0x85, 0xc0, 0xc3], "rax"), UseOfResult::Read);
        // xor %eax,%eax; ret
        assert_eq!(used(&[0x31, 0xc0, 0xc3], "rax"), UseOfResult::None);
        // pop %rbx; ret
        assert_eq!(used(&[0x5b, 0xc3], "rax"), UseOfResult::Returned);
        // addsd %xmm0,%xmm1; ret
        assert_eq!(used(&[0xf2, 0x0f, 0x58, 0xc8, 0xc3], "xmm0"), UseOfResult::Read);
        // movsd (%rdi),%xmm0; ret
        assert_eq!(used(&[0xf2, 0x0f, 0x10, 0x07, 0xc3], "xmm0"), UseOfResult::None);
    }
}
