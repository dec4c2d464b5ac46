//! Where values come from, against what the program's source says of them.

use crate::support::fixtures::line;
use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};

const SOURCE: &str = "origin.c";

/// At the program's abort, in `main`, so that its locals can be named.
fn at_the_end(fixture: &str, main: &str) -> Server {
    let server = replaying(fixture);
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGABRT", "{stop}");
    let frames = server.call("rr_backtrace", json!({}));
    let frames = frames["result"].as_array().unwrap();
    let main = frames.iter().position(|frame| frame["function"] == main).unwrap();
    server.call("rr_select_frame", json!({"frame_level": main}));
    server
}

fn rows(server: &Server, expression: &str) -> Vec<Value> {
    let answer = server.call("rr_origin", json!({"expression": expression}));
    assert_eq!(answer["found"], true, "{answer}");
    answer["rows"].as_array().unwrap().clone()
}

/// Kind, function, line, value.
type Told = (String, String, u64, String);

fn told(row: &Value) -> Told {
    let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    (text("kind"), text("function"), row["line"].as_u64().unwrap_or(0), text("value"))
}

fn chain(rows: &[Value]) -> Vec<Told> {
    rows.iter().map(told).collect()
}

/// A row that the program's source tells of. No mark: it is of no line.
fn row_of(file: &str, (kind, function, mark, value): (&str, &str, &str, &str)) -> Told {
    let line = if mark.is_empty() { 0 } else { line(file, mark) };
    (kind.to_owned(), function.to_owned(), line, value.to_owned())
}

fn expected(file: &str, rows: &[(&str, &str, &str, &str)]) -> Vec<Told> {
    rows.iter().map(|row| row_of(file, *row)).collect()
}

fn from(row: &Value) -> &str {
    row["from"].as_str().unwrap()
}

#[test]
fn copies_are_followed_through_locals_members_structures_and_memcpy() {
    let server = at_the_end("origin", "main");
    let before = server.call("rr_when", json!({}));
    let found = rows(&server, "kept.amount");
    let wanted = [
        ("copy", "main", "memcpy", "1234"),
        ("copy", "main", "assigned", "1234"),
        ("copy", "main", "member", "1234"),
        ("constant", "main", "constant", "1234"),
    ];
    assert_eq!(chain(&found), expected(SOURCE, &wanted));
    let names: Vec<_> = found.iter().map(|row| row["to"].as_str().unwrap()).collect();
    assert_eq!(names, ["kept.amount", "stored.amount", "order.amount", "amount"]);
    assert_eq!(found[0]["remarks"], json!(["by memcpy"]));
    assert!(found[1]["source"].as_str().unwrap().starts_with("stored = order;"), "{}", found[1]);
    // The session is where it was.
    assert_eq!(server.call("rr_when", json!({})), before);
    // Each hop is gone to.
    for row in &found {
        let stop = server.call("rr_goto", json!({"position": row["position"]}));
        assert_eq!((&stop["function"], &stop["line"]), (&row["function"], &row["line"]), "{row}");
    }
    assert_ne!(server.evaluate("amount"), "1234", "there it is not yet written");
    server.call("rr_step", json!({"instruction": true}));
    assert_eq!(server.evaluate("amount"), "1234");
}

#[test]
fn arguments_and_results_are_followed_to_callers_and_callees() {
    let server = at_the_end("origin", "main");
    let wanted = [
        ("copy", "stores", "stores", "55"),
        ("argument", "middle", "middle", "55"),
        ("argument", "main", "calls_middle", "55"),
        ("constant", "main", "passed", "55"),
    ];
    let found = rows(&server, "global_amount");
    assert_eq!(chain(&found), expected(SOURCE, &wanted));
    assert_eq!(found[1]["to"], "parameter amount of stores");
    let wanted = [
        ("copy", "main", "chosen", "1"),
        ("copy", "main", "element", "1"),
        ("return", "main", "returned", "1"),
        ("copy", "passes_on", "returns", "1"),
        ("copy", "passes_on", "own", "1"),
        ("argument", "main", "returned", "1"),
        ("copy", "main", "memcpy", "1"),
        ("copy", "main", "assigned", "1"),
        ("constant", "main", "order", "1"),
    ];
    assert_eq!(chain(&rows(&server, "chosen")), expected(SOURCE, &wanted));
}

