//! Programs in languages that count, lay out and describe their arrays and records otherwise than C does.

use crate::support::mcp::{Server, replaying};
use serde_json::json;

/// A replay of `languages` in the function that has called `stop`.
fn called(stop: &str, up: usize) -> Server {
    let server = replaying("languages");
    server.run_to(stop);
    for _ in 0..up {
        server.text("rr_command", json!({"command": "up"}));
    }
    server
}

#[track_caller]
fn check(server: &Server, expected: &[(&str, &str)]) {
    for (expression, value) in expected {
        assert_eq!(server.evaluate(expression), *value, "{expression}");
    }
}

#[track_caller]
fn check_refused(server: &Server, expected: &[(&str, &str)]) {
    for (expression, words) in expected {
        let said = server.fail("rr_evaluate", json!({"expression": expression}));
        assert_eq!(said.lines().next(), Some(*words), "{expression}");
    }
}

/// What `info locals` says, by line.
#[track_caller]
fn check_locals(server: &Server, expected: &[&str]) {
    let said = server.text("rr_command", json!({"command": "info locals"}));
    let lines: Vec<&str> = said.lines().collect();
    for line in expected {
        assert!(lines.contains(line), "{line} is not in\n{said}");
    }
}

#[test]
fn arrays_of_fortran_are_those_that_their_descriptors_describe() {
    let server = called("fortran_stop_", 1);
    // Every second element of the caller's array.
    check(&server, &[("a", "{2, 3, 5}"), ("a[1]", "2"), ("a[3]", "5")]);
    server.text("rr_command", json!({"command": "up"}));
    check_locals(
        &server,
        &[
            "back = {6, 4, 2}",
            "counted = {1, 4, 9, 16}",
            "every2 = {2, 3, 5}",
            "names = {\"alpha\", \"beta \"}",
            "nowhere = <not associated>",
            "stars = {{id = 101, name = \"vega  \", seen = {10, 20, 30}, counts = {7, 8, 9}}, \
             {id = 102, name = \"vega  \", seen = {20, 40, 60}, counts = {7, 8, 9}}}",
            "store = {2, 2, 3, 4, 5, 6}",
            // Of the COMMON block.
            "bins = {10, 20, 30}",
            "limit = 99",
        ],
    );
    check(
        &server,
        &[
            ("bins[1]", "10"),
            ("bins[3]", "30"),
            ("back[2]", "4"),
            ("stars[2].seen[-1]", "20"),
            ("stars[1].counts[0]", "7"),
            ("names[2]", "\"beta \""),
            // The index that runs fastest is the last one here.
            ("grid", "{{20, 30}, {21, 31}, {22, 32}}"),
            ("grid[1][3]", "31"),
            ("unused", "<not allocated>"),
            ("sizeof(bins)", "12"),
            ("sizeof(stars[1].seen)", "12"),
            // Case means nothing.
            ("Limit", "99"),
        ],
    );
    check_refused(
        &server,
        &[
            ("unused[1]", "the array is not allocated"),
            (
                "grid(3, 1)",
                "cannot call a function in a replay; read the variables and memory that it would look at; \
                 write grid[1][3]",
            ),
            ("bins[0]", "index 0 is outside of the bounds 1..3"),
            ("bins[4]", "index 4 is outside of the bounds 1..3"),
            ("stars[2].seen[-2]", "index -2 is outside of the bounds -1..1"),
            ("grid[3][3]", "index 3 is outside of the bounds 0..2"),
            ("every2 + 1", "cannot take the address of an array whose elements do not follow each other in memory"),
        ],
    );
    let passed_over = server.call("rr_evaluate", json!({"expression": "back", "from": 1}));
    assert_eq!(passed_over["value"], "{4, 2}");
    let frame = server.text("rr_command", json!({"command": "info frame"}));
    assert!(frame.contains("source language fortran."), "{frame}");
}

#[test]
fn a_watched_array_of_fortran_ends_where_it_does() {
    let server = called("fortran_stop_", 2);
    // `limit`, which follows in memory, was written after `bins`.
    server.call("rr_watchpoint_set", json!({"expression": "bins"}));
    let stop = server.call("rr_continue", json!({"reverse": true}));
    assert_eq!(stop["new_value"], "{10, 20, 30}", "{stop}");
}

