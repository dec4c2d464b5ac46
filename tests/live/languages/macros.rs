//! Macros of the program in expressions: what they mean where execution is, in conditions, log texts and commands.

use crate::support::fixtures::line;
use crate::support::mcp::{Server, replaying};
use serde_json::json;

fn at(server: &Server, mark: &str) {
    server.run_to(&format!("macros.c:{}", line("macros.c", mark)));
}

fn say(server: &Server, lines: &[&str]) -> String {
    server.text("rr_command", json!({"command": lines.join("\n")}))
}

#[test]
fn macros_mean_what_they_mean_at_the_line_of_the_frame() {
    for fixture in ["macros", "macros-macinfo", "macros-clang", "macros-cpp"] {
        let server = replaying(fixture);
        at(&server, "before");
        assert_eq!(server.evaluate("CLAMP(300,0,255)"), "255", "{fixture}");
        assert_eq!(server.evaluate("shadow"), "5", "{fixture}");
        assert_eq!(server.evaluate("COMMAND + FIRST"), "43", "{fixture}");
        assert_eq!(server.evaluate("NEXT(&head)->value"), "7", "{fixture}");
        assert_eq!(server.evaluate("head.FIELD + SEEN_LATE"), "49", "{fixture}");
        assert_eq!(server.evaluate("WITH_TWO(value)"), "2", "{fixture}");
        assert_eq!(server.evaluate("/x BIT(4) | LENGTH(numbers)"), "0x15", "{fixture}");
        assert_eq!(server.evaluate("(POINT *)&where == &where"), if fixture == "macros-cpp" { "true" } else { "1" });
        at(&server, "helper");
        // In the caller's line `INSIDE` is not defined any more.
        assert_eq!(server.evaluate("n + INSIDE"), "14", "{fixture}");
        server.call("rr_select_frame", json!({"frame_level": 1}));
        let said = server.fail("rr_evaluate", json!({"expression": "INSIDE"}));
        assert!(said.starts_with("no symbol \"INSIDE\" in current context\n"), "{said}");
        at(&server, "within");
        // The macro, as in GDB, although there is a local of that name.
        assert_eq!(server.evaluate("shadow + FIRST_AGAIN"), "1002", "{fixture}");
        let said = server.fail("rr_evaluate", json!({"expression": "1 + WRONG(2)"}));
        let expected = "no symbol \"nosuch\" in current context\n  1 + ((2) + nosuch)\n             ^^^^^^\n  \
                        (macro expansion of 1 + WRONG(2))";
        assert_eq!(said, expected, "{fixture}");
        let said = server.fail("rr_evaluate", json!({"expression": "MAX(1)"}));
        assert_eq!(said, "wrong number of arguments to macro `MAX' (expected 2, got 1)\n  MAX(1)\n  ^^^", "{fixture}");
        let said = server.fail("rr_evaluate", json!({"expression": "XCAT(help, er)(1)"}));
        assert!(said.contains("\n  helper(1)\n") && said.contains("cannot call a function"), "{said}");
        at(&server, "after");
        assert_eq!(server.evaluate("shadow + FIRST"), "7", "{fixture}");
    }
}

/// As `errno` is one: what it calls cannot be called, but the variable of its name can be read.
#[test]
fn a_macro_that_calls_gives_way_to_its_variable() {
    for fixture in ["macros", "macros-macinfo", "macros-clang", "macros-cpp"] {
        let server = replaying(fixture);
        at(&server, "before");
        for (expression, value) in [("status", "4"), ("1 + status", "5"), ("STATUS_TWICE", "8")] {
            let answer = server.call("rr_evaluate", json!({"expression": expression}));
            assert_eq!(answer["value"], value, "{fixture}: {answer:#}");
            let note = json!(["`status` is a macro that calls a function; the variable `status` was read"]);
            assert_eq!(answer["notes"], note, "{fixture}: {answer:#}");
        }
        let said = server.fail("rr_evaluate", json!({"expression": "status_place()"}));
        assert!(said.contains("cannot call a function"), "{said}");
    }
}

