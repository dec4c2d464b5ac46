//! What questions open of a recording: each file once, whatever else is asked of it.

use crate::server::stdio::Server;
use crate::support::fixtures::{built_from, scratch};
use crate::support::recordings::{record, rr};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;

const PROGRAM: &str = "int total;
int work(int x) { total += x; return total; }
int main(void) { for (int i = 0; i < 3; i++) work(i); return 0; }
";

#[test]
fn a_second_question_opens_no_file_again() {
    let trace = record(&built_from("opened_once", PROGRAM, &["-g", "-O0"]), &[], scratch()).trace;
    let rr = rr().program();
    let cache = scratch().join("opened_once_answers");
    let variables = [("RETROGRADE_RR", rr.to_str().unwrap()), ("XDG_CACHE_HOME", cache.to_str().unwrap())];
    let mut server = Server::initialized(&variables);
    server.call(1, "rr_replay_start", json!({"trace_dir": trace}));
    // A file that is opened once more is mapped once more: answers are kept, with what they were made of.
    let mapped = |server: &Server| -> BTreeSet<String> {
        let maps = fs::read_to_string(format!("/proc/{}/maps", server.pid())).unwrap();
        let of_program = maps.lines().filter(|line| line.contains("opened_once"));
        of_program.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect()
    };
    let mut number = 1;
    let mut after = |tool: &str, arguments| {
        number += 1;
        let answer = server.call(number, tool, arguments);
        assert_ne!(answer["isError"], true, "{answer}");
        mapped(&server)
    };
    let first = after("rr_trace", json!({"locations": ["work"], "values": ["x"]}));
    assert!(!first.is_empty());
    assert_eq!(after("rr_calls", json!({"functions": ["work"]})), first);
    assert_eq!(after("rr_trace", json!({"locations": ["work"], "values": ["total"]})), first);
    assert_eq!(after("rr_coverage", json!({"location": "work"})), first);
    // The session opens what the process has loaded by then.
    let moved = after("rr_goto", json!({"position": "end"}));
    assert_eq!(after("rr_last_write", json!({"expression": "total"})), moved);
}
