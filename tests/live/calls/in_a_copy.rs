//! Functions of the program that are called in a copy of it, of which nothing stays.

use crate::support::fixtures::{program, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{record, recording};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::LazyLock;

const NOTE: &str = "(called in a copy of the program, which is gone: nothing of it stays)";

static TRACE: LazyLock<PathBuf> = LazyLock::new(|| record(&program("called"), &[], scratch()).trace);
static RUST: LazyLock<PathBuf> = LazyLock::new(|| record(&program("called-rust"), &[], scratch()).trace);
static OPTIMISED: LazyLock<PathBuf> = LazyLock::new(|| record(&program("called-rust-O2"), &[], scratch()).trace);

fn allowed() -> Server {
    Server::start_with(&[("RR_MCP_ALLOW_CALLS", "on")])
}

fn stopped(server: &Server) {
    server.replay(&TRACE);
    server.call("rr_breakpoint_set", json!({"location": "add"}));
    assert_eq!(server.call("rr_continue", json!({}))["function"], "add");
}

/// All that a call might leave behind.
fn state(server: &Server) -> [Value; 4] {
    let counter = server.evaluate("counter");
    let of = |tool: &str| server.call(tool, json!({}));
    [of("rr_when"), of("rr_registers"), of("rr_backtrace"), json!(counter)]
}

#[test]
fn functions_are_called_and_nothing_of_it_stays() {
    let server = allowed();
    stopped(&server);
    let before = state(&server);
    assert_eq!(before[3], "10");
    let said = [
        ("print add(2, 3)", "$1 = 5"),
        ("print count() + count()", "$2 = 23"),
        ("print count()", "$3 = 11"),
        ("call dump(&small)", "small: 4, 5"),
        ("print half(5.0)", "$4 = 2.5"),
        ("print length(\"four\")", "$5 = 4"),
    ];
    for (command, expected) in said {
        let answer = server.text("rr_command", json!({"command": command}));
        assert_eq!(answer.trim_end(), format!("{expected}\n{NOTE}"), "{command}");
        assert_eq!(state(&server), before, "{command}");
    }
    for (command, expected) in [
        ("print crash(0)", "The function received signal SIGSEGV at "),
        ("call leave(3)", "The function ended the program"),
    ] {
        let refused = server.fail("rr_command", json!({"command": command}));
        assert!(refused.starts_with(expected), "{command}: {refused}");
        assert_eq!(state(&server), before, "{command}");
    }
    // The session goes on from where it was.
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["reason"], &stop["function"]), (&json!("breakpoint-hit"), &json!("add")), "{stop}");
    assert_eq!(server.evaluate("a"), "1");
}

#[test]
fn functions_of_bases_and_templates_are_called() {
    let server = allowed();
    stopped(&server);
    for (command, expected) in [
        ("print box.area()", "$1 = 15"),
        ("print box.Shape::area()", "$2 = 9"),
        ("print shown->Shape::area()", "$3 = 9"),
        ("print shown->Box::scaled(2)", ""),
        ("print shown->Shape::none(2)", ""),
        ("print none<int>(4)", ""),
    ] {
        if expected.is_empty() {
            let refused = server.fail("rr_command", json!({"command": command}));
            let of_none = "No symbol \"none<int>\" in current context.";
            assert!(refused.starts_with(of_none) || refused.contains("that could be called"), "{command}: {refused}");
            continue;
        }
        let answer = server.text("rr_command", json!({"command": command}));
        assert_eq!(answer.trim_end(), format!("{expected}\n{NOTE}"), "{command}");
    }
}

