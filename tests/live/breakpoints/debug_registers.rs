//! Breakpoints in debug registers: they stop where those in memory do, at each kind of instruction, in both directions,
//! and cost no more than those, though soft counters run a program as translated code.

use crate::support::fixtures::{built_from, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::record;
use serde_json::json;
use std::collections::BTreeMap;

/// Stepped, the turns of a loop would take minutes.
const TURNS: &str = "#include <pthread.h>
#include <unistd.h>
volatile long sum; volatile int made;
__attribute__((noinline)) void spin(long n) { for (long i = 0; i < n; i++) sum += i; }
__attribute__((naked, noinline)) long called(void) {
 __asm__ volatile(\"called_at: mov $39, %eax\\nsyscall_at: syscall\\ntaken: test %eax, %eax\\njump: jne over\\nnop\\n\"
  \"over: mov $3, %ecx\\nback: add $1, %rax\\nsub $1, %ecx\\nturn: jnz back\\nend: ret\"); }
static void *work(void *of) { spin(1000000); sum += called(); made++; return of; }
int main(void) {
 pthread_t other;
 for (int k = 0; k < 2; k++) { spin(1000000); sum += called(); }
 pthread_create(&other, 0, work, 0); pthread_join(other, 0);
 spin(1000000);
 return made == 1 ? 0 : 1;
}
";

/// Makes all stops in one direction, and returns the moments.
fn stops(server: &Server, reverse: bool) -> Vec<(i64, i64, i64, String)> {
    let mut all = Vec::new();
    loop {
        let stop = server.call("rr_continue", json!({"reverse": reverse}));
        if stop["reason"] != "breakpoint-hit" {
            return all;
        }
        let number = |name: &str| stop[name].as_i64().unwrap();
        all.push((
            number("event"),
            number("ticks"),
            stop["thread"]["tid"].as_i64().unwrap_or(0),
            server.evaluate("$pc"),
        ));
    }
}

#[test]
fn they_stop_where_those_in_memory_do() {
    let trace = record(&built_from("turns_in_hardware", TURNS, &["-g", "-O1", "-pthread"]), &[], scratch()).trace;
    let mut all: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (command, kind) in [("break", "Breakpoint"), ("hbreak", "Hardware assisted breakpoint")] {
        let server = Server::start();
        server.replay(&trace);
        for places in [["called_at", "taken", "over"], ["syscall_at", "jump", "end"], ["back", "turn", "called_at"]] {
            server.call("rr_goto", json!({"position": "start"}));
            for place in places {
                let set = server.text("rr_command", json!({"command": format!("{command} *&{place}")}));
                assert!(set.starts_with(kind), "{set}");
            }
            let (forward, mut backward) = (stops(&server, false), stops(&server, true));
            backward.reverse();
            assert_eq!(backward, forward, "{command} {places:?}");
            assert_eq!(forward.len(), if places[0] == "back" { 3 * 7 } else { 3 * 3 }, "{command} {places:?}");
            all.entry(command).or_default().push(forward);
            server.text("rr_command", json!({"command": "delete"}));
        }
    }
    assert_eq!(all["hbreak"], all["break"]);
}
