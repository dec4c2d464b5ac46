//! Breakpoints in code that the program writes over while they are there.

use crate::support::fixtures::{line, program};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::record;
use serde_json::{Value, json};

/// Each of two places has been called so often.
const CALLS: usize = 8;

/// A server behind the allocation of the code, and where one of the functions will be.
fn at_code() -> (Server, u64) {
    let server = replaying("generated");
    server.run_to(&format!("generated.c:{}", line("generated.c", "mapped")));
    let address = server.evaluate("(unsigned long)code + 64").parse().unwrap();
    (server, address)
}

fn stops(server: &Server, reverse: bool) -> Vec<(Value, String)> {
    let mut found = Vec::new();
    loop {
        let stop = server.call("rr_continue", json!({"reverse": reverse}));
        if stop["reason"] != "breakpoint-hit" {
            return found;
        }
        found.push((json!([stop["pc"], stop["event"], stop["ticks"]]), server.evaluate("calls")));
    }
}

#[test]
fn each_call_of_code_that_is_written_over_is_met_in_both_directions() {
    let (server, address) = at_code();
    let set = server.call("rr_breakpoint_set", json!({"location": format!("*{address:#x}")}));
    assert_eq!(set.get("note"), None, "{set}");
    let forward = stops(&server, false);
    let calls: Vec<String> = forward.iter().map(|(_, calls)| calls.clone()).collect();
    let expected: Vec<String> = (0..CALLS).map(|i| (2 * i + 1).to_string()).collect();
    assert_eq!(calls, expected);
    let mut backward = stops(&server, true);
    backward.reverse();
    assert_eq!(backward, forward);
}

#[test]
fn where_no_debug_register_is_free_it_is_said_what_is_missed() {
    let (server, address) = at_code();
    for i in 0..4 {
        server.call("rr_watchpoint_set", json!({"expression": format!("*(char *)(code + {})", 1024 + 8 * i)}));
    }
    let set = server.call("rr_breakpoint_set", json!({"location": format!("*{address:#x}")}));
    assert!(set.to_string().contains("no debug register is free"), "{set}");
    let said = server.fail("rr_command", json!({"command": "hbreak use"}));
    assert!(said.contains("all 4 debug registers are in use"), "{said}");
}

#[test]
fn a_hardware_breakpoint_is_one() {
    let (server, address) = at_code();
    let set = server.text("rr_command", json!({"command": format!("hbreak *{address:#x}")}));
    assert!(set.contains("Hardware assisted breakpoint"), "{set}");
    assert_eq!((stops(&server, false).len(), stops(&server, true).len()), (CALLS, CALLS));
    // The code is as it was, for whoever reads it.
    server.text("rr_command", json!({"command": "hbreak use"}));
    assert_eq!(stops(&server, false).len(), 3 * CALLS);
}

#[test]
fn a_trace_tells_each_execution_of_code_that_is_written_over() {
    let (server, address) = at_code();
    let place = format!("*{address:#x}");
    let query = json!({"location": place, "values": ["$rip", "$sp", "*(long *)$sp"], "limit": 100});
    let traced = server.call("rr_trace", query);
    assert!(traced.to_string().contains("code that the program has generated"), "{traced}");
    server.call("rr_breakpoint_set", json!({"location": place}));
    let rows = traced["rows"].as_array().unwrap_or_else(|| panic!("{traced}"));
    assert_eq!(rows.len(), CALLS, "{traced}");
    for row in rows {
        // What a stop at the same moment shows.
        let stop = server.call("rr_continue", json!({}));
        assert_eq!((&stop["event"], &stop["ticks"]), (&row["event"], &row["ticks"]), "{row}");
        let values = ["$rip", "$sp", "*(long *)$sp"].map(|value| server.evaluate(value));
        let traced: Vec<&str> =
            row["values"].as_array().unwrap().iter().map(|one| one["value"].as_str().unwrap()).collect();
        assert_eq!(traced, values, "{row}");
    }
    let refused = server.fail("rr_calls", json!({"function": place}));
    assert!(refused.contains(&format!("rr_trace with location `{place}`")), "{refused}");
}

/// Where its globals are, generated code does not say, whichever way the paths of the program and libc are ordered.
#[test]
fn globals_at_generated_code_are_refused_wherever_the_program_lies() {
    for parent in ["/tmp", "/var/tmp"] {
        let directory = tempfile::tempdir_in(parent).unwrap();
        let copy = directory.path().join("generated");
        std::fs::copy(program("generated"), &copy).unwrap();
        let server = Server::start();
        server.replay(&record(&copy, &[], directory.path()).trace);
        server.run_to(&format!("generated.c:{}", line("generated.c", "mapped")));
        let address: u64 = server.evaluate("(unsigned long)code + 64").parse().unwrap();
        let refused = server.fail("rr_trace", json!({"location": format!("*{address:#x}"), "values": ["calls"]}));
        assert!(refused.contains("generated does not say where globals are"), "{refused}");
        assert!(refused.contains("A breakpoint there with a log"), "{refused}");
    }
}
