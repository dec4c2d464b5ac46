//! Children that share the memory of their parent for a time: breakpoints in it stop the parent alone, and no movement
//! over such a child hangs.

use crate::support::fixtures::line;
use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Continues to the end of the recording, and returns the stops on the way with the argument of `tick` at each.
fn ticks(server: &Server, reverse: bool) -> (Vec<(Value, String)>, Vec<String>) {
    let (mut stops, mut notes) = (Vec::new(), Vec::new());
    loop {
        let stop = server.call("rr_continue", json!({"reverse": reverse}));
        notes.extend(stop["notes"].as_array().into_iter().flatten().map(|note| note.as_str().unwrap().to_owned()));
        if stop["reason"] != "breakpoint-hit" {
            let end = if reverse { "start-of-recording" } else { "end-of-recording" };
            assert_eq!(stop["reason"], end, "{stop}");
            return (stops, notes);
        }
        assert_eq!(stop["function"], "tick", "{stop}");
        let place = json!([stop["thread"], stop["event"], stop["ticks"], stop["pc"]]);
        stops.push((place, server.evaluate("n")));
    }
}

#[test]
fn breakpoints_stop_the_parent_and_not_the_child() {
    for location in ["breakpoint", "conditional"] {
        let server = replaying("vforks");
        let condition = if location == "conditional" { json!("n != 5 && n > 0") } else { Value::Null };
        server.call("rr_breakpoint_set", json!({"location": "tick", "condition": condition}));
        let (forward, notes) = ticks(&server, false);
        let mut counts = BTreeMap::new();
        for (_, n) in &forward {
            *counts.entry(n.as_str()).or_insert(0) += 1;
        }
        assert_eq!(counts, BTreeMap::from([("1", 15), ("100", 3)]));
        let said: Vec<_> = notes.iter().filter(|note| note.contains("breakpoints do not stop in it")).collect();
        assert_eq!(said.len(), 1, "{notes:?}");
        let (mut backward, _) = ticks(&server, true);
        backward.reverse();
        assert_eq!(backward, forward, "{location}");
    }
}

#[test]
fn a_breakpoint_in_the_child_alone_is_passed() {
    let server = replaying("vforks");
    server.run_to("main");
    for function in ["execve", "_exit"] {
        server.call("rr_breakpoint_set", json!({"location": function}));
    }
    // The process itself comes to `_exit` at its end.
    for reverse in [false, true] {
        let stop = server.call("rr_continue", json!({"reverse": reverse}));
        let expected = if reverse { "start-of-recording" } else { "breakpoint-hit" };
        assert_eq!(stop["reason"], expected, "{stop}");
        if !reverse {
            assert_eq!(stop["function"], "_exit", "{stop}");
            let names: Vec<_> = server.call("rr_backtrace", json!({}))["result"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|frame| frame["function"].as_str().map(str::to_owned))
                .collect();
            assert!(names.iter().any(|name| name == "exit" || name == "__GI_exit"), "{names:?}");
        }
    }
}

#[test]
fn next_over_a_call_that_makes_a_child_is_an_ordinary_step() {
    let server = replaying("vforks");
    server.run_to("main");
    for function in ["execve", "_exit", "tick if n == 1000"] {
        let (location, condition) = function.split_once(" if ").map_or((function, Value::Null), |(f, c)| (f, json!(c)));
        server.call("rr_breakpoint_set", json!({"location": location, "condition": condition}));
    }
    let lines = |marks: &[&str]| marks.iter().map(|mark| line("vforks.c", mark)).collect::<Vec<_>>();
    let steps = |reverse: bool, count: usize| -> Vec<u64> {
        let next = |_| {
            let stop = server.call("rr_next", json!({"reverse": reverse}));
            assert_eq!(stop["reason"], "end-stepping-range", "{stop}");
            assert_eq!(stop["function"], "main", "{stop}");
            stop["line"].as_u64().unwrap()
        };
        (0..count).map(next).collect()
    };
    let advance = |mark: &str| {
        server.text("rr_command", json!({"command": format!("tbreak vforks.c:{}", line("vforks.c", mark))}));
        let stop = server.call("rr_continue", json!({}));
        assert_eq!(stop["line"].as_u64(), Some(line("vforks.c", mark)), "{stop}");
    };
    advance("vfork");
    assert_eq!(steps(false, 3), lines(&["child", "wait", "tick"]));
    assert_eq!(steps(true, 3), lines(&["wait", "child", "vfork"]));
    advance("spawn");
    assert_eq!(steps(false, 4), lines(&["spawned", "system", "popen", "pclose"]));
    assert_eq!(steps(true, 4), lines(&["popen", "system", "spawned", "spawn"]));
}

#[test]
fn instructions_are_stepped_over_a_call_that_makes_a_child() {
    let server = replaying("vforks");
    server.run_to("main");
    server.run_to("vfork");
    server.call("rr_breakpoint_set", json!({"location": "_exit"}));
    // Through its system call.
    let mut functions = Vec::new();
    for _ in 0..40 {
        let stop = server.call("rr_step", json!({"instruction": true}));
        assert_eq!(stop["reason"], "end-stepping-range", "{stop}");
        functions.push(stop["function"].as_str().unwrap_or_default().to_owned());
        if functions.last().is_some_and(|last| last == "main") {
            break;
        }
    }
    assert_eq!(functions.last().map(String::as_str), Some("main"), "{functions:?}");
    let child: i64 = server.evaluate("$rax").parse().unwrap();
    assert!(child > 0, "{child}");
}
