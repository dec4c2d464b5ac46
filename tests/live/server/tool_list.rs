//! The tools that a client is shown.

use crate::support::mcp::Server;
use serde_json::json;

#[test]
fn few_tools_are_shown_where_few_are_wanted() {
    let server = Server::start_with(&[("RETROGRADE_TOOLS", "core")]);
    let tools = server.tools();
    assert_eq!(tools.len(), 15, "{tools:?}");
    for shown in ["rr_explain", "rr_origin"] {
        assert!(tools.iter().any(|tool| tool.name == shown), "{tools:?}");
    }
    assert!(tools.iter().all(|tool| tool.output_schema.is_none() && tool.name != "rr_doctor"), "{tools:?}");
    // What is not shown works, and so does what is not shown of the others.
    assert!(server.call("rr_doctor", json!({}))["checks"].is_array());
    let said = server.fail("rr_continue", json!({"session": "s1"}));
    assert!(said.contains("rr_replay_start"), "{said}");
}
