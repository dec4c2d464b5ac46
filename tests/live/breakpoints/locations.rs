//! Breakpoints by function, line and address; conditions, counts, pending ones.

use crate::support::fixtures::{line, program};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::recording_of;
use serde_json::json;

fn at(file: &str, mark: &str) -> String {
    format!("{file}:{}", line(file, mark))
}

#[test]
fn by_function_line_and_address() {
    let server = replaying("stepping");
    let by_name = server.call("rr_breakpoint_set", json!({"location": "twice"}));
    assert_eq!(by_name["number"], 1);
    assert_eq!(by_name["type"], "breakpoint");
    assert_eq!(by_name["location"], "twice");
    assert_eq!(by_name["file"].as_str().map(|f| f.ends_with("stepping.c")), Some(true));
    assert_eq!(by_name["line"].as_u64(), Some(line("stepping.c", "twice-body")));
    let by_line = server.call("rr_breakpoint_set", json!({"location": at("stepping.c", "twice-return")}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["breakpoint_number"], 1);
    assert_eq!(stop["pc"], by_name["address"]);
    let by_address =
        server.call("rr_breakpoint_set", json!({"location": format!("*{}", by_name["address"].as_str().unwrap())}));
    assert_eq!(by_address["address"], by_name["address"]);
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["breakpoint_number"], by_line["number"]);
    // The second call of twice: two breakpoints at one address, the lower number is named.
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["breakpoint_number"], 1);
    let list = server.call("rr_breakpoint_list", json!({}));
    let hits: Vec<_> = list["result"].as_array().unwrap().iter().map(|b| b["hits"].as_u64().unwrap()).collect();
    assert_eq!(hits, [2, 1, 1]);
}

#[test]
fn a_line_without_code_is_bound_to_the_next_and_says_so() {
    let server = replaying("stepping");
    let asked = line("stepping.c", "twice") - 1;
    let set = server.call("rr_breakpoint_set", json!({"location": format!("stepping.c:{asked}")}));
    let bound = set["line"].as_u64().unwrap();
    assert_eq!(bound, line("stepping.c", "twice-body"), "{set}");
    assert_eq!(
        set["note"],
        format!("line {asked} has no place to stop at, resolved to line {}", line("stepping.c", "twice-body"))
    );
    let opening = line("stepping.c", "twice");
    let set = server.call("rr_breakpoint_set", json!({"location": format!("stepping.c:{opening}")}));
    assert_eq!(set["line"].as_u64(), Some(bound), "{set}");
    let note = format!("line {opening} begins a function, resolved to line {bound}, behind its prologue");
    assert_eq!(set["note"], note);
}

