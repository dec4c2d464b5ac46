//! Watchpoints: who wrote, what was there before and after, both ways.

use crate::names::whose::replay_of;
use crate::support::fixtures::{built_by, line, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::record;
use serde_json::{Value, json};

#[track_caller]
fn check(stop: &Value, reason: &str, old: &str, new: &str, mark: &str) {
    assert_eq!(stop["reason"], reason, "{stop}");
    assert_eq!(stop["old_value"], old, "{stop}");
    assert_eq!(stop["new_value"], new, "{stop}");
    assert_eq!(stop["written_by"]["line"].as_u64(), Some(line("watch.c", mark)), "{stop}");
}

#[test]
fn every_change_of_a_global_forward_and_back() {
    let server = replaying("watch");
    server.run_to("main");
    let set = server.call("rr_watchpoint_set", json!({"expression": "counter"}));
    assert_eq!(set["type"], "hw watchpoint");
    assert_eq!(set["location"], "counter");
    for (old, new, mark) in [("1", "5", "bump"), ("5", "15", "bump"), ("15", "150", "three")] {
        let stop = server.call("rr_continue", json!({}));
        check(&stop, "watchpoint-trigger", old, new, mark);
        assert_eq!(stop["breakpoint_number"], set["number"]);
    }
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    for (old, new, mark) in [("15", "150", "three"), ("5", "15", "bump"), ("1", "5", "bump")] {
        let stop = server.call("rr_continue", json!({"reverse": true}));
        check(&stop, "watchpoint-trigger", old, new, mark);
        // Going back, the write has not happened yet.
        assert_eq!(server.evaluate("counter"), old);
    }
}

const X87: &str = "
long g;
volatile long double x = 1;
__attribute__((noinline)) void first(void) { x *= 3; }
__attribute__((noinline)) void second(void) { g += 1; }
__attribute__((noinline)) void third(void) { x /= 2; g += 2; }
int main(void) { first(); second(); third(); return (int)g - 3; }
";

/// The x87 unit says where its last instruction was executed: in translated code that is elsewhere each time.
#[test]
fn changes_are_found_after_the_x87_unit_was_used() {
    let server = replay_of(&built_by("gcc", "c", "watched_beside_x87", X87, &["-g", "-O1"]));
    server.run_to("main");
    server.call("rr_watchpoint_set", json!({"expression": "g"}));
    let change = |stop: &Value| {
        let text = |field: &str| stop[field].as_str().unwrap_or_default().to_owned();
        let writer = stop["written_by"]["function"].as_str().unwrap_or_default().to_owned();
        (text("old_value"), text("new_value"), writer)
    };
    let expected = [("0", "1", "second"), ("1", "3", "third")];
    let expected = expected.map(|(old, new, writer)| (old.to_owned(), new.to_owned(), writer.to_owned()));
    let forward = [json!({}), json!({})].map(|go| change(&server.call("rr_continue", go)));
    assert_eq!(forward, expected);
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    let back = [json!({"reverse": true}), json!({"reverse": true})].map(|go| change(&server.call("rr_continue", go)));
    assert_eq!(back, [expected[1].clone(), expected[0].clone()]);
}

#[test]
fn a_local_is_pinned_to_its_address() {
    let server = replaying("watch");
    server.run_to("local_changes");
    server.call("rr_watchpoint_set", json!({"expression": "local"}));
    let garbage = server.evaluate("local");
    check(&server.call("rr_continue", json!({})), "watchpoint-trigger", &garbage, "70", "local-init");
    check(&server.call("rr_continue", json!({})), "watchpoint-trigger", "70", "75", "local-first");
    check(&server.call("rr_continue", json!({})), "watchpoint-trigger", "75", "150", "local-second");
}

#[test]
fn reads_and_accesses() {
    let server = replaying("watch");
    server.run_to("main");
    let set = server.call("rr_watchpoint_set", json!({"expression": "other", "access_type": "access"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "access-watchpoint-trigger");
    assert_eq!(stop["new_value"], "5");
    let removed = server.text("rr_breakpoint_remove", json!({"breakpoint_number": set["number"]}));
    assert_eq!(removed, format!("deleted watchpoint {}", set["number"]));
    let said = server.fail("rr_breakpoint_remove", json!({"breakpoint_number": set["number"]}));
    assert_eq!(said, format!("no breakpoint or watchpoint {}: there are none", set["number"]));
    server.call("rr_watchpoint_set", json!({"expression": "counter", "access_type": "read"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "read-watchpoint-trigger");
    let said = server.fail("rr_watchpoint_set", json!({"expression": "other", "access_type": "sideways"}));
    assert!(said.contains("read") && said.contains("write") && said.contains("access"), "{said}");
}

/// `addl $5, -4(%rbp)`: what it writes is not what it has read.
#[test]
fn an_instruction_that_reads_what_it_writes_is_a_read() {
    let server = replaying("watch");
    server.run_to(&format!("watch.c:{}", line("watch.c", "local-first")));
    server.call("rr_watchpoint_set", json!({"expression": "local", "access_type": "read"}));
    let read = |reverse: bool| {
        let stop = server.call("rr_continue", json!({"reverse": reverse}));
        (stop["reason"].as_str().unwrap().to_owned(), stop["new_value"].as_str().map(str::to_owned))
    };
    let at = |value: &str| ("read-watchpoint-trigger".to_owned(), Some(value.to_owned()));
    assert_eq!([read(false), read(false), read(false)], [at("75"), at("150"), at("150")]);
    assert_eq!([read(true), read(true)], [at("150"), at("75")]);
}

#[test]
fn conditions_and_the_limit_of_the_hardware() {
    let server = replaying("watch");
    server.run_to("main");
    let set = server.call("rr_watchpoint_set", json!({"expression": "counter", "condition": "counter == 15"}));
    check(&server.call("rr_continue", json!({})), "watchpoint-trigger", "5", "15", "bump");
    server.call("rr_breakpoint_remove", json!({"breakpoint_number": set["number"]}));
    for _ in 0..4 {
        server.call("rr_watchpoint_set", json!({"expression": "counter"}));
    }
    let said = server.fail("rr_watchpoint_set", json!({"expression": "other"}));
    assert!(said.contains('4'), "{said}");
    let said = server.fail("rr_watchpoint_set", json!({"expression": "counter + 1"}));
    assert!(said.contains("counter + 1") && said.contains("memory"), "{said}");
}

#[test]
fn a_condition_that_names_locals_is_tested_in_the_frame_of_their_function() {
    let server = replaying("spin");
    server.run_to(&format!("spin.c:{}", line("spin.c", "call")));
    // Written by the function that `main` calls, which has no `i`.
    let set = server.call("rr_watchpoint_set", json!({"expression": "turned", "condition": "i == 7"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(
        (&stop["function"], &stop["old_value"], &stop["new_value"]),
        (&json!("turn"), &json!("21"), &json!("28"))
    );
    assert_eq!(stop.get("notes"), None, "{stop}");
    server.call("rr_breakpoint_remove", json!({"breakpoint_number": set["number"]}));

    let server = replaying("watch");
    server.run_to("bump");
    server.call("rr_watchpoint_set", json!({"expression": "counter", "condition": "by == 10"}));
    check(&server.call("rr_continue", json!({})), "watchpoint-trigger", "5", "15", "bump");
    // Where there is no such frame, nothing can be tested, and nothing is skipped.
    let stop = server.call("rr_continue", json!({}));
    check(&stop, "watchpoint-trigger", "15", "150", "three");
    let note = "condition `by == 10` of watchpoint 2: it names variables of `bump`, which is not among the thread's 1000 \
                innermost frames";
    assert_eq!(stop["notes"], json!([note]));
}

/// A C++ reference is the object that it refers to: that is watched, and has the address.
#[test]
fn what_a_reference_refers_to_is_watched() {
    let server = replaying("references");
    let written = |stop: &Value| stop["written_by"]["line"].as_u64();
    server.run_to("bump");
    server.call("rr_watchpoint_set", json!({"expression": "slot"}));
    server.call("rr_watchpoint_set", json!({"expression": "sum"}));
    for (old, new, mark) in [("1", "6", "slot"), ("{total = 0}", "{total = 5}", "sum")] {
        let stop = server.call("rr_continue", json!({}));
        assert_eq!((&stop["old_value"], &stop["new_value"]), (&json!(old), &json!(new)), "{stop}");
        assert_eq!(written(&stop), Some(line("references.cpp", mark)), "{stop}");
    }
    let server = replaying("references");
    server.run_to(&format!("references.cpp:{}", line("references.cpp", "end")));
    let (reference, object) = ("view", "cells[1]");
    let address = |text| server.call("rr_evaluate", json!({"expression": text}))["address"].clone();
    assert!(address(reference).is_string());
    assert_eq!(address(reference), address(object));
    server.call("rr_watchpoint_set", json!({"expression": reference}));
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((&stop["old_value"], &stop["new_value"]), (&json!("2"), &json!("9")), "{stop}");
    assert_eq!(written(&stop), Some(line("references.cpp", "slot")), "{stop}");
}

#[test]
fn a_condition_means_the_locals_that_were_in_scope_when_it_was_set() {
    let server = replaying("shadowed_condition");
    server.run_to(&format!("shadowed_condition.c:{}", line("shadowed_condition.c", "loop")));
    server.call("rr_watchpoint_set", json!({"expression": "watched", "condition": "i == 1234"}));
    // Not the global of that name, which would make it true without a word.
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["written_by"]["line"].as_u64(), Some(line("shadowed_condition.c", "behind")), "{stop}");
    let note = stop["notes"][0].as_str().unwrap();
    assert!(note.contains("`i == 1234`") && note.contains("not in scope here"), "{note}");
    // What names no locals means none of them anywhere.
    let server = replaying("shadowed_condition");
    server.run_to("main");
    server.call("rr_watchpoint_set", json!({"expression": "watched", "condition": "i + (int)sizeof(char) == 3"}));
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
}

#[test]
fn an_instruction_that_matters_belongs_to_the_function_that_begins_with_it() {
    let server = replaying("inline_fault");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["signal_name"], &stop["function"]), (&json!("SIGSEGV"), &json!("store")), "{stop}");
    assert_eq!(server.evaluate("to"), "(volatile int *) 0x10");
    let call = server.call("rr_select_frame", json!({"frame_level": 1}));
    assert_eq!(
        (&call["frame"]["function"], server.evaluate("where").as_str()),
        (&json!("write_to"), "(volatile int *) 0x10")
    );
    server.call("rr_watchpoint_set", json!({"expression": "sink"}));
    for (function, mark) in [("write_to", ""), ("store", "store")] {
        let stop = server.call("rr_continue", json!({"reverse": true}));
        assert_eq!(
            (&stop["function"], &stop["written_by"]["function"]),
            (&json!(function), &json!(function)),
            "{stop}"
        );
        if !mark.is_empty() {
            assert_eq!(stop["line"].as_u64(), Some(line("inline_fault.c", mark)), "{stop}");
        }
    }
    // Nobody has selected another frame since.
    assert_eq!(server.evaluate("to"), "(volatile int *) ".to_owned() + &server.evaluate("&sink")[17..]);
}

#[test]
fn from_a_crash_back_to_the_write_that_caused_it() {
    let server = replaying("crash");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "signal-received");
    assert_eq!(stop["signal_name"], "SIGSEGV");
    assert_eq!(stop["signal_meaning"], "Segmentation fault");
    assert_eq!(stop["line"].as_u64(), Some(line("crash.c", "crash")));
    assert_eq!(server.evaluate("n"), "(const struct node *) 0x10");
    server.call("rr_watchpoint_set", json!({"expression": "middle.next"}));
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(stop["reason"], "watchpoint-trigger", "{stop}");
    assert_eq!(stop["new_value"], "(struct node *) 0x10");
    assert_eq!(stop["function"], "cut");
    assert_eq!(stop["written_by"]["line"].as_u64(), Some(line("crash.c", "cut")));
    assert_eq!(
        server.evaluate("*n"),
        "{value = 2, next = 0x".to_owned()
            + &server.evaluate("(unsigned long)&last").parse::<u64>().map(|a| format!("{a:x} <last>}}")).unwrap()
    );
}

#[test]
fn a_condition_counts_where_another_watchpoint_has_stopped() {
    let server = replaying("watch");
    server.run_to("main");
    let asked = [json!({"expression": "counter", "condition": "counter == 15"}), json!({"expression": "counter"})];
    let [chosen, every] = asked.map(|arguments| server.call("rr_watchpoint_set", arguments)["number"].clone());
    for (old, new, mark, number) in
        [("1", "5", "bump", &every), ("5", "15", "bump", &chosen), ("15", "150", "three", &every)]
    {
        let stop = server.call("rr_continue", json!({}));
        check(&stop, "watchpoint-trigger", old, new, mark);
        assert_eq!(stop["breakpoint_number"], *number, "{stop}");
    }
    let list = server.call("rr_breakpoint_list", json!({}));
    let hits = |index: usize| list["result"][index]["hits"].clone();
    assert_eq!([hits(0), hits(1)], [json!(1), json!(3)], "{list}");
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    for (old, new, mark, number) in
        [("15", "150", "three", &every), ("5", "15", "bump", &chosen), ("1", "5", "bump", &every)]
    {
        let stop = server.call("rr_continue", json!({"reverse": true}));
        check(&stop, "watchpoint-trigger", old, new, mark);
        assert_eq!(stop["breakpoint_number"], *number, "{stop}");
    }
}

#[test]
fn a_stop_says_whose_the_watched_memory_is_if_it_is_not_the_watched_ones() {
    let server = replaying("owners");
    server.run_to("first");
    let set = server.call("rr_watchpoint_set", json!({"expression": "local"}));
    let (number, address) = (&set["number"], server.evaluate("&local"));
    let address = &address[address.find("0x").unwrap()..];
    let go = |reverse: bool| {
        let stop = server.call("rr_continue", json!({"reverse": reverse}));
        let note = stop["notes"].as_array().and_then(|notes| notes.first()).and_then(Value::as_str).map(str::to_owned);
        (stop["reason"].as_str().unwrap().to_owned(), stop["written_by"]["line"].as_u64(), note)
    };
    let written =
        |mark: &str, note: Option<String>| ("watchpoint-trigger".to_owned(), Some(line("owners.c", mark)), note);
    let the_call = format!("watchpoint {number}: the call of `first` that has `local`");
    let ended = format!("{the_call} has ended here; the memory at {address} is something else's");
    assert_eq!(go(false), written("local", None));
    assert_eq!(go(false), written("again", None));
    assert_eq!(go(false), written("other", Some(ended.clone())));
    // From behind it, it is told again.
    server.call("rr_next", json!({}));
    assert_eq!(go(true), written("other", Some(ended)));
    assert_eq!(go(true), written("again", None));
    assert_eq!(go(true), written("local", None));
    // What has used the stack before is start-up code without lines.
    let begun = loop {
        let stop = go(true);
        if stop.0 == "start-of-recording" {
            break stop;
        }
        let note = format!("{the_call} has not begun here; the memory at {address} is something else's");
        assert_eq!(stop, ("watchpoint-trigger".to_owned(), None, Some(note)));
    };
    assert_eq!(begun.2, Some(format!("{the_call} has not begun here")));
}

#[test]
fn a_stop_says_that_an_allocator_has_written_to_watched_memory() {
    let server = replaying("owners");
    server.run_to(&format!("owners.c:{}", line("owners.c", "free")));
    server.call("rr_watchpoint_set", json!({"expression": "*one"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["old_value"], "5", "{stop}");
    let note = stop["notes"][0].as_str().unwrap();
    assert!(note.contains("this may be no value of `*one`; from here on, its memory is something else's"), "{note}");
    // The program's own write is one of its own.
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((&stop["new_value"], stop.get("notes")), (&json!("5"), None), "{stop}");
}

#[test]
fn an_allocator_that_keeps_its_list_in_a_watched_object_stops_once() {
    let server = replaying("owners");
    let reasons = |reverse: bool| -> Vec<String> {
        let mut reasons = Vec::new();
        loop {
            let stop = server.call("rr_continue", json!({"reverse": reverse}));
            let by = stop["writer"]["function"].as_str().or(stop["frame"]["function"].as_str()).unwrap_or_default();
            match stop["reason"].as_str().unwrap() {
                "watchpoint-trigger" if by == "main" => reasons.push("main".to_owned()),
                "watchpoint-trigger" => {
                    assert!(stop["notes"].to_string().contains("this may be no value of"), "{stop}");
                    reasons.push("allocator".to_owned());
                }
                _ => return reasons,
            }
        }
    };
    server.run_to(&format!("owners.c:{}", line("owners.c", "one")));
    // glibc keeps two words in what is free: the next one of the list, and a key.
    let set = server.call("rr_watchpoint_set", json!({"expression": "*(long (*)[3]) one"}));
    assert_eq!(reasons(false), ["main", "allocator"], "{set}");
    assert_eq!(reasons(true)[..2], ["allocator", "main"]);
}

/// An allocator of its own that counts, and a signal handler on a stack that is a local of `main`.
const OWNERS: &str = "#include <signal.h>
#include <cstdlib>
static long count;
void *operator new(size_t n) { count++; return std::malloc(n); }
static volatile int *shared;
static void handler(int) { *shared = 2; }
__attribute__((noinline)) static int first() {
    volatile int local = 1;
    shared = &local;
    raise(SIGUSR1);
    return local;
}
int main() {
    char stack[65536];
    stack_t other = {};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    sigaltstack(&other, 0);
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    sigaction(SIGUSR1, &action, 0);
    int *made = new int(3);
    return first() + *made;
}
";

#[test]
fn a_stop_says_nothing_of_an_image_and_of_a_frame_under_another_stack() {
    let directory = scratch().join("watched-owners");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("owned.cc"), OWNERS).unwrap();
    let arguments = ["-g", "-O0", "-o", "owned", "owned.cc"];
    assert!(std::process::Command::new("g++").args(arguments).current_dir(&directory).status().unwrap().success());
    let server = Server::start();
    server.replay(&record(&directory.join("owned"), &[], &directory).trace);
    server.run_to("main");
    server.call("rr_watchpoint_set", json!({"expression": "count"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["new_value"], stop.get("notes")), (&json!("1"), None), "{stop}");
    server.run_to("owned.cc:10");
    server.call("rr_watchpoint_set", json!({"expression": "local"}));
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGUSR1");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["new_value"], stop.get("notes")), (&json!("2"), None), "{stop}");
}

#[test]
fn memory_that_is_unmapped_now_is_watched_where_it_was_mapped() {
    let server = replaying("unmapped");
    server.call("rr_continue", json!({}));
    let set = server.call("rr_watchpoint_set", json!({"expression": "*where"}));
    assert!(set["note"].as_str().unwrap().contains("is not mapped at this moment"), "{set}");
    let go = |reverse: bool| {
        let mut met = Vec::new();
        loop {
            let stop = server.call("rr_continue", json!({"reverse": reverse}));
            if stop["reason"] != "watchpoint-trigger" {
                assert!(!stop["notes"].to_string().contains("unreported"), "{stop}");
                return met;
            }
            let text = |key: &str| stop[key].as_str().unwrap_or("none").to_owned();
            met.push((text("function"), text("old_value"), text("new_value")));
        }
    };
    let change = |function: &str, old: &str, new: &str| (function.to_owned(), old.to_owned(), new.to_owned());
    let back = go(true);
    // The mapping itself comes and goes, too, also that of others who had the address before.
    let (function, ..) = &back[0];
    assert_eq!(function.trim_start_matches("__GI_"), "munmap", "{back:?}");
    assert_eq!((&*back[0].1, &*back[0].2), ("6", "none"), "{back:?}");
    assert_eq!(back[1..3], [change("fill", "5", "6"), change("fill", "0", "5")]);
    assert!(back[3..].iter().all(|(function, ..)| function != "fill"), "{back:?}");
    let forward = go(false);
    assert!(forward.contains(&change("fill", "0", "5")) && forward.contains(&change("fill", "5", "6")), "{forward:?}");
    let unmapped = server.call("rr_continue", json!({"reverse": true}));
    assert!(unmapped["notes"].to_string().contains("`*where` cannot be read behind this"), "{unmapped}");
    let last = server.call("rr_last_write", json!({"expression": "*where"}));
    assert_eq!((&last["write"]["old"], &last["write"]["new"]), (&json!("5"), &json!("6")), "{last}");
    // Where nothing is ever mapped, nothing is watched.
    let said = server.fail("rr_watchpoint_set", json!({"expression": "*(long *)8"}));
    assert!(said.contains("nothing is ever mapped there"), "{said}");
}

#[test]
fn each_byte_that_rr_copies_by_itself_is_said_to_be_a_part() {
    let server = replaying("between_events");
    server.run_to(&format!("between_events.c:{}", line("between_events.c", "sets")));
    server.call("rr_watchpoint_set", json!({"expression": "text"}));
    let go = |reverse: bool| {
        let mut told = Vec::new();
        loop {
            let stop = server.call("rr_continue", json!({"reverse": reverse}));
            if stop["reason"] != "watchpoint-trigger" {
                return told;
            }
            let notes = stop["notes"].to_string();
            told.push((
                stop["new_value"].as_str().unwrap().to_owned(),
                notes.contains("is written byte by byte, by rr"),
            ));
        }
    };
    let back = go(true);
    assert!(back.len() == 5 && back.iter().all(|(_, is_part)| *is_part), "{back:?}");
    assert!(back[0].0.starts_with("\"hello") && back[4].0.starts_with("\"h\\000"), "{back:?}");
    let forward = go(false);
    let values = |told: &[(String, bool)]| told.iter().map(|(value, _)| value.clone()).collect::<Vec<_>>();
    assert!(values(&forward).into_iter().rev().eq(values(&back)), "{forward:?}");
    // Behind the last one all is there.
    assert!(forward[..4].iter().all(|(_, is_part)| *is_part) && !forward[4].1, "{forward:?}");
}

#[test]
fn a_position_in_rrs_own_code_is_said_to_be_there() {
    let server = replaying("between_events");
    server.run_to(&format!("between_events.c:{}", line("between_events.c", "sets")));
    let history = server.call("rr_history", json!({"expression": "text"}));
    let row = &history["rows"].as_array().unwrap()[0];
    assert!(row["by"].as_str().unwrap().starts_with("rr's library"), "{history}");
    let stop = server.call("rr_goto", json!({"position": row["position"]}));
    assert!(stop["notes"].to_string().contains("is in rr's own code"), "{stop}");
}
