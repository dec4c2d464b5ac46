//! Instructions that are executed several times in one tick: each time has a position of its own.

use crate::support::fixtures::line;
use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};

/// A session at the end, in main.
fn at_the_end(fixture: &str) -> Server {
    let server = replaying(fixture);
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "signal-received");
    let stack = server.call("rr_backtrace", json!({}));
    let frames = stack["result"].as_array().unwrap();
    let main = frames.iter().position(|frame| frame["function"] == "main").unwrap_or_else(|| panic!("{stack}"));
    server.call("rr_select_frame", json!({"frame_level": main}));
    server
}

/// What is so far in memory at a position: before the write that it is of.
fn memory_at(server: &Server, position: &Value) -> (String, String) {
    let stop = server.call("rr_goto", json!({"position": position}));
    assert_eq!(stop["function"], "add", "{stop}");
    (server.evaluate("used"), server.evaluate("sum"))
}

#[test]
fn each_write_has_its_own_position() {
    for fixture in ["repeated", "repeated-O2"] {
        for (slot, expected) in [(0, "1"), (1, "21"), (2, "321"), (3, "4321")] {
            let server = at_the_end(fixture);
            let last = server.call("rr_last_write", json!({"expression": format!("slots[{slot}]")}));
            assert_eq!((&last["write"]["new"], &last["write"]["old"]), (&json!(expected), &json!("0")), "{last}");
            let seen = server.call("rr_goto", json!({"position": last["write"]["position"]}));
            assert_eq!(server.evaluate(&format!("slots[{slot}]")), "0", "{fixture} {seen}");
            server.call("rr_step", json!({"instruction": true}));
            assert_eq!(server.evaluate(&format!("slots[{slot}]")), expected, "{fixture} {seen}");
        }
    }
}

#[test]
fn a_history_goes_through_all_of_them() {
    let server = at_the_end("repeated");
    let history = server.call("rr_history", json!({"expression": "sum"}));
    let rows = history["rows"].as_array().unwrap();
    let expected = [("0", "0"), ("1", "1"), ("2", "21"), ("3", "321")];
    assert_eq!(rows.len(), expected.len(), "{history}");
    for (row, (used, sum)) in rows.iter().zip(expected) {
        assert_eq!(memory_at(&server, &row["position"]), (used.to_owned(), sum.to_owned()), "{row}");
    }
}

#[test]
fn a_value_is_followed_through_the_right_one() {
    let server = at_the_end("repeated");
    let origin = server.call("rr_origin", json!({"expression": "slots[2]"}));
    let hops: Vec<(&str, u64)> = origin["rows"]
        .as_array()
        .unwrap_or_else(|| panic!("{origin}"))
        .iter()
        .map(|hop| (hop["value"].as_str().unwrap_or(""), hop["line"].as_u64().unwrap_or(0)))
        .collect();
    let expected = [("321", line("repeated.c", "kept")), ("321", line("repeated.c", "added"))];
    assert_eq!(hops, expected, "{origin}");
    assert_eq!(origin["rows"][1]["kind"], "computed", "{origin}");
}
