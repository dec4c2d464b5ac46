//! Breakpoints in a library that is loaded when they are there already, and unloaded.

use crate::support::fixtures::{program, scratch};
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

/// The value and the size of the variable of the version whose `part` is running, behind its call.
fn version(server: &Server) -> [String; 2] {
    server.call("rr_finish", json!({}));
    ["seen", "sizeof(seen)"].map(|expression| server.evaluate(expression))
}

#[test]
fn another_library_at_the_same_path_and_address_is_read_as_itself_after_a_jump() {
    for suffix in ["", "-id"] {
        let [first, second] = [1, 2].map(|number| program(&format!("libhot{number}{suffix}.so")));
        let path = scratch().join(format!("hot{suffix}.so"));
        let words = [&path, &first, &second].map(|path| path.to_str().unwrap());
        let recording = recording_of("hot_reload", &words);
        assert_eq!(recording.exit_code, 0, "{}", recording.stderr);
        let server = Server::start();
        server.replay(&recording.trace);
        server.run_to("main");
        server.call("rr_breakpoint_set", json!({"location": "part", "pending": true}));
        let stops: Vec<_> = (0..2).map(|_| server.call("rr_continue", json!({}))).collect();
        let expected = [["1", "4"], ["2.5", "8"]];
        let marks = stops.iter().map(|stop| stop["position"].as_str().unwrap().to_owned());
        let positions: Vec<String> = marks.collect();
        for turn in [0, 1, 0, 1] {
            server.call("rr_goto", json!({"position": positions[turn]}));
            assert_eq!(version(&server), expected[turn], "{suffix} {turn}");
        }
        // Without a breakpoint, nothing stops where the libraries change.
        server.call("rr_goto", json!({"position": positions[0]}));
        server.call("rr_breakpoint_remove", json!({"breakpoint_number": 2}));
        let id = server.call("rr_checkpoint_save", json!({}))["id"].clone();
        server.call("rr_goto", json!({"position": positions[1]}));
        server.call("rr_checkpoint_restore", json!({"checkpoint_id": id}));
        assert_eq!(version(&server), expected[0], "{suffix}");
    }
}
