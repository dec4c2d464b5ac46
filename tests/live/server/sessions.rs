//! Sessions, time limits, cancellation, and leaving nothing behind.

use crate::support::mcp::{Server, replaying};
use crate::support::processes::processes_of;
use crate::support::recordings::recording;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

/// Processes whose command line names this trace.
fn replays_of(trace: &Path) -> Vec<String> {
    processes_of(trace).into_iter().map(|(_, line)| line).collect()
}

/// Waits until a condition holds; the time limit only bounds a failure.
#[track_caller]
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
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
    // On a busy machine, one step may take longer than the limit, too.
    let step = || server.call("rr_step", json!({"instruction": true, "reverse": true}));
    let back = (0..30).map(|_| step()).find(|back| back["reason"] != "timed-out").unwrap();
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
fn no_more_sessions_are_opened_than_may_be_and_the_refusal_names_them() {
    let server = Server::start_with(&[("RR_MCP_MAX_SESSIONS", "2")]);
    let trace = recording("stepping").trace;
    server.replay(&trace);
    server.replay(&trace);
    let said = server.fail("rr_replay_start", json!({"trace_dir": trace}));
    let listed =
        said.starts_with("2 sessions are open, and no more than 2 may be (RR_MCP_MAX_SESSIONS): s1 (idle for ");
    assert!(listed && said.contains(&format!("of {}), s2 (", trace.display())), "{said}");
    assert!(said.ends_with("close one that is not needed any more with rr_replay_stop"), "{said}");
    server.call("rr_replay_stop", json!({"session": "s1"}));
    assert_eq!(server.replay(&trace)["session"], "s3");
}

#[test]
fn an_idle_session_is_closed_and_whoever_comes_late_is_told_so() {
    let recording = crate::support::recordings::fresh_recording("exit_code", &[]);
    let server = Server::start_with(&[("RR_MCP_SESSION_IDLE", "1s")]);
    server.replay(&recording.trace);
    eventually("it is open", || server.call("rr_session_list", json!({}))["result"] == json!([]));
    assert_eq!(replays_of(&recording.trace), [""; 0]);
    let reason = "it was idle for 1 s, so it was closed (RR_MCP_SESSION_IDLE)";
    let said = server.fail("rr_when", json!({"session": "s1"}));
    assert_eq!(said, format!("session s1 has ended: {reason}; no session is open: call rr_replay_start first"));
    let info = server.call("rr_session_info", json!({"session": "s1"}));
    assert_eq!(info, json!({"session": "s1", "state": "ended", "ended": reason}));
}

#[test]
fn a_session_is_described_without_being_asked() {
    let server = replaying("stepping");
    let stop = server.run_to("twice");
    server.call("rr_breakpoint_set", json!({"location": "main"}));
    server.call("rr_checkpoint_save", json!({}));
    let info = server.call("rr_session_info", json!({}));
    for (field, value) in [("session", json!("s1")), ("state", json!("stopped")), ("current", json!(true))] {
        assert_eq!(info[field], value, "{info}");
    }
    for field in ["reason", "event", "ticks", "thread", "pc", "function"] {
        assert_eq!(info[field], stop[field], "{field} in {info}");
    }
    assert_eq!(info["idle_limit"], 1800, "{info}");
    assert!(info["idle_seconds"].as_f64().unwrap() < 60.0, "{info}");
    assert!(info["breakpoints"][0].as_str().unwrap().starts_with("2 breakpoint main, 0 hits, "), "{info}");
    assert!(info["checkpoints"][0].as_str().unwrap().starts_with("Checkpoint 1 at twice at "), "{info}");
    let created = info["created"].as_str().unwrap();
    assert!(created.len() == 20 && created.ends_with('Z'), "{created}");
    server.call("rr_replay_stop", json!({}));
    let info = server.call("rr_session_info", json!({"session": "s1"}));
    assert_eq!(info, json!({"session": "s1", "state": "ended", "ended": "it was stopped"}));
}
