//! Recordings that have begun: what is known of them while they are made, and if their recorder is killed.

use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::small_environment;
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// Bounds a failure only.
const PATIENCE: Duration = Duration::from_secs(120);

fn retrograde(base: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.env_clear().envs(small_environment()).env("_RR_TRACE_DIR", base).arg("rr");
    command
}

fn new_base(name: &str) -> PathBuf {
    let base = scratch().join(name);
    fs::create_dir(&base).unwrap();
    base
}

/// What the link says.
fn latest(base: &Path) -> Option<PathBuf> {
    fs::read_link(base.join("latest-trace")).ok()
}

/// The lines of what is written down of a recording, without what differs from run to run.
fn written_down(trace: &Path) -> Vec<String> {
    let text = fs::read_to_string(trace.join("retrograde")).unwrap();
    let differs =
        |line: &&str| line.starts_with("counters=") || line.starts_with("rr=") || line.starts_with("recorded=");
    text.lines().filter(|line| !differs(line)).map(str::to_owned).collect()
}

/// Records a shell that says `ready`, says what it is told then, and ends with 5. It waits to be told.
fn record_waiting(base: &Path) -> (Child, ChildStdin, impl Read + use<>) {
    let mut command = retrograde(base);
    command.args(["record", "sh", "-c", "echo ready; read told; echo $told; exit 5"]);
    let mut recorder = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    let mut said = BufReader::new(recorder.stdout.take().unwrap());
    said.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    let told = recorder.stdin.take().unwrap();
    (recorder, told, said)
}

#[track_caller]
fn until(what: impl Fn() -> bool) {
    let begin = Instant::now();
    while !what() {
        assert!(begin.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(5));
    }
}

const HEAD: [&str; 3] =
    ["# how retrograde replays this recording", "version=1", "command=sh -c echo ready; read told; echo $told; exit 5"];

#[test]
fn a_recording_is_found_while_it_is_made_and_if_its_recorder_is_killed() {
    let base = new_base("recorder-killed");
    let (mut recorder, mut told, _said) = record_waiting(&base);
    let trace = base.join("sh-0");
    assert_eq!(latest(&base).as_deref(), Some(Path::new("sh-0")));
    assert!(trace.join("incomplete").exists());
    assert_eq!(written_down(&trace), HEAD);
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    let said = server.fail("rr_replay_start", json!({}));
    assert_eq!(said, format!("`{}` is still being recorded; wait until the program or rr ends", trace.display()));

    recorder.kill().unwrap();
    recorder.wait().unwrap();
    // rr is another process, and goes on.
    told.write_all(b"go\n").unwrap();
    until(|| trace.join("version").exists());
    assert_eq!(
        (latest(&base).as_deref(), written_down(&trace)),
        (Some(Path::new("sh-0")), HEAD.map(str::to_owned).into())
    );
    let replayed = retrograde(&base).args(["replay", "-a"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&replayed.stdout), "ready\ngo\n");
    assert_eq!(String::from_utf8_lossy(&replayed.stderr), "", "it is known what has counted");
    assert_eq!(replayed.status.code(), Some(0));
    let listed = server.text("rr_list_recordings", json!({}));
    assert!(listed.contains("`sh -c echo ready; read told; echo $told; exit 5`, exit 5"), "rr is asked: {listed}");
}

#[test]
fn what_a_killed_rr_leaves_is_the_latest_and_says_what_it_is() {
    let base = new_base("rr-killed");
    let (mut recorder, _told, _said) = record_waiting(&base);
    let children = format!("/proc/{0}/task/{0}/children", recorder.id());
    let rr: i32 = fs::read_to_string(children).unwrap().trim().parse().unwrap();
    // SAFETY: a plain system call; the process is a child of the recorder, which is not reaped.
    assert_eq!(unsafe { libc::kill(rr, libc::SIGKILL) }, 0);
    recorder.wait().unwrap();
    let trace = base.join("sh-0");
    assert_eq!(
        (latest(&base).as_deref(), written_down(&trace)),
        (Some(Path::new("sh-0")), HEAD.map(str::to_owned).into())
    );
    assert!(trace.join("incomplete").exists());
    let refused = retrograde(&base).args(["replay", "-a"]).output().unwrap();
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(words.contains("the trace is incomplete") && !refused.status.success(), "{words}");
}

#[test]
fn the_latest_recording_is_the_one_that_began_last() {
    let base = new_base("began-last");
    let inner = env!("CARGO_BIN_EXE_retrograde");
    let mut command = retrograde(&base);
    command.args(["record", "sh", "-c"]).arg(format!("{inner} rr record --nested=detach echo inner; echo outer"));
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "inner\nouter\n", "{output:?}");
    assert_eq!(latest(&base).as_deref(), Some(Path::new("echo-0")));
    let mut expected = HEAD.map(str::to_owned);
    expected[2] = "command=echo inner".to_owned();
    assert_eq!(written_down(&base.join("echo-0")), [&expected[..], &["exit=0".to_owned()]].concat());
    let replayed = retrograde(&base).args(["replay", "-a"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&replayed.stdout), "inner\n", "{replayed:?}");
}

#[test]
fn a_program_that_cannot_be_started_leaves_the_latest_as_it_was() {
    let base = new_base("never-started");
    assert_eq!(retrograde(&base).args(["record", "true"]).status().unwrap().code(), Some(0));
    let output = retrograde(&base).args(["record", "/no/such/program"]).output().unwrap();
    assert!(!output.status.success(), "{output:?}");
    assert_eq!(latest(&base).as_deref(), Some(Path::new("true-0")));
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    server.fail("rr_record", json!({"command": ["/no/such/program"]}));
    assert_eq!(latest(&base).as_deref(), Some(Path::new("true-0")));
}

#[test]
fn the_server_makes_a_recording_the_latest_when_it_begins() {
    let base = new_base("begun-by-server");
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    let command = ["sh", "-c", "echo begun; exec sleep 1000"];
    server.call("rr_record", json!({"command": command, "background": true}));
    until(|| server.call("rr_job_status", json!({"job": "j1"}))["output"] != json!([]));
    assert_eq!(latest(&base).as_deref(), Some(Path::new("sh-0")));
    let mut expected = HEAD.map(str::to_owned);
    expected[2] = "command=sh -c echo begun; exec sleep 1000".to_owned();
    assert_eq!(written_down(&base.join("sh-0")), expected);
    server.call("rr_job_cancel", json!({"job": "j1"}));
    until(|| server.call("rr_job_status", json!({"job": "j1"}))["state"] == "cancelled");
    assert_eq!(latest(&base).as_deref(), Some(Path::new("sh-0")));
    assert!(written_down(&base.join("sh-0")).contains(&"exit=-15".to_owned()));
}
