//! Optimised code, instruction by instruction: every frame of every stack, with all its variables, as GDB sees them.

use crate::support::fixtures::program;
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::recording;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Frames that are compared.
const DEPTH: usize = 8;

/// One frame.
struct Frame {
    /// Last component of the function's name, line and address.
    place: (String, String, u64),
    /// It has left by a tail call.
    tail_call: bool,
    /// Variables by name; of several with one name all values, sorted.
    variables: BTreeMap<String, Vec<String>>,
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// `operator` of `lambda::{lambda}::operator()`: GDB shows inlined functions by their plain names.
fn place(frame: &Value, function: &str, address: &str) -> (String, String, u64) {
    let name = frame[function].as_str().unwrap_or("??").to_owned();
    let name = name.split('(').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
    let address = u64::from_str_radix(text(&frame[address]).trim_start_matches("0x"), 16).unwrap();
    (name.to_owned(), text(&frame["line"]), address)
}

fn variables(list: &Value) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for variable in list.as_array().unwrap() {
        let name = text(&variable["name"]);
        // Made up by the compiler, and by GDB.
        if !name.starts_with("__") && !name.ends_with("@entry") {
            all.entry(name).or_default().push(text(&variable["value"]));
        }
    }
    all.values_mut().for_each(|values| values.sort());
    all
}

fn ours(server: &Server) -> Vec<Frame> {
    let frames = server.call("rr_backtrace", json!({"max_depth": DEPTH, "args": false}));
    let frames = frames["result"].as_array().unwrap().iter().enumerate();
    frames
        .map(|(level, frame)| {
            server.call("rr_select_frame", json!({"frame_level": level}));
            Frame {
                place: place(frame, "function", "address"),
                tail_call: frame["tail_call"] == true,
                variables: variables(&server.call("rr_locals", json!({}))["result"]),
            }
        })
        .collect()
}

fn gdbs(gdb: &mut Gdb) -> Vec<Frame> {
    let frames = gdb.command(&format!("-stack-list-frames 0 {}", DEPTH - 1));
    let frames = frames["stack"].as_array().unwrap().iter().enumerate();
    frames
        .map(|(level, frame)| {
            let list = gdb.command(&format!("-stack-list-variables --thread 1 --frame {level} --all-values"));
            Frame { place: place(frame, "func", "addr"), tail_call: false, variables: variables(&list["variables"]) }
        })
        .collect()
}

/// What was compared, and what was different.
#[derive(Default)]
struct Tally {
    compared: u32,
    /// By reason: where GDB 13 shows less than we do, or something that is wrong.
    excused: BTreeMap<&'static str, u32>,
    report: String,
}

impl Tally {
    fn stop(&mut self, ours: &[Frame], theirs: &[Frame]) {
        let mut theirs = theirs.iter().peekable();
        for (level, frame) in ours.iter().enumerate() {
            self.compared += 1;
            match theirs.next_if(|other| other.place == frame.place) {
                Some(other) => self.frame(level, frame, other, ours.get(level + 1).is_some_and(|next| next.tail_call)),
                // DW_AT_call_pc, which clang writes in DWARF 5, is nothing to GDB 13.
                None if frame.tail_call => *self.excused.entry("a tail call that GDB does not know").or_default() += 1,
                None => {
                    let other = theirs.peek().map(|f| &f.place);
                    let _ = writeln!(self.report, "frame {level}: ours {:x?}, GDB {other:x?}", frame.place);
                    return;
                }
            }
        }
    }

