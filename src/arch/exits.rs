//! Where the code of a function is left: its returns, and its jumps to other functions.

use super::{Arch, RunAddr};
use iced_x86::{Decoder, DecoderOptions, FlowControl, OpKind};

/// A jump to the beginning of a function, or to code of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The jump.
    pub at: RunAddr,
    /// Where it goes.
    pub to: RunAddr,
    /// Whether it may go on instead.
    pub is_conditional: bool,
}

/// Where a function is left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exits {
    /// Its return instructions.
    pub returns: Vec<RunAddr>,
    /// Its jumps to code that is not its own, and to its own beginning.
    pub tails: Vec<Tail>,
    /// Whether it has jumps to where a register or memory says: of a `switch`, or to other functions.
    pub jumps_anywhere: bool,
}

/// Finds where a function is left that has this code: pieces of it, each with its address. `None` if that cannot be
/// told.
pub fn exits(arch: Arch, entry: RunAddr, code: &[(RunAddr, &[u8])]) -> Option<Exits> {
    if arch != Arch::X86_64 {
        return None;
    }
    let is_own =
        |at: u64| code.iter().any(|(start, bytes)| at.checked_sub(start.0).is_some_and(|o| o < bytes.len() as u64));
    let mut exits = Exits::default();
    for (start, bytes) in code {
        for insn in Decoder::with_ip(64, bytes, start.0, DecoderOptions::NONE) {
            let flow = insn.flow_control();
            match flow {
                FlowControl::Return => exits.returns.push(RunAddr(insn.ip())),
                FlowControl::IndirectBranch => exits.jumps_anywhere = true,
                FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch
                    if matches!(insn.op0_kind(), OpKind::NearBranch64) =>
                {
                    let to = insn.near_branch_target();
                    if to == entry.0 || !is_own(to) {
                        let is_conditional = flow == FlowControl::ConditionalBranch;
                        exits.tails.push(Tail { at: RunAddr(insn.ip()), to: RunAddr(to), is_conditional });
                    }
                }
                _ => {}
            }
        }
    }
    Some(exits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_and_jumps_out_are_told_apart_from_loops() {
        // 0: dec edi; 2: jnz 0; 4: je 8; 6: jmp 0x100; 8: ret; 9: jmp *rax; b: ret
        let code = [0xff, 0xcf, 0x75, 0xfc, 0x74, 0x02, 0xeb, 0x70, 0xc3, 0xff, 0xe0, 0xc3];
        let found = exits(Arch::X86_64, RunAddr(0), &[(RunAddr(0), &code)]).unwrap();
        assert_eq!(found.returns, [RunAddr(8), RunAddr(11)]);
        let tail = |at, to, is_conditional| Tail { at: RunAddr(at), to: RunAddr(to), is_conditional };
        assert_eq!(found.tails, [tail(2, 0, true), tail(6, 0x78, false)]);
        assert!(found.jumps_anywhere);
        assert_eq!(exits(Arch::Aarch64, RunAddr(0), &[]), None);
    }

    #[test]
    fn a_jump_to_a_piece_elsewhere_stays_inside() {
        let (hot, cold) = ([0xeb, 0x0e], [0xc3]);
        let found = exits(Arch::X86_64, RunAddr(0), &[(RunAddr(0), &hot), (RunAddr(0x10), &cold)]).unwrap();
        assert_eq!((found.returns, found.tails), (vec![RunAddr(0x10)], vec![]));
    }
}
