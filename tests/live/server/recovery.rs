//! What becomes of a session whose rr dies: it goes on in a new replay, where it was, or ends with a clear reason.

use crate::server::wire::Wire;
use crate::support::fixtures::{line, program, scratch};
use crate::support::mcp::Server;
use crate::support::processes::{rr_of, signal};
use crate::support::recordings::{fresh_recording, recording};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

const KILLED: &str =
    "rr had to be started again (SIGKILL): the session continues in a new replay, at the same position";

/// Kills the rr of a replay if it lives, and waits until it is dead.
fn kill(trace: &Path) {
    let Some(pid) = rr_of(trace) else { return };
    signal(pid, libc::SIGKILL);
    let begin = Instant::now();
    let is_dead = || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z'))
    };
    while !is_dead() {
        assert!(begin.elapsed() < Duration::from_secs(120), "rr lives on");
    }
}

/// Takes the notes off an answer.
fn notes(answer: &mut Value) -> Vec<String> {
    let notes = answer.as_object_mut().unwrap().remove("notes").unwrap_or(json!([]));
    serde_json::from_value(notes).unwrap()
}

#[test]
fn a_session_at_a_signal_goes_on_there_with_its_checkpoints() {
    let trace = fresh_recording("crash", &[]).trace;
    let server = Server::start();
    server.replay(&trace);
    let crash = server.call("rr_continue", json!({}));
    assert_eq!((&crash["reason"], &crash["signal_name"]), (&json!("signal-received"), &json!("SIGSEGV")));
    assert_eq!(server.call("rr_checkpoint_save", json!({}))["id"], 1);
    let registers = server.call("rr_registers", json!({}));
    let when = server.call("rr_when", json!({}));
    kill(&trace);
    let mut answer = server.call("rr_when", json!({}));
    assert_eq!(notes(&mut answer), [KILLED]);
    assert_eq!(answer, when);
    assert_eq!(server.call("rr_registers", json!({})), registers);
    server.call("rr_step", json!({"reverse": true}));
    let restored = server.call("rr_checkpoint_restore", json!({"checkpoint_id": 1}));
    assert_eq!((&restored["event"], &restored["pc"]), (&crash["event"], &crash["pc"]));
}

#[test]
fn a_session_goes_on_where_it_was_when_its_rr_is_killed() {
    let script = [
        ("rr_breakpoint_set", json!({"location": "twice"})),
        ("rr_continue", json!({})),
        ("rr_next", json!({"count": 2})),
        ("rr_checkpoint_save", json!({})),
        ("rr_watchpoint_set", json!({"expression": "total"})),
        ("rr_breakpoint_set", json!({"location": "add", "temporary": true})),
        ("rr_continue", json!({})),
        ("rr_continue", json!({})),
        ("rr_select_frame", json!({"frame_level": 1})),
        ("rr_locals", json!({})),
        ("rr_registers", json!({})),
        ("rr_select_frame", json!({"frame_level": 0})),
        ("rr_finish", json!({})),
        ("rr_step", json!({"instruction": true, "count": 3})),
        ("rr_when", json!({})),
        ("rr_continue", json!({})),
        ("rr_continue", json!({"reverse": true})),
        ("rr_continue", json!({"reverse": true})),
        ("rr_breakpoint_list", json!({})),
        ("rr_checkpoint_restore", json!({"checkpoint_id": 1})),
        ("rr_step", json!({"reverse": true})),
        ("rr_breakpoint_remove", json!({"breakpoint_number": 1})),
        ("rr_breakpoint_remove", json!({"breakpoint_number": 2})),
        ("rr_continue", json!({})),
        ("rr_backtrace", json!({})),
        ("rr_continue", json!({"reverse": true})),
    ];
    let trace = fresh_recording("stepping", &[]).trace;
    let server = Server::start();
    server.replay(&trace);
    let undisturbed: Vec<Value> = script.iter().map(|(tool, arguments)| server.call(tool, arguments.clone())).collect();
    server.call("rr_replay_stop", json!({}));
    server.replay(&trace);
    for ((tool, arguments), mut expected) in script.iter().zip(undisturbed) {
        kill(&trace);
        let mut answer = server.call(tool, arguments.clone());
        // What it knows without asking rr is answered without its having noticed.
        let [mut said, said_before] = [&mut answer, &mut expected].map(notes);
        if said.last().is_some_and(|last| last == KILLED) {
            said.pop();
        } else {
            // Stacks are read at each stop, for its position.
            let known = [
                "rr_backtrace",
                "rr_breakpoint_list",
                "rr_breakpoint_remove",
                "rr_select_frame",
                "rr_locals",
                "rr_registers",
            ];
            assert!(known.contains(tool), "{tool}: {said:?}");
        }
        assert_eq!((&answer, said), (&expected, said_before), "{tool} {arguments}");
    }
    assert!(rr_of(&trace).is_some());
}

