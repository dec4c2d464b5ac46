//! Backward over thousands of hits to skip: the same stops as forward, each told and counted once.

use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};

/// Why and where something has stopped.
fn place(stop: &Value) -> Value {
    json!([stop["reason"], stop["signal_name"], stop["thread"], stop["event"], stop["ticks"], stop["pc"]])
}

/// Goes on to `last`, and tells what it stopped for on the way.
fn all(server: &Server, reverse: bool, last: &str) -> Vec<Value> {
    let mut stops = Vec::new();
    loop {
        let stop = server.call("rr_continue", json!({"reverse": reverse}));
        if stop["reason"] == last {
            return stops;
        }
        stops.push(stop);
    }
}

fn places(stops: &[Value]) -> Vec<Value> {
    stops.iter().map(place).collect()
}

fn set(server: &Server, condition: &str, more: Value) {
    let mut arguments = json!({"location": "turn", "condition": condition});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.call("rr_breakpoint_set", arguments);
}

fn hits(server: &Server) -> Vec<Value> {
    let listed = server.call("rr_breakpoint_list", json!({}));
    listed["result"].as_array().unwrap().iter().map(|breakpoint| breakpoint["hits"].clone()).collect()
}

#[test]
fn the_stops_are_those_of_the_way_forward() {
    let server = replaying("misses");
    // Far from each other, in another thread, with a signal on the way, and one near the end.
    set(&server, "n == 37 || n == -7 || n == 1490", json!({}));
    let forward = all(&server, false, "end-of-recording");
    let threads: Vec<_> = forward.iter().map(|stop| stop["thread"] == forward[0]["thread"]).collect();
    assert_eq!(threads, [true, false, true, true], "{forward:?}");
    assert_eq!(forward[2]["signal_name"], "SIGUSR1", "{forward:?}");
    let mut backward = all(&server, true, "start-of-recording");
    backward.reverse();
    assert_eq!(places(&backward), places(&forward));
    assert_eq!(hits(&server), [6]);
    assert_eq!(places(&all(&server, false, "end-of-recording")), places(&forward));
}

#[test]
fn what_is_ignored_or_written_down_counts_in_the_order_it_is_met() {
    let server = replaying("misses");
    set(&server, "n % 500 == 3", json!({}));
    let forward = places(&all(&server, false, "end-of-recording"));
    server.call("rr_breakpoint_update", json!({"breakpoint_number": 1, "ignore_count": 1}));
    set(&server, "n % 400 == 7", json!({"log": "{n}"}));
    set(&server, "n == 12345", json!({}));
    // 1003 is ignored, 503 and 3 are not.
    let backward = all(&server, true, "start-of-recording");
    let wanted: Vec<_> = [2, 1, 0].map(|index: usize| forward[index].clone()).into();
    assert_eq!(places(&backward), wanted);
    let logged = server.call("rr_log", json!({}));
    let texts: Vec<_> = logged["result"].as_array().unwrap().iter().map(|line| line["text"].clone()).collect();
    assert_eq!(texts, ["1207", "807", "407", "7"]);
    assert_eq!(hits(&server), [6, 4, 0]);
}

#[test]
fn a_condition_that_rr_cannot_evaluate_leads_to_the_same_place() {
    let server = replaying("misses");
    set(&server, "n == 1100.0", json!({}));
    server.call("rr_catch_set", json!({"event": "signal", "names": ["SIGUSR1"]}));
    let caught = server.call("rr_continue", json!({}));
    let hit = server.call("rr_continue", json!({}));
    assert_eq!((&caught["signal_name"], &hit["reason"]), (&json!("SIGUSR1"), &json!("breakpoint-hit")), "{hit}");
    assert_eq!(all(&server, false, "end-of-recording").len(), 0);
    for wanted in [hit, caught] {
        let stop = server.call("rr_continue", json!({"reverse": true}));
        assert_eq!(place(&stop), place(&wanted));
    }
}
