//! Every tool's answers against its output schema, where programs have least to show: at starts and ends, in libraries, in
//! programs without debug info, in other processes. The client of these tests validates each answer that it gets.

use crate::support::fixtures::{program, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{fresh_recording, record, recording, recording_of};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Tools that have no structured answer here: these need an rr of somebody else's, a run that lasts, a question that has
/// an answer only in some programs.
const ELSEWHERE: [&str; 1] = ["rr_attach"];

struct Visit {
    server: Server,
    answered: BTreeSet<String>,
}

impl Visit {
    /// Calls a tool, which may refuse.
    fn ask(&mut self, tool: &str, arguments: Value) -> Option<Value> {
        let answer = self.server.attempt(tool, arguments).ok()?;
        self.answered.insert(tool.to_owned());
        Some(answer)
    }

    /// Asks everything that may be asked at any stop and leaves the session where it is.
    fn look_around(&mut self) {
        for (tool, arguments) in [
            ("rr_backtrace", json!({"max_depth": 5})),
            ("rr_breakpoint_list", json!({})),
            ("rr_checkpoint_list", json!({})),
            ("rr_command", json!({"command": "info registers rip"})),
            ("rr_evaluate", json!({"expression": "$rsp"})),
            ("rr_last_write", json!({"expression": "*(long *)$rsp"})),
            ("rr_locals", json!({})),
            ("rr_log", json!({})),
            ("rr_modules", json!({"mappings": true})),
            ("rr_read_memory", json!({"address": "$rsp"})),
            ("rr_registers", json!({})),
            ("rr_select_frame", json!({"frame_level": 0})),
            ("rr_session_info", json!({})),
            ("rr_session_list", json!({})),
            ("rr_source_lines", json!({})),
            ("rr_thread_list", json!({})),
            ("rr_thread_select", json!({"thread_id": "1"})),
            ("rr_threads_report", json!({})),
            ("rr_when", json!({})),
        ] {
            self.ask(tool, arguments);
        }
    }

    fn look(&mut self, place: &str) {
        self.look_around();
        // At each stop of a process it says something.
        let explained = self.ask("rr_explain", json!({}));
        assert!(explained.is_some(), "{place}: {}", self.server.fail("rr_explain", json!({})));
    }

    /// Visits a replay from its start to its end and back.
    fn replay(&mut self, arguments: Value, library_function: &str) {
        let place = arguments.to_string();
        self.ask("rr_replay_start", arguments).unwrap_or_else(|| panic!("{place} is replayed"));
        self.look_around();
        self.ask("rr_step", json!({"instruction": true}));
        self.look(&place);
        if let Some(set) = self.ask("rr_breakpoint_set", json!({"location": library_function})) {
            self.ask("rr_continue", json!({}));
            self.look(&place);
            for tool in ["rr_finish", "rr_next", "rr_step"] {
                self.ask(tool, json!({}));
            }
            self.look(&place);
            self.ask("rr_breakpoint_update", json!({"breakpoint_number": set["number"], "enabled": false}));
            self.ask("rr_breakpoint_remove", json!({"breakpoint_number": set["number"]}));
        }
        self.ask("rr_checkpoint_save", json!({"note": "here"}));
        self.ask("rr_catch_set", json!({"event": "signal"}));
        self.ask("rr_watchpoint_set", json!({"expression": "*(long *)$rsp"}));
        for _ in 0..3 {
            self.ask("rr_continue", json!({}));
            self.look(&place);
        }
        self.ask("rr_output", json!({}));
        self.ask("rr_run_to_event", json!({"event_number": 1_000_000}));
        self.look(&place);
        self.ask("rr_continue", json!({"reverse": true}));
        self.look(&place);
        if let Some(when) = self.ask("rr_when", json!({})) {
            self.ask("rr_goto", json!({"position": when["position"]}));
        }
        self.ask("rr_checkpoint_restore", json!({"checkpoint_id": 1}));
        self.ask("rr_checkpoint_delete", json!({"checkpoint_id": 1}));
        self.ask("rr_interrupt", json!({}));
        self.ask("rr_replay_stop", json!({}));
    }

    /// Asks about a recording as a whole.
    fn whole(&mut self, trace: &Path, function: &str, global: &str) {
        for (tool, arguments) in [
            ("rr_calls", json!({"function": function, "trace_dir": trace, "limit": 3})),
            ("rr_calls", json!({"function": function, "trace_dir": trace, "limit": 3, "where": "1 == 2"})),
            ("rr_coverage", json!({"location": function, "trace_dir": trace})),
            ("rr_diff", json!({"a": trace, "b": trace})),
            ("rr_first", json!({"location": function, "trace_dir": trace})),
            ("rr_profile", json!({"trace_dir": trace})),
            ("rr_ps", json!({"trace_dir": trace})),
            ("rr_timeline", json!({"trace_dir": trace, "limit": 5})),
            ("rr_trace", json!({"locations": [function], "trace_dir": trace, "limit": 3})),
            ("rr_trace", json!({"locations": [function], "trace_dir": trace, "summary": true, "values": ["1"]})),
            ("rr_traceinfo", json!({"trace_dir": trace, "full": true})),
            ("rr_why", json!({"location": function, "trace_dir": trace})),
        ] {
            self.ask(tool, arguments);
        }
        self.ask("rr_replay_start", json!({"trace_dir": trace}));
        self.ask("rr_continue", json!({}));
        for tool in ["rr_history", "rr_origin", "rr_races"] {
            self.ask(tool, json!({"expression": global}));
        }
        self.ask("rr_heap", json!({"expression": "$sp"}));
        self.ask("rr_replay_stop", json!({}));
    }
}

#[test]
fn all_answers_fit_their_schemas() {
    let mut visit = Visit { server: Server::start(), answered: BTreeSet::new() };
    let stripped = scratch().join("stripped");
    std::fs::copy(program("crash"), &stripped).unwrap();
    assert!(Command::new("strip").arg(&stripped).status().unwrap().success());
    let without = record(&stripped, &[], scratch());
    visit.replay(json!({"trace_dir": without.trace}), "puts");
    visit.replay(json!({"trace_dir": recording("crash").trace}), "write");
    visit.replay(json!({"trace_dir": recording("threads").trace}), "pthread_create");
    visit.replay(json!({"trace_dir": recording_of("faults", &["0"]).trace}), "malloc");
    let tree = recording("fork_exec").trace;
    let processes = visit.ask("rr_ps", json!({"trace_dir": tree})).unwrap();
    for process in processes["result"].as_array().unwrap() {
        visit.replay(json!({"trace_dir": tree, "pid": process["pid"]}), "write");
    }
    visit.whole(&recording("threads").trace, "adder", "shared");
    visit.whole(&without.trace, "main", "*(long *)$rsp");
    // Recording, in the background and not; what there is of it; removal.
    let trace = scratch().join("schemas.trace");
    let job = visit.ask("rr_record", json!({"command": ["true"], "trace_dir": trace, "background": true})).unwrap();
    let job = job["job"].clone();
    visit.ask("rr_job_list", json!({}));
    visit.ask("rr_job_status", json!({"job": job}));
    visit.ask("rr_job_result", json!({"job": job, "wait": 60}));
    visit.ask("rr_job_cancel", json!({"job": job}));
    visit.ask("rr_record", json!({"command": [program("crash")], "trace_dir": scratch().join("schemas.crash")}));
    visit
        .ask("rr_record", json!({"command": ["sleep", "100"], "timeout": 1, "trace_dir": scratch().join("cut.trace")}));
    visit.ask("rr_list_recordings", json!({"trace_base_dir": scratch()}));
    visit.ask("rr_rm", json!({"trace_dir": fresh_recording("exit_code", &[]).trace, "force": true}));
    visit.ask("rr_doctor", json!({}));
    let all: BTreeSet<String> = visit.server.tools().iter().map(|tool| tool.name.to_string()).collect();
    let missing: Vec<&String> = all.difference(&visit.answered).collect();
    assert_eq!(missing, ELSEWHERE, "tools that did not answer");
}
