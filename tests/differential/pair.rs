//! Both debuggers on one recording, told the same.

use super::excuses;
use super::faults::{Fault, Remedy};
use super::picture::{self, Picture, Stop, differences};
use super::script::{Act, Command, Move, command};
use crate::support::fixtures::program;
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::recording_of;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Frames that are compared: enough to see the whole stack of most fixtures.
const DEPTH: usize = 12;

/// One fixture of the table.
pub struct Fixture {
    /// Its name in the manifest.
    pub name: &'static str,
    /// Its arguments; `@name` stands for the file of another fixture.
    pub arguments: &'static [&'static str],
    /// Where its marks are.
    pub source: &'static str,
    /// What is printed at each stop.
    pub expressions: &'static [&'static str],
    /// Scripts, each from the start of the recording.
    pub legs: &'static [&'static str],
    /// What GDB writes in another notation than we do, and how we write it.
    pub notation: &'static [(&'static str, &'static str)],
    /// Its variables are objects of a standard library. We read them as what they mean, GDB without its printers as
    /// what they are made of, so of variables and arguments only the names are compared.
    pub library_values: bool,
}

/// Both debuggers.
pub struct Pair {
    pub server: Server,
    pub gdb: Gdb,
    /// Our numbers of the breakpoints that are set.
    set: Vec<u64>,
    /// GDB's numbers, and ours, of all that have been set by a script.
    numbers: BTreeMap<u64, u64>,
    /// The selected frame is not the innermost one.
    is_outer: bool,
    /// GDB's last stop, and whether it was reached going back.
    last: Option<(Stop, bool)>,
}

impl Pair {
    pub fn start(name: &str, arguments: &[&str]) -> Self {
        let trace = recording_of(name, arguments).trace;
        let mut gdb = Gdb::start(&trace, &program(name));
        // Whatever its size, a value is cut at 200 elements.
        gdb.console("set max-value-size unlimited").unwrap();
        if name.ends_with("rust") {
            // Rust's notation of values is not compared.
            gdb.console("set language c").unwrap();
        }
        let server = Server::start();
        server.replay(&trace);
        Self { server, gdb, set: Vec::new(), numbers: BTreeMap::new(), is_outer: false, last: None }
    }

    /// Has both do it. `None`: nothing has moved.
    pub fn act(&mut self, act: &Act) -> Result<Option<(Stop, Stop)>, String> {
        match act {
            Act::Start => {
                self.server.call("rr_run_to_event", json!({"event_number": 0}));
                self.gdb.run("-interpreter-exec console \"run 0\"")?;
                Ok(None)
            }
            Act::RunTo { place, reverse } => {
                let ours = self.server.call("rr_breakpoint_set", json!({"location": place, "temporary": true}));
                let theirs = self.gdb.command(&format!("-break-insert -t {place}"));
                self.is_same_breakpoint(&ours, &theirs["bkpt"]["number"]);
                let name = if *reverse { "rcontinue" } else { "continue" };
                self.act(&command(name, "").act)
            }
            Act::Break { place, condition } => {
                let wanted = json!({"location": place, "condition": condition});
                let ours = self.server.call("rr_breakpoint_set", wanted);
                let condition = condition.as_ref().map(|c| format!("-c \"{c}\" ")).unwrap_or_default();
                let theirs = self.gdb.command(&format!("-break-insert {condition}{place}"));
                let number = self.is_same_breakpoint(&ours, &theirs["bkpt"]["number"]);
                self.set.extend(number);
                Ok(None)
            }
            Act::Watch { access, gdb, expression } => {
                let wanted = json!({"expression": expression, "access_type": access});
                let ours = self.server.call("rr_watchpoint_set", wanted);
                // `Hardware watchpoint 2: -location counter`
                let said = self.gdb.console(&format!("{gdb} -l {expression}"))?;
                let number = said.split(':').next().and_then(|s| s.rsplit(' ').next()).unwrap_or_default();
                let number = self.is_same_breakpoint(&ours, &json!(number));
                self.set.extend(number);
                Ok(None)
            }
            Act::Delete => {
                for number in self.set.drain(..) {
                    self.server.call("rr_breakpoint_remove", json!({"breakpoint_number": number}));
                }
                self.gdb.command("-break-delete");
                Ok(None)
            }
            Act::Frame(level) => {
                self.server.call("rr_select_frame", json!({"frame_level": level}));
                self.gdb.command(&format!("-stack-select-frame {level}"));
                self.is_outer = *level > 0;
                Ok(None)
            }
            Act::Thread(number) => {
                self.server.call("rr_thread_select", json!({"thread_id": number.to_string()}));
                self.gdb.command(&format!("-thread-select {number}"));
                self.is_outer = false;
                Ok(None)
            }
            Act::Move(m) => Ok(Some(self.moves(*m))),
        }
    }

