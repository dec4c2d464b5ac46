//! A program that says of itself how often it has done what: calls, and writes.

use crate::support::fixtures::scratch;
use crate::support::gdb;
use crate::support::recordings::{record, rr};
use crate::{Goal, Rounds, program, question, traces};
use base::cancel::Cancel;
use questions::{Before, Calls, CallsQuery, LastWrites, LastWritesQuery, Now, Trace, TraceQuery, Writes, WritesQuery};
use retrograde::Replay;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Calls, and writes to the variable.
const TIMES: u64 = 1_000_000;
/// Bytes of the table, and how often each of its elements is written.
const TABLE: (u64, u64) = (65536, 10);
/// Calls that GDB is stopped at.
const STOPS: u32 = 2000;

pub fn bench(rounds: &Rounds, only_ours: bool) {
    let program = program();
    let trace = record(&program, &[], &traces()).trace;
    let (written, table) = (symbol(&program, "written"), symbol(&program, "table"));
    let (pid, end) = the_end(&trace);
    let last = TIMES.to_le_bytes();
    let questions = vec![
        question("calls, arguments and result", Goal::Replays(3.0), || calls(&trace)),
        question("trace, two values", Goal::None, || traced(&trace)),
        question("trace, ten of a million by a condition", Goal::None, || chosen(&trace, "a % 100000 == 7", true)),
        question("the same, compared in the replay", Goal::None, || chosen(&trace, "b == 7 && a % 100000 == 7", true)),
        question("trace, the 700,000th by a condition", Goal::None, || chosen(&trace, "a == 700000", false)),
        question("last write of a variable, from the end", Goal::Replays(2.0), || {
            last_write(&trace, (written, 8), pid, &end, TIMES, &last);
        }),
        question("history of a variable", Goal::None, || writes(&trace, (written, 8), pid, TIMES)),
        question("history of 64 KiB", Goal::Replays(10.0), || {
            writes(&trace, (table, TABLE.0), pid, TABLE.0 / 4 * TABLE.1);
        }),
    ];
    let least = rounds.of("a million calls and writes", &trace, questions);
    if !only_ours {
        let each = stopped(&trace, &program) / STOPS;
        let all = each.as_secs_f64() * TIMES as f64;
        println!(
            "  GDB stops at a call in {:.0} us: {TIMES} in {all:.0} s, {:.0} times as long",
            each.as_secs_f64() * 1e6,
            all / least[1].as_secs_f64()
        );
    }
}

/// The process, and the moment at which it ends.
pub fn the_end(trace: &Path) -> (u32, Now) {
    let mut replay = Replay::options().rr(rr().program()).open(trace).expect("a replay");
    replay.run().expect("it ends");
    let at = replay.position();
    (at.process(), Now { event: at.event(), ticks: at.ticks(), tid: at.thread(), content: Vec::new(), place: None })
}

/// Where a variable of a program is that is mapped where its file says.
fn symbol(program: &Path, name: &str) -> u64 {
    let output = Command::new("nm").arg(program).output().expect("nm runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let line = text.lines().find(|line| line.ends_with(&format!(" {name}"))).expect("the symbol is there");
    u64::from_str_radix(line.split(' ').next().expect("an address"), 16).expect("an address")
}

fn calls(trace: &Path) {
    let query = CallsQuery { function: "mix".to_owned(), ..CallsQuery::default() };
    let calls = Calls::ask(rr(), trace, &query, &Cancel::new()).expect("an answer");
    assert_eq!((calls.matching, calls.returned), (TIMES, TIMES));
    let rows = calls.page(7, 1, &Cancel::new()).expect("rows");
    let values: Vec<_> = rows[0].arguments.iter().map(|argument| argument.value.as_deref()).collect();
    assert_eq!(values, [Ok("7"), Ok("7")]);
    assert_eq!(rows[0].result.as_ref().and_then(|result| result.as_deref().ok()), Some("28"));
}

fn traced(trace: &Path) {
    let values = vec!["a".to_owned(), "b".to_owned()];
    let query = TraceQuery { locations: vec!["mix".to_owned()], values, ..TraceQuery::default() };
    let traced = Trace::ask(rr(), trace, &query, &Cancel::new()).expect("an answer");
    assert_eq!(traced.matching, TIMES);
    let rows = traced.page(9, 1, &Cancel::new()).expect("rows");
    let values: Vec<_> = rows[0].values.iter().map(|value| value.as_deref().ok()).collect();
    assert_eq!(values, [Some("9"), Some("1")]);
}

/// Asks for the hits of which a condition holds: one, or each 100,000th from the seventh on.
fn chosen(trace: &Path, condition: &str, is_ten: bool) {
    let (values, condition) = (vec!["a".to_owned()], Some(condition.to_owned()));
    let query = TraceQuery { locations: vec!["mix".to_owned()], values, condition, ..TraceQuery::default() };
    let chosen = Trace::ask(rr(), trace, &query, &Cancel::new()).expect("an answer");
    assert_eq!(chosen.facts.hits, TIMES);
    let rows = chosen.page(0, 20, &Cancel::new()).expect("rows");
    let found: Vec<_> = rows.into_iter().map(|row| row.values[0].clone().expect("a value").text).collect();
    let expected: Vec<String> =
        if is_ten { (0..10).map(|n| (100_000 * n + 7).to_string()).collect() } else { vec!["700000".to_owned()] };
    assert_eq!(found, expected);
}

/// Asks for the last write before a moment; others come on top, rr's own and those of who had the memory before.
pub fn last_write(trace: &Path, (address, length): (u64, u64), pid: u32, now: &Now, least: u64, left: &[u8]) {
    let query = LastWritesQuery {
        address,
        length,
        bits: None,
        pid,
        programs: 1,
        now: Some(now.clone()),
        most: 1,
        of_all: false,
    };
    let writes = LastWrites::ask(rr(), trace, &query, &Cancel::new()).expect("an answer");
    let Some(Before::Known(before)) = writes.before else { panic!("{:?}", writes.before) };
    assert!((least..least + 1000).contains(&before), "{before}");
    let last = writes.last(&Cancel::new()).expect("a row").expect("there is one");
    assert_eq!(last.after, left);
    let to_go = last.at.expect("a moment").position();
    assert!(to_go.is_some(), "it can be gone to");
}

/// Asks for all writes, the last of which is then told.
fn writes(trace: &Path, (address, length): (u64, u64), pid: u32, least: u64) {
    let query = WritesQuery { address, length, pid, programs: 1, ..WritesQuery::default() };
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
