//! step, next, finish, continue and their reverses.

use crate::support::fixtures::line;
use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};

/// Makes a move and checks where it ended.
#[track_caller]
fn moves(server: &Server, tool: &str, arguments: Value, file: &str, mark: &str) -> Value {
    let shown = arguments.to_string();
    let stop = server.call(tool, arguments);
    let at = stop["line"].as_u64();
    assert_eq!(at, Some(line(file, mark)), "{tool} {shown} should end at @{mark} of {file}: {stop}");
    stop
}

fn forward() -> Value {
    json!({})
}

fn reverse() -> Value {
    json!({"reverse": true})
}

#[test]
fn next_steps_over_calls_and_back() {
    let server = replaying("stepping");
    let stop = server.run_to("main");
    assert_eq!(stop["function"], "main");
    assert_eq!(stop["line"].as_u64(), Some(line("stepping.c", "first")));
    for mark in ["call", "nested", "for", "body", "for", "body"] {
        let stop = moves(&server, "rr_next", forward(), "stepping.c", mark);
        assert_eq!(stop["reason"], "end-stepping-range");
        assert_eq!(stop["function"], "main");
    }
    for mark in ["for", "body", "for", "nested", "call", "first"] {
        let stop = moves(&server, "rr_next", reverse(), "stepping.c", mark);
        assert_eq!(stop["reason"], "end-stepping-range");
        assert_eq!(stop["function"], "main");
    }
}

#[test]
fn step_enters_a_function_after_its_prologue_and_comes_back_to_its_last_line() {
    let server = replaying("stepping");
    server.run_to("main");
    moves(&server, "rr_step", forward(), "stepping.c", "call");
    let stop = moves(&server, "rr_step", forward(), "stepping.c", "twice-body");
    assert_eq!(stop["function"], "twice");
    assert_eq!(stop["frame"]["args"], json!([{"name": "n", "value": "21"}]));
    moves(&server, "rr_step", forward(), "stepping.c", "twice-return");
    moves(&server, "rr_step", json!({"count": 2}), "stepping.c", "nested");
    let stop = server.call("rr_step", reverse());
    assert_eq!(stop["function"], "twice", "{stop}");
}

#[test]
fn counts_are_honoured_both_ways() {
    let server = replaying("stepping");
    server.run_to("main");
    moves(&server, "rr_next", json!({"count": 4}), "stepping.c", "body");
    moves(&server, "rr_next", json!({"count": 3, "reverse": true}), "stepping.c", "call");
}

#[test]
fn finish_reports_the_returned_value() {
    let server = replaying("stepping");
    server.run_to("twice");
    let stop = server.call("rr_finish", forward());
    assert_eq!(stop["reason"], "function-finished");
    assert_eq!(stop["function"], "main");
    assert_eq!(stop["return_value"], "42");
    assert_eq!(stop["return_type"], "int");
    server.run_to("half");
    let stop = server.call("rr_finish", forward());
    assert_eq!(stop["return_value"], "2.5");
    assert_eq!(stop["return_type"], "double");
}

#[test]
fn finish_in_reverse_goes_to_the_call() {
    let server = replaying("stepping");
    server.run_to("add");
    let stop = moves(&server, "rr_finish", reverse(), "stepping.c", "nested");
    assert_eq!(stop["function"], "main");
    // Before the call of add, after both calls of twice.
    moves(&server, "rr_step", forward(), "stepping.c", "add-body");
}

#[test]
fn finish_of_a_selected_frame_leaves_that_frame() {
    let server = replaying("recursion");
    let number =
        server.call("rr_breakpoint_set", json!({"location": format!("recursion.c:{}", line("recursion.c", "bottom"))}));
    server.call("rr_continue", forward());
    server.call("rr_breakpoint_remove", json!({"breakpoint_number": number["number"]}));
    server.call("rr_select_frame", json!({"frame_level": 3}));
    let stop = server.call("rr_finish", forward());
    assert_eq!(stop["function"], "down");
    assert_eq!(stop["return_value"], "6");
    assert_eq!(server.evaluate("n"), "4");
}

#[test]
fn recursion_does_not_confuse_next() {
    let server = replaying("recursion");
    server.run_to("main");
    let stop = moves(&server, "rr_next", forward(), "recursion.c", "large");
    assert_eq!(stop["function"], "main");
    moves(&server, "rr_step", forward(), "recursion.c", "test");
    moves(&server, "rr_next", forward(), "recursion.c", "recurse");
    moves(&server, "rr_next", forward(), "recursion.c", "sum");
    assert_eq!(server.evaluate("n"), "200");
    assert_eq!(server.evaluate("below"), "19900");
    moves(&server, "rr_next", reverse(), "recursion.c", "recurse");
    assert_eq!(server.evaluate("n"), "200");
}

#[test]
fn instructions_step_both_ways_to_the_same_addresses() {
    let server = replaying("stepping");
    let start = server.run_to("twice");
    let mut pcs = vec![start["pc"].clone()];
    for _ in 0..6 {
        pcs.push(server.call("rr_step", json!({"instruction": true}))["pc"].clone());
    }
    for pc in pcs.iter().rev().skip(1) {
        let stop = server.call("rr_step", json!({"instruction": true, "reverse": true}));
        assert_eq!(stop["pc"], *pc, "{stop}");
    }
    let back = server.call("rr_step", json!({"instruction": true, "count": 6}));
    assert_eq!(back["pc"], pcs[6]);
}

