//! Moments that look alike: one tick may execute the same instruction any number of times with the same registers, as
//! of calls in a row, unrolled loops and repeated instructions. All writes to a variable, and all calls of a function, are
//! the same whether they are met forward, backward, by a list or by going to each of its positions.
//!
//! `RETROGRADE_LOOK_ALIKE=all` has all compilers and levels tried.

use crate::support::fixtures::{built_from, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A variable, the function that writes it, and what it is one after the other.
struct Written {
    variable: &'static str,
    function: &'static str,
    values: &'static [u64],
}

const WRITTEN: [Written; 10] = [
    Written { variable: "row", function: "add_row", values: &[0, 1, 2, 3, 4, 5] },
    Written { variable: "deep", function: "add_deep", values: &[0, 1, 2, 3] },
    Written { variable: "framed", function: "add_framed", values: &[0, 1, 2, 3, 4] },
    Written { variable: "far", function: "add_far", values: &[0, 1, 2, 3] },
    Written { variable: "turn", function: "add_turn", values: &[0, 1, 2, 3, 4, 5, 6, 7, 8] },
    Written { variable: "flag", function: "toggle", values: &[0, 1, 0, 1, 0, 1, 0] },
    Written { variable: "text[7]", function: "fill", values: &[0, 1, 2, 3] },
    Written { variable: "text[15]", function: "copy", values: &[0, 1, 2, 3] },
    Written { variable: "before", function: "add_before", values: &[0, 1, 2, 3, 4] },
    Written {
        variable: "shared",
        function: "add_shared",
        values: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    },
];

/// Compiles the program.
fn built(compiler: &str, level: &str) -> PathBuf {
    let program = scratch().join(format!("look_alike-{compiler}{level}"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/movement/look_alike.c");
    let done = Command::new(compiler).args(["-g", "-pthread", level]).arg(source).arg("-o").arg(&program).output();
    let done = done.unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(done.status.success(), "{compiler} {level}: {}", String::from_utf8_lossy(&done.stderr));
    program
}

/// A session in `main`.
fn replaying(trace: &Path) -> Server {
    let server = Server::start();
    server.replay(trace);
    server.run_to("main");
    server
}

fn number(value: &Value) -> u64 {
    let text = value.as_str().unwrap_or_else(|| panic!("no value: {value}"));
    text.split_whitespace().next().unwrap().parse().unwrap_or_else(|_| panic!("no number: {text}"))
}

fn position(of: &Value) -> String {
    of["position"].as_str().unwrap_or_else(|| panic!("no position: {of}")).to_owned()
}

/// Continues to the next stop of a breakpoint or watchpoint; what stops besides is passed.
fn next_stop(server: &Server, reverse: bool) -> Option<Value> {
    loop {
        let stop = server.call("rr_continue", json!({"reverse": reverse}));
        match stop["reason"].as_str().unwrap() {
            "watchpoint-trigger" | "breakpoint-hit" => return Some(stop),
            "end-of-recording" | "start-of-recording" => return None,
            _ => {}
        }
    }
}

fn stops(server: &Server, reverse: bool) -> Vec<Value> {
    std::iter::from_fn(|| next_stop(server, reverse)).collect()
}

fn changes(stops: &[Value], old: &str, new: &str) -> Vec<(u64, u64)> {
    stops.iter().map(|stop| (number(&stop[old]), number(&stop[new]))).collect()
}

fn check_distinct<'a>(positions: impl Iterator<Item = &'a Value>, of: &str) {
    let all: Vec<String> = positions.map(position).collect();
    let distinct: BTreeSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len(), "{of}: {all:#?}");
}

/// Goes to a position, which is one moment, and returns what a variable is there.
fn value_at(server: &Server, position: &Value, variable: &str) -> u64 {
    let stop = server.call("rr_goto", json!({"position": position}));
    let notes = stop["notes"].to_string();
    assert!(!notes.contains("fit the position"), "{position}: {notes}");
    number(&Value::String(server.evaluate(variable)))
}

fn check(trace: &Path, written: &Written, name: &str) {
    let Written { variable, function, values } = *written;
    let of = format!("{name}: {variable}");
    let expected: Vec<(u64, u64)> = values.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let server = replaying(trace);
    let history = server.call("rr_history", json!({"expression": variable, "limit": 100}));
    let rows = history["rows"].as_array().unwrap();
    assert_eq!(changes(rows, "old", "new"), expected, "{of}: {history:#}");
    let calls = server.call("rr_calls", json!({"function": function}));
    let calls = calls["rows"].as_array().unwrap();
    assert_eq!(calls.len(), expected.len(), "{of}: {calls:#?}");

    // By movements, there and back.
    let number_of_watch = server.call("rr_watchpoint_set", json!({"expression": variable}))["number"].clone();
    let forward = stops(&server, false);
    assert_eq!(changes(&forward, "old_value", "new_value"), expected, "{of}: forward");
    let mut backward = stops(&server, true);
    backward.reverse();
    assert_eq!(changes(&backward, "old_value", "new_value"), expected, "{of}: backward");
    let again = stops(&server, false);
    assert_eq!(
        again.iter().map(position).collect::<Vec<_>>(),
        forward.iter().map(position).collect::<Vec<_>>(),
        "{of}"
    );
    server.call("rr_breakpoint_remove", json!({"breakpoint_number": number_of_watch}));
    server.call("rr_breakpoint_set", json!({"location": function}));
    assert_eq!(stops(&server, true).len(), expected.len(), "{of}: breakpoints backward");
    assert_eq!(stops(&server, false).len(), expected.len(), "{of}: breakpoints forward");

    // By positions, in another session.
    let other = replaying(trace);
    for (what, all) in [("history", rows), ("calls", calls), ("forward", &forward), ("backward", &backward)] {
        check_distinct(all.iter(), &format!("{of}: {what}"));
        for (index, row) in all.iter().enumerate().rev() {
            let (old, new) = expected[index];
            let there = if what == "forward" { new } else { old };
            assert_eq!(value_at(&other, &row["position"], variable), there, "{of}: {what} {index}: {row}");
            let here = other.call("rr_when", json!({}));
            if matches!(what, "forward" | "backward") {
                assert_eq!(here["position"], row["position"], "{of}: {what} {index}");
            }
            if what == "history" && !variable.contains('[') {
                other.call("rr_step", json!({"instruction": true}));
                assert_eq!(other.evaluate(variable), new.to_string(), "{of}: behind {index}");
            }
        }
    }
}

/// Instruction by instruction, forward and back again, and by checkpoints.
#[test]
fn single_steps_lead_back_to_where_they_came_from() {
    let trace = record(&built("gcc", "-O2"), &[], scratch()).trace;
    let server = replaying(&trace);
    let calls = server.call("rr_calls", json!({"function": "add_framed"}));
    let seen = |stop: &Value| (position(stop), server.evaluate("framed"));
    let mut way = vec![seen(&server.call("rr_goto", json!({"position": calls["rows"][0]["position"]})))];
    let mut checkpoints = Vec::new();
    while way.last().unwrap().1 != "4" && way.len() < 100 {
        way.push(seen(&server.call("rr_step", json!({"instruction": true}))));
        if way.len() % 8 == 0 {
            checkpoints.push((server.call("rr_checkpoint_save", json!({}))["id"].clone(), way.len() - 1));
        }
    }
    assert_eq!(way.last().unwrap().1, "4", "{way:#?}");
    let distinct: BTreeSet<&String> = way.iter().map(|(position, _)| position).collect();
    assert_eq!(distinct.len(), way.len(), "{way:#?}");
    for index in (0..way.len() - 1).rev() {
        let back = seen(&server.call("rr_step", json!({"instruction": true, "reverse": true})));
        assert_eq!(back, way[index], "{index} of {way:#?}");
    }
    for (id, index) in checkpoints {
        let stop = server.call("rr_checkpoint_restore", json!({"checkpoint_id": id}));
        assert_eq!(seen(&stop), way[index], "{index} of {way:#?}");
    }
}

fn cells() -> Vec<(&'static str, &'static str)> {
    let all =
        ["gcc", "clang"].into_iter().flat_map(|compiler| ["-O0", "-O1", "-O2", "-O3"].map(|level| (compiler, level)));
    let is_all = std::env::var("RETROGRADE_LOOK_ALIKE").is_ok_and(|cells| cells == "all");
    all.filter(|cell| is_all || matches!(cell, ("gcc", "-O1") | ("clang", "-O2"))).collect()
}

#[test]
fn all_writes_and_all_calls_are_the_same_however_they_are_met() {
    for (compiler, level) in cells() {
        let program = built(compiler, level);
        let trace = record(&program, &[], scratch()).trace;
        for written in &WRITTEN {
            check(&trace, written, &format!("{compiler} {level}"));
        }
    }
}

/// Where rr's buffer has answered the last system call, rr counts the event that empties it as completed.
#[test]
fn they_are_so_behind_buffered_calls() {
    let program = built("gcc", "-O1");
    let trace = record(&program, &["buffered"], scratch()).trace;
    for written in &WRITTEN[..2] {
        check(&trace, written, "buffered");
    }
}

/// Asks for the last write where the session is, of which so many are before.
fn check_last(server: &Server, variable: &str, rows: &[Value], earlier: usize, at: &str) {
    let last = server.call("rr_last_write", json!({"expression": variable}));
    assert_eq!(last["earlier"].as_u64(), Some(earlier as u64), "{at}: {last:#}");
    let expected = earlier.checked_sub(1).map_or(&Value::Null, |last| &rows[last]["position"]);
    assert_eq!(last["write"]["position"], *expected, "{at}: {last:#}");
    assert_eq!(last["notes"].as_array().is_none_or(Vec::is_empty), earlier > 0, "{at}: {last:#}");
}

/// At each stop of a watchpoint, forward and backward, and one instruction farther on.
fn check_last_writes(trace: &Path, variable: &str) {
    let server = replaying(trace);
    let rows = server.call("rr_history", json!({"expression": variable}))["rows"].as_array().unwrap().clone();
    server.call("rr_watchpoint_set", json!({"expression": variable}));
    for index in 0..rows.len() {
        next_stop(&server, false).unwrap();
        check_last(&server, variable, &rows, index + 1, &format!("{variable}: forward {index}"));
    }
    // Whoever turns round at a stop does not meet it again.
    assert!(next_stop(&server, false).is_none());
    for index in (0..rows.len()).rev() {
        next_stop(&server, true).unwrap();
        check_last(&server, variable, &rows, index, &format!("{variable}: backward {index}"));
    }
    let other = replaying(trace);
    for index in [rows.len() - 1, 1] {
        other.call("rr_goto", json!({"position": rows[index]["position"]}));
        other.call("rr_step", json!({"instruction": true, "count": 2}));
        check_last(&other, variable, &rows, index + 1, &format!("{variable}: behind {index}"));
    }
}

#[test]
fn the_last_write_is_told_from_the_next_in_the_same_tick() {
    let program = built("gcc", "-O2");
    check_last_writes(&record(&program, &[], scratch()).trace, "flag");
    check_last_writes(&record(&program, &["buffered"], scratch()).trace, "row");
}

/// Where only memory tells one moment from another, rr cannot go back, but lists and positions are right.
#[test]
fn moments_that_only_memory_tells_apart_are_told_apart() {
    let program = built("gcc", "-O1");
    let trace = record(&program, &["hop", "about"], scratch()).trace;
    let server = replaying(&trace);
    let expected: Vec<(u64, u64)> = (0..5).map(|value| (value, value + 1)).collect();
    let rows = server.call("rr_history", json!({"expression": "hop"}))["rows"].as_array().unwrap().clone();
    assert_eq!(changes(&rows, "old", "new"), expected, "{rows:#?}");
    server.call("rr_watchpoint_set", json!({"expression": "hop"}));
    let mut forward = Vec::new();
    while forward.len() < expected.len() {
        forward.extend(next_stop(&server, false));
    }
    assert_eq!(changes(&forward, "old_value", "new_value"), expected);
    let other = replaying(&trace);
    for (what, all) in [("history", &rows), ("forward", &forward)] {
        check_distinct(all.iter(), what);
        for (index, row) in all.iter().enumerate().rev() {
            let (old, new) = expected[index];
            let there = if what == "forward" { new } else { old };
            assert_eq!(value_at(&other, &row["position"], "hop"), there, "{what} {index}: {row}");
        }
    }
    // One that does not say which of them it is leads to the first, and says so.
    let row = position(&rows[2]);
    let (without, _) = row.rsplit_once('/').unwrap();
    let stop = other.call("rr_goto", json!({"position": without}));
    assert!(stop["notes"].to_string().contains("5 moments of the tick fit the position: this is the first"), "{stop}");
    assert_eq!(other.evaluate("hop"), "0");
}

/// rr looks at a hit near `rep movs` again, from where its run began: that was a moment of calls in a row, between two
/// breakpoints.
#[test]
fn a_run_from_between_calls_in_a_row_comes_to_a_copy_behind_them() {
    const TEXT: &str = r#"
int inner, outer;
__attribute__((noipa)) void add_inner(void) { inner++; }
__attribute__((noipa)) void add_outer(void) { outer++; add_inner(); }
__attribute__((noipa)) void around(void) { add_outer(); }
unsigned char to[24];
static unsigned char from[24];
int main(void) {
    around();
    around();
    around();
    around();
    add_outer();
    for (int turn = 1; turn <= 2; turn++) {
        for (int i = 0; i < 24; i++) from[i] = (unsigned char)turn;
        void *t = to, *f = from;
        unsigned long count = 3;
        __asm__ volatile("rep movsq" : "+D"(t), "+S"(f), "+c"(count) : : "memory");
    }
    return 0;
}
"#;
    let program = built_from("copy_behind_calls", TEXT, &["-g", "-O1", "-fno-optimize-sibling-calls"]);
    let trace = record(&program, &[], scratch()).trace;
    let server = replaying(&trace);
    let functions = ["around", "add_outer", "add_inner"];
    for function in functions {
        server.call("rr_breakpoint_set", json!({"location": function}));
    }
    let variables = ["inner", "outer", "to[0]", "to[17]"];
    for variable in variables {
        server.call("rr_watchpoint_set", json!({"expression": variable}));
    }
    let mut met = Vec::new();
    loop {
        let stop = server.call("rr_continue", json!({}));
        match stop["reason"].as_str().unwrap() {
            "breakpoint-hit" => met.push(stop["function"].as_str().unwrap().to_owned()),
            "watchpoint-trigger" => met.push(variables.map(|variable| server.evaluate(variable)).join(" ")),
            _ => break,
        }
    }
    let mut expected = Vec::new();
    for turn in 1..=5 {
        let written =
            [format!("{} {turn} 0 '\\000' 0 '\\000'", turn - 1), format!("{turn} {turn} 0 '\\000' 0 '\\000'")];
        expected.extend((turn < 5).then(|| "around".to_owned()));
        expected.extend(["add_outer".to_owned(), written[0].clone(), "add_inner".to_owned(), written[1].clone()]);
    }
    for (to, of) in [(1, 0), (1, 1), (2, 1), (2, 2)] {
        expected.push(format!("5 5 {to} '\\00{to}' {of} '\\00{of}'"));
    }
    assert_eq!(met, expected);

    // Straight from the end, rr does not get over the breakpoint in front of the copy, and does not answer.
    let server = replaying(&trace);
    for function in functions {
        server.call("rr_breakpoint_set", json!({"location": function}));
    }
    for variable in variables {
        server.call("rr_watchpoint_set", json!({"expression": variable}));
    }
    server.call("rr_run_to_event", json!({"event": 100_000}));
    let mut met = Vec::new();
    loop {
        let stop = server.call("rr_continue", json!({"reverse": true}));
        match stop["reason"].as_str().unwrap() {
            "breakpoint-hit" => met.push(stop["function"].as_str().unwrap().to_owned()),
            "watchpoint-trigger" => {
                met.push(format!("{} {}", stop["expression"].as_str().unwrap(), stop["old_value"].as_str().unwrap()));
            }
            _ => break,
        }
    }
    let mut expected = Vec::new();
    for turn in [1, 0] {
        expected.extend(["to[17]", "to[0]"].map(|of| format!("{of} {turn} '\\00{turn}'")));
    }
    for turn in (0..5).rev() {
        expected.extend([format!("inner {turn}"), format!("outer {turn}"), "add_outer".to_owned()]);
        expected.extend((turn < 4).then(|| "around".to_owned()));
    }
    assert_eq!(met, expected);
}