    fn is_same_breakpoint(&mut self, ours: &Value, theirs: &Value) -> Option<u64> {
        let ours = ours["number"].as_u64()?;
        self.numbers.insert(theirs.as_str()?.parse().ok()?, ours);
        Some(ours)
    }

    fn moves(&mut self, m: Move) -> (Stop, Stop) {
        self.is_outer = false;
        let mut arguments = json!({"reverse": m.reverse});
        if m.by_instruction {
            arguments["instruction"] = Value::Bool(true);
        }
        let ours = self.server.attempt(m.tool, arguments);
        let refused = |_| Stop { reason: "refused".to_owned(), ..Stop::default() };
        let ours = ours.map(|stop| picture::our_stop(&stop)).unwrap_or_else(refused);
        let mut theirs = self.gdb_moves(m);
        // Turning round at a watchpoint, GDB tells of the same write again.
        let turned = self.last.take().filter(|(_, reverse)| *reverse != m.reverse);
        if turned.is_some_and(|(last, _)| last.reason.contains("watchpoint") && last == theirs) {
            theirs = self.gdb_moves(m);
        }
        self.last = Some((theirs.clone(), m.reverse));
        (ours, theirs)
    }

    fn gdb_moves(&mut self, m: Move) -> Stop {
        let reverse = if m.reverse { " --reverse" } else { "" };
        let refused = |_| Stop { reason: "refused".to_owned(), ..Stop::default() };
        let told = self.gdb.run(&format!("{}{reverse}", m.gdb));
        let mut theirs = told.map(|stop| picture::gdb_stop(&stop, m.reverse)).unwrap_or_else(refused);
        theirs.number = theirs.number.map(|n| self.numbers.get(&n).copied().unwrap_or(n));
        theirs
    }

    pub fn pictures(&mut self, expressions: &[&str]) -> (Picture, Picture) {
        (picture::ours(&self.server, expressions, DEPTH), picture::gdbs(&mut self.gdb, expressions, DEPTH))
    }

    /// Brings GDB to where we are, where `arrived` says that it is: the same code may be executed in between.
    fn align(
        &mut self,
        remedy: Remedy,
        reverse: bool,
        mut arrived: impl FnMut(&mut Self) -> bool,
    ) -> Result<bool, String> {
        /// No loop of a fixture turns more often.
        const PASSED: usize = 4;
        let forward = match remedy {
            Remedy::None => return Ok(false),
            Remedy::GoOn | Remedy::GoOnInLine => !reverse,
            Remedy::GoBack => reverse,
        };
        let how = if forward { "-exec-continue" } else { "-exec-continue --reverse" };
        let at = |register: &str| picture::our_value(&self.server, &format!("(long){register}"));
        let (pc, sp) = (at("$pc")?, at("$sp")?);
        let made = self.gdb.command(&format!("-break-insert -c \"$sp == {sp}\" *{pc}"));
        let mut there = false;
        for _ in 0..PASSED {
            self.gdb.run(how)?;
            there = arrived(self);
            if there {
                break;
            }
        }
        self.gdb.command(&format!("-break-delete {}", made["bkpt"]["number"].as_str().unwrap()));
        Ok(there)
    }
}

