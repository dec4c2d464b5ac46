//! A replay comes to where it wants to be without walking there: the steps it makes are counted, whatever time they take.

use crate::catalogue::compile;
use crate::run::{Outcome, run};
use crate::support::fixtures::scratch;
use crate::support::recordings::rr;
use crate::{DEADLINE, retrograde_rr};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

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
fn a_replay_arrives_without_a_step() {
    let program = compile("spinning.c", &["-O1", "-pthread", "-static"], "spinning");
    let trace = scratch().join("arrival.trace");
    let mut command = retrograde_rr();
    command.args(["record", "-c", "10000", "-o"]).arg(&trace).arg(&program);
    let recorded = run(&mut command, DEADLINE).expect("the recording ends");
    assert_eq!(recorded.code, 0, "{}", recorded.errors);

    // Four threads with 300,000 branches each. Up to two branches before an event rr walks.
    let replayed = replay(&trace, &[]);
    assert_eq!((&replayed.output, replayed.code), (&recorded.output, 0), "{}", replayed.errors);
    let [overflows, steps, late] = ["overflows", "steps", "lateness"].map(|name| statistic(&replayed, name));
    assert!((100..500).contains(&overflows), "{}", replayed.errors);
    assert!(steps <= 8, "{}", replayed.errors);
    assert_eq!(late, 1, "{}", replayed.errors);
}

/// The ways without, which are there for an rr that does not say what it believes, or goes on believing it.
#[test]
fn a_replay_with_the_skid_of_a_processor_is_right_too() {
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
