//! What is told of a trace alone, and of a stop.

use crate::support::mcp::Server;
use crate::support::recordings::{fresh_recording, record};
use crate::{Goal, Rounds, program, question, traces};
use base::cancel::Cancel;
use rr::{TimelineQuery, Topic, timeline};
use serde_json::json;
use std::path::Path;

/// System calls that rr does not buffer: two events each.
const CALLS: u64 = 50_000;

pub fn bench(rounds: &Rounds) {
    let trace = record(&program(), &[&CALLS.to_string()], &traces()).trace;
    let questions = vec![question("timeline of 100,000 events, all calls", Goal::Seconds(0.3), || happenings(&trace))];
    rounds.of("system calls", &trace, questions);

    let crash = fresh_recording("corrupt_table", &[]).trace;
    let server = Server::start_with(&[("RETROGRADE_ANSWERS", "off")]);
    server.call("rr_replay_start", json!({"trace_dir": crash}));
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGSEGV");
    let explain = || {
        let text = server.text("rr_explain", json!({}));
        assert!(text.contains("0x3e8") && text.contains("calibration"), "{text}");
    };
    rounds.of("the demo's crash", &crash, vec![question("rr_explain", Goal::Seconds(1.0), explain)]);
}

fn happenings(trace: &Path) {
    let query = TimelineQuery {
        from: 0,
        to: u64::MAX,
        topics: [Topic::Process, Topic::Signal, Topic::Call].into(),
        pid: None,
        tid: None,
        calls: Vec::new(),
        failed: false,
        skip: CALLS / 2,
        limit: 50,
    };
    let found = timeline(trace, &query, &Cancel::new()).expect("it can be read");
    assert!(found.events >= 2 * CALLS && found.totals[&Topic::Call] >= CALLS, "{} events", found.events);
    assert_eq!(found.rows.len(), 50);
}
