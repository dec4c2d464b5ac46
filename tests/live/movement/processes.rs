//! Several threads, several processes, exec.

use crate::support::fixtures::{line, program};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{recording, rr};
use serde_json::json;
use std::process::Command;

#[test]
fn threads_are_listed_selected_and_told_apart() {
    let server = replaying("threads");
    server.call(
        "rr_breakpoint_set",
        json!({"location": format!("threads.c:{}", line("threads.c", "add")), "condition": "by == 100"}),
    );
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["function"], "adder");
    assert_eq!(server.evaluate("by"), "100");
    let threads = server.call("rr_thread_list", json!({}));
    let list = threads["result"].as_array().unwrap();
    assert!(list.len() >= 2, "{threads}");
    let current: Vec<_> = list.iter().filter(|t| t["current"] == true).collect();
    assert_eq!(current.len(), 1);
    assert_eq!(current[0]["frame"]["function"], "adder");
    let other = list.iter().find(|t| t["current"] == false).unwrap();
    server.call("rr_thread_select", json!({"thread_id": other["id"]}));
    let frames = server.call("rr_backtrace", json!({}));
    let names: Vec<_> = frames["result"].as_array().unwrap().iter().filter_map(|f| f["function"].as_str()).collect();
    assert!(names.contains(&"main") || names.contains(&"adder"), "{names:?}");
    let said = server.fail("rr_thread_select", json!({"thread_id": "99"}));
    assert!(said.contains("99") && said.contains('1'), "{said}");
}

#[test]
fn a_shared_variable_is_followed_through_both_threads() {
    let server = replaying("threads");
    server.run_to("main");
    server.call("rr_watchpoint_set", json!({"expression": "shared"}));
    let mut sum = 0;
    for _ in 0..6 {
        let stop = server.call("rr_continue", json!({}));
        assert_eq!(stop["reason"], "watchpoint-trigger");
        assert_eq!(stop["old_value"], sum.to_string());
        sum = stop["new_value"].as_str().unwrap().parse().unwrap();
        assert_eq!(stop["written_by"]["line"].as_u64(), Some(line("threads.c", "add")));
    }
    assert_eq!(sum, 303);
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    for _ in 0..6 {
        let stop = server.call("rr_continue", json!({"reverse": true}));
        assert_eq!(stop["new_value"], sum.to_string());
        sum = stop["old_value"].as_str().unwrap().parse().unwrap();
    }
    assert_eq!(sum, 0);
}

#[test]
fn next_stays_in_its_thread() {
    let server = replaying("threads");
    server.run_to("main");
    let first = server.call("rr_when", json!({}))["thread"].clone();
    let mut stop = json!(null);
    for _ in 0..5 {
        stop = server.call("rr_next", json!({}));
        assert_eq!(stop["thread"], first, "{stop}");
        assert_eq!(stop["function"], "main", "{stop}");
    }
    assert_eq!(stop["line"].as_u64(), Some(line("threads.c", "return")));
}

#[test]
fn each_process_of_a_tree_can_be_debugged() {
    let recorded = recording("fork_exec");
    assert_eq!(recorded.exit_code, 59);
    let server = Server::start();
    let processes = server.call("rr_ps", json!({"trace_dir": recorded.trace}));
    let list = processes["result"].as_array().unwrap();
    assert_eq!(list.len(), 3, "{processes}");
    let codes: Vec<_> = list.iter().map(|p| p["exit_code"].as_i64().unwrap()).collect();
    assert_eq!(codes, [59, 5, 9]);
    let spelled: Vec<_> = list.iter().map(|p| p["status"].as_str().unwrap()).collect();
    assert_eq!(spelled, ["exit 59", "exit 5", "exit 9"]);
    // All failed; the first one whose children did not is the forked child.
    assert_eq!(processes["debug_first"], list[1]["pid"]);
    let forked = list[1]["pid"].clone();
    let executed = list[2]["pid"].clone();
    assert_eq!(list[1]["ppid"], list[0]["pid"]);

    let child = server.call("rr_replay_start", json!({"trace_dir": recorded.trace, "pid": forked}));
    let stop = server.run_to("in_child");
    assert_eq!(server.evaluate("x"), "4");
    assert_eq!(stop["frame"]["line"].as_u64(), Some(line("fork_exec.c", "fork-child")));

    server.call("rr_replay_start", json!({"trace_dir": recorded.trace, "pid": executed}));
    let stop = server.run_to(&format!("fork_exec.c:{}", line("fork_exec.c", "exec-child")));
    assert_eq!(stop["function"], "main");
    assert_eq!(server.evaluate("argc"), "2");

    // The first session is still where it was.
    let value = server.call("rr_evaluate", json!({"expression": "x", "session": child["session"]}));
    assert_eq!(value["value"], "4");
    let end = server.call("rr_continue", json!({"session": child["session"]}));
    assert_eq!(end["reason"], "end-of-recording");
    assert_eq!(end["exit_code"], 5);
    let said = server.fail("rr_replay_start", json!({"trace_dir": recorded.trace, "pid": 1}));
    assert!(said.contains(&forked.to_string()), "{said}");
}

