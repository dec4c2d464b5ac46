//! Where two runs of a program part, against what the runs write down themselves.

use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::{Recording, fresh_recording, recording_of, rr};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output};

/// A call that a run has written down.
#[derive(Clone, Debug, PartialEq)]
struct Logged {
    function: String,
    arguments: BTreeMap<String, String>,
    /// What it returned, and how many calls of its thread had begun by then.
    result: Option<(String, usize)>,
}

/// Calls by thread.
type Log = BTreeMap<u64, Vec<Logged>>;

fn read(text: &str) -> Log {
    let mut log = Log::new();
    let mut open: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        let (kind, thread, function) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        let thread = thread.parse().unwrap();
        let calls = log.entry(thread).or_default();
        let open = open.entry(thread).or_default();
        if kind == "C" {
            open.push(calls.len());
            let arguments = words.map(|word| word.split_once('=').unwrap());
            let arguments = arguments.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            calls.push(Logged { function: function.to_owned(), arguments, result: None });
        } else {
            // What was left by an exception has written nothing.
            let call = std::iter::from_fn(|| open.pop()).find(|call| calls[*call].function == function).unwrap();
            let begun = calls.len();
            calls[call].result = words.next().map(|value| (value.to_owned(), begun));
        }
    }
    log
}

/// A run that goes well and one that goes badly, and what they wrote down.
fn runs(name: &str) -> [(Recording, Log); 2] {
    ["well", "badly"].map(|way| {
        let log = scratch().join(format!("{name} goes {way}.log"));
        let recording = recording_of(name, &[log.to_str().unwrap(), way]);
        (recording, read(&fs::read_to_string(&log).unwrap()))
    })
}

fn rows<'a>(answer: &'a Value, kind: &str) -> Vec<&'a Value> {
    answer["rows"].as_array().unwrap().iter().filter(|row| row["kind"] == kind).collect()
}

/// The name of a function without what it is in, and without its parameters.
fn bare(function: &Value) -> Option<String> {
    let name = function.as_str()?.split('(').next().unwrap();
    Some(name.rsplit("::").next().unwrap().to_owned())
}

fn called(log: &Log, function: &str) -> u64 {
    log.values().flatten().filter(|call| call.function == function).count() as u64
}

/// Fixtures, with the functions that write down their calls; empty: all of the program do.
const PROGRAMS: [(&str, &str); 4] = [
    ("parting", ""),
    ("parting-O2", ""),
    ("parting-cxx", "^(main|Account::(withdraw|deposit)|regretted)\\b"),
    ("parting-rust", "^parting::(main|halved|kept|dropped)$"),
];

fn ask(server: &Server, runs: &[(Recording, Log); 2], functions: &str) -> Value {
    let mut arguments = json!({"a": runs[0].0.trace, "b": runs[1].0.trace, "limit": 1000});
    if !functions.is_empty() {
        arguments["function"] = functions.into();
    }
    server.call("rr_diff", arguments)
}

