//! Random states for programs to start from.

use libc::user_regs_struct;

use super::child::Area;
use super::random::Random;

/// Where registers point to, mostly.
pub const DATA: Area = Area { address: 0x2000_0000_0000, length: 0x1_0000, writable: true, executable: false };

/// `cs` and `ss` of 64-bit user code on Linux.
const CS: u64 = 0x33;
const SS: u64 = 0x2b;
/// Carry, parity, adjust, zero, sign, overflow.
const STATUS_FLAGS: u64 = 0x8d5;
const DIRECTION: u64 = 1 << 10;
const ALIGNMENT_CHECK: u64 = 1 << 18;

/// A value as programs have them: a pointer to data or to code, a small number, anything.
fn value(random: &mut Random, code: &[u64]) -> u64 {
    match random.below(16) {
        0..=8 => {
            let address = DATA.address + 0x1000 + random.below(DATA.length as u64 - 0x2000);
            if random.once_in(4) { address } else { address & !7 }
        }
        9 | 10 if !code.is_empty() => code[random.below(code.len() as u64) as usize],
        11 => random.word(),
        12 => random.word() & 0xffff_ffff,
        13 => random.below(256).wrapping_neg(),
        _ => random.below(256),
    }
}

/// Content for [`DATA`]; `code` are addresses of instructions.
pub fn data(random: &mut Random, code: &[u64]) -> Vec<u8> {
    (0..DATA.length / 8).flat_map(|_| value(random, code).to_le_bytes()).collect()
}

/// Registers of a thread that stands at `rip`.
pub fn registers(random: &mut Random, code: &[u64], rip: u64) -> user_regs_struct {
    let mut flags = 0x202 | random.word() & STATUS_FLAGS;
    if random.once_in(8) {
        flags |= DIRECTION;
    }
    if random.once_in(64) {
        flags |= ALIGNMENT_CHECK;
    }
    let middle = DATA.address + DATA.length as u64 / 2;
    let mut any = || value(random, code);
    user_regs_struct {
        r15: any(),
        r14: any(),
        r13: any(),
        r12: any(),
        rbp: any(),
        rbx: any(),
        r11: any(),
        r10: any(),
        r9: any(),
        r8: any(),
        rax: any(),
        rcx: any(),
        rdx: any(),
        rsi: any(),
        rdi: any(),
        orig_rax: u64::MAX,
        rip,
        cs: CS,
        eflags: flags,
        rsp: middle + random.below(0x1000) / 8 * 8 - random.once_in(16) as u64 * 3,
        ss: SS,
        fs_base: middle,
        gs_base: if random.once_in(2) { 0 } else { middle },
        ds: 0,
        es: 0,
        fs: 0,
        gs: 0,
    }
}

/// Offset of the control registers in the extended state, and of what follows the legacy part and the header.
const MXCSR: usize = 24;
const LEGACY_REGISTERS: std::ops::Range<usize> = 32..416;
const STATE_BV: usize = 512;
const EXTENDED: usize = 576;
/// x87, SSE, AVX, AVX-512 (three components), as bits of `XSTATE_BV`.
const COMPONENTS: u64 = 0b1110_0111;
/// Where the last of them ends at most, in the standard layout of processors that have AVX-512.
const EXTENDED_END: usize = 2688;

/// Whether this processor saves what the x87 unit remembers of its last instruction only while an exception is pending,
/// as AMD's do: else a thread has forgotten it when another one has had its turn.
pub fn forgets_last_instruction() -> bool {
    #[repr(C, align(16))]
    struct Area([u64; 64]);
    let mut area = Area([0; 64]);
    // SAFETY: fxsave64 writes 512 bytes at an aligned address; the unit is left as a function is to leave it.
    unsafe {
        std::arch::asm!("fninit", "fld1", "fxsave64 [{area}]", "fninit", area = in(reg) &raw mut area,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _);
    }
    area.0[1] == 0
}

/// Changes an extended state to a random one: its vector and x87 registers are full, exceptions are mostly masked.
pub fn randomise(state: &mut [u8], random: &mut Random) {
    // x87: all masked, double extended precision; status and top of stack at will, all registers in use.
    state[0..2].copy_from_slice(&0x37fu16.to_le_bytes());
    state[2..4].copy_from_slice(&((random.below(8) << 11) as u16).to_le_bytes());
    state[4..6].copy_from_slice(&(random.word() as u16 & 0xff).to_le_bytes());
    let unmasked = if random.once_in(8) { random.word() as u32 & 0x1f80 } else { 0 };
    state[MXCSR..MXCSR + 4].copy_from_slice(&(0x1f80 & !unmasked).to_le_bytes());
    let fill = |range: std::ops::Range<usize>, state: &mut [u8], random: &mut Random| {
        let end = range.end.min(state.len());
        for word in state[range.start.min(end)..end].chunks_exact_mut(8) {
            let value = match random.below(8) {
                0 => 0,
                1 => random.word() % 64,
                2 | 3 => (random.word() as i32 as f64 / 256.0).to_bits(),
                4 => DATA.address + 0x1000 + random.below(DATA.length as u64 - 0x2000),
                _ => random.word(),
            };
            word.copy_from_slice(&value.to_le_bytes());
        }
    };
    fill(LEGACY_REGISTERS, state, random);
    for register in state[32..160].chunks_exact_mut(16) {
        register[10..].fill(0);
    }
    fill(EXTENDED..EXTENDED_END, state, random);
    let supported = u64::from_le_bytes(*state[464..].first_chunk().expect("the header of the kernel"));
    state[STATE_BV..STATE_BV + 8].copy_from_slice(&(supported & COMPONENTS).to_le_bytes());
}

/// Where an extended state has the opcode of the last instruction of x87.
pub const OPCODE: usize = 6;
/// Where it has the address of that.
pub const INSTRUCTION: usize = 8;
/// Where all that is remembered of it ends.
const LAST_END: usize = 24;

/// Forgets the last instruction of x87 where the other state has: each step is another one's turn, in which it may be.
pub fn forget_as(other: &[u8], state: &mut [u8]) {
    let is_zero = |state: &[u8]| state[OPCODE..LAST_END].iter().all(|byte| *byte == 0);
    if !is_zero(state) && is_zero(other) && forgets_last_instruction() {
        state[OPCODE..LAST_END].fill(0);
    }
}
