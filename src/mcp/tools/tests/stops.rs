//! Stops and their reasons.

use super::*;

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
                "notes": ["interrupted after 120 s, at its time limit; the session is here now and can continue"]
            }),
            format!("timed-out: {PLACE}"),
        ),
        (
            Reason::Cancelled,
            None,
            json!({
                "reason": "cancelled",
                "notes": ["interrupted by the client; the session is here now and can continue"]
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
