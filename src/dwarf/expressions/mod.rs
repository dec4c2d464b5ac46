//! Runs DWARF expressions against a frame.

pub(in crate::dwarf) mod composite;
pub(in crate::dwarf) mod evaluate;
mod typed;
mod wide;
