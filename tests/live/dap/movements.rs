//! The debug adapter: movements in both directions, and what is waited for.

use crate::support::dap::{Editor, named};
use crate::support::fixtures::line;
use crate::support::recordings::recording;
use serde_json::{Value, json};

const TABLE: &str = "corrupt_table.c";

/// The path of a fixture's source, as it was compiled.
fn source(file: &str) -> Value {
    json!({"path": format!("{}/dwarf-fixtures/src/{file}", env!("CARGO_MANIFEST_DIR"))})
}

/// Sets a breakpoint on each of these lines.
#[track_caller]
fn set_lines(editor: &mut Editor, file: &str, lines: &[Value]) -> Vec<Value> {
    let set = editor.ask("setBreakpoints", json!({"source": source(file), "breakpoints": lines}));
    set["breakpoints"].as_array().unwrap().clone()
}

/// The line of a text in a fixture.
fn line_of(file: &str, text: &str) -> u64 {
    let path = format!("{}/dwarf-fixtures/src/{file}", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).unwrap();
    source.lines().position(|line| line.contains(text)).unwrap() as u64 + 1
}

#[test]
fn a_crash_is_traced_back_to_the_write_that_caused_it() {
    let mut editor = Editor::attached(&recording("corrupt_table").trace, json!({}));
    let crash = editor.begins();
    assert_eq!((&crash["reason"], &crash["text"]), (&json!("exception"), &json!("SIGSEGV")), "{crash}");
    assert_eq!(crash["allThreadsStopped"], true);
    let about = editor.ask("exceptionInfo", json!({"threadId": crash["threadId"]}));
    assert_eq!(about["exceptionId"], "SIGSEGV");
    assert!(about["description"].as_str().unwrap().contains("0x3ec"), "{about}");

    let stack = editor.stack(&crash);
    let names: Vec<_> = stack.iter().take(4).map(|frame| frame["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["corrected", "mean", "report", "main"]);
    assert_eq!(stack[0]["line"], line_of(TABLE, "return station->readings[slot] *"));
    assert_eq!(stack[0]["source"]["path"], source(TABLE)["path"]);
    let arguments = editor.scope(&stack[0], "Arguments");
    let station = editor.inside(&named(&arguments, "station")["variablesReference"]);
    let calibration = named(&station, "calibration");
    assert_eq!(calibration["value"], "(struct calibration *) 0x3e8");

    // Back to the write. The parts of what is watched are those of the moment when it was asked about.
    let reference = named(&arguments, "station")["variablesReference"].clone();
    let info = editor.ask("dataBreakpointInfo", json!({"variablesReference": reference, "name": "calibration"}));
    assert_eq!(info["accessTypes"], json!(["write", "read", "readWrite"]), "{info}");
    let data = json!({"breakpoints": [{"dataId": info["dataId"], "accessType": "write"}]});
    let set = editor.ask("setDataBreakpoints", data.clone());
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    let write = editor.moves("reverseContinue", json!({"threadId": crash["threadId"]}));
    assert_eq!(write["reason"], "data breakpoint", "{write}");
    assert_eq!(write["hitBreakpointIds"], json!([set["breakpoints"][0]["id"]]));
    assert!(write["description"].as_str().unwrap().ends_with("-> (struct calibration *) 0x3e8"), "{write}");
    assert_eq!(editor.place(&write), ("store".to_owned(), line_of(TABLE, "station->readings[slot] = value;")));
    let frame = editor.stack(&write)[0].clone();
    assert_eq!(editor.value(&frame, "hour")["result"], "24");
    let locals = editor.scope(&frame, "Locals");
    assert_eq!(named(&locals, "slot")["value"], "8");

    // Said once more, it is the same one; said no more, it is gone.
    assert_eq!(editor.ask("setDataBreakpoints", data)["breakpoints"][0]["id"], set["breakpoints"][0]["id"]);
    editor.ask("setDataBreakpoints", json!({"breakpoints": []}));
    let again = editor.moves("continue", json!({"threadId": crash["threadId"]}));
    assert_eq!(again["text"], "SIGSEGV");
    let end = editor.moves("continue", json!({"threadId": crash["threadId"]}));
    assert_eq!(end["reason"], "end");
    assert!(end["description"].as_str().unwrap().starts_with("killed by SIGSEGV"), "{end}");
    let back = editor.moves("reverseContinue", json!({"threadId": crash["threadId"]}));
    assert_eq!(editor.place(&back).0, "corrected");
    editor.leaves();
}

#[test]
fn steps_go_both_ways_by_lines_and_instructions() {
    let mut editor = Editor::attached(&recording("stepping").trace, json!({}));
    let body = json!({"breakpoints": [{"name": "main"}]});
    let set = editor.ask("setFunctionBreakpoints", body);
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    let main = editor.begins();
    assert_eq!((&main["reason"], &main["hitBreakpointIds"]), (&json!("function breakpoint"), &json!([1])));
    let thread = json!({"threadId": main["threadId"]});
    let by_instruction = json!({"threadId": main["threadId"], "granularity": "instruction"});
    let first = editor.place(&main);
    assert_eq!(first.0, "main");
    let mut places = vec![first];
    for _ in 0..3 {
        let stop = editor.moves("next", thread.clone());
        assert_eq!(stop["reason"], "step", "{stop}");
        places.push(editor.place(&stop));
    }
    assert!(places.iter().all(|place| place.0 == "main"), "{places:?}");
    for place in places.iter().rev().skip(1) {
        let stop = editor.moves("stepBack", thread.clone());
        assert_eq!(editor.place(&stop), *place);
    }
    let pc = |editor: &mut Editor, stop: &Value| {
        editor.stack(stop)[0]["instructionPointerReference"].as_str().unwrap().to_owned()
    };
    let here = editor.moves("next", thread);
    let before = pc(&mut editor, &here);
    let there = editor.moves("stepIn", by_instruction.clone());
    assert_ne!(pc(&mut editor, &there), before);
    let back = editor.moves("stepBack", by_instruction);
    assert_eq!(pc(&mut editor, &back), before);
    editor.leaves();
}

#[test]
fn out_of_a_function_is_told_what_it_returned_and_a_frame_is_restarted_where_it_was_called() {
    let mut editor = Editor::attached(&recording("recursion").trace, json!({}));
    set_lines(&mut editor, "recursion.c", &[json!({"line": line("recursion.c", "bottom")})]);
    let bottom = editor.begins();
    assert_eq!((&bottom["reason"], editor.place(&bottom).1), (&json!("breakpoint"), line("recursion.c", "bottom")));
    let out = editor.moves("stepOut", json!({"threadId": bottom["threadId"]}));
    assert_eq!((&out["reason"], &out["description"]), (&json!("step"), &json!("returned 0")));
    let frame = editor.stack(&out)[0].clone();
    assert_eq!(editor.scope(&frame, "Locals")[0]["name"], "(returned)");
    assert_eq!(editor.value(&frame, "n")["result"], "1");
    let stack = editor.stack(&out);
    let third =
        stack.iter().find(|frame| frame["name"] == "down" && editor.value(frame, "n")["result"] == "3").unwrap();
    assert_eq!(third["canRestart"], true);
    let stop = editor.moves("restartFrame", json!({"frameId": third["id"]}));
    assert_eq!(stop["reason"], "restart", "{stop}");
    assert_eq!(editor.place(&stop), ("down".to_owned(), line("recursion.c", "recurse")));
    let frame = editor.stack(&stop)[0].clone();
    assert_eq!(editor.value(&frame, "n")["result"], "4", "the call of down(3) is to come");
    // Requests of our own go back into functions, and out of them.
    let thread = json!({"threadId": stop["threadId"]});
    let out = editor.moves("retrograde/stepBackOut", thread.clone());
    assert_eq!(editor.place(&out), ("main".to_owned(), line("recursion.c", "small")));
    let large = line("recursion.c", "large");
    set_lines(&mut editor, "recursion.c", &[json!({"line": large})]);
    let stop = editor.moves("continue", thread.clone());
    assert_eq!(editor.place(&stop).1, large);
    let within = editor.moves("retrograde/stepBackIn", thread);
    assert_eq!(editor.place(&within).0, "down");
    editor.leaves();
}

#[test]
fn a_deep_stack_is_read_in_pages() {
    let mut editor = Editor::attached(&recording("recursion").trace, json!({}));
    set_lines(&mut editor, "recursion.c", &[json!({"line": line("recursion.c", "bottom"), "hitCondition": "2"})]);
    let bottom = editor.begins();
    let thread = bottom["threadId"].clone();
    let page = editor.ask("stackTrace", json!({"threadId": thread, "startFrame": 0, "levels": 20}));
    assert_eq!(page["stackFrames"].as_array().unwrap().len(), 20);
    assert!(page["totalFrames"].as_u64().unwrap() > 20);
    let page = editor.ask("stackTrace", json!({"threadId": thread, "startFrame": 195, "levels": 50}));
    let frames = page["stackFrames"].as_array().unwrap();
    assert_eq!(editor.value(&frames[0], "n")["result"], "195");
    let main = frames.iter().position(|frame| frame["name"] == "main").unwrap();
    assert_eq!(main, 6, "down(200) is frame 200");
    assert_eq!(page["totalFrames"], 195 + frames.len());
    assert_eq!(frames.last().unwrap()["canRestart"], false);
    let behind = editor.ask("stackTrace", json!({"threadId": thread, "startFrame": 5000, "levels": 50}));
    assert_eq!(behind["stackFrames"], json!([]));
    editor.leaves();
}

#[test]
fn breakpoints_have_conditions_and_log_and_keep_their_hits_when_others_change() {
    let file = "spin.c";
    let mut editor = Editor::attached(&recording("spin").trace, json!({}));
    let (turn, end) = (line(file, "turn"), line(file, "return"));
    let conditional = json!({"line": turn, "condition": "n == 40"});
    let set = set_lines(&mut editor, file, std::slice::from_ref(&conditional));
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(turn)));
    let stop = editor.begins();
    let frame = editor.stack(&stop)[0].clone();
    assert_eq!(editor.value(&frame, "n")["result"], "40");
    // The first is as it was; the second logs; a third cannot be set.
    let wrong = json!({"line": turn, "condition": "nosuch > 1"});
    let odd = json!({"line": turn, "hitCondition": "% 2"});
    let log = json!({"line": turn, "condition": "n > 40 && n < 44", "logMessage": "at {n} of {turned}"});
    let now = set_lines(&mut editor, file, &[conditional, log, wrong, odd, json!({"line": end})]);
    assert_eq!(now[0]["id"], set[0]["id"]);
    assert!(now[2]["verified"] == false && now[2]["message"].as_str().unwrap().contains("nosuch"), "{now:?}");
    assert!(now[3]["message"].as_str().unwrap().contains(">= N"), "{now:?}");
    editor.shown("console");
    let stop = editor.moves("continue", json!({"threadId": stop["threadId"]}));
    assert_eq!(editor.place(&stop), ("main".to_owned(), end));
    assert_eq!(editor.shown("console"), "at 41 of 820\nat 42 of 861\nat 43 of 903\n");
    // Backward, the condition holds once, the log is written in the other order.
    let stop = editor.moves("reverseContinue", json!({"threadId": stop["threadId"]}));
    assert_eq!(stop["hitBreakpointIds"], json!([set[0]["id"]]));
    assert_eq!(editor.shown("console"), "at 43 of 903\nat 42 of 861\nat 41 of 820\n");
    let start = editor.moves("reverseContinue", json!({"threadId": stop["threadId"]}));
    assert_eq!(start["reason"], "entry", "{start}");
    editor.leaves();
}

