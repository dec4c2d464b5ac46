//! Breakpoints that are changed after they were set, and those that count for one thread only.

use crate::support::fixtures::{line, program};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::recording_of;
use serde_json::{Value, json};

fn body() -> String {
    format!("stepping.c:{}", line("stepping.c", "body"))
}

fn update(server: &Server, change: Value) -> Value {
    server.call("rr_breakpoint_update", change)
}

#[test]
fn what_is_disabled_is_passed_by_in_both_directions() {
    let server = replaying("stepping");
    server.call("rr_breakpoint_set", json!({"location": body()}));
    server.call("rr_breakpoint_set", json!({"location": "half"}));
    let off = update(&server, json!({"breakpoint_number": 1, "enabled": false}));
    assert_eq!((&off["enabled"], &off["verified"], &off["hits"]), (&json!(false), &json!(true), &json!(0)));
    assert_eq!(server.call("rr_continue", json!({}))["function"], "half");
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    let on = update(&server, json!({"breakpoint_number": 1, "enabled": true}));
    assert_eq!(on["enabled"], true);
    update(&server, json!({"breakpoint_number": 2, "enabled": false}));
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!((&stop["breakpoint_number"], stop["line"].as_u64()), (&json!(1), Some(line("stepping.c", "body"))));
    let text = server.text("rr_breakpoint_list", json!({}));
    assert!(text.contains("2 breakpoint half, disabled, 1 hit, "), "{text}");
}

#[test]
fn conditions_and_counts_are_changed_alone() {
    let server = replaying("stepping");
    server.call("rr_breakpoint_set", json!({"location": body(), "ignore_count": 1}));
    let changed = update(&server, json!({"breakpoint_number": 1, "condition": "i == 2"}));
    assert_eq!((&changed["condition"], &changed["ignore_count"]), (&json!("i == 2"), &json!(1)));
    let changed = update(&server, json!({"breakpoint_number": 1, "ignore_count": 0}));
    assert_eq!((&changed["condition"], changed.get("ignore_count")), (&json!("i == 2"), None));
    server.call("rr_continue", json!({}));
    assert_eq!(server.evaluate("i"), "2");
    // What is refused changes nothing.
    let bad = json!({"breakpoint_number": 1, "condition": "nosuch == 1", "enabled": false, "ignore_count": 7});
    assert!(server.fail("rr_breakpoint_update", bad).contains("nosuch"));
    let listed = server.call("rr_breakpoint_list", json!({}))["result"][0].clone();
    assert_eq!((&listed["enabled"], &listed["condition"]), (&json!(true), &json!("i == 2")));
    assert_eq!(listed.get("ignore_count"), None);
    let changed = update(&server, json!({"breakpoint_number": 1, "condition": ""}));
    assert_eq!(changed.get("condition"), None);
    server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(server.evaluate("i"), "1");
    let said = server.fail("rr_breakpoint_update", json!({"breakpoint_number": 7}));
    assert_eq!(said, "no breakpoint or watchpoint 7: there is only 1");
}

#[test]
fn a_watchpoint_gives_its_registers_back_while_it_is_disabled() {
    let server = replaying("watch");
    server.run_to("main");
    for _ in 0..4 {
        server.call("rr_watchpoint_set", json!({"expression": "counter"}));
    }
    assert!(server.fail("rr_watchpoint_set", json!({"expression": "counter"})).contains("debug registers"));
    let number = json!({"breakpoint_number": 2, "enabled": false});
    assert_eq!(update(&server, number)["enabled"], false);
    server.call("rr_watchpoint_set", json!({"expression": "counter"}));
    let said = server.fail("rr_breakpoint_update", json!({"breakpoint_number": 2, "enabled": true}));
    assert!(said.contains("all of the processor's 4 debug registers are taken"), "{said}");
}

#[test]
fn a_breakpoint_for_one_thread_passes_the_others_by() {
    let server = replaying("threads");
    server.run_to("main");
    let add = format!("threads.c:{}", line("threads.c", "add"));
    server.call("rr_breakpoint_set", json!({"location": add, "condition": "by == 100"}));
    let second = server.call("rr_continue", json!({}))["thread"].clone();
    server.call("rr_breakpoint_remove", json!({"breakpoint_number": 2}));
    let set = server.call("rr_breakpoint_set", json!({"location": add, "thread": second}));
    assert_eq!(set["thread"], second);
    // Two more additions of it, none of the other's; and all three of it on the way back.
    for values in [["100", "100"].as_slice(), &["100", "100", "100"]] {
        let reverse = values.len() == 3;
        for value in values {
            let stop = server.call("rr_continue", json!({"reverse": reverse}));
            assert_eq!((&stop["reason"], &stop["thread"]), (&json!("breakpoint-hit"), &second), "{stop}");
            assert_eq!(server.evaluate("by"), *value);
        }
        let end = server.call("rr_continue", json!({"reverse": reverse}))["reason"].clone();
        assert_eq!(end, if reverse { "start-of-recording" } else { "end-of-recording" });
    }
    let list = server.call("rr_breakpoint_list", json!({}))["result"].clone();
    assert_eq!(list[0]["hits"], 5);
    assert!(server.fail("rr_breakpoint_set", json!({"location": add, "thread": 99})).starts_with("no thread 99"));
    let any = update(&server, json!({"breakpoint_number": 3, "thread": ""}));
    assert_eq!(any.get("thread"), None);
}

