//! Origins of numbers that lose bytes on their way, and of floating-point numbers, against what the source says of them.

use crate::support::fixtures::line;
use crate::support::mcp::{Server, replaying};
use serde_json::{Value, json};

const SOURCE: &str = "narrowed.c";

fn at_the_end(fixture: &str) -> Server {
    let server = replaying(fixture);
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGABRT");
    let frames = server.call("rr_backtrace", json!({}));
    let main = frames["result"].as_array().unwrap().iter().position(|frame| frame["function"] == "main").unwrap();
    server.call("rr_select_frame", json!({"frame_level": main}));
    server
}

fn rows(server: &Server, expression: &str) -> Vec<Value> {
    let answer = server.call("rr_origin", json!({"expression": expression}));
    assert_eq!(answer["found"], true, "{answer}");
    answer["rows"].as_array().unwrap().clone()
}

/// All that is remarked on the way of a value.
fn remarks(rows: &[Value]) -> Vec<&str> {
    rows.iter().flat_map(|row| row["remarks"].as_array().unwrap()).map(|remark| remark.as_str().unwrap()).collect()
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("no {key}: {row}"))
}

/// The row of the line that a mark names.
fn at<'a>(rows: &'a [Value], mark: &str) -> &'a Value {
    let number = line(SOURCE, mark);
    rows.iter().find(|row| row["line"] == number).unwrap_or_else(|| panic!("none at {mark}: {rows:#?}"))
}

#[test]
fn a_number_that_was_cut_is_told_with_what_it_was_before() {
    for fixture in ["narrowed", "narrowed-O2"] {
        let server = at_the_end(fixture);
        let of = |expression: &str, said: &str| {
            let rows = rows(&server, expression);
            let all = remarks(&rows);
            assert!(all.iter().any(|remark| remark.starts_with("narrowed: ") && remark.contains(said)), "{rows:#?}");
            rows
        };
        of("from_long", "wide was 4294967303, of whose 8 bytes the low 4 went on");
        of("from_result", "25769803779");
        of("from_parameter", "12884901893");
        of("from_int", "code was 300, of whose 4 bytes the low 1 went on");
        // The same number in fewer bytes is no other one, and a member is no part of a number.
        for expression in ["kept", "other.a"] {
            let rows = rows(&server, expression);
            assert!(!remarks(&rows).iter().any(|remark| remark.contains("narrowed")), "{fixture}: {rows:#?}");
        }
    }
    // What a compiler adds in fewer bytes, it reads in fewer.
    let server = at_the_end("narrowed");
    let rows = rows(&server, "from_sum");
    assert!(
        format!("{rows:?}").contains("4294967304") || format!("{rows:?}").contains("low 4 bytes of wide"),
        "{rows:#?}"
    );
}

#[test]
fn a_number_that_means_another_one_after_it_was_extended_is_told_with_both() {
    for fixture in ["narrowed", "narrowed-O2"] {
        let server = at_the_end(fixture);
        let negative = rows(&server, "from_negative");
        let said = "sign-extended from 4 bytes: -2, if it was signed, became 18446744073709551614";
        assert!(remarks(&negative).contains(&said), "{fixture}: {negative:#?}");
        let unsigned = rows(&server, "from_unsigned");
        let said = "zero-extended from 4 bytes: -2, if it was signed, became 4294967294";
        assert!(remarks(&unsigned).contains(&said), "{fixture}: {unsigned:#?}");
    }
}

#[test]
fn floating_point_numbers_are_followed_through_vector_registers() {
    for fixture in ["narrowed", "narrowed-O2"] {
        let server = at_the_end(fixture);
        let halved = rows(&server, "halved");
        let last = halved.last().unwrap();
        assert_eq!((&last["kind"], &last["function"]), (&json!("computed"), &json!("halves")), "{halved:#?}");
        // By 2, or by its half, as the compiler likes; of a number that comes in a register.
        assert!(text(last, "from").contains("10.5") && !text(last, "from").contains("not known"), "{halved:#?}");
        assert_eq!(last["value"], "5.25");
        for expression in ["passed_on", "given"] {
            let rows = rows(&server, expression);
            assert!(rows.iter().all(|row| row["value"] == "10.5"), "{fixture}: {rows:#?}");
            at(&rows, "ten");
            assert_eq!(rows.last().unwrap()["kind"], "constant", "{fixture}: {rows:#?}");
        }
        for (expression, of) in [("negated", "10.5"), ("shorter", "10.5"), ("whole", "10.5")] {
            let rows = rows(&server, expression);
            let computed = rows.last().unwrap();
            assert_eq!(computed["kind"], "computed", "{fixture}: {rows:#?}");
            assert!(text(computed, "from").contains(of), "{fixture}: {rows:#?}");
        }
        let root = rows(&server, "root");
        assert!(text(root.last().unwrap(), "value").starts_with("3.39116"), "{root:#?}");
    }
    let server = at_the_end("narrowed");
    let root = rows(&server, "root");
    let last = root.last().unwrap();
    assert_eq!((&last["kind"], &last["line"]), (&json!("library"), &json!(line(SOURCE, "root"))), "{root:#?}");
    assert_eq!(remarks(&root), ["its first argument, if that is a double: 11.5"], "{root:#?}");
    let parameters: Vec<Value> = rows(&server, "given").into_iter().filter(|row| row["kind"] == "argument").collect();
    assert_eq!(parameters[0]["to"], "parameter value of keeps", "{parameters:#?}");
}

#[test]
fn what_is_allocated_is_told_with_its_size_at_all_levels() {
    for fixture in ["narrowed", "narrowed-O2"] {
        let server = at_the_end(fixture);
        let rows = rows(&server, "cleared");
        let last = rows.last().unwrap();
        assert_eq!(text(last, "from"), "4 * 8 bytes that calloc has allocated", "{fixture}: {rows:#?}");
        assert_eq!(at(&rows, "calloc")["kind"], "allocation", "{fixture}: {rows:#?}");
    }
}
