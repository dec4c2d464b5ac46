//! Sessions that are busy, and rr processes that do nothing any more: what is asked of them meanwhile, and how they
//! end.

use crate::server::stdio::Server;
use crate::server::wire::Wire;
use crate::support::fixtures::scratch;
use crate::support::processes::{is_reaped, rr_of, signal};
use crate::support::recordings::{fresh_recording, recording, rr};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A tenth of a second to some seconds, and much room for a busy machine. What it is held against takes for ever, or
/// some hundred times as long.
const PROMPT: Duration = Duration::from_secs(20);

fn words(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

#[test]
fn a_stop_ends_an_rr_that_does_nothing_any_more() {
    let trace = fresh_recording("stepping", &[]).trace;
    let (mut wire, pid) = Wire::replaying(&trace, &[]);
    signal(pid, libc::SIGSTOP);
    let running = wire.start("rr_continue", json!({}));
    wire.until_running("rr_continue");
    let begin = Instant::now();
    let stopped = wire.call("rr_replay_stop", json!({}));
    let took = begin.elapsed();
    assert_eq!(words(&stopped), "Replay session stopped. (s1)");
    assert!(took < PROMPT, "{took:?}");
    assert!(is_reaped(pid), "rr is reaped");
    let ended = wire.finish(running);
    assert_eq!((&ended["isError"], words(&ended)), (&json!(true), "session s1 has ended: it was stopped"));
    assert_eq!(wire.call("rr_session_list", json!({}))["structuredContent"], json!({"result": []}));
}

#[test]
fn a_stop_of_an_idle_session_lets_rr_end_by_itself() {
    let trace = fresh_recording("stepping", &[]).trace;
    let (mut wire, pid) = Wire::replaying(&trace, &[]);
    assert_eq!(words(&wire.call("rr_replay_stop", json!({"session": "s1"}))), "Replay session stopped. (s1)");
    assert!(is_reaped(pid), "rr is reaped");
}

#[test]
fn a_busy_session_answers_in_time_and_does_what_was_sent_together() {
    let trace = fresh_recording("stepping", &[]).trace;
    let (mut wire, pid) = Wire::replaying(&trace, &[]);
    signal(pid, libc::SIGSTOP);
    let running = wire.start("rr_continue", json!({}));
    let along = wire.start("rr_when", json!({}));
    wire.until_running("rr_continue");
    // What is sent along is done, whenever that will be; what is sent later is refused within a second or so.
    loop {
        let listed = wire.call("rr_session_list", json!({}))["structuredContent"]["result"][0].take();
        assert_eq!((&listed["state"], &listed["tool"]), (&json!("running"), &json!("rr_continue")), "{listed}");
        if listed["seconds"].as_f64().unwrap() >= 0.5 {
            break;
        }
    }
    let begin = Instant::now();
    let refused = wire.call("rr_backtrace", json!({}));
    assert!(begin.elapsed() < PROMPT, "{:?}", begin.elapsed());
    assert_eq!(refused["isError"], true);
    let said = words(&refused);
    assert!(said.starts_with("session s1 is busy: rr_continue has been running for "), "{said}");
    assert!(said.contains("rr_interrupt") && said.ends_with("This rr_backtrace was not carried out"), "{said}");
    signal(pid, libc::SIGCONT);
    let end = wire.finish(running);
    assert_eq!(end["structuredContent"]["reason"], "end-of-recording", "{end}");
    let when = wire.finish(along);
    assert_eq!(when["structuredContent"]["event"], end["structuredContent"]["event"], "{when}");
}

#[test]
fn an_interrupt_takes_effect_at_once_and_the_session_goes_on() {
    let (mut wire, _) = Wire::replaying(&recording("spin").trace, &[]);
    // Between its first hit and the end there are thousands, with a condition that never holds and that rr cannot
    // evaluate itself.
    wire.call("rr_breakpoint_set", json!({"location": "turn", "temporary": true}));
    assert_eq!(wire.call("rr_continue", json!({}))["structuredContent"]["reason"], "breakpoint-hit");
    wire.call("rr_breakpoint_set", json!({"location": "turn", "condition": "n == -1.5"}));
    let idle = wire.call("rr_interrupt", json!({}));
    assert_eq!(words(&idle), "session s1: Nothing was running.");
    let running = wire.start("rr_continue", json!({}));
    wire.until_running("rr_continue");
    let begin = Instant::now();
    let interrupted = wire.call("rr_interrupt", json!({"session": "s1"}));
    let took = begin.elapsed();
    assert_eq!(interrupted["structuredContent"]["stopped"], true, "{interrupted}");
    assert_eq!(interrupted["structuredContent"]["tool"], "rr_continue");
    assert!(took < PROMPT, "{took:?}");
    let stop = wire.finish(running);
    assert_eq!(stop["structuredContent"]["reason"], "cancelled", "{stop}");
    let when = wire.call("rr_when", json!({}));
    assert_eq!(when["structuredContent"]["pc"], stop["structuredContent"]["pc"]);
}

/// An rr whose `subcommand` does nothing as long as the file `slow` beside it exists; its process writes its number
/// into the file `asleep`.
pub struct SlowRr {
    pub program: PathBuf,
    pub slow: PathBuf,
    asleep: PathBuf,
}

/// `name`: unlike those of others.
pub fn slow_rr(subcommand: &str, name: &str) -> SlowRr {
    let directory = scratch().join(format!("slow-{name}"));
    std::fs::create_dir_all(&directory).unwrap();
    let [program, slow, asleep] = ["rr", "slow", "asleep"].map(|name| directory.join(name));
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = {subcommand} ] && [ -e '{}' ]; then\n    echo $$ > '{}'\n    exec sleep 1000\nfi\nexec '{}' \"$@\"\n",
        slow.display(),
        asleep.display(),
        rr().program().display()
    );
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(&slow, "").unwrap();
    SlowRr { program, slow, asleep }
}