#[test]
fn an_rr_that_dies_in_the_middle_of_a_run_is_replaced_and_the_run_is_done_again() {
    let trace = fresh_recording("spin", &[]).trace;
    let (mut wire, pid) = Wire::replaying(&trace, &[]);
    wire.call("rr_breakpoint_set", json!({"location": "turn", "temporary": true}));
    wire.call("rr_continue", json!({}));
    wire.call("rr_breakpoint_set", json!({"location": "turn", "condition": "n == -1.5"}));
    // Stopped first, so that the run cannot be over before its rr is dead.
    signal(pid, libc::SIGSTOP);
    let running = wire.start("rr_next", json!({}));
    wire.until_running("rr_next");
    signal(pid, libc::SIGKILL);
    let stop = wire.finish(running)["structuredContent"].take();
    let turned = line("spin.c", "turn") + 1;
    assert_eq!((&stop["reason"], stop["line"].as_u64()), (&json!("end-stepping-range"), Some(turned)), "{stop}");
    assert_eq!(stop["notes"], json!([KILLED]));
}

#[test]
fn an_rr_that_does_not_answer_is_replaced() {
    let trace = fresh_recording("stepping", &[]).trace;
    let (mut wire, pid) = Wire::replaying(&trace, &[("RR_MCP_TIMEOUT_EVAL", "1")]);
    signal(pid, libc::SIGSTOP);
    let threads = wire.call("rr_thread_list", json!({}));
    assert_eq!(threads["structuredContent"]["result"].as_array().unwrap().len(), 1, "{threads}");
    let said = threads["structuredContent"]["notes"][0].as_str().unwrap();
    assert!(said.starts_with("rr had to be started again (rr did not answer `"), "{said}");
    assert!(said.ends_with("within 1s): the session continues in a new replay, at the same position"), "{said}");
    assert!(rr_of(&trace).is_some_and(|new| new != pid));
}

#[test]
fn without_its_recording_a_session_ends_with_the_reason() {
    let doomed = fresh_recording("exit_code", &[]);
    let server = Server::start();
    let other = server.replay(&recording("stepping").trace)["session"].clone();
    server.replay(&doomed.trace);
    kill(&doomed.trace);
    std::fs::remove_dir_all(&doomed.trace).unwrap();
    let said = server.fail("rr_continue", json!({}));
    let path = doomed.trace.display();
    let reason = format!("its recording `{path}` was removed while it was replayed; open another one, or record again");
    assert_eq!(said, format!("the replay has ended: {reason}"));
    assert!(server.call("rr_when", json!({"session": other}))["event"].is_u64());
    let begin = Instant::now();
    while server.call("rr_session_list", json!({}))["result"].as_array().unwrap().len() > 1 {
        assert!(begin.elapsed() < Duration::from_secs(120), "it is still open");
    }
    let late = server.fail("rr_when", json!({"session": "s2"}));
    assert_eq!(late, format!("session s2 has ended: {reason}; open sessions: s1"));
    // It is not the one that is meant any more, but the one that was named since.
    assert!(server.call("rr_when", json!({}))["event"].is_u64());
}

