//! Reads ELF files: headers, the bytes of sections, symbol tables; finds the separate files that belong to one.

pub(in crate::dwarf) mod build_id;
pub(in crate::dwarf) mod contents;
pub(in crate::dwarf) mod file;
pub(in crate::dwarf) mod locate;
pub(in crate::dwarf) mod minidebug;
pub(in crate::dwarf) mod symbol_tables;
