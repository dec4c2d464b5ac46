//! The ELF files that are loaded: which, where, from which file on this machine.

pub(super) mod auxv;
pub(super) mod code;
pub(super) mod find;
pub(super) mod links;
pub(super) mod loaded;
pub(super) mod similar;
pub(super) mod tls_slots;
