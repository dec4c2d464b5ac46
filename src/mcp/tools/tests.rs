//! Engine values as JSON and as text, to the letter.

use super::breakpoints::view::BreakpointsView;
use super::checkpoints::view::CheckpointsView;
use super::inspect::view::{BacktraceView, EvaluateView, LocalsView, RegistersView, SourceView};
use super::memory::view::MemoryView;
use super::recordings::view::{DoctorView, ProcessesView, RecordView, RecordingsView, TraceinfoView};
use super::session::view::{InterruptView, SessionView, SessionsView, WhenView};
use super::threads::view::{ThreadSelectedView, ThreadsView};
use crate::arch::{Direction, RunAddr, ThreadId};
use crate::engine::Traffic;
use crate::engine::model::{Moment, *};
use crate::mcp::reply::*;
use crate::mcp::session::{Activity, Ended, Running, Status};
use crate::rr::{Check, Counters, CutShort, Process, Recorded, Recording, Recordings, Verdict};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Display;
use std::time::Duration;

fn json_of(view: &impl Serialize) -> Value {
    structured(view).unwrap()
}

fn text_of(view: &impl Display) -> String {
    view.to_string()
}

fn variable(name: &str, value: &str, ty: &str) -> Variable {
    Variable {
        name: name.to_owned(),
        value: value.to_owned(),
        ty: Some(ty.to_owned()),
        is_argument: false,
        dynamic_type: None,
        missing: None,
        line: None,
        shadowed: false,
        truncated: false,
    }
}

fn frame() -> Frame {
    Frame {
        level: 0,
        address: RunAddr(0x40_1136),
        function: Some("add".to_owned()),
        file: Some("t.c".to_owned()),
        fullname: Some("/src/t.c".to_owned()),
        line: Some(5),
        column: None,
        args: vec![variable("a", "1", "int"), variable("b", "2", "int")],
        module: Some("/src/t".to_owned()),
        inlined: false,
        signal_frame: false,
        tail_call: false,
        guessed: false,
    }
}

fn unknown_frame() -> Frame {
    Frame {
        level: 1,
        address: RunAddr(0x7fff_f7dd_0000),
        function: None,
        file: None,
        fullname: None,
        line: None,
        args: Vec::new(),
        module: Some("/lib/libc.so.6".to_owned()),
        tail_call: false,
        guessed: true,
        ..frame()
    }
}

fn position() -> Position {
    Position {
        moment: Some(Moment { event: 123, ticks: 4567 }),
        thread: ThreadId { pid: 100, tid: 101 },
        pc: RunAddr(0x40_1136),
    }
}

fn stop(reason: Reason) -> Stop {
    Stop {
        reason,
        position: position(),
        frame: frame(),
        source: Vec::new(),
        notes: Vec::new(),
        logged: Logged::default(),
    }
}

/// What the reason alone adds to a stop.
fn added(reason: Reason, motion: Option<Motion>) -> (Value, String) {
    let common = json_of(&StopView::new(stop(Reason::StepDone), None));
    let view = StopView::new(stop(reason), motion);
    let mut json = json_of(&view);
    let object = json.as_object_mut().unwrap();
    for (key, value) in common.as_object().unwrap() {
        if key != "reason" {
            assert_eq!(object.shift_remove(key).as_ref(), Some(value), "{key}");
        }
    }
    (json, text_of(&view).lines().next().unwrap().to_owned())
}

const PLACE: &str = "add (a=1, b=2) at /src/t.c:5";

