//! One ELF file with everything known about it: the facade that joins all rooms.

mod cancelled;
mod code;
mod data;
mod debug;
pub(crate) mod facade;
mod frames;
mod indirect;
pub(crate) mod root_attributes;
mod shortened;
pub(crate) mod sources;
mod symbols;
