//! Record and replay, over and over, on all that makes counting hard: not one divergence, hang or wrong output.
//!
//! Each round takes a program of the catalogue, records it with a random time slice, a third of them in chaos mode, and
//! replays the recording. More rounds run at a time than there are cores, so each is under the load of the others.
//!
//! ```sh
//! cargo test --test rounds                                                       # a sample of 50 rounds
//! RETROGRADE_ROUNDS=1000 cargo test --release --test rounds -- --nocapture rounds_without   # the full campaign
//! RETROGRADE_ROUNDS_ONLY=zoo RETROGRADE_ROUNDS=22 cargo test --release --test rounds -- --nocapture rounds_without
//! ```
//!
//! [`crossing`] does the same across counters, on demand: what hardware counters have recorded is replayed with soft
//! ones, and the other way round. It has the same variables, and fewer rounds each way.
//!
//! ```sh
//! RETROGRADE_ROUNDS=200 cargo test --test rounds -- --ignored --nocapture rounds_across_counters
//! ```
//!
//! [`lowering`] does it across the two ways of counting in translated code, with as many rounds each way.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `RETROGRADE_ROUNDS` | how many rounds (50) |
//! | `RETROGRADE_PROBE_ROUNDS` | with how many lists of probes each program of [`probes`] is replayed (1) |
//! | `RETROGRADE_PASSES` | how many passes [`passes`] makes (13) |
//! | `RETROGRADE_ROUNDS_SEED` | where the random numbers start (1); the same seed makes the same rounds |
//! | `RETROGRADE_ROUNDS_ONLY` | words with commas between: only programs in whose names one of them occurs, and those that run on demand only, such as `node`; `zoo` is what this machine has of interpreters, compilers and other large programs |
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

mod arrival;
mod catalogue;
mod counts;
mod crossing;
mod features;
mod killed;
mod lowering;
mod overflow;
mod passes;
mod probes;
mod reads;
mod refused;
mod required;
mod run;
mod soft_counters;
mod writes;

use catalogue::{Program, Ready, Size};
use run::{Outcome, run};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use support::fixtures::scratch;
use support::recordings::small_environment;

/// Between a thousand times what a run takes on an idle machine and what one is willing to wait for.
const DEADLINE: Duration = Duration::from_secs(300);

/// The same for the large programs that run on demand.
const LONG_DEADLINE: Duration = Duration::from_secs(1800);

/// Rounds whose recordings are kept for a look at them; the rest of a bad campaign would fill the disk.
const KEPT: usize = 10;

/// A random sequence that is the same everywhere (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Each power of two as likely as the others.
    fn slice(&mut self, from: u64, doublings: u64) -> u64 {
        let octave = from << self.below(doublings);
        octave + self.below(octave)
    }
}

/// How a round records and replays: commands that lack their options, the trace and the program.
struct Way {
    name: &'static str,
    record: fn() -> Command,
    replay: fn() -> Command,
}

/// With soft counters.
const SOFT: Way = Way { name: "soft counters", record: || words(retrograde_rr(), &["record"]), replay: soft_replay };

fn soft_replay() -> Command {
    words(retrograde_rr(), &["replay", "-a"])
}

fn words(mut command: Command, words: &[&str]) -> Command {
    command.args(words);
    command
}

/// What is done in one round.
struct Round<'a> {
    number: usize,
    ready: &'a Ready,
    /// Ticks a thread may run before another one's turn.
    slice: u64,
    chaos: bool,
}

impl Round<'_> {
    fn record_options(&self) -> Vec<String> {
        let mut options = vec!["-c".to_owned(), self.slice.to_string()];
        options.extend(self.chaos.then(|| "-h".to_owned()));
        options
    }

    fn name(&self) -> String {
        format!("round {}, {} ({})", self.number, self.ready.program.name, self.record_options().join(" "))
    }

    /// Records and replays once.
    fn play(&self, way: &Way, native: &Outcome, trace: &Path) -> Result<(), String> {
        let directory = trace.with_extension("cwd");
        let deadline = if self.ready.program.on_demand { LONG_DEADLINE } else { DEADLINE };
        let recorded = attempt("recording", deadline, || {
            let mut command = (way.record)();
            command.args(self.record_options()).arg("-o").arg(trace).args(&self.ready.words);
            let is_buffered = self.ready.program.name.starts_with("buffered") || self.number.is_multiple_of(2);
            command.env("RETROGRADE_SOFT_BUFFER", if is_buffered { "1" } else { "0" });
            command.current_dir(fresh(&directory));
            command
        })?;
        sound("recording", &recorded)?;
        same("exit code", native.code, recorded.code, &recorded)?;
        same("native and recorded output", native.constant_lines(), recorded.constant_lines(), &recorded)?;
        let replayed = attempt("replay", deadline, || {
            let mut command = (way.replay)();
            command.arg(trace);
            command
        })?;
        sound("replay", &replayed)?;
        same("recorded and replayed output", &recorded.output, &replayed.output, &replayed)?;
        same("rr's exit code", 0, replayed.code, &replayed)?;
        std::fs::remove_dir_all(trace).unwrap();
        std::fs::remove_dir_all(directory).unwrap();
        Ok(())
    }
}

