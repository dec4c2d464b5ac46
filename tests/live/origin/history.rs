//! Who wrote to memory, against what the program's source says of it.

use crate::support::fixtures::{line, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{record, recording};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "written_by.c";

/// At the program's abort, in `main`, so that its locals can be named.
fn at_the_end(fixture: &str) -> Server {
    let server = replaying(fixture);
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGABRT", "{stop}");
    let frames = server.call("rr_backtrace", json!({}));
    let frames = frames["result"].as_array().unwrap();
    let main = frames.iter().position(|frame| frame["function"] == "main").unwrap();
    server.call("rr_select_frame", json!({"frame_level": main}));
    server
}

fn history(server: &Server, expression: &str) -> Vec<Value> {
    server.call("rr_history", json!({"expression": expression, "limit": 100}))["rows"].as_array().unwrap().clone()
}

/// What was written, its old and its new value, and the line.
fn told(row: &Value) -> (String, String, String, u64) {
    let text = |key: &str| row[key].as_str().unwrap().to_owned();
    (text("part"), text("old"), text("new"), row["line"].as_u64().unwrap_or(0))
}

fn expected(part: &str, old: &str, new: &str, mark: &str) -> (String, String, String, u64) {
    (part.to_owned(), old.to_owned(), new.to_owned(), line(SOURCE, mark))
}

/// Code has changed something: before it begins, the kernel clears what is behind the file's data.
fn is_change(row: &Value) -> bool {
    row["old"] != row["new"] && row["function"].is_string()
}

#[test]
fn each_write_to_a_variable_is_told_with_its_line_and_thread() {
    let server = at_the_end("written_by");
    let rows = history(&server, "total");
    let changes: Vec<&Value> = rows.iter().filter(|row| is_change(row)).collect();
    let values: Vec<_> = changes.iter().map(|row| told(row)).collect();
    let by_adding = |old: &str, new: &str| expected("total", old, new, "adds");
    let wanted = [
        by_adding("0", "1"),
        by_adding("1", "3"),
        by_adding("3", "6"),
        expected("total", "6", "500", "thread"),
        by_adding("500", "1500"),
    ];
    assert_eq!(values, wanted);
    let functions: Vec<_> = changes.iter().map(|row| row["function"].as_str().unwrap()).collect();
    assert_eq!(functions, ["add", "add", "add", "work", "add"]);
    assert_ne!(changes[3]["tid"], changes[2]["tid"]);
    // Each is gone to: there it is not yet done, and it is what happens next.
    for row in changes.iter().rev() {
        let stop = server.call("rr_goto", json!({"position": row["position"]}));
        assert_eq!((&stop["function"], &stop["line"]), (&row["function"], &row["line"]), "{row}");
        assert_eq!(server.evaluate("total"), row["old"], "{row}");
        server.call("rr_step", json!({"instruction": true}));
        assert_eq!(server.evaluate("total"), row["new"], "{row}");
    }
}

#[test]
fn parts_of_an_object_are_named_and_shown_by_their_types() {
    let server = at_the_end("written_by");
    let rows: Vec<_> = history(&server, "shape->corners[2]").iter().map(told).collect();
    // How many stores copy a struct is the compiler's choice.
    assert!(rows.iter().any(|row| row.3 == line(SOURCE, "copies")), "{rows:?}");
    let last: Vec<_> = rows.iter().rev().take(2).rev().cloned().collect();
    let wanted =
        [expected("shape->corners[2].x", "7", "17", "moves_x"), expected("shape->corners[2].y", "8", "10", "sets_y")];
    assert_eq!(last, wanted);
    let whole: Vec<_> = history(&server, "*shape").iter().map(|row| told(row).0).collect();
    assert!(whole.contains(&"shape->corners[2].x".to_owned()), "{whole:?}");
}

#[test]
fn the_last_write_before_the_current_moment_is_told() {
    let server = at_the_end("written_by");
    let last = |expression: &str| server.call("rr_last_write", json!({"expression": expression}));
    let answer = last("shape->corners[2].y");
    assert_eq!(told(&answer["write"]), expected("shape->corners[2].y", "8", "10", "sets_y"));
    // Of a write that changes nothing, that which did is told as well: `memset`, in the library.
    let answer = last("shape->area");
    let same = "1229782938247303441";
    assert_eq!(told(&answer["write"]), expected("shape->area", same, same, "nothing"));
    let change = &answer["last_change"];
    assert_eq!((change["old"].as_str(), change["new"].as_str()), (Some("0"), Some(same)));
    assert!(change["function"].as_str().unwrap().contains("memset"), "{change}");
    // What a system call writes is told, too.
    let by = last("shape->name")["write"]["by"].as_str().unwrap().to_owned();
    assert!(by == "the system call readv" || by.starts_with("rr's library"), "{by}");
    // From an earlier moment, what comes later does not count.
    let write = last("total")["write"].clone();
    server.call("rr_goto", json!({"position": write["position"]}));
    let earlier = last("total");
    assert_eq!(told(&earlier["write"]), expected("total", "6", "500", "thread"));
    let earlier = earlier["earlier"].as_u64().unwrap();
    server.call("rr_step", json!({"instruction": true}));
    let later = last("total");
    assert_eq!((later["earlier"].as_u64().unwrap(), &later["write"]["position"]), (earlier + 1, &write["position"]));
}

#[test]
fn a_few_bytes_that_are_set_to_what_they_are_have_been_written() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/origin/same_bytes.c");
    let program = scratch().join("same_bytes");
    let done = Command::new("gcc").arg("-g").arg(&source).arg("-o").arg(&program).output();
    let done = done.unwrap_or_else(|error| panic!("gcc: {error}"));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(&source).unwrap();
    let line = |mark: &str| 1 + text.lines().position(|line| line.contains(&format!("/* {mark} */"))).unwrap();
    let server = Server::start();
    server.replay(&record(&program, &[], scratch()).trace);
    let written = |expression: &str| {
        let answer = server.call("rr_last_write", json!({"expression": expression}));
        let write = &answer["write"];
        assert!(write["function"].as_str().is_some_and(|name| name.contains("memset")), "{expression}: {answer}");
        (write["old"].clone(), write["new"].clone(), write["position"].clone())
    };
    let called_from = |position: &Value| {
        server.call("rr_goto", json!({"position": position}));
        let frames = server.call("rr_backtrace", json!({}));
        let frames = frames["result"].as_array().unwrap();
        frames.iter().find(|frame| frame["function"] == "main").unwrap()["line"].as_u64().unwrap() as usize
    };
    const SEVENS: &str = "506381209866536711";
    for (stop, expression, value, by) in [
        ("counts", "other->count", "0", "clears what is clear"),
        ("counts", "one->count", SEVENS, "fills again"),
        ("prints", "one->count", "0", "empties again"),
        // What is beside the bytes that a mask names is not written.
        ("prints", "other->count", "0", "clears what is clear"),
    ] {
        server.run_to(&format!("same_bytes.c:{}", line(stop)));
        let (old, new, position) = written(expression);
        assert_eq!((&old, &new), (&json!(value), &json!(value)), "{expression} at {stop}");
        assert_eq!(called_from(&position), line(by), "{expression} at {stop}");
    }
}