#[test]
fn what_ends_rr_each_time_is_given_up_and_the_session_is_where_it_was() {
    let trace = fresh_recording("dlopen", &[program("libplugin.so").to_str().unwrap()]).trace;
    // What rr needs only where the program loads its plug-in.
    let copies = std::fs::read_dir(&trace).unwrap().flatten().map(|entry| entry.path());
    let copies: Vec<_> = copies.filter(|path| path.to_str().unwrap().contains("libplugin")).collect();
    assert!(!copies.is_empty());
    copies.iter().for_each(|copy| std::fs::remove_file(copy).unwrap());
    let server = Server::start();
    server.replay(&trace);
    server.run_to("main");
    let when = server.call("rr_when", json!({}));
    let said = server.fail("rr_continue", json!({}));
    // Which assertion of rr fails depends on whether it had linked the file into the trace or copied it.
    assert!(said.starts_with("rr had to be started again (twice: ") && said.contains(": [FATAL src/"), "{said}");
    assert!(said.ends_with("at the same position as before. The request was not carried out"), "{said}");
    assert_eq!(server.call("rr_when", json!({})), when);
    assert_eq!(server.call("rr_next", json!({}))["reason"], "end-stepping-range");
}

#[test]
fn a_trace_that_is_damaged_during_its_replay_is_one_clear_error() {
    for file in ["events", "data", "mmaps"] {
        let trace = fresh_recording("spin", &[]).trace;
        let server = Server::start();
        let other = server.replay(&recording("stepping").trace)["session"].clone();
        server.replay(&trace);
        server.run_to("main");
        // rr makes them read-only, which root does not notice.
        let path = trace.join(file);
        let length = std::fs::metadata(&path).unwrap().len();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length / 2).unwrap();
        let begin = Instant::now();
        // What rr has read already it does not read again; a new one does.
        let first = server.attempt("rr_continue", json!({"session": "s2"}));
        kill(&trace);
        let later = server.attempt("rr_continue", json!({"session": "s2", "reverse": true}));
        assert!(begin.elapsed() < Duration::from_secs(120), "{file}: {:?}", begin.elapsed());
        let said = first.err().or(later.err()).unwrap_or_else(|| panic!("{file}: it was not noticed"));
        let begins = "the replay has ended: SIGKILL; and a new replay could not take its place: ";
        let divergence = "the recording can be replayed up to event";
        let known = ["damaged recording", "[FATAL ", "terminate called", "rr had to be started again", divergence];
        assert!(said.starts_with(begins) || known.iter().any(|words| said.starts_with(words)), "{file}: {said}");
        assert!(known.iter().any(|words| said.contains(words)), "{file}: {said}");
        assert!(server.call("rr_when", json!({"session": other}))["event"].is_u64());
    }
}

#[test]
fn files_that_a_killed_rr_left_stop_no_other() {
    let directory = scratch().join("left.by.killed");
    std::fs::create_dir_all(&directory).unwrap();
    // Whatever process number comes next, a killed rr had it.
    let left: Vec<_> = (1..=3000)
        .flat_map(|next| (0..2).map(move |number| (std::process::id() + next, number)))
        .map(|(pid, number)| directory.join(format!("rr-shared-preload_thread_locals-{pid}-{number}")))
        .collect();
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
    for path in &left {
        std::fs::File::create(path).unwrap().set_modified(long_ago).unwrap();
    }
    let server = Server::start_with(&[("RR_TMPDIR", directory.to_str().unwrap())]);
    let recorded = server.call("rr_record", json!({"command": ["true"]}));
    assert_eq!((&recorded["exit_code"], &recorded["stderr"]), (&json!(0), &json!("")), "{recorded}");
    server.replay(Path::new(recorded["trace_dir"].as_str().unwrap()));
    assert!(left.iter().all(|path| !path.exists()));
}