fn attempt(what: &str, deadline: Duration, command: impl FnOnce() -> Command) -> Result<Outcome, String> {
    run(&mut command(), deadline).ok_or_else(|| format!("{what} hangs: not done after {deadline:?}"))
}

/// Whether rr is content. A program of ours writes nothing to stderr that looks like its complaints.
fn sound(what: &str, outcome: &Outcome) -> Result<(), String> {
    let complaint = ["[FATAL", "[ERROR", "Assertion", "diverge"].iter().any(|word| outcome.errors.contains(word));
    if complaint { Err(format!("{what}: {}", outcome.errors)) } else { Ok(()) }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, found: T, run: &Outcome) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{what}: {expected:?} and {found:?}; stderr: {}", run.errors))
}

/// Runs our `rr` passthrough with software counters.
fn retrograde_rr() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.arg("rr").env_clear().envs(small_environment()).env("RETROGRADE_COUNTERS", "soft");
    command
}

/// An empty directory.
fn fresh(directory: &Path) -> &Path {
    let _ = std::fs::remove_dir_all(directory);
    std::fs::create_dir_all(directory).unwrap();
    directory
}

/// Runs the program as it is, twice: what it says must not depend on luck.
fn native(ready: &Ready) -> Outcome {
    let outcome = || {
        let mut command = Command::new(&ready.words[0]);
        command.args(&ready.words[1..]).env_clear().envs(small_environment());
        command.current_dir(fresh(&scratch().join("native.cwd")));
        run(&mut command, DEADLINE).unwrap_or_else(|| panic!("{} hangs without rr", ready.program.name))
    };
    let (first, second) = (outcome(), outcome());
    for run in [&first, &second] {
        assert_eq!(run.code, ready.program.ends, "{}: {}{}", ready.program.name, run.output, run.errors);
        assert!(!run.output.is_empty(), "{} says nothing", ready.program.name);
    }
    assert_eq!(first.constant_lines(), second.constant_lines(), "{}", ready.program.name);
    first
}

/// The rounds: all programs in random order, then all of them again, as long as it takes.
fn plan<'a>(programs: &'a [Ready], count: usize, random: &mut Random) -> Vec<Round<'a>> {
    let mut rounds = Vec::new();
    while rounds.len() < count {
        let mut order: Vec<&Ready> = programs.iter().collect();
        while let Some(last) = order.len().checked_sub(1) {
            let ready = order.swap_remove(usize::try_from(random.below(last as u64 + 1)).unwrap());
            // The end of a slice is an event; a program that is long anyhow gets longer ones.
            let slice = match ready.program.size {
                Size::Small => random.slice(300, 8),
                Size::Large => random.slice(5_000, 5),
            };
            let number = rounds.len();
            rounds.push(Round { number, ready, slice, chaos: random.below(3) == 0 });
        }
    }
    rounds.truncate(count);
    rounds
}

fn number(variable: &str, default: usize) -> usize {
    let value = std::env::var(variable).ok();
    value.map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {v:?}")))
}

/// The programs that are wanted, and what each does without rr.
fn prepared() -> (Vec<Ready>, Vec<Outcome>) {
    let only = std::env::var("RETROGRADE_ROUNDS_ONLY").ok();
    let wanted = |program: &Program| match &only {
        Some(words) => words.split(',').any(|word| program.name.contains(word.trim())),
        None => !program.on_demand,
    };
    let programs = catalogue::prepare(wanted);
    assert!(programs.len() >= 20 || only.is_some(), "{} programs can run here", programs.len());
    let natives = programs.iter().map(native).collect();
    (programs, natives)
}

/// Plays this many rounds. What has failed.
fn campaign(way: &Way, (programs, natives): &(Vec<Ready>, Vec<Outcome>), count: usize) -> Vec<String> {
    let mut random = Random(number("RETROGRADE_ROUNDS_SEED", 1) as u64);
    let rounds = plan(programs, count, &mut random);
    let next = Mutex::new(rounds.iter());
    let failures = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some(round) = next.lock().unwrap().next() else { break };
            let name = format!("{}, {}", way.name, round.name());
            let trace = scratch().join(format!("{} {}.trace", way.name, round.number).replace(' ', "-"));
            let native = &natives[programs.iter().position(|p| std::ptr::eq(p, round.ready)).unwrap()];
            let began = Instant::now();
            let result = round.play(way, native, &trace);
            println!("{name}: {} in {:.1?}", if result.is_ok() { "ok" } else { "FAILED" }, began.elapsed());
            if let Err(reason) = result {
                let mut failures = failures.lock().unwrap();
                let kept = if failures.len() < KEPT { format!("; kept: {}", trace.display()) } else { String::new() };
                if kept.is_empty() {
                    let _ = std::fs::remove_dir_all(&trace);
                }
                failures.push(format!("{name}: {reason}{kept}"));
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from) + 1;
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    failures.into_inner().unwrap()
}

#[test]
fn rounds_without_a_divergence() {
    let count = number("RETROGRADE_ROUNDS", 50);
    let failures = campaign(&SOFT, &prepared(), count);
    assert!(failures.is_empty(), "{} of {count} rounds failed:\n{}", failures.len(), failures.join("\n"));
}