#[test]
fn a_function_in_assembler_is_called_with_what_is_given() {
    // What it takes is not known, so any arguments will do; what it returns has to be said.
    for (fixture, call, result) in [("assembled", "added(3, 4)", 7), ("labels", "main(1, \"two\")", 0)] {
        let server = allowed();
        server.replay(&recording(fixture).trace);
        server.run_to("main");
        let answer = server.text("rr_command", json!({"command": format!("print (int){call}")}));
        assert_eq!(answer.trim_end(), format!("$1 = {result}\n{NOTE}"), "{fixture}");
        let (name, _) = call.split_once('(').unwrap();
        for uncast in [call.to_owned(), format!("{name}()")] {
            let refused = server.fail("rr_command", json!({"command": format!("print {uncast}")}));
            assert!(refused.contains("cast the call to that"), "{fixture} {uncast}: {refused}");
        }
    }
}

#[test]
fn what_an_indirect_function_chooses_is_called_by_its_name() {
    for fixture in ["chosen", "chosen-static"] {
        let server = allowed();
        server.replay(&recording(fixture).trace);
        server.run_to("tripled");
        let said = [
            ("print (long)scaled(5)", "$1 = 15"),
            ("print (long)strlen(\"abcd\")", "$2 = 4"),
            ("print (int)strcmp(\"a\", \"a\")", "$3 = 0"),
            // By its own name, the code that chooses.
            ("print choose() == tripled", "$4 = 1"),
            ("print (long)(*scaled)(5)", "$5 = 15"),
            ("print (long)(&scaled)(5)", "$6 = 15"),
            ("print ((int (*)(int))scaled)(5)", "$7 = 15"),
            ("print ((int (*)(int))&scaled)(5)", "$8 = 15"),
            ("print ((unsigned long (*)(const char *))strlen)(\"abc\")", "$9 = 3"),
        ];
        for (command, expected) in said {
            let answer = server.text("rr_command", json!({"command": command}));
            assert_eq!(answer.trim_end(), format!("{expected}\n{NOTE}"), "{fixture} {command}");
        }
        let refused = server.fail("rr_command", json!({"command": "print scaled(5)"}));
        assert!(refused.contains("cast the call to that"), "{refused}");
        // What is not called is where it was.
        assert_eq!(server.evaluate("(unsigned long)scaled == (unsigned long)choose"), "1", "{fixture}");
        let refused = server.fail("rr_evaluate", json!({"expression": "(long (*)(long))scaled"}));
        assert!(refused.contains("cannot call a function"), "{fixture}: {refused}");
    }
}

#[test]
fn functions_are_not_called_unless_that_is_allowed() {
    let server = Server::start();
    stopped(&server);
    let before = state(&server);
    for command in ["print add(2, 3)", "call count()"] {
        let refused = server.fail("rr_command", json!({"command": command}));
        assert!(refused.contains("RR_MCP_ALLOW_CALLS=on"), "{command}: {refused}");
    }
    let refused = server.fail("rr_evaluate", json!({"expression": "count()"}));
    assert!(refused.contains("cannot call a function"), "{refused}");
    assert_eq!(state(&server), before);
}

/// Runs to the next stop, and says what an expression is there.
fn next(server: &Server, reverse: bool, expression: &str) -> String {
    let stop = server.call("rr_continue", json!({"reverse": reverse}));
    assert_eq!(stop["reason"], "breakpoint-hit", "{stop}");
    assert!(stop.get("notes").is_none_or(|notes| notes.as_array().is_some_and(Vec::is_empty)), "{stop}");
    server.evaluate(expression)
}

