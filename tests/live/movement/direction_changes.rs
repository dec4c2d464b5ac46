//! Turning round: whatever it has stopped for, the way back leads to the stop before it, and on to the same one again.

use crate::support::fixtures::line;
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{recording, rr};
use serde_json::{Value, json};
use std::process::Command;
use std::time::{Duration, Instant};

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

/// A replay that stops for everything that is listed, in its order.
struct Walk {
    server: Server,
    stops: &'static [(&'static str, &'static str)],
    /// What is evaluated at a stop that is not for a write.
    shown: Option<&'static str>,
}

impl Walk {
    fn go(&self, reverse: bool) -> Value {
        self.server.call("rr_continue", json!({"reverse": reverse}))
    }

    /// What a stop is for, and the value after it: of a write that is met backward, that is yet to come.
    fn told(&self, stop: &Value) -> (String, String) {
        let reason = stop["reason"].as_str().unwrap();
        let which = match reason {
            "breakpoint-hit" => &stop["function"],
            "signal-received" => &stop["signal_name"],
            _ => &stop["caught"],
        };
        let bare = |which: &str| which.split('(').next().unwrap_or_default().trim_start_matches("__libc_").to_owned();
        let what = which.as_str().map_or(reason.to_owned(), |which| format!("{reason} {}", bare(which)));
        let value = match (reason, self.shown) {
            (WATCH, _) => stop["new_value"].as_str().unwrap().to_owned(),
            // The value is another program's on the other side.
            ("exec", _) | (_, None) => String::new(),
            (_, Some(shown)) => self.server.evaluate(shown),
        };
        (what, value)
    }

    /// Goes on to a stop by its index; that before the first one is the start, that behind the last one is the end.
    #[track_caller]
    fn to(&self, reverse: bool, index: usize) {
        let stop = self.go(reverse);
        let (reason, wanted) = (stop["reason"].as_str().unwrap(), self.stops.get(index));
        match wanted {
            Some((what, value)) => assert_eq!(self.told(&stop), ((*what).to_owned(), (*value).to_owned()), "{stop}"),
            None if reverse => assert_eq!(reason, "start-of-recording", "{stop}"),
            None => assert_eq!(reason, "end-of-recording", "{stop}"),
        }
        let changed = |note: &Value| note.as_str().is_some_and(|note| note.contains("changed"));
        assert!(!stop["notes"].as_array().is_some_and(|notes| notes.iter().any(changed)), "{stop}");
    }

    /// Turns round at every stop, on the way to the end and on the way back.
    #[track_caller]
    fn turn_everywhere(&self) {
        self.to(false, 0);
        for index in 1..=self.stops.len() {
            self.to(false, index);
            self.to(true, index - 1);
            self.to(false, index);
        }
        for index in (0..self.stops.len()).rev() {
            self.to(true, index);
            self.to(false, index + 1);
            self.to(true, index);
        }
        self.to(true, usize::MAX);
        self.to(false, 0);
    }

    fn hits(&self) -> Vec<u64> {
        let list = self.server.call("rr_breakpoint_list", json!({}));
        list["result"].as_array().unwrap().iter().map(|entry| entry["hits"].as_u64().unwrap()).collect()
    }
}

/// What a stop has logged.
fn logged(stop: &Value) -> Vec<String> {
    let lines = stop["log"]["result"].as_array().cloned().unwrap_or_default();
    lines.iter().map(|line| line["text"].as_str().unwrap().to_owned()).collect()
}

/// A replay that stops for everything.
fn stopping() -> Walk {
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
    Walk { server, stops: &STOPS, shown: Some("made") }
}

#[test]
fn each_stop_is_told_once_wherever_it_turns_round() {
    stopping().turn_everywhere();
}

#[test]
fn a_checkpoint_remembers_what_it_stopped_for() {
    let walk = stopping();
    for index in 0..=5 {
        walk.to(false, index);
        walk.server.call("rr_checkpoint_save", json!({}));
    }
    for (index, id) in (0..=5).zip(1..).skip(1) {
        for reverse in [true, false] {
            walk.server.call("rr_checkpoint_restore", json!({"checkpoint_id": id}));
            walk.to(reverse, if reverse { index - 1 } else { index + 1 });
        }
    }
}

#[test]
fn what_does_not_move_tells_nothing_again() {
    let walk = stopping();
    for index in 0..=3 {
        walk.to(false, index);
    }
    walk.server.fail("rr_checkpoint_restore", json!({"checkpoint_id": 99}));
    walk.to(true, 2);
    walk.to(false, 3);
    // Out of `mark`: the write is behind it then, and is met on the way back.
    walk.server.call("rr_finish", json!({}));
    walk.to(true, 3);
    walk.to(false, 4);
}

