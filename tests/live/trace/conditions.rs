//! Conditions of questions, as they are compiled, and the same in a form that has to be evaluated: both choose the same.

use crate::support::fixtures::{line, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{recording, recording_of};
use serde_json::{Value, json};

/// Integers, pointers, members, elements, registers; of some, what they read is not there at each hit.
const CONDITIONS: [&str; 9] = [
    "n > 2",
    "n % 2 == 0 && p->value != 4",
    "p->next != 0 && p->next->value > 3",
    "p->next->value > 3",
    "label[0] == 'w' || label[1] == 'i'",
    "p->tag[1] == p->tag[2] || n == 1",
    "(unsigned char)n << 4 > (p->value & 0xf0) + 16",
    "-n / (n - 3) < 0",
    "(long)$rsp % 16 == 0 && n >= 0",
];

/// What is looked at in the replay itself: numbers that are compared with constants.
const COMPARISONS: [&str; 7] = [
    "n == 3",
    "3 >= n && !p->next",
    "p->next && p->next->value == 4",
    "p->next != 0 && n < 4 && label[0] == 'w'",
    "label[0] != 'w' && n > -1",
    "n > 1u && n % 2 == 0",
    "p->next->value < 4 && n == 1",
];

#[test]
fn compiled_conditions_choose_what_evaluated_ones_do() {
    let server = Server::start();
    for fixture in ["every_call", "every_call-O2"] {
        let log = scratch().join(format!("{fixture}.judged.log"));
        let trace = recording_of(fixture, &[log.to_str().unwrap()]).trace;
        for (tool, key, place) in [("rr_trace", "locations", json!(["work"])), ("rr_calls", "function", json!("work"))]
        {
            let comparisons = if tool == "rr_trace" { &COMPARISONS[..] } else { &[] };
            let ask = |condition: String| {
                let mut ask = json!({"trace_dir": trace, "where": condition, "values": ["n"], "limit": 1000});
                ask[key] = place.clone();
                server.call(tool, ask)
            };
            let rows = |answer: &Value| answer["rows"].as_array().unwrap().clone();
            let (mut chosen, mut unjudged) = (0, 0);
            for condition in CONDITIONS.iter().chain(comparisons) {
                let compiled = ask((*condition).to_owned());
                // What has a fractional part is evaluated.
                let evaluated = ask(format!("({condition}) ? 1.5 : 0.0"));
                assert_eq!(rows(&compiled), rows(&evaluated), "{fixture} {tool} {condition}");
                for count in ["/unjudged", "/searched/hits", "/matching"] {
                    assert_eq!(compiled.pointer(count), evaluated.pointer(count), "{fixture} {tool} {condition}");
                }
                chosen += usize::from(!rows(&compiled).is_empty());
                unjudged += usize::from(compiled["unjudged"].as_u64().is_some_and(|count| count > 0));
            }
            if tool == "rr_trace" {
                first_of(&server, &trace);
            }
            assert!(chosen > 5 && unjudged > 0, "{fixture} {tool}: {chosen} chose something, {unjudged} could not say");
        }
    }
}

/// The first hit of a condition is the same, and so is how many hits were before it.
fn first_of(server: &Server, trace: &std::path::Path) {
    for (condition, last) in [("n == 3", false), ("n == 2 && p->value > 2", false), ("n == 3", true)] {
        let ask = |condition: &str| {
            server.call("rr_first", json!({"trace_dir": trace, "location": "work", "where": condition, "last": last}))
        };
        let (compiled, evaluated) = (ask(condition), ask(&format!("({condition}) ? 1.5 : 0.0")));
        for part in ["/rows", "/matching", "/searched/hits"] {
            assert_eq!(compiled.pointer(part), evaluated.pointer(part), "{condition} {last}: {compiled} {evaluated}");
        }
    }
}

/// A name means the member or the variable, not the enumerator that it hides: in questions, and at breakpoints.
#[test]
fn what_hides_an_enumerator_is_what_conditions_mean() {
    let server = Server::start();
    let trace = recording("hiding").trace;
    let bounded = format!("hiding.cpp:{}", line("hiding.cpp", "bounded"));
    for (place, condition, expected) in
        [("Sample::look", "red == 7", "7"), (&bounded, "limit == 4", "2"), ("Sample::look", "red + 0 == 7", "7")]
    {
        let ask = json!({"trace_dir": trace, "locations": [place], "where": condition, "values": ["n"]});
        let answer = server.call("rr_trace", ask);
        let rows = answer["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 1, "{condition}: {answer}");
        assert_eq!(rows[0]["values"][0]["value"], json!(expected), "{condition}: {answer}");
        server.replay(&trace);
        server.call("rr_breakpoint_set", json!({"location": place, "condition": condition}));
        assert_eq!(server.call("rr_continue", json!({}))["reason"], "breakpoint-hit", "{condition}");
        assert_eq!(server.evaluate("n"), expected, "{condition}");
        server.call("rr_replay_stop", json!({}));
    }
}
