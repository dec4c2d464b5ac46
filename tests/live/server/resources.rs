//! Resources, prompts and completions.

use crate::support::mcp::Server;
use crate::support::recordings::{fresh_recording, recording};
use rmcp::model::Reference;
use serde_json::{Value, json};

fn object(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text:?} is not JSON: {error}"))
}

#[test]
fn what_a_session_is_can_be_read() {
    let server = Server::start();
    server.replay(&recording("stepping").trace);
    server.run_to("add");
    let stack = object(&server.read("rr://sessions/s1/backtrace").unwrap());
    assert_eq!(stack, server.call("rr_backtrace", json!({})));
    assert_eq!(stack["result"][0]["function"], "add", "{stack}");
    let function = |typed| server.complete(Reference::for_prompt("wrong_value"), "function", typed, &[]);
    assert_eq!(function("ad").first().map(String::as_str), Some("add"));
    assert_eq!(function("no_such"), [""; 0]);
    let files = server.complete(Reference::for_prompt("wrong_value"), "file", "stepp", &[]);
    assert_eq!(files, ["stepping.c"]);
    server.call("rr_breakpoint_set", json!({"location": "main"}));
    let breakpoints = object(&server.read("rr://sessions/s1/breakpoints").unwrap());
    assert_eq!(breakpoints["result"][0]["location"], "main", "{breakpoints}");
    let session = object(&server.read("rr://sessions/s1").unwrap());
    assert_eq!(session["state"], "stopped", "{session}");
    let sessions = object(&server.read("rr://sessions").unwrap());
    assert_eq!(sessions["result"][0]["session"], "s1", "{sessions}");
    let listed = server.resources();
    assert!(listed.contains(&"rr://sessions/s1/backtrace".to_owned()), "{listed:?}");
    for uri in listed {
        assert!(!server.read(&uri).unwrap().is_empty(), "{uri}");
    }
    server.call("rr_replay_stop", json!({}));
    let told = server.read("rr://sessions/s1").unwrap_err();
    assert!(told.contains(r#"no session "s1" is open; open: none"#), "{told}");
}

#[test]
fn the_documentation_is_there_without_a_session() {
    let server = Server::start();
    assert!(server.read("rr://guide").unwrap().starts_with("# Debugging backward with retrograde\n"));
    assert!(server.read("rr://docs/gdb-commands").unwrap().contains("| `watch -l EXPR`"));
    assert_eq!(server.templates().first().map(String::as_str), Some("rr://docs/{topic}"));
    let told = server.read("rr://docs/lldb").unwrap_err();
    assert!(told.contains("there are tools, answers, expressions, recording, debug-info, command-line, "), "{told}");
    assert!(server.read("rr://docs/limits").unwrap().starts_with("# Limits\n"));
    assert_eq!(server.prompts(), ["crash", "wrong_value", "hang", "data_race", "flaky_test"]);
}

#[test]
fn arguments_are_completed_from_what_there_is() {
    let recording = fresh_recording("fork_exec", &[]);
    let base = recording.trace.parent().unwrap().to_str().unwrap();
    let server = Server::start_with(&[("_RR_TRACE_DIR", base)]);
    let name = recording.trace.file_name().unwrap().to_str().unwrap();
    let trace = recording.trace.to_str().unwrap();
    let crash = || Reference::for_prompt("crash");
    assert_eq!(server.complete(crash(), "trace_dir", name, &[]), [trace]);
    let pids = server.complete(crash(), "pid", "", &[("trace_dir", trace)]);
    let processes = server.call("rr_ps", json!({"trace_dir": trace}));
    let recorded: Vec<_> =
        processes["result"].as_array().unwrap().iter().map(|process| process["pid"].to_string()).collect();
    assert_eq!(pids, recorded);
    assert!(pids.len() > 1, "{pids:?}");
    server.replay(&recording.trace);
    assert_eq!(server.complete(Reference::for_resource("rr://sessions/{id}"), "id", "s", &[]), ["s1"]);
    let docs = Reference::for_resource("rr://docs/{topic}");
    assert_eq!(server.complete(docs, "topic", "gdb", &[]), ["gdb-commands", "gdb-mi"]);
}
