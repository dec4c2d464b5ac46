//! `retrograde hook`, as an agent's host runs it.

use crate::support::recordings::rr;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// What it prints, having ended well.
fn hook(input: &str, rr: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .arg("hook")
        .env("RETROGRADE_RR", rr)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_crash_is_answered_with_what_to_do() {
    let input = json!({
        "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
        "tool_input": {"command": "./shop"}, "error": "Exit code 139",
    });
    let answer: Value = serde_json::from_str(&hook(&input.to_string(), "/nonexistent/rr")).unwrap();
    let told = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.starts_with("This command ended with SIGSEGV (exit code 139). "), "{told}");
}

#[test]
fn a_session_that_starts_is_told_what_is_missing_and_nothing_else() {
    let input = json!({"hook_event_name": "SessionStart", "source": "startup"}).to_string();
    let answer: Value = serde_json::from_str(&hook(&input, "/nonexistent/rr")).unwrap();
    let told = answer["systemMessage"].as_str().unwrap();
    assert!(
        told.starts_with("retrograde cannot record or replay here: ") && told.contains("/nonexistent/rr"),
        "{told}"
    );
    assert_eq!(hook(&input, rr().program().to_str().unwrap()), "");
}

#[test]
fn what_is_no_input_is_passed_over() {
    assert_eq!(hook("", "/nonexistent/rr"), "");
    assert_eq!(hook("\u{0}{", "/nonexistent/rr"), "");
}
