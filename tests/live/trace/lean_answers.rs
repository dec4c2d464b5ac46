//! Texts for readers who pay for each character: rows without what their head has, positions by short names.

use crate::names::whose::replay_of;
use crate::support::fixtures::built_from;
use crate::support::mcp::Server;
use serde_json::json;

const PROGRAM: &str = "#include <pthread.h>
#include <stdlib.h>
int total;
__attribute__((noinline)) int work(int x) { total += x; return total; }
static void *loop(void *from) {
  for (int i = 0; i < 3; i++) work((int)(long)from + i);
  return 0;
}
static void leave(int code) { if (code == 0) exit(code); }
int main(void) {
  leave(1);
  pthread_t thread;
  pthread_create(&thread, 0, loop, (void *)10);
  pthread_join(thread, 0);
  loop((void *)-1);
  leave(0);
}
";
const RESULTS: [(i32, i32); 6] = [(10, 10), (11, 21), (12, 33), (-1, 32), (0, 32), (1, 33)];

fn server() -> Server {
    replay_of(&built_from("lean_answers", PROGRAM, &["-g", "-O0", "-pthread"]))
}

/// The rows of a text: what follows the head, each with its short position first.
fn rows(text: &str) -> Vec<(&str, &str)> {
    let rows = text.lines().filter(|line| line.starts_with('p') && !line.starts_with("process"));
    rows.map(|row| row.split_once("  ").unwrap_or((row, ""))).collect()
}

/// Returns the line that says what all rows have in common.
fn head(text: &str) -> &str {
    text.lines().nth(1).unwrap()
}

#[test]
fn short_positions_of_rows_lead_where_those_in_full_do() {
    let server = server();
    let asked = json!({"functions": ["work"]});
    let text = server.text("rr_calls", asked.clone());
    let answer = server.call("rr_calls", asked);
    assert!(head(&text).starts_with("all from loop at ") && head(&text).ends_with("lean_answers.c:6"), "{text}");
    let expected: Vec<String> = RESULTS.iter().map(|(x, total)| format!("work(x={x}) = {total}")).collect();
    assert_eq!(rows(&text).iter().map(|(_, call)| *call).collect::<Vec<_>>(), expected, "{text}");
    for ((short, _), row) in rows(&text).iter().zip(answer["rows"].as_array().unwrap()) {
        // Of two threads.
        assert!(short.ends_with(&format!("[{}]", row["tid"])), "{text}");
        let there = server.call("rr_goto", json!({"position": short}));
        assert_eq!(
            server.call("rr_goto", json!({"position": row["position"]}))["position"],
            there["position"],
            "{row}"
        );
        assert_eq!(server.evaluate("(int)$edi"), row["arguments"][0]["value"].as_str().unwrap());
        let why = json!({"location": "work", "at": short});
        let in_full = json!({"location": "work", "at": row["position"]});
        assert_eq!(server.either("rr_why", why), server.either("rr_why", in_full));
    }
    let unknown = server.fail("rr_goto", json!({"position": "p4711"}));
    assert!(unknown.contains("`p4711` is not a position of this server: its answers have p1 to p"), "{unknown}");
}

#[test]
fn rows_have_what_their_head_has_not() {
    let server = server();
    let trace = server.text("rr_trace", json!({"locations": ["work"], "values": ["x", "total"]}));
    assert!(head(&trace).starts_with("all at ") && head(&trace).ends_with("lean_answers.c:4 (work)"), "{trace}");
    let mut before = 0;
    for ((_, row), (x, total)) in rows(&trace).iter().zip(RESULTS) {
        assert_eq!(*row, format!("x={x}  total={before}"));
        before = total;
    }
    assert_eq!(rows(&trace).len(), RESULTS.len());
    let history = server.text("rr_history", json!({"expression": "total"}));
    assert!(head(&history).starts_with("all by work at "), "{history}");
    let mut before = 0;
    for ((_, row), (_, total)) in rows(&history).iter().zip(RESULTS) {
        assert_eq!(*row, format!("{before} -> {total}"));
        before = total;
    }
    assert_eq!(rows(&history).len(), RESULTS.len());
    // A page says how all that matches is spread, which its rows do not.
    let two = server.text("rr_trace", json!({"locations": ["work", "loop"], "values": ["total"], "limit": 3}));
    let counted = |count: &str, place: &str| {
        two.lines().any(|line| line.trim_start().starts_with(count) && line.ends_with(place))
    };
    assert!(counted("6 at ", "lean_answers.c:4 (work)") && counted("2 at ", "lean_answers.c:6 (loop)"), "{two}");
    let whole = server.text("rr_trace", json!({"locations": ["work", "loop"], "values": ["total"]}));
    assert_eq!((whole.contains(" 6 at "), rows(&whole).len()), (false, 8), "{whole}");
}

#[test]
fn rows_may_be_the_newest_and_those_alone_that_changed_something_or_did_not_return() {
    let server = server();
    let newest = json!({"expression": "total", "newest": true, "limit": 4});
    let history = server.text("rr_history", newest);
    let rows_of = |text: &str| -> Vec<String> { rows(text).iter().map(|(_, row)| (*row).to_owned()).collect() };
    assert_eq!(rows_of(&history), ["32 -> 33", "32 -> 32", "33 -> 32", "21 -> 33"], "{history}");
    assert!(history.ends_with("more: offset 4"), "{history}");
    let changes = server.text("rr_history", json!({"expression": "total", "changes": true}));
    assert_eq!(rows_of(&changes), ["0 -> 10", "10 -> 21", "21 -> 33", "33 -> 32", "32 -> 33"], "{changes}");
    let calls = server.text("rr_calls", json!({"functions": ["work"], "newest": true, "offset": 1, "limit": 2}));
    assert_eq!(rows_of(&calls), ["work(x=0) = 32", "work(x=-1) = 32"], "{calls}");
    let unfinished = server.call("rr_calls", json!({"functions": ["leave"], "unfinished": true}));
    assert_eq!((&unfinished["matching"], &unfinished["unfinished"]), (&json!(1), &json!(1)), "{unfinished}");
    assert_eq!(unfinished["rows"][0]["arguments"][0]["value"], "0", "{unfinished}");
}
