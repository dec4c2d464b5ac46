//! A replay comes to where it wants to be without walking there: the steps it makes are counted, whatever time they take.

use crate::catalogue::compile;
use crate::run::{Outcome, run};
use crate::support::fixtures::scratch;
use crate::support::recordings::rr;
use crate::{DEADLINE, retrograde_rr};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What rr walks at most before an event that is near, twice the smallest skid and what comes with it.
const WALK: u64 = 2 * 101;

/// Replays and has the counters tell what was done.
fn replay(trace: &Path, environment: &[(&str, &str)]) -> Outcome {
    let mut command = retrograde_rr();
    command.args(["replay", "-a"]).arg(trace).env("RETROGRADE_SOFT_STATS", "1").envs(environment.iter().copied());
    run(&mut command, DEADLINE).expect("the replay ends")
}

fn statistic(outcome: &Outcome, name: &str) -> u64 {
    let (_, rest) = outcome.errors.split_once(&format!(" {name}: ")).unwrap_or_else(|| panic!("{}", outcome.errors));
    rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

#[test]
fn a_replay_is_late_by_what_rr_accepts_and_steps_next_to_nothing() {
    let program = compile("spinning.c", &["-O1", "-pthread", "-static"], "spinning");
    let trace = scratch().join("arrival.trace");
    let mut command = retrograde_rr();
    command.args(["record", "-c", "10000", "-o"]).arg(&trace).arg(&program);
    let recorded = run(&mut command, DEADLINE).expect("the recording ends");
    assert_eq!(recorded.code, 0, "{}", recorded.errors);

    // Four threads with 300,000 branches each. A slice may end near an event by chance, as may each thread's first one.
    let replayed = replay(&trace, &[]);
    assert_eq!((&replayed.output, replayed.code), (&recorded.output, 0), "{}", replayed.errors);
    let [overflows, steps, late] = ["overflows", "steps", "lateness"].map(|name| statistic(&replayed, name));
    assert!((100..500).contains(&overflows), "{}", replayed.errors);
    assert!(steps <= 2 * overflows + 5 * WALK, "{}", replayed.errors);
    assert!((100..=126).contains(&late), "{}", replayed.errors);
}

/// The way without, which is there for an rr that does not say what it believes.
#[test]
fn a_replay_that_is_not_late_is_right_too() {
    let program = compile("spinning.c", &["-O1", "-pthread", "-static"], "spinning-little");
    let trace = scratch().join("arrival-little.trace");
    let mut command = retrograde_rr();
    command.args(["record", "-c", "40000", "-o"]).arg(&trace).args([program.to_str().unwrap(), "20000"]);
    let recorded = run(&mut command, DEADLINE).expect("the recording ends");
    assert_eq!(recorded.code, 0, "{}", recorded.errors);
    for late in ["0", "3", "99", "most"] {
        let replayed = replay(&trace, &[("RETROGRADE_SOFT_LATE", late)]);
        assert_eq!((&replayed.output, replayed.code), (&recorded.output, 0), "{late}: {}", replayed.errors);
        let expected = late.parse().map_or(100..=126, |late| late..=late);
        assert!(expected.contains(&statistic(&replayed, "lateness")), "{late}: {}", replayed.errors);
    }

    // An rr behind a script cannot be looked at, so it keeps what it believes of the processor, which it is asked.
    let script = scratch().join("rr-behind-a-script");
    fs::write(&script, format!("#!/bin/sh\nexec '{}' \"$@\"\n", rr().program().display())).unwrap();
    fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    let replayed = replay(&trace, &[("RETROGRADE_RR", script.to_str().unwrap())]);
    assert_eq!((&replayed.output, replayed.code), (&recorded.output, 0), "{}", replayed.errors);
    assert!(statistic(&replayed, "lateness") >= 100, "{}", replayed.errors);
}
