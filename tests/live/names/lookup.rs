//! Whose variable or function a name means: the frame's, the program's, or a library's; and what the linker removed.

use crate::names::whose::replay_of;
use crate::support::fixtures::{built_by, line, program};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::recording_of;
use serde_json::json;

/// A replay of `same_names`.
fn same_names() -> Server {
    let library = program("libsame_names.so");
    let recording = recording_of("same_names", &[library.to_str().unwrap()]);
    let server = Server::start();
    server.replay(&recording.trace);
    server
}

/// Checks values, and the note beside each, if there is to be one.
#[track_caller]
fn check(server: &Server, expected: &[(&str, &str, &str)]) {
    for (expression, value, note) in expected {
        let answer = server.call("rr_evaluate", json!({"expression": expression}));
        let notes = answer.get("notes").cloned().unwrap_or(json!([]));
        let expected: Vec<&str> = Some(*note).filter(|note| !note.is_empty()).into_iter().collect();
        assert_eq!((answer["value"].as_str().unwrap(), notes), (*value, json!(expected)), "{expression}");
    }
}

const TWICE: &str = "`twice` is 'same_names.c'::twice; there is also 'same_names_other.c'::twice";

#[test]
fn a_name_in_a_frame_of_a_library_is_the_programs() {
    let server = same_names();
    server.run_to(&format!("same_names.c:{}", line("same_names.c", "loaded")));
    server.run_to("library_enter");
    check(
        &server,
        &[
            ("own", "100", ""),
            ("state", "2", ""),
            ("buffer", "3", ""),
            ("hidden", "11", ""),
            ("thing.program_has_one", "5", ""),
            ("sizeof(struct thing)", "4", ""),
            ("(int)RED", "1", ""),
            ("twice + state", "6", TWICE),
            ("only_library + library_global", "415", ""),
            ("'same_names_parts.c'::state", "202", ""),
            ("'same_names_other.c'::twice", "10", ""),
            ("initial == 206", "0", ""),
        ],
    );
    assert!(server.evaluate("initial").ends_with(" <initial>"));
    assert!(server.evaluate("write").starts_with("{int (int)} "));
    let watch = |expression: &str| server.call("rr_watchpoint_set", json!({"expression": expression}));
    let (state, twice) = (watch("state"), watch("twice"));
    assert_eq!((state.get("notes"), &twice["notes"]), (None, &json!([TWICE])), "{state} {twice}");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["breakpoint_number"], state["number"], "{stop}");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["breakpoint_number"], twice["number"], "{stop}");
    // Here it is the unit's own.
    let said = server.text("rr_command", json!({"command": "print twice == result"}));
    assert_eq!(said, "$1 = 1");
}

#[test]
fn conditions_and_log_texts_say_whose_variable_they_name() {
    let server = same_names();
    server.run_to(&format!("same_names.c:{}", line("same_names.c", "loaded")));
    let place = format!("same_names_library.c:{}", line("same_names_library.c", "entered"));
    let wrong = json!({"location": place, "condition": "twice != 4 || state != 2"});
    assert_eq!(server.call("rr_breakpoint_set", wrong)["notes"], json!([TWICE]));
    let log = json!({"location": place, "log": "{twice} {hidden}"});
    assert_eq!(server.call("rr_breakpoint_set", log)["notes"], json!([TWICE]));
    let right = json!({"location": place, "condition": "hidden == 11 && buffer == 3"});
    let right = server.call("rr_breakpoint_set", right);
    assert_eq!(right.get("notes"), None, "{right}");
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["breakpoint_number"], stop.get("notes")), (&right["number"], None), "{stop}");
    let said = server.text("rr_command", json!({"command": "print twice\nprint state"}));
    assert_eq!(said, format!("$1 = 4\n{TWICE}\n$2 = 2"));
}

#[test]
fn a_librarys_static_is_said_to_be_one_in_a_frame_of_the_program() {
    let server = same_names();
    server.run_to(&format!("same_names.c:{}", line("same_names.c", "state")));
    let note = "`only_library` is 'same_names_parts.c'::only_library in libsame_names.so";
    check(
        &server,
        &[
            ("own", "1", ""),
            ("state", "2", ""),
            ("twice", "4", ""),
            ("hidden", "11", ""),
            ("sizeof(struct thing)", "4", ""),
            ("only_library", "207", note),
        ],
    );
    // The library's is a static function, C's library has the global one.
    assert!(!server.evaluate("write").starts_with("{int (int)} "));
}

#[test]
fn a_plain_name_is_no_function_of_a_scope() {
    let server = replaying("scoped_functions");
    server.run_to(&format!("scoped_functions.cpp:{}", line("scoped_functions.cpp", "main")));
    for name in ["swap", "begin", "size", "total", "price", "inside"] {
        let said = server.fail("rr_evaluate", json!({"expression": name}));
        assert!(said.contains(&format!("no symbol \"{name}\" in current context")), "{said}");
    }
    for name in ["write", "read", "open", "close", "getline", "::write"] {
        let value = server.evaluate(name);
        assert!(!value.contains("std::") && !value.contains("shop::"), "{name}: {value}");
    }
    for (name, shown) in [
        ("shop::total", "<shop::total(int)>"),
        ("shop::price", "<shop::v2::price(int)>"),
        ("shop::Basket::size", "<shop::Basket::size() const>"),
        ("unnamed", "<(anonymous namespace)::unnamed(int)>"),
        ("overloaded", "<overloaded(int)>"),
    ] {
        let value = server.evaluate(name);
        assert!(value.ends_with(shown), "{name}: {value}");
    }
    // Breakpoints go to all scopes.
    let set = server.text("rr_command", json!({"command": "break total"}));
    assert!(set.starts_with("Breakpoint 2 at ") && set.contains("scoped_functions.cpp"), "{set}");
}

