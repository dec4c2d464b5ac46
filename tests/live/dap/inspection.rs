//! The debug adapter: values, expressions, code, memory.

use crate::support::dap::{Editor, named};
use crate::support::fixtures::line;
use crate::support::recordings::recording;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// An editor on a fixture, stopped at its marked line.
fn at(fixture: &str, function: &str) -> (Editor, Value) {
    let mut editor = Editor::attached(&recording(fixture).trace, json!({}));
    editor.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": function}]}));
    let stop = editor.begins();
    (editor, stop)
}

fn values(variables: &[Value]) -> Vec<(&str, &str)> {
    let text = |variable: &'_ Value, field| variable[field].as_str().map(str::len).is_some();
    variables
        .iter()
        .inspect(|variable| assert!(text(variable, "name") && text(variable, "value"), "{variable}"))
        .map(|variable| (variable["name"].as_str().unwrap(), variable["value"].as_str().unwrap()))
        .collect()
}

#[test]
fn containers_of_cpp_are_opened_as_what_they_mean() {
    let (mut editor, stop) = at("library_types", "filled");
    let frame = editor.stack(&stop)[0].clone();
    let numbers = editor.value(&frame, "numbers");
    assert_eq!((&numbers["type"], &numbers["indexedVariables"]), (&json!("std::vector<int>"), &json!(3)));
    let inside = editor.inside(&numbers["variablesReference"]);
    assert_eq!(values(&inside), [("[0]", "1"), ("[1]", "2"), ("[2]", "3")]);
    assert_eq!(inside[1]["evaluateName"], "numbers[1]");
    let names = editor.value(&frame, "names");
    let inside = editor.inside(&names["variablesReference"]);
    assert_eq!(values(&inside), [("[1]", "\"one\""), ("[2]", "\"two\""), ("[3]", "\"three\"")]);
    let items = editor.value(&frame, "items");
    let inside = editor.inside(&items["variablesReference"]);
    let pen = editor.inside(&inside[0]["variablesReference"]);
    assert_eq!(values(&pen), [("code", "1"), ("name", "\"pen\"")]);
    assert_eq!(pen[1]["variablesReference"], 0, "a text is shown whole");
    // What a part is called means it.
    for part in pen.iter().chain(&inside) {
        let name = part["evaluateName"].as_str().unwrap();
        assert_eq!(editor.value(&frame, name)["result"], part["value"], "{name}");
    }
    let item = editor.value(&frame, "item");
    let inside = editor.inside(&item["variablesReference"]);
    assert_eq!(named(&inside, "code")["value"], "4", "what a smart pointer points to");
    let no_owner = editor.value(&frame, "no_owner");
    assert_eq!(no_owner["variablesReference"], 0, "{no_owner}");
    editor.leaves();
}

#[test]
fn large_containers_are_read_in_pages() {
    let (mut editor, stop) = at("library_types", "filled");
    let frame = editor.stack(&stop)[0].clone();
    let thousand = editor.value(&frame, "thousand");
    assert_eq!(thousand["indexedVariables"], 1000);
    let page = |reference: &Value, start: u64, count: u64| json!({"variablesReference": reference, "filter": "indexed", "start": start, "count": count});
    let reference = thousand["variablesReference"].clone();
    let body = editor.ask("variables", page(&reference, 700, 3));
    let variables = body["variables"].as_array().unwrap();
    assert_eq!(values(variables), [("[700]", "700"), ("[701]", "701"), ("[702]", "702")]);
    let body = editor.ask("variables", page(&reference, 998, 50));
    assert_eq!(body["variables"].as_array().unwrap().len(), 2);
    let named = json!({"variablesReference": reference, "filter": "named"});
    assert_eq!(editor.ask("variables", named)["variables"], json!([]));
    let hex = json!({"variablesReference": reference, "start": 255, "count": 1, "format": {"hex": true}});
    assert_eq!(editor.ask("variables", hex)["variables"][0]["value"], "0xff");
    let deck = editor.value(&frame, "deck");
    let body = editor.ask("variables", page(&deck["variablesReference"], 100, 2));
    assert_eq!(values(body["variables"].as_array().unwrap()), [("[100]", "103"), ("[101]", "104")]);
    editor.leaves();
}

