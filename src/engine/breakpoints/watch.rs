//! Watchpoints: which bytes, and what was in them.

use crate::api::{Access, BreakpointLocation};
use crate::breakpoints::resolve;
use crate::breakpoints::watch_scope::Owner;
use crate::target::process::Process;
use arch::{RunAddr, debug_registers, debug_registers_for_writes};
use ctype::{Bits, Place, TypeRef, Value};
use rsp::BreakKind;

/// What a watchpoint watches. The address is found once, when it is set: leaving the scope of a local does not lose it.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) address: u64,
    /// In bytes.
    pub(crate) size: u64,
    pub(crate) access: Access,
    pub(crate) ty: TypeRef,
    pub(crate) bits: Option<Bits>,
    /// The frame that it is in, if it is in one.
    pub(crate) owner: Option<Owner>,
    /// The bytes at the present moment, as far as known: a stop shows how they differ.
    pub(crate) last: Option<Vec<u8>>,
}

impl Watch {
    pub(crate) fn kind(&self) -> BreakKind {
        match self.access {
            Access::Write => BreakKind::WatchWrite,
            Access::Read => BreakKind::WatchRead,
            Access::Access => BreakKind::WatchAccess,
        }
    }

    /// Returns how many debug registers it takes.
    pub(crate) fn registers(&self) -> u64 {
        match self.access {
            Access::Write => debug_registers_for_writes(self.address, self.size),
            Access::Read | Access::Access => debug_registers(self.address, self.size),
        }
    }

    /// Reads what is watched; of the bytes that a bit-field shares with its neighbours, its own bits.
    pub(crate) fn read(&self, process: &mut Process) -> Option<Vec<u8>> {
        let len = usize::try_from(self.size).ok()?;
        let bytes = process.read_up_to(self.address, len);
        (bytes.len() == len).then(|| self.own(self.address, bytes))
    }

    /// Clears the bits of some bytes at an address that are not watched.
    pub(crate) fn own(&self, address: u64, mut bytes: Vec<u8>) -> Vec<u8> {
        let Some(bits) = self.bits else { return bytes };
        for (at, byte) in (address..).zip(&mut bytes) {
            *byte &= bits.mask(at.wrapping_sub(self.address));
        }
        bytes
    }

    /// Makes the watched object of these bytes.
    pub(crate) fn value(&self, bytes: &[u8]) -> Value {
        Value { ty: self.ty.clone(), place: Place::Bytes(bytes.iter().copied().map(Some).collect()), bits: self.bits }
    }

    pub(crate) fn location(&self) -> BreakpointLocation {
        resolve::location_of(&crate::modules::loaded::Modules::default(), RunAddr(self.address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn of_a_bit_field_its_own_bits_are_watched() {
        let watch = |bits| Watch {
            address: 0x100,
            size: 2,
            access: Access::Write,
            ty: Arc::new(ctype::Type::Void),
            bits,
            owner: None,
            last: None,
        };
        let field = watch(Some(Bits::new(4, 6)));
        assert_eq!(field.own(0x100, vec![0xff, 0xff]), [0xf0, 0x03]);
        assert_eq!(field.own(0x101, vec![0xff, 0xff]), [0x03, 0]);
        assert_eq!(field.own(0xff, vec![0xff, 0xff]), [0, 0xf0]);
        assert_eq!(watch(None).own(0x100, vec![0xff, 0x12]), [0xff, 0x12]);
    }
}
