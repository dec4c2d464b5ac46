//! An rr that is started in a recording: what `--nested` says becomes of it.

use crate::support::fixtures::scratch;
use crate::support::recordings::small_environment;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

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
    fs::create_dir(&base).unwrap();
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
    fs::create_dir(&base).unwrap();
    let output = record("release", "exit 4", &base);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert_eq!(end_of_first(&base), "detach");
    assert!(fs::read_link(base.join("latest-trace")).is_err());
}

#[test]
fn a_released_rr_that_is_stopped_for_a_while_has_not_ended() {
    let base = scratch().join("nested-stopped");
    fs::create_dir(&base).unwrap();
    let inner = env!("CARGO_BIN_EXE_retrograde");
    let script = format!("exec {inner} rr record --nested=detach sh -c 'echo $$; read told; echo $told; exit 5'");
    let mut command = retrograde(&base);
    command.args(["rr", "record", "-o"]).arg(base.join("outer")).args(["sh", "-c", &script]);
    let mut outer = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut printed = BufReader::new(outer.stdout.take().unwrap()).lines();
    let program = printed.next().unwrap().unwrap();
    // The name in the parentheses has no blanks; the state and the parent follow.
    let stat = fs::read_to_string(format!("/proc/{program}/stat")).unwrap();
    let rr: i32 = stat.split(' ').nth(3).unwrap().parse().unwrap();
    for signal in [libc::SIGSTOP, libc::SIGCONT] {
        // SAFETY: a plain system call; the program, which waits for us, is the child of this process.
        assert_eq!(unsafe { libc::kill(rr, signal) }, 0);
        // The outer rr has to see each.
        std::thread::sleep(Duration::from_secs(1));
    }
    outer.stdin.take().unwrap().write_all(b"go\n").unwrap();
    assert_eq!(printed.next().unwrap().unwrap(), "go");
    assert_eq!(outer.wait().unwrap().code(), Some(5));
    assert_eq!(fs::read_link(base.join("latest-trace")).unwrap(), Path::new("sh-0"));
    let written = fs::read_to_string(base.join("sh-0/retrograde")).unwrap();
    assert!(written.contains("\nexit=5\n"), "{written}");
}