#[test]
fn conditions_and_log_texts_mean_the_macros_of_their_place() {
    let server = replaying("macros");
    let [helper, before, within] = ["helper", "before", "within"].map(|mark| line("macros.c", mark));
    let place = |line: u64| format!("macros.c:{line}");
    let set = |location: String, what: (&str, &str)| {
        server.call("rr_breakpoint_set", json!({"location": location, what.0: what.1}))["number"].as_u64()
    };
    set(place(helper), ("condition", "n == INSIDE - 6"));
    set(place(helper), ("condition", "n == INSIDE - 7"));
    set(place(within), ("log", "{shadow} {MAX(counter, FIRST)} {STR(a b)}"));
    let said = server.fail("rr_breakpoint_set", json!({"location": place(before), "condition": "INSIDE == 10"}));
    assert!(said.contains("no symbol \"INSIDE\" in current context"), "{said}");
    assert_eq!(server.call("rr_continue", json!({}))["line"].as_u64(), Some(helper));
    assert_eq!(server.evaluate("n"), "4");
    server.call("rr_select_frame", json!({"frame_level": 1}));
    // It is written where `FIRST` is 2, but the condition is about the one where it was set.
    let watch = json!({"expression": "*&counter", "condition": "FIRST == 1 && counter == 36"});
    server.call("rr_watchpoint_set", watch);
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(server.evaluate("counter"), "36", "{stop}");
    assert_eq!(stop["log"]["result"][0]["text"], "1000 35 \"a b\"", "{stop}");
    let changed = server.call("rr_breakpoint_update", json!({"breakpoint_number": 1, "condition": "NONE() == 4"}));
    assert!(changed.is_object());
}

#[test]
fn commands_show_definitions_and_expansions() {
    let server = replaying("macros");
    at(&server, "within");
    let directory = server.call("rr_backtrace", json!({}))["result"][0]["file"].as_str().unwrap().to_owned();
    let here = line("macros.c", "within");
    let [source, header] = [directory.clone(), directory.replace("macros.c", "macros.h")];
    let shown = say(&server, &["info macro MAX", "info macro SEEN_LATE", "info macro COMMAND", "info macro nosuch"]);
    let expected = [
        format!("Defined at {source}:8"),
        "#define MAX(a, b) ((a) > (b) ? (a) : (b))".to_owned(),
        format!("Defined at {header}:11"),
        format!("  included at {source}:4"),
        "#define SEEN_LATE (ONCE + 2)".to_owned(),
        format!("Defined at {source}:0"),
        "-DCOMMAND=42".to_owned(),
        "The symbol `nosuch' has no definition as a C/C++ preprocessor macro".to_owned(),
        format!("at {source}:{here}"),
    ];
    assert_eq!(shown, expected.join("\n"));
    let shown = say(&server, &["macro expand MAX(FIRST, x)", "macro expand helper(1)", "p CLAMP(-3, FIRST, 9)", "p $"]);
    assert_eq!(shown, "expands to: ((2) > (x) ? (2) : (x))\nexpands to: helper(1)\n$1 = 2\n$2 = 2");
    assert_eq!(
        say(&server, &["whatis TWICE", "ptype POINT", "output COMMAND"]),
        "type = int\ntype = struct point {\n    int x;\n    int y;\n}\n42"
    );
    assert!(say(&server, &["x/2dw &where.x + EMPTY 0", "info source"]).ends_with("Includes preprocessor macro info."));
    // What is displayed keeps the meaning of where that was asked for.
    assert_eq!(say(&server, &["display shadow + counter"]), "1: shadow + counter = 1035");
    assert!(say(&server, &["next"]).ends_with("1: shadow + counter = 1036"));
    assert_eq!(say(&server, &["p shadow"]), "$3 = 5");
    let fails = |line: &str, words: &str| {
        assert_eq!(server.fail("rr_command", json!({"command": line})), words);
    };
    fails("p MAX(1)", "Wrong number of arguments to macro `MAX' (expected 2, got 1).");
    fails("p MAX(1", "Malformed argument list for macro `MAX'.");
    fails("macro expand", "You must follow the `macro expand' command with the expression you\nwant to expand.");
    fails(
        "info macro",
        "You must follow the `info macro' command with the name of the macro\nwhose definition you want to see.",
    );
    fails("info macro -x MAX", "Unrecognized option '-x' to info macro command.  Try \"help info macro\".");
    // Code of other units has none.
    let server = replaying("stepping");
    server.run_to("twice");
    assert_eq!(say(&server, &["info macro MAX"]), "There is no preprocessor macro information for that code.");
    assert_eq!(say(&server, &["macro expand MAX(1, 2)"]), "expands to: MAX(1, 2)");
}
