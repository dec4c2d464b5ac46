//! GDB and we, on the same recording: the same stops, the same frames, the same values.
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

mod excuses;
mod faults;
mod instructions;
mod macros;
mod matrix;
mod openings;
mod pair;
mod picture;
mod script;
mod stacks;
mod table;
mod transcripts;
mod values;
mod walks;
mod whose_names;
