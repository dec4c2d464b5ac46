//! What people type: expressions that the programs evaluate, too, and print with their values.

use crate::gdb;
use crate::program::Program;
use ctype::Dialect;

/// Compares all that a fixture prints with what the same expressions are here.
fn compare(fixture: &str, dialect: Dialect, least: usize, ours: impl Fn(&mut Program, &str) -> String) {
    let (mut program, told) = Program::start_telling(fixture, dialect);
    assert!(told.len() >= least, "{fixture} has told of {} expressions", told.len());
    let mut wrong = Vec::new();
    for (expression, value) in &told {
        let shown = ours(&mut program, expression);
        if shown != *value {
            wrong.push(format!("{expression}\n    ours    {shown}\n    program {value}"));
        }
    }
    assert!(wrong.is_empty(), "{fixture}: {} of {}\n{}", wrong.len(), told.len(), wrong.join("\n"));
}

#[test]
fn cxx_programs_say_the_same() {
    for fixture in ["typed_expressions", "typed_expressions-libcxx"] {
        compare(fixture, Dialect::Cxx, 130, |program, expression| program.try_show(expression));
    }
}

#[test]
fn rust_programs_say_the_same() {
    // Where a reference is shown, a program prints what it leads to, as of an owner without its counts; and a vector that
    // was made is one.
    let plain = |text: &str| without_counts(&text.replace('&', "").replace("vec!", ""));
    compare("typed_expressions-rust", Dialect::Rust, 60, |program, expression| {
        plain(&program.try_show(&expression.replace("h.", "(*HELD.p.value).")))
    });
}

/// Leaves the value of an `Rc { value: 11, strong: 2, weak: 1 }`.
fn without_counts(text: &str) -> String {
    let owned = text.split_once("Rc { value: ").and_then(|(before, owner)| {
        let (value, counts) = owner.split_once(", strong: ")?;
        Some(format!("{before}{value}{}", counts.split_once(" }")?.1))
    });
    owned.unwrap_or_else(|| text.to_owned())
}

#[test]
fn of_rust_what_cannot_be_asked_is_said() {
    let mut program = Program::start_telling("typed_expressions-rust", Dialect::Rust).0;
    for (expression, value) in [
        ("@.v[2..9]", "the range 2..9 does not fit: there are 4 elements"),
        ("@.v[3..1]", "the range 3..1 does not fit"),
        ("@.text[1..9]", "the range 1..9 does not fit: there are 5 bytes"),
        ("@.deque[1..2]", "operator [..] does not apply to"),
        ("@.rc[1..2]", "operator [..] does not apply to"),
        ("@.some.x", "there is no member named \"x\" in "),
        ("@.some.x", "@.some.unwrap().x"),
        ("@.v.iter().max()", "cannot call max() of"),
        ("@.map.iter().nth(0)", "cannot call nth() of"),
        ("@.v.downcast_ref::<i32>()", "cannot call downcast_ref() of"),
        ("@.iter", "Iter[6, 7, 8, 9]"),
        ("@.into_iter", "IntoIter[2, 3]"),
        ("@.iter.nth(1)", "Some(&7)"),
        ("@.os_error", "Os { code: 2, kind: NotFound }"),
        ("@.kind_error", "Kind(UnexpectedEof)"),
        ("@.custom_error", "Custom { kind: Other, error: Box(StringError(\"custom\")) }"),
        ("&@.v[1..3]", "&[2, 3]"),
        ("@.any.downcast_ref::<Point>()", "Some(&Point { x: 5, y: 6 })"),
    ] {
        let shown = program.try_show(&expression.replace('@', "(*HELD.p.value)"));
        let value = value.replace('@', "(*HELD.p.value)");
        assert!(if shown.contains('^') { shown.contains(&value) } else { shown == value }, "{expression}: {shown}");
    }
}

/// What GDB can evaluate of these without calling anything.
const AS_GDB: &[&str] = &[
    "base.*member",
    "derived.*member",
    "derived.*far_member",
    "derived.*inherited",
    "pointer->*member",
    "reference.*member",
    "(boxed.*whole).y",
    "boxed.*whole",
    "&(derived.*member) == &derived.second",
    "Box<int>::count",
    "box_of_int.count",
    "member",
    "bs",
];

#[test]
fn gdb_says_the_same() {
    let mut program = Program::start_telling("typed_expressions", Dialect::Cxx).0;
    let theirs = gdb::print(program.id(), AS_GDB);
    let all: Vec<_> = AS_GDB.iter().map(|expression| (expression, program.try_show(expression))).collect();
    let wrong: Vec<_> = all.iter().filter(|(expression, ours)| *ours != theirs[**expression]).collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{theirs:?}");
}

/// What has no value says why, in both libraries.
#[test]
fn what_cannot_be_asked_is_said() {
    for fixture in ["typed_expressions", "typed_expressions-libcxx"] {
        let mut program = Program::start_telling(fixture, Dialect::Cxx).0;
        for (expression, value) in [
            ("base.*no_member", "the pointer to member is null"),
            ("base.*far_member", "operator .* does not apply to Base; it needs an object of the class"),
            ("derived.*referred", "operator .* does not apply to int; it needs a pointer to a member"),
            ("referred.*member", "operator .* does not apply to int"),
            ("*names.find(9)", "it is past the last element"),
            ("names.find(9)->second", "it is past the last element"),
            ("names.end() - names.begin()", "index the container itself"),
            ("node[1]", "index the container itself"),
            ("text.substr(20)", "position 20 is past the end: the text has 19 characters"),
            ("none == words", "operator == does not apply to std::"),
            ("(bool)words", "cannot cast std::"),
            ("wide_bs.to_ulong()", "cannot call to_ulong() of std::"),
        ] {
            let shown = program.try_show(expression);
            // Comparing an empty optional needs no value.
            let is_right = shown.contains(value) || (expression == "none == words" && shown == "false");
            assert!(is_right, "{fixture} {expression}: {shown}");
        }
        assert_eq!(program.try_show("names.find(9)"), "past-the-end iterator for std::map", "{fixture}");
        assert_eq!(program.try_show("names.end()"), "past-the-end iterator for std::map", "{fixture}");
        assert_eq!(program.try_show("rw"), "std::reference_wrapper<int> = {get() = 77}", "{fixture}");
        assert_eq!(program.try_show("rit"), "40", "{fixture}");
        assert_eq!(program.try_show("not_found"), "std::error_code = {\"generic\": ENOENT}", "{fixture}");
    }
}
