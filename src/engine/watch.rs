//! Watchpoints: which bytes, and what was in them.

use super::locations;
use super::model::{Access, BreakpointPlace};
use super::process::Process;
use crate::arch::RunAddr;
use crate::ctype::{Bits, Place, TypeRef, Value};
use crate::rsp::BreakKind;

/// Debug registers of an x86 processor, shared by all watchpoints; each covers an aligned word of up to eight bytes.
pub(super) const DEBUG_REGISTERS: u64 = 4;

/// What a watchpoint watches. The address is found once, when it is set: leaving the scope of a local does not lose it.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    pub(super) address: u64,
    /// In bytes.
    pub(super) size: u64,
    pub(super) access: Access,
    pub(super) ty: TypeRef,
    pub(super) bits: Option<Bits>,
    /// The bytes at the present moment, as far as known: a stop shows how they differ.
    pub(super) last: Option<Vec<u8>>,
}

impl Watch {
    pub(super) fn kind(&self) -> BreakKind {
        match self.access {
            Access::Write => BreakKind::WatchWrite,
            Access::Read => BreakKind::WatchRead,
            Access::Access => BreakKind::WatchAccess,
        }
    }

    /// How many debug registers it takes.
    pub(super) fn registers(&self) -> u64 {
        registers_for(self.address, self.size)
    }

    pub(super) fn read(&self, process: &mut Process) -> Option<Vec<u8>> {
        let len = usize::try_from(self.size).ok()?;
        let bytes = process.read_up_to(self.address, len);
        (bytes.len() == len).then_some(bytes)
    }

    /// The watched object, made of these bytes.
    pub(super) fn value(&self, bytes: &[u8]) -> Value {
        Value { ty: self.ty.clone(), place: Place::Bytes(bytes.iter().copied().map(Some).collect()), bits: self.bits }
    }

    pub(super) fn place(&self) -> BreakpointPlace {
        locations::place(&super::modules::Modules::default(), RunAddr(self.address))
    }
}

/// Aligned words of up to eight bytes that it takes to cover a range.
pub(super) fn registers_for(address: u64, size: u64) -> u64 {
    let (mut at, mut left, mut count) = (address, size, 0);
    while left > 0 {
        if at.is_multiple_of(8) && left >= 8 {
            // Whole words at once: a size may be anything that debug info says.
            count += left / 8;
            at = at.wrapping_add(left & !7);
            left %= 8;
            continue;
        }
        let aligned = 1 << at.trailing_zeros().min(3);
        let fits = 1u64 << left.ilog2().min(3);
        let piece = aligned.min(fits);
        at = at.wrapping_add(piece);
        left -= piece;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_aligned_words() {
        assert_eq!(registers_for(0x1000, 8), 1);
        assert_eq!(registers_for(0x1000, 4), 1);
        assert_eq!(registers_for(0x1004, 8), 2);
        assert_eq!(registers_for(0x1000, 32), 4);
        assert_eq!(registers_for(0x1000, 33), 5);
        assert_eq!(registers_for(0x1001, u64::MAX), 3 + (u64::MAX - 7) / 8);
        assert_eq!(registers_for(0x1001, 1), 1);
        assert_eq!(registers_for(0x1001, 3), 2);
        assert_eq!(registers_for(0x1000, 12), 2);
        assert_eq!(registers_for(0x1000, 0), 0);
    }
}