#[test]
fn conditions_hold_in_both_directions() {
    let server = replaying("stepping");
    server.call("rr_breakpoint_set", json!({"location": at("stepping.c", "body"), "condition": "i == 2 && x > 40"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "breakpoint-hit");
    assert_eq!(server.evaluate("i"), "2");
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(stop["reason"], "breakpoint-hit");
    assert_eq!(server.evaluate("i"), "2");
}

#[test]
fn conditions_that_rr_cannot_evaluate_work_too() {
    let server = replaying("stepping");
    server.call("rr_breakpoint_set", json!({"location": at("stepping.c", "half-return"), "condition": "x > 4.5"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["function"], "half");
    server.call("rr_continue", json!({}));
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(stop["function"], "half");
}

#[test]
fn conditions_compare_texts() {
    let server = replaying("every_call");
    let cases =
        [(false, "label == \"its end\" && n > 0", "2"), (true, "$_streq(label, \"after\") && p->tag != \"none\"", "1")];
    for (is_reverse, condition, n) in cases {
        server.call("rr_breakpoint_set", json!({"location": "work", "condition": condition, "temporary": true}));
        let stop = server.call("rr_continue", json!({"reverse": is_reverse}));
        assert_eq!((&stop["reason"], &stop["function"]), (&json!("breakpoint-hit"), &json!("work")), "{stop}");
        assert_eq!(server.evaluate("n"), n, "{condition}");
    }
    let refused = json!({"location": "work", "condition": "$_streq(label, n)"});
    let said = server.fail("rr_breakpoint_set", refused);
    assert!(said.contains("operator $_streq(TEXT, TEXT) does not apply to int; it needs a text"), "{said}");
}

#[test]
fn temporary_ignored_and_removed() {
    let server = replaying("stepping");
    let once = server.call("rr_breakpoint_set", json!({"location": "twice", "temporary": true}));
    assert_eq!(server.call("rr_continue", json!({}))["breakpoint_number"], once["number"]);
    assert_eq!(server.call("rr_breakpoint_list", json!({}))["result"], json!([]));
    server.call("rr_breakpoint_set", json!({"location": at("stepping.c", "body"), "ignore_count": 2}));
    server.call("rr_continue", json!({}));
    assert_eq!(server.evaluate("i"), "2");
    let said = server.fail("rr_breakpoint_remove", json!({"breakpoint_number": 77}));
    assert!(said.contains("77") && said.contains('2'), "{said}");
}

#[test]
fn temporary_breakpoints_at_one_place_go_together() {
    let server = replaying("stepping");
    let first = server.call("rr_breakpoint_set", json!({"location": "twice", "temporary": true}));
    server.call("rr_breakpoint_set", json!({"location": "twice", "temporary": true}));
    let waits = json!({"location": "twice", "temporary": true, "condition": "1 == 2"});
    let waits = server.call("rr_breakpoint_set", waits);
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["breakpoint_number"], &stop["function"]), (&first["number"], &json!("twice")));
    // The one that was not hit stays.
    let list = server.call("rr_breakpoint_list", json!({}));
    let numbers: Vec<_> = list["result"].as_array().unwrap().iter().map(|b| &b["number"]).collect();
    assert_eq!(numbers, [&waits["number"]]);
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
}

#[test]
fn bad_locations_are_refused_at_once() {
    let server = replaying("stepping");
    let said = server.fail("rr_breakpoint_set", json!({"location": "no_such_function"}));
    assert!(said.contains("no_such_function"), "{said}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "stepping.c:9999"}));
    assert!(said.contains("9999"), "{said}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "*0x10"}));
    assert!(said.contains("0x10"), "{said}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "main", "condition": "x +"}));
    assert!(said.contains('^') || said.contains("column"), "{said}");
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
}

#[test]
fn a_pending_breakpoint_binds_when_its_library_is_loaded() {
    let plugin = program("libplugin.so");
    let recording = recording_of("dlopen", &[plugin.to_str().unwrap()]);
    assert_eq!(recording.exit_code, 0, "{}", recording.stderr);
    let server = Server::start();
    server.replay(&recording.trace);
    server.run_to("main");
    let said = server.fail("rr_breakpoint_set", json!({"location": "plugin_entry"}));
    assert!(said.contains("pending"), "{said}");
    let set = server.call("rr_breakpoint_set", json!({"location": "plugin_entry", "pending": true}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "breakpoint-hit", "{stop}");
    assert_eq!(stop["breakpoint_number"], set["number"]);
    assert_eq!(stop["function"], "plugin_entry");
    assert_eq!(stop["line"].as_u64(), Some(line("plugin.c", "plugin")));
    assert_eq!(stop["frame"]["args"], json!([{"name": "n", "value": "14"}]));
    assert_eq!(server.evaluate("plugin_calls"), "0");
    let frames = server.call("rr_backtrace", json!({}));
    assert_eq!(frames["result"][1]["function"], "main");
    assert_eq!(frames["result"][1]["line"].as_u64(), Some(line("dlopen.c", "call")));
    // Before the library there is nothing to stop at; after it there is again.
    assert_eq!(server.call("rr_continue", json!({"reverse": true}))["reason"], "start-of-recording");
    assert_eq!(server.call("rr_continue", json!({}))["function"], "plugin_entry");
}
