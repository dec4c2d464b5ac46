//! An rr that is started in a recording: what `--nested` says becomes of it.

use crate::support::fixtures::scratch;
use crate::support::recordings::small_environment;
use std::path::Path;
use std::process::{Command, Output};

fn retrograde(base: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.env_clear().envs(small_environment()).env("_RR_TRACE_DIR", base);
    command
}

/// Records a shell that tells its process id and becomes an rr that is told this, with `program`.
fn record(nested: &str, program: &str, base: &Path) -> Output {
    let inner = env!("CARGO_BIN_EXE_retrograde");
    let script = format!("echo $$; exec {inner} rr record --nested={nested} sh -c '{program}'");
    let mut command = retrograde(base);
    command.args(["rr", "record", "-o"]).arg(base.join("outer")).args(["sh", "-c", &script]).output().unwrap()
}

/// What `rr ps` says of the end of the first process of the outer recording.
fn end_of_first(base: &Path) -> String {
    let output = retrograde(base).args(["rr", "ps"]).arg(base.join("outer")).output().unwrap();
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    listed.lines().nth(1).and_then(|line| line.split_whitespace().nth(2)).expect(&listed).to_owned()
}

#[test]
fn a_program_that_is_a_part_of_the_outer_recording_takes_the_place_of_the_rr() {
    let base = scratch().join("nested-ignore");
    std::fs::create_dir(&base).unwrap();
    let output = record("ignore", "echo $$; exit 3", &base);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let ids: Vec<_> = text.lines().collect();
    assert_eq!((ids.len(), ids.first()), (2, ids.last()), "{output:?}");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(end_of_first(&base), "3");
}

#[test]
fn nothing_of_what_is_released_from_the_outer_recording_stays_in_it() {
    let base = scratch().join("nested-release");
    std::fs::create_dir(&base).unwrap();
    let output = record("release", "exit 4", &base);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert_eq!(end_of_first(&base), "detach");
    assert!(std::fs::read_link(base.join("latest-trace")).is_err());
}
