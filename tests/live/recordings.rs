//! Recording, listing, describing and removing.

use crate::support::fixtures::{program, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{fresh_recording, recording};
use serde_json::json;

#[test]
fn record_reports_output_exit_code_and_the_right_trace() {
    let base = scratch().join("traces-of-record");
    let server = Server::start_with(&[("_RR_TRACE_DIR", base.to_str().unwrap())]);
    let recorded = server.call(
        "rr_record",
        json!({"command": [program("exit_code"), "two words"], "env": {"FIXTURE_WORD": "a 'quoted' word"}, "working_directory": scratch()}),
    );
    assert_eq!(recorded["exit_code"], 42, "{recorded}");
    assert_eq!(recorded["stdout"], "two words a 'quoted' word\n");
    assert!(recorded["stderr"].as_str().unwrap().contains("to stderr\n"), "{recorded}");
    assert!(recorded["counters"].is_string(), "{recorded}");
    let trace = recorded["trace_dir"].as_str().unwrap();
    assert!(trace.starts_with(base.to_str().unwrap()), "{trace}");
    let listed = server.call("rr_list_recordings", json!({}));
    assert_eq!(listed["result"], json!([trace]), "{listed}");
    server.call("rr_replay_start", json!({}));
    let stop = server.run_to("main");
    assert_eq!(stop["function"], "main");
    let said = server.fail("rr_rm", json!({"trace_dir": trace}));
    assert!(said.contains("session"), "{said}");
    server.call("rr_replay_stop", json!({}));
    assert_eq!(server.call("rr_rm", json!({"trace_dir": trace}))["result"], format!("Trace removed: {trace}"));
    assert_eq!(server.call("rr_list_recordings", json!({}))["result"], json!([]));
}

#[test]
fn a_crash_is_a_result_not_an_error() {
    let server = Server::start();
    let trace = scratch().join("crash-recorded-by-tool");
    let recorded = server.call("rr_record", json!({"command": [program("crash")], "trace_dir": trace}));
    assert_eq!(recorded["trace_dir"], trace.to_str().unwrap());
    assert_eq!(recorded["exit_code"], 139, "{recorded}");
    assert_eq!(recorded["signal"], "SIGSEGV", "{recorded}");
    let said = server.fail("rr_record", json!({"command": ["/no/such/program"]}));
    assert!(said.contains("/no/such/program"), "{said}");
    let said = server.fail("rr_record", json!({"command": []}));
    assert!(said.contains("command"), "{said}");
}

#[test]
fn traceinfo_is_the_header() {
    let server = Server::start();
    let info = server.call("rr_traceinfo", json!({"trace_dir": recording("stepping").trace}));
    assert!(info["result"].as_str().unwrap().contains("uuid"), "{info}");
}

#[test]
fn doctor_judges_this_machine() {
    let server = Server::start();
    let report = server.call("rr_doctor", json!({}));
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.len() >= 6, "{report}");
    for check in checks {
        assert!(["ok", "warning", "blocker"].contains(&check["verdict"].as_str().unwrap()), "{check}");
        assert!(check["verdict"] == "ok" || check["remedy"].is_string(), "{check}");
    }
    assert!(!checks.iter().any(|c| c["verdict"] == "blocker"), "this machine can record: {report}");
}

#[test]
fn only_traces_are_removed() {
    let server = Server::start();
    let innocent = scratch().join("not-a-trace");
    std::fs::create_dir_all(&innocent).unwrap();
    std::fs::write(innocent.join("precious"), "data").unwrap();
    let said = server.fail("rr_rm", json!({"trace_dir": innocent}));
    assert!(said.contains("not"), "{said}");
    assert!(innocent.join("precious").exists());
    let mine = fresh_recording("exit_code", &[]);
    server.call("rr_rm", json!({"trace_dir": mine.trace}));
    assert!(!mine.trace.exists());
}
