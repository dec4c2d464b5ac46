//! Calls of functions that no debug info describes, and results of functions that go on in others.

use crate::support::fixtures::{line, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{recording, recording_of};
use serde_json::{Value, json};

const FIXTURES: [&str; 2] = ["untyped", "untyped-O2"];

fn calls(fixture: &str, function: &str, values: Value) -> Value {
    let server = Server::start();
    let trace = recording(fixture).trace;
    server.call("rr_calls", json!({"function": function, "values": values, "trace_dir": trace, "limit": 100}))
}

fn rows(answer: &Value) -> &Vec<Value> {
    answer["rows"].as_array().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn value<'a>(row: &'a Value, name: &str) -> &'a str {
    let found = row["arguments"].as_array().unwrap().iter().find(|value| value["name"] == name);
    text(&found.unwrap_or_else(|| panic!("no {name} in {row}"))["value"])
}

fn results(answer: &Value) -> Vec<&str> {
    rows(answer).iter().map(|row| row["result"].as_str().unwrap_or_else(|| panic!("no result: {row}"))).collect()
}

#[test]
fn assembler_functions_are_told_with_the_registers() {
    for fixture in FIXTURES {
        for (function, rsi, expected) in [("adds", Some("0xa"), ["10", "11", "12"]), ("typed", None, ["5", "6", "7"])] {
            let answer = calls(fixture, function, json!(["$return", "$edi"]));
            // The other function calls this one, too.
            let rows: Vec<&Value> = rows(&answer).iter().filter(|row| row["caller"]["function"] == "main").collect();
            let found: Vec<&str> = rows.iter().map(|row| value(row, "$return")).collect();
            assert_eq!(found, expected, "{fixture} {function}: {answer}");
            let first: Vec<&str> = rows.iter().map(|row| value(row, "$rdi")).collect();
            assert_eq!(first, ["0x0", "0x1", "0x2"], "{answer}");
            assert_eq!(value(rows[2], "$edi"), "2");
            assert!(rsi.is_none_or(|rsi| value(rows[0], "$rsi") == rsi), "{answer}");
            let why = text(&rows[0]["result_unknown"]);
            assert_eq!(why, format!("without debug info of its result; rax was {}", expected[0]), "{answer}");
            assert!(answer["notes"].to_string().contains("no debug info says what"), "{answer}");
        }
    }
}

#[test]
fn what_a_tail_call_returns_is_the_result() {
    for fixture in FIXTURES {
        for function in ["through_register", "through_stub"] {
            let answer = calls(fixture, function, json!(["$return"]));
            let found: Vec<&str> = rows(&answer).iter().map(|row| value(row, "$return")).collect();
            let expected = if function == "through_stub" { ["6", "3", "6"] } else { ["0", "2", "4"] };
            assert_eq!(found, expected, "{fixture} {function}: {answer}");
            assert_eq!((&answer["returned"], &answer["unfinished"]), (&json!(3), &json!(0)), "{answer}");
        }
        // Through a pointer: at -O2 by a jump.
        let answer = calls(fixture, "calls_chosen", json!([]));
        assert_eq!(results(&answer), ["2", "4", "6"], "{fixture}: {answer}");
        // Where it has returned can be gone to.
        let server = replaying(fixture);
        let stop = server.call("rr_goto", json!({"position": rows(&answer)[2]["returned_at"]}));
        assert_eq!(server.evaluate("$rax"), "6", "{fixture}: {stop}");
    }
}

#[test]
fn a_return_is_told_among_the_values_and_what_has_not_returned_has_none() {
    let answer = calls("untyped", "calls_chosen", json!(["$return + 1", "value * 2"]));
    let told: Vec<_> = rows(&answer).iter().map(|row| (value(row, "$return + 1"), value(row, "value * 2"))).collect();
    assert_eq!(told, [("3", "0"), ("5", "2"), ("7", "4")], "{answer}");
    let log = scratch().join("untyped.every_call-cxx.log");
    let trace = recording_of("every_call-cxx", &[log.to_str().unwrap()]).trace;
    let ask = json!({"function": "Account::take", "values": ["$return"], "trace_dir": trace, "limit": 100});
    let answer = Server::start().call("rr_calls", ask);
    for row in rows(&answer) {
        match row["result"].as_str() {
            Some(result) => assert_eq!(value(row, "$return"), result, "{row}"),
            None => assert_eq!(value(row, "$return"), "<unavailable: the call did not return>", "{row}"),
        }
    }
    assert!(rows(&answer).iter().any(|row| row["result"].is_null()), "{answer}");
}

#[test]
fn registers_and_fixed_addresses_are_told_at_each_execution() {
    for fixture in FIXTURES {
        let server = replaying(fixture);
        server.run_to("main");
        let address = server.evaluate("&plain");
        let address = address.split("0x").nth(1).unwrap().split(' ').next().unwrap();
        let place = format!("*(int *)0x{address}");
        let ask = json!({"locations": ["ticks"], "values": ["$edi", "$dil", "plain", place]});
        let answer = server.call("rr_trace", ask);
        let told: Vec<Vec<&str>> = answer["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["values"].as_array().unwrap().iter().map(|value| text(&value["value"])).collect())
            .collect();
        let expected = [["0", "0", "41", "41"], ["1", "1", "41", "41"], ["2", "2", "42", "42"]];
        assert_eq!(told, expected, "{fixture}: {answer}");
    }
    let server = Server::start();
    let ask =
        json!({"locations": ["ticks"], "values": ["*(int *)0x7fff00000000"], "trace_dir": recording("untyped").trace});
    let refused = server.fail("rr_trace", ask);
    assert!(refused.contains("2^29"), "{refused}");
}

#[test]
fn one_code_for_several_names_is_said_to_be_so() {
    let answer = calls("untyped", "memmove", json!([]));
    let notes = answer["notes"].to_string();
    assert!(notes.contains("the same code as"), "{answer}");
}

fn at_the_end(fixture: &str) -> Server {
    let server = replaying(fixture);
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGABRT");
    server
}

#[test]
fn values_are_followed_through_functions_without_frame_information() {
    for fixture in FIXTURES {
        let server = at_the_end(fixture);
        let answer = server.call("rr_origin", json!({"expression": "stored"}));
        let found = answer["rows"].as_array().unwrap();
        let lines: Vec<_> = found.iter().map(|row| (text(&row["kind"]), row["function"].clone())).collect();
        assert_eq!(answer["found"], true, "{answer}");
        assert_eq!(lines[0], ("copy", json!("stores")), "{fixture}: {answer}");
        assert!(found.iter().any(|row| row["line"] == line("untyped.c", "stores")), "{fixture}: {answer}");
        assert!(found.iter().all(|row| row["value"] == "84" || row["kind"] == "computed"), "{fixture}: {answer}");
        // rbp is a register as any other there.
        let answer = server.call("rr_origin", json!({"expression": "summed"}));
        let last = answer["rows"].as_array().unwrap().last().unwrap();
        assert_eq!(
            (&last["kind"], &last["from"]),
            (&json!("computed"), &json!("lea of rbp = 84 (0x54), 3")),
            "{answer}"
        );
    }
}
