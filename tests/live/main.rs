//! Live tests: the real binary over stdio, a real rr, programs from `dwarf-fixtures`.

#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

mod arguments;
mod attach;
mod breakpoint_changes;
mod breakpoints;
mod busy;
mod catching;
mod chaos;
mod checkpoints;
mod commands;
mod counters;
mod debug_info;
mod early_binding;
mod execution;
mod hook;
mod hostile;
mod http;
mod inspection;
mod interrupts;
mod jobs;
mod languages;
mod library;
mod limits;
mod log_points;
mod long_reading;
mod macros;
mod misses;
mod news;
mod objects;
mod optimised;
mod other_machines;
mod output;
mod permissions;
mod processes;
mod prompt;
mod reading;
mod recordings;
mod recovery;
mod returns;
mod robustness;
mod rust_returns;
mod sessions;
mod signals;
mod stdio;
mod turning;
mod unwinding;
mod waiting;
mod watchpoints;
mod whose_names;
mod wire;
