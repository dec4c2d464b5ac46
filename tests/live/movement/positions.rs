//! Positions: named by stops, gone to in any order, in a session that was never there.

use crate::server::wire::Wire;
use crate::support::fixtures::{line, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{record, recording};
use serde_json::{Value, json};
use std::path::Path;

/// Numbers that look like chance, and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// A moment as a session sees it: its name, the thread's registers, its stack.
#[derive(Debug, PartialEq)]
struct Seen {
    position: String,
    registers: Value,
    stack: Value,
}

fn seen(server: &Server, stop: &Value) -> Seen {
    let position = stop["position"].as_str().unwrap_or_else(|| panic!("no position: {stop}")).to_owned();
    let stack = server.attempt("rr_read_memory", json!({"address": "$sp", "count": 512}));
    let stack = stack.map_or_else(Value::String, |read| read["contents"].clone());
    let registers = server.call("rr_registers", json!({}))["registers"].take();
    Seen { position, registers, stack }
}

/// Collects stops on the way forward, and goes to them in another order in another session.
fn gone_to_again(fixture: &str, breakpoints: &[String]) {
    let (server, mut dice) = (replaying(fixture), Dice(7));
    for location in breakpoints {
        server.call("rr_breakpoint_set", json!({"location": location}));
    }
    let mut stops = Vec::new();
    for _ in 0..30 {
        let (tool, arguments) = match dice.roll(6) {
            0 | 1 => ("rr_continue", json!({})),
            2 => ("rr_next", json!({})),
            3 => ("rr_step", json!({})),
            n => ("rr_step", json!({"instruction": true, "count": n * 3})),
        };
        let stop = server.call(tool, arguments);
        stops.push(seen(&server, &stop));
        if stop["reason"] == "end-of-recording" {
            break;
        }
    }
    assert!(stops.len() > 2, "{fixture}: {stops:?}");
    let other = replaying(fixture);
    let mut order: Vec<usize> = (0..stops.len()).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, dice.roll(i + 1));
    }
    for at in order {
        let stop = other.call("rr_goto", json!({"position": stops[at].position}));
        assert!(matches!(stop["reason"].as_str(), Some("position-reached" | "end-of-recording")), "{stop}");
        assert_eq!(seen(&other, &stop), stops[at], "{fixture}: stop {at}: {stop}");
        assert_eq!(other.call("rr_when", json!({}))["position"], stops[at].position);
    }
}

fn places(file: &str, tags: &[&str]) -> Vec<String> {
    tags.iter().map(|tag| format!("{file}:{}", line(file, tag))).collect()
}

#[test]
fn of_threads() {
    gone_to_again("threads", &places("threads.c", &["add", "thread-return", "join-a", "return"]));
}

#[test]
fn of_signals() {
    gone_to_again("signal_handler", &places("signal_handler.c", &["kill", "handler", "after", "work", "return"]));
}

#[test]
fn around_forks() {
    gone_to_again("fork_exec", &places("fork_exec.c", &["fork", "parent", "return"]));
}

#[test]
fn of_a_crash() {
    gone_to_again("crash", &["cut".to_owned()]);
}

#[test]
fn within_one_tick() {
    gone_to_again("same_tick", &places("same_tick.c", &["copy", "add", "first"]));
}

#[test]
fn far_from_an_event_in_a_loop() {
    let server = replaying("one_line_loops");
    let at = server.run_to(&places("one_line_loops.c", &["after"])[0]);
    let number = server.call("rr_breakpoint_set", json!({"location": places("one_line_loops.c", &["loop"])[0]}));
    drop(number);
    let inside = server.call("rr_step", json!({"instruction": true, "reverse": true, "count": 20}));
    let inside = seen(&server, &inside);
    let other = replaying("one_line_loops");
    let there = other.call("rr_goto", json!({"position": inside.position}));
    assert_eq!(seen(&other, &there), inside);
    assert_eq!(other.call("rr_goto", json!({"position": at["position"]}))["pc"], at["pc"]);
}

#[test]
fn without_a_fingerprint_it_is_the_first_visit_in_the_tick() {
    let server = replaying("same_tick");
    let add = places("same_tick.c", &["add"]);
    server.call("rr_breakpoint_set", json!({"location": add[0]}));
    let first = server.call("rr_continue", json!({}));
    let third = {
        server.call("rr_continue", json!({}));
        server.call("rr_continue", json!({}))
    };
    for field in ["event", "ticks", "pc"] {
        assert_eq!(first[field], third[field], "{field}");
    }
    let (bare, _) = third["position"].as_str().unwrap().rsplit_once('/').unwrap();
    assert_eq!(server.call("rr_goto", json!({"position": bare}))["position"], first["position"]);
    assert_eq!(server.evaluate("n"), "1");
    assert_eq!(server.call("rr_goto", json!({"position": third["position"]}))["position"], third["position"]);
    assert_eq!(server.evaluate("n"), "3");
}

