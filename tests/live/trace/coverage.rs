//! How often lines and functions ran, against what the programs write down themselves, what breakpoints count, and what
//! rr has counted.

use crate::support::fixtures::{line, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{Recording, recording, recording_of, rr};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The most rows of an answer.
const MOST: u32 = 1000;

/// A recording of a fixture, and what it wrote down.
fn recorded(name: &str) -> (Recording, String) {
    let log = scratch().join(format!("coverage of {name}.log"));
    let recording = recording_of(name, &[log.to_str().unwrap()]);
    (recording, fs::read_to_string(&log).unwrap())
}

/// So many lines of a log begin like this.
fn logged(log: &str, beginning: &str) -> u64 {
    log.lines().filter(|line| line.starts_with(beginning)).count() as u64
}

fn count_of(answer: &Value, line: u64) -> u64 {
    let lines = answer["lines"].as_array().unwrap();
    let found = lines.iter().find(|row| row["line"] == line).unwrap_or_else(|| panic!("{line} is not in {answer}"));
    found["count"].as_u64().unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The calls of a function, in all rows.
fn calls_of(rows: &Value, function: &str) -> u64 {
    let of = rows.as_array().unwrap().iter().filter(|row| row["function"] == function);
    of.map(|row| number(&row["calls"])).sum()
}

/// What was executed of a recording, with all rows.
fn profiled(server: &Server, trace: &Path) -> Value {
    let ask = |offset: u64| server.call("rr_profile", json!({"trace_dir": trace, "limit": MOST, "offset": offset}));
    let mut answer = ask(0);
    while let Some(next) = answer["next_offset"].as_u64() {
        let mut more = ask(next);
        let rows = more["rows"].as_array_mut().unwrap().split_off(0);
        answer["rows"].as_array_mut().unwrap().extend(rows);
        answer["next_offset"] = more["next_offset"].take();
    }
    assert_eq!(number(&answer["matching"]), answer["rows"].as_array().unwrap().len() as u64);
    answer
}

/// The ticks of all threads, as the recording has them at the last event of each.
fn recorded_ticks(trace: &Path) -> u64 {
    let outcome = Command::new(rr().program()).args(["dump", "-e"]).arg(trace).output().unwrap();
    let number = |line: &str, name: &str| -> u64 {
        line.split_once(name).unwrap().1.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
    };
    let (mut sum, mut last) = (0, BTreeMap::new());
    for line in String::from_utf8_lossy(&outcome.stdout).lines().map(str::trim_start) {
        if line.starts_with("real_time:") {
            last.insert(number(line, " tid:"), number(line, " ticks:"));
        } else if line.starts_with("TraceTaskEvent::EXIT") {
            sum += last.remove(&number(line, " tid=")).unwrap_or(0);
        }
    }
    sum + last.values().sum::<u64>()
}

#[test]
fn lines_of_a_function_ran_as_often_as_the_program_says() {
    let server = Server::start();
    for name in ["every_call", "every_call-O2"] {
        let (recording, log) = recorded(name);
        let ask = |more: Value| {
            let mut arguments = json!({"trace_dir": recording.trace, "limit": MOST});
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            server.call("rr_coverage", arguments)
        };
        let (calls, returns) = (logged(&log, "C "), logged(&log, "R "));
        assert!(calls > returns && returns > 20);
        for location in ["work", "every_call.c:work", "every_call.c"] {
            let answer = ask(json!({"location": location}));
            assert_eq!(count_of(&answer, line("every_call.c", "called")), calls, "{name} {location}");
            assert_eq!(count_of(&answer, line("every_call.c", "returning")), returns, "{name} {location}");
            let lines = answer["lines"].as_array().unwrap();
            assert_eq!(number(&answer["matching"]), lines.len() as u64);
            let executed = lines.iter().filter(|row| number(&row["count"]) > 0).count() as u64;
            assert_eq!(number(&answer["executed"]), executed);
            assert!(
                lines.iter().all(|row| row["file"].as_str().unwrap().ends_with("every_call.c")),
                "{name} {location}"
            );
        }
        assert_eq!(calls_of(&ask(json!({}))["functions"], "work"), calls, "{name}");
        // Pages are parts of the whole.
        let whole = ask(json!({"location": "work"}));
        let page = ask(json!({"location": "work", "offset": 2, "limit": 3}));
        assert_eq!(page["lines"].as_array().unwrap()[..], whole["lines"].as_array().unwrap()[2..5]);
        assert_eq!(number(&page["next_offset"]), 5);
    }
}

#[test]
fn functions_of_rust_and_cxx_are_called_as_often_as_the_program_says() {
    let server = Server::start();
    for (name, function, beginning) in [
        ("every_call-rust", "every_call::depth", "C depth "),
        ("every_call-rust", "every_call::halved", "C halved "),
        ("every_call-rust-O2", "every_call::depth", "C depth "),
    ] {
        let (recording, log) = recorded(name);
        let profile = profiled(&server, &recording.trace);
        let rows = profile["rows"].as_array().unwrap();
        let names: Vec<&str> = rows.iter().filter_map(|row| row["function"].as_str()).collect();
        let full = names.iter().find(|name| name.rsplit("::").next() == function.rsplit("::").next());
        let full = full.unwrap_or_else(|| panic!("{function} is not in {names:?}"));
        assert_eq!(calls_of(&profile["rows"], full), logged(&log, beginning), "{name} {function}");
    }
}

#[test]
fn ticks_of_all_functions_are_those_of_the_recording() {
    let server = Server::start();
    for name in ["every_call", "every_call-cxx-O2", "every_call-rust"] {
        let (recording, _) = recorded(name);
        let profile = profiled(&server, &recording.trace);
        let sum =
            |rows: &Value, field: &str| -> u64 { rows.as_array().unwrap().iter().map(|r| number(&r[field])).sum() };
        let ticks = number(&profile["ticks"]);
        assert_eq!(ticks, recorded_ticks(&recording.trace), "{name}");
        assert_eq!(sum(&profile["rows"], "ticks") + sum(&profile["elsewhere"], "count"), ticks, "{name}");
        let rows = profile["rows"].as_array().unwrap();
        assert!(rows.is_sorted_by_key(|row| std::cmp::Reverse(number(&row["ticks"]))), "{name}");
        // The processes are all there is.
        let processes = server.call("rr_ps", json!({"trace_dir": recording.trace}));
        let of = |pid: &Value| server.call("rr_profile", json!({"trace_dir": recording.trace, "pid": pid}));
        let pids = processes["result"].as_array().unwrap().iter().map(|process| &process["pid"]);
        assert_eq!(pids.map(|pid| number(&of(pid)["ticks"])).sum::<u64>(), ticks, "{name}");
    }
    let refused = server.fail("rr_profile", json!({"trace_dir": recording("written_by").trace, "pid": 1}));
    assert!(refused.contains("these have"), "{refused}");
    let refused =
        server.fail("rr_coverage", json!({"trace_dir": recording("written_by").trace, "location": "nothing.c"}));
    assert!(refused.contains("nothing.c"), "{refused}");
}

#[test]
fn lines_ran_as_often_as_breakpoints_there_are_hit() {
    let server = replaying("written_by");
    server.run_to("main");
    let mut expected = BTreeMap::new();
    for function in ["add", "move", "work"] {
        let answer = server.call("rr_coverage", json!({"location": function}));
        for row in answer["lines"].as_array().unwrap() {
            let at = format!("written_by.c:{}", row["line"]);
            let set = server.call("rr_breakpoint_set", json!({"location": at, "ignore_count": 1_000_000}));
            expected.insert(number(&set["number"]), number(&row["count"]));
        }
    }
    assert!(expected.len() > 8 && expected.values().any(|count| *count == 4), "{expected:?}");
    server.call("rr_continue", json!({}));
    let list = server.call("rr_breakpoint_list", json!({}));
    let hits = list["result"].as_array().unwrap().iter().map(|one| (number(&one["number"]), number(&one["hits"])));
    let hits: BTreeMap<u64, u64> = hits.filter(|(number, _)| expected.contains_key(number)).collect();
    assert_eq!(hits, expected);
}
