//! One ELF file with everything known about it: the facade that joins all rooms.

pub(in crate::dwarf) mod facade;
pub(in crate::dwarf) mod root_attributes;
pub(in crate::dwarf) mod sources;
