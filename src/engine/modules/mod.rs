//! The ELF files that are loaded: which, where, from which file on this machine, and their sources.

pub(super) mod auxv;
pub(super) mod base_name;
pub(super) mod code;
pub(super) mod debuginfod;
pub(super) mod find;
pub(super) mod loaded;
pub(super) mod similar;
pub(super) mod sources;
