//! Record and replay, over and over: not one divergence.
//!
//! Both tests run at the same time, so each is under the load of the other.

#[path = "../support/mod.rs"]
#[allow(dead_code)]
mod support;

mod soft_counters;

use std::path::Path;
use std::process::{Command, Output};
use support::fixtures::{program, scratch};
use support::recordings::small_environment;

/// Programs that end by themselves, with the signals, threads, processes and output that make counting hard.
const FIXTURES: [&str; 10] = [
    "stepping",
    "watch",
    "crash",
    "abort",
    "recursion",
    "signal_handler",
    "longjmp",
    "threads",
    "fork_exec",
    "exit_code",
];

/// Runs our `rr` passthrough with software counters.
fn retrograde_rr(arguments: &[&str], trace: &Path, rest: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .arg("rr")
        .args(arguments)
        .arg(trace)
        .args(rest)
        .env_clear()
        .envs(small_environment())
        .env("RETROGRADE_COUNTERS", "soft")
        .output()
        .unwrap()
}

/// What a user sees of a run: how it ended, and what it wrote.
fn seen(output: &Output) -> (Option<i32>, String) {
    use std::os::unix::process::ExitStatusExt;
    let code = output.status.code().or(output.status.signal().map(|s| 128 + s));
    (code, String::from_utf8_lossy(&output.stdout).into_owned())
}

fn rounds(which: impl Iterator<Item = usize>) {
    for round in which {
        let fixture = FIXTURES[round % FIXTURES.len()];
        let program = program(fixture);
        let native = Command::new(&program).output().unwrap();
        let trace = scratch().join(format!("round-{round}.trace"));
        // A third of the rounds with short time slices, a third in chaos mode.
        let arguments: &[&str] = match round % 3 {
            0 => &["record", "-o"],
            1 => &["record", "-c", "700", "-o"],
            _ => &["record", "-h", "-o"],
        };
        let recorded = retrograde_rr(arguments, &trace, &[&program]);
        assert_eq!(seen(&recorded), seen(&native), "round {round}, {fixture}: recording {recorded:?}");
        let replayed = retrograde_rr(&["replay", "-a"], &trace, &[]);
        assert_eq!(seen(&replayed).1, seen(&native).1, "round {round}, {fixture}: replay {replayed:?}");
        assert_eq!(replayed.status.code(), Some(0), "round {round}, {fixture}: replay {replayed:?}");
        std::fs::remove_dir_all(&trace).unwrap();
    }
}

#[test]
fn twenty_five_even_rounds() {
    rounds((0..50).step_by(2));
}

#[test]
fn twenty_five_odd_rounds() {
    rounds((1..50).step_by(2));
}
