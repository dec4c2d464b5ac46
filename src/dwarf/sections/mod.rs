//! Holds the debug and unwind sections of an image, read from the files that have them.

pub(crate) mod missing_debug_info;
pub(crate) mod set;
pub(crate) mod slice;
pub(crate) mod split_units;
pub(crate) mod store;
pub(crate) mod unit_header;