#[test]
fn exceptions_of_cpp_are_waited_for_by_type() {
    let file = "exceptions.cpp";
    let mut editor = Editor::attached(&recording("exceptions").trace, json!({}));
    let options = json!({"filters": [], "filterOptions": [{"filterId": "throw", "condition": "weather::"}]});
    editor.ask("setExceptionBreakpoints", options);
    let stop = editor.begins();
    assert_eq!((&stop["reason"], &stop["text"]), (&json!("exception"), &json!("throw weather::Warning")));
    let info = editor.ask("exceptionInfo", json!({"threadId": stop["threadId"]}));
    assert_eq!(info["exceptionId"], "throw weather::Warning");
    let thrower = |editor: &mut Editor, stop: &Value| {
        let stack = editor.stack(stop);
        let frame = stack.iter().find(|frame| frame["name"].as_str().unwrap().starts_with("attempt")).unwrap();
        frame["line"].as_u64().unwrap()
    };
    assert_eq!(thrower(&mut editor, &stop), line(file, "throw-warning"));
    let stop = editor.moves("continue", json!({"threadId": stop["threadId"]}));
    assert_eq!(thrower(&mut editor, &stop), line(file, "throw-storm"));
    let stop = editor.moves("reverseContinue", json!({"threadId": stop["threadId"]}));
    assert_eq!(thrower(&mut editor, &stop), line(file, "throw-warning"));
    let why = editor.ask("setExceptionBreakpoints", json!({"filters": ["panik"]}));
    assert!(why["breakpoints"][0]["message"].as_str().unwrap().contains("panic"), "{why}");
    editor.leaves();
}