#[test]
fn exec_is_a_stop_that_can_be_passed_both_ways() {
    let server = replaying("exec_self");
    server.call("rr_breakpoint_set", json!({"location": format!("exec_self.c:{}", line("exec_self.c", "exec"))}));
    server.call("rr_breakpoint_set", json!({"location": "second"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["line"].as_u64(), Some(line("exec_self.c", "exec")));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "exec", "{stop}");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["function"], "second", "{stop}");
    assert_eq!(server.evaluate("argc"), "2");
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(stop["reason"], "exec", "{stop}");
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(stop["line"].as_u64(), Some(line("exec_self.c", "exec")), "{stop}");
    assert_eq!(server.evaluate("argc"), "1");
}

#[test]
fn the_processes_of_a_recording_are_a_tree_and_the_one_to_debug_first_is_named() {
    let server = Server::start();
    let trace = crate::support::fixtures::scratch().join("tree.trace");
    // A shell that fails because its child dies, and another child that was ended by a signal.
    let script = format!("sh -c 'kill -TERM $$'; {}; exit 3", program("crash").display());
    server.call("rr_record", json!({"command": ["sh", "-c", script], "trace_dir": trace}));
    let processes = server.call("rr_ps", json!({"trace_dir": trace}));
    let list = processes["result"].as_array().unwrap();
    let spelled: Vec<_> = list.iter().map(|p| p["status"].as_str().unwrap()).collect();
    assert_eq!(spelled, ["exit 3", "SIGTERM", "SIGSEGV"], "{processes}");
    assert!(list[1..].iter().all(|child| child["ppid"] == list[0]["pid"]), "{processes}");
    assert_eq!(processes["debug_first"], list[2]["pid"]);
    let text = server.text("rr_ps", json!({"trace_dir": trace}));
    let last = format!("\tSIGSEGV\t  {}\ndebug first: {}", program("crash").display(), list[2]["pid"]);
    assert!(text.ends_with(&last), "{text}");
    let crash = server.call("rr_replay_start", json!({"trace_dir": trace, "command": "crash"}));
    assert_eq!(crash["pid"], list[2]["pid"]);
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGSEGV");
}

#[test]
fn processes_are_those_of_rr_and_no_argument_makes_another() {
    let server = Server::start();
    let trace = crate::support::fixtures::scratch().join("forged.trace");
    const FORGED: &str = "x\n99\t--\t0\tforged";
    // A copy, one that is killed, one that executes twice, a thread that executes, several at a time.
    let thread = "import os,threading,time\nthreading.Thread(target=lambda: os.execv('/bin/sh', ['sh', '-c', 'exit 4'])).start()\ntime.sleep(60)";
    let script = format!(
        "(exit 3) & sh -c 'kill -9 $$'; env sh -c 'exec sleep 0'; python3 -c \"{thread}\"; echo a | cat | cat; wait; sh -c : '{FORGED}'; exit 5"
    );
    server.call("rr_record", json!({"command": ["sh", "-c", script], "trace_dir": trace}));
    let processes = server.call("rr_ps", json!({"trace_dir": trace}));
    let list = processes["result"].as_array().unwrap();
    let rr = Command::new(rr().program()).arg("ps").arg(&trace).output().unwrap();
    let spelled = |text: &str| text.replace('\n', "\\n").replace('\t', "\\t");
    let table = String::from_utf8(rr.stdout).unwrap();
    let table = table.replace(&script, &spelled(&script)).replace(thread, &spelled(thread));
    let table = table.replace(FORGED, &spelled(FORGED));
    let rows = list.iter().map(|process| {
        let ppid = process["ppid"].as_u64().map_or("--".to_owned(), |ppid| ppid.to_string());
        let (pid, exit, command) = (&process["pid"], &process["exit_code"], process["cmd"].as_str().unwrap());
        format!("{pid}\t{ppid}\t{exit}\t{command}")
    });
    let expected: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(rows.collect::<Vec<_>>(), expected, "{table}");
    let text = server.text("rr_ps", json!({"trace_dir": trace}));
    assert_eq!(text.lines().filter(|line| line.starts_with("99\t")).count(), 0, "{text}");
}

