//! Library types and C++ objects, through the tools.

use crate::support::mcp::replaying;
use serde_json::{Value, json};

/// The variable of that name in an answer of `rr_locals`.
fn local<'a>(locals: &'a Value, name: &str) -> &'a Value {
    let all = locals["result"].as_array().unwrap();
    all.iter().find(|v| v["name"] == name).unwrap_or_else(|| panic!("{name}: {locals}"))
}

#[test]
fn cxx_library_types_read_as_what_they_mean() {
    let server = replaying("library_types");
    // The condition looks through a container: it is computed at each hit.
    server.call(
        "rr_breakpoint_set",
        json!({"location": "filled", "condition": "numbers.size() == 3 && names[2] == \"two\""}),
    );
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "breakpoint-hit", "{stop}");
    for (expression, value) in [
        ("small", "\"small\""),
        ("numbers", "std::vector of length 3, capacity 4 = {1, 2, 3}"),
        ("names", "std::map with 3 elements = {[1] = \"one\", [2] = \"two\", [3] = \"three\"}"),
        ("codes[\"b\"] + *some", "7"),
        ("item->name", "\"tea\""),
        ("any_text", "std::any containing std::string = {[contained value] = \"inside\"}"),
        ("closure", "std::function<int(int)> = {target = {__captured = 30}}"),
        ("thousand.back()", "999"),
        ("colour", "std::atomic<shop::Colour> = { shop::Colour::Green }"),
    ] {
        assert_eq!(server.evaluate(expression), value, "{expression}");
    }
    let names = server.call("rr_evaluate", json!({"expression": "names"}));
    assert_eq!(names["type"], "std::map<int, std::string>");
    assert!(names["address"].is_string() && names["truncated"].is_null(), "{names}");
    let raw = server.call("rr_evaluate", json!({"expression": "numbers", "format": "r"}));
    assert!(raw["value"].as_str().unwrap().contains("_M_finish = 0x"), "{raw}");

    // What is left out is there to be asked for.
    let first = server.call("rr_evaluate", json!({"expression": "thousand"}));
    let shown = first["value"].as_str().unwrap();
    assert!(shown.ends_with("198, 199...}"), "{first}");
    assert_eq!(first["truncated"], "the value is cut short; \"from\": 200 shows what follows");
    let rest = server.call("rr_evaluate", json!({"expression": "thousand", "from": 200, "count": 3}));
    assert_eq!(rest["value"], "std::vector of length 1000, capacity 1000 = {200, 201, 202...}");
    assert_eq!(rest["truncated"], "the value is cut short; \"from\": 203 shows what follows");
    let last = server.call("rr_evaluate", json!({"expression": "thousand", "from": 998}));
    assert_eq!(last["value"], "std::vector of length 1000, capacity 1000 = {998, 999}");
    let pairs = server.call("rr_evaluate", json!({"expression": "names", "from": 1, "count": 1}));
    assert_eq!(pairs["value"], "std::map with 3 elements = {[2] = \"two\"...}");
    let text = server.call("rr_evaluate", json!({"expression": "large", "from": 2, "count": 6}));
    assert_eq!(text["value"], "\"string\"...");

    server.call("rr_select_frame", json!({"frame_level": 1}));
    let locals = server.call("rr_locals", json!({}));
    assert_eq!(local(&locals, "captured")["value"], "30");
    assert_eq!(local(&locals, "lambda")["value"], "{__captured = 30}");
    let said = server.fail("rr_evaluate", json!({"expression": "numbers.push_back(1)"}));
    assert!(said.contains("cannot call push_back()") && said.contains("size()"), "{said}");
}

#[test]
fn elements_can_be_watched() {
    let server = replaying("library_types");
    server.run_to("filled");
    // The vector was filled in a loop, which the watch finds going back.
    let watch = server.call("rr_watchpoint_set", json!({"expression": "thousand[5]"}));
    assert_eq!(watch["type"], "hw watchpoint", "{watch}");
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(stop["reason"], "watchpoint-trigger", "{stop}");
    assert_eq!((stop["old_value"].as_str(), stop["new_value"].as_str()), (Some("0"), Some("5")), "{stop}");
    assert_eq!(server.evaluate("i"), "5");
}

#[test]
fn cxx_objects_know_their_class() {
    let server = replaying("objects");
    server.run_to("filled");
    for (expression, class) in [
        ("base", Some("Derived")),
        ("*base", Some("Derived")),
        ("ref", Some("Derived")),
        ("owned", Some("Derived")),
        ("vb", Some("Diamond")),
        ("itself", None),
        ("derived", None),
        ("null", None),
    ] {
        let answer = server.call("rr_evaluate", json!({"expression": expression}));
        assert_eq!(answer["dynamic_type"].as_str(), class, "{answer}");
    }
    assert_eq!(server.evaluate("base->d + vb->dd"), "7");
    assert_eq!(server.evaluate("dynamic_cast<Diamond *>(vb)->v1"), "3");
    assert_eq!(server.evaluate("scoped"), "n::Scoped::D");
}

#[test]
fn rust_values_read_as_what_they_mean() {
    let server = replaying("library_types-rust");
    let stop = server.run_to("library_types::filled");
    assert_eq!(stop["function"], "library_types::filled");
    for (expression, value) in [
        ("held.text", "\"text\""),
        ("held.vec", "vec![1, 2, 3]"),
        ("held.events", "[Nothing, Key('k'), Click { x: -1, y: 2 }]"),
        ("held.hash[\"key\"]", "42"),
        ("held.big.len()", "200"),
        ("held.shape", "Box(Square { side: 3 })"),
        ("held.tree", "BTreeMap{1: \"one\", 2: \"two\"}"),
        ("held.full.unwrap()", "Box(2)"),
        ("*held.rc + 1", "6"),
    ] {
        assert_eq!(server.evaluate(expression), value, "{expression}");
    }
    let vec = server.call("rr_evaluate", json!({"expression": "held.vec"}));
    assert_eq!(vec["type"], "alloc::vec::Vec<i32>");
    let locals = server.call("rr_locals", json!({}));
    // The closure is a trait object, whose vtable tells which closure it is.
    assert_eq!(local(&locals, "closure")["value"], "&{closure_env#0} { _ref__captured: &10 }");
    assert_eq!(local(&locals, "future")["value"], "&28");
    server.call("rr_select_frame", json!({"frame_level": 1}));
    let locals = server.call("rr_locals", json!({}));
    assert_eq!(local(&locals, "captured")["value"], "10");
    // It waits at its first `await`, in `ready`, which waits for ever.
    let future = local(&locals, "future")["value"].as_str().unwrap();
    assert!(future.contains("Box(Suspend0 { more: 2, __awaitee: Suspend0 { n: 2,"), "{future}");
}
