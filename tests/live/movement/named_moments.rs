//! Moments that are come back to by their names: what a session shows there is what the stop showed, which had led there.

use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::record_with;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Steps that the journey through inlined functions makes.
const STEPS: usize = 60;

/// The recording of a way to end, with rr's buffer or without.
fn recorded(end: &str, buffer: &str) -> PathBuf {
    let program = scratch().join(format!("named_moments-{end}{buffer}"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/movement/named_moments.c");
    let done = Command::new("gcc").args(["-g", "-O2"]).arg(source).arg("-o").arg(&program).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let arguments: &[&str] = if end == "segv" { &[] } else { &[end] };
    record_with(&[], &[("RETROGRADE_SOFT_BUFFER", buffer)], &program, arguments, scratch()).trace
}

fn replaying(trace: &Path) -> Server {
    let server = Server::start();
    server.replay(trace);
    server
}

/// What a stop says of the place, and of a signal.
fn shown(stop: &Value) -> Vec<Value> {
    ["position", "function", "line", "signal_name", "fault"].map(|part| stop[part].clone()).into()
}

/// What a run to the end stops for: each stop, and what it is about.
fn signals(server: &Server) -> Vec<(Value, Value)> {
    let mut met = Vec::new();
    loop {
        let stop = server.call("rr_continue", json!({}));
        if stop["reason"] != "signal-received" {
            assert_eq!(stop["reason"], "end-of-recording", "{stop}");
            return met;
        }
        met.push((stop, server.call("rr_explain", json!({}))));
    }
}

#[test]
fn a_signal_is_one_however_it_is_come_to() {
    let ends = [("segv", "SIGSEGV"), ("divide", "SIGFPE"), ("abort", "SIGABRT")];
    for (end, last, buffer) in ends.into_iter().flat_map(|(end, last)| ["1", "0"].map(|buffer| (end, last, buffer))) {
        let trace = recorded(end, buffer);
        let server = replaying(&trace);
        let met = signals(&server);
        let names: Vec<&str> = met.iter().filter_map(|(stop, _)| stop["signal_name"].as_str()).collect();
        assert_eq!(names, ["SIGUSR1", last], "{end}, buffer {buffer}");
        let before = {
            server.call("rr_goto", json!({"position": met[1].0["position"]}));
            server.call("rr_step", json!({"reverse": true, "instruction": true}))
        };
        let other = replaying(&trace);
        for (stop, explained) in &met {
            let context = format!("{end}, buffer {buffer}, {}", stop["signal_name"]);
            let is_same = |server: &Server, there: &Value, reason: &str| {
                assert_eq!(there["reason"], reason, "{context}");
                assert_eq!(shown(there), shown(stop), "{context}, {reason}");
                assert_eq!(server.call("rr_explain", json!({})), *explained, "{context}, {reason}");
                let told = server.evaluate("$_siginfo.si_signo");
                let number = [("SIGUSR1", "10"), ("SIGSEGV", "11"), ("SIGFPE", "8"), ("SIGABRT", "6")];
                assert!(number.contains(&(stop["signal_name"].as_str().unwrap(), &told)), "{context}: {told}");
            };
            // In the session that has stopped there, and in one that has not.
            for server in [&server, &other] {
                let there = server.call("rr_goto", json!({"position": stop["position"]}));
                is_same(server, &there, "position-reached");
                let id = server.call("rr_checkpoint_save", json!({}))["id"].clone();
                let there = server.call("rr_run_to_event", json!({"event_number": stop["event"]}));
                is_same(server, &there, "event-reached");
                server.call("rr_step", json!({"reverse": true}));
                let there = server.call("rr_checkpoint_restore", json!({"checkpoint_id": id}));
                is_same(server, &there, "checkpoint-restored");
            }
        }
        // Where it is left, it is come to again.
        other.call("rr_goto", json!({"position": met[1].0["position"]}));
        let back = other.call("rr_step", json!({"reverse": true, "instruction": true}));
        assert_eq!(shown(&back), shown(&before), "{end}, buffer {buffer}");
        assert_eq!(other.call("rr_continue", json!({}))["position"], met[1].0["position"], "{end}, buffer {buffer}");
        let back = other.call("rr_continue", json!({"reverse": true}));
        assert_eq!(shown(&back), shown(&met[0].0), "{end}, buffer {buffer}");
    }
}

#[test]
fn a_moment_in_inlined_code_is_shown_as_its_stop_was() {
    let trace = recorded("segv", "1");
    let server = replaying(&trace);
    let mut stops = vec![server.run_to("work")];
    for number in 0..STEPS {
        stops.push(server.call("rr_step", json!({"instruction": number % 3 == 2})));
    }
    let functions: Vec<&str> = stops.iter().filter_map(|stop| stop["function"].as_str()).collect();
    assert!(["work", "outer", "inner"].iter().all(|function| functions.contains(function)), "{functions:?}");
    // The last one of a place counts, as a step by lines and one by instructions show it at different levels.
    for (number, stop) in stops.iter().enumerate().rev() {
        if stops[number + 1..].iter().any(|later| later["position"] == stop["position"]) {
            continue;
        }
        let there = server.call("rr_goto", json!({"position": stop["position"]}));
        assert_eq!(shown(&there), shown(stop), "step {number}");
        let id = server.call("rr_checkpoint_save", json!({}))["id"].clone();
        server.call("rr_goto", json!({"position": stops[0]["position"]}));
        let there = server.call("rr_checkpoint_restore", json!({"checkpoint_id": id}));
        assert_eq!(shown(&there), shown(stop), "step {number}");
        server.call("rr_checkpoint_delete", json!({"checkpoint_id": id}));
    }
}

#[test]
fn a_write_of_inlined_code_is_of_the_function_that_a_watchpoint_shows() {
    let server = replaying(&recorded("segv", "1"));
    let rows = server.call("rr_history", json!({"expression": "total"}))["rows"].as_array().unwrap().clone();
    let counted = server.call("rr_history", json!({"expression": "count"}))["rows"].as_array().unwrap().clone();
    server.call("rr_watchpoint_set", json!({"expression": "total"}));
    server.call("rr_watchpoint_set", json!({"expression": "count"}));
    let mut met: Vec<(String, Value, Value)> = Vec::new();
    loop {
        let stop = server.call("rr_continue", json!({}));
        match stop["reason"].as_str() {
            Some("watchpoint-trigger") => {
                let writer = &stop["written_by"];
                let expression = stop["expression"].as_str().unwrap().to_owned();
                met.push((expression, writer["function"].clone(), writer["line"].clone()));
            }
            Some("signal-received") if stop["signal_name"] != "SIGSEGV" => {}
            _ => break,
        }
    }
    for (expression, rows) in [("total", &rows), ("count", &counted)] {
        let stops: Vec<_> = met.iter().filter(|(of, ..)| of == expression).map(|(_, f, l)| (f, l)).collect();
        let listed: Vec<_> =
            rows.iter().filter(|row| row["old"] != row["new"]).map(|row| (&row["function"], &row["line"])).collect();
        assert_eq!(listed, stops, "{expression}");
        assert!(!listed.is_empty(), "{expression}: {listed:?}");
    }
    assert!(rows.iter().all(|row| row["function"] == "inner"), "{rows:?}");
    for row in &rows {
        let there = server.call("rr_goto", json!({"position": row["position"]}));
        assert_eq!([&there["function"], &there["line"]], [&row["function"], &row["line"]], "{row}");
    }
}
