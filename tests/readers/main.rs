//! Readers of library types, over the memory of programs that run: compilers are needed, rr is not.
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

mod cxx;
mod damage;
mod gdb;
mod objects;
mod program;
mod rust;
mod typed;
