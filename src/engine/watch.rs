//! Watchpoints: which bytes, and what was in them.

use super::locations;
use super::model::{Access, BreakpointPlace};
use super::process::Process;
use super::watch_owner::Owner;
use crate::arch::{RunAddr, debug_registers};
use crate::ctype::{Bits, Place, TypeRef, Value};
use crate::rsp::BreakKind;

/// What a watchpoint watches. The address is found once, when it is set: leaving the scope of a local does not lose it.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    pub(super) address: u64,
    /// In bytes.
    pub(super) size: u64,
    pub(super) access: Access,
    pub(super) ty: TypeRef,
    pub(super) bits: Option<Bits>,
    /// The frame that it is in, if it is in one.
    pub(super) owner: Option<Owner>,
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
        debug_registers(self.address, self.size)
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