#[test]
fn conditions_call_functions_in_both_directions_and_nothing_of_it_stays() {
    let server = allowed();
    server.replay(&TRACE);
    server.call("rr_breakpoint_set", json!({"location": "add", "condition": "is_even(a)"}));
    assert_eq!(next(&server, false, "a"), "0");
    assert_eq!(next(&server, false, "a"), "2");
    assert_eq!(next(&server, true, "a"), "0");
    server.call("rr_breakpoint_remove", json!({"breakpoint_number": 1}));
    // What it changes, it changes in the copy: it is 11 each time.
    server.call("rr_breakpoint_set", json!({"location": "stop_here", "condition": "n > 0 && count() == 11"}));
    for n in ["1", "2"] {
        assert_eq!(next(&server, false, "n"), n);
        assert_eq!(server.evaluate("counter"), "10");
    }
    assert_eq!(next(&server, true, "n"), "1");
    server.call(
        "rr_breakpoint_update",
        json!({"breakpoint_number": 2, "condition": "shown->area() == 15 && length(\"four\") == n + 2"}),
    );
    assert_eq!(next(&server, false, "n"), "2");
    server.call("rr_breakpoint_remove", json!({"breakpoint_number": 2}));
    // `sink` is 2, 4, 6.
    server.call("rr_watchpoint_set", json!({"expression": "sink", "condition": "!is_even(sink / 2)"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["reason"], &stop["new_value"]), (&json!("watchpoint-trigger"), &json!("6")), "{stop}");
    let stop = server.call("rr_continue", json!({"reverse": true}));
    let stop = match stop["new_value"] == "6" {
        true => server.call("rr_continue", json!({"reverse": true})),
        false => stop,
    };
    assert_eq!((&stop["reason"], &stop["new_value"]), (&json!("watchpoint-trigger"), &json!("2")), "{stop}");
}

#[test]
fn a_condition_whose_function_fails_stops_and_says_why() {
    let server = allowed();
    server.replay(&TRACE);
    let notes = |stop: &Value| stop["notes"].to_string();
    for (condition, why) in [
        ("crash(0)", "the function received signal SIGSEGV at "),
        ("wait_for_ever(1)", "the function did not return within 5s"),
    ] {
        let set = server.call("rr_breakpoint_set", json!({"location": "add", "condition": condition}));
        let stop = server.call("rr_continue", json!({}));
        assert_eq!((&stop["reason"], &stop["function"]), (&json!("breakpoint-hit"), &json!("add")), "{stop}");
        assert!(notes(&stop).contains(why), "{condition}: {stop}");
        server.call("rr_breakpoint_remove", json!({"breakpoint_number": set["number"]}));
    }
}

#[test]
fn a_condition_whose_function_cannot_be_stopped_costs_a_replay() {
    let server = allowed();
    server.replay(&TRACE);
    // Without a branch that is counted, rr is stopped nowhere: another one takes its place.
    let set = server.call("rr_breakpoint_set", json!({"location": "add", "condition": "branchless(1)"}));
    let before = server.call("rr_when", json!({}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["reason"], "cancelled", "{stop}");
    assert!(stop["notes"].to_string().contains("a function that was called did not return"), "{stop}");
    assert_eq!(server.call("rr_when", json!({})), before);
    server.call("rr_breakpoint_update", json!({"breakpoint_number": set["number"], "condition": "is_even(a)"}));
    // Of the first call nothing was told: it is still to come.
    assert_eq!(next(&server, false, "a"), "0");
    assert_eq!(next(&server, false, "a"), "2");
}

#[test]
fn a_condition_whose_function_spins_is_stopped_where_soft_counters_hear_the_debugger() {
    let server = Server::start_with(&[("RR_MCP_ALLOW_CALLS", "on"), ("RETROGRADE_COUNTERS", "soft")]);
    server.replay(&TRACE);
    server.call("rr_breakpoint_set", json!({"location": "add", "condition": "spin(1)"}));
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["reason"], &stop["function"]), (&json!("breakpoint-hit"), &json!("add")), "{stop}");
    assert!(stop["notes"].to_string().contains("the function did not return within 5s"), "{stop}");
}

#[test]
fn a_run_after_a_call_that_was_interrupted_moves() {
    let server = Server::start_with(&[("RR_MCP_ALLOW_CALLS", "on"), ("RETROGRADE_COUNTERS", "soft")]);
    stopped(&server);
    let first = server.evaluate("a");
    let second = next(&server, false, "a");
    for reverse in [true, false] {
        let refused = server.fail("rr_command", json!({"command": "call spin(1)"}));
        assert!(refused.starts_with("The function did not return within 5s"), "{refused}");
        assert_eq!(next(&server, reverse, "a"), if reverse { &first } else { &second }.as_str());
    }
}