    /// `is_tail_called`: by a frame that is not there any more.
    fn frame(&mut self, level: usize, ours: &Frame, theirs: &Frame, is_tail_called: bool) {
        let names = ours.variables.keys().chain(theirs.variables.keys().filter(|n| !ours.variables.contains_key(*n)));
        for name in names {
            self.compared += 1;
            let excuse = match (ours.variables.get(name), theirs.variables.get(name)) {
                (Some(a), Some(b)) if a == b => continue,
                (Some(_), None) => "a variable without a location, which GDB does not list",
                (Some(a), Some(b)) if level > 0 && is_lost(a) && !is_lost(b) => {
                    "a register that the callee may have changed"
                }
                // It has taken the caller's registers for those that are gone: 214 instead of 10.
                (Some(a), Some(_)) if is_tail_called && is_optimized_out(a) => {
                    "a parameter that a frame passed which is gone"
                }
                // Of an object in pieces, the missing ones.
                (Some(a), Some(b)) if a == &replaced(b) => "a synthetic pointer that is none",
                (Some(a), Some(b)) if is_optimized_out(a) && b.iter().all(|v| replaced_all(v)) => "members one by one",
                (a, b) => {
                    let _ = writeln!(self.report, "{:x?} {name}: ours {a:?}, GDB {b:?}", ours.place);
                    continue;
                }
            };
            *self.excused.entry(excuse).or_default() += 1;
        }
    }
}

fn is_lost(values: &[String]) -> bool {
    values.iter().any(|v| v.contains("<not saved: ") || v.contains("is not preserved in this frame"))
}

fn is_optimized_out(values: &[String]) -> bool {
    values.iter().all(|v| v == "<optimized out>")
}

fn replaced(values: &[String]) -> Vec<String> {
    values.iter().map(|v| v.replace("<synthetic pointer>", "<optimized out>")).collect()
}

/// Whether nothing of an object is there: `{x = <optimized out>, y = {<optimized out>}}`.
fn replaced_all(value: &str) -> bool {
    let members = value.matches(" = ").count();
    members > 0 && value.matches(" = <optimized out>").count() + value.matches(" = {").count() == members
}

/// Steps through a fixture by instructions from each of its functions, and compares at each.
fn compare(fixture: &str, functions: &[&str], steps: usize) {
    let trace = recording(fixture).trace;
    let mut gdb = Gdb::start(&trace, &program(fixture));
    let server = Server::start();
    server.replay(&trace);
    let mut tally = Tally::default();
    for (number, function) in functions.iter().enumerate() {
        if number > 0 {
            server.call("rr_run_to_event", json!({"event_number": 0}));
            gdb.run("-interpreter-exec console \"run 0\"").unwrap();
        }
        server.run_to(function);
        gdb.command(&format!("-break-insert -t {function}"));
        gdb.run("-exec-continue").unwrap();
        for step in 0..steps {
            if step > 0 {
                server.call("rr_step", json!({"instruction": true}));
                gdb.run("-exec-step-instruction").unwrap();
            }
            tally.stop(&ours(&server), &gdbs(&mut gdb));
        }
    }
    println!("{fixture}: {} frames and variables, excused: {:?}", tally.compared, tally.excused);
    assert!(tally.compared > 1000, "{fixture}: {}", tally.compared);
    assert!(tally.report.is_empty(), "{fixture}:\n{}", tally.report);
}

const C: &[&str] = &[
    "implicit_pointer",
    "partial",
    "lost_parameters",
    "constant_propagated",
    "loop",
    "tail_start",
    "floats",
    "many",
    "branches",
    "bits",
    "recursive",
];

const CXX: &[&str] = &["main", "Shape::area", "use", "Shape::grow", "lambda", "thrower"];

#[test]
fn gcc() {
    compare("optimised", C, 60);
}

#[test]
fn gcc_dwarf_4() {
    compare("optimised-dwarf4", C, 60);
}

#[test]
fn clang() {
    compare("optimised-clang", C, 60);
}

#[test]
fn clang_dwarf_4() {
    compare("optimised-clang4", C, 60);
}

#[test]
fn gcc_classes() {
    compare("optimised-cpp", CXX, 60);
}

#[test]
fn clang_classes() {
    compare("optimised-cpp-clang", CXX, 60);
}
