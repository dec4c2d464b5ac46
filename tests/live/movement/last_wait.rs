//! Steps into a system call that a thread does not come back from: the rest of the program runs at full speed.

use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::json;
use std::path::Path;
use std::process::Command;

#[test]
fn a_step_out_of_a_wait_that_never_ends_comes_to_the_end_of_the_recording() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/movement/last_wait.c");
    let program = scratch().join("last_wait");
    let done = Command::new("gcc").args(["-g", "-O1", "-pthread"]).arg(&source).arg("-o").arg(&program).output();
    let done = done.unwrap_or_else(|error| panic!("gcc: {error}"));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(&source).unwrap();
    let line = 1 + text.lines().position(|line| line.contains("/* never */")).unwrap();

    let server = Server::start();
    server.replay(&record(&program, &[], scratch()).trace);
    let waits = server.run_to(&format!("last_wait.c:{line}"));
    assert_eq!(waits["function"], "wait_for_both", "{waits}");
    // Through the C library to the call, and out of it.
    let stop = server.call("rr_step", json!({"instruction": true, "count": 1000}));
    assert_eq!((&stop["reason"], &stop["exit_code"]), (&json!("end-of-recording"), &json!(0)), "{stop}");
    let back = server.call("rr_step", json!({"instruction": true, "reverse": true}));
    assert_eq!(back["thread"], waits["thread"], "{back}");
}
