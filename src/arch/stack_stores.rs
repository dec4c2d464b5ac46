//! Whether a function has put a parameter on its stack yet.
//!
//! GCC's optimised code has one location for a whole function where it keeps a structure that came in registers on the
//! stack: debug info does not say that its first instructions have still to put it there. The code does.

use super::data_flow::{Analysis, at_each};
use super::preserved_registers::{instruction, successors};
use super::tracked_values::{Held, RSP, TrackedValues};
use super::{Arch, MAX_INSTRUCTION, Program, RunAddr};
use iced_x86::{Instruction, InstructionInfoFactory, OpAccess};

/// The largest slot that is kept book of, in bytes: no larger value comes in registers.
const MAX_SIZE: u64 = 64;
/// Instructions that a prologue has at most.
const MOST_AT_ONCE: usize = 64;
/// How far the canonical frame address is from the stack pointer at the entry.
const RETURN_ADDRESS: i64 = 8;

/// Returns whether the function at `entry` stores a slot of its frame, and may not have stored all of it when it is about
/// to execute the instruction at `pc`. The slot is `size` bytes at an offset from the canonical frame address. `is_own`
/// tells the function's code from others'.
///
/// False where that cannot be told: code that is not followed stores it, or writes through other addresses.
pub fn is_stored_later(
    arch: Arch,
    (entry, pc): (RunAddr, RunAddr),
    (offset, size): (i64, u64),
    is_own: &dyn Fn(RunAddr) -> bool,
    program: &mut dyn Program,
) -> bool {
    if arch != Arch::X86_64 || size == 0 || size > MAX_SIZE {
        return false;
    }
    let from = offset.wrapping_add(RETURN_ADDRESS);
    let whole = u64::MAX >> (MAX_SIZE - size);
    let mut stores = Stores { slot: (from, size), whole, is_stored: false, info: InstructionInfoFactory::new() };
    let first = Stored { values: TrackedValues::at_entry(), bytes: 0 };
    if let Some(is_stored) = stores.is_stored_at_once(entry.0, pc.0, first.clone(), program) {
        return !is_stored;
    }
    let all = at_each(&mut stores, entry.0, first, is_own, program).unwrap_or_default();
    let is_here = |i: &Instruction| (i.ip()..i.next_ip()).contains(&pc.0);
    let is_missing = all.iter().any(|(i, state)| is_here(i) && state.bytes != whole);
    is_missing && stores.is_stored
}

/// The analysis that follows what is stored.
struct Stores {
    /// From which distance from the stack pointer at the entry on, and how many bytes.
    slot: (i64, u64),
    /// The bits of all its bytes.
    whole: u64,
    /// On some way, all of them are stored.
    is_stored: bool,
    info: InstructionInfoFactory,
}

impl Stores {
    /// Returns whether all of the slot is stored before the first branch, and before `pc`: then every way has. If `pc` is
    /// before the first branch, and before anything of the slot is stored, it is not. `None`: neither is so.
    fn is_stored_at_once(&mut self, entry: u64, pc: u64, mut state: Stored, program: &mut dyn Program) -> Option<bool> {
        let mut at = entry;
        for _ in 0..MOST_AT_ONCE {
            let bytes = program.code(RunAddr(at));
            let next = bytes.get(..MAX_INSTRUCTION.min(bytes.len())).and_then(|code| instruction(code, at));
            let next = next?;
            if (next.ip()..next.next_ip()).contains(&pc) {
                // Where the stack pointer was aligned, stores are not followed.
                let is_followed = matches!(state.values.registers[RSP], Held::Stack(_));
                return (state.bytes == 0 && is_followed).then_some(false);
            }
            if !matches!(successors(&next), Some([Some(to), None]) if to == next.next_ip()) {
                return None;
            }
            self.step(&mut state, &next);
            if state.bytes == self.whole {
                return Some(true);
            }
            at = next.next_ip();
        }
        None
    }
}

