//! Ways back from the end of a program: from every kind of end, behind every kind of last system call, by every
//! movement, and forward again to the same moment.
//!
//! One program has all of them (`ends.c`). The suite has each end once, with another call each.
//!
//! `RETROGRADE_ENDS=all cargo test --test live ways_back -- --nocapture` makes all journeys, compares the
//! places that the calls do not change, and prints the table; `RETROGRADE_ENDS=fstat-segv,read-abort` makes these.

mod doors;
mod journey;

use journey::{Journey, Outcome};
use std::collections::BTreeMap;
use std::time::Instant;

/// The last system calls: made by rr's buffer, traced, or none.
pub const CALLS: [&str; 16] = [
    "none",
    "fstat",
    "read",
    "lseek",
    "clock_gettime",
    "poll",
    "send",
    "recv",
    "getpid",
    "write",
    "open",
    "nanosleep",
    "futex",
    "pipe",
    "gettimeofday",
    "sched_yield",
];

/// The ends.
pub const ENDS: [&str; 15] = [
    "segv", "jump", "fpe", "ill", "bus", "trap", "overflow", "abort", "assert", "sigterm", "exit", "_exit", "return",
    "thread", "handler",
];

/// Which call the first end has in the suite, and how far the next one's is. All of them differ.
const FIRST: usize = 1;
const NEXT: usize = 5;

/// The journeys that are to be made.
fn chosen() -> Vec<(&'static str, &'static str)> {
    let all = || ENDS.iter().flat_map(|end| CALLS.iter().map(move |call| (*call, *end)));
    let call = |index: usize| CALLS[(FIRST + index * NEXT) % CALLS.len()];
    let few = || ENDS.iter().enumerate().map(|(index, end)| (call(index), *end)).collect();
    match std::env::var("RETROGRADE_ENDS").as_deref() {
        Err(_) => few(),
        Ok("all") => all().collect(),
        Ok(names) => {
            let pair = |name: &str| {
                let found = all().find(|(call, end)| name == format!("{call}-{end}"));
                found.unwrap_or_else(|| panic!("RETROGRADE_ENDS is `all` or names such as fstat-segv, not {name}"))
            };
            names.split(',').map(pair).collect()
        }
    }
}

/// Prints what a table has: for each end, which calls it failed after.
fn print_table(outcomes: &[Outcome]) {
    for end in ENDS {
        let (passed, failed): (Vec<_>, Vec<_>) =
            outcomes.iter().filter(|outcome| outcome.end == end).partition(|outcome| outcome.complaints.is_empty());
        if passed.len() + failed.len() > 0 {
            let calls: Vec<&str> = failed.iter().map(|outcome| outcome.call).collect();
            println!("{end:10} {:2} of {:2} {}", passed.len(), passed.len() + failed.len(), calls.join(" "));
        }
    }
}

/// Returns the movements from one end that led elsewhere after other calls.
fn differences(outcomes: &[Outcome]) -> Vec<String> {
    let mut places: BTreeMap<(&str, &str), BTreeMap<&str, Vec<&str>>> = BTreeMap::new();
    for outcome in outcomes {
        for (movement, place) in &outcome.places {
            let calls = places.entry((outcome.end, movement)).or_default().entry(place).or_default();
            calls.push(outcome.call);
        }
    }
    let differ = places.into_iter().filter(|(_, places)| places.len() > 1);
    differ.map(|((end, movement), places)| format!("{end}, {movement}: {places:?}")).collect()
}

#[test]
fn ways_back_lead_to_the_same_places_and_forward_to_the_same_end() {
    let begun = Instant::now();
    let outcomes: Vec<Outcome> = chosen().into_iter().map(|(call, end)| Journey::begin(call, end).travel()).collect();
    let different = differences(&outcomes);
    let failed: Vec<String> = outcomes.iter().flat_map(Outcome::sentences).collect();
    print_table(&outcomes);
    println!("{} journeys in {:.0} s", outcomes.len(), begun.elapsed().as_secs_f64());
    assert!(failed.is_empty() && different.is_empty(), "{}\n{}", failed.join("\n"), different.join("\n"));
}