/// Each change that a watchpoint stops at is in the history, and nothing else that changed something.
#[test]
fn the_history_is_what_a_watchpoint_stops_at() {
    for fixture in ["written_by", "written_by-O2"] {
        let server = replaying(fixture);
        server.run_to("main");
        let rows = history(&server, "total");
        let changes = rows.iter().filter(|row| is_change(row));
        let told: Vec<_> = changes.map(|row| (row["old"].clone(), row["new"].clone(), row["line"].clone())).collect();
        server.call("rr_watchpoint_set", json!({"expression": "total"}));
        let mut stopped = Vec::new();
        loop {
            let stop = server.call("rr_continue", json!({}));
            if stop["reason"] != "watchpoint-trigger" {
                break;
            }
            let writer = &stop["written_by"];
            stopped.push((stop["old_value"].clone(), stop["new_value"].clone(), writer["line"].clone()));
        }
        assert_eq!(told, stopped, "{fixture}");
    }
}

#[test]
fn a_process_has_what_it_was_made_with_and_nothing_of_the_program_before() {
    let recording = recording("inherited");
    let server = Server::start();
    let processes = server.call("rr_ps", json!({"trace_dir": recording.trace}))["result"].take();
    let row = |name: &str, old: &str, new: &str, mark: &str| {
        let mark = line("inherited.c", mark);
        (name.to_owned(), old.to_owned(), new.to_owned(), mark)
    };
    let (first, both) = (row("first", "0", "10", "first"), row("both", "0", "20", "both"));
    let of_parent =
        [first.clone(), row("first", "10", "11", "behind"), both.clone(), row("both", "20", "22", "parent")];
    let of_child = [first, row("second", "0", "30", "second"), both, row("both", "20", "21", "child")];
    for (process, function, wanted) in [(0, "in_parent", of_parent), (1, "in_child", of_child)] {
        let pid = &processes[process]["pid"];
        server.call("rr_replay_start", json!({"trace_dir": recording.trace, "pid": pid}));
        server.call("rr_breakpoint_set", json!({"location": function}));
        while server.call("rr_continue", json!({}))["reason"] == "exec" {}
        let rows = ["first", "second", "both"].map(|name| history(&server, name));
        let changes: Vec<_> = rows.iter().flatten().filter(|row| is_change(row)).map(told).collect();
        assert_eq!(changes, wanted, "{function}");
        let last = ["first", "second", "both"].map(|name| server.call("rr_last_write", json!({"expression": name})));
        for (last, rows) in last.iter().zip(&rows) {
            assert_eq!(last["write"], rows.last().cloned().unwrap_or(Value::Null), "{function}: {last}");
        }
    }
}

