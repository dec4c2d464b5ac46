//! Live tests: the real binary over stdio, a real rr, programs from `dwarf-fixtures`.
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and starts and ends processes"
)]

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each of the programs that share it uses a part of it")]
mod support;

mod arguments;
mod attach;
mod breakpoint_changes;
mod breakpoints;
mod buffered_calls;
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
mod replay;
mod replay_values;
mod returns;
mod robustness;
mod rust_returns;
mod sessions;
mod signals;
mod stdio;
mod timeline;
mod turning;
mod unwinding;
mod waiting;
mod watchpoints;
mod whose_names;
mod wire;
