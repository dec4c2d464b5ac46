//! All calls, and values at all executions of a place, in one answer: against what the programs write down themselves,
//! and against a debugger that stops each time.

use crate::support::fixtures::{built_by, line, program, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{Recording, record, recording, recording_of};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// A recording of a fixture, and what it wrote down.
fn recorded(name: &str) -> (Recording, Vec<String>) {
    let log: PathBuf = scratch().join(format!("{name}.log"));
    let recording = recording_of(name, &[log.to_str().unwrap()]);
    let text = fs::read_to_string(&log).unwrap();
    (recording, text.lines().map(str::to_owned).collect())
}

fn rows(answer: &Value) -> &Vec<Value> {
    answer["rows"].as_array().unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// The value of an argument or expression of a row.
fn value<'a>(row: &'a Value, name: &str) -> &'a str {
    let of = |list: &'a Value| list.as_array().into_iter().flatten().find(|value| value["name"] == name);
    let found = of(&row["arguments"]).or_else(|| of(&row["values"])).unwrap_or_else(|| panic!("no {name} in {row}"));
    text(&found["value"])
}

/// What is between the quotes of a `char *`.
fn quoted(value: &str) -> &str {
    let (_, rest) = value.split_once('"').unwrap_or_else(|| panic!("{value} is no string"));
    rest.strip_suffix('"').unwrap()
}

/// A call of `work` as the program has it.
#[derive(Debug, PartialEq)]
struct Written {
    call: String,
    result: Option<String>,
}

/// Calls by thread, in their order. The call of a number that is taken again is another one.
fn written(lines: &[String]) -> BTreeMap<String, Vec<Written>> {
    let mut threads: BTreeMap<String, Vec<Written>> = BTreeMap::new();
    let mut open: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in lines {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        match words.as_slice() {
            ["C", tid, number, call] => {
                let calls = threads.entry((*tid).to_owned()).or_default();
                open.insert(((*tid).to_owned(), (*number).to_owned()), calls.len());
                calls.push(Written { call: (*call).to_owned(), result: None });
            }
            ["R", tid, number, result] => {
                let at = open[&((*tid).to_owned(), (*number).to_owned())];
                threads.get_mut(*tid).unwrap()[at].result = Some((*result).to_owned());
            }
            _ => {}
        }
    }
    threads
}

#[test]
fn every_call_has_the_arguments_and_the_result_that_the_program_has_written_down() {
    let server = Server::start();
    for name in ["every_call", "every_call-O2", "every_call-clang"] {
        let (recording, log) = recorded(name);
        let expected = written(&log);
        let ask = json!({"function": "work", "values": ["p->value"], "trace_dir": recording.trace, "limit": 1000});
        let answer = server.call("rr_calls", ask);
        let mut found: BTreeMap<String, Vec<Written>> = BTreeMap::new();
        for row in rows(&answer) {
            let w: f64 = value(row, "w").parse().unwrap();
            let label = quoted(value(row, "label"));
            let call = format!("{} {} {label} {w}", value(row, "n"), value(row, "p->value"));
            assert_eq!(row["ending"] == "returned", row["result"].is_string(), "{row}");
            let result = row["result"].as_str().map(str::to_owned);
            found.entry(row["tid"].to_string()).or_default().push(Written { call, result });
        }
        let all: usize = expected.values().map(Vec::len).sum();
        assert_eq!(found, expected, "{name}");
        let returned = expected.values().flatten().filter(|call| call.result.is_some()).count();
        assert_eq!(answer["matching"], all, "{name}");
        assert_eq!((&answer["returned"], &answer["unfinished"]), (&json!(returned), &json!(all - returned)));
        assert!(returned < all && expected.len() == 5, "{name}: {returned} of {all}");
        let callers: u64 = answer["callers"].as_array().unwrap().iter().map(|c| c["count"].as_u64().unwrap()).sum();
        assert_eq!(callers, all as u64);
    }
}

#[test]
fn each_call_is_gone_to_by_its_position() {
    let server = Server::start();
    for name in ["every_call", "every_call-O2"] {
        let (recording, _) = recorded(name);
        let session = server.call("rr_replay_start", json!({"trace_dir": recording.trace}));
        let answer = server.call("rr_calls", json!({"function": "work", "limit": 1000}));
        let mut threads = std::collections::BTreeSet::new();
        for row in rows(&answer).iter().filter(|row| row["pid"] == session["pid"]).step_by(5) {
            let Some(position) = row["position"].as_str() else { continue };
            let stop = server.call("rr_goto", json!({"position": position}));
            // How many events are completed by then is known to rr alone where calls are buffered.
            let place = |position: &str| position.split('/').skip(1).take(3).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(place(text(&stop["position"])), place(position), "{name}: {stop}");
            threads.insert(row["tid"].to_string());
        }
        assert!(threads.len() > 1, "{name}: {threads:?}");
    }
}

