//! Every global of `types.c` and a list of expressions: the same text as GDB's `print`.

use crate::picture::{gdb_value, our_value};
use crate::support::fixtures::{line, program};
use crate::support::gdb::Gdb;
use crate::support::mcp::Server;
use crate::support::recordings::recording;

/// Expressions over the globals of `types.c`.
const EXPRESSIONS: &[&str] = &[
    "truth",
    "letter",
    "negative",
    "octet",
    "small",
    "ushort_value",
    "integer",
    "unsigned_value",
    "long_value",
    "word_value",
    "huge",
    "single_value",
    "double_value",
    "extended",
    "complex_value",
    "text",
    "padded",
    "embedded",
    "string",
    "null_string",
    "matrix",
    "repeated",
    "many",
    "colour",
    "odd_colour",
    "flags",
    "unknown_flags",
    "where",
    "bits",
    "number",
    "outer",
    "handler",
    "handlers",
    "opaque",
    "pointer",
    "qualified",
    "incomplete",
    "*pointer",
    "&where",
    "&where.y",
    "*outer.self",
    "outer.action",
    "main",
    "&main",
    "*handler",
    "&matrix",
    "&matrix[1]",
    "matrix[1]",
    "*matrix",
    "&text",
    "&text[1]",
    "text[1]",
    "string[2]",
    "*string@5",
    "many[10]@5",
    "where.x + where.y",
    "letter + 1",
    "octet * 2",
    "negative * 2",
    "small / 7",
    "small % 7",
    "-small",
    "~octet",
    "!octet",
    "!!octet",
    "unsigned_value + integer",
    "long_value + unsigned_value",
    "word_value + 1",
    "single_value * 2",
    "double_value / 3",
    "integer / 2.0",
    "1 / 3.0",
    "1.0f / 3",
    "10 / 4",
    "10 % 4",
    "-10 / 4",
    "-10 % 4",
    "1 << 31",
    "1u << 31",
    "1 << 10",
    "integer < unsigned_value",
    "pointer == &integer",
    "pointer + 1",
    "pointer - 1",
    "&many[7] - &many[2]",
    "&many[7] > &many[2]",
    "sizeof(int)",
    "sizeof where",
    "sizeof(struct outer)",
    "sizeof matrix / sizeof matrix[0]",
    "(char)97",
    "(unsigned char)300",
    "(short)70000",
    "(long)integer",
    "(float)1 / 3",
    "(int)3.99",
    "(int)-3.99",
    "(struct point *)0",
    "(void *)1",
    "(enum colour)5",
    "(enum flags)3",
    "'a'",
    "'\\n'",
    "'a' + 1",
    "\"abc\"",
    "sizeof \"abc\"",
    "colour + 1",
    "colour == GREEN",
    "flags & READ",
    "BLUE",
    "1 ? 2 : 3",
    "0 || 0",
    "1 && 2",
    "(1, 2)",
    "0x10",
    "010",
    "5000000000",
    "4000000000",
    "1.5e3",
    "outer.as_int",
    "outer.first",
    "(&outer)->where.x",
    "bits.middle",
    "bits.high + 1",
    "bits.flag",
    "number.bytes",
    "/x number.bytes",
    "/x where",
    "/d letter",
    "/c integer",
    "/t octet",
    "/o octet",
    "/a handler",
    "/x -1",
    "/x negative",
    "/u small",
    "/s text",
    "/z octet",
    "/x many[1]@3",
    "/f single_value",
    "'types.c'::integer",
    "use::calls",
    "*outer.self->self",
    "outer.flexible",
    "$pc",
    "$sp",
    "$rip == $pc",
    "/x $eflags",
    "(long)&where % 4",
    "&where == 0",
    "*&integer",
    "&*pointer",
    "where == where",
];

fn compare(fixture: &str) {
    let trace = recording(fixture).trace;
    let mut gdb = Gdb::start(&trace, &program(fixture));
    let server = Server::start();
    server.replay(&trace);
    let start = format!("types.c:{}", line("types.c", "inner"));
    gdb.command(&format!("-break-insert -t {start}"));
    gdb.run("-exec-continue").unwrap();
    server.run_to(&start);
    let mut different = Vec::new();
    for expression in EXPRESSIONS {
        match (our_value(&server, expression), gdb_value(&mut gdb, expression)) {
            (Ok(ours), Ok(theirs)) if ours == theirs => {}
            (Err(_), Err(_)) => {}
            (ours, theirs) => different.push(format!("{expression}\n    ours {ours:?}\n    gdb  {theirs:?}")),
        }
    }
    assert!(different.is_empty(), "{fixture}:\n{}", different.join("\n"));
}

#[test]
fn values_of_gcc_programs() {
    compare("types");
}

#[test]
fn values_of_clang_programs() {
    compare("types-clang");
}