#[test]
fn panics_of_rust_are_waited_for() {
    let file = "panics.rs";
    let mut editor = Editor::attached(&recording("panics-rust").trace, json!({}));
    editor.ask("setExceptionBreakpoints", json!({"filters": ["panic"]}));
    let stop = editor.begins();
    assert_eq!((&stop["reason"], &stop["text"]), (&json!("exception"), &json!("panic")));
    let stack = editor.stack(&stop);
    let frame = stack.iter().find(|frame| frame["line"] == line(file, "index")).unwrap();
    assert_eq!(frame["name"], "panics::element");
    assert_eq!(editor.value(frame, "at")["result"], "7");
    let stop = editor.moves("continue", json!({"threadId": stop["threadId"]}));
    assert!(editor.stack(&stop).iter().any(|frame| frame["line"] == line(file, "last")));
    let stop = editor.moves("continue", json!({"threadId": stop["threadId"]}));
    assert_eq!(stop["reason"], "end");
    assert_eq!(editor.event("exited")["exitCode"], 101);
    let stop = editor.moves("reverseContinue", json!({"threadId": stop["threadId"]}));
    assert_eq!(stop["text"], "panic", "from the end one can go back");
    editor.leaves();
}

#[test]
fn a_line_is_gone_to_in_time() {
    let file = "spin.c";
    let mut editor = Editor::attached(&recording("spin").trace, json!({}));
    set_lines(&mut editor, file, &[json!({"line": line(file, "turn"), "condition": "n == 40"})]);
    let stop = editor.begins();
    let thread = stop["threadId"].clone();
    let at = |line: u64| json!({"source": source(file), "line": line});
    let targets = editor.ask("gotoTargets", at(line(file, "turn")));
    let [previous, next] = [0, 1].map(|at| targets["targets"][at]["id"].clone());
    let mut goes = |target: &Value| {
        let stop = editor.moves("goto", json!({"threadId": thread, "targetId": target}));
        assert_eq!(stop["reason"], "goto", "{stop}");
        let frame = editor.stack(&stop)[0].clone();
        editor.value(&frame, "n")["result"].as_str().unwrap().to_owned()
    };
    // The breakpoint there has a condition, and does not matter.
    assert_eq!([&next, &next, &previous, &previous, &previous].map(&mut goes), ["41", "42", "41", "40", "39"]);
    let targets = editor.ask("gotoTargets", at(line(file, "return")));
    let never = editor.moves("goto", json!({"threadId": thread, "targetId": targets["targets"][0]["id"]}));
    assert!(never["description"].as_str().unwrap().contains("is not executed before"), "{never}");
    let frame = editor.stack(&never)[0].clone();
    assert_eq!(editor.value(&frame, "n")["result"], "39", "it is where it was");
    // What is waited for is as it was.
    let stop = editor.moves("continue", json!({"threadId": thread}));
    assert_eq!(stop["reason"], "breakpoint");
    let position = editor.ask("retrograde/position", json!({}))["position"].clone();
    editor.moves("retrograde/goto", json!({"event": 1}));
    let back = editor.moves("retrograde/goto", json!({"position": position}));
    assert_eq!(editor.place(&back).1, line(file, "turn"));
    assert!(editor.refused("retrograde/goto", json!({"position": "nowhere"})).contains("nowhere"));
    editor.leaves();
}