#[test]
fn longjmp_ends_a_next_where_it_lands() {
    let server = replaying("longjmp");
    server.run_to("main");
    moves(&server, "rr_next", forward(), "longjmp.c", "test");
    moves(&server, "rr_next", forward(), "longjmp.c", "call");
    let stop = server.call("rr_next", forward());
    assert_eq!(stop["function"], "main", "{stop}");
    // The jump returns from setjmp a second time; the step ends at the next line from there.
    assert_eq!(stop["line"].as_u64(), Some(line("longjmp.c", "test")), "{stop}");
}

#[test]
fn both_ends_of_the_recording_have_names_and_can_be_left() {
    let server = replaying("stepping");
    let stop = server.call("rr_continue", forward());
    assert_eq!(stop["reason"], "end-of-recording");
    assert_eq!(stop["exit_code"], 0);
    let again = server.call("rr_continue", forward());
    assert_eq!(again["reason"], "end-of-recording");
    let stop = server.call("rr_continue", reverse());
    assert_eq!(stop["reason"], "start-of-recording");
    let again = server.call("rr_continue", reverse());
    assert_eq!(again["reason"], "start-of-recording");
    server.run_to("main");
    server.call("rr_continue", forward());
    let number = server.call("rr_breakpoint_set", json!({"location": "half"}))["number"].clone();
    let stop = server.call("rr_continue", reverse());
    assert_eq!(stop["reason"], "breakpoint-hit");
    assert_eq!(stop["breakpoint_number"], number);
    assert_eq!(stop["function"], "half");
}

#[test]
fn run_to_event_goes_both_ways() {
    let server = replaying("exit_code");
    let start = server.call("rr_when", forward());
    server.call("rr_continue", forward());
    let end = server.call("rr_when", forward());
    let middle = (start["event"].as_u64().unwrap() + end["event"].as_u64().unwrap()) / 2;
    let stop = server.call("rr_run_to_event", json!({"event_number": middle}));
    assert_eq!(stop["reason"], "event-reached");
    assert_eq!(stop["event"].as_u64(), Some(middle));
    let stop = server.call("rr_run_to_event", json!({"event_number": 1_000_000}));
    assert_eq!(stop["reason"], "end-of-recording");
    let stop = server.call("rr_run_to_event", json!({"event_number": middle}));
    assert_eq!(stop["event"].as_u64(), Some(middle));
    // A breakpoint set before the jump still holds after it.
    server.call("rr_breakpoint_set", json!({"location": "main"}));
    server.call("rr_run_to_event", json!({"event_number": start["event"]}));
    let stop = server.call("rr_continue", forward());
    assert_eq!(stop["function"], "main");
}

#[test]
fn reverse_next_over_millions_of_turns_on_one_line_takes_few_requests() {
    const FILE: &str = "one_line_loops.c";
    let server = replaying("one_line_loops");
    let packets = || server.call("rr_session_list", json!({}))["result"][0]["traffic"]["packets"].as_u64().unwrap();
    let at = |mark| format!("{FILE}:{}", line(FILE, mark));
    let place = |stop: &Value| ["line", "event", "ticks", "pc"].map(|key| stop[key].clone());
    // The second loop is entered by a jump into the middle of its line.
    for (before, behind) in [("loop", "after"), ("switch", "return")] {
        let start = server.run_to(&at(before));
        server.run_to(&at(behind));
        let sent = packets();
        let stop = server.call("rr_next", reverse());
        assert_eq!((&stop["reason"], place(&stop)), (&json!("end-stepping-range"), place(&start)), "{stop}");
        let sent = packets() - sent;
        assert!(sent < 2000, "{sent}");
    }
}

/// The line's code begins behind the function that is inlined in it, in the middle of a statement.
#[test]
fn reverse_next_over_a_loop_that_begins_with_an_inlined_call_ends_in_its_last_turn() {
    const FILE: &str = "longest_line.c";
    let at = |mark| format!("{FILE}:{}", line(FILE, mark));
    let server = replaying("longest_line");
    let packets = || server.call("rr_session_list", json!({}))["result"][0]["traffic"]["packets"].as_u64().unwrap();
    let behind = server.run_to(&at("after"));
    let sent = packets();
    let stop = server.call("rr_next", reverse());
    assert_eq!((&stop["reason"], &stop["function"]), (&json!("end-stepping-range"), &json!("main")), "{stop}");
    assert_eq!(stop["line"].as_u64(), Some(line(FILE, "loop")), "{stop}");
    // Each turn has a conditional branch, and the last one is not taken.
    let ticks = |stop: &Value| stop["ticks"].as_u64().unwrap();
    assert!((ticks(&behind) - 2..ticks(&behind)).contains(&ticks(&stop)), "{stop} {behind}");
    let sent = packets() - sent;
    assert!(sent < 2000, "{sent}");
    let forward = server.call("rr_next", json!({}));
    assert_eq!((&forward["line"], &forward["pc"]), (&behind["line"], &behind["pc"]), "{forward}");
}

#[test]
fn next_over_millions_of_turns_on_one_line_takes_few_requests() {
    const FILE: &str = "one_line_loops.c";
    let at = |mark| format!("{FILE}:{}", line(FILE, mark));
    let place = |stop: &Value| ["line", "event", "ticks", "pc"].map(|key| stop[key].clone());
    // Where a breakpoint behind the loop stops, in another session.
    let behind = replaying("one_line_loops").run_to(&at("after"));
    let server = replaying("one_line_loops");
    let packets = || server.call("rr_session_list", json!({}))["result"][0]["traffic"]["packets"].as_u64().unwrap();
    server.run_to(&at("loop"));
    let sent = packets();
    let stop = server.call("rr_next", forward());
    assert_eq!((&stop["reason"], place(&stop)), (&json!("end-stepping-range"), place(&behind)), "{stop}");
    let sent = packets() - sent;
    assert!(sent < 2000, "{sent}");
}
