//! Questions from the command line.

use crate::support::fixtures::line;
use crate::support::recordings::{recording, rr};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn query(question: &str, traces: &[&Path], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.env("RETROGRADE_RR", rr().program()).args(["query", question]).args(traces).args(more);
    command.output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn each_row_is_a_line_and_the_same_question_has_the_same_answer() {
    let trace = recording("written_by").trace;
    let ask = || query("calls", &[&trace], &["--function", "add", "--json"]);
    let first = ask();
    assert_eq!(first.status.code(), Some(0), "{}", String::from_utf8_lossy(&first.stderr));
    let rows = lines(&first);
    let amounts: Vec<_> = rows.iter().map(|row| row["arguments"][0]["value"].as_str().unwrap()).collect();
    assert_eq!(amounts, ["1", "2", "3", "1000"]);
    assert!(rows.iter().all(|row| row["question"] == "calls" && row["trace"] == *trace.to_str().unwrap()));
    assert_eq!(first.stdout, ask().stdout);
    // What is said of the whole is no row.
    let summary = String::from_utf8(first.stderr).unwrap();
    assert!(summary.contains("\"matching\":4"), "{summary}");
}

#[test]
fn several_recordings_are_asked_side_by_side_and_answer_in_their_order() {
    let traces = [recording("written_by").trace, recording("watch").trace];
    let traces: Vec<&Path> = traces.iter().map(AsRef::as_ref).collect();
    let alone: Vec<u8> =
        traces.iter().flat_map(|trace| query("timeline", &[trace], &["--json", "--kinds", "process"]).stdout).collect();
    let together = query("timeline", &traces, &["--json", "--kinds", "process", "--jobs", "2"]);
    assert_eq!(together.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&together.stdout), String::from_utf8_lossy(&alone));
}

#[test]
fn the_exit_status_says_why_there_are_no_rows() {
    let trace = recording("written_by").trace;
    let code = |question: &str, traces: &[&Path], more: &[&str]| query(question, traces, more).status.code();
    assert_eq!(code("calls", &[&trace], &["--function", "add", "--where", "amount > 5000"]), Some(3));
    assert_eq!(code("calls", &[&trace], &["--function", "no_such_function"]), Some(1));
    for (question, option) in [("calls", "--function"), ("trace", "--locations")] {
        let misspelt = query(question, &[&trace], &[option, "ad"]);
        let said = String::from_utf8(misspelt.stderr).unwrap();
        assert!(misspelt.status.code() == Some(1) && said.contains("; did you mean `add`"), "{said}");
    }
    assert_eq!(code("calls", &[Path::new("/no/such/trace")], &["--function", "add"]), Some(1));
    assert_eq!(code("calls", &[&trace], &["--funktion", "add"]), Some(2));
    // As other questions call it.
    assert_eq!(code("calls", &[&trace], &["--location", "add"]), Some(0));
    assert_eq!(code("whose", &[&trace], &[]), Some(2));
    // One that cannot be asked does not take away the other's rows.
    let both = query("calls", &[Path::new("/no/such/trace"), &trace], &["--function", "add", "--json"]);
    assert_eq!((both.status.code(), lines(&both).len()), (Some(1), 4));
}

#[test]
fn a_trace_in_words_is_what_the_tool_says() {
    let trace = recording("written_by").trace;
    let place = format!("written_by.c:{}", line("written_by.c", "adds"));
    let output = query("trace", &[&trace], &["--locations", &place, "--values", "amount", "--summary"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("4 of 4 hits match; replayed "), "{text}");
    assert!(text.contains("amount: 4 values, 4 different, 1 to 1000"), "{text}");
}

#[test]
fn an_expression_that_cannot_be_told_does_not_keep_the_others_from_being_told() {
    let trace = recording("written_by").trace;
    let place = format!("written_by.c:{}", line("written_by.c", "adds"));
    let values = ["--values", "nosuch", "--values", "amount", "--values", "amount +"];
    let output = query("trace", &[&trace], &[&["--locations", &place][..], &values].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("nosuch=<see the notes>  amount=1000  amount +=<see the notes>"), "{text}");
    assert_eq!(text.matches("no symbol \"nosuch\" in current context").count(), 1, "{text}");
    assert_eq!(text.matches("unavailable: expected an expression, found the end\n  amount +\n").count(), 1, "{text}");
    let output = query("calls", &[&trace], &[&["--function", "add"][..], &values].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("amount=1000") && text.matches("no symbol \"nosuch\"").count() == 1, "{text}");
    // Where nothing can be told, and where it is not known which times are meant, there is no answer.
    for more in [&["--values", "nosuch"][..], &["--values", "amount", "--where", "nosuch > 1"]] {
        let output = query("trace", &[&trace], &[&["--locations", &place][..], more].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && said.contains("no symbol \"nosuch\""), "{said}");
    }
}
