//! Reads line tables.

pub(in crate::dwarf) mod table;
