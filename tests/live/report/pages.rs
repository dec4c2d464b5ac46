//! Pages about recordings.

use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::{recording, recording_of, rr};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn made(trace: &Path, name: &str) -> (PathBuf, String) {
    let file = scratch().join(format!("{name}.html"));
    let output = run(&[trace.to_str().unwrap(), "-o", file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(&file).unwrap();
    (file, page)
}

fn run(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.env("RETROGRADE_RR", rr().program()).arg("report").args(words).output().unwrap()
}

/// Elements that end where they begin.
const VOID: [&str; 2] = ["meta", "!doctype"];

/// The text of a page, whose elements must all be closed in order; and the content of elements of one class.
fn read(page: &str, class: &str) -> (String, Vec<String>) {
    let (mut open, mut text, mut found) = (Vec::new(), String::new(), Vec::new());
    let mut rest = page;
    while let Some((before, tag)) = rest.split_once('<') {
        if !open.contains(&"style") {
            text.push_str(before);
        }
        let (tag, behind) = tag.split_once('>').unwrap_or_else(|| panic!("a tag has no end: {tag:.80}"));
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> closes another element");
            continue;
        }
        let name = tag.split(' ').next().unwrap();
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '!'), "<{tag}>");
        if !VOID.contains(&name) {
            open.push(name);
        }
        if tag.contains(&format!("class=\"{class}\"")) {
            found.push(behind.split('<').next().unwrap().to_owned());
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    (entities.iter().fold(text, |text, (entity, letter)| text.replace(entity, letter)), found)
}

#[test]
fn a_crash_is_told_on_one_page_and_its_positions_lead_there() {
    let recording = recording("corrupt_table");
    let (_, page) = made(&recording.trace, "corrupt_table");
    let (text, positions) = read(&page, "at");
    for part in [
        "SIGSEGV: read at 0x3ec",
        "station->calibration->percent",
        "stations[1].calibration",
        "corrupt_table.c:33",
        "parameter value of store = 1000",
        "which ends the process",
        "thread 1",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    // Nothing is fetched, and nothing is carried out.
    for part in ["<script", "<link", "<img", "<iframe", "src=", "href=", "url(", "@import", "onload"] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("max-width: 40rem"));
    // The crash comes first, and is where a session comes to; what led to it is earlier.
    let server = Server::start();
    server.replay(&recording.trace);
    let stop = server.call("rr_continue", json!({}));
    // A command line stands among them.
    let mut places = positions.iter().filter(|position| position.starts_with(|first: char| first.is_ascii_digit()));
    assert_eq!(stop["position"], **places.next().unwrap());
    let mut functions = Vec::new();
    for position in places {
        let there = server.call("rr_goto", json!({"position": position}));
        functions.push(there["frame"]["function"].as_str().unwrap_or_default().to_owned());
        assert!(there["event"].as_u64().unwrap() <= stop["event"].as_u64().unwrap());
    }
    assert!(functions.iter().any(|function| function == "store"), "{functions:?}");
}

#[test]
fn what_a_program_says_stays_text() {
    let hostile = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";
    let recording = recording_of("exit_code", &[hostile]);
    let (_, page) = made(&recording.trace, "hostile");
    let (text, _) = read(&page, "at");
    assert!(text.contains(hostile), "{text}");
    assert!(!page.contains("<script") && !page.contains("<img"));
}

#[test]
fn threads_that_wait_for_each_other_are_told() {
    let log = scratch().join("waits of a report.log");
    let recording = recording_of("waits", &[log.to_str().unwrap()]);
    let (_, page) = made(&recording.trace, "waits");
    let (text, lead) = read(&page, "lead");
    assert!(lead.iter().any(|line| line.starts_with("Deadlock: ")), "{lead:?}");
    assert!(text.contains("waits in") && text.contains("account->lock"), "{text}");
}

#[test]
fn what_is_wrong_is_said() {
    let trace = recording("corrupt_table").trace;
    let code = |words: &[&str]| run(words).status.code();
    assert_eq!(code(&[trace.to_str().unwrap(), "another"]), Some(2));
    assert_eq!(code(&["/no/such/trace", "-o", scratch().join("no.html").to_str().unwrap()]), Some(1));
    assert_eq!(code(&[trace.to_str().unwrap(), "-o", "/no/such/directory/page.html"]), Some(1));
}

/// In a real browser, if `RETROGRADE_CHROMIUM` names one: the page renders with its story, and says nothing on its
/// console.
#[test]
fn a_browser_shows_the_page() {
    let Some(browser) = std::env::var_os("RETROGRADE_CHROMIUM") else { return };
    let (file, _) = made(&recording("corrupt_table").trace, "in a browser");
    let profile = scratch().join("chromium");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", profile.display())).arg(format!("file://{}", file.display()));
    let output = command.output().unwrap();
    let (dom, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(dom.contains("SIGSEGV: read at 0x") && dom.contains("class=\"flame\""), "{dom}");
    assert!(!said.contains("CONSOLE"), "{said}");
}

#[test]
fn its_usage_is_told_when_asked_for() {
    for words in [["report", "--help"], ["help", "report"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_retrograde")).args(words).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains("Usage: retrograde report [TRACE] [-o FILE]"),
            "{words:?}: {output:?}"
        );
    }
}
