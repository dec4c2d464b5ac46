//! A program of the machine that nobody here wrote, stopped in the middle of its work.
//!
//! ```sh
//! RETROGRADE_REAL='objdump -d /bin/true' RETROGRADE_REAL_AT='print_insn*1000 free*500' \
//!     cargo test --test differential real -- --ignored --nocapture
//! ```
//!
//! `NAME*N` is the Nth time that a function is entered, counted from the last stop. `RETROGRADE_REAL_DEBUG` is a debug
//! directory for both debuggers. The whole stack at each stop is compared, with all variables of all frames; and again
//! after each of so many instructions as `RETROGRADE_REAL_STEPS` says. `RETROGRADE_REAL_TRACE` is a recording of the
//! program that there is already.

use super::notation;
use crate::excuses::uniform;
use crate::picture::our_value;
use crate::stacks::{Frame, Tally, gdbs, ours};
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
    let trace = std::env::var_os("RETROGRADE_REAL_TRACE").map(PathBuf::from).unwrap_or_else(|| {
        let begun = Instant::now();
        let trace = record(&program, &words[1..], scratch()).trace;
        println!("recorded in {:.1} s", begun.elapsed().as_secs_f64());
        trace
    });
    let steps = std::env::var("RETROGRADE_REAL_STEPS").map_or(0, |count| count.parse().unwrap());
    let directories = std::env::var("RETROGRADE_REAL_DEBUG").unwrap_or_else(|_| "/usr/lib/debug".to_owned());
    let server = Server::start_with(&[("RETROGRADE_DEBUG_DIRS", &directories)]);
    server.replay(&trace);
    let mut gdb = Gdb::start(&trace, &program);
    // Of what GDB knows no entry function for, it is the language.
    let is_rust = gdb.console("info symbol rust_eh_personality").is_ok_and(|said| said.contains("in section"));
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
        if stop["reason"] != "breakpoint-hit" {
            println!("    {stop}");
            break;
        }
        // What programs and libraries bring to have their objects shown shortly: it believes in those that are not made
        // yet.
        gdb.console("disable pretty-printer").unwrap();
        for step in 0..=steps {
            if step > 0 {
                server.call("rr_step", json!({"instruction": true}));
                gdb.run("-exec-step-instruction").unwrap();
            }
            look(&server, &mut gdb, is_rust, &mut tally);
        }
    }
    println!("{} compared, excused: {:?}; for example", tally.compared, tally.excused);
    tally.examples.iter().for_each(|(reason, difference)| println!("    {reason}: {difference}"));
    // For a person to judge: GDB cannot.
    let (ours_alone, different): (Vec<_>, Vec<_>) =
        tally.different.into_iter().partition(|text| text.ends_with("GDB Some([\"<optimized out>\"])"));
    println!("{} values that only we have:\n{}", ours_alone.len(), ours_alone.join("\n"));
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Compares the stacks where both are.
fn look(server: &Server, gdb: &mut Gdb, is_rust: bool, tally: &mut Tally) {
    let begun = Instant::now();
    let mut stack = ours(server, 0);
    let after = begun.elapsed();
    let mut theirs = gdbs(gdb, 0);
    let (a, b) = (after.as_secs_f64(), (begun.elapsed() - after).as_secs_f64());
    println!("    {} frames in {a:.2} s; GDB: {} frames in {b:.2} s", stack.len(), theirs.len());
    if stack.last().is_some_and(|frame| frame.spot.function == "main") {
        // That of a Rust program GDB does not recognise, and goes on behind it.
        theirs.truncate(stack.len());
    }
    for (level, (frame, other)) in stack.iter_mut().zip(&mut theirs).enumerate() {
        compare_structures(server, is_rust, level, frame, other);
    }
    tally.stacks(&stack, &theirs);
    tally.settle(server, &stack);
}

/// What is different as what it consists of, in both: GDB has nothing here that says what a library's object means.
fn compare_structures(server: &Server, is_rust: bool, level: usize, ours: &mut Frame, theirs: &mut Frame) {
    for (name, values) in &mut theirs.variables {
        let Some(same) = ours.variables.get_mut(name).filter(|same| *same != values) else { continue };
        let is_same = |(a, b): (&String, &String)| notation::is_same(a, b);
        if is_rust && same.len() == values.len() && same.iter().zip(values.iter()).all(is_same) {
            values.clone_from(same);
        }
        if *same == *values || !values[0].contains(['{', '[']) {
            continue;
        }
        server.call("rr_select_frame", json!({"frame_level": level}));
        if let (Ok(raw), [value]) = (our_value(server, &format!("/r {name}")), &mut values[..]) {
            same[0] = referred(&uniform(&raw)).to_owned();
            *value = referred(value).to_owned();
            let [a, b] = [&same[0], value].map(|text| notation::with_bare_slices(text));
            if is_rust && notation::is_same(&a, &b) {
                value.clone_from(&same[0]);
            }
        }
    }
}

/// `{x = 1}` of `@0x7ffd4f1d4608: {x = 1}`, or of `(Point &) @0x7ffd4f1d4608: {x = 1}`: what a reference leads to.
fn referred(value: &str) -> &str {
    let at = value.starts_with("@0x") || value.starts_with('(');
    value
        .split_once(": ")
        .filter(|(address, _)| at && address.contains("@0x") && !address.contains('{'))
        .map_or(value, |(_, object)| object)
}
