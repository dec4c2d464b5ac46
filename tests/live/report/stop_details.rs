//! What a stop tells besides its frame: the user's code, what has faulted, what threads wait for.

use crate::support::fixtures::line;
use crate::support::mcp::Server;
use crate::support::recordings::{recording, recording_of};
use serde_json::{Value, json};

/// A session at the signal that ends `faults` when it is given this argument, and the stop.
fn faulted(which: &str) -> (Server, Value) {
    let server = Server::start();
    server.replay(&recording_of("faults", &[which]).trace);
    let stop = server.call("rr_continue", json!({}));
    (server, stop)
}

#[test]
fn a_stop_in_a_library_shows_the_users_code() {
    for (which, tag) in [("3", "assert"), ("4", "abort")] {
        let (server, stop) = faulted(which);
        assert_eq!((&stop["signal_name"], &stop["source"]), (&json!("SIGABRT"), &Value::Null), "{stop}");
        let user = &stop["user_frame"];
        assert_eq!((&user["function"], user["line"].as_u64()), (&json!("main"), Some(line("faults.c", tag))), "{stop}");
        assert!(user["level"].as_u64() > Some(0), "{stop}");
        assert!(stop["user_source"].as_str().unwrap().contains(&format!("@{tag}")), "{stop}");
        assert_eq!(stop["waits_in"], Value::Null, "{stop}");
        // Where it went on from there is shown without it.
        let said = server.text("rr_continue", json!({"reverse": true}));
        assert!(!said.contains("in your code"), "{said}");
    }
}

#[test]
fn a_stop_in_the_users_code_is_as_it_was() {
    let (_server, stop) = faulted("7");
    assert!(stop["source"].as_str().unwrap().contains("@divide"), "{stop}");
    assert_eq!((&stop["user_frame"], &stop["waits_in"]), (&Value::Null, &Value::Null), "{stop}");
}

#[test]
fn a_fault_is_explained_where_it_stops() {
    for (which, wanted) in [
        ("0", "read at 0xc: not mapped: 12 bytes from a null pointer; p is null; +12 is its member in.b"),
        ("5", "read at 0x4141414141414141: no address that can exist (it is not canonical)"),
        ("11", "read at 0x50000000000c: not mapped; p is 0x500000000000 (struct node *); +12 is its member in.b"),
        ("12", "read at 0x50000000000c: not mapped"),
    ] {
        let (server, stop) = faulted(which);
        assert_eq!(stop["fault"], wanted, "{stop}");
        server.close();
    }
    let (_server, stop) = faulted("1");
    assert!(stop["fault"].as_str().unwrap().contains(": read-only memory: "), "{stop}");
    let (_server, stop) = faulted("2");
    assert!(stop["fault"].as_str().unwrap().ends_with("the stack has overflowed"), "{stop}");
    let (_server, stop) = faulted("7");
    assert!(stop["fault"].as_str().unwrap().starts_with("division by zero: "), "{stop}");
    // The program has sent it to itself: no instruction is to blame.
    let (_server, stop) = faulted("10");
    assert_eq!((&stop["signal_name"], &stop["fault"]), (&json!("SIGSEGV"), &Value::Null), "{stop}");
}

#[test]
fn what_the_kernel_has_told_of_a_signal_is_an_expression() {
    let (server, _) = faulted("0");
    for (expression, value) in [
        ("$_siginfo.si_signo", "11"),
        ("$_siginfo.si_code", "1"),
        ("$_siginfo._sifields._sigfault.si_addr", "(void *) 0xc"),
        ("(long)$_siginfo._sifields._sigfault.si_addr == (long)&((struct node *)0)->in.b", "1"),
        ("sizeof($_siginfo)", "128"),
    ] {
        assert_eq!(server.evaluate(expression), value, "{expression}");
    }
    let printed = server.call("rr_command", json!({"command": "print $_siginfo.si_code"}));
    assert_eq!(printed["output"], "$1 = 1\n");
    let (server, stop) = faulted("10");
    let thread = stop["thread"].as_str().unwrap().split('.').next().unwrap();
    assert_eq!(server.evaluate("$_siginfo._sifields._kill.si_pid"), thread);
}

#[test]
fn blocked_threads_name_what_they_wait_for() {
    let (server, stop) = faulted("8");
    assert_eq!(stop["signal_name"], "SIGUSR1", "{stop}");
    let list = server.call("rr_thread_list", json!({}));
    let threads = list["result"].as_array().unwrap();
    let known: Vec<_> =
        threads.iter().map(|thread| (thread["waits_in"].as_str(), thread["user_frame"]["line"].as_u64())).collect();
    let wanted = [
        (Some("futex for cache.lru_lock"), Some(line("faults.c", "lock"))),
        (Some("futex for mine->lock"), Some(line("faults.c", "other-lock"))),
    ];
    assert_eq!(known, wanted, "{list}");
    let said = server.text("rr_thread_list", json!({}));
    assert!(said.contains(", waits in futex for mine->lock\n      in your code: #"), "{said}");
}

#[test]
fn a_thread_that_reads_names_the_file() {
    let server = Server::start();
    server.replay(&recording("waiting").trace);
    server.call("rr_breakpoint_set", json!({"location": "set", "condition": "s == 10"}));
    server.call("rr_continue", json!({}));
    let list = server.call("rr_thread_list", json!({}));
    let first = &list["result"][0];
    let file = server.evaluate("values[0]");
    assert_eq!(first["waits_in"], format!("read (fd {file})"), "{list}");
    assert_eq!(first["user_frame"]["line"].as_u64(), Some(line("waiting.c", "read")), "{list}");
    assert_eq!(list["result"][1]["waits_in"], Value::Null, "{list}");
}

#[test]
fn a_panic_shows_where_it_comes_from() {
    let server = Server::start();
    server.replay(&recording("panics-rust").trace);
    server.call("rr_catch_set", json!({"event": "panic"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "panic", "{stop}");
    assert_eq!(stop["user_frame"]["line"].as_u64(), Some(line("panics.rs", "index")), "{stop}");
}

#[test]
fn a_stack_that_has_overflowed_is_short_to_look_at() {
    let (server, _) = faulted("2");
    let told = server.call("rr_backtrace", json!({}));
    assert_eq!(told["folded"][0]["functions"], json!(["deeper"]), "{told}");
    let frames = told["result"].as_array().unwrap();
    let depth = told["depth"].as_u64().unwrap();
    assert!(frames.len() < 10 && depth > 1000, "{told}");
    assert_eq!(frames.last().unwrap()["level"].as_u64(), Some(depth - 1));
    assert_eq!(frames.last().unwrap()["function"], "main");
    // The numbers of the frames are those that other tools take.
    server.call("rr_select_frame", json!({"frame_level": depth - 2}));
    assert_eq!(server.evaluate("n"), "0");
    let all = server.text("rr_backtrace", json!({"max_depth": 0}));
    assert!((30_000..=40_200).contains(&all.len()), "{}", all.len());
    let (_, next) = all.rsplit_once("from=").unwrap();
    let next: u64 = next.parse().unwrap();
    let more = server.call("rr_backtrace", json!({"from": next, "max_depth": 1}));
    assert_eq!(more["result"][0]["level"], next);
}
