//! One ELF file with everything known about it: the facade that joins all rooms.

mod cancelled;
mod code;
mod data;
mod debug;
pub(in crate::dwarf) mod facade;
mod frames;
mod indirect;
pub(in crate::dwarf) mod root_attributes;
mod shortened;
pub(in crate::dwarf) mod sources;
mod symbols;
