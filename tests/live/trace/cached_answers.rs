//! Answers that are kept beside recordings, and passes that say how far they are and end when they are to.

use crate::server::wire::Wire;
use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::{fresh_recording, recording, rr};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// By then a call that was cancelled has come to its end.
const PATIENCE: Duration = Duration::from_secs(120);

fn query(trace: &Path, rr: &Path, more: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.env("RETROGRADE_RR", rr).args(["query", "calls"]).arg(trace).args(["--function", "add", "--json"]);
    command.envs(more.iter().copied()).output().unwrap()
}

#[test]
fn what_was_answered_needs_no_rr_any_more() {
    let trace = fresh_recording("written_by", &[]).trace;
    let (real, none) = (rr().program(), Path::new("/no/such/rr"));
    assert_eq!(query(&trace, none, &[]).status.code(), Some(1), "there is nothing yet");
    let first = query(&trace, real, &[]);
    assert_eq!(first.status.code(), Some(0), "{}", String::from_utf8_lossy(&first.stderr));
    let again = query(&trace, none, &[]);
    assert_eq!((again.status.code(), &again.stdout, &again.stderr), (Some(0), &first.stdout, &first.stderr));
    assert_eq!(query(&trace, none, &[("RETROGRADE_ANSWERS", "off")]).status.code(), Some(1));
    // What is damaged is made anew.
    let answers = trace.join(".retrograde-answers");
    for file in fs::read_dir(&answers).unwrap() {
        let path = file.unwrap().path();
        let whole = fs::read(&path).unwrap();
        fs::write(path, &whole[..whole.len() / 2]).unwrap();
    }
    assert_eq!(query(&trace, none, &[]).status.code(), Some(1));
    assert_eq!(query(&trace, real, &[]).stdout, first.stdout);
    assert_eq!(query(&trace, none, &[]).stdout, first.stdout);
    // Another recording at the same place has its own.
    let events = trace.join("events");
    let content = fs::read(&events).unwrap();
    fs::write(&events, &content).unwrap();
    assert_eq!(query(&trace, none, &[]).status.code(), Some(1));
    // A recording goes with all that was answered of it.
    let server = Server::start();
    server.call("rr_rm", json!({"trace_dir": trace, "force": true}));
    assert!(!trace.exists());
}

#[test]
fn tools_tell_again_what_they_told() {
    let trace = fresh_recording("written_by", &[]).trace;
    let asked = [
        ("rr_calls", json!({"trace_dir": trace, "function": "add"})),
        ("rr_trace", json!({"trace_dir": trace, "locations": ["add"], "values": ["amount"]})),
        ("rr_first", json!({"trace_dir": trace, "location": "add", "values": ["amount"]})),
        ("rr_coverage", json!({"trace_dir": trace, "location": "add"})),
        ("rr_profile", json!({"trace_dir": trace})),
        ("rr_diff", json!({"a": trace, "b": trace})),
    ];
    let tell = |server: &Server| -> Vec<(Value, String)> {
        asked.iter().map(|(tool, asked)| (server.call(tool, asked.clone()), server.text(tool, asked.clone()))).collect()
    };
    let first = tell(&Server::start());
    let without = Server::start_with(&[("RETROGRADE_RR", "/no/such/rr")]);
    assert_eq!(tell(&without), first);
    // And of a value where a session is.
    let asked = json!({"expression": "total"});
    let tell = || {
        let server = Server::start();
        server.call("rr_replay_start", json!({"trace_dir": trace}));
        server.call("rr_continue", json!({}));
        let origin = server.call("rr_origin", asked.clone());
        (origin, server.text("rr_origin", asked.clone()), server.call("rr_last_write", asked.clone()))
    };
    // How long it took is what it took when it was asked first.
    let first = tell();
    assert_eq!(first.0["found"], true, "{}", first.0);
    assert_eq!(tell(), first);
    // Another page is another question.
    without.fail("rr_calls", json!({"trace_dir": trace, "function": "add", "offset": 1}));
}

#[test]
fn a_pass_says_how_far_it_is_and_leaves_nothing_when_it_is_cancelled() {
    let trace = recording("late_child").trace;
    let place = tempfile::tempdir().unwrap();
    let mut wire = Wire::open(rr().program(), &[("TMPDIR", place.path().to_str().unwrap())]);
    let arguments = json!({"trace_dir": trace, "function": "in_child"});
    let asked = json!({"name": "rr_calls", "arguments": arguments, "_meta": {"progressToken": "p"}});
    let id = wire.start_with(asked);
    // Before rr has begun to replay, there is no event to tell.
    let message = loop {
        let told = wire.server.receive();
        assert_eq!(told["method"], "notifications/progress", "{told}");
        let message = told["params"]["message"].as_str().unwrap();
        if let Some(where_it_is) = message.strip_prefix("rr_calls: event ") {
            break where_it_is.to_owned();
        }
    };
    let words: Vec<&str> = message.split(' ').collect();
    let [event, "of", events, seconds, "s"] = words[..] else { panic!("{message}") };
    let number = |word: &str| -> u64 { word.trim_end_matches(',').parse().unwrap() };
    assert!(number(event) <= number(events) && number(seconds) > 0, "{message}");
    let left = || fs::read_dir(place.path()).unwrap().count();
    assert!(left() > 0, "it writes down what it finds");
    let params = json!({"requestId": id, "reason": "test"});
    wire.server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string());
    let begin = Instant::now();
    while left() > 0 {
        assert!(begin.elapsed() < PATIENCE, "it runs on");
        wire.call("rr_session_list", json!({}));
    }
}

/// The first time is told when it is found, not when the replay is over, which here it never is.
#[test]
fn a_pass_ends_with_what_is_wanted_of_it() {
    let endless = scratch().join("rr-endless");
    let text = format!(
        "#!/bin/sh\n[ -z \"$RETROGRADE_SOFT_PROBES\" ] && exec '{0}' \"$@\"\n'{0}' \"$@\"\nexec sleep 1000\n",
        rr().program().display()
    );
    fs::write(&endless, text).unwrap();
    fs::set_permissions(&endless, Permissions::from_mode(0o755)).unwrap();
    let trace = fresh_recording("written_by", &[]).trace;
    let ask = json!({"trace_dir": trace, "location": "add", "where": "amount == 2", "values": ["amount"]});
    let first = Server::start_with(&[("RETROGRADE_RR", endless.to_str().unwrap())]).call("rr_first", ask);
    let all = Server::start().call("rr_trace", json!({"trace_dir": trace, "locations": ["add"], "values": ["amount"]}));
    assert_eq!((&first["rows"][0], first["rows"].as_array().unwrap().len()), (&all["rows"][1], 1), "{first}");
    assert_eq!((&first["matching"], &first["searched"]["hits"]), (&json!(1), &json!(2)), "{first}");
}