#[test]
fn what_the_linker_removed_has_no_value() {
    for fixture in ["removed", "removed-static", "removed-clang"] {
        let server = replaying(fixture);
        server.run_to(&format!("removed.c:{}", line("removed.c", "main")));
        for name in ["removed_static", "removed_global", "removed_thread", "removed_function::removed_calls"] {
            assert_eq!(server.evaluate(name), "<unavailable: removed by the linker>", "{fixture}: {name}");
        }
        assert_eq!(server.evaluate("removed_pair"), "<unavailable: removed by the linker>", "{fixture}");
        assert_eq!(server.evaluate("kept_static"), "10", "{fixture}");
        assert_eq!(server.evaluate("kept_thread"), "12", "{fixture}");
        assert_eq!(server.evaluate("sizeof(removed_pair)"), "8", "{fixture}");
        for expression in ["&removed_static", "removed_pair.left + 1", "removed_function"] {
            let said = server.fail("rr_evaluate", json!({"expression": expression}));
            assert!(said.contains("removed by the linker"), "{fixture}: {expression}: {said}");
        }
        let said = server.fail("rr_watchpoint_set", json!({"expression": "removed_static"}));
        assert!(said.contains("removed by the linker"), "{fixture}: {said}");
        let said = server.text("rr_command", json!({"command": "whatis removed_pair\nptype removed_thread"}));
        assert_eq!(said, "type = struct pair\ntype = int", "{fixture}");
        // One copy of it is left.
        let set = server.text("rr_command", json!({"command": "break inlined"}));
        assert!(set.contains(&format!("line {}.", line("removed.c", "inlined"))), "{fixture}: {set}");
    }
}

/// Checks what is said of an expression that means nothing, note included.
#[track_caller]
fn refused(server: &Server, expression: &str, words: &str) {
    let said = server.fail("rr_evaluate", json!({"expression": expression}));
    assert!(said.contains(words), "{expression}: {said}");
}

#[test]
fn a_name_that_is_nearly_right_is_answered_with_the_right_one() {
    let server = Server::start();
    server.replay(&recording_of("faults", &["0"]).trace);
    server.call("rr_continue", json!({}));
    refused(&server, "cach.size", "did you mean `cache`?");
    refused(&server, "txet", "did you mean `text`");
    refused(&server, "of_nul", "did you mean `of_null`?");
    refused(&server, "(struct nodde *)p", "did you mean `node`?");
    refused(&server, "sizeof(nodee)", "did you mean `node`");
    refused(&server, "p->im", "it has: id, in, next");
    // Nothing is like it.
    let said = server.fail("rr_evaluate", json!({"expression": "zzzzzz"}));
    assert!(!said.contains("did you mean"), "{said}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "writ_to"}));
    assert!(said.contains("did you mean `write_to`?"), "{said}");
    let said = server.fail("rr_breakpoint_set", json!({"location": "faults.c:deper"}));
    assert!(said.contains("did you mean `deeper`?"), "{said}");
}

#[test]
fn qualified_names_are_found_by_their_parts() {
    let near = |fixture: &str, location: &str, meant: &str| {
        let server = replaying(fixture);
        server.run_to("main");
        let said = server.fail("rr_breakpoint_set", json!({"location": location}));
        assert!(said.contains(&format!("did you mean `{meant}`")), "{said}");
    };
    near("namespaces", "nowhere::Cell::make", "outer::inner::Cell::make(int)");
    near("namespaces", "Cell::gorw", "outer::inner::Cell::grow(int)");
    near("names-rust", "Shop::Basket::add", "names::shop::Basket::add");
}

#[test]
fn what_cannot_be_done_says_what_can() {
    let server = Server::start();
    server.replay(&recording_of("faults", &["0"]).trace);
    server.call("rr_continue", json!({}));
    refused(&server, "strlen(text)", "the pointer alone shows the text");
    refused(&server, "of_two(p)", "its results are available from the list of all calls");
    let said = server.fail("rr_watchpoint_set", json!({"expression": "$rax"}));
    assert!(
        said.contains("it is in register rax here; only memory can be watched") && said.contains("`origin $rax`"),
        "{said}"
    );
}

const MARKS: &str = "
int first = 1;
char big[3] = \"ab\";
long after = 7;
void stop(void) {}
int main(void) { stop(); return first == 0 || big[0] == 0 || after == 0; }
";

/// The linker's marks without a size, such as `__dso_handle`, are before them.
#[test]
fn bytes_between_variables_have_no_name() {
    let server = replay_of(&built_by("gcc", "c", "between_variables", MARKS, &["-g"]));
    server.run_to("stop");
    let shown = |expression: &str| {
        server.call("rr_evaluate", json!({"expression": expression, "format": "a"}))["value"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(shown("(char *)&big + 2").ends_with("<big+2>"), "{}", shown("(char *)&big + 2"));
    let behind = shown("(char *)&big + 3");
    assert!(!behind.contains('<'), "{behind}");
}
