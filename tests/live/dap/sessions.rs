//! The debug adapter: beginning and ending, interrupting, and editors that do not keep to the protocol.

use crate::support::dap::{Editor, framed, message};
use crate::support::fixtures::{line, program, scratch};
use crate::support::processes::{is_reaped, processes_of, rr_of, signal};
use crate::support::recordings::{recording, recording_of, rr};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Much more than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something is so.
#[track_caller]
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        std::thread::yield_now();
    }
}

fn source(file: &str) -> Value {
    json!({"path": format!("{}/dwarf-fixtures/src/{file}", env!("CARGO_MANIFEST_DIR"))})
}

#[test]
fn launch_records_the_program_and_replays_it() {
    let mut editor = Editor::start();
    let trace = scratch().join("launched");
    let arguments = json!({
        "program": program("exit_code"), "args": ["hello"], "env": {"FIXTURE_WORD": "word"}, "cwd": scratch(),
        "trace": trace,
    });
    editor.ask("launch", arguments);
    editor.event("initialized");
    assert_eq!((editor.shown("stdout"), editor.shown("stderr")), ("hello word\n".into(), "to stderr\n".into()));
    assert!(editor.shown("console").contains("exit code 42"));
    let print = line("exit_code.c", "print");
    editor.ask("setBreakpoints", json!({"source": source("exit_code.c"), "breakpoints": [{"line": print}]}));
    let stop = editor.begins();
    assert_eq!(editor.place(&stop), ("main".to_owned(), print));
    let stop = editor.moves("continue", json!({"threadId": stop["threadId"]}));
    assert_eq!(stop["reason"], "end");
    assert_eq!(editor.event("exited")["exitCode"], 42);
    assert!(!editor.has_told("terminated"), "one can go back");
    let stop = editor.moves("restart", json!({}));
    assert_eq!(editor.place(&stop), ("main".to_owned(), print));
    let rr = rr_of(&trace).unwrap();
    editor.ask("terminate", json!({}));
    editor.event("terminated");
    assert!(is_reaped(rr));
    assert!(editor.refused("threads", json!({})).contains("nothing is debugged"));
    editor.leaves();
}

#[test]
fn another_recording_is_debugged_after_the_end_of_one_and_nothing_is_left_of_that() {
    let file = "exit_code.c";
    let trace = recording("exit_code").trace;
    let mut editor = Editor::attached(&trace, json!({"stopOnEntry": true}));
    let lines = json!({"source": source(file), "breakpoints": [{"line": line(file, "print")}]});
    let first = editor.ask("setBreakpoints", lines.clone());
    editor.begins();
    let targets = editor.ask("gotoTargets", json!({"source": source(file), "line": line(file, "print")}));
    let target = targets["targets"][1]["id"].clone();
    assert_eq!(editor.moves("goto", json!({"threadId": 1, "targetId": target}))["reason"], "goto");
    editor.ask("setBreakpoints", json!({"source": source(file), "breakpoints": []}));
    assert_eq!(editor.moves("continue", json!({"threadId": 1}))["reason"], "end");
    editor.event("exited");
    editor.ask("setBreakpoints", lines.clone());
    editor.ask("terminate", json!({}));
    editor.event("terminated");
    editor.ask("attach", json!({"trace": trace, "replayOutput": false}));
    editor.event("initialized");
    assert!(editor.refused("goto", json!({"threadId": 1, "targetId": target})).contains("not a goto target"));
    // The same is wanted once more, and is set in the new replay.
    assert_eq!(editor.ask("setBreakpoints", lines)["breakpoints"][0]["line"], first["breakpoints"][0]["line"]);
    let stop = editor.begins();
    assert_eq!(editor.place(&stop), ("main".to_owned(), line(file, "print")));
    assert_eq!(editor.moves("continue", json!({"threadId": 1}))["reason"], "end");
    assert_eq!(editor.event("exited")["exitCode"], 42);
    editor.leaves();
}

