//! Sessions, time limits, cancellation, and leaving nothing behind.

use crate::support::mcp::{Server, replaying};
use crate::support::recordings::recording;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

/// Processes whose command line mentions this trace.
fn replays_of(trace: &Path) -> Vec<String> {
    let trace = trace.to_str().unwrap();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        if let Ok(line) = std::fs::read(entry.path().join("cmdline")) {
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            if line.contains(trace) {
                found.push(line);
            }
        }
    }
    found
}

/// Waits until a condition holds; the time limit only bounds a failure.
#[track_caller]
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::yield_now();
    }
}

#[test]
fn several_sessions_live_side_by_side() {
    let server = Server::start();
    let one = server.replay(&recording("stepping").trace)["session"].clone();
    let two = server.replay(&recording("watch").trace)["session"].clone();
    assert_ne!(one, two);
    server.call("rr_breakpoint_set", json!({"location": "twice", "session": one}));
    server.call("rr_breakpoint_set", json!({"location": "bump", "session": two}));
    assert_eq!(server.call("rr_continue", json!({"session": one}))["function"], "twice");
    assert_eq!(server.call("rr_continue", json!({"session": two}))["function"], "bump");
    let list = server.call("rr_session_list", json!({}));
    assert_eq!(list["result"].as_array().unwrap().len(), 2, "{list}");
    server.call("rr_replay_stop", json!({"session": two}));
    assert_eq!(server.call("rr_when", json!({}))["event"], server.call("rr_when", json!({"session": one}))["event"]);
    let said = server.fail("rr_when", json!({"session": two}));
    assert!(said.contains(one.as_str().unwrap()), "{said}");
    server.call("rr_replay_stop", json!({}));
    let said = server.fail("rr_when", json!({}));
    assert!(said.contains("rr_replay_start"), "{said}");
    assert_eq!(server.call("rr_replay_stop", json!({}))["result"], "No active replay session.");
}

#[test]
fn a_time_limit_leaves_the_session_usable() {
    // The breakpoint is passed thousands of times, and its condition, which rr itself cannot evaluate, never holds: on
    // most machines no second is enough for that.
    let server = Server::start_with(&[("RR_MCP_TIMEOUT_FORWARD", "1"), ("RR_MCP_TIMEOUT_REVERSE", "1")]);
    server.replay(&recording("spin").trace);
    server.call("rr_breakpoint_set", json!({"location": "turn", "condition": "n == -1.5"}));
    let end = loop {
        let stop = server.call("rr_continue", json!({}));
        if stop["reason"] != "timed-out" {
            break stop;
        }
    };
    assert_eq!(end["reason"], "end-of-recording", "{end}");
    let stop = server.call("rr_continue", json!({"reverse": true}));
    // A fast machine is back at the start in less than the limit.
    let reason = stop["reason"].as_str().unwrap();
    assert!(["timed-out", "start-of-recording"].contains(&reason), "{stop}");
    let when = server.call("rr_when", json!({}));
    assert_eq!(when["pc"], stop["pc"]);
    assert_eq!(server.evaluate("1 + 1"), "2");
    let back = server.call("rr_step", json!({"instruction": true, "reverse": true}));
    let expected = if reason == "timed-out" { "end-stepping-range" } else { "start-of-recording" };
    assert_eq!(back["reason"], expected, "{back}");
}

#[test]
fn output_of_the_program_never_stalls_a_replay() {
    let server = replaying("chatty");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "end-of-recording");
    assert_eq!(stop["exit_code"], 0);
    assert_eq!(server.call("rr_continue", json!({"reverse": true}))["reason"], "start-of-recording");
}

#[test]
fn nothing_is_left_when_stdin_closes() {
    let recording = crate::support::recordings::fresh_recording("exit_code", &[]);
    let server = Server::start();
    server.replay(&recording.trace);
    assert!(!replays_of(&recording.trace).is_empty());
    server.close();
    eventually("rr outlives its server", || replays_of(&recording.trace).is_empty());
}

#[test]
fn nothing_is_left_when_the_server_is_killed() {
    let recording = crate::support::recordings::fresh_recording("exit_code", &[]);
    let server = Server::start();
    server.replay(&recording.trace);
    assert!(!replays_of(&recording.trace).is_empty());
    let killed = std::process::Command::new("kill").args(["-KILL", &server.pid.to_string()]).status().unwrap();
    assert!(killed.success());
    eventually("rr outlives its killed server", || replays_of(&recording.trace).is_empty());
}

#[test]
fn a_killed_rr_is_one_clear_error_and_no_other_session_is_lost() {
    let doomed = crate::support::recordings::fresh_recording("exit_code", &[]);
    let server = Server::start();
    let other = server.replay(&recording("stepping").trace)["session"].clone();
    server.replay(&doomed.trace);
    let killed =
        std::process::Command::new("pkill").args(["-KILL", "-f", doomed.trace.to_str().unwrap()]).status().unwrap();
    assert!(killed.success());
    let said = server.fail("rr_continue", json!({}));
    assert!(said.contains("SIGKILL"), "{said}");
    assert!(server.call("rr_when", json!({"session": other}))["event"].is_u64());
    let list = server.call("rr_session_list", json!({}));
    assert_eq!(list["result"].as_array().unwrap().len(), 1, "{list}");
}
