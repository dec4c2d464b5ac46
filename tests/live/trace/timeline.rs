//! What happened in a recording, as its trace says, against what rr itself says of it.

use crate::support::fixtures::{program, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{record_with, recording, rr};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

/// An event as `rr dump` shows it.
struct Dumped {
    event: u64,
    what: String,
    tid: u64,
    ticks: u64,
    rax: u64,
}

fn dump(trace: &Path) -> Vec<Dumped> {
    let output = Command::new(rr().program()).arg("dump").arg(trace).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let between = |text: &str, from: &str, to: &str| {
        let rest = &text[text.find(from).unwrap_or_else(|| panic!("{from} in {text}")) + from.len()..];
        rest[..rest.find(to).unwrap_or(rest.len())].to_owned()
    };
    let frames = text.split("\n{\n").filter(|frame| frame.contains("global_time:"));
    frames
        .map(|frame| Dumped {
            event: between(frame, "global_time:", ",").parse().unwrap(),
            what: between(frame, "event:`", " tid:"),
            tid: between(frame, " tid:", ",").parse().unwrap(),
            ticks: between(frame, "ticks:", "\n").parse().unwrap(),
            rax: match frame.contains("rax:0x") {
                true => u64::from_str_radix(&between(frame, "rax:0x", " "), 16).unwrap(),
                false => 0,
            },
        })
        .collect()
}

fn rows(server: &Server, arguments: Value) -> Vec<Value> {
    server.call("rr_timeline", arguments)["rows"].as_array().unwrap().clone()
}

#[test]
fn each_system_call_signal_and_time_slice_is_told_as_rr_recorded_it() {
    let server = Server::start();
    let trace = recording("signal_handler").trace;
    let dumped = dump(&trace);
    let started = dumped.iter().position(|frame| frame.what.contains("execve' (state:EXITING")).unwrap();
    let of = |mark: &str| {
        let frames = dumped[started + 1..].iter().filter(|frame| frame.what.contains(mark));
        frames.map(|frame| (frame.event, frame.tid, frame.ticks)).collect::<Vec<_>>()
    };
    let ask = |kind: &str| rows(&server, json!({"trace_dir": trace, "kinds": [kind], "limit": 1000}));
    let place =
        |row: &Value| (row["event"].as_u64().unwrap(), row["tid"].as_u64().unwrap(), row["ticks"].as_u64().unwrap());
    let calls = ask("syscall");
    let returned: Vec<_> =
        calls.iter().filter(|row| !row["what"].as_str().unwrap().ends_with("does not return")).map(place).collect();
    assert_eq!(returned, of("EXITING_SYSCALL"));
    assert!(returned.len() > 20, "{}", returned.len());
    assert_eq!(ask("schedule").iter().map(place).collect::<Vec<_>>(), of("SCHED"));
    assert_eq!(ask("signal").iter().map(place).collect::<Vec<_>>(), of("SIGNAL: "));
    // Names and results, too.
    for row in calls.iter().filter(|row| row["begun"] != Value::Null) {
        let frame = dumped.iter().find(|frame| frame.event == row["event"].as_u64().unwrap()).unwrap();
        let what = row["what"].as_str().unwrap();
        let name = &what[..what.find('(').unwrap()];
        if let Some(rest) = frame.what.strip_prefix("SYSCALL: ") {
            assert!(rest.starts_with(&format!("{name}'")), "{name}: {}", frame.what);
        }
        let result = frame.rax as i64;
        let said = match what.rsplit_once(" = ") {
            Some((_, number)) if number.starts_with("0x") => i64::from_str_radix(&number[2..], 16).unwrap(),
            Some((_, number)) if !number.starts_with('-') => number.parse().unwrap(),
            Some(_) => {
                assert!((-4095..0).contains(&result), "{what}");
                continue;
            }
            None => continue,
        };
        assert_eq!(said, result, "{what}");
    }
    let signals: Vec<_> = ask("signal").iter().map(|row| row["what"].as_str().unwrap().to_owned()).collect();
    let me = ask("signal")[0]["pid"].as_u64().unwrap();
    assert_eq!(signals, [format!("SIGCHLD from {me}, to a handler"), format!("SIGUSR1 from {me}, to a handler")],);
}

#[test]
fn processes_are_those_that_rr_lists_and_rows_can_be_gone_to() {
    let server = replaying("fork_exec");
    let timeline = server.call("rr_timeline", json!({}));
    let rows = timeline["rows"].as_array().unwrap();
    assert_eq!((timeline["processes"].as_u64(), timeline["threads"].as_u64()), (Some(3), Some(0)));
    let listed = server.call("rr_ps", json!({"trace_dir": recording("fork_exec").trace}));
    let ended: HashMap<u64, String> = rows
        .iter()
        .filter_map(|row| {
            Some((row["pid"].as_u64().unwrap(), row["what"].as_str()?.strip_prefix("ends: ")?.to_owned()))
        })
        .collect();
    for process in listed["result"].as_array().unwrap() {
        let pid = process["pid"].as_u64().unwrap();
        assert_eq!(ended[&pid], format!("exit {}", process["exit_code"]));
    }
    // fork, fork, exec, and the end of each; a child's end is a signal for its parent.
    let words: Vec<&str> =
        rows.iter().map(|row| row["what"].as_str().unwrap().split([' ', ':']).next().unwrap()).collect();
    let program = program("fork_exec");
    assert_eq!(words, ["executes", "makes", "ends", "SIGCHLD", "makes", "executes", "ends", "SIGCHLD", "ends"]);
    assert_eq!(rows[5]["what"], format!("executes {0}: {0} 9", program.display()));
    // The session has not moved, and goes where a row says.
    let begin = server.call("rr_when", json!({}))["event"].as_u64().unwrap();
    let made = rows[1]["event"].as_u64().unwrap();
    assert!(begin < made, "{begin} {made}");
    server.call("rr_run_to_event", json!({"event_number": made}));
    assert_eq!(server.call("rr_when", json!({}))["event"], made);
}

#[test]
fn rows_are_chosen_and_paged() {
    let server = replaying("fork_exec");
    let all = rows(&server, json!({"kinds": ["process", "signal", "syscall", "schedule"], "limit": 1000}));
    let mut paged = Vec::new();
    loop {
        let page = server.call(
            "rr_timeline",
            json!({"kinds": ["process", "signal", "syscall", "schedule"], "limit": 7, "offset": paged.len()}),
        );
        paged.extend(page["rows"].as_array().unwrap().clone());
        assert_eq!(page["matching"].as_u64(), Some(all.len() as u64));
        match page["next_offset"].as_u64() {
            Some(next) => assert_eq!(next, paged.len() as u64),
            None => break,
        }
    }
    assert_eq!(paged, all);
    let middle = all[all.len() / 2]["event"].as_u64().unwrap();
    let child = all.iter().find(|row| row["what"].as_str().unwrap().starts_with("makes process")).unwrap();
    let child: u64 = child["what"].as_str().unwrap().rsplit_once(' ').unwrap().1.parse().unwrap();
    for (chosen, holds) in [
        (json!({"from": middle}), (&|row: &Value| row["event"].as_u64() >= Some(middle)) as &dyn Fn(&Value) -> bool),
        (json!({"to": middle}), &|row: &Value| row["event"].as_u64() <= Some(middle)),
        (json!({"pid": child}), &|row: &Value| row["pid"] == child),
        (json!({"tid": child}), &|row: &Value| row["tid"] == child),
    ] {
        let mut arguments = json!({"kinds": ["process", "signal", "syscall", "schedule"], "limit": 1000});
        arguments.as_object_mut().unwrap().extend(chosen.as_object().unwrap().clone());
        let expected: Vec<_> = all.iter().filter(|row| holds(row)).cloned().collect();
        assert!(!expected.is_empty() && expected.len() < all.len());
        assert_eq!(rows(&server, arguments), expected, "{chosen}");
    }
    let is_call = |row: &&Value, name: &str| row["what"].as_str().unwrap().starts_with(&format!("{name}("));
    let waits: Vec<_> = all.iter().filter(|row| is_call(row, "wait4")).cloned().collect();
    assert_eq!(waits.len(), 2);
    assert_eq!(rows(&server, json!({"calls": ["wait4"]})), waits);
    assert!(
        rows(&server, json!({"failed": true, "limit": 1000}))
            .iter()
            .all(|row| row["what"].as_str().unwrap().contains(" = -1 E"))
    );
    let error = server.fail("rr_timeline", json!({"trace_dir": "/nonexistent/trace"}));
    assert!(error.contains("no such trace"), "{error}");
}

/// What a system call has returned, as it is told.
fn result(what: &str) -> Option<&str> {
    what.split_once(" = ")?.1.split(';').next()
}

#[test]
fn calls_that_the_buffer_answered_are_told_as_well() {
    let arguments = ["if=/dev/zero", "of=/dev/null", "bs=3", "count=1000", "status=none"];
    let buffer = [("RETROGRADE_SOFT_BUFFER", "1")];
    let recorded = record_with(&[], &buffer, Path::new("/bin/dd"), &arguments, scratch());
    let server = Server::start();
    let of_three_bytes = |name: &str| {
        let (mut offset, mut count) = (Some(0), 0);
        while let Some(from) = offset {
            let arguments = json!({"trace_dir": recorded.trace, "calls": [name], "limit": 1000, "offset": from});
            let page = server.call("rr_timeline", arguments);
            assert_eq!(page["incomplete"], Value::Null);
            let results = page["rows"].as_array().unwrap().iter().map(|row| row["what"].as_str().unwrap());
            count += results.filter(|what| result(what) == Some("3")).count();
            offset = page["next_offset"].as_u64();
        }
        count
    };
    assert_eq!((of_three_bytes("write"), of_three_bytes("read")), (1000, 1000));
}

#[test]
fn a_program_may_be_given_more_than_a_mib_of_arguments() {
    let long = "x".repeat(100_000);
    let trace = record_with(&[], &[], &program("exit_code"), &vec![long.as_str(); 13], scratch()).trace;
    let server = Server::start();
    let timeline = server.call("rr_timeline", json!({"trace_dir": trace}));
    let first = timeline["rows"][0]["what"].as_str().unwrap();
    assert!(first.starts_with(&format!("executes {}", program("exit_code").display())), "{first:.300}");
    assert!(first.len() < 10_000, "{}", first.len());
    assert_eq!(server.call("rr_ps", json!({"trace_dir": trace}))["result"].as_array().unwrap().len(), 1);
    server.replay(&trace);
    server.run_to("main");
    assert_eq!(server.evaluate("argc"), "14");
}