#[test]
fn runs_part_where_they_say_themselves() {
    let server = Server::start();
    for (name, functions) in PROGRAMS {
        let runs = runs(name);
        let answer = ask(&server, &runs, functions);
        assert_eq!(answer["same_build"], true, "{name}");
        let [well, badly] = runs.each_ref().map(|(_, log)| log);
        let mut expected = BTreeMap::new();
        for (thread, calls) in well {
            let others = &badly[thread];
            let same = calls.iter().zip(others).take_while(|(a, b)| a.function == b.function).count();
            let next = [calls, others].map(|calls| calls.get(same).map(|call| call.function.clone()));
            if next != [None, None] {
                expected.insert(*thread, (same as u64, next));
            }
        }
        assert!(!expected.is_empty());
        let parts = rows(&answer, "parts").into_iter().map(|row| {
            let next = ["a", "b"].map(|side| bare(&row[side]["call"]["function"]));
            (row["thread"].as_u64().unwrap(), (row["same"].as_u64().unwrap(), next))
        });
        assert_eq!(parts.collect::<BTreeMap<_, _>>(), expected, "{name}: {answer}");
        // One can go there.
        for (side, (recording, _)) in ["a", "b"].iter().zip(&runs) {
            for row in rows(&answer, "parts").iter().filter(|row| row[*side]["call"].is_object()) {
                let there = Server::start();
                there.replay(&recording.trace);
                let stop = there.call("rr_goto", json!({"position": row[*side]["position"]}));
                let function = bare(&row[*side]["call"]["function"]);
                assert_eq!(bare(&stop["frame"]["function"]), function, "{name}: {stop}");
            }
        }
        // Counts are those of the logs.
        for (kind, of_a, of_b) in [("only_a", true, false), ("only_b", false, true), ("count", true, true)] {
            for row in rows(&answer, kind) {
                let function = bare(&row["function"]).unwrap();
                let counts = [called(well, &function), called(badly, &function)];
                assert_eq!([&row["a"]["calls"], &row["b"]["calls"]], [&json!(counts[0]), &json!(counts[1])], "{row}");
                assert_eq!([counts[0] > 0, counts[1] > 0], [of_a, of_b], "{row}");
            }
        }
        let functions = well.values().chain(badly.values()).flatten().map(|call| &call.function);
        let differing = functions.filter(|function| called(well, function) != called(badly, function));
        let differing: std::collections::BTreeSet<_> = differing.collect();
        let told = ["only_a", "only_b", "count"].map(|kind| rows(&answer, kind).len());
        assert_eq!(told.iter().sum::<usize>(), differing.len(), "{name}: {answer}");
    }
}

#[test]
fn values_differ_where_the_runs_say() {
    let server = Server::start();
    for (name, functions) in PROGRAMS.into_iter().filter(|(name, _)| *name != "parting-O2") {
        let runs = runs(name);
        let answer = ask(&server, &runs, functions);
        let [well, badly] = runs.each_ref().map(|(_, log)| log);
        let mut expected = Vec::new();
        for (thread, calls) in well {
            let others = &badly[thread];
            let same = calls.iter().zip(others).take_while(|(a, b)| a.function == b.function).count();
            for (number, (a, b)) in calls.iter().zip(others).take(same).enumerate() {
                for (argument, value) in &a.arguments {
                    if *value != b.arguments[argument] {
                        let values = [value.clone(), b.arguments[argument].clone()];
                        expected.push((*thread, number as u64, argument.clone(), values));
                    }
                }
                // What came back before they part.
                if let (Some((in_a, begun)), Some((in_b, _))) = (&a.result, &b.result)
                    && *begun <= same
                    && in_a != in_b
                {
                    expected.push((*thread, number as u64, "$return".to_owned(), [in_a.clone(), in_b.clone()]));
                }
            }
        }
        let mut told: Vec<_> = rows(&answer, "value");
        told.sort_by_key(|row| (row["thread"].as_u64(), row["same"].as_u64(), row["name"] == "$return"));
        assert_eq!(told.len(), expected.len(), "{name}: {answer:#}");
        for (row, (thread, number, argument, values)) in told.iter().zip(&expected) {
            assert_eq!((&row["thread"], &row["same"]), (&json!(thread), &json!(number)), "{row}");
            assert_eq!(row["name"], **argument, "{row}");
            for (side, value) in ["a", "b"].iter().zip(values) {
                let shown = row[*side]["value"].as_str().unwrap();
                assert!(shown.contains(value.as_str()), "{name}: {row}");
                assert!(row[*side]["position"].is_string(), "{row}");
            }
        }
    }
}

