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

mod breakpoints;
mod calls;
mod dap;
mod debug_info;
mod languages;
mod library;
mod movement;
mod names;
mod origin;
mod prompt;
mod recording;
mod report;
mod server;
mod trace;
mod values;
