//! Accesses that nothing keeps apart, and reads, against what programs' sources say of them.

use crate::support::fixtures::line;
use crate::support::mcp::Server;
use crate::support::recordings::{recording, rr};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;

const VARIANTS: [(&str, &str); 2] = [("races", "races.c"), ("races-O2", "races.c")];

fn at_the_beginning(fixture: &str) -> Server {
    let server = Server::start();
    server.replay(&recording(fixture).trace);
    server
}

fn races(server: &Server, expression: &str) -> Value {
    server.call("rr_races", json!({"expression": expression, "limit": 100}))
}

/// The pairs of lines, with how many locks are held at each.
fn lines(answer: &Value) -> BTreeSet<[(u64, usize); 2]> {
    let side = |side: &Value| (side["line"].as_u64().unwrap(), side["locks"].as_array().unwrap().len());
    let pair = |row: &Value| {
        let mut pair = [side(&row["first"]), side(&row["second"])];
        pair.sort_unstable();
        assert_ne!(row["first"]["tid"], row["second"]["tid"], "{row}");
        pair
    };
    answer["rows"].as_array().unwrap().iter().map(pair).collect()
}

fn pair(source: &str, one: (&str, usize), other: (&str, usize)) -> [(u64, usize); 2] {
    let mut pair = [(line(source, one.0), one.1), (line(source, other.0), other.1)];
    pair.sort_unstable();
    pair
}

/// A mark, and how many locks are held there.
type Access<'a> = (&'a str, usize);

#[test]
fn what_no_common_lock_keeps_apart_is_told_with_the_locks() {
    for (fixture, source) in VARIANTS {
        let server = at_the_beginning(fixture);
        let of = |expression: &str| lines(&races(&server, expression));
        let expected = |pairs: &[(Access<'_>, Access<'_>)]| {
            pairs.iter().map(|(one, other)| pair(source, *one, *other)).collect::<BTreeSet<_>>()
        };
        // The value before both were made is no race; the look at it by main is one.
        assert_eq!(of("racy"), expected(&[(("racy", 0), ("racy", 0)), (("racy", 0), ("looked", 0))]), "{fixture}");
        assert_eq!(of("mixed"), expected(&[(("mixed-locked", 1), ("mixed-free", 0))]), "{fixture}");
        assert_eq!(of("split"), expected(&[(("split-first", 1), ("split-second", 1))]), "{fixture}");
        // Who only reads under a lock for readers does not keep others from it.
        assert_eq!(of("misread"), expected(&[(("misread", 1), ("misread", 1))]), "{fixture}");
        for kept in ["locked", "shared", "spun", "handed", "posted", "tried"] {
            let answer = races(&server, kept);
            assert_eq!(answer["rows"], json!([]), "{fixture} {kept}");
            // Who cannot take the lock does nothing.
            let least = if kept == "tried" { 2 } else { 4 };
            assert!(answer["accesses"].as_u64().unwrap() >= least, "{fixture} {kept}: {answer}");
        }
        let locked = races(&server, "locked");
        let threads = locked["threads"].as_array().unwrap();
        let always = |thread: &Value| thread["always_locked"][0].as_str().unwrap_or_default().contains("<first>");
        assert_eq!(threads.iter().filter(|thread| always(thread)).count(), 2, "{locked}");
        let counted = races(&server, "counted");
        assert_eq!((&counted["rows"], &counted["atomic_pairs"]), (&json!([]), &json!(1)), "{fixture}: {counted}");
    }
}

#[test]
fn both_accesses_of_a_race_are_gone_to() {
    let server = at_the_beginning("races");
    let answer = races(&server, "split");
    let row = &answer["rows"][0];
    assert!(row["first"]["locks"][0] != row["second"]["locks"][0], "{row}");
    for side in ["first", "second"] {
        let side = &row[side];
        let stop = server.call("rr_goto", json!({"position": side["position"]}));
        assert_eq!((&stop["function"], &stop["line"]), (&side["function"], &side["line"]), "{side}");
        assert_eq!(server.evaluate("split"), side["old"], "{side}");
    }
    let text = server.text("rr_command", json!({"command": "races split"}));
    assert!(text.contains("that nothing keeps apart") && text.contains("locks: "), "{text}");
}

