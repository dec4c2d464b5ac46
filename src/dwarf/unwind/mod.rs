//! Unwinds frames by call frame information.

pub(in crate::dwarf) mod cfi;
