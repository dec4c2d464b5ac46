//! What the one who starts the server permits, and hides.

use crate::support::fixtures::{program, scratch};
use crate::support::mcp::{Server, replaying};
use serde_json::json;

#[test]
fn recording_can_be_turned_off_or_limited_to_programs() {
    let off = Server::start_with(&[("RR_MCP_ALLOW_RECORD", "off")]);
    for background in [false, true] {
        let said = off.fail("rr_record", json!({"command": ["true"], "background": background}));
        assert!(said.starts_with("recording is turned off on this server (RR_MCP_ALLOW_RECORD)"), "{said}");
    }
    assert_eq!(off.call("rr_job_list", json!({})), json!({"result": []}));
    let server = Server::start_with(&[("RR_MCP_ALLOW_RECORD", "true:/no/such/program")]);
    let trace = scratch().join("permitted.trace");
    assert_eq!(server.call("rr_record", json!({"command": ["true"], "trace_dir": trace}))["exit_code"], 0);
    let said = server.fail("rr_record", json!({"command": [program("exit_code")]}));
    let expected = "is not among the programs that this server records (RR_MCP_ALLOW_RECORD): true, /no/such/program";
    assert!(said.ends_with(expected), "{said}");
    let said = server.fail("rr_record", json!({"command": ["true"], "env": {"LD_PRELOAD": "/x.so"}}));
    assert_eq!(said, "`env` must not set LD_PRELOAD, because this server records listed programs only");
}

#[test]
fn values_of_variables_are_masked_in_every_answer() {
    let server = Server::start_with(&[("RR_MCP_REDACT", "FIXTURE_*,API_TOKEN"), ("API_TOKEN", "tell nobody")]);
    let trace = scratch().join("masked.trace");
    let env = json!({"FIXTURE_WORD": "very secret"});
    let command = json!([program("exit_code"), "tell nobody"]);
    let recorded = server.call("rr_record", json!({"command": command, "env": env, "trace_dir": trace}));
    assert_eq!(recorded["stdout"], "*** ***\n");
    let header = server.call("rr_traceinfo", json!({"trace_dir": trace, "full": true}))["result"].take();
    let header = header.as_str().unwrap();
    assert!(header.contains("\"FIXTURE_WORD=***\"") && header.contains("\"API_TOKEN=***\""), "{header}");
    let listed = server.call("rr_ps", json!({"trace_dir": trace}))["result"][0]["cmd"].take();
    assert_eq!(listed, format!("{} ***", program("exit_code").display()));
    server.replay(&trace);
    server.run_to("main");
    let value = server.evaluate("argv[1]");
    assert!(value.ends_with(" \"***\""), "{value}");
    for answer in [header, &recorded.to_string(), &server.text("rr_locals", json!({}))] {
        assert!(!answer.contains("secret") && !answer.contains("nobody"), "{answer}");
    }
}

#[test]
fn only_sources_that_debug_info_names_are_read() {
    let server = replaying("stepping");
    server.run_to("main");
    let text = server.call("rr_source_lines", json!({"file": "stepping.c", "line": 1, "count": 1}));
    assert_eq!((&text["first_line"], &text["last_line_of_file"]), (&json!(1), &json!(28)), "{text}");
    for file in ["/etc/passwd", "../../../../../../etc/passwd"] {
        let said = server.fail("rr_source_lines", json!({"file": file}));
        assert!(said.ends_with("no debug info that is loaded names it"), "{said}");
    }
}
