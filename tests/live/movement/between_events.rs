//! Positions between system calls: where ticks do not move, and where rr's buffer answers.

use crate::support::fixtures::line;
use crate::support::mcp::replaying;
use serde_json::{Value, json};

/// Which visit of its tick a row says that it is.
fn visit(row: &Value) -> &str {
    row["position"].as_str().and_then(|position| position.rsplit('/').next()).unwrap_or_else(|| panic!("{row}"))
}

#[test]
fn each_row_is_gone_to_and_its_events_are_those_that_it_says() {
    let server = replaying("between_events");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGSEGV", "{stop}");
    let history = server.call("rr_history", json!({"expression": "counter", "limit": 100}));
    let calls = server.call("rr_calls", json!({"function": "adds"}));
    let written: Vec<&Value> =
        history["rows"].as_array().unwrap().iter().filter(|row| row["function"].is_string()).collect();
    let values: Vec<&str> = written.iter().map(|row| row["new"].as_str().unwrap()).collect();
    assert_eq!(values, ["0", "1", "3", "4", "5", "6", "7", "77", "78", "79", "84", "90", "97"], "{history}");
    let calls = calls["rows"].as_array().unwrap();
    // The last two are in the tick of the one before.
    let visits: Vec<&str> = calls.iter().map(visit).collect();
    assert_eq!(visits, ["1", "1", "1", "1", "2", "3"], "{calls:?}");
    let rows = written.into_iter().chain(calls);
    for row in rows {
        let stop = server.call("rr_goto", json!({"position": row["position"]}));
        assert_eq!(stop["function"], row["function"], "{row} {stop}");
        if let Some(line) = row["line"].as_u64() {
            assert_eq!(stop["line"], line, "{row} {stop}");
            assert_eq!(server.evaluate("counter"), row["old"].as_str().unwrap(), "{row}");
        }
        let there = server.call("rr_when", json!({}))["event"].as_u64().unwrap();
        let least = row["event"].as_u64().unwrap();
        let most = row["event_at_most"].as_u64().unwrap_or(least);
        assert!((least..=most).contains(&there), "{there}: {row}");
    }
    let first = &history["rows"].as_array().unwrap().iter().find(|row| row["new"] == "1").unwrap();
    assert!(first.get("event_at_most").is_none() && first["line"] == line("between_events.c", "adds"), "{first}");
}

#[test]
fn back_from_a_signal_that_was_gone_to_is_what_was_before() {
    let server = replaying("between_events");
    let stop = server.call("rr_continue", json!({}));
    let goto = || {
        let there = server.call("rr_goto", json!({"position": stop["position"]}));
        assert_eq!((&there["position"], &there["line"]), (&stop["position"], &stop["line"]), "{there}");
    };
    goto();
    let back = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(back["reason"], "start-of-recording", "{back}");
    // From there, it comes again.
    assert_eq!(server.call("rr_continue", json!({}))["position"], stop["position"]);
    goto();
    let back = server.call("rr_next", json!({"reverse": true}));
    assert_eq!((&back["reason"], &back["function"]), (&json!("end-stepping-range"), &json!("main")), "{back}");
    goto();
    server.call("rr_breakpoint_set", json!({"location": "between_events.c:12"}));
    let back = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((&back["reason"], &back["function"]), (&json!("breakpoint-hit"), &json!("adds")), "{back}");
    assert_eq!(server.evaluate("number"), "7");
}

/// Of a hit of a condition that is not the first in its tick the visit is known, even if those before it are passed over
/// in the replay itself.
#[test]
fn a_hit_that_is_not_the_first_in_its_tick_is_told_so_whatever_was_passed_over() {
    let server = replaying("between_events");
    let ask = |condition: Option<&str>| {
        let place = format!("between_events.c:{}", line("between_events.c", "adds"));
        let mut ask = json!({"locations": [place], "values": ["number"], "limit": 100});
        if let Some(condition) = condition {
            ask["where"] = json!(condition);
        }
        server.call("rr_trace", ask)
    };
    let all = ask(None);
    let all_rows = all["rows"].as_array().unwrap();
    let numbers: Vec<&str> = all_rows.iter().map(|row| row["values"][0]["value"].as_str().unwrap()).collect();
    assert_eq!(numbers, ["0", "1", "2", "5", "6", "7"], "{all}");
    let visits: Vec<&str> = all_rows.iter().map(visit).collect();
    assert_eq!(visits, ["1", "1", "1", "1", "2", "3"], "{all}");
    for (number, row) in numbers.iter().zip(all_rows) {
        let one = ask(Some(&format!("number == {number}")));
        assert_eq!(one["rows"], json!([row]), "{one}");
        assert_eq!(one["searched"]["hits"], all["searched"]["hits"], "{one}");
    }
}

#[test]
fn system_calls_of_the_buffer_are_counted_whatever_is_shown() {
    let server = replaying("between_events");
    let all = server.call("rr_timeline", json!({"kinds": ["syscall"], "limit": 1000}));
    let few = server.call("rr_timeline", json!({"kinds": ["process"]}));
    assert_eq!((&few["syscalls"], &few["failed"]), (&all["syscalls"], &all["failed"]), "{few}");
    assert_eq!(all["syscalls"], all["matching"], "{all}");
    let text = all["rows"].to_string();
    assert!(text.contains("from rr's buffer"), "{text}");
}
