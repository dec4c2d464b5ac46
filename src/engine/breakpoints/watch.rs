//! Watchpoints: which bytes, and what was in them.

use crate::arch::{RunAddr, debug_registers};
use crate::ctype::{Bits, Place, TypeRef, Value};
use crate::engine::api::{Access, BreakpointLocation};
use crate::engine::breakpoints::resolve;
use crate::engine::breakpoints::watch_scope::Owner;
use crate::engine::target::process::Process;
use crate::rsp::BreakKind;

/// What a watchpoint watches. The address is found once, when it is set: leaving the scope of a local does not lose it.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Watch {
    pub(in crate::engine) address: u64,
    /// In bytes.
    pub(in crate::engine) size: u64,
    pub(in crate::engine) access: Access,
    pub(in crate::engine) ty: TypeRef,
    pub(in crate::engine) bits: Option<Bits>,
    /// The frame that it is in, if it is in one.
    pub(in crate::engine) owner: Option<Owner>,
    /// The bytes at the present moment, as far as known: a stop shows how they differ.
    pub(in crate::engine) last: Option<Vec<u8>>,
}

impl Watch {
    pub(in crate::engine) fn kind(&self) -> BreakKind {
        match self.access {
            Access::Write => BreakKind::WatchWrite,
            Access::Read => BreakKind::WatchRead,
            Access::Access => BreakKind::WatchAccess,
        }
    }

    /// Returns how many debug registers it takes.
    pub(in crate::engine) fn registers(&self) -> u64 {
        debug_registers(self.address, self.size)
    }

    pub(in crate::engine) fn read(&self, process: &mut Process) -> Option<Vec<u8>> {
        let len = usize::try_from(self.size).ok()?;
        let bytes = process.read_up_to(self.address, len);
        (bytes.len() == len).then_some(bytes)
    }

    /// Makes the watched object of these bytes.
    pub(in crate::engine) fn value(&self, bytes: &[u8]) -> Value {
        Value { ty: self.ty.clone(), place: Place::Bytes(bytes.iter().copied().map(Some).collect()), bits: self.bits }
    }

    pub(in crate::engine) fn location(&self) -> BreakpointLocation {
        resolve::location_of(&crate::engine::modules::loaded::Modules::default(), RunAddr(self.address))
    }
}