#[test]
fn conditions_call_no_functions_unless_that_is_allowed() {
    let server = Server::start();
    server.replay(&TRACE);
    let is_refusal = |words: &str| words.contains("cannot call ") && words.contains("RR_MCP_ALLOW_CALLS=on");
    let refused = server.fail("rr_breakpoint_set", json!({"location": "add", "condition": "is_even(a)"}));
    assert!(is_refusal(&refused), "{refused}");
    // Whether it can be computed what this says, is known where there is an object.
    server.call("rr_breakpoint_set", json!({"location": "stop_here", "condition": "n > 0 && shape.area() == 9"}));
    let stop = server.call("rr_continue", json!({}));
    assert!(is_refusal(&stop["notes"].to_string()), "{stop}");
    // What is wrong is told when the breakpoint is set, also where calls are allowed.
    let server = allowed();
    server.replay(&TRACE);
    for (condition, why) in [("is_even(b, 1)", "it takes (int), not 2 arguments"), ("missing(a)", "no symbol")] {
        let refused = server.fail("rr_breakpoint_set", json!({"location": "add", "condition": condition}));
        assert!(refused.contains(why), "{condition}: {refused}");
    }
    let refused = server.fail("rr_breakpoint_set", json!({"location": "add", "log": "{is_even(a)}"}));
    assert!(refused.contains("cannot call a function"), "{refused}");
}

#[test]
fn functions_of_rust_are_called_as_far_as_it_is_known_how() {
    let server = allowed();
    server.replay(&RUST);
    server.call("rr_breakpoint_set", json!({"location": "stop_here", "condition": "is_bad(n)"}));
    assert_eq!(next(&server, false, "n"), "2");
    assert_eq!(next(&server, false, "n"), "5");
    let said = [
        ("print total(4)", "$1 = 10"),
        ("print mixed(1, 2.0, 3, 4.0, true)", "$2 = 1010"),
        ("print norm(p) + norm(&*p)", "$3 = 50"),
        ("print count() + count()", "$4 = 23"),
        ("print count()", "$5 = 11"),
        ("print added(list)", "$6 = 60"),
        ("print added(&list[1..])", "$7 = 50"),
        ("print length(\"hello\") + length(name)", "$8 = 9"),
        ("print first(name)", "$9 = \"n\""),
        ("print twice(&5) + twice(&n)", "$10 = 20"),
        ("print next(Colour::Red)", "$11 = Green"),
        ("print large_of(3)", "$12 = Large { all: [3, 4, 5, 6, 7] }"),
        ("print area_of(shape)", "$13 = 12"),
        ("print p.sum() + p.scaled(10) + Point::sum(p)", "$14 = 84"),
        ("call dump(p)", "point: 3, 4"),
    ];
    for (command, expected) in said {
        let answer = server.text("rr_command", json!({"command": command}));
        assert_eq!(answer.trim_end(), format!("{expected}\n{NOTE}"), "{command}");
    }
    for (command, why) in [
        ("print by_value(*p)", "It takes called::Point by value"),
        ("print p.consumed()", "It takes the object by value"),
        ("print point_of(1, 2)", "debug info does not tell"),
        ("print norm(list)", "It takes &called::Point, which this is not"),
        ("print added(name)", "It takes &[i32], which this is not"),
    ] {
        let refused = server.fail("rr_command", json!({"command": command}));
        assert!(refused.starts_with(why) || refused.contains(why), "{command}: {refused}");
    }
    assert_eq!(server.evaluate("n"), "5");
    assert_eq!(next(&server, true, "n"), "2");
}

