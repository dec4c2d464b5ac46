//! Frames, threads, values, memory, registers, sources.

use super::*;

#[test]
fn frames_show_what_is_known() {
    assert_eq!(text_of(&FrameView::from(frame())), "#0 add (a=1, b=2) at /src/t.c:5");
    let text = "#1 0x00007ffff7dd0000 in ?? from /lib/libc.so.6 [guessed, may be wrong]";
    assert_eq!(text_of(&FrameView::from(unknown_frame())), text);
    let odd = Frame { fullname: None, args: Vec::new(), inlined: true, signal_frame: true, ..frame() };
    let view = FrameView::from(odd);
    assert_eq!(text_of(&view), "#0 add at t.c:5 [inlined] [signal frame]");
    let expected = json!({
        "level": 0, "address": "0x0000000000401136", "function": "add", "file": "t.c", "line": 5,
        "inlined": true, "signal_frame": true
    });
    assert_eq!(json_of(&view), expected);
}

#[test]
fn a_backtrace_has_its_folds_where_they_belong() {
    let outer = Frame { level: 9, ..unknown_frame() };
    let folded = vec![FoldView { from: 1, to: 8, functions: vec!["add".to_owned(), "sub".to_owned()] }];
    let truncated = Some("no unwind information at 0x1".to_owned());
    let view = BacktraceView { folded, depth: Some(10), truncated, ..BacktraceView::of([frame(), outer]) };
    let text = "\
#0 add (a=1, b=2) at /src/t.c:5
… 8 frames of add, sub (#1 to #8)
#9 0x00007ffff7dd0000 in ?? from /lib/libc.so.6 [guessed, may be wrong]
truncated: no unwind information at 0x1";
    assert_eq!(text_of(&view), text);
    assert_eq!(json_of(&view)["folded"], json!([{"from": 1, "to": 8, "functions": ["add", "sub"]}]));
    let view = BacktraceView::of([frame()]);
    assert_eq!(json_of(&view).as_object().unwrap().keys().collect::<Vec<_>>(), ["result"]);
    assert_eq!(text_of(&view), "#0 add (a=1, b=2) at /src/t.c:5");
}

#[test]
fn threads_are_numbered_and_named() {
    let thread = |number, current: bool| Thread {
        number,
        id: ThreadId { pid: 100, tid: 100 + number },
        name: Some("worker".to_owned()),
        frame: current.then(|| Frame { args: Vec::new(), ..frame() }),
        current,
    };
    let view = ThreadsView::page(vec![thread(1, true), thread(2, false)], 0, 100, |_| Surroundings::default());
    let expected = json!({"result": [
        {
            "id": "1", "target_id": "Thread 100.101", "name": "worker", "state": "stopped",
            "frame": {
                "level": 0, "address": "0x0000000000401136", "function": "add",
                "file": "t.c", "fullname": "/src/t.c", "line": 5
            },
            "current": true
        },
        {"id": "2", "target_id": "Thread 100.102", "name": "worker", "state": "stopped", "current": false}
    ]});
    assert_eq!(json_of(&view), expected);
    let text = "* 1 Thread 100.101 \"worker\" add at /src/t.c:5\n  2 Thread 100.102 \"worker\"";
    assert_eq!(text_of(&view), text);
    let selected = ThreadSelectedView::from(thread(2, false));
    assert_eq!(json_of(&selected)["result"], 2);
    assert_eq!(json_of(&selected)["thread"]["target_id"], "Thread 100.102");
}

#[test]
fn variables_have_types_and_flags() {
    let argument = Variable { is_argument: true, ..variable("argc", "1", "int") };
    let hidden = Variable { shadowed: true, line: Some(4), ..variable("i", "0", "int") };
    let cut = Variable { truncated: true, ..variable("x", "{1, 2...}", "int [1000]") };
    let untyped = Variable { ty: None, ..variable("y", "<optimized out>", "") };
    let view = LocalsView::from(vec![argument, hidden, cut, untyped]);
    let expected = json!({
        "result": [
            {"name": "argc", "value": "1", "type": "int", "argument": true},
            {"name": "i", "value": "0", "type": "int", "line": 4, "shadowed": true},
            {"name": "x", "value": "{1, 2...}", "type": "int [1000]", "truncated": true},
            {"name": "y", "value": "<optimized out>"}
        ],
        "truncated": "values of x are cut short; rr_evaluate shows members and elements"
    });
    assert_eq!(json_of(&view), expected);
    let text = "\
argc = 1  [int, argument]
i = 0  [int, shadowed]
x = {1, 2...}  [int [1000], value truncated]
y = <optimized out>
truncated: values of x are cut short; rr_evaluate shows members and elements";
    assert_eq!(text_of(&view), text);
    assert_eq!(text_of(&LocalsView::from(Vec::new())), "no arguments or local variables");
}

#[test]
fn the_way_to_what_is_missing_is_the_one_that_leads_there() {
    let missing = |is_ahead| {
        let known_at = Some(RunAddr(0x1000));
        let missing = Missing { why: String::new(), known_at, file: None, line: None, is_ahead };
        Variable { missing: Some(missing), ..variable("a", "<optimized out>", "int") }
    };
    for (variables, go) in [
        (vec![missing(Some(false))], "rr_continue reverse=true"),
        (vec![missing(Some(true))], "rr_continue"),
        (vec![missing(Some(true)), missing(Some(false))], "rr_continue, with reverse=true to go back"),
        (vec![missing(Some(true)), missing(None)], "rr_continue, or with reverse=true"),
    ] {
        let hint = LocalsView::from(variables).hint.unwrap();
        assert_eq!(hint.split("then ").nth(1), Some(go), "{hint}");
    }
    let (why, file) = ("gone".to_owned(), Some("a.h".to_owned()));
    let missing = Missing { why, known_at: Some(RunAddr(0x1000)), file, line: Some(3), is_ahead: None };
    let view = LocalsView::from(vec![Variable { missing: Some(missing), ..variable("a", "<optimized out>", "int") }]);
    assert!(text_of(&view).contains("(gone, a.h:3)"), "{}", text_of(&view));
    assert_eq!(json_of(&view)["result"][0]["missing"]["file"], "a.h");
}

#[test]
fn an_evaluation_echoes_the_expression() {
    let evaluated = Evaluated {
        expression: "n.key".to_owned(),
        value: "7".to_owned(),
        ty: "int".to_owned(),
        address: Some(RunAddr(0x7ffe_0010)),
        truncated: false,
        next: None,
        dynamic_type: None,
        missing: None,
    };
    let view = EvaluateView::from(evaluated.clone());
    let expected = json!({"expression": "n.key", "value": "7", "type": "int", "address": "0x000000007ffe0010"});
    assert_eq!(json_of(&view), expected);
    assert_eq!(text_of(&view), "n.key = 7  [int at 0x000000007ffe0010]");
    let really = Evaluated { dynamic_type: Some("shop::Pen".to_owned()), ..evaluated.clone() };
    let view = EvaluateView::from(really);
    assert_eq!(json_of(&view)["dynamic_type"], "shop::Pen");
    assert_eq!(text_of(&view), "n.key = 7  [int, really shop::Pen at 0x000000007ffe0010]");
    let view = EvaluateView::from(Evaluated { address: None, truncated: true, ..evaluated.clone() });
    assert!(json_of(&view)["truncated"].as_str().unwrap().contains("*p@10"));
    let view = EvaluateView::from(Evaluated { truncated: true, next: Some(200), ..evaluated });
    assert_eq!(json_of(&view)["truncated"], "the value is cut short; \"from\": 200 shows what follows");
}

#[test]
fn memory_is_hex_in_json_and_a_dump_in_text() {
    let bytes = b"Hello, world!\n\x00\x7fabc".to_vec();
    let block = MemoryBlock { address: RunAddr(0x1000), bytes, truncated: Some("0x1013 cannot be read".to_owned()) };
    let view = MemoryView::new("&buf".to_owned(), 64, block);
    let expected = json!({
        "address": "&buf", "count": 64,
        "contents": "48656c6c6f2c20776f726c64210a007f616263",
        "start": "0x0000000000001000",
        "truncated": "0x1013 cannot be read"
    });
    assert_eq!(json_of(&view), expected);
    let text = "\
0x0000000000001000: 48 65 6c 6c 6f 2c 20 77 6f 72 6c 64 21 0a 00 7f  Hello, world!...
0x0000000000001010: 61 62 63                                         abc
truncated: 0x1013 cannot be read";
    assert_eq!(text_of(&view), text);
}

#[test]
fn a_lot_of_memory_is_shown_densely() {
    let block = MemoryBlock { address: RunAddr(0), bytes: vec![0xab; 1025], truncated: None };
    let text = text_of(&MemoryView::new("0".to_owned(), 1025, block));
    assert_eq!(text.lines().count(), 17);
    assert_eq!(text.lines().last(), Some("0x0000000000000400: ab"));
    let block = MemoryBlock { address: RunAddr(16), bytes: Vec::new(), truncated: None };
    let text = text_of(&MemoryView::new("16".to_owned(), 64, block));
    assert_eq!(text, "nothing could be read at 0x0000000000000010");
}

#[test]
fn registers_are_keyed_by_name_in_the_targets_order() {
    let register = |name: &str, value: &str| RegisterValue { name: name.to_owned(), value: value.to_owned() };
    let view = RegistersView::from(vec![register("rip", "0x401136"), register("eflags", "0x246")]);
    assert_eq!(json_of(&view).to_string(), r#"{"registers":{"rip":"0x401136","eflags":"0x246"}}"#);
    assert_eq!(text_of(&view), "rip    0x401136\neflags 0x246");
}

#[test]
fn source_lines_tell_their_file() {
    let line = |number, current| SourceLine { number, text: "x;".to_owned(), current };
    let text = SourceText { file: "/src/t.c".to_owned(), lines: vec![line(4, false), line(5, true)], last_line: 20 };
    let view = SourceView::from(text);
    let expected = json!({
        "result": "   4  x;\n=> 5  x;", "file": "/src/t.c", "first_line": 4, "last_line_of_file": 20
    });
    assert_eq!(json_of(&view), expected);
    assert_eq!(text_of(&view), "/src/t.c (20 lines)\n   4  x;\n=> 5  x;");
}