#[test]
fn conditions_pages_and_filters_choose_among_all_rows() {
    let server = Server::start();
    let (recording, _) = recorded("every_call-O2");
    let ask = |more: Value| {
        let mut ask = json!({"function": "work", "trace_dir": recording.trace, "limit": 1000});
        ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.call("rr_calls", ask)
    };
    let all = ask(json!({"values": ["p->value"]}));
    let pages = |size: usize| {
        let (mut found, mut offset) = (Vec::new(), json!(0));
        while !offset.is_null() {
            let page = ask(json!({"values": ["p->value"], "offset": offset, "limit": size}));
            found.extend(rows(&page).clone());
            offset = page["next_offset"].clone();
        }
        found
    };
    assert_eq!(&pages(7), rows(&all));
    let number = |row: &Value, name: &str| value(row, name).parse::<i64>().unwrap();
    let condition = "n > 1 && p->value != 9 || label[0] == 't' && $return > 0";
    let chosen = ask(json!({"values": ["p->value"], "where": condition}));
    // What never returned has no result to judge by, unless the rest is enough.
    let expected: Vec<&Value> = rows(&all)
        .iter()
        .filter(|row| {
            let result = row["result"].as_str().map(|result| result.parse::<i64>().unwrap());
            let is_first = number(row, "n") > 1 && number(row, "p->value") != 9;
            is_first || quoted(value(row, "label")).starts_with('t') && result.is_some_and(|result| result > 0)
        })
        .collect();
    assert_eq!(rows(&chosen).iter().collect::<Vec<_>>(), expected);
    assert!(expected.len() > 5 && expected.len() < rows(&all).len());
    let (tid, event) = (&rows(&all)[40]["tid"], rows(&all)[40]["event"].as_u64().unwrap());
    let of_thread = ask(json!({"values": ["p->value"], "tid": tid, "from": event}));
    let in_it = |row: &&Value| row["tid"] == *tid && row["event"].as_u64().is_some_and(|at| at >= event);
    assert_eq!(rows(&of_thread).iter().collect::<Vec<_>>(), rows(&all).iter().filter(in_it).collect::<Vec<_>>());
}

#[test]
fn tail_calls_return_for_those_that_have_left_by_them() {
    let server = Server::start();
    for name in ["every_call", "every_call-O2"] {
        let (recording, _) = recorded(name);
        let answer = server.call("rr_calls", json!({"function": "first", "trace_dir": recording.trace}));
        let found: Vec<(&str, &str)> =
            rows(&answer).iter().map(|row| (value(row, "a"), text(&row["result"]))).collect();
        assert_eq!(found, [("0", "0"), ("1", "13"), ("2", "-2"), ("3", "33"), ("4", "-4"), ("5", "53")], "{name}");
        let both =
            server.call("rr_calls", json!({"function": "^(first|last)$", "regex": true, "trace_dir": recording.trace}));
        let last: Vec<_> = rows(&both).iter().filter(|row| row["function"] == "last").collect();
        assert_eq!(last.len(), 3);
        for row in last {
            assert_eq!(row["tail_called"].as_bool().unwrap_or(false), name == "every_call-O2");
            let caller = if name == "every_call-O2" { "main" } else { "first" };
            assert_eq!(row["caller"]["function"], caller);
        }
    }
}

/// What calls, and where the callers go on: with the code behind the call, however it was left.
const LEFT: &str = r#"#include <csetjmp>
volatile int g;
static jmp_buf back;
__attribute__((noinline)) long in(long n) { g++; if (n > 1) throw 5; return n; }
__attribute__((noinline)) long far(long n) { g++; if (n > 1) longjmp(back, 1); return n; }
__attribute__((noinline)) long other(long n) { g++; if (n > 8) throw 6; return n; }
__attribute__((noinline)) long caught(long n) { if (n > 6) return other(n + 1); long r = in(n) + 20; g++; return r; }
__attribute__((noinline)) long jumped(long n) { if (n > 6) return other(n + 1); long r = far(n) + 20; g++; return r; }
__attribute__((noinline)) void catches(long n) { try { caught(n); } catch (int) { } g++; }
__attribute__((noinline)) void comes_back(long n) { if (!setjmp(back)) jumped(n); g++; }
static const long all[] = {1, 2, 7, 8, 3}, some[] = {1, 2, 7, 3};
int main() { for (long n : all) catches(n); for (long n : some) comes_back(n); return g == 0; }
"#;

