//! Turning round: whatever it has stopped for, the way back leads to the stop before it, and on to the same one again.

use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};

/// The stops of `turning.cpp` in its order: what for, and the value of `made` after it.
const STOPS: [(&str, &str); 26] = [
    ("breakpoint-hit main", "0"),
    ("watchpoint-trigger", "1"),
    ("read-watchpoint-trigger", "1"),
    ("watchpoint-trigger", "2"),
    ("signal-received SIGUSR1", "2"),
    ("watchpoint-trigger", "3"),
    ("watchpoint-trigger", "4"),
    ("syscall-entry getppid", "4"),
    ("watchpoint-trigger", "5"),
    ("fork fork", "5"),
    ("watchpoint-trigger", "6"),
    ("exception-thrown int", "6"),
    ("watchpoint-trigger", "7"),
    ("watchpoint-trigger", "8"),
    ("watchpoint-trigger", "9"),
    ("signal-received SIGALRM", "9"),
    ("watchpoint-trigger", "10"),
    ("breakpoint-hit give", "10"),
    ("watchpoint-trigger", "11"),
    ("watchpoint-trigger", "12"),
    ("signal-received SIGALRM", "12"),
    ("watchpoint-trigger", "13"),
    ("breakpoint-hit give", "13"),
    ("watchpoint-trigger", "14"),
    ("breakpoint-hit give", "14"),
    ("watchpoint-trigger", "15"),
];
const WATCH: &str = "watchpoint-trigger";

fn go(server: &Server, reverse: bool) -> Value {
    server.call("rr_continue", json!({"reverse": reverse}))
}

/// What a stop is for, and `made` after it: of a write that is met backward, that is yet to come.
fn told(server: &Server, stop: &Value) -> (String, String) {
    let reason = stop["reason"].as_str().unwrap();
    let which = match reason {
        "breakpoint-hit" => &stop["function"],
        "signal-received" => &stop["signal_name"],
        _ => &stop["caught"],
    };
    let which = which.as_str().map(|which| which.split('(').next().unwrap_or_default().trim_start_matches("__libc_"));
    let what = which.map_or(reason.to_owned(), |which| format!("{reason} {which}"));
    let made = match reason {
        WATCH => stop["new_value"].as_str().unwrap().to_owned(),
        _ => server.evaluate("made"),
    };
    (what, made)
}

/// Goes on to a stop by its index; that before the first one is the start, that behind the last one is the end.
#[track_caller]
fn to(server: &Server, reverse: bool, index: usize) {
    let stop = go(server, reverse);
    let (reason, wanted) = (stop["reason"].as_str().unwrap(), STOPS.get(index));
    match wanted {
        Some((what, made)) => assert_eq!(told(server, &stop), ((*what).to_owned(), (*made).to_owned()), "{stop}"),
        None if reverse => assert_eq!(reason, "start-of-recording", "{stop}"),
        None => assert_eq!(reason, "end-of-recording", "{stop}"),
    }
    let changed = |note: &Value| note.as_str().is_some_and(|note| note.contains("changed"));
    assert!(!stop["notes"].as_array().is_some_and(|notes| notes.iter().any(changed)), "{stop}");
}

/// A replay that stops for everything.
fn stopping() -> Server {
    let server = replaying("turning");
    for location in ["main", "give"] {
        server.call("rr_breakpoint_set", json!({"location": location}));
    }
    server.call("rr_watchpoint_set", json!({"expression": "made"}));
    server.call("rr_watchpoint_set", json!({"expression": "looked", "access_type": "read"}));
    server.call("rr_catch_set", json!({"event": "signal", "names": ["SIGUSR1", "SIGALRM"]}));
    server.call("rr_catch_set", json!({"event": "syscall", "names": ["getppid"]}));
    for event in ["fork", "throw"] {
        server.call("rr_catch_set", json!({"event": event}));
    }
    server
}

#[test]
fn each_stop_is_told_once_wherever_it_turns_round() {
    let server = stopping();
    to(&server, false, 0);
    for index in 1..=STOPS.len() {
        to(&server, false, index);
        to(&server, true, index - 1);
        to(&server, false, index);
    }
    for index in (0..STOPS.len()).rev() {
        to(&server, true, index);
        to(&server, false, index + 1);
        to(&server, true, index);
    }
    to(&server, true, usize::MAX);
    to(&server, false, 0);
}

#[test]
fn a_checkpoint_remembers_what_it_stopped_for() {
    let server = stopping();
    for index in 0..=5 {
        to(&server, false, index);
        server.call("rr_checkpoint_save", json!({}));
    }
    for (index, id) in (0..=5).zip(1..).skip(1) {
        for reverse in [true, false] {
            server.call("rr_checkpoint_restore", json!({"checkpoint_id": id}));
            to(&server, reverse, if reverse { index - 1 } else { index + 1 });
        }
    }
}

#[test]
fn what_does_not_move_tells_nothing_again() {
    let server = stopping();
    for index in 0..=3 {
        to(&server, false, index);
    }
    server.fail("rr_checkpoint_restore", json!({"checkpoint_id": 99}));
    to(&server, true, 2);
    to(&server, false, 3);
    // Out of `mark`: the write is behind it then, and is met on the way back.
    server.call("rr_finish", json!({}));
    to(&server, true, 3);
    to(&server, false, 4);
}

#[test]
fn backward_from_a_signal_of_a_blocked_thread_each_call_is_logged_once() {
    let server = replaying("turning");
    server.call("rr_breakpoint_set", json!({"location": "mark", "log": "{n}"}));
    server.call("rr_breakpoint_set", json!({"location": "mark", "condition": "n == 8 || n == 10"}));
    server.call("rr_catch_set", json!({"event": "signal", "names": ["SIGALRM"]}));
    let go = |reverse| {
        let stop = go(&server, reverse);
        let lines = stop["log"]["result"].as_array().cloned().unwrap_or_default();
        let lines = lines.iter().map(|line| line["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ");
        (stop["reason"].as_str().unwrap().to_owned(), lines)
    };
    let wanted = |reason: &str, lines: &str| (reason.to_owned(), lines.to_owned());
    let forward = [
        wanted("signal-received", "1 2"),
        wanted("breakpoint-hit", "3 4 5 6 7 8"),
        wanted("signal-received", "9"),
        wanted("breakpoint-hit", "10"),
        wanted("signal-received", "11 12"),
        wanted("end-of-recording", "13 14 15"),
    ];
    let backward = [
        wanted("signal-received", "15 14 13"),
        wanted("breakpoint-hit", "12 11 10"),
        wanted("signal-received", ""),
        wanted("breakpoint-hit", "9 8"),
        wanted("signal-received", "7 6 5 4 3"),
        wanted("start-of-recording", "2 1"),
    ];
    for _ in 0..2 {
        assert_eq!(forward.each_ref().map(|_| go(false)), forward);
        assert_eq!(backward.each_ref().map(|_| go(true)), backward);
    }
}