#[test]
fn what_cannot_be_opened_is_refused_and_another_can_be() {
    let mut editor = Editor::start();
    let refused = editor.refused("attach", json!({"trace": "/nowhere"}));
    assert!(refused.contains("/nowhere"), "{refused}");
    assert!(editor.refused("launch", json!({"program": "/nowhere/prog"})).contains("/nowhere/prog"));
    assert!(editor.refused("launch", json!({"program": "true", "env": {"A": null}})).contains('A'));
    assert!(editor.refused("attach", json!({"startAt": "soon"})).contains("startAt"));
    assert!(editor.refused("stackTrace", json!({"threadId": 1})).contains("nothing is debugged"));
    let trace = recording("exit_code").trace;
    editor.ask("attach", json!({"trace": trace, "stopOnEntry": true}));
    editor.event("initialized");
    assert!(editor.refused("attach", json!({"trace": trace})).contains("already"));
    assert_eq!(editor.begins()["reason"], "entry");
    editor.leaves();
}

#[test]
fn a_session_can_begin_at_the_end_and_at_a_position() {
    let trace = recording("corrupt_table").trace;
    let mut editor = Editor::attached(&trace, json!({"startAt": "end"}));
    assert_eq!(editor.begins()["reason"], "end");
    let crash = editor.moves("reverseContinue", json!({"threadId": 1}));
    let position = editor.ask("retrograde/position", json!({}))["position"].clone();
    editor.leaves();
    let mut editor = Editor::attached(&trace, json!({"startAt": position}));
    let there = editor.begins();
    // What happens there is what a run stops for.
    assert_eq!([&crash["reason"], &there["reason"]], ["exception"; 2]);
    assert_eq!((&there["text"], &there["threadId"]), (&crash["text"], &crash["threadId"]));
    assert_eq!(editor.place(&there).0, "corrected");
    editor.leaves();
}

#[test]
fn what_the_program_prints_is_told_once_as_the_replay_comes_past_it() {
    let file = "exit_code.c";
    let mut editor = Editor::attached(&recording("exit_code").trace, json!({"replayOutput": true}));
    let lines = json!([{"line": line(file, "print")}, {"line": line(file, "return")}]);
    editor.ask("setBreakpoints", json!({"source": source(file), "breakpoints": lines}));
    let stop = editor.begins();
    assert_eq!((editor.place(&stop).1, editor.has_told("output")), (line(file, "print"), false));
    let thread = json!({"threadId": stop["threadId"]});
    editor.moves("continue", thread.clone());
    for (category, text) in [("stdout", "- -\n"), ("stderr", "to stderr\n")] {
        let output = editor.event("output");
        assert_eq!((&output["category"], &output["output"]), (&json!(category), &json!(text)));
    }
    editor.moves("reverseContinue", thread.clone());
    editor.moves("continue", thread);
    assert!(!editor.has_told("output"), "not again");
    editor.leaves();
}

/// An editor whose replay goes through a condition that never holds, and that rr cannot evaluate itself: for minutes, if
/// nobody ends that.
fn running() -> (Editor, i64) {
    let mut editor = Editor::attached(&recording("long_run").trace, json!({}));
    let body = json!({"breakpoints": [{"name": "turn", "condition": "n == -1.5"}]});
    editor.ask("setFunctionBreakpoints", body);
    let run = editor.send("configurationDone", json!({}));
    assert_eq!(editor.response(run)["success"], true);
    (editor, run)
}

#[test]
fn a_run_is_paused_and_nothing_looks_at_it_meanwhile() {
    let (mut editor, _) = running();
    let why = editor.refused("stackTrace", json!({"threadId": 1}));
    assert!(why.contains("moving"), "{why}");
    assert_eq!(editor.ask("threads", json!({})), json!({"threads": []}));
    editor.ask("pause", json!({"threadId": 1}));
    let stop = editor.event("stopped");
    assert_eq!(stop["reason"], "pause", "{stop}");
    assert!(!editor.stack(&stop).is_empty());
    // What is paused already says so.
    assert_eq!(editor.moves("pause", json!({"threadId": 1}))["threadId"], stop["threadId"]);
    // A request is cancelled by its number.
    let run = editor.send("continue", json!({"threadId": stop["threadId"]}));
    assert_eq!(editor.response(run)["success"], true);
    editor.ask("cancel", json!({"requestId": run}));
    assert_eq!(editor.event("stopped")["reason"], "pause");
    // To begin again ends a run.
    let run = editor.send("continue", json!({"threadId": stop["threadId"]}));
    assert_eq!(editor.response(run)["success"], true);
    editor.ask("restart", json!({}));
    assert_eq!(editor.event("stopped")["reason"], "pause");
    assert!(editor.refused("stackTrace", json!({"threadId": 1})).contains("moving"));
    editor.ask("pause", json!({"threadId": 1}));
    editor.event("stopped");
    editor.leaves();
}