#[test]
fn what_is_computed_is_an_origin_unless_it_is_to_be_gone_through() {
    let server = at_the_end("origin", "main");
    let wanted = [("copy", "main", "extended", "-5"), ("constant", "main", "negative", "-5")];
    let found = rows(&server, "wide");
    assert_eq!(chain(&found), expected(SOURCE, &wanted));
    assert_eq!(found[0]["remarks"], json!(["sign-extended from 4 bytes"]));
    let wanted = [("copy", "main", "counted", "42"), ("computed", "main", "added", "42")];
    let found = rows(&server, "counted");
    assert_eq!(chain(&found), expected(SOURCE, &wanted));
    assert_eq!((from(&found[1]), &found[1]["remarks"]), ("add of base = 41 (0x29), 1", &json!(["incremented"])));
    let through = server.call("rr_origin", json!({"expression": "counted", "through_arithmetic": true}));
    let values: Vec<_> = chain(through["rows"].as_array().unwrap()).into_iter().map(|row| (row.0, row.2)).collect();
    let wanted = [("copy", "counted"), ("computed", "added"), ("computed", "incremented"), ("constant", "base")];
    assert_eq!(values, wanted.map(|(kind, mark)| (kind.to_owned(), line(SOURCE, mark))));
    assert_eq!(from(&through["rows"][3]), "the constant 40 (0x28)");
    let wanted = [
        ("return", "main", "calls_computes", "56"),
        ("copy", "computes", "returns_sum", "56"),
        ("computed", "computes", "computes", "56"),
    ];
    let found = rows(&server, "both");
    assert_eq!(chain(&found), expected(SOURCE, &wanted));
    assert!(from(&found[2]).contains("left = 55") && from(&found[2]).contains("right = 1"), "{}", found[2]);
}

#[test]
fn values_come_from_files_arguments_threads_allocations_and_the_program_itself() {
    let server = at_the_end("origin", "main");
    let wanted = [("copy", "main", "taken", "77"), ("initial", "", "", "77")];
    assert_eq!(chain(&rows(&server, "taken")), expected(SOURCE, &wanted));
    let wanted = [("copy", "work", "thread", "99"), ("constant", "main", "lent", "99")];
    let found = rows(&server, "shared");
    assert_eq!(chain(&found), expected(SOURCE, &wanted));
    assert_ne!(found[0]["tid"], found[1]["tid"]);
    let found = rows(&server, "from_file");
    assert_eq!(told(&found[0]), row_of(SOURCE, ("copy", "reads_file", "from_file", "33")));
    // The program has written the file itself before.
    assert_eq!((&found[1]["kind"], &found[1]["value"], found.len()), (&json!("sent"), &json!("33"), 3));
    let parts = ["bytes 8 on", "descriptor 3, the file /tmp/origin-", " at byte 8: values[2] of thread "];
    assert!(parts.iter().all(|part| from(&found[1]).contains(part)), "{}", found[1]);
    assert_eq!((&found[2]["kind"], &found[2]["value"]), (&json!("constant"), &json!("33")));
    let letter = server.evaluate("arguments[0][3]");
    let wanted =
        [("copy", "main", "copied_text", &*letter), ("copy", "main", "text", &*letter), ("input", "", "", &*letter)];
    assert_eq!(chain(&rows(&server, "copied_text[3]")), expected(SOURCE, &wanted));
    let wanted = [("copy", "main", "kept_ratio", "2.5"), ("copy", "main", "ratio", "2.5"), ("constant", "", "", "2.5")];
    assert_eq!(chain(&rows(&server, "kept_ratio")), expected(SOURCE, &wanted));
    let found = rows(&server, "heap");
    assert_eq!(
        (told(&found[0]).0, told(&found[0]).2, found.len()),
        ("allocation".to_owned(), line(SOURCE, "allocates"), 1)
    );
    assert_eq!(from(&found[0]), "32 bytes that malloc has allocated");
    let found = rows(&server, "from_argument");
    assert_eq!(chain(&found), expected(SOURCE, &[("library", "main", "parsed", "42")]));
}