#[derive(Clone, PartialEq)]
struct Stored {
    values: TrackedValues,
    /// A bit for each byte of the slot that is stored.
    bytes: u64,
}

impl Analysis for Stores {
    type State = Stored;

    fn meet(one: &Stored, other: &Stored) -> Stored {
        Stored { values: one.values.meet(&other.values), bytes: one.bytes & other.bytes }
    }

    fn step(&mut self, state: &mut Stored, instruction: &Instruction) {
        for (from, to) in state.values.stored_by(instruction, &mut self.info, is_certain) {
            let (slot, size) = self.slot;
            let bytes = (0..size).filter(|n| (from..to).contains(&slot.wrapping_add(*n as i64)));
            state.bytes |= bytes.fold(0, |all, n| all | 1 << n);
        }
        self.is_stored |= state.bytes == self.whole;
        state.values.step(instruction, &mut self.info);
    }

    fn leave(&mut self, _state: &Stored) -> bool {
        true
    }
}

fn is_certain(access: OpAccess) -> bool {
    matches!(access, OpAccess::Write | OpAccess::ReadWrite)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_program::{Bytes, CODE};
    use proptest::prelude::*;

    fn later(code: &[u8], pc: u64, slot: (i64, u64)) -> bool {
        let end = CODE + code.len() as u64;
        let is_own = |at: RunAddr| (CODE..end).contains(&at.0);
        is_stored_later(Arch::X86_64, (RunAddr(CODE), RunAddr(CODE + pc)), slot, &is_own, &mut Bytes(code))
    }

    /// push %rbx; sub $0x10,%rsp; mov %edx,%ebx; mov %rdi,(%rsp); mov %esi,8(%rsp); nop; add $0x10,%rsp; pop %rbx; ret
    const SPILLS: [u8; 24] = [
        0x53, 0x48, 0x83, 0xec, 0x10, 0x89, 0xd3, 0x48, 0x89, 0x3c, 0x24, 0x89, 0x74, 0x24, 0x08, 0x90, 0x48, 0x83,
        0xc4, 0x10, 0x5b, 0xc3, 0x90, 0x90,
    ];

    #[test]
    fn a_slot_is_stored_once_all_of_it_is() {
        let slot = (-0x20, 12);
        for (pc, is_missing) in [(0, true), (5, true), (11, true), (15, false), (16, false), (21, false)] {
            assert_eq!(later(&SPILLS, pc, slot), is_missing, "{pc}");
        }
        // Within the call of an outer frame, the address is in the middle.
        assert!(later(&SPILLS, 8, slot) && !later(&SPILLS, 17, slot));
    }

    #[test]
    fn what_has_gaps_is_there_once_something_of_it_is() {
        let slot = (-0x20, 16);
        for (pc, is_missing) in [(0, true), (8, true), (11, false), (15, false)] {
            assert_eq!(later(&SPILLS, pc, slot), is_missing, "{pc}");
        }
        assert!(!later(&SPILLS, 0, (-0x20, 0)) && !later(&SPILLS, 0, (-0x20, 65)));
    }

    #[test]
    fn every_way_has_to_store_it() {
        // test %esi,%esi; je 5; mov %rdi,-16(%rsp); nop; ret
        let code = [0x85, 0xf6, 0x74, 0x05, 0x48, 0x89, 0x7c, 0x24, 0xf0, 0x90, 0xc3];
        assert!(later(&code, 0, (-0x18, 8)) && later(&code, 9, (-0x18, 8)));
        assert!(!later(&code[4..], 5, (-0x18, 8)));
    }

    proptest! {
        #[test]
        fn any_code_comes_to_an_end(code in prop::collection::vec(any::<u8>(), 0..400), pc in 0u64..400, at in -256i64..64, size in 1u64..=64) {
            let _ = later(&code, pc, (at, size));
        }
    }
}
