//! Runs DWARF expressions against a frame.

pub(in crate::dwarf) mod composite;
mod conversions;
pub(in crate::dwarf) mod evaluate;
