//! Walks through a program, forward and back: after each move both debuggers must be at the same place with the same
//! stack and the same variables.

use crate::support::fixtures::{line, program};
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::recording;
use serde_json::{Value, json};

/// A move, as we and as GDB call it.
const MOVES: &[(&str, &str, bool)] = &[
    ("rr_next", "-exec-next", false),
    ("rr_step", "-exec-step", false),
    ("rr_next", "-exec-next", true),
    ("rr_step", "-exec-step", true),
    ("rr_finish", "-exec-finish", false),
    ("rr_finish", "-exec-finish", true),
];

/// A reproducible sequence of choices (a linear congruential generator).
struct Choices(u64);

impl Choices {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below
    }
}

/// Function and line of each frame, outermost last.
type Stack = Vec<(String, String)>;

fn our_stack(server: &Server) -> Stack {
    let frames = server.call("rr_backtrace", json!({"max_depth": 0}));
    frames["result"].as_array().unwrap().iter().map(place).collect()
}

fn gdb_stack(gdb: &mut Gdb) -> Stack {
    let frames = gdb.command("-stack-list-frames");
    frames["stack"].as_array().unwrap().iter().map(place).collect()
}

fn place(frame: &Value) -> (String, String) {
    let text =
        |v: &Value| v.as_str().map_or_else(|| v.as_u64().map_or(String::new(), |n| n.to_string()), str::to_owned);
    let function = text(frame.get("function").or(frame.get("func")).unwrap_or(&Value::Null));
    (function.split('(').next().unwrap_or_default().to_owned(), text(&frame["line"]))
}

/// Names and values of arguments and locals, sorted.
fn our_variables(server: &Server) -> Vec<(String, String)> {
    sorted(server.call("rr_locals", json!({}))["result"].as_array().unwrap())
}

fn gdb_variables(gdb: &mut Gdb) -> Vec<(String, String)> {
    sorted(gdb.command("-stack-list-variables --all-values")["variables"].as_array().unwrap())
}

fn sorted(list: &[Value]) -> Vec<(String, String)> {
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    let mut all: Vec<_> = list.iter().map(|v| (text(&v["name"]), text(&v["value"]))).collect();
    all.sort();
    all
}

/// Walks `count` moves from `start`, and compares after each.
fn walk(fixture: &str, start: &str, seed: u64, count: usize) {
    let trace = recording(fixture).trace;
    let mut gdb = Gdb::start(&trace, &program(fixture));
    let server = Server::start();
    server.replay(&trace);
    gdb.command(&format!("-break-insert -t {start}"));
    gdb.run("-exec-continue").unwrap();
    server.run_to(start);
    let mut choices = Choices(seed);
    let mut history = vec![format!("break {start}")];
    for _ in 0..count {
        let stack = our_stack(&server);
        assert_eq!(stack, gdb_stack(&mut gdb), "{fixture}, stack after {history:#?}");
        assert_eq!(our_variables(&server), gdb_variables(&mut gdb), "{fixture}, variables after {history:#?}");
        let (ours, theirs, reverse) = MOVES[choices.next(MOVES.len())];
        // Out of main there is nothing the two debuggers need agree on.
        let in_main = stack.len() <= 1;
        if in_main && (ours == "rr_finish" || ends_main(&stack, reverse)) {
            continue;
        }
        if ours != "rr_finish" && is_beyond_gdb(fixture, &stack, reverse) {
            continue;
        }
        history.push(format!("{ours}{}", if reverse { " reverse" } else { "" }));
        let command = if reverse { format!("{theirs} --reverse") } else { theirs.to_owned() };
        let stop = server.call(ours, json!({"reverse": reverse}));
        let theirs = gdb.run(&command).unwrap_or_else(|said| panic!("{fixture}: GDB: {said} after {history:#?}"));
        let (place, address) = (&stop["line"], &stop["pc"]);
        history.extend([format!("    {place} {address}, GDB {} {}", theirs["frame"]["line"], theirs["frame"]["addr"])]);
    }
}