#[test]
fn values_of_rust_are_opened_as_what_they_mean() {
    let mut editor = Editor::attached(&recording("panics-rust").trace, json!({}));
    editor.ask("setExceptionBreakpoints", json!({"filters": ["panic"]}));
    let stop = editor.begins();
    let stack = editor.stack(&stop);
    let frame = stack.iter().find(|frame| frame["line"] == line("panics.rs", "index")).unwrap().clone();
    let arguments = editor.scope(&frame, "Arguments");
    assert_eq!(named(&arguments, "at")["value"], "7");
    let list = named(&arguments, "list");
    assert_eq!(list["type"], "&[u32]");
    let inside = editor.inside(&list["variablesReference"]);
    assert_eq!(values(&inside), [("[0]", "1"), ("[1]", "2"), ("[2]", "3")]);
    assert_eq!(editor.value(&frame, "list[1]")["result"], "2");
    editor.leaves();
}

#[test]
fn globals_are_those_of_the_source_file_and_their_names_mean_them() {
    let mut editor = Editor::attached(&recording("corrupt_table").trace, json!({}));
    let crash = editor.begins();
    let frame = editor.stack(&crash)[0].clone();
    let globals = editor.scope(&frame, "Globals");
    let names: Vec<_> = globals.iter().map(|global| global["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["coast", "valley", "summit", "stations"]);
    assert_eq!(named(&globals, "valley")["value"], "{offset = 0, percent = 100}");
    editor.leaves();
    for (fixture, function, some) in [
        ("library_types", "filled", "numbers"),
        ("library_types-rust", "library_types::filled", "library_types::SQUARE"),
        ("namespaces", "main", ""),
    ] {
        let (mut editor, stop) = at(fixture, function);
        let frame = editor.stack(&stop)[0].clone();
        let globals = editor.scope(&frame, "Globals");
        assert!(some.is_empty() || globals.iter().any(|global| global["name"] == some), "{fixture}: {globals:?}");
        assert!(globals.iter().any(|global| global["evaluateName"].is_string()), "{fixture}");
        for global in globals.iter().take(40) {
            let Some(name) = global["evaluateName"].as_str() else { continue };
            let body = json!({"expression": name, "frameId": frame["id"], "context": "variables"});
            let value = editor.ask("evaluate", body)["result"].as_str().unwrap().to_owned();
            let shown = global["value"].as_str().unwrap().trim_end_matches('…');
            assert!(value.starts_with(shown), "{fixture}: {name} is {value}, not {shown}");
        }
        editor.leaves();
    }
}

#[test]
fn what_is_not_known_says_why_and_what_is_of_another_stop_is_refused() {
    let mut editor = Editor::attached(&recording("corrupt_table").trace, json!({}));
    let crash = editor.begins();
    let frame = editor.stack(&crash)[0].clone();
    let calibration = editor.value(&frame, "station->calibration");
    let inside = editor.inside(&calibration["variablesReference"]);
    assert_eq!(named(&inside, "percent")["value"], "<error: Cannot access memory at address 0x3ec>");
    let info =
        editor.ask("dataBreakpointInfo", json!({"frameId": frame["id"], "name": "station->calibration->percent"}));
    assert_eq!(info["dataId"], Value::Null);
    assert!(info["description"].as_str().unwrap().contains("Cannot access memory"), "{info}");
    let wrong = editor.refused("evaluate", json!({"expression": "nosuch", "frameId": frame["id"], "context": "hover"}));
    assert!(wrong.contains("nosuch"), "{wrong}");
    for refused in ["setVariable", "setExpression"] {
        let why = editor.refused(refused, json!({"name": "slot", "value": "1"}));
        assert!(why.contains("cannot be changed"), "{why}");
    }
    editor.moves("stepBack", json!({"threadId": crash["threadId"]}));
    let stale = json!({"variablesReference": calibration["variablesReference"]});
    assert!(editor.refused("variables", stale).contains("has moved"));
    assert!(editor.refused("scopes", json!({"frameId": frame["id"]})).contains("has moved"));
    editor.leaves();
}

#[test]
fn bytes_are_watched_by_their_address() {
    let mut editor = Editor::attached(&recording("corrupt_table").trace, json!({}));
    let crash = editor.begins();
    let frame = editor.stack(&crash)[0].clone();
    let address = editor.value(&frame, "(unsigned long)&station->calibration")["result"].as_str().unwrap().to_owned();
    let by_address = editor.ask("dataBreakpointInfo", json!({"name": address, "asAddress": true, "bytes": 4}));
    let number: u64 = address.parse().unwrap();
    assert_eq!(by_address["description"], format!("*(unsigned int *){number:#x}"), "{by_address}");
    let of_value = json!({"frameId": frame["id"], "name": "station->calibration", "bytes": 3});
    let of_value = editor.ask("dataBreakpointInfo", of_value);
    assert_eq!(of_value["description"], format!("*(unsigned char (*)[3]){number:#x}"), "{of_value}");
    for info in [by_address, of_value] {
        editor.ask("setDataBreakpoints", json!({"breakpoints": [{"dataId": info["dataId"], "accessType": "write"}]}));
        let write = editor.moves("reverseContinue", json!({"threadId": crash["threadId"]}));
        assert_eq!(
            (&write["reason"], editor.place(&write).0),
            (&json!("data breakpoint"), "store".to_owned()),
            "{write}"
        );
        editor.ask("setDataBreakpoints", json!({"breakpoints": []}));
        editor.moves("continue", json!({"threadId": crash["threadId"]}));
    }
    assert!(
        editor.refused("dataBreakpointInfo", json!({"name": "slot", "asAddress": true})).contains("not an address")
    );
    editor.leaves();
}

#[test]
fn the_console_takes_expressions_and_gdbs_commands() {
    let mut editor = Editor::attached(&recording("corrupt_table").trace, json!({}));
    let crash = editor.begins();
    let thread = json!({"threadId": crash["threadId"]});
    assert_eq!(editor.says("slot + 1"), "1");
    let stack = editor.says("bt");
    assert!(stack.starts_with("#0  ") && stack.contains("corrected (station="), "{stack}");
    assert!(editor.says("info locals").contains("No locals"));
    // A name that is both is an expression; a command can be said to be one.
    assert_eq!(editor.says("p station->name"), "$1 = 0x0".to_owned().replace("0x0", &editor.says("station->name")));
    assert!(editor.says("-exec print slot").ends_with("= 0"));
    assert!(editor.refused("evaluate", json!({"expression": "nosuch", "context": "repl"})).contains("nosuch"));
    // A command that moves is told as a stop.
    editor.says("watch -l station->calibration");
    let answer = editor.says("reverse-continue");
    assert!(answer.contains("Hardware watchpoint"), "{answer}");
    let stop = editor.event("stopped");
    assert_eq!(stop["reason"], "data breakpoint");
    assert_eq!(editor.place(&stop).0, "store");
    editor.moves("stepBack", thread);
    editor.leaves();
}

#[test]
fn code_is_disassembled_forward_and_backward() {
    let (mut editor, stop) = at("stepping", "main");
    let pc = editor.stack(&stop)[0]["instructionPointerReference"].clone();
    let code = |editor: &mut Editor, offset: i64, count: u64| {
        let body = json!({"memoryReference": pc, "instructionOffset": offset, "instructionCount": count});
        editor.ask("disassemble", body)["instructions"].as_array().unwrap().clone()
    };
    let address =
        |instruction: &Value| u64::from_str_radix(&instruction["address"].as_str().unwrap()[2..], 16).unwrap();
    let around = code(&mut editor, -60, 120);
    assert_eq!(around.len(), 120);
    assert_eq!(around[60]["address"], pc);
    for pair in around.windows(2) {
        let length = pair[0]["instructionBytes"].as_str().unwrap().split(' ').count() as u64;
        assert_eq!(address(&pair[0]) + length, address(&pair[1]), "{pair:?}");
    }
    assert_eq!(code(&mut editor, 2, 4), around[62..66]);
    assert_eq!(code(&mut editor, -10, 4), around[50..54]);
    // Far away they are counted just so.
    let far = code(&mut editor, 4990, 20);
    let body = json!({"memoryReference": far[0]["address"], "instructionCount": 20});
    assert_eq!(editor.ask("disassemble", body)["instructions"], json!(far));
    for offset in [5001, -5001] {
        let body = json!({"memoryReference": pc, "instructionOffset": offset, "instructionCount": 1});
        assert!(editor.refused("disassemble", body).contains("5001"));
    }
    // The same bytes are in memory.
    let body = json!({"memoryReference": pc, "offset": -4, "count": 20});
    let memory = editor.ask("readMemory", body);
    assert_eq!(memory["data"].as_str().unwrap().len(), 28, "{memory}");
    assert_eq!(memory["address"], format!("{:#x}", address(&around[60]) - 4));
    // Where nothing is known, nothing is made up.
    let nowhere =
        editor.ask("disassemble", json!({"memoryReference": "0x10", "instructionOffset": -2, "instructionCount": 5}));
    let nowhere = nowhere["instructions"].as_array().unwrap();
    assert!(nowhere.len() == 5 && nowhere.iter().all(|one| one["presentationHint"] == "invalid"), "{nowhere:?}");
    for (offset, first) in [(-2, "0xe"), (0, "0x10"), (3, "0x13")] {
        let body = json!({"memoryReference": "0x10", "instructionOffset": offset, "instructionCount": 1});
        assert_eq!(editor.ask("disassemble", body)["instructions"][0]["address"], first);
    }
    let memory = editor.ask("readMemory", json!({"memoryReference": "0x10", "count": 8}));
    assert_eq!((&memory["unreadableBytes"], &memory["data"]), (&json!(8), &Value::Null));
    editor.leaves();
}

#[test]
fn modules_sources_threads_and_lines_with_code_are_listed() {
    let mut editor = Editor::attached(&recording("threads").trace, json!({}));
    let path = format!("{}/dwarf-fixtures/src/threads.c", env!("CARGO_MANIFEST_DIR"));
    // A tree that was moved: the end of the path tells which file is meant.
    let moved = json!({"path": "/elsewhere/dwarf-fixtures/src/threads.c"});
    let add = line("threads.c", "add");
    let body = json!({"source": moved, "breakpoints": [{"line": add, "hitCondition": ">= 4"}]});
    let set = editor.ask("setBreakpoints", body);
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    assert!(set["breakpoints"][0]["message"].as_str().unwrap().contains(&path), "{set}");
    let stop = editor.begins();
    let threads = editor.ask("threads", json!({}));
    let ids: Vec<_> = threads["threads"].as_array().unwrap().iter().map(|thread| thread["id"].clone()).collect();
    assert!(ids.len() >= 2 && ids.contains(&stop["threadId"]), "{threads}");
    for id in &ids {
        assert!(!editor.stack(&json!({"threadId": id})).is_empty());
    }
    let modules = editor.ask("modules", json!({}));
    assert_eq!(modules["totalModules"], modules["modules"].as_array().unwrap().len());
    assert!(modules["modules"].as_array().unwrap().iter().any(|module| module["name"] == "threads"), "{modules}");
    let text = editor.ask("source", json!({"sourceReference": 0, "source": {"path": path}}));
    assert_eq!(text["content"], std::fs::read_to_string(&path).unwrap());
    assert!(
        editor.refused("source", json!({"source": {"path": "/dev/stdin"}})).contains("does not exist on this machine")
    );
    let lines = json!({"source": {"path": path}, "line": add - 2, "endLine": add + 1});
    let found = editor.ask("breakpointLocations", lines);
    let expected: Vec<_> = (add - 2..=add + 1).map(|line| json!({"line": line})).collect();
    assert_eq!(found["breakpoints"], json!(expected));
    let begin = Instant::now();
    let of_lines = |last: i32| json!({"source": {"path": "x"}, "line": 1, "endLine": last});
    assert_eq!(editor.ask("breakpointLocations", of_lines(2000))["breakpoints"], json!([]));
    let refused = editor.refused("breakpointLocations", of_lines(i32::MAX));
    assert_eq!(refused, "breakpointLocations of 2147483647 lines at once: 2000 at most");
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    editor.leaves();
}

#[test]
fn many_breakpoints_at_once_take_no_long_time() {
    let (mut editor, _) = at("stepping", "add");
    let begin = Instant::now();
    let lines = |count: u32| (1..=count).map(|line| json!({"line": line})).collect::<Vec<_>>();
    let of_absent = |count| json!({"source": {"path": "/nowhere/at/all/absent.c"}, "breakpoints": lines(count)});
    let set = editor.ask("setBreakpoints", of_absent(800));
    let set = set["breakpoints"].as_array().unwrap();
    assert!(set.iter().all(|one| one["verified"] == false) && set.len() == 800);
    let refused = editor.refused("setBreakpoints", of_absent(1001));
    assert_eq!(refused, "1001 breakpoints at once: 1000 at most");
    // What is the same is set once, and stays while one of them is left.
    let functions = |count: usize| json!({"breakpoints": vec![json!({"name": "add"}); count]});
    for count in [500, 2, 1] {
        let set = editor.ask("setFunctionBreakpoints", functions(count));
        let set = set["breakpoints"].as_array().unwrap();
        assert!(set.iter().all(|one| one["verified"] == true) && set.len() == count, "{set:?}");
        let ids: std::collections::BTreeSet<_> = set.iter().map(|one| one["id"].as_u64().unwrap()).collect();
        assert_eq!(ids.len(), count);
    }
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
    editor.leaves();
}

#[test]
fn what_is_typed_in_the_console_is_completed() {
    let (mut editor, stop) = at("stepping", "add");
    let frame = editor.stack(&stop)[0]["id"].clone();
    let mut completed = |text: &str, column: usize| {
        let asked = json!({"text": text, "column": column, "frameId": frame});
        editor.ask("completions", asked)["targets"].as_array().unwrap().clone()
    };
    let found = completed("tot", 4);
    let total = found.iter().find(|target| target["label"] == "total").unwrap();
    assert_eq!((&total["text"], &total["start"], &total["length"]), (&json!("total"), &json!(1), &json!(3)), "{total}");
    // Up to where the cursor is; what is behind it is not looked at.
    let found = completed("a + tot * 2", 8);
    let total = found.iter().find(|target| target["label"] == "total").unwrap();
    assert_eq!((&total["start"], &total["length"]), (&json!(5), &json!(3)), "{total}");
    // A command may be meant, and its words.
    let names = |found: &[Value]| found.iter().map(|one| one["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let found = completed("reverse-fin", 12);
    assert!(names(&found).contains(&"reverse-finish".to_owned()), "{found:?}");
    let found = completed("-exec break twi", 16);
    assert_eq!((names(&found), &found[0]["start"]), (vec!["twice".to_owned()], &json!(13)));
    assert_eq!(completed("no_such_name_at_all", 20), Vec::<Value>::new());
    editor.leaves();
}

#[test]
fn columns_may_be_counted_from_0() {
    let mut editor = Editor::silent();
    editor.ask("initialize", json!({"adapterID": "retrograde", "columnsStartAt1": false}));
    let refused = editor.refused("completions", json!({"text": "tot", "column": 3}));
    assert!(refused.starts_with("nothing is debugged"), "{refused}");
    editor.ask("attach", json!({"trace": recording("stepping").trace, "stopOnEntry": true}));
    editor.event("initialized");
    editor.begins();
    let found = editor.ask("completions", json!({"text": "a + tot", "column": 7}))["targets"].take();
    let total = found.as_array().unwrap().iter().find(|target| target["label"] == "total").unwrap().clone();
    assert_eq!((&total["start"], &total["length"]), (&json!(4), &json!(3)), "{total}");
    editor.leaves();
}

#[test]
fn the_sources_of_the_program_and_its_libraries_are_listed() {
    let (mut editor, stop) = at("stepping", "add");
    let sources = editor.ask("loadedSources", json!({}))["sources"].as_array().unwrap().clone();
    let own = &editor.stack(&stop)[0]["source"];
    assert!(sources.contains(own), "{own} is not among {sources:?}");
    let paths: Vec<&str> = sources.iter().filter_map(|source| source["path"].as_str()).collect();
    let mut once = paths.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), paths.len());
    editor.leaves();
}
