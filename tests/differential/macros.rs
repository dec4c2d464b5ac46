//! Macros in expressions, as gcc and clang write them in every version: the same values as GDB's `print`, and the same
//! answers of `info macro` and `macro expand`.

use crate::picture::{gdb_value, our_value};
use crate::support::fixtures::{line, program};
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::recording;
use serde_json::json;

/// Expressions of the macros of `macros.c`.
const EXPRESSIONS: &[&str] = &[
    "FIRST",
    "FIRST + SEVERAL",
    "FIRST_AGAIN",
    "CLAMP(300,0,255)",
    "CLAMP (-3, 0, 255)",
    "CLAMP(counter, 0, 255)",
    "MAX(1, 2)",
    "MAX(MAX(1, 7), MAX(3, 4))",
    "MAX((1, 2), 0)",
    "MAX(where.x, where.y)",
    "MAX(1)",
    "MAX(1, 2, 3)",
    "MAX()",
    "MAX(1, 2",
    "MAX",
    "SQUARE(1 + 2)",
    "SQUARE(SQUARE(3))",
    "-SQUARE(3)",
    "STR(a  b)",
    "STR(\"a\\n\")",
    "STR(FIRST)",
    "XSTR(FIRST)",
    "STR()",
    "sizeof(STR(abc))",
    "CAT(1, 2)",
    "CAT(0x, ff)",
    "CAT(coun, ter)",
    "XCAT(FIRST, FIRST)",
    "CAT(value, _two)",
    "WITH_TWO(value)",
    "LIST(1)",
    "LIST(1, 2, 3)",
    "LAST(1, 2)",
    "LAST(7)",
    "OPTIONAL(1)",
    "OPTIONAL(1, 2)",
    "SELF",
    "self",
    "TWICE",
    "TWICE * TWICE",
    "1-NEGATIVE",
    "1 -NEGATIVE",
    "EMPTY 1",
    "EMPTY",
    "EMPTY + EMPTY 2",
    "NONE()",
    "NONE( )",
    "NONE(1)",
    "NONE",
    "NEXT(&head)",
    "NEXT(&head)->value",
    "*NEXT(&head)",
    "head.FIELD",
    "head.FIELD + tail.value",
    "sizeof(POINT)",
    "*(POINT *)&where",
    "AS(char, 97)",
    "AS(POINT *, 0)",
    "BIT(3)",
    "/x BIT(31)",
    "/t flags | BIT(0)",
    "IS_SET(flags, 1)",
    "IS_SET(flags, 2)",
    "LENGTH(numbers)",
    "numbers[FIRST]",
    "&numbers[FIRST]",
    "WRONG(1)",
    "shadow",
    "shadow + 1",
    "GONE",
    "ONCE",
    "SEEN_LATE",
    "IN_FUNCTION",
    "INSIDE",
    "LATE",
    "__LINE__",
    "__LINE__ + 1",
    "\"FIRST\"",
    "'F'",
    "'macros.c'::counter",
    "counter.FIRST",
    "nosuch(1)",
];

/// What GDB does not know of clang's programs, as those are listed behind all files.
const UNKNOWN_OF_CLANG: [&str; 3] = ["COMMAND", "COMMAND + 1", "__STDC__"];

/// What is asked for of commands.
const COMMANDS: &[&str] = &[
    "info macro FIRST",
    "info macro MAX",
    "info macro LIST",
    "info macro LAST",
    "info macro NONE",
    "info macro EMPTY",
    "info macro ONCE",
    "info macro SEVERAL",
    "info macro -a SEVERAL",
    "info macro -a FIRST",
    "info macro SEEN_LATE",
    "info macro IN_FUNCTION",
    "info macro shadow",
    "info macro GONE",
    "info macro nosuch",
    "macro expand MAX(MAX(1, 7), FIRST)",
    "macro expand CLAMP(FIRST, x, y)",
    "macro expand STR(a \"b\") XSTR(FIRST) STR(FIRST)",
    "macro expand LIST(1) LIST(1, 2) LAST(3, 4)",
    "macro expand OPTIONAL(1) OPTIONAL(1, 2)",
    "macro expand SELF self",
    "macro expand NEXT(a).FIELD",
    "macro expand -NEGATIVE EMPTY NONE() NONE",
    "macro expand \"FIRST\" FIRST FIRST.FIRST",
    "macro expand nosuch(1)",
];

/// The text without white space, which is written otherwise between tokens.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn compare(fixture: &str) {
    let trace = recording(fixture).trace;
    let mut gdb = Gdb::start(&trace, &program(fixture));
    let server = Server::start();
    server.replay(&trace);
    let mut different = Vec::new();
    let places = [("macros.h", "in-header"), ("macros.c", "helper"), ("macros.c", "within"), ("macros.c", "after")];
    for (file, mark) in places {
        let start = format!("{file}:{}", line(file, mark));
        gdb.command(&format!("-break-insert -t {start}"));
        gdb.run("-exec-continue").unwrap();
        server.run_to(&start);
        let is_clang = fixture.contains("clang");
        let also = UNKNOWN_OF_CLANG.iter().filter(|_| !is_clang);
        for expression in EXPRESSIONS.iter().chain(also) {
            match (our_value(&server, expression), gdb_value(&mut gdb, expression)) {
                (Ok(ours), Ok(theirs)) if ours == theirs => {}
                (Err(_), Err(_)) => {}
                (ours, theirs) => {
                    different.push(format!("{start} {expression}\n    ours {ours:?}\n    gdb  {theirs:?}"));
                }
            }
        }
        if is_clang {
            assert_eq!(our_value(&server, "COMMAND + __STDC__").unwrap(), "43", "{start}");
        }
        for command in COMMANDS {
            let ours = server.text("rr_command", json!({"command": command}));
            let theirs = gdb.console(command).unwrap();
            if bare(&ours) != bare(&theirs) {
                different.push(format!("{start} {command}\n    ours {ours}\n    gdb  {theirs}"));
            }
        }
    }
    assert!(different.is_empty(), "{fixture}:\n{}", different.join("\n"));
}

#[test]
fn macros_of_gcc_programs() {
    for fixture in ["macros", "macros-dwarf4", "macros-macinfo"] {
        compare(fixture);
    }
}

#[test]
fn macros_of_clang_programs() {
    for fixture in ["macros-clang", "macros-clang4"] {
        compare(fixture);
    }
}

#[test]
fn macros_of_cpp_programs() {
    compare("macros-cpp");
}