#[test]
fn a_stop_has_position_place_and_source() {
    let line = |number, text: &str, current| SourceLine { number, text: text.to_owned(), current };
    let mut stop = stop(Reason::Breakpoint { number: 1, temporary: false });
    stop.source = vec![line(9, "int c;", false), line(10, "\tc = a + b;", true), line(11, "", false)];
    stop.notes = vec!["asked 4, bound 5".to_owned()];
    let view = StopView::new(stop, Some(Motion::Continue(Direction::Forward)));
    let expected = json!({
        "reason": "breakpoint-hit",
        "frame": {
            "level": 0,
            "address": "0x0000000000401136",
            "function": "add",
            "file": "t.c",
            "fullname": "/src/t.c",
            "line": 5,
            "args": [{"name": "a", "value": "1"}, {"name": "b", "value": "2"}]
        },
        "breakpoint_number": 1,
        "event": 123,
        "ticks": 4567,
        "thread": "100.101",
        "pc": "0x0000000000401136",
        "function": "add",
        "file": "/src/t.c",
        "line": 5,
        "source": "    9  int c;\n=> 10  \tc = a + b;\n   11",
        "notes": ["asked 4, bound 5"]
    });
    assert_eq!(json_of(&view).to_string(), expected.to_string(), "the order counts as well");
    let text = "\
breakpoint-hit: breakpoint 1, add (a=1, b=2) at /src/t.c:5
event 123, ticks 4567, thread 100.101, pc 0x0000000000401136
    9  int c;
=> 10  \tc = a + b;
   11
note: asked 4, bound 5";
    assert_eq!(text_of(&view), text);
}

#[test]
fn every_reason_has_its_word_and_its_fields() {
    let watch = |access, old: Option<&str>, new: Option<&str>, writer| Reason::Watchpoint {
        number: 2,
        access,
        expression: "total".to_owned(),
        old: old.map(str::to_owned),
        new: new.map(str::to_owned),
        writer,
    };
    let end = |exit_code, signal: Option<&str>| Reason::EndOfRecording { exit_code, signal: signal.map(str::to_owned) };
    let at_end = json!(["this is the end of the recording: go back with reverse"]);
    let restore = Some(Motion::Restore(1));
    let cases = [
        (
            Reason::Breakpoint { number: 3, temporary: true },
            None,
            json!({"reason": "breakpoint-hit", "breakpoint_number": 3, "temporary": true}),
            format!("breakpoint-hit: breakpoint 3 (temporary, now deleted), {PLACE}"),
        ),
        (
            watch(Access::Write, Some("1"), Some("2"), Some(unknown_frame())),
            None,
            json!({
                "reason": "watchpoint-trigger", "breakpoint_number": 2, "expression": "total",
                "old_value": "1", "new_value": "2",
                "written_by": {"level": 1, "address": "0x00007ffff7dd0000", "module": "/lib/libc.so.6", "guessed": true}
            }),
            format!("watchpoint-trigger: watchpoint 2, {PLACE}"),
        ),
        (
            watch(Access::Read, None, Some("2"), None),
            None,
            json!({"reason": "read-watchpoint-trigger", "breakpoint_number": 2, "expression": "total", "new_value": "2"}),
            format!("read-watchpoint-trigger: watchpoint 2, {PLACE}"),
        ),
        (
            watch(Access::Access, None, None, None),
            None,
            json!({"reason": "access-watchpoint-trigger", "breakpoint_number": 2, "expression": "total"}),
            format!("access-watchpoint-trigger: watchpoint 2, {PLACE}"),
        ),
        (Reason::StepDone, None, json!({"reason": "end-stepping-range"}), format!("end-stepping-range: {PLACE}")),
        (
            Reason::FunctionFinished { return_value: Some(variable("$ret", "3", "int")) },
            None,
            json!({"reason": "function-finished", "return_value": "3", "return_type": "int"}),
            format!("function-finished: {PLACE}"),
        ),
        (
            Reason::FunctionFinished { return_value: None },
            None,
            json!({"reason": "function-finished"}),
            format!("function-finished: {PLACE}"),
        ),
        (
            Reason::Signal { name: "SIGSEGV".to_owned(), meaning: "Segmentation fault".to_owned(), number: None },
            None,
            json!({"reason": "signal-received", "signal_name": "SIGSEGV", "signal_meaning": "Segmentation fault"}),
            format!("signal-received: SIGSEGV (Segmentation fault), {PLACE}"),
        ),
        (
            Reason::Arrived,
            Some(Motion::RunToEvent(9)),
            json!({"reason": "event-reached"}),
            format!("event-reached: {PLACE}"),
        ),
        (Reason::Arrived, restore, json!({"reason": "checkpoint-restored"}), format!("checkpoint-restored: {PLACE}")),
        (
            Reason::StartOfRecording,
            None,
            json!({"reason": "start-of-recording", "notes": ["this is the start of the replay: go forward"]}),
            format!("start-of-recording: {PLACE}"),
        ),
        (
            end(Some(0), None),
            None,
            json!({"reason": "end-of-recording", "exit_code": 0, "notes": at_end}),
            format!("end-of-recording: exit code 0, {PLACE}"),
        ),
        (
            end(Some(3), None),
            None,
            json!({"reason": "end-of-recording", "exit_code": 3, "notes": at_end}),
            format!("end-of-recording: exit code 3, {PLACE}"),
        ),
        (
            end(None, Some("SIGABRT")),
            None,
            json!({"reason": "end-of-recording", "signal_name": "SIGABRT", "notes": at_end}),
            format!("end-of-recording: SIGABRT, {PLACE}"),
        ),
        (
            end(None, None),
            None,
            json!({"reason": "end-of-recording", "notes": at_end}),
            format!("end-of-recording: {PLACE}"),
        ),
        (
            Reason::Exec { path: "/bin/true".to_owned(), number: None },
            None,
            json!({"reason": "exec", "executable": "/bin/true"}),
            format!("exec: /bin/true, {PLACE}"),
        ),
        (
            Reason::TimedOut { after: Duration::from_secs(120) },
            None,
            json!({
                "reason": "timed-out",
                "notes": ["interrupted after 120 s, when the time was up; the session is here now and can go on"]
            }),
            format!("timed-out: {PLACE}"),
        ),
        (
            Reason::Cancelled,
            None,
            json!({
                "reason": "cancelled",
                "notes": ["interrupted by the client; the session is here now and can go on"]
            }),
            format!("cancelled: {PLACE}"),
        ),
    ];
    for (reason, motion, json, first_line) in cases {
        assert_eq!(added(reason.clone(), motion), (json, first_line), "{reason:?}");
    }
}

