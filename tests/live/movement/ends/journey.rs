//! One program, from its end back and forth.

use crate::support::fixtures::line;
use crate::support::mcp::Server;
use crate::support::recordings::recording_of;
use serde_json::{Value, json};

/// What `total` is before the first write, and after each.
pub const VALUES: [u32; 7] = [0, 1, 3, 6, 10, 15, 21];

/// The movements back, by name.
const MOVEMENTS: [(&str, &str, bool); 6] = [
    ("stepi", "rr_step", true),
    ("nexti", "rr_next", true),
    ("step", "rr_step", false),
    ("next", "rr_next", false),
    ("finish", "rr_finish", false),
    ("continue", "rr_continue", false),
];
/// Steps back, at most, to where the function of an end was called.
const STEPS: usize = 6;
/// Functions that an end is in, at most.
const FUNCTIONS: usize = 8;

/// What came of a journey.
pub struct Outcome {
    pub call: &'static str,
    pub end: &'static str,
    /// Where each movement led.
    pub places: Vec<(&'static str, String)>,
    /// What was wrong.
    pub complaints: Vec<String>,
}

impl Outcome {
    /// What was wrong, with the name of the journey.
    pub fn sentences(&self) -> Vec<String> {
        self.complaints.iter().map(|complaint| format!("{}-{}: {complaint}", self.call, self.end)).collect()
    }
}

/// A moment as a session sees it: its name, the registers, the stack.
#[derive(PartialEq)]
struct Seen {
    position: Value,
    registers: Value,
    stack: Value,
}

/// A session that has come to a program's end.
pub struct Journey {
    server: Server,
    end: Seen,
    place: String,
    outcome: Outcome,
}

/// The marks of the lines by which the steps back from an end lead, the end's own first.
pub fn marks(end: &str) -> Vec<String> {
    let marks: &[&str] = match end {
        "segv" | "jump" | "fpe" | "ill" | "bus" => &["END", "before_END", "called_END"],
        "trap" => &["after_trap", "trap", "before_trap", "called_trap"],
        "thread" | "handler" => &["segv", "before_segv", "called_END"],
        _ => &[],
    };
    marks.iter().map(|mark| mark.replace("END", end)).collect()
}

/// The mark of the line of the program that called the function of a library which an end is in.
fn caller(end: &str) -> Option<String> {
    match end {
        "abort" | "exit" | "_exit" => Some(format!("called_{end}")),
        "assert" | "sigterm" => Some(end.to_owned()),
        _ => None,
    }
}

fn place(stop: &Value) -> String {
    let line = stop["line"].as_u64().map(|line| format!(" {line}")).unwrap_or_default();
    let text = |name: &str| stop[name].as_str().unwrap_or("?").to_owned();
    format!("{} {}{line}", text("reason"), text("function"))
}

impl Journey {
    /// Records the program, and goes to its end: its fault, or its exit.
    pub fn begin(call: &'static str, end: &'static str) -> Self {
        let server = Server::start();
        server.replay(&recording_of("ends", &[call, end]).trace);
        let stop = server.call("rr_continue", json!({}));
        let outcome = Outcome { call, end, places: Vec::new(), complaints: Vec::new() };
        let nowhere = Seen { position: Value::Null, registers: Value::Null, stack: Value::Null };
        let mut journey = Self { server, end: nowhere, place: place(&stop), outcome };
        journey.end = journey.seen(&stop);
        let place = journey.place.clone();
        journey.outcome.places.push(("end", place));
        journey
    }

    fn complain(&mut self, complaint: String) {
        self.outcome.complaints.push(complaint);
    }

    fn seen(&self, stop: &Value) -> Seen {
        let registers = self.server.call("rr_registers", json!({}))["registers"].take();
        let stack = self.server.attempt("rr_read_memory", json!({"address": "$sp", "count": 512}));
        let stack = stack.map_or_else(Value::String, |read| read["contents"].clone());
        Seen { position: stop["position"].clone(), registers, stack }
    }

    fn go(&mut self, what: &str, tool: &str, arguments: Value) -> Option<Value> {
        match self.server.attempt(tool, arguments) {
            Ok(stop) => Some(stop),
            Err(error) => {
                self.complain(format!("{what}: {error}"));
                None
            }
        }
    }

    fn back(&mut self, what: &str) -> Option<Value> {
        let (name, tool, instruction) = *MOVEMENTS.iter().find(|(name, ..)| *name == what).unwrap();
        let mut arguments = json!({"reverse": true});
        if instruction {
            arguments["instruction"] = json!(true);
        }
        self.go(&format!("reverse-{name}"), tool, arguments)
    }

    /// Runs forward to the end, which has to be the same.
    fn home(&mut self, from: &str) {
        if let Some(stop) = self.go(&format!("forward from {from}"), "rr_continue", json!({})) {
            self.compare(&format!("forward from {from}"), &stop);
        }
    }

    /// Compares where a movement has led with the end. If it is elsewhere, the session goes there by name.
    fn compare(&mut self, what: &str, stop: &Value) {
        let seen = self.seen(stop);
        if seen == self.end && place(stop) == self.place {
            return;
        }
        let same = |is_same: bool| if is_same { "the same" } else { "other" };
        let (registers, stack) = (same(seen.registers == self.end.registers), same(seen.stack == self.end.stack));
        self.complain(format!(
            "{what}: {} {} instead of {} {}, {registers} registers, {stack} stack",
            place(stop),
            seen.position,
            self.place,
            self.end.position
        ));
        let end = self.end.position.clone();
        self.go("goto", "rr_goto", json!({"position": end}));
    }