#[test]
fn a_process_is_named_by_what_it_executed() {
    let trace = recording("fork_exec").trace;
    let server = Server::start();
    let list = server.call("rr_ps", json!({"trace_dir": trace}))["result"].take();
    let pid = |index: usize| list[index]["pid"].to_string();
    // Two have executed it; the command line tells them apart. The copy that only forked has none.
    let said = server.fail("rr_replay_start", json!({"trace_dir": trace, "command": "fork_exec"}));
    let shown =
        |index: usize, status: &str| format!("{} ({}: {status})", pid(index), list[index]["cmd"].as_str().unwrap());
    let all = format!("{}, {}, {}", shown(0, "exit 59"), shown(2, "exit 9"), shown(1, "exit 5"));
    assert!(said.ends_with(&format!("`? several executed `fork_exec`; name one by pid: {all}")), "{said}");
    let command = list[2]["cmd"].clone();
    let begun = server.call("rr_replay_start", json!({"trace_dir": trace, "command": command}));
    assert_eq!((&begun["pid"], &begun["session"]), (&list[2]["pid"], &json!("s1")));
    let said = server.fail("rr_replay_start", json!({"trace_dir": trace, "command": "cc1"}));
    assert!(said.contains("`? none executed `cc1`; there are "), "{said}");
    let said = server.fail("rr_replay_start", json!({"trace_dir": trace, "command": "cc1", "pid": 1}));
    assert_eq!(said, "a process is named by `pid` or by `command`, not by both");
}

#[test]
fn another_process_is_looked_at_in_the_same_moment() {
    let trace = recording("fork_exec").trace;
    let server = Server::start();
    let list = server.call("rr_ps", json!({"trace_dir": trace}))["result"].take();
    server.call("rr_replay_start", json!({"trace_dir": trace, "pid": list[1]["pid"]}));
    let event = server.run_to("in_child")["event"].as_u64().unwrap();
    let parent = server.call("rr_replay_start", json!({"at_session": "s1", "pid": list[0]["pid"]}));
    assert_eq!((&parent["session"], &parent["pid"]), (&json!("s2"), &list[0]["pid"]));
    assert_eq!(parent["trace_dir"], trace.to_str().unwrap());
    // It waits for the child; nothing of it happens at this very event, and the next is the end of its waiting.
    let there = parent["event"].as_u64().unwrap();
    assert!(there >= event, "{parent}");
    let message = format!("Program is paused at event {there}; session s1 is at event {event}.");
    assert_eq!(parent["message"], message);
    let frames = server.call("rr_backtrace", json!({}))["result"].take();
    let main = frames.as_array().unwrap().iter().find(|frame| frame["function"] == "main").unwrap();
    assert_eq!(main["line"].as_u64(), Some(line("fork_exec.c", "parent") - 1), "{frames}");
    // The other session has not moved, and one that has ended has no moment.
    assert_eq!(server.call("rr_when", json!({"session": "s1"}))["event"], event);
    let other = recording("stepping").trace;
    let said = server.fail("rr_replay_start", json!({"at_session": "s1", "trace_dir": other}));
    assert_eq!(said, format!("session s1 replays {}; leave trace_dir out", trace.display()));
    server.call("rr_replay_stop", json!({"session": "s1"}));
    let said = server.fail("rr_replay_start", json!({"at_session": "s1"}));
    assert_eq!(said, "session s1 has ended: it was stopped");
}
