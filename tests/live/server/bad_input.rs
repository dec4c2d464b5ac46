//! Bad input: each gives one clear error, and the server goes on.

use crate::support::fixtures::{program, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::fresh_recording;
use serde_json::json;
use std::fs;

#[test]
fn no_rr() {
    let server = Server::start_with(&[("RETROGRADE_RR", "/no/such/rr")]);
    let said = server.fail("rr_record", json!({"command": ["/bin/true"]}));
    assert!(said.contains("/no/such/rr"), "{said}");
    // Nor one that `retrograde setup` has installed for whoever runs this.
    let data = scratch().join("no-data");
    let empty = [("RETROGRADE_RR", ""), ("PATH", "/nowhere"), ("XDG_DATA_HOME", data.to_str().unwrap())];
    let server = Server::start_with(&empty);
    let said = server.fail("rr_record", json!({"command": ["/bin/true"]}));
    assert!(said.contains("karellen-rr"), "how to get rr: {said}");
    let report = server.call("rr_doctor", json!({}));
    assert!(report["checks"].as_array().unwrap().iter().any(|c| c["verdict"] == "blocker"), "{report}");
}

#[test]
fn bad_trace_directories() {
    let server = Server::start();
    let missing = scratch().join("no-such-trace");
    let said = server.fail("rr_replay_start", json!({"trace_dir": missing}));
    assert!(said.contains("no-such-trace"), "{said}");
    let empty = scratch().join("empty-trace");
    fs::create_dir_all(&empty).unwrap();
    let said = server.fail("rr_replay_start", json!({"trace_dir": empty}));
    assert!(said.contains("empty-trace"), "{said}");
    for tool in ["rr_ps", "rr_traceinfo", "rr_rm"] {
        server.fail(tool, json!({"trace_dir": missing}));
        server.fail(tool, json!({"trace_dir": empty}));
    }
    let torn = fresh_recording("exit_code", &[]).trace;
    let events = torn.join("events");
    let bytes = fs::read(&events).unwrap();
    fs::write(&events, &bytes[..bytes.len() / 2]).unwrap();
    // Either rr refuses it at once, or the replay ends early: in both cases with words, and the server lives.
    let server2 = Server::start();
    let outcome = server2.attempt("rr_replay_start", json!({"trace_dir": torn}));
    if outcome.is_ok() {
        let run = server2.attempt("rr_continue", json!({}));
        assert!(run.is_err() || run.as_ref().unwrap()["reason"] == "end-of-recording", "{run:?}");
    }
    server2.call("rr_session_list", json!({}));
    server.replay(&crate::support::recordings::recording("stepping").trace);
    assert_eq!(server.run_to("twice")["function"], "twice");
}

#[test]
fn a_binary_changed_since_the_recording_is_not_believed() {
    // Build a copy, record it, then overwrite the program on disk with another one.
    let copy = scratch().join("changing");
    fs::copy(program("stepping"), &copy).unwrap();
    let trace = scratch().join("changing.trace");
    let server = Server::start();
    server.call("rr_record", json!({"command": [copy], "trace_dir": trace}));
    fs::remove_file(&copy).unwrap();
    fs::copy(program("watch"), &copy).unwrap();
    server.replay(&trace);
    // rr keeps a copy of what ran; either it is used, or symbols are refused. Wrong ones are never shown.
    match server.attempt("rr_breakpoint_set", json!({"location": "twice"})) {
        Ok(_) => assert_eq!(server.call("rr_continue", json!({}))["function"], "twice"),
        Err(said) => assert!(said.contains("changed") || said.contains("symbol"), "{said}"),
    }
    server.fail("rr_breakpoint_set", json!({"location": "local_changes"}));
}

#[test]
fn arguments_are_checked() {
    let server = replaying("stepping");
    let said = server.fail("rr_next", json!({"revers": true}));
    assert!(said.contains("revers") && said.contains("reverse") && said.contains("count"), "{said}");
    let said = server.fail("rr_step", json!({"count": 0}));
    assert!(said.contains('1'), "{said}");
    let said = server.fail("rr_next", json!({"count": "three"}));
    assert!(said.contains("count"), "{said}");
    server.fail("rr_select_frame", json!({"frame_level": -1}));
    server.fail("rr_checkpoint_restore", json!({"checkpoint_id": 5}));
    server.fail("rr_run_to_event", json!({"event_number": -3}));
    server.fail("rr_read_memory", json!({"address": "0x10 0x20"}));
    let said = server.fail("rr_evaluate", json!({"expression": "(".repeat(50_000)}));
    assert!(said.len() < 2_000, "{} bytes", said.len());
    let said = server.fail("rr_record", json!({"command": ["true"], "env": {"A=B": "c"}}));
    assert_eq!(said, r#""A=B" is not a name for an environment variable: empty, or with `=` or NUL in it"#);
    let said = server.fail("rr_record", json!({"command": [""]}));
    assert!(said.contains("the command to record is empty"), "{said}");
    for null in ["reverse", "count", "session"] {
        server.call("rr_next", json!({null: null}));
    }
}
