//! Optimised code, instruction by instruction: every frame of every stack, with all its variables, as GDB sees them.

use crate::stacks::{Tally, gdbs, ours};
use crate::support::fixtures::program;
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::recording;
use serde_json::json;

/// Frames that are compared.
const DEPTH: usize = 8;

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
            tally.stacks(&ours(&server, DEPTH), &gdbs(&mut gdb, DEPTH));
        }
    }
    println!("{fixture}: {} frames and variables, excused: {:?}", tally.compared, tally.excused);
    assert!(tally.compared > 1000, "{fixture}: {}", tally.compared);
    assert!(tally.different.is_empty(), "{fixture}:\n{}", tally.different.join("\n"));
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
