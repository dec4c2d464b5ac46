//! Reads ELF files: headers, the bytes of sections, symbol tables; finds the separate files that belong to one.

pub(crate) mod build_id;
pub(crate) mod contents;
pub(crate) mod file;
pub(crate) mod locate;
pub(crate) mod minidebug;
pub(crate) mod symbol_tables;
