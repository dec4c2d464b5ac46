//! Reads line tables.

pub(in crate::dwarf) mod allowance;
pub(in crate::dwarf) mod table;