#[test]
fn instruction_breakpoints_stop_at_their_address() {
    let mut editor = Editor::attached(&recording("stepping").trace, json!({}));
    editor.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "main"}]}));
    let main = editor.begins();
    let pc = editor.stack(&main)[0]["instructionPointerReference"].clone();
    let code = editor.ask("disassemble", json!({"memoryReference": pc, "instructionCount": 3}));
    let third = code["instructions"][2]["address"].clone();
    let body = json!({"breakpoints": [{"instructionReference": third}]});
    let set = editor.ask("setInstructionBreakpoints", body);
    assert_eq!(set["breakpoints"][0]["instructionReference"], third);
    let stop = editor.moves("continue", json!({"threadId": main["threadId"]}));
    assert_eq!(stop["reason"], "instruction breakpoint");
    assert_eq!(editor.stack(&stop)[0]["instructionPointerReference"], third);
    editor.leaves();
}

#[test]
fn one_of_several_calls_in_a_line_is_stepped_into() {
    let file = "stepping.c";
    let mut editor = Editor::attached(&recording("stepping").trace, json!({}));
    set_lines(&mut editor, file, &[json!({"line": line(file, "nested")})]);
    let stop = editor.begins();
    let thread = stop["threadId"].clone();
    let calls = |editor: &mut Editor, stop: &Value, level: usize| {
        let frame = editor.stack(stop)[level]["id"].clone();
        let targets = editor.ask("stepInTargets", json!({"frameId": frame}))["targets"].take();
        let told = |target: &Value| (target["label"].as_str().unwrap().to_owned(), target["id"].clone());
        targets.as_array().unwrap().iter().map(told).collect::<Vec<_>>()
    };
    let names = |calls: &[(String, Value)]| calls.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let all = calls(&mut editor, &stop, 0);
    assert_eq!(names(&all), ["twice", "twice", "add"]);
    // Into the last, over the others.
    let stop = editor.moves("stepIn", json!({"threadId": thread, "targetId": all[2].1}));
    assert_eq!((&stop["reason"], editor.place(&stop).0), (&json!("step"), "add".to_owned()));
    let frame = editor.stack(&stop)[0].clone();
    assert_eq!(
        (&editor.value(&frame, "a")["result"], &editor.value(&frame, "b")["result"]),
        (&json!("2"), &json!("4"))
    );
    // A caller is in the midst of its call, and a place to step into is none to go to.
    assert_eq!(names(&calls(&mut editor, &stop, 1)), Vec::<String>::new());
    editor.refused("goto", json!({"threadId": thread, "targetId": all[2].1}));
    editor.refused("stepIn", json!({"threadId": thread, "targetId": 4711}));
    // From the midst of the line, only those that are left.
    editor.moves("reverseContinue", json!({"threadId": thread}));
    let stop = editor.moves("stepIn", json!({"threadId": thread, "targetId": all[1].1}));
    let frame = editor.stack(&stop)[0].clone();
    // Which argument is computed last is the compiler's choice.
    let n = editor.value(&frame, "n")["result"].as_str().unwrap().to_owned();
    assert!(editor.place(&stop).0 == "twice" && ["1", "2"].contains(&n.as_str()), "{n}");
    let stop = editor.moves("stepOut", json!({"threadId": thread}));
    assert_eq!(names(&calls(&mut editor, &stop, 0)), ["add"]);
    editor.leaves();
}