#[test]
fn breakpoints_that_change_during_a_run_are_set_at_once_and_it_goes_on() {
    let (mut editor, _) = running();
    let body = json!({"source": source("long_run.c"), "breakpoints": [{"line": line("long_run.c", "return")}]});
    let set = editor.ask("setBreakpoints", body);
    assert_eq!(set["breakpoints"][0]["verified"], true);
    editor.ask("setFunctionBreakpoints", json!({"breakpoints": []}));
    let stop = editor.event("stopped");
    assert_eq!((&stop["reason"], editor.place(&stop).1), (&json!("breakpoint"), line("long_run.c", "return")));
    editor.leaves();
}

#[test]
fn an_rr_that_does_nothing_any_more_is_not_waited_for() {
    let trace = crate::support::recordings::fresh_recording("stepping", &[]).trace;
    let mut editor = Editor::attached(&trace, json!({}));
    let threads = editor.ask("threads", json!({}));
    let pid = rr_of(&trace).unwrap();
    signal(pid, libc::SIGSTOP);
    let run = editor.send("configurationDone", json!({}));
    assert_eq!(editor.response(run)["success"], true);
    assert!(editor.refused("scopes", json!({"frameId": 1})).contains("moving"));
    assert_eq!(editor.ask("threads", json!({})), threads);
    let begun = Instant::now();
    editor.leaves();
    assert!(begun.elapsed() < PATIENCE && is_reaped(pid), "{:?}", begun.elapsed());
}

#[test]
fn nothing_is_left_when_the_editor_leaves_or_is_gone() {
    let trace = crate::support::recordings::fresh_recording("spin", &[]).trace;
    let begin = || {
        let mut editor = Editor::attached(&trace, json!({"replayOutput": true}));
        let body = json!({"breakpoints": [{"name": "turn", "condition": "n == -1.5"}]});
        editor.ask("setFunctionBreakpoints", body);
        let run = editor.send("configurationDone", json!({}));
        editor.response(run);
        (editor, rr_of(&trace).unwrap())
    };
    // In the middle of a run.
    let (editor, rr) = begin();
    editor.leaves();
    assert!(is_reaped(rr));
    let (mut editor, rr) = begin();
    editor.hangs_up();
    assert!(editor.child.wait().unwrap().success());
    assert!(is_reaped(rr));
    // While it records what does not end by itself.
    let mut editor = Editor::start();
    let endless = scratch().join("endless");
    editor.send("launch", json!({"program": "sleep", "args": ["1000"], "trace": endless}));
    eventually("the recording has begun", || endless.join("incomplete").exists());
    editor.leaves();
    assert_eq!(processes_of(&endless), []);
    // Even if it is killed.
    let (mut editor, _) = begin();
    editor.child.kill().unwrap();
    eventually("rr ends with it", || processes_of(&trace).is_empty());
}

#[test]
fn a_recording_that_is_interrupted_is_debugged_as_far_as_it_goes() {
    let mut editor = Editor::start();
    let trace = scratch().join("interrupted");
    let arguments = ["-c", "echo up; while :; do :; done"];
    let launch =
        editor.send("launch", json!({"program": "sh", "args": arguments, "trace": trace, "stopOnEntry": true}));
    assert_eq!(editor.event("output"), json!({"category": "stdout", "output": "up\n"}));
    // Whoever has a progress shown can cancel it.
    let progress = editor.event("progressStart");
    assert!(progress["title"].as_str().unwrap().starts_with("Recording"), "{progress}");
    editor.ask("cancel", json!({"progressId": progress["progressId"]}));
    assert_eq!(editor.response(launch)["success"], true);
    editor.event("progressEnd");
    assert_eq!(editor.begins()["reason"], "entry");
    let end = editor.moves("continue", json!({"threadId": 1}));
    assert!(end["reason"] == "exception" || end["reason"] == "end", "{end}");
    editor.leaves();
}

