//! What Rust functions return, against what the program itself prints of it.

use crate::support::fixtures::program;
use crate::support::mcp::replaying;
use serde_json::{Value, json};
use std::process::Command;

/// Where the notation is not that of `{:?}`.
const NOTATION: &[(&str, &str)] = &[
    ("r_vec", "vec![7, 2]"),
    ("r_vecs", r#"vec!["a7"]"#),
    ("r_box", "Box(7)"),
    ("r_boxdyn", "Box(7)"),
    ("r_slice", "&[1, 2, 3]"),
    ("r_opt_box", "Some(Box(5))"),
    ("r_arr16", "[7 <repeats 16 times>]"),
    ("r_rc", "Rc { value: 7, strong: 1, weak: 0 }"),
    ("r_arc", r#"Arc { value: "arc", strong: 1, weak: 0 }"#),
    ("r_map", "BTreeMap{7: 1}"),
    ("r_set", "BTreeSet{7}"),
    ("r_vd", "VecDeque[7, 1]"),
    ("r_refcell", "RefCell { value: 7, borrow: 0 }"),
    ("r_range", "Range { start: 1, end: 7 }"),
    ("r_range64", "Range { start: 1, end: 7 }"),
    ("r_cow", r#"Borrowed("cow")"#),
    ("r_cow2", r#"Owned("c7")"#),
];
/// `extern "C"` functions have these elsewhere.
const UNCLEAR: &[&str] = &["r_f1", "r_p2", "r_w", "r_wf", "r_ww", "r_c2", "r_uf", "r_n2", "r_e3"];

/// Each function's name, what it returns, and the answer of `rr_finish`.
fn returned(fixture: &str) -> Vec<(String, String, Value)> {
    let printed = Command::new(program(fixture)).output().unwrap().stdout;
    let server = replaying(fixture);
    let mut answers = Vec::new();
    for line in String::from_utf8(printed).unwrap().lines() {
        let (name, value) = line.split_once('\t').unwrap();
        let expected = NOTATION.iter().find(|(n, _)| *n == name).map_or(value, |(_, value)| value);
        server.run_to(&format!("rust_returns::{name}"));
        let mut answer = server.call("rr_finish", json!({}));
        // It may begin with an inlined function, which is left first.
        while answer["function"] == json!(format!("rust_returns::{name}")) {
            answer = server.call("rr_finish", json!({}));
        }
        answers.push((name.to_owned(), without_zero(expected), answer));
    }
    answers
}

/// `7` for `7.0`, but `7.05` as it is.
fn without_zero(text: &str) -> String {
    let mut parts = text.split(".0");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        all += if part.starts_with(|c: char| c.is_ascii_digit()) { ".0" } else { "" };
        all += part;
    }
    all
}

#[test]
fn unoptimised_functions_return_what_they_say() {
    for (name, expected, answer) in returned("rust_returns") {
        let value = &answer["return_value"];
        match UNCLEAR.contains(&name.as_str()) && value.is_null() {
            true => assert!(answer["notes"].to_string().contains("`repr(C)` types"), "{name}: {answer}"),
            false => {
                assert_eq!(*value, json!(expected), "{name}: {answer}");
                assert_eq!(answer["notes"], Value::Null, "{name}: {answer}");
            }
        }
    }
}

/// Five objects, each of which leads to all: none is shown twice.
#[test]
fn the_variables_of_a_graph_fit_an_answer() {
    let server = replaying("library_types-rust");
    server.run_to("library_types.rs:70");
    let answer = server.call("rr_locals", json!({}));
    let text = answer.to_string();
    assert!(text.len() < 8_000, "{} {text}", text.len());
    for n in 0..5 {
        assert_eq!(text.matches(&format!("node number {n} ")).count(), 1, "{text}");
    }
    assert!(text.contains("back: RefCell { value: (Weak), borrow: 0 }"), "{text}");
}

/// Optimisers leave out what callers know: then the answer says that it is not known, and why.
#[test]
fn optimised_functions_return_what_they_say_or_it_is_not_known() {
    const REASONS: &[&str] = &["`repr(C)` types", "LLVM may leave out", "does not show that it returns the address"];
    for (name, expected, answer) in returned("rust_returns-2") {
        let (value, notes) = (&answer["return_value"], answer["notes"].to_string());
        match value.is_null() {
            true => assert!(REASONS.iter().any(|why| notes.contains(why)), "{name}: {answer}"),
            false => assert_eq!(*value, json!(expected), "{name}: {answer}"),
        }
        // What is computed from the argument is certain.
        assert!(!value.is_null() || !["r_u64", "r_f64", "r_bool"].contains(&name.as_str()), "{answer}");
    }
}