impl SlowRr {
    /// Waits until it does nothing.
    fn until_asleep(&self) -> i32 {
        let begin = Instant::now();
        loop {
            let said = std::fs::read_to_string(&self.asleep).unwrap_or_default();
            if let Some(pid) = said.strip_suffix('\n') {
                return pid.parse().unwrap();
            }
            assert!(begin.elapsed() < Duration::from_secs(120), "it was not started");
        }
    }
}

#[test]
fn a_start_can_be_given_up_and_uses_no_number() {
    let slow = slow_rr("replay", "start");
    let trace = recording("stepping").trace;
    let mut wire = Wire::open(&slow.program, &[]);
    let starting = wire.start("rr_replay_start", json!({"trace_dir": trace}));
    let pid = slow.until_asleep();
    let listed = wire.call("rr_session_list", json!({}))["structuredContent"]["result"][0].take();
    assert_eq!((&listed["session"], &listed["state"]), (&json!("s1"), &json!("starting")), "{listed}");
    let begin = Instant::now();
    wire.call("rr_replay_stop", json!({}));
    assert!(begin.elapsed() < PROMPT, "{:?}", begin.elapsed());
    assert!(is_reaped(pid));
    let failed = wire.finish(starting);
    assert_eq!((&failed["isError"], words(&failed)), (&json!(true), "the replay has ended: it was stopped"));
    std::fs::remove_file(slow.slow).unwrap();
    let begun = wire.call("rr_replay_start", json!({"trace_dir": trace}));
    assert_eq!(begun["structuredContent"]["session"], "s1", "{begun}");
}

#[test]
fn the_server_ends_with_an_rr_that_does_nothing_any_more() {
    let trace = fresh_recording("stepping", &[]).trace;
    let (mut wire, pid) = Wire::replaying(&trace, &[]);
    signal(pid, libc::SIGSTOP);
    wire.start("rr_continue", json!({}));
    wire.until_running("rr_continue");
    let begin = Instant::now();
    let (status, ..) = wire.server.end();
    assert_eq!(status.code(), Some(0));
    // A second for the last calls, and the end of rr.
    assert!(begin.elapsed() < PROMPT, "{:?}", begin.elapsed());
    assert!(is_reaped(pid), "rr is reaped");
}

