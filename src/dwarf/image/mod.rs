//! One ELF file with everything known about it: the facade that joins all rooms.

mod code;
mod data;
mod debug;
pub(in crate::dwarf) mod facade;
mod frames;
mod no_answer;
pub(in crate::dwarf) mod root_attributes;
pub(in crate::dwarf) mod sources;
mod symbols;
