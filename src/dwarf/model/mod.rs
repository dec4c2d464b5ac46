//! What the answers of this module are made of: plain data that every room may name.

pub(in crate::dwarf) mod code;
pub(in crate::dwarf) mod die;
pub(in crate::dwarf) mod elf;
pub(in crate::dwarf) mod error;
pub(in crate::dwarf) mod frame;
pub(in crate::dwarf) mod own_source;
pub(in crate::dwarf) mod returning;
pub(in crate::dwarf) mod variable;
