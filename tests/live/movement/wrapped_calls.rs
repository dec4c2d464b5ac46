//! Steps into and over functions of the C library that make a system call, and of the kernel's page, which rr writes over
//! in its own ways: some return from within what is written over, and none has been written over at its first call.

use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::record_with;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = include_str!("wrapped_calls.c");
/// Most steps, of lines or instructions, that one line of the program takes; the resolver of the dynamic linker, which the
/// first call of each function comes to, is gone over.
const LONGEST: usize = 40;

/// The number of the line with a mark.
fn line(mark: &str) -> u64 {
    let mark = format!("/* {mark} */");
    SOURCE.lines().position(|line| line.contains(&mark)).unwrap() as u64 + 1
}

/// The recording, with rr's buffer or without; functions are resolved at the start or at their first call.
fn recorded(buffer: &str, binding: &str) -> PathBuf {
    let program = scratch().join(format!("wrapped_calls-{buffer}{binding}"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/movement/wrapped_calls.c");
    let bound = format!("-Wl,-z,{binding}");
    let done = Command::new("gcc").args(["-g", "-O0", &bound]).arg(source).arg("-o").arg(&program).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    record_with(&[], &[("RETROGRADE_SOFT_BUFFER", buffer)], &program, &[], scratch()).trace
}

/// Steps from the first line to behind the last one of the second turn; returns the lines of `main` in their order.
fn lines(server: &Server, instruction: bool) -> Vec<u64> {
    let (first, last) = (line("first"), line("last"));
    server.run_to(&format!("wrapped_calls.c:{first}"));
    let (mut lines, mut steps) = (vec![first], 0);
    while lines.iter().filter(|line| **line == last).count() < 2 {
        let stop = server.call("rr_step", json!({"instruction": instruction}));
        assert_eq!(stop["reason"], "end-stepping-range", "behind {lines:?}: {stop}");
        let is_new = stop["function"] == "main" && stop["line"].as_u64() != lines.last().copied();
        steps = if is_new { 0 } else { steps + 1 };
        assert!(steps < LONGEST, "behind {lines:?}: {stop}");
        if is_new {
            lines.extend(stop["line"].as_u64());
        }
    }
    lines
}

#[test]
fn each_step_comes_back_from_the_call() {
    let (first, last) = (line("first"), line("last"));
    let turn = || first..=last;
    let expected: Vec<u64> = turn().chain([first - 1]).chain(turn()).collect();
    for buffer in ["1", "0"] {
        for (binding, instruction) in [("lazy", false), ("now", false), ("now", true)] {
            let server = Server::start();
            server.replay(&recorded(buffer, binding));
            assert_eq!(lines(&server, instruction), expected, "buffer {buffer}, {binding}, instruction {instruction}");
        }
    }
}

#[test]
fn a_breakpoint_where_rr_writes_its_jump_says_so_and_harms_nothing() {
    let server = Server::start();
    server.replay(&recorded("1", "now"));
    server.run_to("main");
    let code = server.call("rr_read_memory", json!({"address": "(long)getppid", "count": 32}));
    // `syscall; ret`
    let at =
        code["contents"].as_str().unwrap().find("0f05c3").unwrap_or_else(|| panic!("no such call: {code}")) / 2 + 2;
    let set = server.call("rr_breakpoint_set", json!({"location": format!("*((char *)getppid+{at})")}));
    assert!(set["note"].as_str().is_some_and(|note| note.contains("rr writes a jump")), "{set}");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "end-of-recording", "{stop}");
}

/// Where a stop is: ticks, thread and pc. The event, and registers that the kernel uses up, are others where rr writes its
/// jump: that is an event within the instruction.
fn place(stop: &Value) -> [&Value; 3] {
    ["ticks", "thread", "pc"].map(|part| &stop[part])
}

#[test]
fn the_way_back_is_the_way_there() {
    for buffer in ["1", "0"] {
        let server = Server::start();
        server.replay(&recorded(buffer, "now"));
        let mut way = vec![server.run_to(&format!("wrapped_calls.c:{}", line("first")))];
        while way.last().unwrap()["line"] != line("last") || way.last().unwrap()["function"] != "main" {
            way.push(server.call("rr_step", json!({"instruction": true})));
            assert!(way.len() < 20 * LONGEST, "buffer {buffer}: {}", way.last().unwrap());
        }
        for there in way.iter().rev().skip(1) {
            let back = server.call("rr_step", json!({"instruction": true, "reverse": true}));
            assert_eq!(place(&back), place(there), "buffer {buffer}: {back}, not {there}");
        }
    }
}
