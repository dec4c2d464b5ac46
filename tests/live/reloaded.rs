//! Breakpoints in a library that is loaded when they are there already, and unloaded.

use crate::support::fixtures::program;
use crate::support::mcp::Server;
use crate::support::recordings::recording_of;
use serde_json::json;

/// A server at the beginning of `main`, with a breakpoint that waits for the library.
fn waiting(turns: &str) -> Server {
    let library = program("libreloaded.so");
    let recording = recording_of("reloaded", &[library.to_str().unwrap(), turns]);
    assert_eq!(recording.exit_code, 0, "{}", recording.stderr);
    let server = Server::start();
    server.replay(&recording.trace);
    server.run_to("main");
    server.call("rr_breakpoint_set", json!({"location": "part", "pending": true}));
    server
}

/// Which call it stops in, or why.
fn go(server: &Server, reverse: bool) -> String {
    let stop = server.call("rr_continue", json!({"reverse": reverse}));
    match stop["reason"].as_str() {
        Some("breakpoint-hit") => stop["frame"]["args"][0]["value"].as_str().unwrap().to_owned(),
        other => other.unwrap().to_owned(),
    }
}

/// With millions of branches between them: no run is to be stepped through.
#[test]
fn all_calls_of_a_library_that_is_loaded_again_and_again_are_met() {
    let server = waiting("2000000");
    let met: Vec<String> = (0..7).map(|_| go(&server, false)).collect();
    assert_eq!(met, ["1", "2", "3", "4", "5", "6", "end-of-recording"]);
}

#[test]
fn they_are_met_on_the_way_back_as_well() {
    let server = waiting("20");
    let met: Vec<String> = (0..7).map(|_| go(&server, false)).collect();
    // Over the place where the library was unloaded and loaded again.
    let back: Vec<String> = (0..4).map(|_| go(&server, true)).collect();
    assert_eq!(met[..6], ["1", "2", "3", "4", "5", "6"]);
    assert_eq!(back, ["6", "5", "4", "3"]);
}
