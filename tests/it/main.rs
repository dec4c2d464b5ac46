//! Hermetic tests: no rr, no compiler, no debugger.
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

mod extension;
mod imports;
mod layering;
mod library;
mod mcp_surface;
mod plugin;
mod quiet_log;
mod second_opinion;
mod shown_paths;
