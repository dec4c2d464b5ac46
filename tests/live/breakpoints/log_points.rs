//! Log points, and breakpoints found by a regular expression or by the text of a line.

use crate::support::fixtures::line;
use crate::support::mcp::replaying;
use serde_json::{Value, json};

fn texts(logged: &Value) -> Vec<&str> {
    logged["result"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap()).collect()
}

#[test]
fn a_log_point_writes_down_and_does_not_stop() {
    let server = replaying("stepping");
    let body = line("stepping.c", "body");
    let set = json!({"location": format!("stepping.c:{body}"), "log": "i is {i}, {{x}} is {/x x}"});
    let set = server.call("rr_breakpoint_set", set);
    assert_eq!((&set["number"], &set["log"]), (&json!(1), &json!("i is {i}, {{x}} is {/x x}")));
    server.call("rr_breakpoint_set", json!({"location": "half"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["breakpoint_number"], 2);
    let forward = ["i is 0, {x} is 0x2a", "i is 1, {x} is 0x2a", "i is 2, {x} is 0x2a"];
    assert_eq!(texts(&stop["log"]), forward);
    let first = &stop["log"]["result"][0];
    assert_eq!(
        (&first["index"], &first["breakpoint_number"], &first["function"]),
        (&json!(1), &json!(1), &json!("main"))
    );
    assert_eq!(first["line"].as_u64(), Some(body));
    assert!(first["event"].as_u64() <= stop["event"].as_u64() && first["ticks"].as_u64() < stop["ticks"].as_u64());
    // Backward they come in the order in which they are met.
    let back = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((&back["reason"], &back["log"]["count"]), (&json!("start-of-recording"), &json!(6)));
    assert_eq!(texts(&back["log"]), [forward[2], forward[1], forward[0]]);
    assert_eq!(server.call("rr_breakpoint_list", json!({}))["result"][0]["hits"], 6);
    // A run without any has no log.
    server.call("rr_breakpoint_update", json!({"breakpoint_number": 1, "enabled": false}));
    assert_eq!(server.call("rr_continue", json!({})).get("log"), None);
}

#[test]
fn lines_are_read_by_pages_and_by_log_point() {
    let server = replaying("stepping");
    server.call("rr_breakpoint_set", json!({"location": "twice", "log": "twice({n})"}));
    server.call("rr_breakpoint_set", json!({"location": "add", "log": "add {a} {b}"}));
    assert_eq!(texts(&server.call("rr_log", json!({}))), Vec::<&str>::new());
    server.call("rr_continue", json!({}));
    let page = server.call("rr_log", json!({"count": 2}));
    assert_eq!(
        (texts(&page).len(), &page["count"], &page["truncated"]),
        (2, &json!(4), &json!("for the next lines: from=3"))
    );
    assert_eq!(texts(&server.call("rr_log", json!({"from": 4}))), ["add 2 4"]);
    let of_one = server.call("rr_log", json!({"breakpoint_number": 1}));
    // Which of the two arguments is computed first is the compiler's choice.
    assert_eq!(texts(&of_one)[0], "twice(21)");
    let text = server.text("rr_log", json!({"from": 4}));
    let last = &server.call("rr_log", json!({"from": 4}))["result"][0];
    let place =
        format!("event {}/{} thread 1 add stepping.c:{}", last["event"], last["ticks"], line("stepping.c", "add-body"));
    assert_eq!(text, format!("4 [2 {place}] add 2 4"));
}

#[test]
fn a_text_may_say_where_it_is_written() {
    let server = replaying("stepping");
    server.text("rr_command", json!({"command": "set $mine = 7"}));
    let log = "{$function} by {$caller}, {$file}:{$line}, {$event}/{$ticks}, thread {$thread}, {$mine}, {$pc == $rip}";
    server.call("rr_breakpoint_set", json!({"location": "add", "log": log}));
    let stop = server.call("rr_continue", json!({}));
    let written = &stop["log"]["result"][0];
    let (event, ticks, body) = (&written["event"], &written["ticks"], line("stepping.c", "add-body"));
    let expected = format!("add by main, stepping.c:{body}, {event}/{ticks}, thread 1, 7, 1");
    assert_eq!(written["text"], expected);
    // The prompt prints the line with its place, too.
    server.call("rr_run_to_event", json!({"event_number": 1}));
    let said = server.text("rr_command", json!({"command": "continue"}));
    let printed = format!("[event {event}/{ticks} thread 1 add stepping.c:{body}] {expected}\n");
    assert!(said.contains(&printed), "{said}");
    let all = "there are $thread, $function, $caller, $file, $line, $event, $ticks, and registers such as $rip and $sp";
    let reason = format!("log text `x {{$nosuch}}`: there is no `$nosuch`: {all}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "add", "log": "x {$nosuch}"}));
    assert!(said.contains(&reason), "{said}");
    let said = server.fail("rr_watchpoint_set", json!({"expression": "*(int *)$sp", "log": "x {$nosuch}"}));
    assert!(said.contains(&reason), "{said}");
    let said = server.fail("rr_breakpoint_update", json!({"breakpoint_number": 1, "log": "x {$nosuch}"}));
    assert!(said.contains(&reason), "{said}");
}

#[test]
fn threads_are_told_apart() {
    let server = replaying("threads");
    let location = format!("threads.c:{}", line("threads.c", "add"));
    server.call("rr_breakpoint_set", json!({"location": location, "log": "{by} {$thread} {$caller}"}));
    server.call("rr_continue", json!({}));
    let logged = server.call("rr_log", json!({}));
    let lines = logged["result"].as_array().unwrap();
    assert_eq!(lines.len(), 6, "{logged}");
    let text = server.text("rr_log", json!({}));
    let mut numbers = std::collections::BTreeMap::new();
    for (shown, line) in text.lines().zip(lines) {
        let words: Vec<&str> = line["text"].as_str().unwrap().split(' ').collect();
        assert_eq!(words[2], "start_thread", "{line}");
        // Each thread adds a number of its own.
        let thread = (words[1].to_owned(), line["thread"].clone());
        assert_eq!(*numbers.entry(words[0].to_owned()).or_insert_with(|| thread.clone()), thread, "{logged}");
        assert!(shown.contains(&format!(" thread {} adder threads.c:", words[1])), "{shown}");
    }
    assert_eq!(numbers.keys().collect::<Vec<_>>(), ["1", "100"]);
    assert_ne!(numbers["1"].0, numbers["100"].0);
}

#[test]
fn conditions_counts_and_mistakes_of_log_points() {
    let server = replaying("stepping");
    let body = format!("stepping.c:{}", line("stepping.c", "body"));
    for (log, reason) in [("{nosuch}", "nosuch"), ("{i", "a `{` without its `}`"), ("{i +}", "{i +}")] {
        let said = server.fail("rr_breakpoint_set", json!({"location": body, "log": log}));
        assert!(said.starts_with("log text `") && said.contains(reason), "{said}");
    }
    server.call("rr_breakpoint_set", json!({"location": body, "log": "{i}", "condition": "i != 1"}));
    server.call("rr_breakpoint_set", json!({"location": body, "log": "late {i}", "ignore_count": 2}));
    server.call("rr_breakpoint_set", json!({"location": body, "log": "once", "temporary": true}));
    server.call("rr_breakpoint_set", json!({"location": "half", "log": "{*(int *)0}"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "end-of-recording");
    let expected = ["0", "once", "2", "late 2", "<Cannot access memory at address 0x0>"];
    assert_eq!(texts(&stop["log"]), expected);
    assert_eq!(server.call("rr_breakpoint_list", json!({}))["result"].as_array().unwrap().len(), 3);
    // As a breakpoint it stops.
    server.call("rr_breakpoint_update", json!({"breakpoint_number": 4, "log": ""}));
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((&stop["function"], stop.get("log")), (&json!("half"), None));
}

#[test]
fn every_change_of_a_value_is_written_down() {
    let server = replaying("watch");
    server.run_to("main");
    let set = json!({"expression": "counter", "log": "other is {other} in line {$line}"});
    assert_eq!(server.call("rr_watchpoint_set", set)["type"], "hw watchpoint");
    let changes = |stop: &Value| -> Vec<(String, String)> {
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let lines = stop["log"]["result"].as_array().unwrap();
        lines.iter().map(|l| (word(&l["old_value"]), word(&l["new_value"]))).collect()
    };
    let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
    // The line that writes, not the one that comes then.
    let written = |stop: &Value| -> Vec<Option<u64>> {
        stop["log"]["result"].as_array().unwrap().iter().map(|l| l["line"].as_u64()).collect()
    };
    let [bump, three] = ["bump", "three"].map(|mark| line("watch.c", mark));
    let mut expected = vec![pair("1", "5"), pair("5", "15"), pair("15", "150")];
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["reason"], changes(&stop)), (&json!("end-of-recording"), expected.clone()));
    let said = |other: u64, line: u64| format!("other is {other} in line {line}");
    assert_eq!(texts(&stop["log"]), [said(0, bump), said(5, bump), said(5, three)]);
    assert_eq!(written(&stop), [bump, bump, three].map(Some));
    expected.reverse();
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(changes(&stop), expected);
    assert_eq!(written(&stop), [three, bump, bump].map(Some));
}

#[test]
fn steps_pass_log_points_by() {
    let server = replaying("stepping");
    server.run_to("main");
    server.call("rr_breakpoint_set", json!({"location": "twice", "log": "twice({n})"}));
    let stop = server.call("rr_next", json!({"count": 2}));
    assert_eq!(
        (&stop["reason"], stop["line"].as_u64()),
        (&json!("end-stepping-range"), Some(line("stepping.c", "nested")))
    );
    assert_eq!(texts(&stop["log"]), ["twice(21)"]);
}

#[test]
fn functions_by_a_regular_expression() {
    let server = replaying("stepping");
    let set = server.call("rr_breakpoint_set", json!({"location": "^(twice|ad+)$", "regex": true}));
    let places = set["places"].as_array().unwrap();
    let functions: Vec<_> = places.iter().map(|p| p["function"].as_str().unwrap()).collect();
    assert_eq!((functions, &set["note"]), (vec!["twice", "add"], &json!("2 functions match")));
    let mut met = Vec::new();
    loop {
        let stop = server.call("rr_continue", json!({}));
        match stop["function"].as_str() {
            Some(function) if stop["reason"] == "breakpoint-hit" => met.push(function.to_owned()),
            _ => break,
        }
    }
    assert_eq!(met, ["twice", "twice", "twice", "add"]);
    // The C library of a static program has no lines, and is not meant unless nothing else matches.
    let set = server.call("rr_breakpoint_set", json!({"location": "^ma", "regex": true}));
    assert_eq!(set["function"], "main");
    let note = set["note"].as_str().unwrap();
    assert!(
        note.starts_with("1 function matches; ") && note.ends_with("without line information are left out"),
        "{note}"
    );
    let said = server.fail("rr_breakpoint_set", json!({"location": "_", "regex": true}));
    assert!(said.contains(" functions match, at most 200 can stop: make it narrower. The first are "), "{said}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "no_such_.*", "regex": true}));
    assert!(said.contains("no function's name matches `no_such_.*` in stepping"), "{said}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "a(", "regex": true}));
    assert!(said.contains("it is not a regular expression"), "{said}");
    let said = server.text("rr_command", json!({"command": "delete\nrbreak ^(twice|half)$\ninfo breakpoints"}));
    assert!(said.contains("\nBreakpoint 4 at ") && said.contains(" in half at "), "{said}");
}

/// Each function once, whatever its name: two overloads, and a lambda that has no name to set a breakpoint by.
#[test]
fn the_prompts_rbreak_reaches_functions_that_cannot_be_named() {
    let server = replaying("qualified_names");
    let said = server.text("rr_command", json!({"command": "rbreak outer::convert|operator\\(\\)|hidden"}));
    assert_eq!(said.lines().filter(|line| line.starts_with("Breakpoint ")).count(), 5, "{said}");
    let said = server.text("rr_command", json!({"command": "info breakpoints"}));
    let source = include_str!("../../../dwarf-fixtures/src/qualified_names.cpp");
    let written = ["int hidden(", "int operator()(", "int convert(int ", "int convert(double ", "auto local = "];
    let named = ["hidden(int)", "Shape::operator()(int) const", "convert(int)", "convert(double)", "main::operator()"];
    for (text, function) in written.into_iter().zip(named) {
        let at = 1 + source.lines().position(|line| line.contains(text)).unwrap();
        let row = |line: &&str| line.contains(function) && line.ends_with(&format!("qualified_names.cpp:{at}"));
        assert_eq!(said.lines().filter(row).count(), 1, "{function} at {at}: {said}");
    }
}

#[test]
fn a_line_by_its_text() {
    let server = replaying("stepping");
    let set = server.call("rr_breakpoint_set", json!({"location": "stepping.c:  total += i  * x;"}));
    assert_eq!(set["line"].as_u64(), Some(line("stepping.c", "body")));
    let note = set["note"].as_str().unwrap();
    assert!(note.starts_with(&format!("line {}: `total += i * x;", line("stepping.c", "body"))), "{note}");
    assert_eq!(server.call("rr_continue", json!({}))["breakpoint_number"], set["number"]);
    let said = server.fail("rr_breakpoint_set", json!({"location": "stepping.c: total +="}));
    let (first, second) = (line("stepping.c", "body"), line("stepping.c", "after"));
    let expected = format!(
        "2 lines have this text, say more of it or FILE:LINE:\n  {first}: total += i * x; /* @body */\n  {second}: "
    );
    assert!(said.contains(&expected), "{said}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "stepping.c: total -= 1"}));
    assert!(said.contains("no function `total -= 1` in a file `stepping.c`, and no line with this text"), "{said}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "nosuch.c: total"}));
    assert!(said.contains("no source file `nosuch.c`"), "{said}");
    // A console's line has quotes around it.
    let said =
        server.text("rr_command", json!({"command": "delete 1\ntbreak \"stepping.c: return x / 2.0\"\ncontinue"}));
    assert!(said.contains("Temporary breakpoint 2, half (x=5) at "), "{said}");
}

#[test]
fn a_place_at_which_the_text_means_nothing_is_left_out() {
    let server = replaying("panics-rust");
    // The line is in main and in its closure, which has the variable.
    let location = format!("panics.rs:{}", line("panics.rs", "find"));
    let set =
        server.call("rr_breakpoint_set", json!({"location": location, "log": "n is {*n}", "condition": "*n > 1"}));
    let note = set["note"].as_str().unwrap();
    assert!(note.contains(" of ") && note.contains(" locations are left out, such as 0x"), "{set}");
    assert!(note.ends_with("no symbol \"n\" in current context"), "{set}");
    server.call("rr_continue", json!({}));
    assert_eq!(texts(&server.call("rr_log", json!({}))), ["n is 2", "n is 3"]);
    let said = server.fail("rr_breakpoint_set", json!({"location": location, "log": "{nowhere}"}));
    assert!(said.contains("no symbol \"nowhere\""), "{said}");
}