#[test]
fn optimised_code_is_followed_through_registers_and_tail_calls() {
    let server = at_the_end("origin-O2", "main");
    let found = rows(&server, "global_amount");
    assert_eq!(told(&found[0]), row_of(SOURCE, ("copy", "stores", "stores", "55")));
    let values: Vec<_> = found.iter().map(|row| told(row).3).collect();
    assert!(values.iter().all(|value| value == "55"), "{found:?}");
    let last = found.last().unwrap();
    assert_eq!((&last["kind"], from(last)), (&json!("constant"), "the constant 55 (0x37)"));
    let wanted = [("copy", "work", "thread", "99"), ("constant", "main", "lent", "99")];
    assert_eq!(chain(&rows(&server, "shared")), expected(SOURCE, &wanted));
    for (expression, value) in [("kept.amount", "1234"), ("chosen", "1"), ("wide", "-5"), ("counted", "42")] {
        let found = rows(&server, expression);
        assert!(found.iter().all(|row| row["value"] == value), "{found:?}");
        assert_eq!(found.last().unwrap()["kind"], "constant", "{found:?}");
    }
    let found = rows(&server, "from_file");
    assert_eq!(told(&found[0]), row_of(SOURCE, ("copy", "reads_file", "from_file", "33")));
    assert!(found.iter().any(|row| row["kind"] == "sent" && from(row).contains("the file /tmp/origin-")), "{found:?}");
    let found = rows(&server, "spread[9]");
    let kinds: Vec<_> = found.iter().map(|row| told(row).0).collect();
    assert_eq!(kinds, ["return", "copy", "computed"], "{found:?}");
    assert_eq!(told(&found[0]).2, line(SOURCE, "spread"));
}

#[test]
fn objects_of_cxx_are_followed_through_virtual_functions_references_and_vectors() {
    let source = "origin.cpp";
    let server = at_the_end("origin-cxx", "main");
    let found = chain(&rows(&server, "final_balance"));
    let function = |row: &Told| row.1.split(['(', '<']).next().unwrap().to_owned();
    assert!(found.iter().all(|row| row.3.contains("321")), "{found:#?}");
    let got: Vec<_> = found.iter().map(|row| (row.0.as_str(), function(row), row.2)).collect();
    let wanted = [
        ("copy", "main", "final"),
        ("copy", "Account::put", "puts"),
        ("copy", "collects", "element"),
        ("return", "collects", "virtual"),
        ("copy", "Fixed::next", "returns"),
        ("copy", "Fixed::Fixed", "constructs"),
        ("argument", "main", "passes"),
        ("constant", "main", "constant"),
    ];
    let wanted: Vec<_> =
        wanted.iter().map(|(kind, function, mark)| (*kind, (*function).to_owned(), line(source, mark))).collect();
    assert_eq!(got, wanted);
}

#[test]
fn rust_programs_are_followed() {
    let source = "origin.rs";
    let server = at_the_end("origin-rs", "origin::main");
    let found = chain(&rows(&server, "origin::FINAL"));
    assert!(found.iter().all(|row| row.3.contains("654")), "{found:#?}");
    // rustc keeps values on the stack in between.
    let mut lines: Vec<_> = found.iter().map(|row| row.2).collect();
    lines.dedup();
    let wanted = ["stores", "passes", "element", "gives"].map(|mark| line(source, mark));
    assert_eq!(lines.get(..wanted.len()), Some(wanted.as_slice()), "{found:#?}");
    let kinds: Vec<_> = found.iter().map(|row| row.0.as_str()).collect();
    assert!(kinds.contains(&"argument") && kinds.contains(&"return"), "{found:#?}");
    assert_eq!(found.last().map(|row| row.0.as_str()), Some("constant"), "{found:#?}");
}

