//! What must hold for a hit to be told.

use super::list::{Register, is_way};
use std::fmt;
use std::ops::RangeInclusive;

/// A number that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The low bytes of a register.
    Register(Register),
    /// What is in memory.
    Memory {
        /// What the address begins with.
        base: Register,
        /// What is added to it, as of a [`Value`](super::Value).
        steps: Vec<i32>,
    },
}

/// A number must lie in a range, or be another number than one. What does not is passed over where that can be seen: hits
/// are told of which it does not hold, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Which number.
    pub operand: Operand,
    /// Its bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// Whether it has a sign.
    pub is_signed: bool,
    /// Where it must lie; every number of it is one of this size.
    pub range: RangeInclusive<i128>,
    /// The range is of one number, which it must not be.
    pub is_other: bool,
}

impl Requirement {
    /// Returns the numbers of a size, 1 to 8 bytes.
    pub const fn extent(size: u8, is_signed: bool) -> RangeInclusive<i128> {
        let bits = 8 * size as u32;
        if is_signed { -(1 << (bits - 1))..=(1 << (bits - 1)) - 1 } else { 0..=(1 << bits) - 1 }
    }

    /// Returns whether it can be looked at.
    pub fn is_possible(&self) -> bool {
        let is_found = match &self.operand {
            Operand::Register(_) => true,
            Operand::Memory { steps, .. } => is_way(steps),
        };
        let (least, greatest) = (self.range.start(), self.range.end());
        let is_size = matches!(self.size, 1 | 2 | 4 | 8);
        let is_inside = |number| is_size && Self::extent(self.size, self.is_signed).contains(number);
        is_found
            && is_inside(least)
            && is_inside(greatest)
            && least <= greatest
            && (!self.is_other || least == greatest)
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_signed { 's' } else { 'u' }, self.size)?;
        match &self.operand {
            Operand::Register(register) => write!(f, "%{}", register.name())?,
            Operand::Memory { base, steps } => {
                write!(f, "@{}", base.name())?;
                steps.iter().try_for_each(|step| write!(f, "+{step}"))?;
            }
        }
        let sign = if self.is_other { '!' } else { '=' };
        write!(f, "{sign}{}..{}", self.range.start(), self.range.end())
    }
}
