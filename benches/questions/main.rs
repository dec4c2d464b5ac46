//! Questions about whole executions, against a plain replay of the same recording and against a GDB script that stops
//! at each call. All with soft counters.
//!
//! `cargo bench --bench questions [-- --rounds N] [--only-ours] [--only WORD]`
//!
//! Each answer is compared with what the program says of itself, or with what is known in another way. Figures are the
//! least of the rounds, which alternate.
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

mod asked;
mod large;
mod stops;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use support::recordings::rr;

/// What a question may cost.
#[derive(Clone, Copy)]
enum Goal {
    None,
    Replays(f64),
    Seconds(f64),
}

/// A question by its name, what it may cost, and how it is asked; it fails if the answer is wrong.
struct Question<'a> {
    name: &'static str,
    goal: Goal,
    ask: Box<dyn Fn() + 'a>,
}

/// Creates a question.
fn question<'a>(name: &'static str, goal: Goal, ask: impl Fn() + 'a) -> Question<'a> {
    Question { name, goal, ask: Box::new(ask) }
}

/// How often, and of what.
struct Rounds {
    count: u32,
    only: Option<String>,
}

impl Rounds {
    /// Asks all questions about one recording, and tells what they cost; returns that.
    fn of<'a>(&self, recording: &str, trace: &'a Path, mut questions: Vec<Question<'a>>) -> Vec<Duration> {
        questions.insert(0, question("plain replay", Goal::None, move || plain(trace)));
        let mut least = vec![Duration::MAX; questions.len()];
        for _ in 0..self.count {
            for (question, least) in questions.iter().zip(&mut least) {
                let begun = Instant::now();
                (question.ask)();
                *least = (*least).min(begun.elapsed());
            }
        }
        println!("\n{recording:<44}{:>10}{:>10}  goal", "seconds", "replays");
        for (Question { name, goal, .. }, time) in questions.iter().zip(&least) {
            let (seconds, ratio) = (time.as_secs_f64(), time.as_secs_f64() / least[0].as_secs_f64());
            let (is_met, goal) = match goal {
                Goal::None => (true, String::new()),
                Goal::Replays(most) => (ratio <= *most, format!("{most} replays")),
                Goal::Seconds(most) => (seconds <= *most, format!("{most} s")),
            };
            let missed = if is_met { "" } else { "  MISSED" };
            println!("  {name:<42}{seconds:>10.3}{ratio:>10.2}  {goal}{missed}");
        }
        least
    }

    fn has(&self, word: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == word)
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| arguments.iter().position(|a| a == name).and_then(|at| arguments.get(at + 1));
    let rounds = Rounds {
        count: after("--rounds").map_or(3, |rounds| rounds.parse().expect("--rounds takes a number")),
        only: after("--only").cloned(),
    };
    let only_ours = arguments.iter().any(|argument| argument == "--only-ours");
    if rounds.has("asked") {
        asked::bench(&rounds, only_ours);
    }
    if rounds.has("events") {
        stops::bench(&rounds);
    }
    if rounds.has("cc1") {
        large::compiler(&rounds);
    }
    if rounds.has("python") {
        large::python(&rounds);
    }
    if rounds.has("long") {
        large::long(&rounds);
    }
}

/// Compiles the program that most is asked about.
fn program() -> PathBuf {
    let program = support::fixtures::scratch().join("questions-asked");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/questions/asked.c");
    let compiled = Command::new("gcc").args(["-O1", "-g", "-static", "-o"]).arg(&program).arg(source).status();
    assert!(compiled.expect("gcc runs").success());
    program
}

/// Where recordings are made.
fn traces() -> PathBuf {
    let traces = support::fixtures::scratch().join("questions-traces");
    std::fs::create_dir_all(&traces).expect("a directory");
    traces
}

fn plain(trace: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .env("RETROGRADE_RR", rr().program())
        .args(["rr", "replay", "-a"])
        .arg(trace)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
