//! Functions that are chosen when the program is loaded: their names mean what is called, not the code that chooses.

use crate::support::fixtures::line;
use crate::support::mcp::replaying;
use crate::support::recordings::recording;
use serde_json::json;

/// Breakpoints forward and backward, before and after the choice was made, and every call.
#[test]
fn what_is_called_is_met_not_what_chooses_it() {
    for fixture in ["chosen", "chosen-static", "chosen-O2"] {
        let server = replaying(fixture);
        let set = server.call("rr_breakpoint_set", json!({"location": "scaled"}));
        assert!(set["note"].to_string().contains("2 functions to choose from"), "{fixture}: {set}");
        let mut stops = Vec::new();
        loop {
            let stop = server.call("rr_continue", json!({}));
            if stop["reason"] == "end-of-recording" {
                break;
            }
            assert_eq!(stop["function"], "tripled", "{fixture}: {stop}");
            assert_eq!(stop["line"].as_u64(), Some(line("chosen.c", "tripled")), "{fixture}: {stop}");
            stops.push((server.evaluate("value"), stop["position"].clone()));
        }
        let values: Vec<&str> = stops.iter().map(|(value, _)| value.as_str()).collect();
        assert_eq!(values, ["1", "2", "3", "4"], "{fixture}");
        for (value, position) in stops.iter().rev() {
            let stop = server.call("rr_continue", json!({"reverse": true}));
            assert_eq!(stop["position"], *position, "{fixture}: {stop}");
            assert_eq!(server.evaluate("value"), *value, "{fixture}");
        }
        let stop = server.call("rr_continue", json!({"reverse": true}));
        assert_eq!(stop["reason"], "start-of-recording", "{fixture}: {stop}");
    }
}

#[test]
fn the_c_librarys_function_is_met_at_each_call() {
    for fixture in ["chosen", "chosen-static"] {
        let server = replaying(fixture);
        server.call("rr_breakpoint_set", json!({"location": "strncpy"}));
        let mut calls = 0;
        while server.call("rr_continue", json!({}))["reason"] == "breakpoint-hit" {
            let stack = server.call("rr_backtrace", json!({}));
            let caller = (&stack["result"][1]["function"], stack["result"][1]["line"].as_u64());
            assert_eq!(caller, (&json!("main"), Some(line("chosen.c", "copied"))), "{fixture}: {stack}");
            calls += 1;
        }
        assert_eq!(calls, 4, "{fixture}");
    }
}

#[test]
fn all_calls_are_those_of_what_was_chosen() {
    for fixture in ["chosen", "chosen-static", "chosen-O2"] {
        let server = crate::support::mcp::Server::start();
        let trace = recording(fixture).trace;
        let of = |function: &str| server.call("rr_calls", json!({"trace_dir": trace, "function": function}));
        let scaled = of("scaled");
        let told: Vec<(&str, &str, &str)> = scaled["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                let text = |value: &'static str| row[value].as_str().unwrap_or("");
                (text("function"), row["arguments"][0]["value"].as_str().unwrap_or(""), text("result"))
            })
            .collect();
        let expected = [("tripled", "1", "3"), ("tripled", "2", "6"), ("tripled", "3", "9"), ("tripled", "4", "12")];
        assert_eq!(told, expected, "{fixture}: {scaled}");
        let copies = of("strncpy");
        assert_eq!((&copies["matching"], &copies["returned"]), (&json!(4), &json!(4)), "{fixture}: {copies}");
        assert!(copies["notes"].to_string().contains("`strncpy` is chosen when the program is loaded"), "{copies}");
    }
}
