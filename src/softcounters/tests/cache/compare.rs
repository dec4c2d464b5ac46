//! What is compared of the two processes of a pair.

use libc::user_regs_struct;

use super::pair::{Difference, Pair};
use super::state::{self, DATA, INSTRUCTION, OPCODE};
use crate::shim::cache::layout::{REGION, SIZE};
use crate::shim::cache::x87;

/// The trap and resume flags, which a debugger and a fault set.
pub const NOT_COMPARED: u64 = 1 << 8 | 1 << 16;

impl Pair {
    /// Compares all registers and the data.
    pub(super) fn compare(&self, cached: &user_regs_struct) -> Result<(), Difference> {
        let native = self.native.registers();
        let of = |registers: &user_regs_struct| {
            [
                ("rip", registers.rip),
                ("rax", registers.rax),
                ("rcx", registers.rcx),
                ("rdx", registers.rdx),
                ("rbx", registers.rbx),
                ("rsp", registers.rsp),
                ("rbp", registers.rbp),
                ("rsi", registers.rsi),
                ("rdi", registers.rdi),
                ("r8", registers.r8),
                ("r9", registers.r9),
                ("r10", registers.r10),
                ("r11", registers.r11),
                ("r12", registers.r12),
                ("r13", registers.r13),
                ("r14", registers.r14),
                ("r15", registers.r15),
                ("flags", registers.eflags & !NOT_COMPARED),
                ("cs", registers.cs),
                ("ss", registers.ss),
                ("ds", registers.ds),
                ("es", registers.es),
                ("fs", registers.fs),
                ("gs", registers.gs),
                ("fs_base", registers.fs_base),
                ("gs_base", registers.gs_base),
            ]
        };
        for ((name, native), (_, cached)) in of(&native).into_iter().zip(of(cached)) {
            if native != cached {
                return Err(format!("{name} is {cached:#x}, natively {native:#x}, at {:#x}", self.native.rip()));
            }
        }
        self.compare_extended_state()?;
        self.compare_memory(false)
    }

    /// An extended state of the thread in the cache as the program is to see it.
    pub(super) fn without_cache(&self, mut cached: Vec<u8>) -> Vec<u8> {
        if let Some((_, point)) = self.point(u64_at(&cached, INSTRUCTION)) {
            cached[INSTRUCTION..INSTRUCTION + 8].copy_from_slice(&point.address.to_le_bytes());
            let opcode = x87::program_opcode(self.image.code(point.address), u16_at(&cached, OPCODE));
            cached[OPCODE..OPCODE + 2].copy_from_slice(&opcode.to_le_bytes());
        }
        // An address of the cache that could not be replaced is not forgotten.
        if !(REGION..REGION + SIZE).contains(&u64_at(&cached, INSTRUCTION)) {
            state::forget_as(&self.native.extended_state(), &mut cached);
        }
        cached
    }

    fn compare_extended_state(&self) -> Result<(), Difference> {
        /// What the kernel says about the layout.
        const LAYOUT: std::ops::Range<usize> = 464..576;
        let native = self.native.extended_state();
        let cached = self.without_cache(self.cached.extended_state());
        for part in [0..LAYOUT.start, LAYOUT.end..native.len()] {
            if native[part.clone()] != cached[part.clone()] {
                let at = part.clone().find(|at| native[*at] != cached[*at]).unwrap_or(part.start);
                let near = at / 8 * 8..at / 8 * 8 + 8;
                let (cached, native) = (&cached[near.clone()], &native[near]);
                let rip = self.native.rip();
                return Err(format!(
                    "byte {at} of the extended state, {cached:02x?}, natively {native:02x?}, at {rip:#x}"
                ));
            }
        }
        Ok(())
    }

    /// Makes the memory of both the same again.
    pub(super) fn give_up(&mut self) {
        let image = self.image.segments.iter().map(|(area, _)| *area).filter(|area| area.writable);
        for area in std::iter::once(DATA).chain(image) {
            self.cached.memory_mut(area.address)[..area.length]
                .copy_from_slice(&self.native.memory(area.address)[..area.length]);
        }
    }

    pub(super) fn compare_memory(&self, all: bool) -> Result<(), Difference> {
        let image = self.image.segments.iter().map(|(area, _)| *area).filter(|area| all && area.writable);
        for area in std::iter::once(DATA).chain(image) {
            let native = &self.native.memory(area.address)[..area.length];
            let cached = &self.cached.memory(area.address)[..area.length];
            if native != cached {
                let at = native.iter().zip(cached).position(|(native, cached)| native != cached).unwrap_or(0);
                return Err(format!(
                    "memory differs at {:#x} ({:02x?}, natively {:02x?}), at {:#x}",
                    area.address + at as u64,
                    &cached[at..][..8],
                    &native[at..][..8],
                    self.native.rip()
                ));
            }
        }
        Ok(())
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}