#[test]
fn a_watchpoint_stop_tells_values_and_writer_in_its_text() {
    let reason = Reason::Watchpoint {
        number: 2,
        access: Access::Write,
        expression: "n.key".to_owned(),
        old: Some("7".to_owned()),
        new: Some("8".to_owned()),
        writer: Some(Frame { args: Vec::new(), ..frame() }),
    };
    let text = text_of(&StopView::new(stop(reason), None));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1..3], ["n.key: 7 -> 8", "by add at /src/t.c:5"]);
    let reason = Reason::FunctionFinished { return_value: Some(variable("", "3", "int")) };
    let text = text_of(&StopView::new(stop(reason), None));
    assert_eq!(text.lines().nth(1), Some("returned 3 (int)"));
}

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
fn a_cut_backtrace_says_where_to_go_on() {
    let cut = |frames: Vec<Frame>, why: &str| Backtrace { frames, truncated: Some(why.to_owned()) };
    let view = BacktraceView::new(cut(vec![frame(), unknown_frame()], "limit of 2 frames"), 10, 2);
    assert_eq!(json_of(&view)["truncated"], "limit of 2 frames; for the next frames: from=12");
    assert!(text_of(&view).ends_with("\ntruncated: limit of 2 frames; for the next frames: from=12"));
    let view = BacktraceView::new(cut(vec![frame()], "no unwind information at 0x1"), 0, 50);
    assert_eq!(json_of(&view)["truncated"], "no unwind information at 0x1");
    let view = BacktraceView::new(Backtrace { frames: vec![frame()], truncated: None }, 0, 0);
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
    let view = ThreadsView::page(vec![thread(1, true), thread(2, false)], 0, 100);
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

fn breakpoint() -> BreakpointInfo {
    BreakpointInfo {
        number: 1,
        watch: None,
        catch: None,
        location: "t.c:4".to_owned(),
        condition: None,
        thread: None,
        enabled: true,
        log: None,
        temporary: false,
        ignore_count: 0,
        hits: 0,
        places: vec![place(0x40_1136)],
        note: None,
    }
}

fn place(address: u64) -> BreakpointPlace {
    BreakpointPlace {
        address: RunAddr(address),
        function: Some("add".to_owned()),
        file: Some("t.c".to_owned()),
        fullname: Some("/src/t.c".to_owned()),
        line: Some(5),
    }
}

#[test]
fn a_breakpoint_at_one_address_is_flat() {
    let view = BreakpointView::from(BreakpointInfo { note: Some("asked 4, bound 5".to_owned()), ..breakpoint() });
    let expected = json!({
        "number": 1, "type": "breakpoint", "location": "t.c:4", "enabled": true, "verified": true, "hits": 0,
        "file": "t.c", "fullname": "/src/t.c", "line": 5, "address": "0x0000000000401136", "function": "add",
        "note": "asked 4, bound 5"
    });
    assert_eq!(json_of(&view).to_string(), expected.to_string());
    let text = "1 breakpoint t.c:4, 0 hits, 0x0000000000401136 in add at /src/t.c:5\n    note: asked 4, bound 5";
    assert_eq!(text_of(&view), text);
}

#[test]
fn breakpoints_of_every_kind_are_listed() {
    let many = BreakpointInfo {
        condition: Some("a > 1".to_owned()),
        temporary: true,
        ignore_count: 2,
        hits: 1,
        places: vec![place(0x1000), place(0x2000)],
        ..breakpoint()
    };
    let pending = BreakpointInfo { number: 2, location: "plugin_init".to_owned(), places: Vec::new(), ..breakpoint() };
    let watch = |number, access| BreakpointInfo {
        number,
        watch: Some(access),
        location: "total".to_owned(),
        places: Vec::new(),
        ..breakpoint()
    };
    let list = vec![many, pending, watch(3, Access::Write), watch(4, Access::Read), watch(5, Access::Access)];
    let view = BreakpointsView::from(list);
    let at = |address: &str| json!({"address": address, "function": "add", "file": "t.c", "fullname": "/src/t.c", "line": 5});
    let expected = json!({"result": [
        {
            "number": 1, "type": "breakpoint", "location": "t.c:4", "enabled": true, "verified": true, "condition": "a > 1", "hits": 1,
            "file": "t.c", "fullname": "/src/t.c", "line": 5, "address": "0x0000000000001000", "function": "add",
            "temporary": true, "ignore_count": 2,
            "places": [at("0x0000000000001000"), at("0x0000000000002000")]
        },
        {"number": 2, "type": "breakpoint", "location": "plugin_init", "enabled": true, "verified": false, "hits": 0, "pending": true},
        {"number": 3, "type": "hw watchpoint", "location": "total", "enabled": true, "verified": true, "hits": 0},
        {"number": 4, "type": "read watchpoint", "location": "total", "enabled": true, "verified": true, "hits": 0},
        {"number": 5, "type": "acc watchpoint", "location": "total", "enabled": true, "verified": true, "hits": 0}
    ]});
    assert_eq!(json_of(&view), expected);
    let text = "\
1 breakpoint t.c:4, temporary, if a > 1, passes 2 more, 1 hit
    0x0000000000001000 in add at /src/t.c:5
    0x0000000000002000 in add at /src/t.c:5
2 breakpoint plugin_init, pending, 0 hits
3 hw watchpoint total, 0 hits
4 read watchpoint total, 0 hits
5 acc watchpoint total, 0 hits";
    assert_eq!(text_of(&view), text);
    assert_eq!(text_of(&BreakpointsView::from(Vec::new())), "no breakpoints or watchpoints");
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
        let missing = Missing { why: String::new(), known_at, line: None, is_ahead };
        Variable { missing: Some(missing), ..variable("a", "<optimized out>", "int") }
    };
    for (variables, go) in [
        (vec![missing(false)], "rr_continue reverse=true"),
        (vec![missing(true)], "rr_continue"),
        (vec![missing(true), missing(false)], "rr_continue, with reverse=true for what is back"),
    ] {
        let hint = LocalsView::from(variables).hint.unwrap();
        assert_eq!(hint.split("then ").nth(1), Some(go), "{hint}");
    }
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

#[test]
fn a_recording_tells_exit_output_and_counters() {
    let recorded = Recorded {
        trace_dir: Some("/tmp/t-0".into()),
        incomplete: None,
        exit_code: 139,
        signal: Some("SIGSEGV".to_owned()),
        stdout: "hello\n".to_owned(),
        stdout_truncated: false,
        stderr: String::new(),
        stderr_truncated: false,
        cut: None,
        duration: Duration::from_millis(1250),
        trace_size: Some(2049),
        events: Some(111),
        counters: Counters::Soft,
        notes: Vec::new(),
    };
    let view = RecordView::from(recorded.clone());
    let expected = json!({
        "trace_dir": "/tmp/t-0", "exit_code": 139, "signal": "SIGSEGV", "seconds": 1.25, "trace_size": 2049, "events": 111,
        "stdout": "hello\n", "stderr": "", "counters": "soft"
    });
    assert_eq!(json_of(&view).to_string(), expected.to_string());
    let counters = "counters: soft (rr_doctor measures what they cost)";
    let text = format!(
        "recorded /tmp/t-0\nexit code 139 (SIGSEGV)\n1.2 s, trace of 3 KiB, 111 events\n{counters}\nstdout:\nhello"
    );
    assert_eq!(text_of(&view), text);
    let hardware = RecordView::from(Recorded { counters: Counters::Hardware, ..recorded.clone() });
    assert!(text_of(&hardware).contains("\ncounters: hardware\n"));
    let view = RecordView::from(Recorded { trace_dir: None, stdout_truncated: true, ..recorded.clone() });
    assert_eq!(json_of(&view)["trace_dir"], Value::Null);
    assert!(text_of(&view).starts_with("no trace was made\n"));
    assert!(text_of(&view).ends_with("stdout (only the end):\nhello"));
    let notes = vec!["cannot write".to_owned()];
    let view =
        RecordView::from(Recorded { trace_dir: None, incomplete: Some("/tmp/t-1".into()), notes, ..recorded.clone() });
    assert_eq!(json_of(&view)["incomplete_trace_dir"], "/tmp/t-1");
    assert_eq!(json_of(&view)["notes"], json!(["cannot write"]));
    assert!(text_of(&view).starts_with("rr had to be killed; /tmp/t-1 is incomplete and cannot be replayed"));
    assert!(text_of(&view).contains("\nnote: cannot write\n"));
    for (cut, word) in
        [(CutShort::Time, "timeout"), (CutShort::Size, "max_trace_bytes"), (CutShort::Cancelled, "cancelled")]
    {
        let view = RecordView::from(Recorded { cut: Some(cut), ..recorded.clone() });
        assert_eq!(json_of(&view)["ended_by"], word);
        assert!(text_of(&view).contains(&format!("\nended by the server: {word}\n")));
    }
    let view = RecordView::of_job("j1");
    let expected = json!({"job": "j1", "trace_dir": null, "exit_code": null, "stdout": "", "stderr": ""});
    assert_eq!(json_of(&view), expected);
    assert_eq!(text_of(&view), "job j1 records; rr_job_status shows its output, rr_job_result how it ended");
}

#[test]
fn recordings_are_paths_with_details_beside_them() {
    let recording = |name: &str, latest| Recording {
        path: name.into(),
        created: Some(std::time::UNIX_EPOCH),
        size: 1025,
        command: Some("./t x".to_owned()),
        exit_code: Some(1),
        latest,
        complete: !latest,
    };
    let view = RecordingsView::from(Recordings {
        newest: vec![recording("/r/t-1", true), recording("/r/t-0", false)],
        total: 2,
    });
    let expected = json!({
        "result": ["/r/t-1", "/r/t-0"],
        "recordings": [
            {
                "path": "/r/t-1", "created": "1970-01-01T00:00:00Z", "size": 1025, "command": "./t x", "exit_code": 1,
                "latest": true, "incomplete": true
            },
            {"path": "/r/t-0", "created": "1970-01-01T00:00:00Z", "size": 1025, "command": "./t x", "exit_code": 1}
        ]
    });
    assert_eq!(json_of(&view), expected);
    let text = "\
/r/t-1  (1970-01-01T00:00:00Z, 2 KiB, `./t x`, exit 1, latest, incomplete)
/r/t-0  (1970-01-01T00:00:00Z, 2 KiB, `./t x`, exit 1)";
    assert_eq!(text_of(&view), text);
    let view = RecordingsView::from(Recordings { newest: vec![recording("/r/t-1", true)], total: 2 });
    assert_eq!(json_of(&view)["result"], json!(["/r/t-1"]));
    assert_eq!(json_of(&view)["truncated"], "the newest 1 of 2; for more, a larger limit");
    assert_eq!(text_of(&RecordingsView::from(Recordings::default())), "no recordings");
}

#[test]
fn processes_read_like_rr_ps() {
    let process = |pid, ppid, exit_code, command: Option<&str>, forked_without_exec| Process {
        pid,
        ppid,
        exit_code,
        command: command.map(str::to_owned),
        forked_without_exec,
    };
    let view = ProcessesView::from(vec![
        process(100, None, Some(-11), Some("./t x"), false),
        process(101, Some(100), None, None, true),
    ]);
    let expected = json!({"result": [
        {"pid": 100, "exit_code": -11, "status": "SIGSEGV", "cmd": "./t x"},
        {"pid": 101, "ppid": 100, "cmd": "(forked without exec)"}
    ], "debug_first": 100});
    assert_eq!(json_of(&view), expected);
    let text = "PID\tPPID\tEXIT\tCMD\n100\t--\tSIGSEGV\t./t x\n101\t100\t--\t  (forked without exec)\ndebug first: 100";
    assert_eq!(text_of(&view), text);
}

#[test]
fn the_trace_header_comes_without_its_bulk_unless_asked_for() {
    let json = r#"{"uuid": [1], "cpuidRecords": [[0]], "environ": ["A=B"], "program": "t"}"#.to_owned();
    let view = TraceinfoView::new(json.clone(), false);
    assert_eq!(view.result, r#"{"uuid":[1],"program":"t"}"#);
    assert_eq!(view.truncated.as_deref(), Some("without cpuidRecords and environ; for all, full=true"));
    assert_eq!(json_of(&TraceinfoView::new(json.clone(), true)), json!({"result": json}));
    assert_eq!(json_of(&TraceinfoView::new("no JSON".to_owned(), false)), json!({"result": "no JSON"}));
}

#[test]
fn the_doctors_verdict_is_the_worst() {
    let check = |verdict, remedy: Option<&str>| Check {
        name: "rr",
        verdict,
        found: "5.9.0".to_owned(),
        remedy: remedy.map(str::to_owned),
    };
    let view = DoctorView::from(vec![check(Verdict::Ok, None), check(Verdict::Warning, Some("update"))]);
    let expected = json!({"verdict": "warning", "checks": [
        {"name": "rr", "verdict": "ok", "found": "5.9.0"},
        {"name": "rr", "verdict": "warning", "found": "5.9.0", "remedy": "update"}
    ]});
    assert_eq!(json_of(&view), expected);
    assert_eq!(text_of(&view), "warning\nok      rr: 5.9.0\nwarning rr: 5.9.0\n        remedy: update");
    let all = [Verdict::Blocker, Verdict::Warning, Verdict::Ok].map(|verdict| check(verdict, None));
    assert_eq!(DoctorView::from(all.to_vec()).verdict, "blocker");
    assert_eq!(DoctorView::from(Vec::new()).verdict, "ok");
}

fn checkpoint() -> Checkpoint {
    Checkpoint { id: 1, position: position(), place: "main at t.c:12".to_owned() }
}

#[test]
fn checkpoints_and_positions() {
    let view = CheckpointView::from(&checkpoint());
    let expected = json!({
        "result": "Checkpoint 1 at main at t.c:12, event 123", "id": 1, "event": 123, "ticks": 4567,
        "thread": "100.101", "pc": "0x0000000000401136", "place": "main at t.c:12"
    });
    assert_eq!(json_of(&view), expected);
    assert_eq!(text_of(&view), "Checkpoint 1 at main at t.c:12, event 123");
    assert_eq!(text_of(&CheckpointsView::from([].as_slice())), "no checkpoints");

    let when = WhenView::from(position());
    let expected = json!({
        "result": "Current event: 123, ticks: 4567, thread: 100.101", "event": 123, "ticks": 4567,
        "thread": "100.101", "pc": "0x0000000000401136"
    });
    assert_eq!(json_of(&when), expected);
    assert_eq!(text_of(&when), "Current event: 123, ticks: 4567, thread: 100.101, pc: 0x0000000000401136");

    let deleted = NumberView { result: 3, done: "deleted breakpoint" };
    assert_eq!((json_of(&deleted), text_of(&deleted)), (json!({"result": 3}), "deleted breakpoint 3".to_owned()));
}

#[test]
fn a_started_replay_tells_its_session() {
    let view =
        ReplayView::new("s2", Some(std::path::Path::new("/r/t-0")), 100, 4711, stop(Reason::StartOfRecording), None);
    let expected = json!({
        "port": 4711, "message": "Program is paused at start.", "session": "s2", "trace_dir": "/r/t-0", "pid": 100,
        "event": 123, "ticks": 4567, "thread": "100.101", "pc": "0x0000000000401136"
    });
    assert_eq!(json_of(&view), expected);
    let text = "session s2: Program is paused at start.\nprocess 100 of /r/t-0, event 123";
    assert_eq!(text_of(&view), text);
}

fn running(tool: &'static str) -> Activity {
    let (since, cancel) = (std::time::Instant::now(), crate::cancel::Cancel::default());
    Activity::Running(Running { tool, since, number: 1, cancel })
}

#[test]
fn an_interrupt_tells_what_became_of_it() {
    let limit = Duration::from_secs(10);
    let idle = InterruptView::new("s1", &Activity::Idle, true, limit);
    assert_eq!(json_of(&idle), json!({"result": "Nothing was running.", "session": "s1", "stopped": true}));
    assert_eq!(text_of(&idle), "session s1: Nothing was running.");
    let stopped = InterruptView::new("s1", &running("rr_continue"), true, limit);
    assert_eq!(stopped.result, "rr_continue was interrupted after 0.0 s.");
    assert_eq!((stopped.tool.as_deref(), stopped.stopped), (Some("rr_continue"), true));
    let deaf = InterruptView::new("s1", &running("rr_continue"), false, limit);
    assert!(deaf.result.starts_with("rr_continue was asked to stop after 0.0 s and has not yet: "), "{}", deaf.result);
    assert!(deaf.result.contains("more than 10 s") && deaf.result.contains("rr_replay_stop"), "{}", deaf.result);
    let starting = InterruptView::new("s1", &Activity::Starting(std::time::Instant::now()), false, limit);
    assert!(starting.result.contains("rr_replay_stop gives it up"), "{}", starting.result);
}

#[test]
fn the_session_list_shows_state_place_and_ends() {
    let busy = Status {
        activity: running("rr_continue"),
        waiting: 2,
        trace: Some("/r/t-0".into()),
        pid: Some(100),
        port: Some(4711),
        stop: Some((stop(Reason::StepDone), "end-stepping-range")),
        checkpoints: vec![checkpoint()],
        breakpoints: vec![breakpoint(), breakpoint()],
        traffic: Some(Traffic { packets: 7, bytes: 900, waited: Duration::from_millis(1500) }),
        ..Status::default()
    };
    let views = vec![SessionView::new("s10", busy, true), SessionView::new("s9", Status::default(), false)];
    assert!(views[0].seconds.is_some_and(|seconds| seconds < 60.0), "{views:?}");
    let views = views.into_iter().map(|view| SessionView { seconds: view.seconds.map(|_| 1.25), ..view }).collect();
    let ended = vec![Ended { id: "s1".to_owned(), reason: "rr was killed".to_owned(), started: true }];
    let view = SessionsView::new(views, ended);
    let expected = json!({
        "result": [
            {"session": "s9", "state": "stopped", "current": false, "breakpoints": 0},
            {
                "session": "s10", "state": "running", "tool": "rr_continue", "seconds": 1.25, "waiting": 2, "current": true, "trace_dir": "/r/t-0", "pid": 100,
                "port": 4711, "reason": "end-stepping-range", "event": 123, "function": "add", "file": "/src/t.c",
                "line": 5, "breakpoints": 2, "checkpoints": [json_of(&CheckpointView::from(&checkpoint()))],
                "traffic": {"packets": 7, "bytes": 900, "rr_seconds": 1.5}
            }
        ],
        "ended": [{"session": "s1", "state": "ended", "reason": "rr was killed"}]
    });
    assert_eq!(json_of(&view), expected);
    let text = "  s9: stopped
* s10: running rr_continue for 1.2 s, 2 calls wait, process 100 of /r/t-0, end-stepping-range at event 123 in add at /src/t.c:5, \
breakpoints and watchpoints: 2
    Checkpoint 1 at main at t.c:12, event 123
  s1 has ended: rr was killed";
    assert_eq!(text_of(&view), text);
}
