//! One ELF file with everything known about it: the facade that joins all rooms.

mod cancelled;
mod code;
mod data;
mod debug;
pub(crate) mod facade;
pub(crate) mod file_code;
mod frames;
mod indirect;
mod lasting_parameters;
pub(crate) mod root_attributes;
mod shortened;
pub(crate) mod sources;
mod symbols;