/// Walks all legs of a fixture, and fails with all that was different.
pub fn compare(fixture: &Fixture) {
    let built = |a: &&str| match a.strip_prefix('@') {
        Some(name) => program(name).display().to_string(),
        None => (*a).to_owned(),
    };
    let arguments: Vec<String> = fixture.arguments.iter().map(built).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut pair = Pair::start(fixture.name, &arguments);
    let mut report = String::new();
    for (number, leg) in fixture.legs.iter().enumerate() {
        let mut history = String::new();
        if number > 0 {
            pair.act(&Act::Delete).and_then(|_| pair.act(&Act::Start)).unwrap();
        }
        for text in leg.split("; ") {
            let command = command(text, fixture.source);
            if !perform(&mut pair, &command, fixture, &mut history, &mut report) {
                break;
            }
        }
    }
    assert!(report.is_empty(), "{}:\n{report}", fixture.name);
}

/// Does a command as often as it says, compares after each time, and reports what was different. `false` if the two are
/// at different places now.
fn perform(pair: &mut Pair, command: &Command, fixture: &Fixture, history: &mut String, report: &mut String) -> bool {
    for _ in 0..command.times {
        let _ = write!(history, "; {}", command.text);
        let mut fail = |said: String| {
            let _ = writeln!(report, "after {history}:\n{said}");
        };
        let stops = match pair.act(&command.act) {
            Ok(stops) => stops,
            Err(said) => {
                fail(said);
                return false;
            }
        };
        if stops.is_none() && !matches!(command.act, Act::Frame(_) | Act::Thread(_)) {
            continue;
        }
        let mut said = String::new();
        if let Some((ours, theirs)) = stops
            && ours != theirs
        {
            let _ = writeln!(said, "    ours {ours:?}\n    gdb  {theirs:?}");
        }
        let there = look(pair, fixture, &mut said);
        match command.fault {
            None if said.is_empty() => {}
            None => {
                fail(said);
                if there != Where::Together {
                    return false;
                }
            }
            Some(Fault { name, .. }) if said.is_empty() => fail(format!("  GDB has no fault {name} here")),
            Some(Fault { remedy: Remedy::None, .. }) if there == Where::Together => {}
            Some(Fault { name, remedy, .. }) if !remedy.mends(there == Where::SameLine) => {
                fail(format!("  this is more than GDB's fault {name}:\n{said}"));
                return false;
            }
            Some(fault) => {
                let mut left = String::new();
                let reverse = matches!(command.act, Act::Move(Move { reverse: true, .. }));
                let arrived = pair.align(fault.remedy, reverse, |pair| {
                    left.clear();
                    look(pair, fixture, &mut left) == Where::Together && left.is_empty()
                });
                match arrived {
                    Ok(true) => {}
                    Ok(false) => {
                        fail(format!("  GDB's fault was not only {}:\n{left}", fault.name));
                        return false;
                    }
                    Err(said) => {
                        fail(said);
                        return false;
                    }
                }
            }
        }
    }
    true
}

/// How far the two are from each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// At the same instruction.
    Together,
    /// At another one of the same line, in the same function, or GDB is where we have come from by a call.
    SameLine,
    /// Elsewhere.
    Apart,
}

/// What the two show differently, and how far they are from each other.
fn look(pair: &mut Pair, fixture: &Fixture, out: &mut String) -> Where {
    let (mut ours, mut theirs) = pair.pictures(fixture.expressions);
    if fixture.name.ends_with("rust") {
        theirs.stack.truncate(ours.stack.len());
    }
    if fixture.library_values {
        ours.forget_values();
        theirs.forget_values();
    }
    for (from, to) in fixture.notation {
        theirs.replace(from, to);
    }
    for variable in ours.variables.iter_mut().chain(&mut theirs.variables) {
        *variable = excuses::uniform(variable);
    }
    differences(&ours.stack, &theirs.stack, "stack", |level| level > 0, out);
    differences(&ours.variables, &theirs.variables, "variables", |_| pair.is_outer, out);
    differences(&ours.values, &theirs.values, "values", |_| pair.is_outer, out);
    // `0x401136 in main () at stepping.c:21`
    let address = |picture: &Picture| picture.stack.first().and_then(|f| f.split(' ').next()).map(str::to_owned);
    let code = |frame: &String| frame.split_once(" in ").map(|(_, code)| code.to_owned());
    let theirs_is = |frame: &String| code(frame).is_some() && code(frame) == theirs.stack.first().and_then(code);
    if address(&ours) == address(&theirs) {
        Where::Together
    } else if ours.stack.iter().any(theirs_is) {
        Where::SameLine
    } else {
        Where::Apart
    }
}
