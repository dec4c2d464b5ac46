//! Functions of the program that are called in a copy of it, of which nothing stays.

use crate::support::fixtures::{program, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{record, recording};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::LazyLock;

const NOTE: &str = "(called in a copy of the program, which is gone: nothing of it stays)";

static TRACE: LazyLock<PathBuf> = LazyLock::new(|| record(&program("called"), &[], scratch()).trace);

fn stopped(server: &Server) {
    server.replay(&TRACE);
    server.call("rr_breakpoint_set", json!({"location": "add"}));
    assert_eq!(server.call("rr_continue", json!({}))["function"], "add");
}

/// All that a call might leave behind.
fn state(server: &Server) -> [Value; 4] {
    let counter = server.evaluate("counter");
    let of = |tool: &str| server.call(tool, json!({}));
    [of("rr_when"), of("rr_registers"), of("rr_backtrace"), json!(counter)]
}

#[test]
fn functions_are_called_and_nothing_of_it_stays() {
    let server = Server::start_with(&[("RR_MCP_ALLOW_CALLS", "on")]);
    stopped(&server);
    let before = state(&server);
    assert_eq!(before[3], "10");
    let said = [
        ("print add(2, 3)", "$1 = 5"),
        ("print count() + count()", "$2 = 23"),
        ("print count()", "$3 = 11"),
        ("call dump(&small)", "small: 4, 5"),
        ("print half(5.0)", "$4 = 2.5"),
        ("print length(\"four\")", "$5 = 4"),
    ];
    for (command, expected) in said {
        let answer = server.text("rr_command", json!({"command": command}));
        assert_eq!(answer.trim_end(), format!("{expected}\n{NOTE}"), "{command}");
        assert_eq!(state(&server), before, "{command}");
    }
    for (command, expected) in [
        ("print crash(0)", "The function received signal SIGSEGV at "),
        ("call leave(3)", "The function ended the program"),
    ] {
        let refused = server.fail("rr_command", json!({"command": command}));
        assert!(refused.starts_with(expected), "{command}: {refused}");
        assert_eq!(state(&server), before, "{command}");
    }
    // The session goes on from where it was.
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["reason"], &stop["function"]), (&json!("breakpoint-hit"), &json!("add")), "{stop}");
    assert_eq!(server.evaluate("a"), "1");
}

#[test]
fn what_an_indirect_function_chooses_is_called_by_its_name() {
    for fixture in ["chosen", "chosen-static"] {
        let server = Server::start_with(&[("RR_MCP_ALLOW_CALLS", "on")]);
        server.replay(&recording(fixture).trace);
        server.run_to("tripled");
        let said = [
            ("print (long)scaled(5)", "$1 = 15"),
            // By its own name, the code that chooses.
            ("print choose() == tripled", "$2 = 1"),
        ];
        for (command, expected) in said {
            let answer = server.text("rr_command", json!({"command": command}));
            assert_eq!(answer.trim_end(), format!("{expected}\n{NOTE}"), "{fixture} {command}");
        }
        let refused = server.fail("rr_command", json!({"command": "print scaled(5)"}));
        assert!(refused.contains("cast the call to that"), "{refused}");
    }
}

#[test]
fn functions_are_not_called_unless_that_is_allowed() {
    let server = Server::start();
    stopped(&server);
    let before = state(&server);
    for command in ["print add(2, 3)", "call count()"] {
        let refused = server.fail("rr_command", json!({"command": command}));
        assert!(refused.contains("RR_MCP_ALLOW_CALLS=on"), "{command}: {refused}");
    }
    let refused = server.fail("rr_evaluate", json!({"expression": "count()"}));
    assert!(refused.contains("cannot call a function"), "{refused}");
    assert_eq!(state(&server), before);
}
