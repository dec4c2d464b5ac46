//! Movements from within system calls that rr's library makes, which are those of a recording without rr's buffer.

use crate::support::fixtures::{line, program, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::record_with;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The recordings with rr's buffer and without.
static TRACES: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    ["1", "0"].map(|wanted| {
        let variables = [("RETROGRADE_SOFT_BUFFER", wanted)];
        record_with(&[], &variables, &program("buffered_calls"), &[], scratch()).trace
    })
});

/// A session that has stopped for the signal that interrupts a call.
fn interrupted(trace: &Path) -> Server {
    let server = Server::start();
    server.replay(trace);
    server.call("rr_catch_set", json!({"event": "signal", "names": ["SIGALRM"]}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(place(&stop), "signal call", "{stop}");
    assert_eq!(stop["line"], line("buffered_calls.c", "call"), "{stop}");
    server
}

/// rr's own step back over a call that waited while another thread got signals ends at the beginning of the recording.
#[test]
fn a_step_back_over_a_call_that_has_waited_leads_to_the_call() {
    let server = replaying("waiting_call");
    let stop = server.run_to(&format!("waiting_call.c:{}", line("waiting_call.c", "waited")));
    let (thread, sp) = (stop["thread"].clone(), server.evaluate("$sp"));
    // Behind the call, before its result is stored.
    let mut behind = Vec::new();
    for _ in 0..8 {
        let stop = server.call("rr_step", json!({"reverse": true, "instruction": true}));
        behind.push(stop["pc"].as_str().unwrap().to_owned());
        if server.evaluate("*(unsigned short *)$pc") == "1295" {
            break;
        }
    }
    assert_eq!(server.evaluate("*(unsigned short *)$pc"), "1295", "`syscall` was not come to: {behind:?}");
    assert_eq!((server.evaluate("$rax"), server.evaluate("$sp")), (libc::SYS_nanosleep.to_string(), sp));
    let stop = server.call("rr_step", json!({"instruction": true}));
    assert_eq!(stop["pc"].as_str(), behind.iter().rev().nth(1).map(String::as_str), "{stop}");
    assert_eq!(stop["thread"], thread);
    let stop = server.call("rr_step", json!({"reverse": true}));
    assert_eq!(
        (&stop["function"], &stop["line"]),
        (&json!("wait_for"), &json!(line("waiting_call.c", "wait"))),
        "{stop}"
    );
}

/// Where a stop is: why, if that is not that it was to end there; the function, and the mark of its line.
fn place(stop: &Value) -> String {
    const MARKS: [&str; 15] = [
        "handler",
        "handled",
        "call",
        "behind",
        "result",
        "left",
        "depth",
        "deeper",
        "read",
        "got",
        "returned",
        "write",
        "again",
        "end",
        "interrupted",
    ];
    let reason = match stop["reason"].as_str().unwrap() {
        "end-stepping-range" => "",
        "function-finished" => "finished ",
        "signal-received" => "signal ",
        other => other,
    };
    let in_fixture = stop["file"].as_str().is_some_and(|file| file.ends_with("buffered_calls.c"));
    let mark = MARKS.iter().find(|mark| in_fixture && stop["line"] == line("buffered_calls.c", mark));
    format!("{reason}{}", mark.unwrap_or(&"elsewhere"))
}

/// Makes the same movement again and again, in both recordings.
#[track_caller]
fn each(tool: &str, reverse: bool, wanted: &[&str]) {
    for trace in TRACES.iter() {
        let server = interrupted(trace);
        let places: Vec<_> = wanted.iter().map(|_| place(&server.call(tool, json!({"reverse": reverse})))).collect();
        assert_eq!(places, wanted, "{}", trace.display());
    }
}

#[test]
fn the_next_line_from_within_a_call_is_that_of_the_handler_and_then_of_the_function() {
    let wanted = ["handler", "handled", "behind", "result", "left", "got", "returned", "deeper", "returned", "deeper"];
    each("rr_next", false, &wanted);
    each("rr_step", false, &wanted);
}

#[test]
fn the_line_before_is_the_one_that_makes_the_call() {
    each("rr_next", true, &["call", "read", "depth", "deeper", "depth"]);
    each("rr_step", true, &["call", "read", "depth", "deeper"]);
}

#[test]
fn a_function_is_left_from_within_a_call_of_it() {
    each("rr_finish", false, &["finished read", "finished deeper", "finished deeper"]);
    each("rr_finish", true, &["read", "deeper", "deeper"]);
}

#[test]
fn out_of_the_handler_it_goes_on_behind_the_call_and_back_into_it() {
    for trace in TRACES.iter() {
        let server = interrupted(trace);
        let walk = |tool: &str, reverse| place(&server.call(tool, json!({"reverse": reverse})));
        for (tool, reverse, wanted) in [
            ("rr_next", false, "handler"),
            ("rr_next", false, "handled"),
            ("rr_next", false, "behind"),
            ("rr_next", false, "result"),
            ("rr_next", true, "behind"),
            ("rr_next", true, "signal call"),
            ("rr_next", true, "call"),
            ("rr_next", true, "read"),
            ("rr_next", false, "signal call"),
            ("rr_finish", false, "finished read"),
            ("rr_finish", true, "signal call"),
            ("rr_finish", true, "read"),
        ] {
            assert_eq!(walk(tool, reverse), wanted, "{tool} {reverse} {}", trace.display());
        }
    }
}

#[test]
fn instructions_go_over_the_call_as_over_one() {
    for trace in TRACES.iter() {
        let server = Server::start();
        server.replay(trace);
        server.run_to(&format!("buffered_calls.c:{}", line("buffered_calls.c", "again")));
        server.run_to("call");
        let pc = |stop: &Value| {
            let pc = stop["pc"].as_str().unwrap();
            u64::from_str_radix(pc.trim_start_matches("0x"), 16).unwrap()
        };
        let step = |reverse| server.call("rr_step", json!({"instruction": true, "reverse": reverse}));
        let mut places = vec![pc(&step(false))];
        while places.len() < 40 {
            let stop = step(false);
            if place(&stop) != "call" && places.len() > 8 {
                break;
            }
            places.push(pc(&stop));
        }
        // The system call and the comparison behind it are passed, and no instruction is of another function.
        assert!(places.windows(2).all(|two| two[1] > two[0] && two[1] - two[0] <= 16), "{places:x?}");
        assert_eq!(server.evaluate("buffer[0]"), "104 'h'", "{}", trace.display());
        let back: Vec<_> = places.iter().map(|_| pc(&step(true))).collect();
        assert!(back.iter().eq(places.iter().rev()), "{back:x?} {places:x?}");
        assert_eq!(server.evaluate("buffer[0]"), "0 '\\000'", "{}", trace.display());
    }
}

#[test]
fn a_stop_in_a_call_is_where_its_frame_is() {
    for trace in TRACES.iter() {
        let server = interrupted(trace);
        let frames = server.call("rr_backtrace", json!({}));
        let frames = frames["result"].as_array().unwrap();
        let functions: Vec<_> = frames.iter().take(5).map(|frame| frame["function"].as_str().unwrap()).collect();
        assert_eq!(functions, ["call", "wait_for", "wait_for", "wait_for", "main"]);
        let when = server.call("rr_when", json!({}));
        let at = &frames[0]["address"];
        assert_eq!(&when["pc"], at, "{when}");
        let back = server.call("rr_next", json!({"reverse": true}));
        assert_eq!(&back["pc"], &back["frame"]["address"], "{back}");
    }
}

#[test]
fn the_end_is_in_the_programs_last_call() {
    for trace in TRACES.iter() {
        let server = Server::start();
        server.replay(trace);
        for _ in 0..2 {
            let end = server.call("rr_continue", json!({}));
            assert_eq!((&end["reason"], &end["function"]), (&json!("end-of-recording"), &json!("_exit")), "{end}");
            let frames = server.call("rr_backtrace", json!({}));
            let functions = frames["result"].as_array().unwrap().iter().map(|frame| frame["function"].clone());
            assert!(functions.clone().any(|function| function == "exit"), "{frames}");
        }
        let back = server.call("rr_continue", json!({"reverse": true}));
        assert_eq!(back["reason"], "start-of-recording", "{back}");
    }
}

/// As root the kernel lets rr guard buffered calls by what nobody else may have: not the program either, when it is root
/// no more.
#[test]
fn a_program_that_gives_its_privileges_up_is_recorded() {
    let paranoid = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap();
    // Above 2 nobody else may have any guard, which the documentation says what to do about.
    let buffer = if paranoid.trim().parse::<i64>().unwrap() > 2 { "0" } else { "1" };
    let variables = [("RETROGRADE_COUNTERS", "soft"), ("RETROGRADE_SOFT_BUFFER", buffer)];
    let server = Server::start_with(&variables);
    let trace = scratch().join("privileges.trace");
    let recorded = server.call("rr_record", json!({"command": [program("privileges")], "trace_dir": trace}));
    assert_eq!(
        (&recorded["exit_code"], &recorded["stdout"]),
        (&json!(0), &json!("answered 26\nchild 0\n")),
        "{recorded}"
    );
    server.replay(&trace);
    server.call("rr_breakpoint_set", json!({"location": format!("privileges.c:{}", line("privileges.c", "answered"))}));
    let end = server.call("rr_continue", json!({}));
    let ends = (&end["reason"], &end["exit_code"]);
    assert_eq!(
        ends,
        (&json!("end-of-recording"), &json!(0)),
        "the child has the breakpoint, and is another process: {end}"
    );
}
