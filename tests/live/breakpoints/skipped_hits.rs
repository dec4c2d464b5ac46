//! Backward over thousands of hits to skip: the same stops as forward, each told and counted once.

use crate::support::fixtures::line;
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

/// Tells which change it has stopped for, or what else.
fn change(stop: &Value) -> Value {
    json!([stop["reason"], stop["signal_name"], stop["thread"], stop["old_value"], stop["new_value"]])
}

#[test]
fn changes_that_do_not_count_are_passed_over() {
    let server = replaying("misses");
    // The sums up to 37, with the other thread's share, and up to 1490.
    let condition = "turned == 703 || turned == 125243 || turned == 1110788";
    // rr evaluates the first; the second it cannot; of two it tells one, so that each is looked at.
    for (condition, beside) in [
        (condition.to_owned(), None),
        (condition.replace("703 ", "703.0 "), None),
        (condition.to_owned(), Some(("handled", "handled != 0"))),
    ] {
        server.call("rr_watchpoint_set", json!({"expression": "turned", "condition": condition}));
        if let Some((expression, condition)) = beside {
            server.call("rr_watchpoint_set", json!({"expression": expression, "condition": condition}));
        }
        let forward = all(&server, false, "end-of-recording");
        let news: Vec<_> = forward.iter().filter_map(|stop| stop["new_value"].as_str()).collect();
        let wanted = ["703", "125243", "10", "1110788"];
        assert_eq!(news, if beside.is_some() { &wanted[..] } else { &["703", "125243", "1110788"] }, "{condition}");
        let mut backward = all(&server, true, "start-of-recording");
        backward.reverse();
        let changes = |stops: &[Value]| -> Vec<Value> { stops.iter().map(change).collect() };
        assert_eq!(changes(&backward), changes(&forward), "{condition}");
        for (back, forth) in backward.iter().zip(&forward).filter(|(_, forth)| forth["old_value"].is_string()) {
            assert_eq!(back["written_by"]["line"], forth["written_by"]["line"], "{back} {forth}");
            assert_eq!(back["event"], forth["event"]);
        }
        let looked_at: Vec<_> = backward.iter().filter_map(|stop| stop["notes"].as_array()).flatten().collect();
        assert!(looked_at.iter().all(|note| !note.to_string().contains("has also changed")), "{looked_at:?}");
        let counted = hits(&server);
        server.call("rr_command", json!({"command": "delete"}));
        assert_eq!(counted[0], 6, "{condition}");
    }
}

#[test]
fn a_watchpoint_beside_is_met_among_hits_that_do_not_count() {
    let server = replaying("misses");
    set(&server, "n == 37", json!({}));
    server.call("rr_watchpoint_set", json!({"expression": "handled"}));
    let told = |stop: &Value| json!([stop["reason"], stop["signal_name"], stop["new_value"]]);
    let mut stops: Vec<_> = all(&server, false, "end-of-recording").iter().map(told).collect();
    let signal = json!(["signal-received", "SIGUSR1", null]);
    assert_eq!(stops, [json!(["breakpoint-hit", null, null]), signal, json!(["watchpoint-trigger", null, "10"])],);
    stops.reverse();
    assert_eq!(all(&server, true, "start-of-recording").iter().map(told).collect::<Vec<_>>(), stops);
}

#[test]
fn a_step_backward_goes_over_hits_that_do_not_count() {
    let server = replaying("misses");
    let at = |mark: &str| line("misses.c", mark);
    server.call("rr_breakpoint_set", json!({"location": format!("misses.c:{}", at("passed"))}));
    server.call("rr_continue", json!({})); // the signal
    let passed = server.call("rr_continue", json!({}));
    assert_eq!(passed["line"], at("passed"));
    let caller = server.call("rr_finish", json!({"reverse": true}));
    assert_eq!(caller["line"], at("many"), "{caller}");
    // rr evaluates the first of the conditions, and cannot the second.
    for condition in ["n == 5000", "n == 5000.0"] {
        server.call("rr_breakpoint_set", json!({"location": "pass", "condition": condition}));
        assert_eq!(place(&server.call("rr_continue", json!({}))), place(&passed));
        assert_eq!(place(&server.call("rr_finish", json!({"reverse": true}))), place(&caller));
        server.call("rr_command", json!({"command": "delete 2-100"}));
    }
}
