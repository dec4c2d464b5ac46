//! Runs DWARF expressions against a frame.

pub(crate) mod composite;
pub(crate) mod evaluate;
pub(crate) mod run;
mod typed;
mod wide;