/// Calls functions of which the compiler may have changed how they take their arguments: either that is said, or the
/// answer is what the source says. Returns how many were called.
fn right_or_refused(server: &Server, said: &[(&str, &str)]) -> usize {
    let reasons = [
        "the compiler has changed how it takes its arguments",
        "it is not known how it takes its arguments",
        // Its result may be left out, too; or all of it.
        "debug info does not tell",
        "no symbol \"called::",
    ];
    let is_called = |(call, expected): &&(&str, &str)| {
        let command = json!({"command": format!("print {call}")});
        match server.attempt("rr_command", command.clone()) {
            Ok(_) => {
                let answer = server.text("rr_command", command);
                assert!(answer.contains(&format!(" = {expected}\n")), "{call}: {answer}");
                true
            }
            Err(refused) => {
                let refused = refused.to_lowercase();
                assert!(reasons.iter().any(|reason| refused.contains(reason)), "{call}: {refused}");
                false
            }
        }
    };
    said.iter().filter(is_called).count()
}

#[test]
fn functions_that_an_optimiser_may_have_changed_are_called_rightly_or_not_at_all() {
    for fixture in ["called-changed", "called-changed-clang"] {
        let server = allowed();
        server.replay(&recording(fixture).trace);
        server.run_to("stop_here");
        let may_be_changed = [
            ("second(1, 2)", "6"),
            ("norm(&first)", "25"),
            ("always(7, 2)", "14"),
            ("both(1, 2)", "12"),
            ("halves(4.0, 3, 1.0)", "3"),
            ("eighth(1, 5, 2, 3, 5, 6, 7, 8)", "892"),
        ];
        right_or_refused(&server, &may_be_changed);
        // Others could call this one.
        assert_eq!(right_or_refused(&server, &[("exported(1, 2)", "10")]), 1, "{fixture}");
    }
    let server = allowed();
    server.replay(&OPTIMISED);
    server.run_to("stop_here");
    let said = [("called::norm(p)", "25"), ("called::large_of(3)", "called::Large { all: [3, 4, 5, 6, 7] }")];
    right_or_refused(&server, &said);
}

#[test]
fn a_function_of_rust_that_is_told_its_caller_is_not_called() {
    let server = allowed();
    server.replay(&RUST);
    server.run_to("stop_here");
    let refused = server.fail("rr_command", json!({"command": "print here(1)"}));
    assert!(refused.contains("#[track_caller]"), "{refused}");
}

#[test]
fn before_the_c_library_is_loaded_its_functions_are_not_each_of_rusts_that_has_the_name() {
    let server = allowed();
    server.replay(&RUST);
    let set = server.call("rr_breakpoint_set", json!({"location": "write"}));
    let places = set["places"].as_array().unwrap();
    // Where it is inlined, and instances of generic functions, are not meant.
    assert!(places.len() < 10 && !set["places"].to_string().contains("ptr::write"), "{set}");
    let note = set["note"].as_str().unwrap();
    assert!(note.contains(" left out, such as ") && note.contains("found once that is loaded"), "{note}");
    server.run_to("stop_here");
    let all = server.call("rr_breakpoint_list", json!({}));
    let known = all["result"].as_array().unwrap().iter().find(|one| one["number"] == set["number"]).unwrap();
    assert_eq!(known["function"], "write", "{known}");
}

/// `write` is hundreds of functions of Rust's library, and one of C's.
#[test]
fn an_unqualified_name_means_no_function_of_rusts_library_if_anything_else_has_it() {
    let server = Server::start();
    server.replay(&RUST);
    server.call("rr_breakpoint_set", json!({"location": "stop_here"}));
    server.call("rr_continue", json!({}));
    let set = server.call("rr_breakpoint_set", json!({"location": "write"}));
    assert!(set["function"].as_str().is_some_and(|name| name.ends_with("write") && !name.contains("::")), "{set}");
    assert!(
        set["note"].as_str().is_some_and(|note| note.contains("functions of Rust's library are left out")),
        "{set}"
    );
    // By its scope it is found.
    let set = server.call("rr_breakpoint_set", json!({"location": "ptr::write"}));
    assert!(set.to_string().contains("core::ptr::write"), "{set}");
}