/// The demo's crash: the pointer is a reading, which a function has computed.
#[test]
fn the_pointer_of_the_demo_is_a_reading() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/dwarf-fixtures/src/corrupt_table.c")).unwrap();
    let line = |part: &str| text.lines().position(|line| line.contains(part)).unwrap() as u64 + 1;
    let server = replaying("corrupt_table");
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGSEGV");
    let found = rows(&server, "station->calibration");
    let got: Vec<_> = found.iter().map(|row| (told(row).0, told(row).1, told(row).2)).collect();
    let wanted = [
        ("copy", "store", line("station->readings[slot] = value")),
        ("return", "observe", line("store(&stations[number]")),
        ("computed", "pressure", line("return 1000 + 5 * number")),
    ];
    assert_eq!(got, wanted.map(|(kind, function, line)| (kind.to_owned(), function.to_owned(), line)));
    assert_eq!(found[0]["remarks"], json!(["it wrote only bytes 0 to 3 of the 8: these are followed"]));
    assert!(found[2]["value"].as_str().unwrap().starts_with("1000"), "{}", found[2]);
    let said = server.text("rr_command", json!({"command": "origin station->calibration"}));
    assert!(said.contains("computed: the result of pressure = 1000"), "{said}");
}

#[test]
fn what_cannot_be_followed_is_said() {
    let server = at_the_end("origin", "main");
    let few = server.call("rr_origin", json!({"expression": "chosen", "max_hops": 2}));
    assert_eq!(few["found"], false, "{few}");
    let few = few["rows"].as_array().unwrap();
    let last = few.last().unwrap();
    assert_eq!(
        (few.len(), &last["kind"], from(last)),
        (3, &json!("stopped"), "2 hops were made, the requested maximum")
    );
    assert!(last["position"].is_string(), "{last}");
    let whole = server.fail("rr_origin", json!({"expression": "text"}));
    assert!(whole.contains("it has 4096 bytes") && whole.contains("an element"), "{whole}");
    let computed = server.fail("rr_origin", json!({"expression": "chosen + 1"}));
    assert!(computed.contains("computed value"), "{computed}");
    // Its value is in the code.
    let lost = at_the_end("origin-O2", "main").fail("rr_origin", json!({"expression": "negative"}));
    assert!(lost.starts_with("`negative`: "), "{lost}");
}

#[test]
fn names_are_those_of_the_users_frame_where_the_innermost_has_none() {
    let server = replaying("abort");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGABRT", "{stop}");
    let frames = server.call("rr_backtrace", json!({}));
    let frames = frames["result"].as_array().unwrap();
    let level = frames.iter().position(|frame| frame["function"] == "give_up").unwrap();
    assert_ne!(level, 0);
    let asked = format!("asked of frame {level} (give_up): the innermost does not know this");
    let call = |tool: &str| server.call(tool, json!({"expression": "code"}));
    let value = call("rr_evaluate");
    assert_eq!((&value["value"], &value["notes"]), (&json!("7"), &json!([asked])), "{value}");
    let origin = call("rr_origin");
    let last = origin["rows"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["function"], &last["line"]), (&json!("main"), &json!(line("abort.c", "call") - 1)), "{origin}");
    for tool in ["rr_origin", "rr_last_write", "rr_history", "rr_watchpoint_set"] {
        let answer = call(tool);
        let notes = answer["notes"].as_array().unwrap();
        assert!(notes.contains(&json!(asked)), "{tool}: {answer}");
    }
    // Nothing is selected by that, and what nobody knows is an error as before.
    let locals = server.call("rr_locals", json!({}));
    assert!(locals["notes"][0].as_str().unwrap().starts_with("frame 0 has no debug info"), "{locals}");
    let said = server.fail("rr_origin", json!({"expression": "codes"}));
    assert!(said.contains("codes"), "{said}");
    // A frame that is chosen is asked alone.
    let said = server.fail("rr_evaluate", json!({"expression": "code", "frame_level": 0}));
    assert!(said.contains(&format!("frame {level} (give_up) has `code`: select it")), "{said}");
}

#[test]
fn what_was_compared_is_told() {
    let server = replaying("unmapped");
    server.call("rr_continue", json!({}));
    let rows = rows(&server, "is_large");
    let last = rows.last().unwrap();
    assert_eq!((&last["kind"], &last["from"]), (&json!("computed"), &json!("setg of cmp value = 6, 5")), "{last}");
    assert_eq!(last["line"], line("unmapped.c", "compare"), "{last}");
}