#[test]
fn a_call_that_is_left_by_an_exception_or_a_jump_has_returned_nothing() {
    let server = Server::start();
    for compiler in ["g++", "clang++"] {
        let program = built_by(compiler, "cpp", &format!("left-{compiler}"), LEFT, &["-g", "-O2"]);
        let recording = record(&program, &[], scratch());
        let results = |function: &str| -> Vec<(String, Option<String>)> {
            let answer = server.call("rr_calls", json!({"function": function, "trace_dir": recording.trace}));
            let of = |row: &Value| (value(row, "n").to_owned(), row["result"].as_str().map(str::to_owned));
            rows(&answer).iter().map(of).collect()
        };
        let expected = |all: &[(&str, Option<&str>)]| -> Vec<(String, Option<String>)> {
            all.iter().map(|(n, result)| ((*n).to_owned(), result.map(str::to_owned))).collect()
        };
        let caught = [("1", Some("21")), ("2", None), ("7", Some("8")), ("8", None), ("3", None)];
        assert_eq!(results("caught"), expected(&caught), "{compiler}");
        let jumped = [("1", Some("21")), ("2", None), ("7", Some("8")), ("3", None)];
        assert_eq!(results("jumped"), expected(&jumped), "{compiler}");
    }
}

#[test]
fn a_call_that_returns_in_two_processes_is_one_that_began_in_one() {
    let server = Server::start();
    let (recording, _) = recorded("every_call");
    let answer = server.call("rr_calls", json!({"function": "both", "trace_dir": recording.trace}));
    assert_eq!((rows(&answer).len(), &answer["returned"]), (1, &json!(1)));
    assert!(text(&answer["notes"][0]).starts_with("1 returns are of calls that had begun in the process"), "{answer}");
}

#[test]
fn exceptions_objects_and_results_in_memory() {
    let server = Server::start();
    for name in ["every_call-cxx", "every_call-cxx-O2"] {
        let (recording, log) = recorded(name);
        let ask = |function: &str, values: Value| {
            server.call("rr_calls", json!({"function": function, "values": values, "trace_dir": recording.trace}))
        };
        let of = |kind: &str| -> Vec<String> {
            log.iter().filter_map(|line| line.strip_prefix(kind)).map(|rest| rest.trim().to_owned()).collect()
        };
        let takes = ask("Account::take", json!(["balance", "this->owner"]));
        let found: Vec<String> = rows(&takes)
            .iter()
            .map(|row| format!("{} {} {}", value(row, "amount"), quoted(value(row, "why")), value(row, "balance")))
            .collect();
        assert_eq!(found, of("C take "), "{name}");
        assert!(rows(&takes).iter().all(|row| value(row, "this->owner") == "\"somebody with a long name\""));
        let results: Vec<&str> = rows(&takes).iter().filter_map(|row| row["result"].as_str()).collect();
        assert_eq!(results, of("R take "), "{name}");
        assert_eq!(takes["unfinished"], of("X take").len(), "{name}");
        let middles = ask("middle", json!([]));
        let results: Vec<&str> = rows(&middles).iter().map(|row| text(&row["result"])).collect();
        let expected: Vec<String> = of("R middle ")
            .iter()
            .map(|line| line.split_once(' ').unwrap())
            .map(|(x, y)| format!("{{x = {x}, y = {y}}}"))
            .collect();
        assert_eq!(results, expected, "{name}");
        let joined = ask("joined", json!([]));
        let found: Vec<String> =
            rows(&joined).iter().map(|row| format!("{} {}", quoted(value(row, "text")), value(row, "times"))).collect();
        assert_eq!(found, of("C joined "), "{name}");
    }
}

