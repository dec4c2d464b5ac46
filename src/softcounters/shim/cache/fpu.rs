//! The x87 unit's record of its last instruction, which must not be an address in the cache where a program can see it.

use super::index::Index;
use super::layout::{REGION, SIZE};
use super::x87;
use crate::decode;
use crate::sys::{self, Errno};

const PTRACE_GETFPREGS: i64 = 14;
const PTRACE_SETFPREGS: i64 = 15;

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
pub fn correct_instruction_pointer(tid: i32, index: &Index) -> Result<(), Errno> {
    let mut state = FloatingPoint { control: [0; 3], opcode: 0, rip: 0, rest: [0; 62] };
    // SAFETY: the kernel fills a whole user_fpregs_struct.
    unsafe { sys::ptrace(PTRACE_GETFPREGS, tid, 0, &raw mut state as i64) }?;
    if !(REGION..REGION + SIZE).contains(&state.rip) {
        return Ok(());
    }
    state.rip = index.block_at(state.rip).map_or(0, |block| block.point(state.rip).address);
    let mut code = [0; decode::MAX_LENGTH + 1];
    let length = sys::read_memory(tid, state.rip, &mut code).unwrap_or(0);
    state.opcode = x87::program_opcode(&code[..length], state.opcode);
    // SAFETY: the kernel reads a whole user_fpregs_struct.
    unsafe { sys::ptrace(PTRACE_SETFPREGS, tid, 0, &raw const state as i64) }.map(|_| ())
}

/// Whether the instruction at the start of `code` stores the x87 instruction pointer: `FNSTENV`, `FNSAVE`, `FXSAVE` and
/// the `XSAVE` family.
pub fn is_stored_by(code: &[u8]) -> bool {
    let is_prefix = |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf2 | 0xf3);
    let prefixes = code.iter().take_while(|byte| is_prefix(byte)).count();
    let register = |modrm: u8| (modrm < 0xc0).then_some(modrm >> 3 & 7);
    match code[prefixes..] {
        [0xd9 | 0xdd, modrm, ..] => register(modrm) == Some(6),
        [0x0f, 0xae, modrm, ..] => matches!(register(modrm), Some(0 | 4 | 6)),
        [0x0f, 0xc7, modrm, ..] => matches!(register(modrm), Some(4 | 5)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_that_store_the_instruction_pointer() {
        // fnstenv [rax]; fnsave [rax]; fxsave64 [rax]; xsave [rax]; xsaveopt [rax]; xsavec [rsp+0x40]; xsaves [rax].
        let storing: [&[u8]; 7] = [
            &[0xd9, 0x30],
            &[0xdd, 0x30],
            &[0x48, 0x0f, 0xae, 0x00],
            &[0x0f, 0xae, 0x20],
            &[0x0f, 0xae, 0x30],
            &[0x0f, 0xc7, 0x64, 0x24, 0x40],
            &[0x0f, 0xc7, 0x28],
        ];
        assert!(storing.iter().all(|code| is_stored_by(code)));
        // fcos; fnstcw [rax]; mfence; lfence; xrstor [rax]; cmpxchg8b [rax]; nothing.
        let others: [&[u8]; 7] = [
            &[0xd9, 0xff],
            &[0xd9, 0x38],
            &[0x0f, 0xae, 0xf0],
            &[0x0f, 0xae, 0xe8],
            &[0x0f, 0xae, 0x28],
            &[0x0f, 0xc7, 0x08],
            &[],
        ];
        assert!(!others.iter().any(|code| is_stored_by(code)));
    }
}
