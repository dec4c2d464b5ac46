//! The last write before a moment is the last one of all writes that are before it: whoever wrote, whatever size it has,
//! wherever the session is.

use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) % limit
    }
}

fn history(server: &Server, expression: &str) -> Vec<Value> {
    let (mut rows, mut offset) = (Vec::new(), json!(0));
    while !offset.is_null() {
        let page = server.call("rr_history", json!({"expression": expression, "limit": 1000, "offset": offset}));
        rows.extend(page["rows"].as_array().unwrap().iter().cloned());
        offset = page["next_offset"].clone();
    }
    rows
}

/// The event and the ticks of a position.
fn time(row: &Value) -> Option<(u64, u64)> {
    let position = row["position"].as_str()?;
    let mut words = position.split('/').map(|word| word.parse().unwrap_or(0));
    Some((words.next()?, words.next()?))
}

/// Asks for the last write to a variable where the session is, and compares with all writes to it.
fn check(server: &Server, expression: &str) -> u64 {
    let last = server.call("rr_last_write", json!({"expression": expression}));
    let rows = history(server, expression);
    let earlier = last["earlier"].as_u64().unwrap() as usize;
    let told = earlier.checked_sub(1).map_or(Value::Null, |number| rows[number].clone());
    assert_eq!(last["write"], told, "{expression}: {last}");
    let change = rows[..earlier].iter().rev().find(|row| row["old"] != row["new"]);
    let expected = change.filter(|change| **change != told).cloned().unwrap_or(Value::Null);
    assert_eq!(last["last_change"], expected, "{expression}: {last}");
    // Those that come next are not before, and those before are not behind, as far as their positions tell.
    let now = time(&server.call("rr_when", json!({}))).expect("a position");
    if let (Some(write), true) = (time(&last["write"]), rows.len() > earlier) {
        assert!(write <= now, "{expression}: {last} at {now:?}");
    }
    if let Some(next) = rows.get(earlier).and_then(time) {
        assert!(next >= now, "{expression}: {next:?} at {now:?}");
    }
    if let Some(all) = last["matching"].as_u64() {
        assert_eq!(all, rows.len() as u64, "{expression}");
    }
    rows.len() as u64
}

/// Where a variable is about to be written, and between events, at moments that are chosen at random.
fn check_program(fixture: &str, expressions: &[&str], random: &mut Random) -> u64 {
    let server = replaying(fixture);
    let begin = server.run_to("main")["event"].as_u64().unwrap();
    let mut all = 0;
    let mut rows: Vec<Value> = Vec::new();
    for expression in expressions {
        all += check(&server, expression);
        rows.extend(history(&server, expression));
    }
    rows.retain(|row| row["function"].is_string() && row["position"].is_string() && time(row).unwrap().0 >= begin);
    for round in 0..4 {
        let row = &rows[random.below(rows.len() as u64) as usize];
        if round == 0 {
            server.call("rr_run_to_event", json!({"event_number": row["event"]}));
        } else {
            server.call("rr_goto", json!({"position": row["position"]}));
        }
        for expression in expressions {
            all += check(&server, expression);
        }
    }
    all
}

#[test]
fn it_is_the_last_one_of_the_history_before_the_moment() {
    let mut random = Random(1);
    let mut all = 0;
    for (fixture, expressions) in [
        ("written_by", &["total", "turns", "shape"][..]),
        ("repeated-O2", &["slots", "sum", "used"]),
        ("inherited", &["first", "second", "both"]),
        ("corrupt_table", &["stations", "stations[1].calibration"]),
    ] {
        all += check_program(fixture, expressions, &mut random);
    }
    assert!(all > 50, "{all} writes");
}

/// What is on the stack, and in libraries, of 1 to 64 KiB.
#[test]
fn it_is_so_for_memory_of_any_size() {
    let mut random = Random(2);
    let server = replaying("written_by");
    server.run_to("work");
    for size in [1u64, 8, 100, 4096, 16384, 65536] {
        let below = random.below(2048);
        let on_stack = format!("*(char (*)[{size}])($rsp - {below})");
        check(&server, &on_stack);
    }
}

/// Where all has been written: behind the fault by which the last call ends.
fn behind_the_calls() -> Server {
    let server = replaying("partly_watched");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGSEGV", "{stop}");
    server.run_to("finish");
    server
}

/// A store of eight bytes has changed what is watched, and many more of them only what is beside it.
#[test]
fn a_change_beside_a_variable_is_none_of_it() {
    let server = behind_the_calls();
    check(&server, "pair.b");
    check(&server, "pair.a");
    let last = server.call("rr_last_write", json!({"expression": "pair.a"}));
    let change = |row: &Value| [row["old"].as_str().unwrap().to_owned(), row["new"].as_str().unwrap().to_owned()];
    assert_eq!([change(&last["write"]), change(&last["last_change"])], [["7", "7"], ["5", "7"]], "{last}");
}

/// Calls at one count of branches, of which the last one is taken back, since it leads nowhere.
#[test]
fn a_call_that_is_taken_back_takes_none_before_it_with_it() {
    let server = behind_the_calls();
    let rows = history(&server, "slots[31]");
    let calls: Vec<&Value> = rows.iter().filter(|row| row["function"] == "call_often").collect();
    assert_eq!(calls.len(), 4, "{rows:?}");
}
