//! Going back over long stretches: four threads stopped by their time slices, and Python, against GDB with an rr as it
//! is without us (its own idea of the processor's skid, overflows when it asks for them). All with soft counters.
//!
//! `cargo bench --bench travel [-- --rounds N] [--only threads|slices|python] [--only-ours]`
//!
//! Each answer is compared. Recording and replay are timed as whole processes, alternating, and the single steps that
//! the counters made are told: they say more than times on a machine with other work.
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

#[path = "../../tests/support/mod.rs"]
#[allow(dead_code, reason = "each of the programs that share it uses a part of it")]
mod support;

use retrograde::cli::bench::scenario::{Operation as O, Step};
use retrograde::cli::bench::{Options, measure, print};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use support::fixtures::scratch;
use support::recordings::{rr, small_environment, stock_rr};

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/travel")
}

/// A recording and what is done with it.
struct Journey {
    name: &'static str,
    program: Vec<String>,
    record: &'static [&'static str],
    /// From what the program printed.
    scenario: fn(&str) -> Vec<Step>,
}

/// The line of a source here that a mark is on.
fn line(file: &str, mark: &str) -> usize {
    let text = fs::read_to_string(here().join(file)).expect("the source can be read");
    text.lines().position(|line| line.contains(mark)).expect("the mark is there") + 1
}

/// With few time slices, of random lengths, or with many.
fn threads(name: &'static str, record: &'static [&'static str]) -> Journey {
    let program = scratch().join("travel-threads");
    let mut compiler = Command::new("gcc");
    compiler.args(["-O1", "-g", "-static", "-pthread", "-o"]).arg(&program).arg(here().join("threads.c"));
    assert!(compiler.status().expect("gcc runs").success());
    let scenario = |_: &str| {
        let at = |function: &str, mark: &str| format!("{function}:{}", line("threads.c", mark));
        let mut steps = vec![
            Step::expecting(O::Start, ""),
            Step::expecting(O::Break("done".to_owned()), ""),
            Step::expecting(O::Continue, &at("done", "@done")),
            Step::expecting(O::Unset, ""),
            Step::expecting(O::Watch("last".to_owned()), ""),
        ];
        steps.extend((0..4).map(|_| Step::expecting(O::ReverseContinue, &at("work", "@write"))));
        steps
    };
    Journey { name, program: vec![program.display().to_string()], record, scenario }
}

fn python() -> Journey {
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let python = String::from_utf8(asked.expect("python3 runs").stdout).expect("a path is text").trim().to_owned();
    let scenario = |output: &str| {
        let address = output.lines().next().expect("the program says where its cell is");
        let step = |operation| Step { operation, expected: None };
        vec![
            step(O::Start),
            // To the end.
            step(O::Continue),
            step(O::Watch(format!("*(long*){address}"))),
            step(O::ReverseContinue),
            Step::expecting(O::Evaluate(format!("*(long*){address}")), "1"),
        ]
    };
    let program = vec![python, here().join("long.py").display().to_string()];
    Journey { name: "python", program, record: &[], scenario }
}

/// Runs our passthrough; how long it took.
fn run(words: &[&str], program: &[String], environment: &[(&str, &str)]) -> (Output, Duration) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.arg("rr").args(words).args(program).env_clear().envs(small_environment());
    command.env("RETROGRADE_COUNTERS", "soft").envs(environment.iter().copied());
    let begun = Instant::now();
    let output = command.output().expect("retrograde runs");
    let took = begun.elapsed();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    (output, took)
}

/// A number of the counters' statistics.
fn statistic(output: &Output, name: &str) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    let rest = errors.split_once(&format!(" {name}: ")).expect("the statistics are printed").1;
    rest.chars().take_while(char::is_ascii_digit).collect()
}

fn travel(journey: &Journey, rounds: usize, only_ours: bool) {
    let trace = scratch().join(format!("travel-{}.trace", journey.name));
    let place = trace.display().to_string();
    println!("{}:", journey.name);
    let mut printed = String::new();
    for round in 1..=rounds {
        let _ = fs::remove_dir_all(&trace);
        let words = [&["record"], journey.record, &["-o", &place]].concat();
        let (recorded, recording) = run(&words, &journey.program, &[]);
        let (replayed, replay) = run(&["replay", "-a", &place], &[], &[("RETROGRADE_SOFT_STATS", "1")]);
        assert_eq!(recorded.stdout, replayed.stdout, "the replay printed something else");
        let [ticks, overflows, steps] = ["ticks", "overflows", "steps"].map(|name| statistic(&replayed, name));
        println!(
            "round {round}: recorded in {:.2} s, replayed in {:.2} s ({:.2}x): {ticks} branches, {overflows} overflows, \
             {steps} single steps",
            recording.as_secs_f64(),
            replay.as_secs_f64(),
            replay.as_secs_f64() / recording.as_secs_f64()
        );
        printed = String::from_utf8_lossy(&recorded.stdout).into_owned();
    }
    let options = Options {
        trace,
        server: PathBuf::from(env!("CARGO_BIN_EXE_retrograde")),
        rr: rr().program().to_owned(),
        rr_of_gdb: Some(stock_rr()),
        scenario: (journey.scenario)(&printed),
        rounds: 1,
        only_ours,
    };
    match measure(&options) {
        Ok(measured) => print(&measured, None).expect("the report can be written"),
        Err(wrong) => panic!("{wrong}"),
    }
}

fn main() {
    let mut arguments = lexopt::Parser::from_env();
    let (mut rounds, mut only, mut only_ours) = (3, None, false);
    while let Some(argument) = arguments.next().expect("arguments can be read") {
        use lexopt::prelude::*;
        match argument {
            Long("rounds") => rounds = arguments.value().and_then(|v| v.parse()).expect("--rounds N"),
            Long("only") => only = Some(arguments.value().and_then(|v| v.string()).expect("--only NAME")),
            Long("only-ours") => only_ours = true,
            // What `cargo bench` itself passes.
            Long("bench") | Value(_) => {}
            other => panic!("{}", other.unexpected()),
        }
    }
    for journey in [threads("threads", &["-h"]), threads("slices", &["-c", "50000"]), python()] {
        if only.as_ref().is_none_or(|only| only == journey.name) {
            travel(&journey, rounds, only_ours);
        }
    }
}