#[test]
fn calls_of_rust() {
    let server = Server::start();
    for name in ["every_call-rust", "every_call-rust-O2"] {
        let (recording, log) = recorded(name);
        let ask = |function: &str| {
            server.call("rr_calls", json!({"function": function, "trace_dir": recording.trace, "limit": 100}))
        };
        let of = |kind: &str| -> Vec<&str> { log.iter().filter_map(|line| line.strip_prefix(kind)).collect() };
        let depths = ask("every_call::depth");
        let found: Vec<String> =
            rows(&depths).iter().map(|row| format!("{} {}", value(row, "n"), quoted(value(row, "text")))).collect();
        assert_eq!(found, of("C depth "), "{name}");
        assert_eq!(depths["unfinished"], 3, "{name}");
        // Those that returned did so from the innermost on.
        let mut results: Vec<&str> = rows(&depths).iter().filter_map(|row| row["result"].as_str()).collect();
        let mut expected = of("R depth ");
        results.sort_unstable();
        expected.sort_unstable();
        assert_eq!(results, expected, "{name}");
        let halved = ask("every_call::halved");
        for (row, expected) in rows(&halved).iter().zip(of("R halved ")) {
            match row["result"].as_str() {
                Some(result) => assert_eq!(result, expected, "{name}"),
                None => assert!(text(&row["result_unknown"]).contains("LLVM may leave out"), "{row}"),
            }
        }
    }
}

/// What a debugger sees that stops at each hit, in the order of the hits.
fn stopping(server: &Server, location: &str, expressions: &[&str]) -> Vec<Vec<String>> {
    server.call("rr_breakpoint_set", json!({"location": location}));
    let mut stops = Vec::new();
    loop {
        let stop = server.call("rr_continue", json!({}));
        if stop["reason"] != "breakpoint-hit" {
            return stops;
        }
        stops.push(expressions.iter().map(|expression| server.evaluate(expression)).collect());
    }
}

#[test]
fn what_is_told_at_each_execution_is_what_a_debugger_sees_that_stops_there() {
    let values = ["n", "p->value", "label", "w", "*p", "n * 2 + p->value", "p->next->tag", "/x n", "label + 1"];
    let condition = "n > 1 ? p->value > 0 : label[0] == 'h' || p->next->weight == 2.5";
    for (name, mark) in [("every_call", "called"), ("every_call", "returning"), ("every_call-O2", "value")] {
        let (recording, _) = recorded(name);
        // The optimiser does not need all of them any more.
        let is_kept = |value: &&str| mark != "value" || *value != "w";
        let values: Vec<&str> = values.iter().copied().filter(is_kept).collect();
        let all: Vec<&str> = values.iter().copied().chain([condition]).collect();
        let location = format!("every_call.c:{}", line("every_call.c", mark));
        let server = Server::start();
        let opened = server.replay(&recording.trace);
        let pid = opened["pid"].as_u64().or_else(|| opened["position"]["pid"].as_u64());
        let stops = stopping(&server, &location, &all);
        let pid = pid.unwrap_or_else(|| {
            let tree = server.call("rr_ps", json!({"trace_dir": recording.trace}));
            tree.as_object().unwrap().values().find_map(|list| list[0]["pid"].as_u64()).unwrap()
        });
        let ask = |condition: Option<&str>| {
            let mut ask = json!({
                "locations": [location], "values": values, "pid": pid, "limit": 1000, "trace_dir": recording.trace
            });
            if let Some(condition) = condition {
                ask["where"] = json!(condition);
            }
            let answer = server.call("rr_trace", ask);
            let values = |row: &Value| values.iter().map(|name| value(row, name).to_owned()).collect::<Vec<_>>();
            rows(&answer).iter().map(values).collect::<Vec<_>>()
        };
        let shown = |stop: &Vec<String>| stop[..values.len()].to_vec();
        assert_eq!(ask(None), stops.iter().map(shown).collect::<Vec<_>>(), "{name} {mark}");
        let chosen = stops.iter().filter(|stop| !["0", "false"].contains(&stop.last().unwrap().as_str()));
        let chosen: Vec<_> = chosen.map(shown).collect();
        assert_eq!(ask(Some(condition)), chosen, "{name} {mark}");
        assert!(chosen.len() > 5 && chosen.len() < stops.len());
        for (last, expected) in [(false, chosen.first()), (true, chosen.last())] {
            let ask = json!({
                "location": location, "where": condition, "values": values, "pid": pid, "last": last,
                "trace_dir": recording.trace
            });
            let answer = server.call("rr_first", ask);
            let found: Vec<_> = values.iter().map(|name| value(&rows(&answer)[0], name).to_owned()).collect();
            assert_eq!(Some(&found), expected, "{name} {mark}");
        }
    }
}