#[test]
fn backward_from_a_signal_of_a_blocked_thread_each_call_is_logged_once() {
    let server = replaying("turning");
    server.call("rr_breakpoint_set", json!({"location": "mark", "log": "{n}"}));
    server.call("rr_breakpoint_set", json!({"location": "mark", "condition": "n == 8 || n == 10"}));
    server.call("rr_catch_set", json!({"event": "signal", "names": ["SIGALRM"]}));
    let go = |reverse| {
        let stop = server.call("rr_continue", json!({"reverse": reverse}));
        (stop["reason"].as_str().unwrap().to_owned(), logged(&stop).join(" "))
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

/// The stops of `exec_chain.c`, whose three programs have the same variables at the same addresses.
const CHAIN: [(&str, &str); 9] = [
    ("breakpoint-hit main", "0"),
    (WATCH, "1"),
    ("exec", ""),
    ("breakpoint-hit main", "0"),
    (WATCH, "2"),
    ("exec", ""),
    ("breakpoint-hit main", "0"),
    (WATCH, "3"),
    (WATCH, "13"),
];

fn chain() -> Walk {
    let server = replaying("exec_chain");
    server.call("rr_breakpoint_set", json!({"location": "main"}));
    server.call("rr_watchpoint_set", json!({"expression": "made"}));
    server.call("rr_catch_set", json!({"event": "exec"}));
    Walk { server, stops: &CHAIN, shown: Some("made") }
}

#[test]
fn each_exec_is_told_once_wherever_it_turns_round() {
    let walk = chain();
    walk.turn_everywhere();
    // On either way, each stop is met three times; the first one is not come back to on the way to the end.
    let met = |what: &str| 6 * CHAIN.iter().filter(|(stop, _)| stop.starts_with(what)).count() as u64;
    assert_eq!(walk.hits(), [met("breakpoint") - 1, met(WATCH), met("exec")]);
}

#[test]
fn what_is_before_an_exec_is_met_by_who_has_jumped_behind_it() {
    let walk = chain();
    let end = walk.server.call("rr_run_to_event", json!({"event_number": 1_000_000}));
    assert_eq!(end["reason"], "end-of-recording", "{end}");
    for index in (0..CHAIN.len()).rev() {
        walk.to(true, index);
    }
    walk.to(true, usize::MAX);
    for index in 0..=2 {
        walk.to(false, index);
    }
    // What a checkpoint of an exec has stopped for is not told again.
    walk.server.call("rr_checkpoint_save", json!({}));
    walk.to(false, 3);
    walk.server.call("rr_checkpoint_restore", json!({"checkpoint_id": 1}));
    walk.to(true, 1);
    walk.to(false, 2);
    // From behind it, it is.
    let step = |reverse| walk.server.call("rr_step", json!({"instruction": true, "reverse": reverse}));
    assert_eq!(step(false)["reason"], "end-stepping-range");
    let start = step(true);
    assert_eq!((&start["reason"], &start["function"]), (&json!("end-stepping-range"), &json!("_start")), "{start}");
    assert_eq!(step(true)["reason"], "exec");
    walk.to(false, 3);
    walk.to(true, 2);
    walk.to(true, 1);
}

#[test]
fn each_panic_and_the_exit_it_leads_to_are_told_once() {
    const STOPS: [(&str, &str); 4] =
        [("breakpoint-hit panics::main", ""), ("breakpoint-hit panics::element", ""), ("panic", ""), ("panic", "")];
    let server = replaying("panics-rust");
    for location in ["panics::main", "panics::element"] {
        server.call("rr_breakpoint_set", json!({"location": location}));
    }
    for event in ["panic", "signal"] {
        server.call("rr_catch_set", json!({"event": event}));
    }
    Walk { server, stops: &STOPS, shown: None }.turn_everywhere();
}

#[test]
fn a_breakpoint_at_the_instruction_that_faults_is_met_before_its_signal() {
    const STOPS: [(&str, &str); 4] = [
        ("breakpoint-hit sum", "0"),
        ("breakpoint-hit sum", "1"),
        ("breakpoint-hit sum", "3"),
        ("signal-received SIGSEGV", "3"),
    ];
    let server = replaying("crash");
    let fault = server.call("rr_continue", json!({}));
    assert_eq!(fault["reason"], "signal-received", "{fault}");
    server.call("rr_breakpoint_set", json!({"location": format!("*{}", fault["pc"].as_str().unwrap())}));
    let walk = Walk { server, stops: &STOPS, shown: Some("total") };
    for index in (0..=2).rev() {
        walk.to(true, index);
    }
    walk.to(true, usize::MAX);
    walk.turn_everywhere();
}

#[test]
fn a_breakpoint_behind_a_watched_write_is_counted_once() {
    const BREAKPOINT: &str = "breakpoint-hit";
    let server = replaying("turning");
    let behind = line("turning.cpp", "mark") + 1;
    server.call("rr_breakpoint_set", json!({"location": format!("turning.cpp:{behind}")}));
    server.call("rr_watchpoint_set", json!({"expression": "made"}));
    server.call("rr_breakpoint_set", json!({"location": format!("turning.cpp:{behind}"), "log": "{made}"}));
    let walk = Walk { server, stops: &[], shown: Some("made") };
    // The direction, the stop, whether the breakpoint is where the write has stopped, what is logged, and the hits.
    for (reverse, reason, value, is_both, lines, hits) in [
        (false, WATCH, "1", true, "1", [1, 1, 1]),
        (false, WATCH, "2", true, "2", [2, 2, 2]),
        (true, BREAKPOINT, "1", false, "1", [3, 2, 3]),
        (true, WATCH, "1", false, "", [3, 3, 3]),
        (false, BREAKPOINT, "1", false, "1", [4, 3, 4]),
        (true, WATCH, "1", false, "", [4, 4, 4]),
        (false, BREAKPOINT, "1", false, "1", [5, 4, 5]),
        (false, WATCH, "2", true, "2", [6, 5, 6]),
    ] {
        let stop = walk.go(reverse);
        let (what, now) = walk.told(&stop);
        assert_eq!(
            (what.split(' ').next().unwrap(), &*now, &*logged(&stop).join(" ")),
            (reason, value, lines),
            "{stop}"
        );
        let notes = stop["notes"].as_array().cloned().unwrap_or_default();
        assert_eq!(notes.contains(&json!("breakpoint 1 is hit here, too")), is_both, "{stop}");
        assert_eq!(walk.hits(), hits, "{stop}");
    }
}

#[test]
fn the_end_of_a_step_at_a_breakpoint_tells_it_once() {
    let server = replaying("turning");
    let mark = line("turning.cpp", "mark");
    for line in [mark, mark + 1] {
        server.call("rr_breakpoint_set", json!({"location": format!("turning.cpp:{line}")}));
    }
    let look = line("turning.cpp", "look");
    for (tool, reverse, reason, wanted) in [
        ("rr_continue", false, "breakpoint-hit", mark),
        ("rr_next", false, "breakpoint-hit", mark + 1),
        ("rr_continue", true, "breakpoint-hit", mark),
        ("rr_continue", false, "breakpoint-hit", mark + 1),
        ("rr_next", true, "breakpoint-hit", mark),
        ("rr_continue", false, "breakpoint-hit", mark + 1),
        ("rr_next", false, "end-stepping-range", look),
        ("rr_continue", true, "breakpoint-hit", mark + 1),
        ("rr_continue", true, "breakpoint-hit", mark),
        ("rr_finish", false, "breakpoint-hit", mark + 1),
        ("rr_finish", false, "function-finished", look),
        ("rr_continue", true, "breakpoint-hit", mark + 1),
        ("rr_finish", true, "breakpoint-hit", mark),
        ("rr_continue", true, "start-of-recording", 0),
    ] {
        let stop = server.call(tool, json!({"reverse": reverse}));
        let at = (stop["reason"].as_str().unwrap(), stop["line"].as_u64().unwrap_or_default());
        assert_eq!(at, (reason, wanted), "{tool} {reverse}: {stop}");
    }
}

#[test]
fn a_breakpoint_where_a_jump_has_led_is_told_forward() {
    let server = replaying("turning");
    server.call("rr_breakpoint_set", json!({"location": "*on_signal"}));
    let signal = server.call("rr_continue", json!({}));
    assert_eq!(signal["signal_name"], "SIGUSR1", "{signal}");
    let handler = server.call("rr_continue", json!({}));
    let event = &handler["event"];
    let jump = || {
        let there = server.call("rr_run_to_event", json!({"event_number": event}));
        assert_eq!((&there["pc"], &there["reason"]), (&handler["pc"], &json!("event-reached")), "{there}");
    };
    let told = |tool: &str, reverse, reason: &str| {
        let stop = server.call(tool, json!({"reverse": reverse}));
        assert_eq!(stop["reason"], reason, "{tool} {reverse}: {stop}");
    };
    jump();
    server.call("rr_checkpoint_save", json!({}));
    told("rr_continue", true, "signal-received");
    told("rr_continue", false, "breakpoint-hit");
    jump();
    told("rr_continue", false, "breakpoint-hit");
    told("rr_continue", false, "end-of-recording");
    server.call("rr_checkpoint_restore", json!({"checkpoint_id": 1}));
    told("rr_next", false, "breakpoint-hit");
    told("rr_next", false, "end-stepping-range");
    told("rr_continue", true, "breakpoint-hit");
    told("rr_continue", true, "signal-received");
    // One that is set there is for the next time.
    server.call("rr_breakpoint_remove", json!({"breakpoint_number": 1}));
    jump();
    server.call("rr_breakpoint_set", json!({"location": "*on_signal"}));
    told("rr_continue", false, "end-of-recording");
}

#[test]
fn a_time_limit_skips_no_call_and_counts_none_twice() {
    let server = Server::start_with(&[("RR_MCP_TIMEOUT_FORWARD", "1"), ("RR_MCP_TIMEOUT_REVERSE", "1")]);
    server.replay(&recording("spin").trace);
    server.call("rr_breakpoint_set", json!({"location": "turn", "condition": "n >= 2988", "log": "{n}"}));
    let calls: Vec<String> = (2988..3000).map(|n| n.to_string()).collect();
    for (reverse, end) in [(false, "end-of-recording"), (true, "start-of-recording")] {
        let mut lines = Vec::new();
        loop {
            let stop = server.call("rr_continue", json!({"reverse": reverse}));
            lines.extend(logged(&stop));
            match stop["reason"].as_str().unwrap() {
                "timed-out" => assert!(lines.len() <= calls.len(), "{lines:?}"),
                reason => break assert_eq!(reason, end, "{stop}"),
            }
        }
        if reverse {
            lines.reverse();
        }
        assert_eq!(lines, calls, "reverse: {reverse}");
    }
}

/// rr knows what was before each instruction that it has taken back, and gives the registers without moving anything,
/// as long as it is asked for nothing else. So nothing else is asked in the midst of a line.
#[test]
fn going_back_through_a_line_asks_for_registers_only() {
    let trace = recording("stepping").trace;
    let moves = ["break add", "continue", "delete", "next", "reverse-next", "step", "reverse-step"];
    let output = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .args(["gdb", "-batch"])
        .args(moves.iter().flat_map(|each| ["-ex", each]))
        .arg(&trace)
        .env("RETROGRADE_RR", rr().program())
        .env("RETROGRADE_LOG", "retrograde::rsp=trace")
        .output()
        .unwrap();
    let (shown, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let body = format!("{}\t", line("stepping.c", "add-body"));
    assert_eq!(shown.lines().filter(|each| each.starts_with(&body)).count(), 3, "{shown}{log}");
    let requests: Vec<&str> = log.lines().filter_map(|each| Some(each.split_once(" -> ")?.1)).collect();
    // As many instructions as the line has, the same way twice.
    let chains: Vec<_> =
        requests.split(|request| !matches!(*request, "bs" | "g")).filter(|c| c.contains(&"bs")).collect();
    let count = chains.first().map_or(0, |chain| chain.len() / 2);
    assert!(count > 1, "{requests:?}");
    assert_eq!(chains, [&["bs", "g"].repeat(count)[..]; 2], "{requests:?}");
}

/// rr compares each moment of a tick with all others of it on the way back: with a thousand calls that takes minutes.
#[test]
fn the_way_back_from_an_overflow_in_one_tick_takes_no_minutes() {
    let server = replaying("dive");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(
        (stop["reason"].as_str(), stop["signal_name"].as_str()),
        (Some("signal-received"), Some("SIGSEGV")),
        "{stop}"
    );
    let number = |expression: &str| {
        let value = server.call("rr_evaluate", json!({"expression": expression}))["value"].as_str().unwrap().to_owned();
        value.parse::<u64>().unwrap_or_else(|_| panic!("{expression} = {value}"))
    };
    let reached = number("depth");
    let start = Instant::now();
    let mut before = stop;
    for _ in 0..3 {
        let stop = server.call("rr_step", json!({"reverse": true, "instruction": true}));
        assert_eq!(stop["reason"], "end-stepping-range", "{stop}");
        assert_ne!(stop["pc"], before["pc"], "{stop}");
        assert_eq!(stop["ticks"], before["ticks"], "{stop}");
        before = stop;
    }
    // Forward again, and back to the same moment.
    let ahead = server.call("rr_step", json!({"instruction": true}));
    let back = server.call("rr_step", json!({"reverse": true, "instruction": true}));
    assert_eq!(back["position"], before["position"], "{ahead} {back}");
    server.call("rr_watchpoint_set", json!({"expression": "depth"}));
    for level in (reached - 2..=reached).rev() {
        let stop = server.call("rr_continue", json!({"reverse": true}));
        let found = (stop["line"].as_u64(), stop["new_value"].as_str());
        assert_eq!(found, (Some(line("dive.c", "deeper")), Some(&*level.to_string())), "{stop}");
    }
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}
