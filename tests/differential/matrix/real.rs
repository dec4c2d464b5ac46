//! A program of the machine that nobody here wrote, stopped in the middle of its work.
//!
//! ```sh
//! RETROGRADE_REAL='objdump -d /bin/true' RETROGRADE_REAL_AT='print_insn*1000 free*500' \
//!     cargo test --test differential real -- --ignored --nocapture
//! ```
//!
//! `NAME*N` is the Nth time that a function is entered, counted from the last stop. `RETROGRADE_REAL_DEBUG` is a debug
//! directory for both debuggers. The whole stack at each stop is compared, with all variables of all frames.

use crate::stacks::{Tally, gdbs, ours};
use crate::support::fixtures::scratch;
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

#[test]
#[ignore = "compares the program that RETROGRADE_REAL names"]
fn real() {
    let command = std::env::var("RETROGRADE_REAL").expect("RETROGRADE_REAL names a program and its arguments");
    let words: Vec<&str> = command.split_whitespace().collect();
    let program = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|directory| directory.join(words[0]))
        .find(|path| path.is_file())
        .unwrap_or_else(|| PathBuf::from(words[0]))
        .canonicalize()
        .unwrap();
    let begun = Instant::now();
    let trace = record(&program, &words[1..], scratch()).trace;
    println!("recorded in {:.1} s", begun.elapsed().as_secs_f64());
    let directories = std::env::var("RETROGRADE_REAL_DEBUG").unwrap_or_else(|_| "/usr/lib/debug".to_owned());
    let server = Server::start_with(&[("RETROGRADE_DEBUG_DIRS", &directories)]);
    server.replay(&trace);
    let mut gdb = Gdb::start(&trace, &program);
    gdb.console("set max-value-size unlimited").unwrap();
    let mut tally = Tally::default();
    for place in std::env::var("RETROGRADE_REAL_AT").unwrap_or_else(|_| "main".to_owned()).split_whitespace() {
        let (name, times) = place.rsplit_once('*').unwrap_or((place, "1"));
        let passed: u64 = times.parse::<u64>().unwrap() - 1;
        let wanted = json!({"location": name, "temporary": true, "ignore_count": passed});
        server.call("rr_breakpoint_set", wanted);
        gdb.command(&format!("-break-insert -t -i {passed} {name}"));
        let begun = Instant::now();
        let stop = server.call("rr_continue", json!({}));
        let there = gdb.run("-exec-continue").unwrap();
        println!("{place}: ours {} {}, GDB {}", stop["pc"], stop["line"], there["frame"]["addr"]);
        println!("    there in {:.1} s", begun.elapsed().as_secs_f64());
        let begun = Instant::now();
        let stack = ours(&server, 0);
        println!("    {} frames in {:.2} s", stack.len(), begun.elapsed().as_secs_f64());
        let begun = Instant::now();
        let theirs = gdbs(&mut gdb, 0);
        println!("    GDB: {} frames in {:.2} s", theirs.len(), begun.elapsed().as_secs_f64());
        tally.stacks(&stack, &theirs);
    }
    println!("{} compared, excused: {:?}", tally.compared, tally.excused);
    assert!(tally.different.is_empty(), "{}", tally.different.join("\n"));
}
