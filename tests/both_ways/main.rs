//! The same expressions, asked both ways: at a stop, and of all hits at once by a trace.
//!
//! A fixture, a location in one of its spellings and expressions are drawn from a seed. A breakpoint leads to some hits of
//! the location, where each expression is evaluated; `rr_trace` is asked for the same expressions at the same location. The
//! hits must be the same, and so must the values: the same text, or none on both sides. What a trace does not collect,
//! and a stop can say, is named in [`excuses`], with the reason.
//!
//! ```sh
//! RETROGRADE_BOTH_WAYS=500 RETROGRADE_BOTH_WAYS_SEED=7 cargo test --test both_ways -- --nocapture
//! RETROGRADE_BOTH_WAYS_ONE='types | types.c:90 | point.x | $sp' cargo test --test both_ways -- --nocapture
//! ```
//!
//! | variable | meaning |
//! | --- | --- |
//! | `RETROGRADE_BOTH_WAYS` | how many locations are drawn (8) |
//! | `RETROGRADE_BOTH_WAYS_SEED` | where the random numbers start (1) |
//! | `RETROGRADE_BOTH_WAYS_ONE` | a fixture, a location and expressions, instead of random ones: what a failure prints |
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test fails by panicking, and starts and ends processes"
)]

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each of the programs that share it uses a part of it")]
mod support;

#[path = "../travel/random.rs"]
mod random;

mod compared;
mod excuses;
mod fixture;
mod question;

use compared::{Counts, compare};
use fixture::Fixture;
use question::Question;
use random::Random;
use std::time::Instant;

fn number(variable: &str, default: usize) -> usize {
    let value = std::env::var(variable).ok();
    value.map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {v:?}")))
}

/// What has differed once: all of these have values, the same both ways.
const ONCE: [&str; 10] = [
    "types | 88 | $pc",
    "calls-O1 | calls.c: calls_of_clamp++; | value",
    "calls-O1 | *&use | n",
    "calls-O1 | *(long)&use | $rip",
    "calls-O1 | total | $sp | $fp | $rip | $sp + 8 | $xmm0 | $xmm1.v4_float | $xmm2.v2_int64[1] | $fs_base",
    "calls-O1 | total | main | &main | (long)main | sizeof(main) | *use",
    "namespaces | work | made | most | sizeof(made)",
    "dlopen | plugin_entry | sizeof(main) | &main | (long)main",
    "origin | reads_file | memcpy",
    "macros | main | LATE | MAX(FIRST, 3) | __LINE__",
];

#[test]
fn what_has_differed_once_is_the_same() {
    for text in ONCE {
        let (question, mut counts) = (Question::pasted(text), Counts::default());
        let found = compare(&question, &mut Random::of(1, 1), &mut counts);
        assert!(found.is_empty(), "{}", found.join("\n"));
        assert!(counts.are_all_the_same(), "{text}: {counts}");
    }
}

#[test]
fn a_stop_and_a_trace_say_the_same() {
    let (count, seed) = (number("RETROGRADE_BOTH_WAYS", 8), number("RETROGRADE_BOTH_WAYS_SEED", 1) as u64);
    let one = std::env::var("RETROGRADE_BOTH_WAYS_ONE").ok();
    let (mut counts, mut failures) = (Counts::default(), Vec::new());
    for nth in 0..if one.is_some() { 1 } else { count } {
        let mut random = Random::of(seed, nth as u64);
        let question = match &one {
            Some(text) => Question::pasted(text),
            None => Question::random(&Fixture::random(&mut random), &mut random),
        };
        let began = Instant::now();
        let found = compare(&question, &mut random, &mut counts);
        println!("{nth}: {} at `{}`: {:.1?}", question.fixture.name, question.location, began.elapsed());
        for failure in found {
            println!("{failure}");
            failures.push(failure);
        }
    }
    println!("{counts}");
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}
