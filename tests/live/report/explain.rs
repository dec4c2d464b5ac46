//! What stops are about.

use crate::support::fixtures::{built_by, built_from, line, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{record, recording, recording_of};
use serde_json::{Value, json};

/// A session at the signal that ends the program when it is given this argument, and the explanation.
fn explained(which: &str) -> (Server, Value, Value) {
    let server = Server::start();
    server.replay(&recording_of("faults", &[which]).trace);
    let stop = server.call("rr_continue", json!({}));
    let (before, registers) = (server.call("rr_when", json!({})), server.call("rr_registers", json!({})));
    let explanation = server.call("rr_explain", json!({}));
    let shown = server.text("rr_explain", json!({}));
    assert!(shown.len() <= 2048, "{shown}");
    assert_eq!(server.call("rr_when", json!({})), before);
    assert_eq!(server.call("rr_registers", json!({})), registers, "nothing has moved");
    assert_eq!(explanation["position"], stop["position"]);
    (server, stop, explanation)
}

fn has(explanation: &Value, kind: &str, begin: &str, tag: &str) {
    assert_eq!(explanation["kind"], kind, "{explanation}");
    assert!(explanation["result"].as_str().unwrap().starts_with(begin), "{explanation}");
    assert_eq!(explanation["frame"]["line"].as_u64(), Some(line("faults.c", tag)), "{explanation}");
    assert!(explanation["source"].as_str().unwrap().contains(&format!("@{tag}")), "{explanation}");
}

#[test]
fn a_member_of_a_null_pointer() {
    let (server, _, found) = explained("0");
    has(&found, "fault", "SIGSEGV: read at 0xc: not mapped: 12 bytes from a null pointer", "member");
    let fault = &found["fault"];
    assert_eq!(fault["member"], "p is null; +12 is its member in.b", "of those in the line");
    assert_eq!((&fault["access"], &fault["code"]), (&json!("read"), &json!("SEGV_MAPERR")));
    assert_eq!(fault["address"], "0x000000000000000c");
    assert!(fault["operand"].as_str().unwrap().ends_with("+0xc], rax = 0x0"), "{fault}");
    assert_eq!(server.evaluate("(long)&((struct node *)0)->in.b"), "12");
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    assert_eq!(server.call("rr_explain", json!({}))["kind"], "end");
}

#[test]
fn a_member_of_a_pointer_that_only_one_variable_holds() {
    let (_server, _, found) = explained("11");
    has(&found, "fault", "SIGSEGV: read at 0x50000000000c: not mapped", "member");
    assert_eq!(found["fault"]["member"], "p is 0x500000000000 (struct node *); +12 is its member in.b");
    let (_server, _, found) = explained("12");
    has(&found, "fault", "SIGSEGV: read at 0x50000000000c: not mapped", "two");
    assert_eq!(found["fault"]["member"], Value::Null, "two variables hold it");
}

#[test]
fn a_signal_of_a_fault_that_was_sent() {
    let (_server, stop, found) = explained("10");
    assert_eq!(
        (&stop["signal_name"], &found["kind"], &found["fault"]),
        (&json!("SIGSEGV"), &json!("signal"), &Value::Null)
    );
    let thread = stop["position"].as_str().unwrap().split('/').nth(2).unwrap();
    let (pid, _) = thread.split_once('.').unwrap();
    let sent =
        format!("SIGSEGV (Segmentation fault), sent with raise, tgkill or pthread_kill by process {pid} (itself)");
    assert_eq!((&found["result"], &found["evidence"]), (&json!(sent), &json!([sent])));
}

#[test]
fn a_panic_is_guessed_from_no_more_than_the_exit_code_of_a_rust_program() {
    let server = Server::start();
    server.replay(&recording("panics-rust").trace);
    while server.call("rr_continue", json!({}))["reason"] != "end-of-recording" {}
    let found = server.call("rr_explain", json!({}));
    assert_eq!(found["kind"], "end", "{found}");
    assert_eq!(found["evidence"], json!(["the recording ends with exit code 101"]));
    let result = found["result"].as_str().unwrap();
    assert!(result.contains("a Rust program ends with 101 after a panic in its main thread"), "{found}");
}

#[test]
fn a_write_to_read_only_memory() {
    let (server, _, found) = explained("1");
    has(&found, "fault", "SIGSEGV: write at ", "read-only");
    let address = found["fault"]["address"].as_str().unwrap();
    assert_eq!(server.evaluate(&format!("(char *){address} - text")), "2");
    assert!(found["result"].as_str().unwrap().contains("read-only memory: "), "{found}");
    assert_eq!(found["fault"]["code"], "SEGV_ACCERR");
    // The mapping is one of those that are listed.
    let modules = server.call("rr_modules", json!({"mappings": true}));
    let mappings: Vec<&str> = modules["mappings"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    let (_, named) = found["result"].as_str().unwrap().split_once("read-only memory: ").unwrap();
    assert!(mappings.contains(&named), "{named}: {mappings:#?}");
    let listed = server.call("rr_command", json!({"command": "info proc mappings"}));
    let rows = listed["output"].as_str().unwrap().lines().skip(4).count();
    assert_eq!(rows, mappings.len(), "{listed}");
    assert!(server.call("rr_modules", json!({})).get("mappings").is_none());
}

#[test]
fn a_stack_that_overflows() {
    let (_server, _, found) = explained("2");
    has(&found, "fault", "SIGSEGV: write at ", "deeper");
    assert!(found["result"].as_str().unwrap().ends_with("the stack has overflowed"), "{found}");
    assert!(found["notes"].is_null(), "rr goes on: {found}");
}

#[test]
fn what_the_program_has_said_itself() {
    let (_server, _, found) = explained("3");
    assert_eq!(found["kind"], "assertion", "{found}");
    let at = format!("faults.c:{}: main: Assertion `which == 4' failed.", line("faults.c", "assert"));
    assert!(found["result"].as_str().unwrap().ends_with(&at), "{found}");
    has(&found, "assertion", "faults: ", "assert");
    assert_eq!(found["locals"], json!(["which = 3 (int)"]));
    let (_server, _, found) = explained("4");
    has(&found, "abort", "the program has called abort", "abort");
}

#[test]
fn other_faults() {
    let (_server, _, found) = explained("5");
    has(&found, "fault", "SIGSEGV: read at 0x4141414141414141: no address that can exist", "strange");
    assert_eq!(found["fault"]["code"], Value::Null);
    let (_server, _, found) = explained("6");
    let place = |found: &Value| {
        let (_, rest) = found["result"].as_str().unwrap().split_once(": execute at ").unwrap();
        rest.split_once(": ").unwrap().1.to_owned()
    };
    assert!(place(&found).starts_with("not executable: 0x"), "{found}");
    assert_eq!((&found["fault"]["operand"], &found["fault"]["pc"]), (&Value::Null, &found["fault"]["address"]));
    let (_server, _, found) = explained("13");
    assert!(place(&found).starts_with("not executable: 0x") && place(&found).contains(" r--p "), "{found}");
    let (_server, _, found) = explained("7");
    has(&found, "fault", "SIGFPE (FPE_INTDIV) by this instruction: division by zero: ", "divide");
    // The kernel says the same of what does not fit.
    let (_server, _, found) = explained("14");
    let said = "SIGFPE (FPE_INTDIV) by this instruction: the quotient does not fit into 4 bytes: divided by ";
    has(&found, "fault", said, "overflows");
    assert!(found["result"].as_str().unwrap().ends_with(" = -1"), "{found}");
}

#[test]
fn threads_that_wait_for_each_other() {
    let (server, stop, found) = explained("8");
    assert_eq!((&stop["signal_name"], &found["kind"]), (&json!("SIGUSR1"), &json!("blocked")), "{found}");
    let evidence = found["evidence"].as_array().unwrap();
    assert!(evidence.len() == 3 && evidence[0].as_str().unwrap().starts_with("SIGUSR1"), "{found}");
    assert_eq!(found["threads"].as_array().unwrap().len(), 1, "{found}");
    let tag = line("faults.c", "lock");
    let other = line("faults.c", "other-lock");
    assert!([tag, other].contains(&found["frame"]["line"].as_u64().unwrap()), "{found}");
    drop(server);
    let (_server, _, found) = explained("9");
    assert_eq!(found["kind"], "signal", "{found}");
}

/// A session at the signal that ends a program, and the explanation.
fn ended(name: &str, arguments: &[&str]) -> (Server, Value) {
    let server = Server::start();
    server.replay(&recording_of(name, arguments).trace);
    let stop = server.call("rr_continue", json!({}));
    assert_eq!(stop["signal_name"], "SIGABRT", "{stop}");
    let found = server.call("rr_explain", json!({}));
    (server, found)
}

fn said(found: &Value) -> &str {
    found["result"].as_str().unwrap_or_else(|| panic!("{found}"))
}

#[test]
fn an_exception_that_nothing_catches_is_named() {
    for (which, tag, what) in [
        ("0", "throw", "std::out_of_range \"no such key\""),
        ("1", "noexcept", "Storm {force = 9}"),
        ("2", "again", "std::out_of_range \"no such key\""),
    ] {
        let (_server, found) = ended("raised", &[which]);
        assert_eq!(found["kind"], "uncaught-exception", "{found}");
        let place = format!("raised.cpp:{}", line("raised.cpp", tag));
        assert!(said(&found).contains(&place) && said(&found).ends_with(what), "{found}");
    }
    let (_server, found) = ended("raised", &["3"]);
    assert_eq!((&found["kind"], said(&found)), (&json!("abort"), "the program has called abort"));
}

const THROWN: &str = "#include <stdexcept>
#include <string>
int lookup(const std::string &key) {
    throw std::out_of_range(\"no key \" + key); // first
}
int counted(int n) {
    try { if (n) throw n; return 0; } catch (int) { return n; }
}
int load(const char *key, bool again) {
    try {
        return lookup(key) + counted(1);
    } catch (const std::out_of_range &) {
        counted(2);
        throw; // again
    }
}
int serve(const char *key) {
    try {
        return load(key, true);
    } catch (const std::exception &e) {
        throw std::runtime_error(std::string(\"cannot serve: \") + e.what()); // last
    }
}
int main(int argc, char **) { return argc > 1 ? load(\"prot\", true) : serve(\"prot\"); }
";

#[test]
fn the_first_throw_of_an_exception_is_told_and_what_was_handled_meanwhile() {
    for (compiler, library) in [("g++", "-fno-inline"), ("clang++", "-stdlib=libc++")] {
        let what = format!("thrown_again.{compiler}");
        let program = built_by(compiler, "cpp", &what, THROWN, &["-g", "-O0", library]);
        let at = |tag: &str| {
            let number = THROWN.lines().position(|line| line.ends_with(&format!("// {tag}"))).unwrap() + 1;
            format!("{what}.cpp:{number}")
        };
        for (arguments, summary, thrown) in [
            (
                &[] as &[&str],
                at("last"),
                format!("meanwhile std::out_of_range {:?} was being handled, ", "no key prot"),
            ),
            (&["again"], at("again"), "it was ".to_owned()),
        ] {
            let recording = record(&program, arguments, scratch());
            let server = Server::start();
            let story = server.call("rr_explain", json!({"trace_dir": recording.trace}));
            assert!(said(&story).contains(&summary), "{summary}: {story}");
            let lines = story["thrown"].as_array().unwrap();
            assert_eq!(lines.len(), 1, "{story}");
            let line = lines[0].as_str().unwrap();
            assert!(line.starts_with(&thrown), "{line}");
            // Each throw of it, in their order, with where it was.
            let throws: Vec<&str> = line.split("; ").collect();
            assert_eq!(throws.len(), 2, "{line}");
            for (throw, (begin, function, tag)) in
                throws.iter().zip([("thrown by ", "lookup", "first"), ("thrown again by ", "load", "again")])
            {
                let place = at(tag);
                assert!(throw.contains(begin) && throw.contains(function) && throw.contains(&place), "{throw}");
                let position = throw.rsplit("position ").next().unwrap();
                server.call("rr_goto", json!({"position": position}));
                let callers = server.call("rr_backtrace", json!({"limit": 4}))["result"].to_string();
                let number: u32 = place.rsplit(':').next().unwrap().parse().unwrap();
                assert!(callers.contains(&format!("\"line\":{number}")), "{number}: {callers}");
            }
        }
    }
}

#[test]
fn exceptions_are_named_where_they_are_caught_by_a_catchpoint() {
    for fixture in ["exceptions", "exceptions-libcxx"] {
        for (event, what) in [
            ("throw", ["int 42, about to be thrown", "std::runtime_error \"rain\", about to be thrown"]),
            ("catch", ["int, about to be handled", "std::runtime_error \"rain\", about to be handled"]),
        ] {
            let server = Server::start();
            server.replay(&recording(fixture).trace);
            server.call("rr_catch_set", json!({"event": event}));
            for (number, what) in what.iter().enumerate() {
                server.call("rr_continue", json!({}));
                let found = server.call("rr_explain", json!({}));
                assert_eq!(found["kind"], "exception", "{fixture} {event}: {found}");
                // Of what a handler is given, a number is where the exception is.
                let what = if event == "catch" && number == 0 { "int 42, about to be handled" } else { what };
                assert!(said(&found).starts_with(&format!("{what} by #")), "{fixture} {event}: {found}");
                assert!(said(&found).contains("exceptions.cpp:"), "{fixture} {event}: {found}");
            }
        }
    }
}

#[test]
fn a_panic_is_told_in_the_programs_own_words() {
    let server = Server::start();
    server.replay(&recording("panics-rust").trace);
    server.call("rr_catch_set", json!({"event": "panic"}));
    for (tag, message) in [
        ("index", "index out of bounds: the len is 3 but the index is 7"),
        ("last", "called `Option::unwrap()` on a `None` value"),
    ] {
        server.call("rr_continue", json!({}));
        let found = server.call("rr_explain", json!({}));
        assert_eq!(found["kind"], "panic", "{found}");
        let place = format!("panics.rs:{}:", line("panics.rs", tag));
        assert!(said(&found).starts_with("thread 'main'") && said(&found).contains(&place), "{found}");
        assert!(said(&found).ends_with(message), "{found}");
        assert_eq!(found["frame"]["line"].as_u64(), Some(line("panics.rs", tag)), "{found}");
    }
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "end-of-recording");
    let found = server.call("rr_explain", json!({}));
    assert!(said(&found).ends_with("called `Option::unwrap()` on a `None` value"), "{found}");
}

#[test]
fn what_ends_a_rust_program_is_a_panic_or_not() {
    let (_server, found) = ended("raised-rust", &["7"]);
    assert_eq!(found["kind"], "panic", "{found}");
    let place = format!("raised.rs:{}:", line("raised.rs", "panic"));
    assert!(said(&found).contains(&place) && said(&found).ends_with("no key 7 among 3"), "{found}");
    // Functions of the library that catch panics are on each stack.
    let (_server, found) = ended("raised-rust", &["0"]);
    assert_eq!((&found["kind"], said(&found)), (&json!("abort"), "the program has called abort"), "{found}");
}

#[test]
fn what_ends_a_program_is_known_at_a_breakpoint() {
    let server = Server::start();
    server.replay(&recording_of("raised", &["3"]).trace);
    server.run_to("abort");
    let found = server.call("rr_explain", json!({}));
    assert_eq!((&found["kind"], &found["evidence"]), (&json!("abort"), &json!(["frame #0 is abort"])), "{found}");
}

#[test]
fn a_lock_that_one_thread_waits_for_is_named() {
    let (_server, _, found) = explained("8");
    let evidence: Vec<&str> = found["evidence"].as_array().unwrap().iter().map(|e| e.as_str().unwrap()).collect();
    let waits = |what: &str, place: u64| {
        let is_it =
            |e: &&str| e.contains(&format!("waits for mutex {what} of ")) && e.ends_with(&format!("faults.c:{place}"));
        assert!(evidence.iter().any(is_it), "{what}: {evidence:#?}");
    };
    waits("cache.lru_lock", line("faults.c", "lock"));
    waits("mine->lock", line("faults.c", "other-lock"));
    let (_, circle) = said(&found).split_once("deadlock: ").unwrap();
    assert_eq!(circle.matches(" waits for ").count(), 2, "{circle}");
}

#[test]
fn where_nothing_is_wrong() {
    let server = Server::start();
    server.replay(&recording("stepping").trace);
    server.run_to("twice");
    let found = server.call("rr_explain", json!({}));
    assert_eq!((&found["kind"], &found["fault"]), (&json!("plain"), &Value::Null), "{found}");
}

#[test]
fn one_call_opens_a_recording_at_its_failure_and_says_where_the_wrong_value_came_from() {
    let server = Server::start();
    let trace = &recording_of("story", &["crash"]).trace;
    let found = server.call("rr_explain", json!({"trace_dir": trace}));
    assert_eq!((&found["kind"], &found["session"]), (&json!("fault"), &json!("s1")), "{found}");
    assert_eq!(found["fault"]["member"], "b is null; +8 is its member value");
    let kinds: Vec<_> = found["origin"]["rows"].as_array().unwrap().iter().map(|row| row["kind"].clone()).collect();
    assert_eq!(kinds, ["argument", "return", "constant"], "{found}");
    let next = found["next"][0].as_str().unwrap();
    let made = found["origin"]["rows"][2]["position"].as_str().unwrap();
    assert_eq!(next, format!("rr_goto {{\"position\": \"{made}\"}}: to where it was made"));
    // The session is at the failure, and goes where the answer says.
    assert_eq!(server.call("rr_when", json!({}))["position"], found["position"]);
    assert_eq!(server.evaluate("b"), "(node *) 0x0");
    assert_eq!(server.call("rr_goto", json!({"position": made}))["function"], "find");
    let text = server.text("rr_explain", json!({}));
    assert!(text.len() < 3000, "a session that has moved is explained where it is: {text}");
    assert!(!text.contains("origin of"), "{text}");
}

#[test]
fn a_session_at_its_start_is_explained_at_its_failure() {
    let server = Server::start();
    server.replay(&recording_of("story", &["assert"]).trace);
    let found = server.call("rr_explain", json!({}));
    assert_eq!((&found["kind"], &found["origin"]["expression"]), (&json!("assertion"), &json!("other")), "{found}");
    assert_eq!(found["origin"]["found"], true, "{found}");
    assert_eq!(server.call("rr_when", json!({}))["position"], found["position"]);
}

/// Memory that was freed and given to somebody else, read by the C library, which is called through a stub of its own.
#[test]
fn a_pointer_in_a_library_is_followed_to_who_has_written_over_its_block() {
    const TEXT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int key; struct node *next; char name[16]; };
int main(void) {
    struct node *first = calloc(1, sizeof *first);
    struct node *second = calloc(1, sizeof *second);
    first->next = second;
    free(second);
    char *text = malloc(sizeof *second);
    memset(text, 'A', sizeof *second);
    printf("%d\n", first->next->key);
    printf("%s\n", first->next->next->name);
    return text[0];
}
"#;
    let program = built_from("written_over", TEXT, &["-g", "-O0", "-fno-builtin"]);
    let server = Server::start();
    let args = json!({"command": [program], "trace_dir": scratch().join("written_over.trace"), "explain": true});
    let recorded = server.call("rr_record", args);
    let found = &recorded["story"];
    assert_eq!((&found["kind"], &found["session"]), (&json!("fault"), &json!("s1")), "{recorded}");
    let line = |text: &str| TEXT.lines().position(|line| line.contains(text)).unwrap() as u64 + 1;
    assert_eq!(found["frame"]["line"].as_u64(), Some(line("name);")), "{found}");
    let origin = &found["origin"];
    let last = origin["rows"].as_array().unwrap().last().unwrap();
    assert_eq!((&origin["found"], last["line"].as_u64()), (&json!(true), Some(line("memset"))), "{origin}");
    // Without being asked, it names the call.
    let trace = scratch().join("written_over_too.trace");
    let recorded = server.call("rr_record", json!({"command": [program], "trace_dir": trace}));
    let next = format!("rr_explain {}: why it failed", json!({"trace_dir": trace}));
    assert_eq!((&recorded["story"], &recorded["next"]), (&Value::Null, &json!([next])), "{recorded}");
    let well = server
        .call("rr_record", json!({"command": ["true"], "trace_dir": scratch().join("well.trace"), "explain": true}));
    assert_eq!((&well["story"], &well["next"]), (&Value::Null, &Value::Null), "{well}");
}

#[test]
fn an_exit_and_an_overflow_are_told_with_who_did_it() {
    let server = Server::start();
    let told = |which: &str| server.call("rr_explain", json!({"trace_dir": recording_of("story", &[which]).trace}));
    let exit = told("exit");
    assert_eq!(exit["kind"], "end", "{exit}");
    let begin = "the process has ended with exit code 3: exit was called by #";
    assert!(exit["result"].as_str().unwrap().starts_with(begin), "{exit}");
    assert_eq!(exit["frame"]["line"].as_u64(), Some(line("story.c", "exit")), "{exit}");
    let returned = told("return");
    assert_eq!(returned["result"], "main returns, and the process ends with exit code 4", "{returned}");
    assert_eq!(returned["frame"]["function"], "main", "{returned}");
    let made = &returned["origin"]["rows"].as_array().unwrap().last().unwrap();
    assert_eq!((&made["kind"], made["line"].as_u64()), (&json!("constant"), Some(line("story.c", "four"))), "{made}");
    let overflow = told("overflow");
    let evidence = overflow["evidence"].to_string();
    assert!(evidence.contains("deep calls itself: frames 0 to 39, and on"), "{overflow}");
    assert!(evidence.contains("n changes by +1 with each call, and is "), "{overflow}");
    let ring = told("ring")["evidence"].to_string();
    assert!(ring.contains("length calls itself: frames 0 to 39, and on"), "{ring}");
    let again = "the same arguments come again after 5 calls: length (at=0x";
    assert!(ring.contains(again), "{ring}");
    assert_eq!(told("fine")["result"], "the process has ended with exit code 0, which says that all went well");
    let panic = server.call("rr_explain", json!({"trace_dir": recording("panics-rust").trace}));
    assert_eq!((&panic["kind"], panic["frame"]["line"].as_u64()), (&json!("panic"), Some(line("panics.rs", "last"))));
    assert_eq!(server.call("rr_breakpoint_list", json!({}))["result"], json!([]), "nothing stays set");
}

#[test]
fn the_command_line_says_why() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.env("RETROGRADE_RR", crate::support::recordings::rr().program()).arg("why");
    let output = command.arg(&recording_of("story", &["crash"]).trace).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    assert!(
        said.contains("fault: SIGSEGV: read at 0x8") && said.contains("origin of b: origin found, 3 hops"),
        "{said}"
    );
    assert!(said.len() < 3000, "{said}");
}

/// Failures whose value is named by the line that fails, by the library that it was passed to, or by an earlier block.
const VALUES: &str = r#"
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
struct request { int number; int arguments[4]; };
struct session { long id; const char *name; long spent[4]; };
struct row { long values[6]; };
struct wheel { int now, due; };
__attribute__((noinline)) void turned(wheel *w) { assert(w->due >= w->now); }
__attribute__((noinline)) int divided(const request &r) { return r.arguments[0] / r.arguments[1]; }
__attribute__((noinline)) int compared(const session *s) { return strcmp(s->name, "nobody"); }
__attribute__((noinline)) long fallen(session *s) { return s->spent[0] + s->name[0]; }
std::string trimmed(const std::string &text) { return text.substr(1); }
int main(int argc, char **argv) {
    std::string which = argc > 1 ? argv[1] : "";
    if (which == "divided") {
        request r = {7, {1, 2, 3, 4}};
        r.arguments[1] = argc - 2;
        return divided(r);
    }
    if (which == "turned") {
        static wheel w = {5, 0};
        w.due = argc;
        turned(&w);
    }
    if (which == "compared") {
        session s = {};
        memset(&s.name, 'x', sizeof s.name);
        return compared(&s);
    }
    if (which == "fallen") {
        session *s = new session();
        delete s;
        row *r = new row();
        for (int i = 0; i < 6; i++)
            r->values[i] = 100 + i;
        return fallen(s);
    }
    std::map<std::string, int> known = {{"red", 1}};
    std::string colour = trimmed(">green");
    return known.at(colour);
}
"#;

#[test]
fn the_value_that_is_wrong_is_named_and_followed() {
    let line = |text: &str| VALUES.lines().position(|line| line.contains(text)).unwrap() as u64 + 1;
    let program = built_by("clang++", "cc", "values_of_lines", VALUES, &["-g", "-O0", "-fstandalone-debug"]);
    let server = Server::start();
    let told =
        |which: &str| server.call("rr_explain", json!({"trace_dir": record(&program, &[which], scratch()).trace}));
    let divided = told("divided");
    let result = divided["result"].as_str().unwrap();
    assert!(result.ends_with("division by zero: r.arguments[1] = 0"), "{divided}");
    let rows = divided["origin"]["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["line"].as_u64() == Some(line("argc - 2"))), "{divided}");
    // Where the C library ends the program, the name would be that of main's static variable.
    let turned = told("turned");
    assert_eq!((&turned["kind"], &turned["origin"]["expression"]), (&json!("assertion"), &json!("w->due")), "{turned}");
    let rows = turned["origin"]["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["line"].as_u64() == Some(line("w.due = argc"))), "{turned}");
    // The C library has a function for each kind of processor, and no names of them.
    let compared = told("compared");
    assert_eq!(compared["origin"]["found"], true, "{compared}");
    let made = compared["origin"]["rows"].as_array().unwrap().last().unwrap();
    assert_eq!(made["line"].as_u64(), Some(line("memset")), "{compared}");
    // Nothing says which of two blocks the pointer was set for: both are there, with what has freed the first.
    let fallen = told("fallen");
    let block = &fallen["blocks"][0];
    assert_eq!(block["expression"], "s", "{fallen}");
    let freed = block["earlier"]["freed"]["callers"][0].as_str().unwrap_or_default();
    assert!(freed.ends_with(&format!(":{}", line("delete s"))), "{block}");
    // The characters of a text are followed from where the line names it.
    let missing = told("missing");
    assert_eq!(
        missing["next"],
        json!(["rr_origin {\"expression\": \"colour\"}: where its value came from"]),
        "{missing}"
    );
    let origin = server.call("rr_origin", json!({"expression": "colour"}));
    let first = &origin["rows"][0];
    assert_eq!(first["value"], "\"green\"", "{origin}");
    assert!(first["remarks"].to_string().contains("all characters of the text are followed together"), "{first}");
    assert_eq!(origin["found"], true, "{origin}");
}
