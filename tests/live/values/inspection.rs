//! backtrace, locals, evaluate, memory, registers, source.

use crate::support::fixtures::line;
use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};

#[test]
fn backtrace_names_functions_lines_and_arguments() {
    let server = replaying("stepping");
    server.run_to("twice");
    let frames = server.call("rr_backtrace", json!({}));
    let frames = frames["result"].as_array().unwrap();
    assert_eq!(frames.len(), 2, "{frames:?}");
    assert_eq!(frames[0]["level"], 0);
    assert_eq!(frames[0]["function"], "twice");
    assert_eq!(frames[0]["line"].as_u64(), Some(line("stepping.c", "twice-body")));
    assert_eq!(frames[0]["args"], json!([{"name": "n", "value": "21"}]));
    assert_eq!(frames[1]["function"], "main");
    assert_eq!(frames[1]["line"].as_u64(), Some(line("stepping.c", "call")));
    assert_eq!(frames[0]["address"].as_str().unwrap().len(), 18);
}

#[test]
fn a_deep_backtrace_is_capped_and_paged() {
    let server = replaying("recursion");
    let bottom = format!("recursion.c:{}", line("recursion.c", "bottom"));
    server.call("rr_breakpoint_set", json!({"location": bottom}));
    server.call("rr_continue", json!({}));
    server.call("rr_continue", json!({}));
    let first = server.call("rr_backtrace", json!({"from": 1}));
    assert_eq!((first["result"].as_array().unwrap().len(), &first["depth"]), (50, &json!(202)));
    assert!(first["truncated"].is_string(), "{}", first["truncated"]);
    // The recursion is folded where one begins to look; its ends are there.
    let folded = server.call("rr_backtrace", json!({}));
    assert_eq!(folded["folded"], json!([{"from": 3, "to": 199, "functions": ["down"]}]));
    let levels = [0, 1, 2, 200, 201].map(Value::from);
    assert!(folded["result"].as_array().unwrap().iter().map(|frame| &frame["level"]).eq(&levels), "{folded}");
    assert_eq!((&folded["depth"], folded.get("truncated")), (&json!(202), None));
    let said = server.text("rr_backtrace", json!({}));
    assert!(said.contains("\n… 197 frames of down (#3 to #199)\n#200 "), "{said}");
    let all = server.call("rr_backtrace", json!({"max_depth": 0}));
    let all = all["result"].as_array().unwrap();
    assert_eq!(all.len(), 202);
    assert_eq!(all[201]["function"], "main");
    let page = server.call("rr_backtrace", json!({"from": 200, "max_depth": 10}));
    assert_eq!(page["result"][0], all[200]);
    let said = server.fail("rr_backtrace", json!({"from": 202}));
    assert_eq!(said, "frame 202: the stack has frames 0–201");
    let said = server.fail("rr_select_frame", json!({"frame_level": 999}));
    assert!(said.contains("201"), "{said}");
}

#[test]
fn locals_have_types_arguments_and_shadowed_names() {
    let server = replaying("types");
    server.run_to(&format!("types.c:{}", line("types.c", "inner-use")));
    let locals = server.call("rr_locals", json!({}));
    let shadows: Vec<_> = locals["result"].as_array().unwrap().iter().filter(|v| v["name"] == "shadow").collect();
    assert_eq!(shadows.len(), 2, "{locals}");
    assert_eq!(shadows.iter().filter(|v| v["shadowed"] == true).count(), 1);
    assert_eq!(server.evaluate("shadow"), "2");
    server.run_to(&format!("types.c:{}", line("types.c", "vla-ready")));
    let locals = server.call("rr_locals", json!({}));
    let find = |name: &str| {
        locals["result"]
            .as_array()
            .unwrap()
            .iter()
            .find(|v| v["name"] == name)
            .unwrap_or_else(|| panic!("{locals}"))
            .clone()
    };
    assert_eq!(find("vla")["value"], "{0, 1, 4, 9, 16}");
    assert_eq!(find("n")["value"], "5");
    assert_eq!(find("n")["type"], "int");
    assert_eq!(find("calls")["value"], "1");
    assert_eq!(server.evaluate("sizeof(vla)"), "20");
}