    /// Makes the journey.
    pub fn travel(mut self) -> Outcome {
        for (name, ..) in MOVEMENTS {
            if let Some(stop) = self.back(name) {
                self.outcome.places.push((name, place(&stop)));
                if stop["position"] == self.end.position {
                    self.complain(format!("reverse-{name} has not moved"));
                }
            }
            self.home(name);
        }
        self.step_to_the_call();
        self.leave_the_library();
        self.go_by_name();
        self.run_to_a_breakpoint();
        self.meet_all_writes();
        self.come_back_from_behind();
        self.outcome
    }

    /// Steps back by lines to where the function was called.
    fn step_to_the_call(&mut self) {
        let expected: Vec<u64> = marks(self.outcome.end).iter().map(|mark| line("ends.c", mark)).collect();
        let Some(last) = expected.last() else { return };
        let number = |place: &str| place.split(' ').nth(2).and_then(|line| line.parse::<u64>().ok());
        let mut lines: Vec<u64> = number(&self.place).into_iter().collect();
        for _ in 0..STEPS {
            let Some(stop) = self.back("next") else { break };
            lines.extend(stop["line"].as_u64().filter(|line| lines.last() != Some(line)));
            if lines.last() == Some(last) {
                break;
            }
        }
        if lines != expected {
            self.complain(format!("steps back led by the lines {lines:?} instead of {expected:?}"));
        }
        self.home("the call");
    }

    /// Goes back out of the functions of a library that the end is in.
    fn leave_the_library(&mut self) {
        let Some(mark) = caller(self.outcome.end) else { return };
        let mut stop = None;
        for _ in 0..FUNCTIONS {
            stop = self.back("finish");
            let is_out = |stop: &Value| stop["file"].as_str().is_some_and(|file| file.ends_with("ends.c"));
            if stop.as_ref().is_none_or(is_out) {
                break;
            }
        }
        if let Some(stop) = stop.filter(|stop| stop["line"] != line("ends.c", &mark)) {
            self.complain(format!("the library was called at {} instead of @{mark}", place(&stop)));
        }
        self.home("the library's caller");
    }

    /// Goes to the start, and to the end by its name.
    fn go_by_name(&mut self) {
        self.back("continue");
        let end = self.end.position.clone();
        if let Some(stop) = self.go("goto", "rr_goto", json!({"position": end})) {
            let seen = self.seen(&stop);
            if seen != self.end {
                self.complain(format!("goto led to {} instead of {end}", stop["position"]));
            }
        }
    }

    fn run_to_a_breakpoint(&mut self) {
        let set = self.server.call("rr_breakpoint_set", json!({"location": "add"}));
        if let Some(stop) = self.back("continue") {
            let by = self.server.attempt("rr_evaluate", json!({"expression": "by"})).map(|by| by["value"].clone());
            if stop["breakpoint_number"] != set["number"] || by != Ok(json!("6")) {
                self.complain(format!("the last call of add: {} with {by:?}", place(&stop)));
            }
        }
        self.home("a breakpoint");
        self.server.call("rr_breakpoint_remove", json!({"breakpoint_number": set["number"]}));
    }

    /// Meets all writes backward, and forward again.
    fn meet_all_writes(&mut self) {
        let set = self.server.call("rr_watchpoint_set", json!({"expression": "total"}));
        let told = |stop: &Value| match stop["reason"].as_str() {
            Some("watchpoint-trigger") => format!("{} {}", stop["old_value"], stop["new_value"]).replace('"', ""),
            // Only debug info of the dynamic linker has a name of that place.
            Some(start @ "start-of-recording") => start.to_owned(),
            _ => place(stop),
        };
        let mut writes: Vec<String> = VALUES.windows(2).map(|pair| format!("{} {}", pair[0], pair[1])).collect();
        let forward: Vec<String> = writes.iter().cloned().chain([self.place.clone()]).collect();
        writes.reverse();
        let backward: Vec<String> = writes.into_iter().chain(["start-of-recording".to_owned()]).collect();
        for (expected, reverse) in [(backward, true), (forward, false)] {
            let mut met = Vec::new();
            for _ in &expected {
                let Some(stop) = self.go("writes", "rr_continue", json!({"reverse": reverse})) else { break };
                met.push(told(&stop));
            }
            if met != expected {
                self.complain(format!("writes {met:?} instead of {expected:?}"));
            }
        }
        let number = &set["number"];
        self.server.call("rr_breakpoint_remove", json!({"breakpoint_number": number}));
    }

    /// Goes on to the end of the recording, if there was a signal before that, and comes back.
    fn come_back_from_behind(&mut self) {
        if self.place.starts_with("end-of-recording") {
            return;
        }
        for (name, ..) in MOVEMENTS {
            let Some(stop) = self.go("to the end of the recording", "rr_continue", json!({})) else { return };
            if stop["reason"] != "end-of-recording" {
                self.complain(format!("behind the signal: {}", place(&stop)));
                return;
            }
            let Some(stop) = self.back(name) else { continue };
            match name {
                "continue" => self.compare("back from the end of the recording", &stop),
                // A handler's own end is behind the signal.
                _ if stop["position"] == self.end.position || self.outcome.end == "handler" => {}
                _ => self.home(&format!("{name} from the end of the recording")),
            }
        }
    }
}
