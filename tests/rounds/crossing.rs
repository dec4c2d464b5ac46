//! Rounds across counters: what one kind has recorded, another kind replays, with chaos and with rr's system-call
//! buffering.
//!
//! A campaign of its own, as it needs a machine with a counter; `rr -F` counts as one. Where there is none it says so,
//! by the name of each way that is not possible, and fails.

use super::{DEADLINE, SOFT, Way, campaign, number, prepared, retrograde_rr, soft_replay, words};
use crate::run::run;
use crate::support::fixtures::scratch;
use crate::support::recordings::{rr, small_environment};
use std::process::Command;

/// How many rounds each way has.
const ROUNDS: usize = 12;

/// What hardware is not needed for: a recording of an rr without our mark and with its buffering, as hardware's are.
const WITH_BUFFER: Way =
    Way { name: "soft with buffering to soft", record: || words(buffering(), &["record"]), replay: soft_replay };

const HARDWARE_TO_SOFT: Way =
    Way { name: "hardware to soft", record: || words(hardware(), &["record"]), replay: soft_replay };

const SOFT_TO_HARDWARE: Way =
    Way { name: "soft to hardware", record: SOFT.record, replay: || words(hardware(), &["replay", "-a"]) };

/// An rr that must use hardware counters, whatever it finds wrong with them.
fn hardware() -> Command {
    let mut command = retrograde_rr();
    command.env("RETROGRADE_COUNTERS", "hardware").arg("-F");
    command
}

/// An rr with soft counters that is not told to do without its buffering.
fn buffering() -> Command {
    let mut command = Command::new(rr().program());
    let object = softcounters::install().unwrap();
    command.env_clear().envs(small_environment()).envs(softcounters::environment(&object, None));
    command.args(["--microarch", "Intel Skylake"]);
    command
}

/// What rr says against hardware counters, if they cannot be had.
fn refusal() -> Option<String> {
    let mut command = words(hardware(), &["record", "-o"]);
    command.arg(scratch().join("hardware.trace")).arg("true");
    let outcome = run(&mut command, DEADLINE).expect("it ends");
    let fatal = outcome.errors.lines().find(|line| line.contains("[FATAL")).unwrap_or_default();
    (outcome.code != 0).then(|| format!("exit code {} {fatal}", outcome.code))
}

#[test]
#[ignore = "a campaign of its own, which needs a machine with a counter"]
fn rounds_across_counters() {
    let (count, refusal, programs) = (number("RETROGRADE_ROUNDS", ROUNDS), refusal(), prepared());
    let mut failures = campaign(&WITH_BUFFER, &programs, count);
    for way in [HARDWARE_TO_SOFT, SOFT_TO_HARDWARE] {
        match &refusal {
            None => failures.extend(campaign(&way, &programs, count)),
            Some(why) => failures.push(format!("{}: not possible here: no counter ({why})", way.name)),
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
