//! What must hold for a hit to be told: numbers in registers and memory that lie in ranges.
//!
//! It is looked at in translated code, before anything of the entry is written, without changing a flag: differences
//! are taken by `lea` and `not`, and whether one is below zero is told by its highest byte. So a condition that rarely
//! holds costs some twenty instructions a hit, instead of an entry that is packed, written down, read and judged.

use super::asm::{Assembler, RCX};

/// A number that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The low bytes of a register, by its number as of [`Item::Register`](super::site::Item).
    Register(u8),
    /// What is in memory, at the address of an [`Item::Memory`](super::site::Item).
    Memory { base: u8, steps: Vec<i32> },
}

/// A number must lie in a range, or be another number than one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    pub operand: Operand,
    /// Bytes of the number: 1, 2, 4 or 8.
    pub size: u8,
    pub is_signed: bool,
    /// The least and the greatest, which a number of this size can be.
    pub least: i128,
    pub greatest: i128,
    /// Both are one number, which it must not be.
    pub is_other: bool,
}

impl Requirement {
    /// Returns the least and the greatest number of this size.
    pub fn extent(size: u8, is_signed: bool) -> (i128, i128) {
        let bits = 8 * u32::from(size);
        if is_signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
    }

    /// Returns whether it can be looked at.
    pub fn is_possible(&self) -> bool {
        if !matches!(self.size, 1 | 2 | 4 | 8) {
            return false;
        }
        let (from, to) = Requirement::extent(self.size, self.is_signed);
        let is_range = from <= self.least && self.least <= self.greatest && self.greatest <= to;
        is_range && (!self.is_other || self.least == self.greatest)
    }

    /// Returns whether something of it is counted from this register.
    pub fn names(&self, register: u8) -> bool {
        match &self.operand {
            Operand::Register(number) | Operand::Memory { base: number, .. } => *number == register,
        }
    }
}

impl Assembler {
    /// Jumps if a requirement is not fulfilled; the program's rax and rcx are in their slots. Returns the rel32 fields of
    /// these jumps, and those that lead to where the tracer looks instead. Overwrites rax and rcx.
    pub fn require(&mut self, requirement: &Requirement, doubtful: &mut Vec<u32>) -> Vec<u32> {
        let Requirement { size, is_signed, .. } = *requirement;
        match &requirement.operand {
            Operand::Register(number) => self.value_to_rax(*number),
            Operand::Memory { base, steps } => {
                let last = self.lead_to(*base, steps, doubtful);
                self.load_from_rax(u32::from(size), last);
            }
        }
        match (size, is_signed) {
            // movsx rax, al; movzx eax, al; movsx rax, ax; movzx eax, ax; movsxd rax, eax; mov eax, eax
            (1, true) => self.bytes(&[0x48, 0x0f, 0xbe, 0xc0]),
            (1, false) => self.bytes(&[0x0f, 0xb6, 0xc0]),
            (2, true) => self.bytes(&[0x48, 0x0f, 0xbf, 0xc0]),
            (2, false) => self.bytes(&[0x0f, 0xb7, 0xc0]),
            (4, true) => self.bytes(&[0x48, 0x63, 0xc0]),
            (4, false) => self.bytes(&[0x89, 0xc0]),
            _ => {}
        }
        if requirement.least == requirement.greatest {
            self.distance_from(requirement.least as i64);
            // jrcxz over a jump; or jrcxz over a short jump over a jump
            match requirement.is_other {
                false => self.bytes(&[0xe3, 5]),
                true => self.bytes(&[0xe3, 2, 0xeb, 5]),
            }
            return vec![self.jump()];
        }
        let (from, to) = Requirement::extent(size, is_signed);
        let is_wide = size == 8;
        let (mut least, mut greatest) = (requirement.least as i64, requirement.greatest as i64);
        if is_wide && !is_signed {
            // In the order of numbers with a sign: lea rax, [rax + 2^63].
            self.load_immediate(RCX, 1 << 63);
            self.bytes(&[0x48, 0x8d, 0x04, 0x01]);
            (least, greatest) = (least ^ i64::MIN, greatest ^ i64::MIN);
        }
        let mut failed = Vec::new();
        if requirement.least > from {
            self.at_least(least, is_wide, &mut failed);
        }
        if requirement.greatest < to {
            self.at_most(greatest, is_wide, &mut failed);
        }
        failed
    }

    /// Jumps if rax is less than a number. The difference of wide numbers of which one is below zero may not fit, but then
    /// it is known which is less.
    fn at_least(&mut self, least: i64, is_wide: bool, failed: &mut Vec<u32>) {
        let mut known = None;
        if is_wide {
            self.sign_of_rax();
            if least > 0 {
                // jrcxz over a jump
                self.bytes(&[0xe3, 5]);
                failed.push(self.jump());
            } else {
                known = Some(self.jump_if_rcx_is_zero());
            }
        }
        self.distance_from(least);
        failed.push(self.jump_if_negative());
        known.into_iter().for_each(|field| self.aim_short(field));
    }

    /// Jumps if rax is greater than a number. Overwrites rax.
    fn at_most(&mut self, greatest: i64, is_wide: bool, failed: &mut Vec<u32>) {
        let mut known = None;
        if is_wide {
            self.sign_of_rax();
            // jrcxz over a short jump
            self.bytes(&[0xe3, 2, 0xeb, 5]);
            if greatest < 0 {
                failed.push(self.jump());
            } else {
                known = Some(self.here() - 1);
            }
        }
        // not rax, which is -1 - rax
        self.bytes(&[0x48, 0xf7, 0xd0]);
        self.distance_from(greatest.wrapping_add(1).wrapping_neg());
        failed.push(self.jump_if_negative());
        known.into_iter().for_each(|field| self.aim_short(field));
    }

    /// Makes rcx what rax is above a number.
    fn distance_from(&mut self, number: i64) {
        self.load_immediate(RCX, number.wrapping_neg() as u64);
        // lea rcx, [rcx + rax]
        self.bytes(&[0x48, 0x8d, 0x0c, 0x01]);
    }

    /// Makes rcx zero if rax is not below zero.
    fn sign_of_rax(&mut self) {
        // mov rcx, rax
        self.bytes(&[0x48, 0x89, 0xc1]);
        self.sign_of_rcx();
    }

    /// Makes rcx zero if it is not below zero.
    fn sign_of_rcx(&mut self) {
        // bswap rcx; movsx ecx, cl; bswap ecx; movzx ecx, cl: of the highest byte the sign, which is all bits of another.
        self.bytes(&[0x48, 0x0f, 0xc9, 0x0f, 0xbe, 0xc9, 0x0f, 0xc9, 0x0f, 0xb6, 0xc9]);
    }

    /// Jumps if rcx is below zero; returns the rel32 field.
    fn jump_if_negative(&mut self) -> u32 {
        self.sign_of_rcx();
        // jrcxz over a jump
        self.bytes(&[0xe3, 5]);
        self.jump()
    }
}
