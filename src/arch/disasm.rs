//! Decoding single instructions, as far as stepping needs it: how long, and where control goes.

use super::{Arch, RunAddr};
use capstone::arch::{BuildsCapstone, arm64, x86};
use capstone::{Capstone, InsnGroupType};
use std::cell::RefCell;

/// What an instruction does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Calls a subroutine.
    Call,
    /// Returns from one.
    Return,
    /// Goes to an address in the instruction, perhaps conditionally.
    Jump,
    /// Goes to an address from a register or from memory.
    IndirectJump,
    /// Makes a system call.
    Syscall,
    /// Raises a signal (`int3`).
    Trap,
    /// Goes on to the next instruction.
    Next,
}

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Length in bytes.
    pub length: u64,
    /// Where it goes.
    pub flow: Flow,
}

/// Longest instruction of any architecture here (x86).
pub const MAX_INSTRUCTION: usize = 15;

/// The system call of 32-bit programs, `int 0x80`.
const INT_80: [u8; 2] = [0xcd, 0x80];

thread_local! {
    /// A decoder is expensive to set up and cannot be shared between threads.
    static DECODERS: RefCell<Vec<(Arch, Capstone)>> = const { RefCell::new(Vec::new()) };
}

/// Decodes the instruction that `bytes`, found at `at`, begin with. `None` if they are none.
pub fn decode(arch: Arch, bytes: &[u8], at: RunAddr) -> Option<Instruction> {
    DECODERS.with_borrow_mut(|decoders| {
        if !decoders.iter().any(|(a, _)| *a == arch) {
            decoders.push((arch, decoder(arch)?));
        }
        let (_, decoder) = decoders.iter().find(|(a, _)| *a == arch)?;
        let bytes = bytes.get(..MAX_INSTRUCTION.min(bytes.len()))?;
        let found = decoder.disasm_count(bytes, at.0, 1).ok()?;
        let instruction = found.iter().next()?;
        let detail = decoder.insn_detail(instruction).ok()?;
        let is = |group: u32| detail.groups().iter().any(|g| u32::from(g.0) == group);
        let flow = if is(InsnGroupType::CS_GRP_CALL) {
            Flow::Call
        } else if is(InsnGroupType::CS_GRP_RET) || is(InsnGroupType::CS_GRP_IRET) {
            Flow::Return
        } else if is(InsnGroupType::CS_GRP_INT) {
            match is_system_call(arch, instruction.id().0, instruction.bytes()) {
                true => Flow::Syscall,
                false => Flow::Trap,
            }
        } else if is(InsnGroupType::CS_GRP_JUMP) {
            match is(InsnGroupType::CS_GRP_BRANCH_RELATIVE) {
                true => Flow::Jump,
                false => Flow::IndirectJump,
            }
        } else {
            Flow::Next
        };
        Some(Instruction { length: instruction.len() as u64, flow })
    })
}

/// Tells an instruction that makes a system call from others that raise an interrupt.
fn is_system_call(arch: Arch, id: u32, bytes: &[u8]) -> bool {
    match arch {
        Arch::X86_64 => {
            let calls = [x86::X86Insn::X86_INS_SYSCALL, x86::X86Insn::X86_INS_SYSENTER].map(|call| call as u32);
            calls.contains(&id) || bytes == INT_80
        }
        Arch::Aarch64 => id == arm64::Arm64Insn::ARM64_INS_SVC as u32,
    }
}

fn decoder(arch: Arch) -> Option<Capstone> {
    let new = Capstone::new();
    match arch {
        Arch::X86_64 => new.x86().mode(x86::ArchMode::Mode64).detail(true).build().ok(),
        Arch::Aarch64 => new.arm64().mode(arm64::ArchMode::Arm).detail(true).build().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn x86(bytes: &[u8]) -> Option<(u64, Flow)> {
        decode(Arch::X86_64, bytes, RunAddr(0x1000)).map(|i| (i.length, i.flow))
    }

    #[test]
    fn x86_flow() {
        assert_eq!(x86(&[0xe8, 1, 2, 3, 4]), Some((5, Flow::Call)));
        assert_eq!(x86(&[0x41, 0xff, 0xd3]), Some((3, Flow::Call)));
        assert_eq!(x86(&[0xff, 0x15, 0, 0, 0, 0]), Some((6, Flow::Call)));
        assert_eq!(x86(&[0xc3]), Some((1, Flow::Return)));
        assert_eq!(x86(&[0xf3, 0xc3]), Some((2, Flow::Return)));
        assert_eq!(x86(&[0xc2, 8, 0]), Some((3, Flow::Return)));
        assert_eq!(x86(&[0xeb, 0]), Some((2, Flow::Jump)));
        assert_eq!(x86(&[0x0f, 0x85, 0, 0, 0, 0]), Some((6, Flow::Jump)));
        assert_eq!(x86(&[0x41, 0xff, 0xe3]), Some((3, Flow::IndirectJump)));
        assert_eq!(x86(&[0xf2, 0xff, 0x25, 0, 0, 0, 0]), Some((7, Flow::IndirectJump)));
        assert_eq!(x86(&[0x0f, 0x05]), Some((2, Flow::Syscall)));
        assert_eq!(x86(&[0x0f, 0x34]), Some((2, Flow::Syscall)));
        assert_eq!(x86(&[0xcd, 0x80]), Some((2, Flow::Syscall)));
        assert_eq!(x86(&[0xcc]), Some((1, Flow::Trap)));
        assert_eq!(x86(&[0xcd, 0x03]), Some((2, Flow::Trap)));
        assert_eq!(x86(&[0x48, 0x89, 0xe5]), Some((3, Flow::Next)));
        assert_eq!(x86(&[0xf3, 0x0f, 0x1e, 0xfa]), Some((4, Flow::Next)));
        assert_eq!(x86(&[]), None);
        assert_eq!(x86(&[0xe8]), None);
    }

    #[test]
    fn aarch64_flow() {
        let decode = |word: u32| decode(Arch::Aarch64, &word.to_le_bytes(), RunAddr(0)).map(|i| (i.length, i.flow));
        assert_eq!(decode(0x9400_0001), Some((4, Flow::Call)));
        assert_eq!(decode(0xd63f_0020), Some((4, Flow::Call)));
        assert_eq!(decode(0xd65f_03c0), Some((4, Flow::Return)));
        assert_eq!(decode(0x1400_0001), Some((4, Flow::Jump)));
        assert_eq!(decode(0xd61f_0220), Some((4, Flow::IndirectJump)));
        assert_eq!(decode(0xd400_0001), Some((4, Flow::Syscall)));
        assert_eq!(decode(0xd503_201f), Some((4, Flow::Next)));
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..20), at: u64) {
            for arch in [Arch::X86_64, Arch::Aarch64] {
                if let Some(found) = decode(arch, &bytes, RunAddr(at)) {
                    prop_assert!(found.length as usize <= bytes.len());
                    prop_assert!(found.length > 0);
                }
            }
        }
    }
}