#[test]
fn what_a_killed_rr_leaves_is_reaped_where_nobody_else_does() {
    let trace = fresh_recording("stepping", &[]).trace;
    // SAFETY: a plain system call. Orphans come to it as they do to process 1.
    let adopt = || match unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    };
    let server = Server::prepared(adopt, &[("RETROGRADE_RR", rr().program().to_str().unwrap())]);
    let mut wire = Wire::over(server);
    for _ in 0..3 {
        wire.call("rr_replay_start", json!({"trace_dir": trace}));
        wire.call("rr_checkpoint_save", json!({}));
        signal(rr_of(&trace).unwrap(), libc::SIGSTOP);
        wire.start("rr_continue", json!({}));
        wire.until_running("rr_continue");
        assert_eq!(wire.call("rr_replay_stop", json!({}))["isError"], false);
    }
    // Those of the last rr may die after it; whatever ends next takes them along.
    let tasks = format!("/proc/{}/task", wire.server.pid());
    let children = || {
        let lists = std::fs::read_dir(&tasks).unwrap().flatten().map(|thread| thread.path().join("children"));
        lists.map(|list| std::fs::read_to_string(list).unwrap_or_default()).collect::<String>()
    };
    let begin = Instant::now();
    while !children().is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{} are left", children());
        wire.call("rr_traceinfo", json!({"trace_dir": trace}));
    }
}

#[test]
fn a_cancelled_question_ends_the_rr_that_it_waits_for() {
    let slow = slow_rr("traceinfo", "traceinfo");
    let trace = recording("stepping").trace;
    let mut wire = Wire::open(&slow.program, &[]);
    let asking = wire.start("rr_traceinfo", json!({"trace_dir": trace}));
    let pid = slow.until_asleep();
    let params = json!({"requestId": asking, "reason": "test"});
    wire.server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string());
    let begin = Instant::now();
    while !is_reaped(pid) {
        assert!(begin.elapsed() < Duration::from_secs(120), "rr goes on");
    }
    std::fs::remove_file(slow.slow).unwrap();
    let info = wire.call("rr_traceinfo", json!({"trace_dir": trace}));
    assert!(info["structuredContent"]["result"].as_str().unwrap().contains("uuid"), "{info}");
}

#[test]
fn recordings_of_others_are_listed_without_rr() {
    // It would never answer.
    let slow = slow_rr("ps", "ps");
    let base = scratch().join("traces-of-others");
    std::fs::create_dir_all(&base).unwrap();
    let trace = base.join("stepping-0");
    std::fs::rename(fresh_recording("stepping", &[]).trace, &trace).unwrap();
    std::fs::remove_file(trace.join("retrograde")).unwrap();
    let mut wire = Wire::open(&slow.program, &[]);
    let listed = wire.call("rr_list_recordings", json!({"trace_base_dir": base}));
    assert_eq!(listed["structuredContent"]["result"], json!([trace]), "{listed}");
    assert!(slow.slow.exists());
}

#[test]
fn a_long_run_tells_where_it_began_and_ends_at_once_when_it_is_cancelled() {
    let (mut wire, _) = Wire::replaying(&recording("spin").trace, &[]);
    wire.call("rr_breakpoint_set", json!({"location": "turn", "temporary": true}));
    let event = wire.call("rr_continue", json!({}))["structuredContent"]["event"].clone();
    wire.call("rr_breakpoint_set", json!({"location": "turn", "condition": "n == -1.5"}));
    // How many events there are is counted behind everybody's back.
    let begin = Instant::now();
    let events = loop {
        let info = wire.call("rr_session_info", json!({}))["structuredContent"].take();
        if info["events"].is_u64() {
            break info["events"].clone();
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "{info}");
    };
    let id = wire.start_with(json!({"name": "rr_continue", "arguments": {}, "_meta": {"progressToken": "p"}}));
    let progress = wire.server.receive();
    assert_eq!(progress["method"], "notifications/progress", "{progress}");
    let expected = format!("rr_continue: running from event {event} of {events}, 1 s");
    assert_eq!(progress["params"]["message"], expected);
    let params = json!({"requestId": id, "reason": "test"});
    wire.server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string());
    let begin = Instant::now();
    while wire.call("rr_session_list", json!({}))["structuredContent"]["result"][0]["state"] != "stopped" {
        assert!(begin.elapsed() < Duration::from_secs(120), "it runs on");
    }
    assert!(begin.elapsed() < PROMPT, "{:?}", begin.elapsed());
    let info = wire.call("rr_session_info", json!({}))["structuredContent"].take();
    assert_eq!(info["reason"], "cancelled", "{info}");
}