/// Whether a step from here would leave `main`: forward from its last line, backward from its first.
fn ends_main(stack: &Stack, reverse: bool) -> bool {
    let at: u64 = stack.first().and_then(|f| f.1.parse().ok()).unwrap_or(0);
    let edge = line("stepping.c", if reverse { "first" } else { "return" });
    if reverse { at <= edge } else { at >= edge }
}

/// Moves that GDB gets wrong, and so cannot judge. From the line behind a loop's header (a line with two stretches of
/// code), its reverse step passes the header by and ends in the function called before the loop. In clang's line tables
/// it takes rows that are no statements for lines of their own, and stops in the middle of lines or a line too far.
fn is_beyond_gdb(fixture: &str, stack: &Stack, reverse: bool) -> bool {
    let at = |mark| stack[0] == ("main".to_owned(), line("stepping.c", mark).to_string());
    reverse && (at("body") || at("half") || fixture.ends_with("clang"))
}

#[test]
fn stepping_by_gcc() {
    walk("stepping", "main", 1, 60);
}

#[test]
fn stepping_by_clang() {
    walk("stepping-clang", "main", 2, 60);
}

#[test]
fn stepping_with_dwarf_4() {
    walk("stepping-dwarf4", "main", 3, 60);
}

/// Forward through optimised code, from instructions in the middle of its lines: every step ends where GDB's does, with
/// the same stack. Not from where a function leaves by a tail call: `next` passes that as it passes a call, GDB enters
/// it.
fn walk_optimised(fixture: &str, starts: &[&str], moves: &[(&str, &str)], seed: u64) {
    let trace = recording(fixture).trace;
    let mut gdb = Gdb::start(&trace, &program(fixture));
    let server = Server::start();
    server.replay(&trace);
    let mut choices = Choices(seed);
    for _ in 0..20 {
        server.call("rr_run_to_event", json!({"event_number": 0}));
        gdb.run("-interpreter-exec console \"run 0\"").unwrap();
        let start = starts[choices.next(starts.len())];
        let pc = server.run_to(start)["pc"].as_str().unwrap().to_owned();
        gdb.command(&format!("-break-insert -t *{pc}"));
        gdb.run("-exec-continue").unwrap();
        let into = choices.next(25);
        for _ in 0..into {
            server.call("rr_step", json!({"instruction": true}));
            gdb.run("-exec-step-instruction").unwrap();
        }
        let mut history = vec![format!("{start}, {into} instructions")];
        for _ in 0..8 {
            let stack = our_stack(&server);
            assert_eq!(stack, gdb_stack(&mut gdb), "{fixture}, stack after {history:#?}");
            let is_tail_call = stack[0].0.starts_with("tail_");
            if is_tail_call || stack.len() < 2 {
                break;
            }
            let (ours, theirs) = moves[choices.next(moves.len())];
            let stop = server.call(ours, json!({}));
            let theirs = gdb.run(theirs).unwrap_or_else(|said| panic!("{fixture}: GDB: {said} after {history:#?}"));
            history.push(format!("{ours}: {}, GDB {}", stop["pc"], theirs["frame"]["addr"]));
            assert_eq!(stop["pc"], theirs["frame"]["addr"], "{fixture}: {history:#?}");
        }
    }
}

/// Functions of `optimised.c` without calls that are inlined: those GDB shows in other places.
const OPTIMISED: &[&str] = &[
    "partial",
    "lost_parameters",
    "constant_propagated",
    "helper_sum",
    "loop",
    "floats",
    "many",
    "branches",
    "bits",
    "recursive",
    "list_sum",
];

#[test]
fn optimised_by_gcc() {
    let moves = [("rr_step", "-exec-step"), ("rr_next", "-exec-next"), ("rr_finish", "-exec-finish")];
    walk_optimised("optimised", OPTIMISED, &moves, 4);
    walk_optimised("optimised-dwarf4", OPTIMISED, &moves, 5);
}

/// GDB steps into functions of clang's at the first instruction, and stops for breakpoints on them behind the prologue.
#[test]
fn optimised_by_clang() {
    let moves = [("rr_next", "-exec-next"), ("rr_finish", "-exec-finish")];
    walk_optimised("optimised-clang", OPTIMISED, &moves, 6);
    walk_optimised("optimised-clang4", OPTIMISED, &moves, 7);
}
