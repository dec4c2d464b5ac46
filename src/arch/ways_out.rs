//! Where control goes from a stretch of code, whatever it does inside.

use super::{Arch, RunAddr};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, OpAccess, OpKind, Register};

/// A stretch of code that leaves the stack pointer alone, but for calls and its return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaysOut {
    /// Its instructions.
    pub instructions: Vec<RunAddr>,
    /// What is outside of it and comes after one of them: where jumps go, and what is behind it. In order, each once.
    pub targets: Vec<RunAddr>,
    /// Whether it calls.
    pub calls: bool,
    /// Whether it returns.
    pub returns: bool,
}

/// Finds where control goes from this code, found at `start`. `None` where that cannot be told: jumps to what a register
/// or memory holds, and code that moves the stack pointer, for who waits at the ways out could not tell the activation
/// of the function by it.
pub fn ways_out(arch: Arch, start: RunAddr, code: &[u8]) -> Option<WaysOut> {
    if arch != Arch::X86_64 {
        return None;
    }
    let end = start.0.checked_add(code.len() as u64)?;
    let mut info = InstructionInfoFactory::new();
    let mut found = WaysOut::default();
    for i in Decoder::with_ip(64, code, start.0, DecoderOptions::NONE) {
        if i.is_invalid() {
            return None;
        }
        found.instructions.push(RunAddr(i.ip()));
        let (goes_on, jumps) = match i.flow_control() {
            FlowControl::Next => (true, false),
            FlowControl::Call | FlowControl::IndirectCall => {
                found.calls |= i.is_call_near() || i.is_call_near_indirect();
                (true, false)
            }
            FlowControl::ConditionalBranch => (true, true),
            FlowControl::UnconditionalBranch => (false, true),
            FlowControl::Return => {
                found.returns = true;
                (false, false)
            }
            FlowControl::Exception => (false, false),
            FlowControl::IndirectBranch | FlowControl::Interrupt | FlowControl::XbeginXabortXend => return None,
        };
        let moves_stack = !i.is_call_near() && !i.is_call_near_indirect() && i.flow_control() != FlowControl::Return;
        if moves_stack && writes_stack_pointer(&i, &mut info) || jumps && i.op0_kind() != OpKind::NearBranch64 {
            return None;
        }
        let next = [goes_on.then(|| i.next_ip()), jumps.then(|| i.near_branch_target())];
        let outside = next.into_iter().flatten().filter(|to| !(start.0..end).contains(to));
        found.targets.extend(outside.map(RunAddr));
    }
    found.targets.sort_unstable();
    found.targets.dedup();
    Some(found)
}

fn writes_stack_pointer(i: &Instruction, info: &mut InstructionInfoFactory) -> bool {
    info.info(i).used_registers().iter().any(|used| {
        used.register().full_register() == Register::RSP
            && !matches!(used.access(), OpAccess::Read | OpAccess::CondRead)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_loop_goes_to_what_is_behind_it_and_where_its_jumps_lead() {
        // 0: dec edi; 2: jnz 0; 4: je 0x20; 6: call 0x100; b: nop
        let code = [0xff, 0xcf, 0x75, 0xfc, 0x74, 0x1a, 0xe8, 0xf5, 0, 0, 0, 0x90];
        let found = ways_out(Arch::X86_64, RunAddr(0), &code).unwrap();
        assert_eq!(found.instructions, [0, 2, 4, 6, 11].map(RunAddr));
        assert_eq!(found.targets, [12, 32].map(RunAddr));
        assert!(found.calls && !found.returns);
        // Without the call and the nop, what it would have gone on to is outside.
        assert_eq!(ways_out(Arch::X86_64, RunAddr(0), &code[..6]).unwrap().targets, [6, 32].map(RunAddr));
        assert!(ways_out(Arch::X86_64, RunAddr(0), &[0xc3]).unwrap().returns);
        assert_eq!(ways_out(Arch::Aarch64, RunAddr(0), &[]), None);
    }

    #[test]
    fn what_moves_the_stack_pointer_or_jumps_anywhere_is_not_told() {
        let moving: [&[u8]; 6] = [
            &[0x50],                   // push rax
            &[0xc9],                   // leave
            &[0x48, 0x83, 0xec, 0x10], // sub rsp, 16
            &[0x48, 0x89, 0xc4],       // mov rsp, rax
            &[0xff, 0xe0],             // jmp *rax
            &[0xff],                   // half an instruction
        ];
        for code in moving {
            assert_eq!(ways_out(Arch::X86_64, RunAddr(0), code), None, "{code:x?}");
        }
        // A system call and a trap for what cannot be reached leave it alone.
        assert_eq!(ways_out(Arch::X86_64, RunAddr(0), &[0x0f, 0x05, 0x0f, 0x0b]).unwrap().targets, []);
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..40), at in 0..u64::MAX - 40) {
            if let Some(found) = ways_out(Arch::X86_64, RunAddr(at), &bytes) {
                let inside = at..at + bytes.len() as u64;
                prop_assert!(found.targets.iter().all(|to| !inside.contains(&to.0)));
                prop_assert!(found.instructions.iter().all(|i| inside.contains(&i.0)));
            }
        }
    }
}
