//! Runs DWARF expressions against a frame.

pub(in crate::dwarf) mod composite;
pub(in crate::dwarf) mod evaluate;
pub(in crate::dwarf) mod run;
mod typed;
mod wide;
