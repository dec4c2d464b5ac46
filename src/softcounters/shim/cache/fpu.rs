//! The x87 unit's record of its last instruction, which must not be an address in the cache where a program can see it.

use super::index::Index;
use super::layout::{REGION, SIZE};
use super::x87;
use crate::decode;
use crate::sys::{self, Errno, PTRACE_GETFPREGS, PTRACE_SETFPREGS};

/// `struct user_fpregs_struct`, the legacy area of XSAVE.
#[repr(C, align(16))]
struct FloatingPoint {
    control: [u16; 3],
    /// Part of the encoding of the last instruction.
    opcode: u16,
    /// Address of the last instruction.
    rip: u64,
    rest: [u64; 62],
}

/// Replaces an instruction pointer into the cache by the program's; by 0 if the translation is not known any more.
///
/// AMD's processors save it only with a pending exception, so that the kernel's copy has 0, and a thread has 0 when it
/// comes back from another one's turn. But if nobody had a turn on its processor meanwhile, the kernel leaves the
/// registers alone, and the address is still in them. A thread gets a 0 that is written back whatever happened.
pub fn correct_instruction_pointer(tid: i32, index: &Index) -> Result<(), Errno> {
    let mut state = FloatingPoint { control: [0; 3], opcode: 0, rip: 0, rest: [0; 62] };
    // SAFETY: the kernel fills a whole user_fpregs_struct.
    unsafe { sys::ptrace(PTRACE_GETFPREGS, tid, 0, &raw mut state as i64) }?;
    if (REGION..REGION + SIZE).contains(&state.rip) {
        state.rip = index.block_at(state.rip).map_or(0, |block| block.point(state.rip).0.address);
        let mut code = [0; decode::MAX_LENGTH + 1];
        let length = sys::read_memory(tid, state.rip, &mut code).unwrap_or(0);
        state.opcode = x87::program_opcode(&code[..length], state.opcode);
    } else if state.rip != 0 {
        return Ok(());
    }
    // SAFETY: the kernel reads a whole user_fpregs_struct.
    unsafe { sys::ptrace(PTRACE_SETFPREGS, tid, 0, &raw const state as i64) }.map(|_| ())
}
