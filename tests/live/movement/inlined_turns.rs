//! Movements through an inlined function that takes many turns, which optimised programs are full of: over it and out of
//! it, forward and backward. None of them walks through the turns one by one.

use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "tests/live/movement/inlined_turns.c";

fn built(compiler: &str, level: &str) -> PathBuf {
    let program = scratch().join(format!("inlined_turns-{compiler}{level}"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(SOURCE);
    let done = Command::new(compiler).args(["-g", level]).arg(source).arg("-o").arg(&program).output();
    let done = done.unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(done.status.success(), "{compiler} {level}: {}", String::from_utf8_lossy(&done.stderr));
    program
}

/// Finds the line that has a comment.
fn line(mark: &str) -> u64 {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(SOURCE)).unwrap();
    let nth = text.lines().position(|line| line.contains(&format!("/* {mark} */")));
    nth.unwrap_or_else(|| panic!("no {mark}")) as u64 + 1
}

#[test]
fn an_inlined_function_of_many_turns_is_passed_and_left_at_once() {
    const TURNS: u64 = 300_000;
    let all = TURNS * (TURNS - 1) / 2;
    for compiler in ["gcc", "clang"] {
        for level in ["-O1", "-O2"] {
            let what = format!("{compiler} {level}");
            let trace = record(&built(compiler, level), &[], scratch()).trace;
            let server = Server::start();
            server.replay(&trace);
            let sum = |server: &Server| server.evaluate("sink").parse::<u64>().unwrap();
            let at = |stop: &Value| (stop["function"].as_str().unwrap().to_owned(), stop["line"].as_u64().unwrap());
            let called = server.run_to(&format!("inlined_turns.c:{}", line("counted")));
            assert_eq!((at(&called), sum(&server)), (("main".to_owned(), line("counted")), 0), "{what}");
            // Over it and back.
            let stop = server.call("rr_next", json!({}));
            assert_eq!((at(&stop), sum(&server)), (("main".to_owned(), line("behind")), all), "{what}: {stop}");
            let stop = server.call("rr_next", json!({"reverse": true}));
            assert_eq!((&stop["position"], sum(&server)), (&called["position"], 0), "{what}: {stop}");
            // Out of it: to its end and to its call.
            while sum(&server) < 3 {
                let stop = server.run_to(&format!("inlined_turns.c:{}", line("turn")));
                assert_eq!(at(&stop), ("count".to_owned(), line("turn")), "{what}: {stop}");
            }
            let stop = server.call("rr_finish", json!({}));
            assert_eq!((at(&stop).0, sum(&server)), ("main".to_owned(), all), "{what}: {stop}");
            let stop = server.call("rr_step", json!({"reverse": true}));
            assert_eq!((at(&stop).0, sum(&server)), ("count".to_owned(), all), "{what}: {stop}");
            let stop = server.call("rr_finish", json!({"reverse": true}));
            assert_eq!((at(&stop), sum(&server)), (("main".to_owned(), line("counted")), 0), "{what}: {stop}");
        }
    }
}
