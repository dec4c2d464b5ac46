//! Makes one collection of the units of all files of an image, in which a [`DieId`](crate::dwarf::DieId) says where a
//! DIE is.

pub(in crate::dwarf) mod addresses;
pub(in crate::dwarf) mod attributes;
pub(in crate::dwarf) mod blocks;
pub(in crate::dwarf) mod code_map;
pub(in crate::dwarf) mod collection;
pub(in crate::dwarf) mod entry;
pub(in crate::dwarf) mod file_number;
pub(in crate::dwarf) mod functions;
pub(in crate::dwarf) mod language;
mod line_headers;
pub(in crate::dwarf) mod producer;
mod prologue;
mod prologues;
pub(in crate::dwarf) mod ranges;
pub(in crate::dwarf) mod tables;
pub(in crate::dwarf) mod unit_cache;
pub(in crate::dwarf) mod units_in_other_files;
