//! The same stops by other ways: over MCP, and with GDB line by line.

use crate::program::Program;
use crate::random::Random;
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::truth::{Truth, Wait, What, open};
use retrograde::{Replay, StopReason};
use serde_json::{Value, json};

/// Programs that are walked through in other ways.
const PROGRAMS: usize = 2;
/// Lines that GDB steps along.
const LINES: usize = 40;

/// Draws a program whose recordings do not depend on time, and finds the truth about it.
fn truth(nth: usize) -> (Program, Truth) {
    let mut random = Random::of(77, nth as u64);
    loop {
        let program = Program::random(&mut random);
        let text = program.to_string();
        if ["timer", "threads", "turns", "fork", "vfork", "spawn", "system", "chaos", "trap"]
            .iter()
            .any(|word| text.contains(word))
        {
            continue;
        }
        let truth = Truth::find(&program).unwrap_or_else(|failure| panic!("{program}: {failure}"));
        return (program, truth);
    }
}

/// What a stop over MCP is for: the function, the counter with its new value, or the signal; and where.
fn met(truth: &Truth, stop: &Value) -> Option<String> {
    let wait = |number: &Value| match &truth.waits[usize::try_from(number.as_u64().unwrap()).unwrap() - 1] {
        Wait::Function(name, _) => name.clone(),
        Wait::Counter(counter) => truth.counters[*counter].clone(),
    };
    let what = match stop["reason"].as_str().unwrap() {
        "breakpoint-hit" => wait(&stop["breakpoint_number"]),
        "watchpoint-trigger" => {
            let new = stop["new_value"].as_str().unwrap().split_whitespace().next().unwrap();
            format!("{}={new}", wait(&stop["breakpoint_number"]))
        }
        "signal-received" => stop["signal_name"].as_str().unwrap().to_owned(),
        _ => return None,
    };
    Some(format!("{what} {} {}", stop["event"], stop["ticks"]))
}

#[test]
#[ignore = "a part of the random journeys"]
fn stops_over_mcp_are_those_of_the_library() {
    for nth in 0..PROGRAMS {
        let (program, truth) = truth(nth);
        let server = Server::start();
        server.replay(&truth.built.recording.trace);
        for wait in &truth.waits {
            match wait {
                Wait::Function(name, _) => server.call("rr_breakpoint_set", json!({"location": name})),
                Wait::Counter(counter) => {
                    server.call("rr_watchpoint_set", json!({"expression": truth.counters[*counter]}))
                }
            };
        }
        for reverse in [false, true] {
            // What stops at the moment of another stop is noted there.
            let at = |index: usize| {
                let element = &truth.elements[index];
                if reverse { &element.before } else { &element.after }
            };
            let mut order: Vec<_> = (0..truth.elements.len()).collect();
            if reverse {
                order.reverse();
            }
            order.dedup_by(|two, one| at(*two) == at(*one));
            let expected = order.into_iter().map(|index| {
                let (element, position) = (&truth.elements[index], at(index));
                let what = match &element.what {
                    What::Wait(wait) => match &truth.waits[*wait] {
                        Wait::Function(name, _) => name.clone(),
                        Wait::Counter(counter) => {
                            format!("{}={}", truth.counters[*counter], element.counters[*counter].unwrap())
                        }
                    },
                    What::Signal(name) => name.clone(),
                };
                format!("{what} {} {}", position.event(), position.ticks())
            });
            let next = || met(&truth, &server.call("rr_continue", json!({"reverse": reverse})));
            let stops: Vec<_> = std::iter::from_fn(next).collect();
            assert_eq!(stops, expected.collect::<Vec<_>>(), "{program}, reverse {reverse}");
        }
    }
}

/// The function and the line of a replay.
fn ours(replay: &Replay) -> (String, String) {
    let frame = &replay.stop().frame;
    let function = frame.function.as_deref().unwrap_or_default();
    let line = frame.location.as_ref().map(|location| location.line.to_string());
    (function.split('(').next().unwrap_or_default().to_owned(), line.unwrap_or_default())
}

/// The same of GDB.
fn theirs(frame: &Value) -> (String, String) {
    let text = |name: &str| frame[name].as_str().unwrap_or_default().to_owned();
    (text("func").split('(').next().unwrap_or_default().to_owned(), text("line"))
}

#[test]
#[ignore = "a part of the random journeys"]
fn lines_are_those_of_gdb() {
    for nth in 0..PROGRAMS {
        let (program, truth) = truth(nth);
        let mut gdb = Gdb::start(&truth.built.recording.trace, &truth.built.executable);
        let mut replay = open(&truth.built).unwrap_or_else(|failure| panic!("{failure}"));
        gdb.command("-break-insert -t main");
        gdb.run("-exec-continue").unwrap();
        replay.breakpoint("main").temporary().set().unwrap();
        replay.run().unwrap();
        let mut random = Random::of(5, nth as u64);
        for count in 0..LINES {
            let into = random.one_in(2);
            let stopped = gdb.run(if into { "-exec-step" } else { "-exec-next" }).unwrap();
            let stop = if into { replay.step() } else { replay.next() }.unwrap();
            let is_end = stopped["reason"].as_str().is_none_or(|reason| reason.starts_with("exited"));
            if is_end || matches!(stop.reason, StopReason::End { .. }) {
                break;
            }
            assert_eq!(ours(&replay), theirs(&stopped["frame"]), "{program}, move {count}: {stop}, {stopped}");
        }
    }
}