#[test]
fn arrays_and_variants_of_ada_are_what_they_are() {
    let server = called("ada_stop", 1);
    check_locals(
        &server,
        &[
            "held = {11, 22, 33}",
            "colors = {4, 5, 6}",
            "flags = {true, false, false, true, false, true, false, false}",
            "packed = {1, 2, 15, 4}",
            "grid = {{1, 2, 3}, {4, 5, 6}}",
            "circle = {round = true, name = 1, radius = 25}",
            "box = {round = false, name = 2, w = 3, h = 4}",
            "here = 2",
            "shade = blue",
        ],
    );
    check(
        &server,
        &[
            ("held[1]", "11"),
            ("Held[3]", "33"),
            ("flags[3]", "true"),
            ("flags[4]", "false"),
            ("packed[3]", "15"),
            ("grid[-1][3]", "2"),
            ("circle.radius", "25"),
            ("box.w + box.h", "7"),
            ("held[here]", "22"),
            ("sizeof(flags)", "1"),
            ("sizeof(packed)", "2"),
            ("sizeof(held)", "12"),
        ],
    );
    check_refused(
        &server,
        &[
            ("circle.w", "w is a member of another variant than the one that the object is"),
            ("box.radius", "radius is a member of another variant than the one that the object is"),
            (
                "grid(-1, 3)",
                "cannot call a function in a replay; read the variables and memory that it would look at; \
                 write grid[-1][3]",
            ),
        ],
    );
}

#[test]
fn dynamic_arrays_of_d_are_shown_as_arrays() {
    let server = called("d_stop", 1);
    check_locals(
        &server,
        &[
            "store = {0, 10, 20, 30}",
            "all = {0, 10, 20, 30}",
            "middle = {10, 20}",
            "none = {}",
            "text = \"text\"",
            "wide = u\"wide\"",
            "seen = {{key = \"first\", counts = {0, 10, 20, 30}}, {key = \"second\", counts = {10, 20}}}",
        ],
    );
    check(
        &server,
        &[
            ("all[3]", "30"),
            ("seen[1].counts[0]", "10"),
            ("middle.length", "2"),
            ("*middle.ptr", "10"),
            ("text == \"text\"", "1"),
            ("$_streq(seen[0].key, \"first\")", "1"),
            ("/r middle.length", "2"),
        ],
    );
    check_refused(&server, &[("all[4]", "index 4 is past the end: there are 4 elements")]);
}

#[test]
fn names_of_pascal_are_found_in_any_case() {
    let server = replaying("pascal");
    assert_eq!(server.run_to("AddTwo")["function"], "AddTwo");
    check(&server, &[("First", "3"), ("first", "3"), ("SECOND", "4"), ("total", "0"), ("first + Second", "7")]);
    // In any other case that is the result, as in GDB.
    assert!(server.evaluate("AddTwo").contains("{") && !server.evaluate("addtwo").contains("{"));
    check_refused(&server, &[("third", "no symbol \"third\" in current context")]);
    // What nothing else is called is said.
    let answer = server.text("rr_evaluate", json!({"expression": "SECOND"}));
    assert!(answer.contains("`SECOND` is `Second`"), "{answer}");
    let answer = server.text("rr_evaluate", json!({"expression": "Second"}));
    assert!(!answer.contains(" is `"), "{answer}");
    let listed = server.text("rr_command", json!({"command": "info functions -n ^Add"}));
    assert!(listed.contains("\nFile pascal_part.pas:\n") && listed.contains("AddTwo("), "{listed}");
}

#[test]
fn a_name_of_fortran_is_what_the_nearest_use_makes_of_it() {
    let server = called("names_stop_", 1);
    check(&server, &[("q", "11"), ("y", "32"), ("sum", "43")]);
    server.call("rr_breakpoint_set", json!({"location": "names_stop_"}));
    server.call("rr_continue", json!({}));
    server.text("rr_command", json!({"command": "up"}));
    check(&server, &[("x", "11"), ("y", "12"), ("z", "23")]);
    server.call("rr_continue", json!({}));
    server.text("rr_command", json!({"command": "up"}));
    check(&server, &[("w", "31"), ("y", "32"), ("z", "23"), ("x", "11")]);
}
