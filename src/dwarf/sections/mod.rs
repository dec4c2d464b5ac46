//! Holds the debug and unwind sections of an image, read from the files that have them.

pub(in crate::dwarf) mod missing_debug_info;
pub(in crate::dwarf) mod set;
pub(in crate::dwarf) mod slice;
pub(in crate::dwarf) mod split_units;
pub(in crate::dwarf) mod store;
pub(in crate::dwarf) mod unit_header;
