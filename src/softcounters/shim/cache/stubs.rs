//! The code all translations share: the dispatcher for indirect branches and the common exit.
//!
//! Neither changes a flag. Both are position dependent: they are for a fixed place in the region.

use super::super::sys::SYS_GETPID;
use super::asm::{Assembler, R11, RAX, RCX, RDX};
use super::layout::{COMMON_EXIT, DISPATCHER, MARKS, REGION, RETURNED, TABLE, TABLE_ENTRIES, slot};

/// Returns the two table entries that say where in the cache the translation of a program address is: the offset of
/// each in the region, and its content. Both are to be written, and may overwrite others, which seldom lose both of
/// theirs. An entry of zeros says nothing about any address outside the region.
pub fn table_entries(program: u64, cache: u64) -> [(u64, [u64; 2]); 2] {
    let content = [REGION.wrapping_sub(program), cache];
    let indices = [program, program.wrapping_add(program >> 16)];
    indices.map(|index| (TABLE + index % TABLE_ENTRIES * 16, content))
}

/// Makes what comes before the translation of block `number` to tell that it is run: `mov byte [mark], 1`.
pub fn mark(number: u32) -> Vec<u8> {
    let mut code = vec![0xc6, 0x04, 0x25];
    code.extend(((REGION + MARKS) as u32 + number).to_le_bytes());
    code.push(1);
    code
}

/// Makes the dispatcher, for [`DISPATCHER`].
///
/// In: rcx is where the program goes, the program's rcx is in its slot, the exit number of the branch is in its own.
/// Out: in the translation of that address; or, if there is none in the table, at the common exit, the address in its
/// slot. All registers are then the program's.
pub fn dispatcher() -> Vec<u8> {
    let mut asm = Assembler::default();
    asm.store(slot::TARGET, RCX);
    asm.store(slot::RAX, RAX);
    // movzx eax, cx
    asm.bytes(&[0x0f, 0xb7, 0xc1]);
    asm.store(slot::RDX, RDX);
    // jrcxz over the jump that follows it
    probe(&mut asm, |_| 5);
    let second = asm.jump();
    let found = asm.here();
    // mov rcx, [TABLE + 8 + rax * 8]
    asm.bytes(&[0x48, 0x8b, 0x0c, 0xc5]);
    asm.imm32((REGION + TABLE + 8) as u32);
    asm.store(slot::CACHED, RCX);
    restore(&mut asm);
    asm.jump_through(slot::CACHED);

    asm.aim(second, asm.here());
    asm.load(RCX, slot::TARGET);
    // movzx eax, word ptr [TARGET + 2]; lea eax, [rax + rcx]; movzx eax, ax
    asm.bytes(&[0x0f, 0xb7, 0x04, 0x25]);
    asm.imm32((REGION + slot::TARGET + 2) as u32);
    asm.bytes(&[0x8d, 0x04, 0x08, 0x0f, 0xb7, 0xc0]);
    probe(&mut asm, |next| found.wrapping_sub(next) as u8);
    restore(&mut asm);
    let field = asm.jump();
    asm.aim(field, (COMMON_EXIT - DISPATCHER) as u32);
    asm.code
}

/// From these offsets of the dispatcher on, a register of the program is in its slot, or the target is.
pub const TARGET_SAVED: u64 = 8;
pub const RAX_SAVED: u64 = 16;
pub const RDX_SAVED: u64 = 27;

/// Compares the key of entry eax with rcx, leaves the index of its first word in rax, and jumps if they match, by as
/// much as `distance` says for the offset of what follows the jump.
fn probe(asm: &mut Assembler, distance: impl Fn(u32) -> u8) {
    // lea eax, [rax + rax]; mov rdx, [TABLE + rax * 8]
    asm.bytes(&[0x8d, 0x04, 0x00, 0x48, 0x8b, 0x14, 0xc5]);
    asm.imm32((REGION + TABLE) as u32);
    // The key is REGION - address, so that this makes zero of the right one: lea rcx, [rcx + rdx - REGION]; jrcxz
    asm.bytes(&[0x48, 0x8d, 0x8c, 0x11]);
    asm.imm32((REGION as u32).wrapping_neg());
    let next = asm.here() + 2;
    asm.bytes(&[0xe3, distance(next)]);
}

fn restore(asm: &mut Assembler) {
    asm.load(RAX, slot::RAX);
    asm.load(RDX, slot::RDX);
    asm.load(RCX, slot::RCX);
}

/// Makes the common exit, for [`COMMON_EXIT`], which saves what `syscall` overwrites and executes it.
///
/// The number of the system call, which should never be made, is one that no kernel treats specially, unlike what the
/// program may have in rax.
pub fn common_exit() -> Vec<u8> {
    let mut asm = Assembler::default();
    asm.store(slot::EXIT_RCX, RCX);
    asm.store(slot::EXIT_R11, R11);
    asm.store(slot::RAX, RAX);
    // mov eax, imm32
    asm.bytes(&[0xb8]);
    asm.imm32(SYS_GETPID as u32);
    // syscall; then ud2, since nothing is resumed here.
    asm.bytes(&[0x0f, 0x05, 0x0f, 0x0b]);
    asm.code
}

/// Makes what rr's page returns to, for [`RETURNED`], which puts back the return address that was on the stack, see
/// [`rr_page`](super::rr_page), and goes there.
pub fn returned() -> Vec<u8> {
    let mut asm = Assembler::default();
    asm.store(slot::RCX, RCX);
    asm.load(RCX, slot::RETURN);
    // mov [rsp - 8], rcx
    asm.bytes(&[0x48, 0x89, 0x4c, 0x24, 0xf8]);
    let field = asm.jump();
    asm.aim(field, (DISPATCHER as u32).wrapping_sub(RETURNED as u32));
    asm.code
}

/// From this offset of [`returned`] on, rcx is in its slot.
pub const RETURNED_SAVED: u64 = 8;
/// Its length.
pub const RETURNED_LENGTH: u64 = 26;

/// Where a thread stands, as an offset in the region, when it is stopped by the common exit.
pub const AFTER_EXIT: u64 = COMMON_EXIT + 31;

/// Where in the common exit rax is not the program's any more.
pub const EXIT_CALL: u64 = AFTER_EXIT - 2;