/// Globals of `types.c` and what GDB prints for them.
const VALUES: &[(&str, &str)] = &[
    ("truth", "true"),
    ("letter", "97 'a'"),
    ("negative", "-2 '\\376'"),
    ("octet", "200 '\\310'"),
    ("small", "-300"),
    ("ushort_value", "65000"),
    ("unsigned_value", "4000000000"),
    ("long_value", "-5000000000"),
    ("word_value", "18446744073709551615"),
    ("huge", "1267650600228229401496703205376"),
    ("single_value", "1.5"),
    ("double_value", "3.14159265358979"),
    ("extended", "2.25"),
    ("complex_value", "1 + 2i"),
    ("text", "\"hello\""),
    ("padded", "\"hi\", '\\000' <repeats 13 times>"),
    ("embedded", "\"ab\\000c\\000\\000\\000\""),
    ("null_string", "0x0"),
    ("matrix", "{{1, 2, 3}, {4, 5, 6}}"),
    ("repeated", "{7 <repeats 12 times>, 1, 2, 3, 0, 0, 0, 0, 0}"),
    ("colour", "GREEN"),
    ("flags", "(READ | EXECUTE)"),
    ("unknown_flags", "(WRITE | unknown: 0x8)"),
    ("where", "{x = 3, y = -4}"),
    ("bits", "{low = 5, middle = -3, high = 78187493530, flag = true}"),
    ("number.f", "1"),
    ("qualified", "9"),
    ("matrix[1][2] * 2 - 1", "11"),
    ("outer.where.y", "20"),
    ("outer.second", "2"),
    ("*pointer == integer", "1"),
    ("sizeof(struct outer)", "32"),
    ("(unsigned char)small", "212 '\\324'"),
    ("matrix[0]@2", "{{1, 2, 3}, {4, 5, 6}}"),
    ("*pointer@1", "{-70000}"),
    ("/x octet", "0xc8"),
    ("many[299]", "299"),
    ("colour == GREEN ? 10 : 20", "10"),
    ("where.x << 4 | 1", "49"),
    ("-7 / 2", "-3"),
    ("-7 % 3", "-1"),
    ("'types.c'::integer", "-70000"),
    ("use::calls", "0"),
];

fn check_values(fixture: &str) {
    let server = replaying(fixture);
    server.run_to(&format!("types.c:{}", line("types.c", "inner")));
    for (expression, value) in VALUES {
        assert_eq!(server.evaluate(expression), *value, "{expression}");
    }
    let string = server.evaluate("string");
    assert!(string.starts_with("0x") && string.ends_with(" \"a \\\"quoted\\\" string\\n\""), "{string}");
    let handler = server.evaluate("handler");
    assert!(handler.starts_with("(int (*)(int)) 0x") && handler.ends_with(" <triple>"), "{handler}");
    let handlers = server.evaluate("handlers");
    assert!(handlers.starts_with("{0x") && handlers.ends_with(" <triple>, 0x0}"), "{handlers}");
    let many = server.call("rr_evaluate", json!({"expression": "many"}));
    assert!(many["truncated"].is_string(), "{many}");
    assert!(many["value"].as_str().unwrap().ends_with("198, 199...}"), "{many}");
}

#[test]
fn values_print_as_in_gdb() {
    check_values("types");
}

#[test]
fn values_of_clang_programs_print_as_in_gdb() {
    check_values("types-clang");
}

#[test]
fn expressions_have_no_side_effects_and_errors_point() {
    let server = replaying("types");
    server.run_to("main");
    for expression in ["integer = 5", "integer++", "triple(2)", "use(1) + 1"] {
        let said = server.fail("rr_evaluate", json!({"expression": expression}));
        assert!(said.contains("replay") || said.contains("recording"), "{expression}: {said}");
    }
    for expression in ["integer +", "nosuch + 1", "where.z", "*integer", "(struct nosuch *)0", "\"open"] {
        let said = server.fail("rr_evaluate", json!({"expression": expression}));
        assert!(said.contains('^'), "{expression}: {said}");
    }
    let said = server.fail("rr_evaluate", json!({"expression": "*(int *)16"}));
    assert!(said.contains("0x10"), "{said}");
    assert_eq!(server.evaluate("integer"), "-70000");
}