/// It is the same memory, by two mappings.
#[test]
fn a_write_by_another_mapping_is_one() {
    let server = at_the_end("written_by");
    let last = |expression: &str| server.call("rr_last_write", json!({"expression": expression}));
    let two = last("*two");
    assert_eq!(told(&two["write"]), expected("*two", "97 'a'", "98 'b'", "two"));
    assert_eq!(two["notes"], json!([]));
    let one = last("*one");
    assert_eq!(told(&one["write"]), expected("*one", "97 'a'", "98 'b'", "two"));
    assert_eq!(one["notes"], json!([]));
    let history = server.call("rr_history", json!({"expression": "*one"}));
    let lines: Vec<&Value> = history["rows"].as_array().unwrap().iter().map(|row| &row["line"]).collect();
    assert_eq!(lines, [&json!(line(SOURCE, "one")), &json!(line(SOURCE, "two"))], "{history}");
}

#[test]
fn what_has_no_memory_has_no_history() {
    let server = at_the_end("written_by");
    let refused = server.fail("rr_last_write", json!({"expression": "total + 1"}));
    assert!(refused.contains("computed value"), "{refused}");
    let refused = server.fail("rr_history", json!({"expression": "$rsp"}));
    assert!(refused.contains("register"), "{refused}");
    let constant = server.call("rr_last_write", json!({"expression": "start"}));
    assert_eq!(constant["write"], Value::Null);
    assert!(constant["notes"][0].as_str().unwrap().contains("nothing wrote to it"), "{constant}");
}

/// What a null pointer leads to is nowhere: that nothing wrote there is no answer.
#[test]
fn what_a_null_pointer_leads_to_is_refused() {
    let server = replaying("crash");
    server.call("rr_continue", json!({}));
    for tool in ["rr_history", "rr_last_write", "rr_races"] {
        let refused = server.fail(tool, json!({"expression": "n->value"}));
        assert!(
            refused.contains("it is at 0x10 at this moment: a pointer on the way to it is null"),
            "{tool}: {refused}"
        );
    }
}
