//! Recordings and movements that nobody waits for.

use crate::server::stdio;
use crate::support::fixtures::{line, program, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{recording, rr};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Asks for a job's status until it is as wanted; the time limit only bounds a failure.
#[track_caller]
fn until(server: &Server, job: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    let begin = Instant::now();
    loop {
        let status = server.call("rr_job_status", json!({"job": job}));
        if wanted(&status) {
            return status;
        }
        assert!(begin.elapsed() < Duration::from_secs(180), "{status}");
    }
}

#[test]
fn a_recording_in_the_background_answers_at_once_and_its_result_is_kept() {
    let server = Server::start();
    let trace = scratch().join("background.trace");
    let begun = server.call(
        "rr_record",
        json!({"command": [program("exit_code"), "word"], "env": {"FIXTURE_WORD": "x"}, "trace_dir": trace, "background": true}),
    );
    assert_eq!(begun, json!({"job": "j1", "trace_dir": null, "exit_code": null, "stdout": "", "stderr": ""}));
    let result = server.call("rr_job_result", json!({"job": "j1", "wait": 60}));
    assert_eq!((&result["state"], &result["tool"]), (&json!("done"), &json!("rr_record")), "{result}");
    assert_eq!(result["about"], format!("{} word", program("exit_code").display()));
    assert_eq!((&result["result"]["exit_code"], &result["result"]["stdout"]), (&json!(42), &json!("word x\n")));
    assert_eq!(result["result"]["trace_dir"], trace.to_str().unwrap());
    let status = server.call("rr_job_status", json!({"job": "j1"}));
    let printed = |stream: &str, text: &str| json!({"stream": stream, "text": text});
    let output = status["output"].as_array().unwrap();
    assert!(
        output.contains(&printed("stdout", "word x")) && output.contains(&printed("stderr", "to stderr")),
        "{status}"
    );
    let after = server.call("rr_job_status", json!({"job": "j1", "cursor": status["cursor"]}));
    assert_eq!((&after["output"], &after["cursor"]), (&json!([]), &status["cursor"]));
    let text = server.text("rr_job_result", json!({"job": "j1"}));
    assert!(text.contains(": done, ") && text.contains("\nexit code 42\n"), "{text}");
    server.replay(&trace);
    let said = server.fail("rr_job_result", json!({"job": "j7"}));
    assert_eq!(said, "unknown job \"j7\"; jobs: j1");
}

#[test]
fn a_job_is_watched_and_cancelled_and_what_it_recorded_is_kept() {
    let server = Server::start();
    let trace = scratch().join("cancelled.trace");
    let command = ["sh", "-c", "echo begun; exec sleep 1000"];
    server.call("rr_record", json!({"command": command, "trace_dir": trace, "background": true}));
    let status = until(&server, "j1", |status| status["output"] != json!([]));
    assert_eq!(status["output"], json!([{"stream": "stdout", "text": "begun"}]), "{status}");
    let said = server.fail("rr_job_result", json!({"job": "j1"}));
    assert!(said.starts_with("job j1 has no result yet: it is running, after "), "{said}");
    // Meanwhile all else works.
    let list = server.call("rr_job_list", json!({}));
    assert_eq!((&list["result"][0]["job"], &list["result"][0]["state"]), (&json!("j1"), &json!("running")), "{list}");
    let asked = server.call("rr_job_cancel", json!({"job": "j1"}));
    assert!(["cancelling", "cancelled"].contains(&asked["state"].as_str().unwrap()), "{asked}");
    until(&server, "j1", |status| status["state"] == "cancelled");
    let result = server.call("rr_job_result", json!({"job": "j1"}))["result"].take();
    assert_eq!((&result["ended_by"], &result["signal"]), (&json!("cancelled"), &json!("SIGTERM")), "{result}");
    server.replay(&trace);
}

#[test]
fn a_movement_in_the_background_answers_at_once_and_what_is_called_next_comes_after_it() {
    let server = replaying("stepping");
    server.call("rr_breakpoint_set", json!({"location": "half"}));
    let begun = server.call("rr_continue", json!({"background": true}));
    assert_eq!(begun, json!({"reason": "running", "job": "j1"}));
    let backtrace = server.call("rr_backtrace", json!({}));
    assert_eq!(backtrace["result"][0]["function"], "half", "{backtrace}");
    let done = server.call("rr_job_result", json!({"job": "j1", "wait": 60}));
    assert_eq!(
        (&done["state"], &done["tool"], &done["about"]),
        (&json!("done"), &json!("rr_continue"), &json!("session s1"))
    );
    let stop = &done["result"];
    assert_eq!(
        (&stop["reason"], stop["line"].as_u64()),
        (&json!("breakpoint-hit"), Some(line("stepping.c", "half-return")))
    );
    server.call("rr_finish", json!({"background": true}));
    let done = server.call("rr_job_result", json!({"job": "j2", "wait": 60}));
    assert_eq!(done["result"]["return_value"], "2.5", "{done}");
    let (trace, now) = (&recording("stepping").trace, &done["result"]["event"]);
    let event = (rr().events_of(trace).unwrap() + now.as_u64().unwrap()) / 2;
    server.call("rr_run_to_event", json!({"event_number": event, "background": true}));
    let done = server.call("rr_job_result", json!({"job": "j3", "wait": 60}));
    assert_eq!(done["result"]["event"], event, "{done}");
    server.call("rr_replay_stop", json!({}));
    let said = server.fail("rr_continue", json!({"background": true}));
    assert!(said.contains("rr_replay_start"), "{said}");
}

#[test]
fn a_movement_in_the_background_is_cancelled_or_ends_with_its_session() {
    let server = replaying("spin");
    server.run_to("turn");
    // Thousands of times, and not decided by rr itself.
    server.call("rr_breakpoint_set", json!({"location": "turn", "condition": "n == -1.5"}));
    server.call("rr_continue", json!({"background": true}));
    let session = until_running(&server);
    assert_eq!((&session["state"], &session["tool"]), (&json!("running"), &json!("rr_continue")), "{session}");
    server.call("rr_job_cancel", json!({"job": "j1"}));
    let done = server.call("rr_job_result", json!({"job": "j1", "wait": 60}));
    assert_eq!((&done["state"], &done["result"]["reason"]), (&json!("cancelled"), &json!("cancelled")), "{done}");
    // The session goes on; and what waits for it is told when it does not.
    server.call("rr_when", json!({}));
    server.call("rr_continue", json!({"background": true}));
    until_running(&server);
    server.call("rr_replay_stop", json!({}));
    let said = server.fail("rr_job_result", json!({"job": "j2", "wait": 60}));
    assert!(said.contains("has ended: "), "{said}");
}

/// The session, once it runs.
#[track_caller]
fn until_running(server: &Server) -> Value {
    let begin = Instant::now();
    loop {
        let mut sessions = server.call("rr_session_list", json!({}));
        if sessions["result"][0]["state"] == "running" {
            return sessions["result"][0].take();
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "{sessions}");
    }
}

#[test]
fn a_movement_that_waits_for_another_is_cancelled_before_it_begins() {
    let server = replaying("spin");
    server.call("rr_breakpoint_set", json!({"location": "turn", "condition": "n == -1"}));
    server.call("rr_continue", json!({"background": true}));
    until_running(&server);
    assert_eq!(server.call("rr_continue", json!({"reverse": true, "background": true}))["job"], "j2");
    server.call("rr_job_cancel", json!({"job": "j2"}));
    let ended = until(&server, "j2", |status| status["state"] != "running" && status["state"] != "cancelling");
    assert_eq!(ended["state"], "cancelled", "{ended}");
    server.call("rr_job_cancel", json!({"job": "j1"}));
    until(&server, "j1", |status| status["state"] != "running" && status["state"] != "cancelling");
    assert!(server.call("rr_when", json!({}))["event"].as_u64().unwrap() > 0);
}

#[test]
fn a_flood_is_kept_within_limits_and_the_loss_is_counted() {
    let server = Server::start();
    let trace = scratch().join("flood.trace");
    // Ten megabytes in a hundred thousand lines.
    let script = "yes 123456789.123456789.123456789.123456789.123456789.123456789.123456789.123456789.123456789.123456789 | head -n 100000";
    server.call("rr_record", json!({"command": ["sh", "-c", script], "trace_dir": trace, "background": true}));
    let result = server.call("rr_job_result", json!({"job": "j1", "wait": 300}))["result"].take();
    assert_eq!((&result["exit_code"], &result["stdout_truncated"]), (&json!(0), &json!(true)), "{result}");
    let status = server.call("rr_job_status", json!({"job": "j1", "lines": 10_000}));
    // A megabyte is kept, and 32 KiB of it are in an answer.
    let (dropped, lines) = (status["dropped"].as_u64().unwrap(), status["output"].as_array().unwrap().len() as u64);
    assert_eq!((dropped, lines), (100_000 - 10_000, (32 << 10) / 100), "{}", status["truncated"]);
    assert_eq!(status["truncated"], format!("{} more lines; for them, cursor={}", 10_000 - lines, dropped + lines));
}

#[test]
fn a_job_that_fails_says_why() {
    let server = Server::start();
    server.call("rr_record", json!({"command": ["/no/such/program"], "background": true}));
    let said = server.fail("rr_job_result", json!({"job": "j1", "wait": 60}));
    assert!(said.starts_with("job j1 failed: ") && said.contains("/no/such/program"), "{said}");
}

#[test]
fn a_client_that_knows_tasks_gets_one() {
    let capabilities = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let variables = [("RETROGRADE_RR", rr().program().to_str().unwrap()), ("RR_MCP_REDACT", "FIXTURE_*")];
    let mut server = stdio::Server::talking_to(capabilities, &variables);
    let record = |command: Value, name: &str| {
        let trace = scratch().join(name);
        let env = json!({"FIXTURE_WORD": "very secret"});
        json!({"command": command, "env": env, "trace_dir": trace, "background": true})
    };
    let begun = server.call(1, "rr_record", record(json!([program("exit_code"), "word"]), "task.trace"));
    assert_eq!((&begun["resultType"], &begun["taskId"]), (&json!("task"), &json!("j1")), "{begun}");
    let mut id = 1;
    let mut until_over = |server: &mut stdio::Server, task: &str| {
        let begin = Instant::now();
        loop {
            id += 1;
            let got = server.request(id, "tasks/get", json!({"taskId": task}))["result"].take();
            if got["status"] != "working" {
                return got;
            }
            assert!(begin.elapsed() < Duration::from_secs(180), "{got}");
        }
    };
    let over = until_over(&mut server, "j1");
    assert_eq!(over["status"], "completed", "{over}");
    let answer = &over["result"]["structuredContent"];
    assert_eq!((&answer["exit_code"], &answer["stdout"]), (&json!(42), &json!("word ***\n")));
    let command = json!(["sh", "-c", "echo begun; exec sleep 1000"]);
    let begun = server.call(10_000, "rr_record", record(command, "cancelled-task.trace"));
    assert_eq!(begun["taskId"], "j2", "{begun}");
    // Sooner, nothing is recorded that could be kept.
    let deadline = Instant::now() + Duration::from_secs(60);
    for id in 20_000.. {
        let status = server.call(id, "rr_job_status", json!({"job": "j2"}))["structuredContent"].take();
        if status["output"].as_array().is_some_and(|lines| !lines.is_empty()) {
            break;
        }
        assert!(Instant::now() < deadline, "{status}");
    }
    server.request(10_001, "tasks/cancel", json!({"taskId": "j2"}));
    let cancelled = until_over(&mut server, "j2");
    let kept = format!("rr_record: the recording so far is {}", scratch().join("cancelled-task.trace").display());
    assert_eq!((&cancelled["status"], &cancelled["statusMessage"]), (&json!("cancelled"), &json!(kept)), "{cancelled}");
    let refused = server.request(10_002, "tasks/get", json!({"taskId": "j9"}));
    assert_eq!(refused["error"]["message"], "unknown job \"j9\"; jobs: j1, j2", "{refused}");
}