#[test]
fn memory_by_expression() {
    let server = replaying("types");
    server.run_to("main");
    let block = server.call("rr_read_memory", json!({"address": "&text", "count": 6}));
    assert_eq!(block["address"], "&text");
    assert_eq!(block["count"], 6);
    assert_eq!(block["contents"], "68656c6c6f00");
    let block = server.call("rr_read_memory", json!({"address": "matrix"}));
    assert_eq!(block["contents"].as_str().unwrap().len(), 128);
    let said = server.fail("rr_read_memory", json!({"address": "0x10"}));
    assert!(said.contains("0x10"), "{said}");
}

#[test]
fn registers_by_name() {
    let server = replaying("types");
    let stop = server.run_to("main");
    let some = server.call("rr_registers", json!({"register_names": ["rip", "rsp"]}));
    let some = some["registers"].as_object().unwrap();
    assert_eq!(some.keys().collect::<Vec<_>>(), ["rip", "rsp"]);
    let pc = u64::from_str_radix(stop["pc"].as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
    assert_eq!(some["rip"], format!("{pc:#x}"));
    let all = server.call("rr_registers", json!({"register_names": null}));
    assert!(all["registers"]["rax"].is_string() && all["registers"]["eflags"].is_string());
    let said = server.fail("rr_registers", json!({"register_names": ["rip", "bogus"]}));
    assert!(said.contains("bogus"), "{said}");
}

#[test]
fn registers_are_those_of_the_selected_frame() {
    let server = replaying("types");
    server.run_to("use");
    let frame = server.call("rr_select_frame", json!({"frame_level": 1}));
    let names = json!({"register_names": ["rip", "rsp", "rbp", "rax"]});
    let outer = server.call("rr_registers", names.clone())["registers"].clone();
    assert_eq!(outer["rip"], format!("{:#x}", number(&frame["frame"]["address"])));
    let saved = |name: &str| outer[name].as_str().unwrap().to_owned();
    // A register that the function may overwrite, and has not yet.
    server.call("rr_select_frame", json!({"frame_level": 0}));
    let inner = server.call("rr_registers", names.clone())["registers"].clone();
    assert_eq!(outer["rax"], inner["rax"]);
    assert_ne!(outer["rsp"], inner["rsp"]);
    server.call("rr_next", json!({}));
    server.call("rr_select_frame", json!({"frame_level": 1}));
    assert_eq!(server.call("rr_registers", names.clone())["registers"]["rax"], "<not saved>");
    server.call("rr_select_frame", json!({"frame_level": 0}));
    // What they are when the function has returned: but for the return address, which is gone from the stack.
    server.call("rr_finish", json!({}));
    let after = server.call("rr_registers", names)["registers"].clone();
    assert_eq!(
        (saved("rsp"), saved("rbp")),
        (after["rsp"].as_str().unwrap().into(), after["rbp"].as_str().unwrap().into())
    );
    assert_eq!(outer["rip"], after["rip"]);
}

fn number(hex: &Value) -> u64 {
    u64::from_str_radix(hex.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
}

#[test]
fn source_lines_are_idempotent() {
    let server = replaying("types");
    server.run_to("main");
    let here = server.call("rr_source_lines", json!({}));
    assert_eq!(here, server.call("rr_source_lines", json!({})));
    let mark = line("types.c", "use");
    let asked = server.call("rr_source_lines", json!({"file": "types.c", "line": mark, "count": 3}));
    assert!(asked["result"].as_str().unwrap().contains("use(5)"), "{asked}");
    let said = server.fail("rr_source_lines", json!({"file": "nosuch.c", "line": 1}));
    assert!(said.contains("nosuch.c"), "{said}");
}

#[test]
fn inlined_functions_are_frames() {
    for fixture in ["inline_chain", "inline_chain-clang"] {
        let server = replaying(fixture);
        let stop = server.run_to(&format!("inline_chain.c:{}", line("inline_chain.c", "innermost")));
        assert_eq!(stop["function"], "innermost", "{fixture}: {stop}");
        let frames = server.call("rr_backtrace", json!({}));
        let names: Vec<_> =
            frames["result"].as_array().unwrap().iter().map(|f| f["function"].as_str().unwrap()).collect();
        assert_eq!(names, ["innermost", "middle", "outer", "main"], "{fixture}");
        assert_eq!(frames["result"][1]["line"].as_u64(), Some(line("inline_chain.c", "middle")));
        assert_eq!(frames["result"][2]["line"].as_u64(), Some(line("inline_chain.c", "first")));
        assert_eq!(frames["result"][0]["inlined"], true);
        assert_eq!(server.evaluate("value"), "1", "{fixture}");
    }
}

#[test]
fn names_and_lines_of_cpp_and_rust() {
    let server = replaying("names-cpp");
    let stop = server.run_to("shop::Basket::add");
    assert_eq!(stop["function"], "shop::Basket::add");
    assert_eq!(stop["line"].as_u64(), Some(line("names.cpp", "add")));
    let both = server.call("rr_breakpoint_set", json!({"location": "shop::price"}));
    assert_eq!(both["places"].as_array().map(Vec::len), Some(2), "{both}");
    let server = Server::start();
    server.replay(&crate::support::recordings::recording("names-rust").trace);
    let stop = server.run_to("shop::Basket::add");
    assert_eq!(stop["line"].as_u64(), Some(line("names.rs", "add")));
}

#[test]
fn a_stripped_binary_still_has_registers_memory_and_a_position() {
    let server = replaying("crash-stripped");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGSEGV");
    assert!(stop["function"].is_null(), "{stop}");
    let frames = server.call("rr_backtrace", json!({}));
    assert!(!frames["result"].as_array().unwrap().is_empty());
    let said = server.fail("rr_breakpoint_set", json!({"location": "main"}));
    assert!(said.contains("debug") || said.contains("symbol"), "{said}");
    server.call("rr_breakpoint_set", json!({"location": format!("*{}", stop["pc"].as_str().unwrap())}));
    assert_eq!(server.call("rr_locals", json!({}))["result"], json!([]));
}

#[test]
fn another_frame_is_asked_without_selecting_it() {
    let server = replaying("stepping");
    server.run_to("twice");
    let said = server.fail("rr_evaluate", json!({"expression": "y + 1"}));
    let here = "no symbol \"y\" in current context\n  y + 1\n  ^";
    assert_eq!(said, format!("{here}\nnote: frame 1 (main) has `y`: select it"));
    let said = server.fail("rr_watchpoint_set", json!({"expression": "h"}));
    assert!(said.ends_with("note: frame 1 (main) has `h`: select it"), "{said}");
    let said = server.fail("rr_evaluate", json!({"expression": "nowhere"}));
    assert_eq!(said, "no symbol \"nowhere\" in current context\n  nowhere\n  ^^^^^^^");

    let outer = server.call("rr_evaluate", json!({"expression": "i", "frame_level": 1}));
    assert_eq!(outer["value"], "0");
    let names = |arguments| {
        let locals = server.call("rr_locals", arguments);
        let names: Vec<String> =
            locals["result"].as_array().unwrap().iter().map(|v| v["name"].as_str().unwrap().to_owned()).collect();
        names
    };
    assert_eq!(names(json!({"frame_level": 1})), ["i", "x", "y", "h"]);
    assert_eq!(names(json!({})), ["n", "doubled"]);
    // From the frame that is selected, the inner ones are looked through as well.
    server.call("rr_select_frame", json!({"frame_level": 1}));
    let said = server.fail("rr_evaluate", json!({"expression": "n"}));
    assert!(said.ends_with("note: frame 0 (twice) has `n`: select it"), "{said}");
    let said = server.fail("rr_locals", json!({"frame_level": 2}));
    assert_eq!(said, "frame 2: the stack has frames 0–1");
}