#[test]
fn the_console_limits_and_changes_them_too() {
    let server = replaying("threads");
    let say = |lines: &[&str]| server.text("rr_command", json!({"command": lines.join("\n")}));
    server.run_to("main");
    say(&["break adder thread 1", "disable 2", "ignore 2 3", "condition 2 by == 100"]);
    let table = say(&["info breakpoints"]);
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[1].starts_with("2       breakpoint     keep n   0x"), "{table}");
    let rest = ["\tstop only if by == 100", "\tstop only in thread 1", "\tignore next 3 hits"];
    assert_eq!(rows[2..], rest, "{table}");
    assert!(say(&["enable 2", "continue"]).contains("received signal SIGKILL"), "thread 1 never adds");
}

#[test]
fn a_pending_breakpoint_says_what_it_waits_for_until_it_binds() {
    let plugin = program("libplugin.so");
    let recording = recording_of("dlopen", &[plugin.to_str().unwrap()]);
    let server = Server::start();
    server.replay(&recording.trace);
    server.run_to("main");
    let set = server.call("rr_breakpoint_set", json!({"location": "plugin_entry", "pending": true}));
    assert_eq!((&set["verified"], &set["pending"]), (&json!(false), &json!(true)));
    let note = set["note"].as_str().unwrap();
    assert!(note.starts_with("pending: no function `plugin_entry` in dlopen, "), "{note}");
    assert_eq!(server.call("rr_continue", json!({}))["function"], "plugin_entry");
    let bound = server.call("rr_breakpoint_list", json!({}))["result"][0].clone();
    assert_eq!((&bound["verified"], bound.get("pending"), bound.get("note")), (&json!(true), None, None));
    // Before the library is loaded it waits again.
    server.call("rr_continue", json!({"reverse": true}));
    let waits = server.call("rr_breakpoint_list", json!({}))["result"][0].clone();
    assert_eq!(waits["verified"], false);
    assert!(waits["note"].as_str().unwrap().starts_with("pending: "), "{waits}");
}

#[test]
fn a_thread_is_found_by_its_name_if_no_other_has_it() {
    let server = replaying("threads");
    server.run_to("main");
    assert_eq!(server.call("rr_thread_select", json!({"thread_id": "threads"}))["result"], 1);
    server.run_to(&format!("threads.c:{}", line("threads.c", "join-a")));
    let said = server.fail("rr_thread_select", json!({"thread_id": "threads"}));
    assert!(said.starts_with("no thread threads: there are 1 (") && said.contains(" threads), 2 ("), "{said}");
    let said = server.fail("rr_thread_select", json!({"thread_id": "worker"}));
    assert!(said.starts_with("no thread worker: there are 1 ("), "{said}");
}

#[test]
fn conditions_and_log_texts_that_are_changed_count_where_they_mean_something() {
    let server = replaying("recursion");
    let set = server.call("rr_breakpoint_set", json!({"location": "^(down|main)$", "regex": true}));
    assert_eq!(set["places"].as_array().map(Vec::len), Some(2), "{set}");
    // `n` is an argument of `down` alone, and so in one of the two places, whichever comes first.
    for change in [json!({"log": "n is {n}"}), json!({"condition": "n == 3"})] {
        let mut wanted = json!({"breakpoint_number": 1, "log": "", "condition": ""});
        wanted.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let changed = update(&server, wanted);
        assert_eq!((changed.get("places"), &changed["function"]), (None, &json!("down")), "{changed}");
        assert!(changed["note"].as_str().unwrap().contains("1 of 2 locations are left out, such as 0x"), "{changed}");
    }
    server.call("rr_continue", json!({}));
    assert_eq!(server.evaluate("n"), "3");
    let said = server.fail("rr_breakpoint_update", json!({"breakpoint_number": 1, "log": "{nosuch}"}));
    assert!(said.contains("nosuch"), "{said}");
    let changed = update(&server, json!({"breakpoint_number": 1, "condition": ""}));
    assert_eq!(changed["places"].as_array().map(Vec::len), Some(2), "{changed}");
    assert!(!changed["note"].to_string().contains("left out"), "{changed}");
}
