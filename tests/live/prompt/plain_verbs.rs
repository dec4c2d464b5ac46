//! `retrograde record`, `replay`, `ls` and `rm`, as somebody uses them at a shell.

use crate::support::fixtures::scratch;
use crate::support::recordings::small_environment;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs `retrograde` with recordings below a directory.
fn run(base: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.env_clear().envs(small_environment()).env("_RR_TRACE_DIR", base).args(words).stdin(Stdio::null());
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_program_is_recorded_listed_replayed_and_deleted() {
    let base = scratch().join("plain-verbs");
    fs::create_dir(&base).unwrap();
    let recorded = run(&base, &["record", "--no-buffer", "sh", "-c", "echo -n hello; exit 7"]);
    assert_eq!((text(&recorded.stdout).as_str(), recorded.status.code()), ("hello", Some(7)), "{recorded:?}");
    let trace = base.join("sh-0");
    let said = text(&recorded.stderr);
    assert!(said.contains(&format!("recorded in {}\n", trace.display())), "{said}");
    assert!(said.contains("`retrograde replay` debugs it"), "{said}");

    let listed = text(&run(&base, &["ls"]).stdout);
    assert!(listed.starts_with(&format!("{}  (", trace.display())) && listed.lines().count() == 1, "{listed}");
    assert!(listed.contains("`sh -c echo -n hello; exit 7`, exit 7, latest)"), "{listed}");

    let replayed = run(&base, &["replay", "-q", "--batch", "--ex", "continue"]);
    assert!(text(&replayed.stdout).contains("Program received signal SIGKILL"), "{replayed:?}");

    // A page of the latest recording, through a pipe.
    let page = run(&base, &["report"]);
    let html = text(&page.stdout);
    assert!(html.starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"), "{page:?}");
    assert!(html.contains("hello") && html.contains("exit 7"), "{html:.2000}");

    let removed = run(&base, &["rm", "sh-0", "sh-1"]);
    assert_eq!(text(&removed.stdout), format!("removed {}\n", trace.display()));
    assert!(text(&removed.stderr).contains("sh-1") && removed.status.code() == Some(1), "{removed:?}");
    assert!(!trace.exists());
    assert_eq!(text(&run(&base, &["ls"]).stdout), "no recordings\n");
}

#[test]
fn a_program_is_recorded_until_it_fails() {
    let base = scratch().join("until");
    fs::create_dir(&base).unwrap();
    let count = scratch().join("runs");
    fs::write(&count, "").unwrap();
    let script = format!("echo run >> {0}; test $(wc -l < {0}) -lt 3", count.display());
    let recorded = run(&base, &["record", "--until", "failure", "--runs", "5", "sh", "-c", &script]);
    let said = text(&recorded.stderr);
    assert_eq!(recorded.status.code(), Some(0), "{said}");
    assert!(said.contains("it happened in run 3\n") && said.contains("the program has ended: exit 1\n"), "{said}");
    let kept = fs::read_dir(&base).unwrap().filter(|entry| entry.as_ref().unwrap().file_type().unwrap().is_dir());
    assert_eq!(kept.count(), 1);

    let never = run(&base, &["record", "--until", "signal", "--runs", "2", "true"]);
    assert_eq!(never.status.code(), Some(1));
    assert!(text(&never.stderr).contains("it did not happen in 2 runs"), "{never:?}");

    let late = run(&base, &["record", "--timeout", "1", "sleep", "1000"]);
    assert_eq!(late.status.code(), Some(1));
    assert!(text(&late.stderr).contains("the program was cut short: its time limit has passed"), "{late:?}");
}

/// Runs `retrograde` with a pipe that nobody reads as stdout, or as stderr.
fn unread(base: &Path, words: &[&str], is_stdout: bool) -> Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.env_clear().envs(small_environment()).env("_RR_TRACE_DIR", base).args(words).stdin(Stdio::null());
    match is_stdout {
        true => command.stdout(writer),
        false => command.stderr(writer),
    };
    command.output().unwrap()
}

#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    let base = scratch().join("unread");
    fs::create_dir(&base).unwrap();
    for words in [&["docs", "tools"][..], &["ls"], &["--help"], &["record", "--help"]] {
        let output = unread(&base, words, true);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(141), ""), "{words:?}");
    }
    let recorded = unread(&base, &["record", "sh", "-c", "echo here; exit 7"], false);
    assert_eq!((recorded.status.code(), text(&recorded.stdout).as_str()), (Some(7), "here\n"), "{recorded:?}");
    let wrong = unread(&base, &["recrod"], false);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}