#[test]
fn the_branch_that_decided_is_named_with_its_values() {
    let server = Server::start();
    let line = |source: &str, text: &str| {
        let all = fs::read_to_string(format!("{}/dwarf-fixtures/src/{source}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        all.lines().position(|line| line.trim() == text).unwrap() + 1
    };
    let number = |log: &Log, function: &str, call: usize, argument: &str| {
        let calls: Vec<_> = log.values().flatten().filter(|one| one.function == function).collect();
        calls[call].arguments[argument].clone()
    };
    // The program, its source, the branch and where both runs go on from there; a value there that the log has.
    let cases = [
        (0, "parting.c", "if (x % 2 == 0)", ["even(x);", "odd(x);"], ("sorted", "x")),
        (
            2,
            "parting.cpp",
            "if (amount > balance_)",
            ["balance_ -= amount;", "throw std::runtime_error(\"too little\");"],
            ("withdraw", "amount"),
        ),
        (
            3,
            "parting.rs",
            "match halved(&mut log, n) {",
            ["Some(half) => drop(kept(&mut log, half as u64, \"half\")),", "None => dropped(&mut log, n),"],
            ("halved", "n"),
        ),
    ];
    for (program, source, text, to, (function, argument)) in cases {
        let (name, functions) = PROGRAMS[program];
        let runs = runs(name);
        let answer = ask(&server, &runs, functions);
        let branch = &answer["first_branch"];
        assert_eq!(branch["text"], text, "{name}: {answer}");
        let place = format!("{source}:{} (", line(source, text));
        assert!(branch["place"].as_str().unwrap().contains(&place), "{branch}");
        let [in_a, in_b] = runs.each_ref().map(|(_, log)| {
            log.values().flatten().filter(|call| call.function == function).map(|call| call.arguments[argument].clone())
        });
        let first = in_a.zip(in_b).position(|(a, b)| a != b).unwrap();
        for ((side, to), (recording, log)) in ["a", "b"].iter().zip(to).zip(&runs) {
            let side = &branch[*side];
            assert!(side["to"].as_str().unwrap().contains(&format!("{source}:{} (", line(source, to))), "{branch}");
            let value = format!("{argument} = {}", number(log, function, first, argument));
            assert!(side["values"].as_array().unwrap().contains(&json!(value)), "{value}: {branch}");
            // There the program is about to decide.
            let there = Server::start();
            there.replay(&recording.trace);
            let stop = there.call("rr_goto", json!({"position": side["position"]}));
            assert_eq!(stop["frame"]["line"], line(source, text), "{stop}");
            assert_eq!(
                there.call("rr_evaluate", json!({"expression": argument}))["value"],
                json!(value.rsplit(' ').next())
            );
        }
    }
}

#[test]
fn what_differs_in_many_calls_is_told_once() {
    let run =
        |way: &str| recording_of("parting", &[scratch().join(format!("parting {way}.log")).to_str().unwrap(), way]);
    let (well, shifted) = (run("well"), run("shifted"));
    let server = Server::start();
    let asked = json!({"a": well.trace, "b": shifted.trace});
    let answer = server.call("rr_diff", asked.clone());
    let told = rows(&answer, "value").into_iter().map(|row| {
        let values = [row["a"]["value"].as_str().unwrap(), row["b"]["value"].as_str().unwrap()];
        let number = |key: &str| row[key].as_u64().unwrap();
        (bare(&row["function"]).unwrap(), row["name"].as_str().unwrap(), number("differs_in"), number("of"), values)
    });
    let told: Vec<_> = told.take(4).collect();
    // Of 0 a multiple is the same.
    assert_eq!(told[0], ("scaled".to_owned(), "factor", 40, 40, ["2", "4"]));
    assert_eq!(told[1], ("scaled".to_owned(), "$return", 38, 40, ["2", "4"]));
    assert_eq!(told[2], ("sorted".to_owned(), "x", 38, 40, ["2", "4"]));
    // Behind all others, whatever was first.
    let last: Vec<_> = rows(&answer, "value").into_iter().rev().take(2).collect();
    assert!(last.iter().all(|row| row["large_numbers"] == true && row["function"] == "keyed"), "{answer:#}");
    let text = server.text("rr_diff", asked);
    assert!(text.contains("scaled: factor differs in 40 of 40 calls; first in thread 2, after "), "{text}");
    assert!(
        text.contains("keyed: key differs in 40 of 40 calls, only in large numbers, as hashes and times do"),
        "{text}"
    );
}

#[test]
fn the_same_run_twice_differs_in_nothing() {
    let server = Server::start();
    let log = scratch().join("parting twice.log");
    let run = || fresh_recording("parting", &[log.to_str().unwrap(), "well"]).trace;
    let answer = server.call("rr_diff", json!({"a": run(), "b": run()}));
    assert_eq!((&answer["matching"], &answer["same_build"]), (&json!(0), &json!(true)), "{answer}");
    assert_eq!(answer["compared"][0], answer["compared"][1]);
    assert!(answer["compared"][0].as_u64().unwrap() > 100, "{answer}");
}

#[test]
fn pages_are_parts_and_builds_may_differ() {
    let server = Server::start();
    let whole = ask(&server, &runs("parting"), "");
    let [(well, _), (badly, _)] = runs("parting");
    let page = json!({"a": well.trace, "b": badly.trace, "offset": 1, "limit": 2});
    let page = server.call("rr_diff", page);
    assert_eq!(page["rows"].as_array().unwrap()[..], whole["rows"].as_array().unwrap()[1..3]);
    assert_eq!((&page["next_offset"], &page["matching"]), (&json!(3), &whole["matching"]));
    let other = runs("parting-O2");
    let answer = server.call("rr_diff", json!({"a": well.trace, "b": other[1].0.trace}));
    assert_eq!(answer["same_build"], false);
    assert!(answer["notes"].to_string().contains("the builds differ, of parting"), "{answer}");
    let parts = rows(&answer, "parts");
    assert_eq!(parts[0]["thread"], 3, "{answer}");
    // Only calls of the functions that are named, for which the condition holds, are compared.
    let narrow = json!({"a": well.trace, "b": badly.trace, "function": "^scaled$", "where": "factor == 3"});
    let narrow = server.call("rr_diff", narrow);
    let part = rows(&narrow, "parts");
    assert_eq!((part.len(), &part[0]["same"], &part[0]["a"]), (1, &json!(0), &json!({})), "{narrow}");
    assert_eq!(part[0]["b"]["call"]["arguments"][1]["value"], "3", "{narrow}");
    let refused = server.fail("rr_diff", json!({"a": well.trace, "b": badly.trace, "function": "^no_such$"}));
    assert!(refused.contains("neither recording has called"), "{refused}");
    let refused = server.fail("rr_diff", json!({"a": well.trace, "b": badly.trace, "where": "x == 1"}));
    assert!(refused.contains("a condition needs functions"), "{refused}");
    let refused = server.fail("rr_diff", json!({"a": well.trace, "b": "/no/such/trace"}));
    assert!(refused.contains("/no/such/trace"), "{refused}");
}

#[test]
fn two_recordings_are_compared_from_the_command_line() {
    let [(well, _), (badly, _)] = runs("parting");
    let query = |words: &[&str]| -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
        command.env("RETROGRADE_RR", rr().program()).args(["query", "diff"]).args(words).output().unwrap()
    };
    let [a, b] = [&well, &badly].map(|run| run.trace.to_str().unwrap());
    let told = query(&[a, b, "--json"]);
    assert_eq!(told.status.code(), Some(0), "{}", String::from_utf8_lossy(&told.stderr));
    let lines: Vec<Value> =
        String::from_utf8(told.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answer = ask(&Server::start(), &runs("parting"), "");
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(lines.len(), rows.len());
    for (line, row) in lines.iter().zip(rows) {
        assert_eq!((&line["question"], &line["trace"]), (&json!("diff"), &json!(a)));
        assert!(row.as_object().unwrap().iter().all(|(key, value)| line[key] == *value), "{line} {row}");
    }
    let text = String::from_utf8(query(&[a, b]).stdout).unwrap();
    assert!(text.contains("parts after ") && text.contains("only b calls went_badly: 1 times"), "{text}");
    assert_eq!(query(&[a, a]).status.code(), Some(3));
    assert_eq!(query(&[a]).status.code(), Some(2));
    assert_eq!(query(&[a, "/no/such/trace"]).status.code(), Some(1));
}
