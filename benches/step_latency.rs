//! Step latency on recordings of two fixtures, every answer known beforehand.
//!
//! `cargo bench --bench step_latency [-- --rounds N] [--csv FILE] [--only-ours]`
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "a bench fails by panicking, and prints what it has measured"
)]

#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "each of the programs that share it uses a part of it")]
mod support;

use retrograde::cli::bench::scenario::{Operation as O, Step};
use retrograde::cli::bench::{Options, measure, print};
use std::path::PathBuf;
use support::fixtures::line;

/// Moves, looks around, and finds a write, in `stepping.c`.
fn stepping() -> Vec<Step> {
    let at = |function: &str, mark: &str| format!("{function}:{}", line("stepping.c", mark));
    let stop = |operation, function: &str, mark: &str| Step::expecting(operation, &at(function, mark));
    let quiet = |operation| Step::expecting(operation, "");
    vec![
        quiet(O::Start),
        quiet(O::Break("add".to_owned())),
        stop(O::Continue, "add", "add-body"),
        quiet(O::Unset),
        Step::expecting(O::Backtrace, &format!("{} {}", at("add", "add-body"), at("main", "nested"))),
        Step { operation: O::Locals, expected: None },
        Step::expecting(O::Evaluate("a * 100 + b".to_owned()), "204"),
        stop(O::Next, "add", "add-return"),
        stop(O::ReverseNext, "add", "add-body"),
        stop(O::Step, "add", "add-return"),
        stop(O::ReverseStep, "add", "add-body"),
        stop(O::ReverseFinish, "main", "nested"),
        stop(O::Step, "add", "add-body"),
        stop(O::Finish, "main", "nested"),
        quiet(O::Watch("total".to_owned())),
        stop(O::Continue, "main", "for"),
        // On from the write: turned round at once, it is not told a second time.
        stop(O::Next, "main", "body"),
        stop(O::ReverseContinue, "main", "body"),
        quiet(O::Unset),
    ]
}

fn main() {
    let mut arguments = lexopt::Parser::from_env();
    let (mut rounds, mut csv, mut only_ours) = (10, None, false);
    while let Some(argument) = arguments.next().expect("arguments can be read") {
        use lexopt::prelude::*;
        match argument {
            Long("rounds") => rounds = arguments.value().and_then(|v| v.parse()).expect("--rounds N"),
            Long("csv") => csv = Some(PathBuf::from(arguments.value().expect("--csv FILE"))),
            Long("only-ours") => only_ours = true,
            // What `cargo bench` itself passes.
            Long("bench") | Value(_) => {}
            other => panic!("{}", other.unexpected()),
        }
    }
    let options = Options {
        trace: support::recordings::recording("stepping").trace,
        server: PathBuf::from(env!("CARGO_BIN_EXE_retrograde")),
        rr: support::recordings::rr().program().to_owned(),
        rr_of_gdb: Some(support::recordings::stock_rr()),
        scenario: stepping(),
        rounds,
        only_ours,
    };
    match measure(&options) {
        Ok(measured) => {
            print(&measured, csv.as_deref()).expect("the report can be written");
            let gdbs: Vec<_> = measured.differences.iter().filter(|d| d.driver == "gdb").collect();
            assert!(gdbs.is_empty(), "GDB answers differently: {gdbs:?}");
        }
        Err(wrong) => panic!("{wrong}"),
    }
}
