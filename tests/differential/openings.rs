//! A breakpoint on the line that begins a function: where it is, and in which function the stop is shown.

use crate::faults::Fault;
use crate::stacks::{Tally, gdbs, ours};
use crate::support::fixtures::program;
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::recording;
use serde_json::{Value, json};

/// Stops where each function of a fixture begins that is in a file, and compares the stacks.
fn compare(fixture: &str, file: &str, stops: usize) {
    let trace = recording(fixture).trace;
    let mut gdb = Gdb::start(&trace, &program(fixture));
    let server = Server::start();
    server.replay(&trace);
    let known = gdb.command("-symbol-info-functions");
    let files = known["symbols"]["debug"].as_array().unwrap();
    let of_file = files.iter().find(|f| f["filename"].as_str().is_some_and(|name| name.ends_with(file))).unwrap();
    let mut lines: Vec<&Value> = of_file["symbols"].as_array().unwrap().iter().map(|symbol| &symbol["line"]).collect();
    lines.dedup();
    let (mut tally, mut met) = (Tally::default(), 0);
    for line in lines {
        server.call("rr_run_to_event", json!({"event_number": 0}));
        gdb.run("-interpreter-exec console \"run 0\"").unwrap();
        let location = format!("{file}:{}", line.as_str().unwrap());
        server.call("rr_breakpoint_set", json!({"location": location, "temporary": true}));
        gdb.command(&format!("-break-insert -t {location}"));
        let stop = server.call("rr_continue", json!({}));
        gdb.run("-exec-continue").unwrap();
        if stop["reason"] != "breakpoint-hit" {
            continue;
        }
        met += 1;
        let (stack, mut theirs) = (ours(&server, 0), gdbs(&mut gdb, 0));
        let inner = theirs.iter().take_while(|f| f.spot.address == stack[0].spot.address && f.spot != stack[0].spot);
        let inner = inner.count();
        if inner > 0 {
            tally.excuse(Fault::named("line-of-call").name);
            theirs.drain(..inner);
        }
        tally.stacks(&stack, &theirs);
    }
    println!("{fixture}: {met} stops, {} frames and variables, excused: {:?}", tally.compared, tally.excused);
    assert_eq!(met, stops, "{fixture}");
    assert!(tally.different.is_empty(), "{fixture}:\n{}", tally.different.join("\n"));
}

#[test]
fn gcc() {
    compare("optimised", "optimised.c", 19);
}

#[test]
fn clang() {
    compare("optimised-clang", "optimised.c", 19);
}

#[test]
fn gcc_classes() {
    compare("optimised-cpp", "optimised.cpp", 9);
}

#[test]
fn clang_classes() {
    compare("optimised-cpp-clang", "optimised.cpp", 8);
}

#[test]
fn gcc_chain() {
    compare("inline_chain", "inline_chain.c", 2);
}

#[test]
fn clang_chain() {
    compare("inline_chain-clang", "inline_chain.c", 2);
}
