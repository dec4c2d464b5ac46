//! What a conditional branch does, for a thread that stands before one.

use super::class::{Class, classify};
use super::insn::decode;

/// The state after a conditional branch; nothing else changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Executed {
    pub rip: u64,
    pub rcx: u64,
}

/// Bits of the flags register.
const CF: u64 = 1 << 0;
const PF: u64 = 1 << 2;
const ZF: u64 = 1 << 6;
const SF: u64 = 1 << 7;
const OF: u64 = 1 << 11;

/// Executes the conditional branch at the start of `code`, which is 64-bit code at `address` and may be cut off.
///
/// `None` if it is none, or one that may fault or depends on the processor: it must be executed by the program.
pub fn execute(code: &[u8], address: u64, rflags: u64, rcx: u64) -> Option<Executed> {
    let insn = decode(code)?;
    let next = address.wrapping_add(u64::from(insn.length));
    let target = next.wrapping_add(insn.immediate_in(code) as u64);
    if !is_user_address(target) {
        return None;
    }
    let (taken, rcx) = match classify(&insn) {
        Class::ConditionalJump(condition) => (holds(condition, rflags), rcx),
        Class::Loop => {
            let mask = if insn.prefixes.address_size { 0xffff_ffff } else { u64::MAX };
            let count = rcx.wrapping_sub(1) & mask;
            match insn.opcode {
                0xe0 => (count != 0 && rflags & ZF == 0, count),
                0xe1 => (count != 0 && rflags & ZF != 0, count),
                0xe2 => (count != 0, count),
                _ => (rcx & mask == 0, rcx),
            }
        }
        _ => return None,
    };
    Some(Executed { rip: if taken { target } else { next }, rcx })
}

/// Whether a program can stand at this address. A branch to another faults, and the fault is the branch's.
pub fn is_user_address(address: u64) -> bool {
    address >> 47 == 0
}

/// Whether the condition in the low four bits of an opcode holds.
fn holds(condition: u8, rflags: u64) -> bool {
    let is_set = |flag: u64| rflags & flag != 0;
    let base = match condition >> 1 & 7 {
        0 => is_set(OF),
        1 => is_set(CF),
        2 => is_set(ZF),
        3 => is_set(CF | ZF),
        4 => is_set(SF),
        5 => is_set(PF),
        6 => is_set(SF) != is_set(OF),
        _ => is_set(ZF) || is_set(SF) != is_set(OF),
    };
    base != (condition & 1 != 0)
}