/// What one operand is decides whether another is evaluated: both are collected.
#[test]
fn operands_of_conditions_are_collected_each_by_itself() {
    let server = Server::start();
    let trace = recording("written_by").trace;
    for (condition, expected) in [
        ("amount % 3 == 0 && total == 3", &["3"][..]),
        ("amount % 3 == 1 || total == 1", &["1", "2", "1000"]),
        ("amount != 3 && (amount % 3 == 1 && (amount % 3 == 0 || total == 500))", &["1000"]),
    ] {
        let ask = json!({"locations": ["add"], "values": ["amount"], "where": condition, "trace_dir": trace});
        let answer = server.call("rr_trace", ask);
        let found: Vec<_> = rows(&answer).iter().map(|row| value(row, "amount").to_owned()).collect();
        assert_eq!(found, expected, "{condition}");
    }
}

#[test]
fn what_cannot_be_collected_is_refused_with_what_would_work() {
    let server = Server::start();
    let (recording, _) = recorded("every_call");
    let refused = |ask: Value| {
        let mut ask = ask;
        ask["trace_dir"] = json!(recording.trace);
        server.fail("rr_trace", ask)
    };
    let said = refused(json!({"locations": ["work"], "values": ["label[n]"]}));
    assert!(said.contains("depends on values") && said.contains("rr_breakpoint_set"), "{said}");
    let said = refused(json!({"locations": ["work"], "values": ["nothing"]}));
    assert!(said.contains("nothing"), "{said}");
    let said = refused(json!({"locations": ["nowhere"]}));
    assert!(said.contains("location `nowhere`: no function `nowhere` in ") && said.contains("every_call"), "{said}");
    let said = server.fail("rr_calls", json!({"function": "nowhere", "trace_dir": recording.trace}));
    assert!(said.contains("no function `nowhere`"), "{said}");
}

#[test]
fn summaries_count_what_the_rows_have() {
    let server = Server::start();
    let (recording, log) = recorded("every_call-O2");
    let answer = server.call(
        "rr_trace",
        json!({"locations": ["work"], "values": ["n"], "summary": true, "limit": 1, "trace_dir": recording.trace}),
    );
    let mut numbers: Vec<i64> =
        written(&log).values().flatten().map(|call| call.call.split(' ').next().unwrap().parse().unwrap()).collect();
    numbers.sort_unstable();
    let summary = &answer["summaries"][0];
    assert_eq!(summary["count"], numbers.len());
    assert_eq!((text(&summary["least"]), text(&summary["greatest"])), ("0", "79"));
    for counted in summary["frequent"].as_array().unwrap() {
        let number: i64 = text(&counted["name"]).parse().unwrap();
        assert_eq!(counted["count"], numbers.iter().filter(|n| **n == number).count());
    }
    numbers.dedup();
    assert_eq!(summary["distinct"], numbers.len());
    let _ = program("every_call");
}

/// Go's linker has the build ID in a section, and no program header tells of it: in memory it is not found.
#[test]
fn a_program_whose_build_id_is_in_no_segment_is_asked() {
    const HEADER: usize = 56;
    const NOTE: u32 = 4;
    let mut bytes = fs::read(program("misses")).unwrap();
    let count = usize::from(u16::from_le_bytes(bytes[56..58].try_into().unwrap()));
    let table = usize::try_from(u64::from_le_bytes(bytes[32..40].try_into().unwrap())).unwrap();
    for header in bytes[table..table + count * HEADER].chunks_exact_mut(HEADER) {
        if u32::from_le_bytes(header[..4].try_into().unwrap()) == NOTE {
            header[..4].fill(0);
        }
    }
    let path = scratch().join("without notes");
    fs::write(&path, bytes).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let (server, trace) = (Server::start(), scratch().join("without notes.trace"));
    server.call("rr_record", json!({"command": [path], "trace_dir": trace}));
    let calls = server.call("rr_calls", json!({"trace_dir": trace, "function": "turn"}));
    assert_eq!(calls["matching"], 1501, "{calls}");
}

#[test]
fn a_function_without_calls_of_its_own_says_where_it_is_inlined() {
    let server = replaying("inline_chain");
    let said = server.fail("rr_calls", json!({"function": "middle"}));
    let at = |tag: &str| format!("outer at inline_chain.c:{}", line("inline_chain.c", tag));
    let places = format!("it is inlined at 2 places: {}, {};", at("first"), at("second"));
    assert!(said.contains(&places) && said.contains("rr_trace with location `middle`"), "{said}");
    // As it says.
    let told = server.call("rr_trace", json!({"locations": ["middle"], "values": ["value"]}));
    assert_eq!(told["matching"], 2, "{told}");
}
