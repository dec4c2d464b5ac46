//! `RDRAND` and `RDSEED`: numbers of the processor, which nobody records.
//!
//! rr hides both from programs that ask CPUID, if that can be made to fault; others execute them all the same, and a
//! replay would see other numbers. So they are single-stepped, and what they load is replaced by a number that follows
//! from the registers before: equal states give equal numbers, in the recording and in each replay. That is as good as
//! chance to a program whose stack is at a random place, and no secret.

use super::decode::Class;
use super::state::State;
use super::sys::{self, Errno, UserRegs};

/// The flags that the instructions set, and the one that says that there is a number.
const STATUS_FLAGS: u64 = 0x8d5;
const CARRY: u64 = 1;

impl State {
    /// Notes what the instruction of this class loads that is about to be stepped with these registers.
    pub fn draw(&mut self, tid: i32, class: Class, registers: &UserRegs) {
        if matches!(class, Class::Random { .. }) {
            self.tracee(tid).drawn = number(registers);
        }
    }

    /// Puts the number in the place of what the processor has loaded.
    pub fn replace_random(&mut self, tid: i32, register: u8, bytes: u8, registers: &mut UserRegs) -> Result<(), Errno> {
        load(registers, register, bytes, self.tracee(tid).drawn);
        sys::set_registers(tid, registers)
    }
}

/// Returns a number that depends on each register that the program can see.
fn number(registers: &UserRegs) -> u64 {
    let UserRegs { rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15, .. } = *registers;
    let general = [rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15];
    general.into_iter().chain([registers.rip, registers.fs_base]).fold(0, |number, word| mixed(number ^ word))
}

/// Spreads each bit over all: the multipliers are odd, so that different numbers stay different.
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Loads a number into a register, of which it is so many bytes wide, as the instructions do.
fn load(registers: &mut UserRegs, register: u8, bytes: u8, number: u64) {
    let destination = match register {
        0 => &mut registers.rax,
        1 => &mut registers.rcx,
        2 => &mut registers.rdx,
        3 => &mut registers.rbx,
        4 => &mut registers.rsp,
        5 => &mut registers.rbp,
        6 => &mut registers.rsi,
        7 => &mut registers.rdi,
        8 => &mut registers.r8,
        9 => &mut registers.r9,
        10 => &mut registers.r10,
        11 => &mut registers.r11,
        12 => &mut registers.r12,
        13 => &mut registers.r13,
        14 => &mut registers.r14,
        _ => &mut registers.r15,
    };
    *destination = match bytes {
        2 => *destination & !0xffff | number & 0xffff,
        4 => number & 0xffff_ffff,
        _ => number,
    };
    registers.eflags = registers.eflags & !STATUS_FLAGS | CARRY;
}
