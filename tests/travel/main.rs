//! Random journeys through random programs: each stop must be what independent sources say is there.
//!
//! A program is drawn from a seed, built and recorded ([`program`]). What happens in the recording is found out in several
//! ways, which must agree ([`truth`]): by stopping at everything forward, and backward; by the passes behind `rr_trace` and
//! `rr_history`; by what the program has counted itself. Then come journeys of random moves ([`moves`], [`journey`]): each
//! stop must be the next or the previous thing that is waited for, with none left out and none reported twice; a moment that
//! is met again, whatever way was taken, must have the same registers, stack and values; questions from anywhere must have
//! the answers that the truth has.
//!
//! A failure is made smaller ([`shrink`]) and printed as a line for [`pasted`].
//!
//! ```sh
//! cargo test --test travel                                                                      # what has failed once
//! RETROGRADE_JOURNEYS=10000 cargo test --release --test travel -- --ignored --nocapture random_journeys
//! RETROGRADE_JOURNEYS=180 cargo test --release --test travel -- --ignored --nocapture programs_of_the_system
//! RETROGRADE_JOURNEY="gcc O1 static plain:3 | run back:2" cargo test --test travel -- --nocapture one_journey
//! ```
//!
//! | variable | meaning |
//! | --- | --- |
//! | `RETROGRADE_JOURNEYS` | how many journeys (60); twenty share a recording |
//! | `RETROGRADE_JOURNEY_SEED` | where the random numbers start (1); the same seed makes the same programs and journeys |
//! | `RETROGRADE_JOURNEY_PROGRAM` | only the journeys through this program, by its number in the output |
//! | `RETROGRADE_JOURNEY_WITHOUT` | words of programs and moves with commas between: `O1,chaos,rnext` leaves out programs and moves with one of them |
//! | `RETROGRADE_JOURNEY_SHRINK` | how many seconds making one failure smaller may take (240) |
//! | `RETROGRADE_JOURNEY` | a program and moves, for the test `one_journey` |
//! | `RETROGRADE_JOURNEY_KEPT` | a program and its recording, which a failure has kept and named: `one_journey` goes through that |
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

mod journey;
mod look;
mod moves;
mod others;
mod pasted;
mod program;
mod random;
mod shrink;
mod systems;
mod truth;

use journey::{Seen, Traveller};
use moves::Move;
use program::Program;
use random::Random;
use shrink::Found;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use truth::Truth;

/// Journeys that share a recording.
const SHARED: usize = 20;
/// Moves of a journey.
const MOVES: usize = 12;
/// Failures that are made smaller and shown whole; more are counted.
const SHOWN: usize = 10;

fn number(variable: &str, default: usize) -> usize {
    let value = std::env::var(variable).ok();
    value.map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {v:?}")))
}

/// Makes all journeys through one program: how many were made, and the first that fails.
fn journeys(seed: u64, nth: usize, count: usize) -> (usize, Option<Found>) {
    let mut random = Random::of(seed, nth as u64);
    let program = Program::random(&mut random);
    let found = |program, moves, failure| Some(Found { program, moves, failure });
    let mut truth = match Truth::find(&program) {
        Ok(truth) => truth,
        Err(failure) => return (0, found(program, Vec::new(), failure)),
    };
    let without = program::left_out();
    let mut made = Vec::new();
    let mut seen = match Seen::of(&truth) {
        Ok(seen) => seen,
        Err(failure) => return (0, found(program, Vec::new(), failure)),
    };
    let mut traveller = match Traveller::new(&truth, &mut seen) {
        Ok(traveller) => traveller,
        Err(failure) => return (0, found(program, Vec::new(), failure)),
    };
    for journey in 0..count {
        for _ in 0..MOVES {
            let one = Move::random(&mut random);
            if without.iter().any(|word| one.to_string().split(':').next() == Some(word)) {
                continue;
            }
            made.push(one);
            if let Err(failure) = traveller.go(one) {
                drop(traveller);
                println!("program {nth}: {}", truth.built.keep());
                return (journey, found(program, made, failure));
            }
        }
    }
    (count, None)
}

#[test]
#[ignore = "takes a minute for each two hundred journeys, and more of what it finds is to be mended: run by name, with `--ignored`"]
fn random_journeys_lead_where_the_truth_says() {
    let (count, seed) = (number("RETROGRADE_JOURNEYS", 60), number("RETROGRADE_JOURNEY_SEED", 1) as u64);
    let limit = Duration::from_secs(number("RETROGRADE_JOURNEY_SHRINK", 240) as u64);
    let only = std::env::var("RETROGRADE_JOURNEY_PROGRAM").ok().map(|_| number("RETROGRADE_JOURNEY_PROGRAM", 0));
    let next = AtomicUsize::new(0);
    let made = AtomicUsize::new(0);
    let failures: Mutex<BTreeMap<&str, usize>> = Mutex::default();
    let shown: Mutex<Vec<String>> = Mutex::default();
    let work = || {
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let Some(left) = count.checked_sub(nth * SHARED).filter(|left| *left > 0) else { break };
            if only.is_some_and(|only| only != nth) {
                continue;
            }
            let began = Instant::now();
            let (some, found) = journeys(seed, nth, left.min(SHARED));
            made.fetch_add(some, Ordering::Relaxed);
            let Some(found) = found else {
                println!("program {nth}: {some} journeys in {:.1?}", began.elapsed());
                continue;
            };
            let last = found.moves.last().map_or(String::new(), |last| format!(", move {last}"));
            println!("program {nth}: {} after {some} journeys{last}: {}", found.program, found.failure);
            *failures.lock().unwrap().entry(found.failure.kind).or_default() += 1;
            if shown.lock().unwrap().len() < SHOWN {
                let small = found.shrink(limit).as_test();
                println!("program {nth}, made smaller:\n{small}");
                shown.lock().unwrap().push(small);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let (failures, made) = (failures.into_inner().unwrap(), made.into_inner());
    println!("{made} of {count} journeys without a failure; failures: {failures:?}");
    assert!(
        failures.is_empty(),
        "{failures:?}; for the list in tests/travel/pasted.rs:\n{}",
        shown.into_inner().unwrap().concat()
    );
}
