//! Whose variable or function a name means, where GDB has it right.

use crate::picture::{gdb_value, our_value};
use crate::support::fixtures::{line, program};
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::{recording, recording_of};
use std::path::Path;

/// Compares the values of expressions at several places, one after the other.
fn compare(fixture: &str, trace: &Path, places: &[String], expressions: &[&str]) {
    let mut gdb = Gdb::start(trace, &program(fixture));
    gdb.command("-gdb-set breakpoint pending on");
    let server = Server::start();
    server.replay(trace);
    let mut different = Vec::new();
    for place in places {
        gdb.command(&format!("-break-insert -f -t {place}"));
        gdb.run("-exec-continue").unwrap();
        server.run_to(place);
        for expression in expressions {
            // Of a function that has several symbols, any may stand behind its address.
            let plain = |value: String| value.split(" <").next().unwrap_or_default().to_owned();
            match (our_value(&server, expression).map(plain), gdb_value(&mut gdb, expression).map(plain)) {
                (Ok(ours), Ok(theirs)) if ours == theirs => {}
                (Err(_), Err(_)) => {}
                (ours, theirs) => {
                    different.push(format!("{place}: {expression}\n    ours {ours:?}\n    gdb  {theirs:?}"));
                }
            }
        }
    }
    assert!(different.is_empty(), "{fixture}:\n{}", different.join("\n"));
}

#[test]
fn names_of_a_program_and_its_library() {
    let library = program("libsame_names.so");
    let trace = recording_of("same_names", &[library.to_str().unwrap()]).trace;
    let at = |file: &str, mark: &str| format!("{file}:{}", line(file, mark));
    let places = [
        at("same_names.c", "loaded"),
        at("same_names_library.c", "entered"),
        at("same_names.c", "state"),
        at("same_names.c", "twice"),
    ];
    let expressions = [
        "own",
        "state",
        "buffer",
        "hidden",
        "initial",
        "&state",
        "only_library",
        "library_global",
        "thing",
        "sizeof(struct thing)",
        "(enum colour)1",
        "RED + 0",
        "colour",
        "'same_names_parts.c'::state",
        "'same_names_other.c'::twice",
        "'same_names.c'::twice",
    ];
    compare("same_names", &trace, &places, &expressions);
}

#[test]
fn functions_in_scopes() {
    let trace = recording("scoped_functions").trace;
    let place = |mark: &str| format!("scoped_functions.cpp:{}", line("scoped_functions.cpp", mark));
    // `price` is in an inline namespace, into which GDB does not look.
    let expressions = [
        "write",
        "read",
        "open",
        "close",
        "getline",
        "malloc",
        "swap",
        "begin",
        "size",
        "total",
        "inside",
        "sort",
        "shop::total",
        "shop::swap",
        "shop::Basket::size",
        "shop::v2::price",
        "unnamed",
        "overloaded",
        "main",
        "::total",
        "::write",
        "&read",
        "&total",
        "sizeof(size)",
        "std::swap",
    ];
    compare("scoped_functions", &trace, &[place("write"), place("size"), place("inside"), place("main")], &expressions);
}
