//! Holds the debug and unwind sections of an image, read from the files that have them.

pub(in crate::dwarf) mod problems;
pub(in crate::dwarf) mod set;
pub(in crate::dwarf) mod slice;
pub(in crate::dwarf) mod split_units;
pub(in crate::dwarf) mod store;
pub(in crate::dwarf) mod unit_header;