#[test]
fn locks_of_cxx_and_rust_are_known() {
    for fixture in ["races-cxx", "races-cxx-O2"] {
        let server = at_the_beginning(fixture);
        for kept in ["locked", "account.balance", "account.limit", "shared", "handed"] {
            let answer = races(&server, kept);
            assert_eq!(answer["rows"], json!([]), "{fixture} {kept}");
            assert!(answer["accesses"].as_u64().unwrap() >= 3, "{fixture} {kept}: {answer}");
        }
        let found = lines(&races(&server, "racy"));
        let source = "races.cpp";
        assert!(found.contains(&pair(source, ("racy", 0), ("racy", 0))), "{fixture} {found:?}");
        assert!(found.contains(&pair(source, ("racy", 0), ("shared-read", 1))), "{fixture} {found:?}");
        assert!(found.contains(&pair(source, ("shared-read", 1), ("shared-read", 1))), "{fixture} {found:?}");
    }
    for fixture in ["races-rust", "races-rust-O2"] {
        let server = at_the_beginning(fixture);
        for kept in ["LOCKED", "SHARED", "HANDED"] {
            let answer = races(&server, &format!("races::{kept}"));
            assert_eq!(answer["rows"], json!([]), "{fixture} {kept}");
            assert!(answer["accesses"].as_u64().unwrap() >= 3, "{fixture} {kept}: {answer}");
        }
        let found = races(&server, "races::RACY");
        assert!(!found["rows"].as_array().unwrap().is_empty(), "{fixture}: {found}");
        assert_eq!(races(&server, "races::COUNTED")["rows"], json!([]), "{fixture}");
    }
}

#[test]
fn reads_are_told_with_value_line_and_thread() {
    for (fixture, source) in VARIANTS {
        let server = at_the_beginning(fixture);
        let of = |kind: &str| {
            let answer = server.call("rr_history", json!({"expression": "racy", "kind": kind, "limit": 100}));
            answer["rows"].as_array().unwrap().clone()
        };
        let (writes, reads, both) = (of("write"), of("read"), of("access"));
        assert!(reads.iter().all(|row| row["access"] == "read" && row["old"] == row["new"]), "{reads:?}");
        let mut told: Vec<u64> = reads.iter().map(|row| row["line"].as_u64().unwrap()).collect();
        told.sort_unstable();
        let mut wanted = [line(source, "racy"), line(source, "racy"), line(source, "looked")];
        wanted.sort_unstable();
        assert_eq!(told, wanted, "{fixture}");
        // Both are told in their order, and what is read is what was written last.
        let mut value = json!("0");
        let (mut written, mut read) = (0, 0);
        for row in &both {
            assert_eq!(row["old"], value, "{fixture} {row}");
            value = row["new"].clone();
            read += usize::from(row["access"] == "read" || row["access"] == "read+write");
            written += usize::from(row["access"] != "read");
        }
        assert_eq!((written, read), (writes.len(), reads.len()), "{fixture}");
        for row in &reads {
            let stop = server.call("rr_goto", json!({"position": row["position"]}));
            assert_eq!((&stop["function"], &stop["line"]), (&row["function"], &row["line"]), "{row}");
            assert_eq!(server.evaluate("racy"), row["new"], "{row}");
        }
    }
}

#[test]
fn races_and_histories_are_asked_from_the_command_line() {
    let trace = recording("races").trace;
    let ask = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
        command.env("RETROGRADE_RR", rr().program()).arg("query").arg(words[0]).arg(&trace).args(&words[1..]);
        command.output().unwrap()
    };
    let told = ask(&["races", "--expression", "mixed", "--json"]);
    assert_eq!(told.status.code(), Some(0), "{}", String::from_utf8_lossy(&told.stderr));
    let first = told.stdout.split(|byte| *byte == b'\n').next().unwrap();
    let row: Value = serde_json::from_slice(first).unwrap();
    assert_eq!((&row["question"], row["trace"].as_str()), (&json!("races"), trace.to_str()));
    assert_eq!(told.stdout, ask(&["races", "--expression", "mixed", "--json"]).stdout);
    assert_eq!(ask(&["races", "--expression", "locked"]).status.code(), Some(3));
    assert_eq!(ask(&["races", "--expression", "no_such_thing"]).status.code(), Some(1));
    let reads = ask(&["history", "--expression", "racy", "--kind", "read", "--json"]);
    assert_eq!(String::from_utf8(reads.stdout).unwrap().lines().count(), 3);
}
