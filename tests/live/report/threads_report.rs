//! Who waits for whom, against what the programs write down themselves.

use crate::support::fixtures::{line, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::recording_of;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

/// A session where all threads wait, and who has and who wants what.
struct Stuck {
    server: Server,
    report: Value,
    has: BTreeMap<String, u64>,
    wants: BTreeMap<u64, String>,
    joins: Option<(u64, u64)>,
}

fn stuck(name: &str) -> Stuck {
    let log = scratch().join(format!("{name} waits.log"));
    let recording = recording_of(name, &[log.to_str().unwrap()]);
    let server = Server::start();
    server.replay(&recording.trace);
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGABRT", "{name}: {stop}");
    let before = server.call("rr_when", json!({}));
    let report = server.call("rr_threads_report", json!({}));
    assert_eq!(server.call("rr_when", json!({})), before, "nothing has moved");
    let (mut has, mut wants, mut joins) = (BTreeMap::new(), BTreeMap::new(), None);
    for line in fs::read_to_string(&log).unwrap().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let tid = words[1].parse().unwrap();
        match words[0] {
            "has" => {
                has.insert(words[2].to_owned(), tid);
                wants.remove(&tid);
            }
            "wants" => drop(wants.insert(tid, words[2].to_owned())),
            _ => joins = Some((tid, words[2].parse().unwrap())),
        }
    }
    Stuck { server, report, has, wants, joins }
}

fn tid(id: &Value) -> u64 {
    id.as_str().unwrap_or_else(|| panic!("{id}")).split_once('.').unwrap().1.parse().unwrap()
}

impl Stuck {
    fn thread(&self, id: u64) -> &Value {
        let threads = self.report["threads"].as_array().unwrap();
        threads.iter().find(|thread| tid(&thread["thread"]) == id).unwrap_or_else(|| panic!("{:#}", self.report))
    }

    /// The threads that wait for each other, by the program's own words.
    fn circle(&self) -> Vec<u64> {
        let has: Vec<u64> = self.has.values().copied().collect();
        let mut both: Vec<u64> = self.wants.keys().copied().filter(|tid| has.contains(tid)).collect();
        both.sort_unstable();
        both
    }

    fn deadlocks(&self) -> Vec<Vec<u64>> {
        let circles = self.report["deadlocks"].as_array().unwrap();
        let sorted = circles.iter().map(|circle| {
            let mut circle: Vec<u64> = circle.as_array().unwrap().iter().map(tid).collect();
            circle.sort_unstable();
            circle
        });
        sorted.collect()
    }

    /// The functions and lines on the stack at a position.
    fn stack_at(&self, place: &Value) -> Vec<(String, u64)> {
        self.server.call("rr_goto", json!({"position": place["position"]}));
        let stack = self.server.call("rr_backtrace", json!({}));
        let frames = stack["result"].as_array().or(stack["frames"].as_array()).unwrap();
        let told = frames.iter().map(|frame| {
            (frame["function"].as_str().unwrap_or_default().to_owned(), frame["line"].as_u64().unwrap_or_default())
        });
        told.collect()
    }
}

#[test]
fn each_thread_of_a_c_program_waits_for_what_it_says() {
    for name in ["waits", "waits-O2"] {
        let stuck = stuck(name);
        for (id, what) in &stuck.wants {
            let thread = stuck.thread(*id);
            let wait = &thread["waits_for"];
            assert_eq!(thread["call"], "futex", "{thread}");
            let kind = match what.as_str() {
                "table" => "rwlock",
                "ready" => "condition",
                _ => "mutex",
            };
            assert_eq!(wait["kind"], kind, "{name} {thread:#}");
            // Of optimised code a variable may be nowhere.
            if name == "waits" || !what.contains("->") {
                assert_eq!(wait["name"], **what, "{name} {thread:#}");
            }
            if kind != "condition" {
                assert_eq!(tid(&wait["owner"]), stuck.has[what], "{name} {thread:#}");
            } else {
                assert!(wait["owner"].is_null() && wait["owner_unknown"].is_null(), "{thread}");
            }
        }
        let (joining, joined) = stuck.joins.unwrap();
        let wait = &stuck.thread(joining)["waits_for"];
        assert_eq!((&wait["kind"], tid(&wait["owner"])), (&json!("join"), joined), "{name} {wait}");
        assert_eq!(stuck.deadlocks(), [stuck.circle()], "{name}: {:#}", stuck.report);
        // Where they were taken, and asked for.
        let marks = [("first", "first-taken", "account-wanted"), ("account->lock", "account-taken", "first-wanted")];
        for (lock, taken, wanted) in marks {
            let owner = stuck.has[lock];
            let (waiting, _) = stuck.wants.iter().find(|(_, what)| *what == lock).unwrap();
            let since = &stuck.thread(*waiting)["waits_for"]["owned_since"];
            assert_eq!(since["line"].as_u64(), Some(line("waits.c", taken)), "{name} {since}");
            let frames = stuck.stack_at(since);
            assert!(frames.iter().any(|(_, at)| *at == line("waits.c", taken)), "{name} {frames:?}");
            assert_eq!(tid(&stuck.server.call("rr_when", json!({}))["thread"]), owner);
            let asked = &stuck.thread(owner)["waits_for"]["asked_at"];
            assert_eq!(asked["line"].as_u64(), Some(line("waits.c", wanted)), "{name} {asked}");
        }
    }
}

#[test]
fn mutexes_of_cxx_and_rust_are_recognised() {
    for name in ["waits-cxx", "waits-rust"] {
        let stuck = stuck(name);
        assert_eq!(stuck.wants.len(), if name == "waits-cxx" { 3 } else { 2 });
        for (id, what) in &stuck.wants {
            let wait = &stuck.thread(*id)["waits_for"];
            let (kind, ty) = if name == "waits-cxx" { ("mutex", "std::mutex") } else { ("rust-mutex", "Mutex<i32>") };
            assert_eq!(wait["kind"], kind, "{name} {wait}");
            assert!(wait["type"].as_str().is_some_and(|found| found.contains(ty)), "{name} {wait}");
            assert_eq!(tid(&wait["owner"]), stuck.has[what], "{name} {wait}");
            let shown = wait["name"].as_str().unwrap();
            // A pointer, a reference and a smart pointer lead to it; of Rust's, the other one has no name of its own in
            // the function that waits.
            match name {
                "waits-cxx" => assert_eq!(shown, what, "{wait}"),
                _ => assert!(shown.ends_with(what.as_str()) || shown == "*lock", "{wait}"),
            }
            let frames = stuck.stack_at(&wait["owned_since"]);
            let takes = if name == "waits-cxx" { &["forth", "back"][..] } else { &["waits::taken"] };
            let is_there = |(function, _): &(String, u64)| takes.iter().any(|taking| function.starts_with(taking));
            assert!(frames.iter().any(is_there), "{name} {frames:?}");
        }
        assert_eq!(stuck.deadlocks(), [stuck.circle()], "{name}: {:#}", stuck.report);
        let text = stuck.server.text("rr_threads_report", json!({}));
        assert!(!text.contains("deadlock:"), "not where one of them was taken: {text}");
    }
}

#[test]
fn a_program_that_computes_waits_for_nothing() {
    let server = Server::start();
    server.replay(&recording_of("written_by", &[]).trace);
    server.run_to("main");
    let report = server.call("rr_threads_report", json!({}));
    let threads = report["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 1);
    assert!(threads[0]["waits_for"].is_null() && threads[0]["call"].is_null(), "{report}");
    assert_eq!(report["deadlocks"], json!([]));
}
