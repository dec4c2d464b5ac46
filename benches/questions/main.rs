//! Questions about whole executions, against a plain replay of the same recording and against a GDB script that stops
//! at each call. All with soft counters.
//!
//! `cargo bench --bench questions [-- --rounds N] [--only-ours]`
//!
//! Each answer is compared with what the program says of itself. Figures are the least of the rounds, which alternate.
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "a bench fails by panicking, and prints what it has measured"
)]

#[path = "../../tests/support/mod.rs"]
#[allow(dead_code, reason = "each of the programs that share it uses a part of it")]
mod support;

use retrograde::cancel::Cancel;
use retrograde::questions::{Calls, CallsQuery, Trace, TraceQuery, Writes, WritesQuery};
use retrograde::rr::{TimelineQuery, Topic, timeline};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use support::fixtures::scratch;
use support::gdb;
use support::recordings::{record, rr};

/// Calls, and writes to the variable.
const TIMES: u64 = 1_000_000;
/// Bytes of the table, and how often each of its elements is written.
const TABLE: (u64, u64) = (65536, 10);
/// Calls that GDB is stopped at.
const STOPS: u32 = 2000;

/// A question by its name, and how it is asked.
type Question<'a> = (&'static str, Box<dyn Fn() + 'a>);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| arguments.iter().position(|a| a == name).and_then(|at| arguments.get(at + 1));
    let rounds: u32 = after("--rounds").map_or(3, |rounds| rounds.parse().expect("--rounds takes a number"));
    let only_ours = arguments.iter().any(|argument| argument == "--only-ours");

    let program = scratch().join("questions-asked");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/questions/asked.c");
    let compiled = Command::new("gcc").args(["-O1", "-g", "-static", "-o"]).arg(&program).arg(source).status();
    assert!(compiled.expect("gcc runs").success());
    let traces = scratch().join("questions-traces");
    std::fs::create_dir_all(&traces).expect("a directory");
    let trace = record(&program, &[], &traces).trace;
    let (written, table) = (symbol(&program, "written"), symbol(&program, "table"));

    let questions: Vec<Question<'_>> = vec![
        ("plain replay", Box::new(|| plain(&trace))),
        ("timeline", Box::new(|| happenings(&trace))),
        ("calls, arguments and result", Box::new(|| calls(&trace))),
        ("trace, two values", Box::new(|| traced(&trace))),
        ("last write of a variable", Box::new(|| writes(&trace, written, 8, TIMES))),
        ("history of 64 KiB", Box::new(|| writes(&trace, table, TABLE.0, TABLE.0 / 4 * TABLE.1))),
    ];
    let mut least = vec![Duration::MAX; questions.len()];
    for _ in 0..rounds {
        for ((_, ask), least) in questions.iter().zip(&mut least) {
            let begun = Instant::now();
            ask();
            *least = (*least).min(begun.elapsed());
        }
    }
    println!("{:<32}{:>10}{:>14}", "question", "seconds", "plain replays");
    for ((name, _), time) in questions.iter().zip(&least) {
        let ratio = time.as_secs_f64() / least[0].as_secs_f64();
        println!("{name:<32}{:>10.3}{ratio:>14.2}", time.as_secs_f64());
    }
    if !only_ours {
        let each = stopped(&trace, &program) / STOPS;
        let all = each.as_secs_f64() * TIMES as f64;
        println!(
            "GDB stops at a call in {:.0} us: {TIMES} in {all:.0} s, {:.0} times as long",
            each.as_secs_f64() * 1e6,
            all / least[2].as_secs_f64()
        );
    }
}

/// Where a variable of a program is that is mapped where its file says.
fn symbol(program: &Path, name: &str) -> u64 {
    let output = Command::new("nm").arg(program).output().expect("nm runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let line = text.lines().find(|line| line.ends_with(&format!(" {name}"))).expect("the symbol is there");
    u64::from_str_radix(line.split(' ').next().expect("an address"), 16).expect("an address")
}

fn plain(trace: &Path) {
    let output = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .env("RETROGRADE_RR", rr().program())
        .args(["rr", "replay", "-a"])
        .arg(trace)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn happenings(trace: &Path) {
    assert_eq!(timeline(trace, &processes(), &Cancel::new()).expect("it can be read").processes, 1);
}

fn processes() -> TimelineQuery {
    TimelineQuery {
        from: 0,
        to: u64::MAX,
        topics: [Topic::Process].into(),
        pid: None,
        tid: None,
        calls: Vec::new(),
        failed: false,
        skip: 0,
        limit: 50,
    }
}

fn calls(trace: &Path) {
    let query = CallsQuery { function: "mix".to_owned(), ..CallsQuery::default() };
    let calls = Calls::ask(rr(), trace, &query, &Cancel::new()).expect("an answer");
    assert_eq!((calls.matching, calls.returned), (TIMES, TIMES));
    let rows = calls.page(7, 1, &Cancel::new()).expect("rows");
    let values: Vec<_> = rows[0].arguments.iter().map(|argument| argument.value.clone()).collect();
    assert_eq!(
        (values, rows[0].result.clone()),
        (vec![Ok("7".to_owned()), Ok("7".to_owned())], Some(Ok("28".to_owned())))
    );
}

fn traced(trace: &Path) {
    let values = vec!["a".to_owned(), "b".to_owned()];
    let query = TraceQuery { locations: vec!["mix".to_owned()], values, ..TraceQuery::default() };
    let traced = Trace::ask(rr(), trace, &query, &Cancel::new()).expect("an answer");
    assert_eq!(traced.matching, TIMES);
    let rows = traced.page(9, 1, &Cancel::new()).expect("rows");
    assert_eq!(rows[0].values, [Ok("9".to_owned()), Ok("1".to_owned())]);
}

/// All writes, the last of which is then told; rr's own, before the program begins, come on top.
fn writes(trace: &Path, address: u64, length: u64, least: u64) {
    let begun = timeline(trace, &processes(), &Cancel::new()).expect("it can be read");
    let query = WritesQuery { address, length, pid: begun.rows[0].pid, programs: 1, ..WritesQuery::default() };
    let writes = Writes::ask(rr(), trace, &query, &Cancel::new()).expect("an answer");
    assert!((least..least + 4).contains(&writes.matching), "{}", writes.matching);
    let last = writes.page(writes.matching - 1, 1, &Cancel::new()).expect("rows").remove(0);
    let value = if length == 8 { TIMES.to_le_bytes().to_vec() } else { (9 + 16383i32).to_le_bytes().to_vec() };
    assert_eq!(last.after, value);
}

/// How long GDB takes to stop at so many calls and to look at the arguments.
fn stopped(trace: &Path, program: &Path) -> Duration {
    let script = scratch().join("questions.gdb");
    let commands = format!(
        "break mix\ncontinue\nset $i = 0\nwhile $i < {STOPS}\nprintf \"%ld %ld\\n\", a, b\ncontinue\nset $i = $i + 1\nend\n"
    );
    std::fs::write(&script, commands).expect("a script");
    let (mut replay, target) = gdb::replay(trace);
    let begun = Instant::now();
    let output = Command::new("gdb")
        .args(["-nx", "-batch", "-ex", &format!("target extended-remote {target}"), "-x"])
        .arg(&script)
        .arg(program)
        .output()
        .expect("gdb runs");
    let took = begun.elapsed();
    // It has no more to do; that it may have ended by itself does not matter.
    let _ = replay.kill();
    let _ = replay.wait();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("\n1999 7\n"), "{text}");
    took
}