#[test]
fn where_nothing_is_the_session_stays_where_it_was() {
    let server = replaying("same_tick");
    let here = server.run_to(&places("same_tick.c", &["add"])[0]);
    let name = here["position"].as_str().unwrap();
    let other_print = name.rsplit_once('/').map(|(front, _)| format!("{front}/0123456789abcdef")).unwrap();
    let said = server.fail("rr_goto", json!({"position": other_print}));
    assert!(said.contains("does not reach this position") && said.ends_with("the session is where it was"), "{said}");
    // Where nothing can be executed, nothing is searched for.
    let pc = here["pc"].as_str().unwrap().trim_start_matches("0x").trim_start_matches('0');
    for data in ["0x8".to_owned(), server.evaluate("(void *)$sp")] {
        let data = data.split_whitespace().last().unwrap().to_owned();
        let said = server.fail("rr_goto", json!({"position": name.replacen(&format!("0x{pc}"), &data, 1)}));
        assert!(said.contains(&format!("pc {data}, where no code is; ")), "{data}: {said}");
    }
    let pid = server.call("rr_session_info", json!({}))["pid"].as_u64().unwrap();
    let stranger = name.replacen(&format!("{pid}.{pid}"), &format!("{}.{pid}", pid + 1), 1);
    let said = server.fail("rr_goto", json!({"position": stranger}));
    let words = format!("is in process {}, and this session is on process {pid}", pid + 1);
    assert!(said.contains(&words) && said.contains("in a session on process"), "{said}");
    let said = server.fail("rr_goto", json!({"position": "yesterday"}));
    assert!(said.starts_with("\"yesterday\" is not a position: expected event/ticks/process.thread/pc"), "{said}");
    assert_eq!(server.call("rr_when", json!({}))["position"], here["position"]);
    assert_eq!(server.evaluate("n"), "1");
    // It goes on from there, and an event is a position, too.
    assert_eq!(server.call("rr_next", json!({}))["line"].as_u64(), Some(line("same_tick.c", "add") + 1));
    assert_eq!(server.call("rr_goto", json!({"position": "20"}))["event"], 20);
}

#[test]
fn a_journey_that_is_cancelled_ends_where_it_began() {
    let script = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo $i; done";
    let trace = record(Path::new("/bin/sh"), &["-c", script], scratch()).trace;
    let (mut wire, _) = Wire::replaying(&trace, &[]);
    let far = wire.call("rr_run_to_event", json!({"event_number": 1_000_000}))["structuredContent"].take();
    wire.call("rr_run_to_event", json!({"event_number": 100}));
    let before = wire.call("rr_when", json!({}))["structuredContent"].take();
    let running = wire.start("rr_goto", json!({"position": far["position"]}));
    wire.until_running("rr_goto");
    wire.start("rr_interrupt", json!({}));
    let answer = wire.finish(running);
    let reason = answer["structuredContent"]["reason"].as_str().unwrap().to_owned();
    let expected = match reason.as_str() {
        "cancelled" => &before["position"],
        _ => &far["position"],
    };
    assert_eq!(&wire.call("rr_when", json!({}))["structuredContent"]["position"], expected, "{answer}");
}

#[test]
fn checkpoints_have_a_note_and_a_position() {
    let server = replaying("same_tick");
    let here = server.run_to(&places("same_tick.c", &["add"])[0]);
    let made = server.call("rr_checkpoint_save", json!({"note": "first call"}));
    assert_eq!((&made["position"], &made["note"]), (&here["position"], &json!("first call")));
    let list = server.call("rr_checkpoint_list", json!({}));
    assert_eq!(list["result"][0], made);
    assert!(made["result"].as_str().unwrap().ends_with(": first call"), "{made}");
}

#[test]
fn the_prompt_has_them_as_well() {
    let server = replaying("same_tick");
    let here = server.run_to(&places("same_tick.c", &["add"])[0]);
    let say = |command: &str| {
        let answer = server.call("rr_command", json!({"command": command}));
        answer["output"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    let name = here["position"].as_str().unwrap();
    assert_eq!(say("when-position"), format!("Current position: {name}\n"));
    say("run 20");
    say(&format!("goto {name}"));
    assert_eq!(server.call("rr_when", json!({}))["position"], here["position"]);
    let ticks = here["ticks"].as_u64().unwrap();
    say(&format!("seek-ticks {}", ticks - 1));
    assert_eq!(say("when-ticks"), format!("Current tick: {}\n", ticks - 1));
    assert!(recording("same_tick").exit_code == 0);
}

#[test]
fn both_ends_have_names() {
    let server = replaying("stepping");
    let begin = server.call("rr_when", json!({}))["position"].clone();
    let end = server.call("rr_goto", json!({"position": "end"}));
    assert_eq!(end["reason"], "end-of-recording", "{end}");
    assert_eq!(server.call("rr_goto", json!({"position": "start"}))["position"], begin);
    server.call("rr_command", json!({"command": "goto end\ngoto start"}));
    assert_eq!(server.call("rr_when", json!({}))["position"], begin);
    let refused = server.fail("rr_goto", json!({"position": "middle"}));
    assert!(refused.ends_with("or as the number of an event, `start` or `end`"), "{refused}");
    let refused = server.fail("rr_where", json!({}));
    assert_eq!(refused, "unknown tool \"rr_where\": use rr_backtrace");
}
