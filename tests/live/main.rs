//! Live tests: the real binary over stdio, a real rr, programs from `dwarf-fixtures`.

#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

mod breakpoints;
mod busy;
mod checkpoints;
mod commands;
mod counters;
mod debug_info;
mod execution;
mod inspection;
mod library;
mod objects;
mod optimised;
mod processes;
mod recordings;
mod robustness;
mod sessions;
mod signals;
mod stdio;
mod surface;
mod unwinding;
mod watchpoints;