#[test]
fn what_is_no_request_is_answered_and_the_session_goes_on() {
    let mut editor = Editor::silent();
    let mut complaint = |bytes: &[u8]| {
        editor.raw(bytes);
        let response = editor.response(0);
        assert_eq!(response["success"], false, "{response}");
        response["body"]["error"]["format"].as_str().unwrap().to_owned()
    };
    assert!(complaint(b"Content-Type: text\r\n\r\n").contains("Content-Length"));
    assert!(complaint(b"Content-Length: many\r\n\r\n").contains("many"));
    assert!(complaint(b"Content-Length: 3\r\n\r\n{]}").contains("JSON"));
    assert!(complaint(&framed(&json!({"type": "event"}))).contains("type"));
    let long = [b"Content-Length: 2000000\r\n\r\n".to_vec(), vec![b' '; 2_000_000]].concat();
    assert!(complaint(&long).contains("2000000"));
    editor.ask("initialize", json!({"adapterID": "x", "linesStartAt1": false}));
    assert!(editor.refused("fly", json!({})).contains("fly"));
    assert!(editor.refused("variables", json!({"variablesReference": "x"})).contains("variables"));
    assert!(editor.refused("scopes", json!({})).contains("frameId"));
    assert!(editor.refused("next", json!({})).contains("nothing is debugged"));
    let trace = recording("spin").trace;
    editor.ask("attach", json!({"trace": trace}));
    for (command, arguments) in [
        ("stackTrace", json!({"threadId": 4_000_000_000u32})),
        ("scopes", json!({"frameId": 99})),
        ("goto", json!({"threadId": 1, "targetId": 3})),
        ("disassemble", json!({"memoryReference": "here", "instructionCount": 1})),
        ("disassemble", json!({"memoryReference": "0x0", "instructionCount": 4_000_000_000u32})),
        ("exceptionInfo", json!({"threadId": 1})),
        ("gotoTargets", json!({"source": source("spin.c"), "line": 4_000_000_000u32})),
        ("dataBreakpointInfo", json!({"name": "nosuch"})),
    ] {
        assert!(!editor.refused(command, arguments).is_empty());
    }
    // This editor counts lines from 0.
    let turn = line("spin.c", "turn") - 1;
    let body = json!({"source": source("spin.c"), "breakpoints": [{"line": turn}]});
    let set = editor.ask("setBreakpoints", body);
    assert_eq!(set["breakpoints"][0]["line"], turn);
    let stop = editor.begins();
    assert_eq!(editor.place(&stop).1, turn);
    editor.leaves();
}

/// An adapter on a port, and a connection to it.
fn on_a_port() -> (Child, TcpStream) {
    let mut adapter = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .args(["dap", "--port", "0"])
        .env("RETROGRADE_RR", rr().program())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    BufReader::new(adapter.stdout.take().unwrap()).read_line(&mut told).unwrap();
    let address = told.trim().rsplit(' ').next().unwrap();
    let stream = TcpStream::connect(address).unwrap();
    (adapter, stream)
}

#[test]
fn an_editor_can_connect_to_a_port() {
    let (mut adapter, mut stream) = on_a_port();
    let mut input = BufReader::new(stream.try_clone().unwrap());
    for (seq, command) in [(1, "initialize"), (2, "disconnect")] {
        stream.write_all(&framed(&json!({"seq": seq, "type": "request", "command": command}))).unwrap();
        let response = message(&mut input).unwrap();
        assert_eq!((&response["request_seq"], &response["success"]), (&json!(seq), &json!(true)), "{response}");
    }
    assert_eq!(message(&mut input), None);
    assert!(adapter.wait().unwrap().success());
}

#[test]
fn a_web_page_runs_nothing_by_a_port() {
    let (mut adapter, mut stream) = on_a_port();
    let made = scratch().join("made_by_a_web_page");
    let launch = json!({"program": "touch", "args": [made], "noDebug": true});
    let body = framed(&json!({"seq": 1, "type": "request", "command": "launch", "arguments": launch}));
    let head = format!("POST / HTTP/1.1\r\nOrigin: http://x\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(&[head.into_bytes(), body].concat()).unwrap();
    // It ends by itself, though the page goes on listening.
    assert!(adapter.wait().unwrap().success());
    assert!(!made.exists());
}

#[test]
fn another_process_of_the_recording_is_debugged_by_its_number() {
    let trace = recording_of("fork_exec", &[]).trace;
    let processes = rr::processes(&trace).unwrap();
    let last = processes.last().unwrap().pid;
    let mut editor = Editor::attached(&trace, json!({"pid": last, "stopOnEntry": true}));
    let stop = editor.begins();
    assert_eq!(stop["threadId"], last);
    editor.leaves();
}
