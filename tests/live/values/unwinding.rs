//! Stacks that are hard to walk.

use crate::names::whose::replay_of;
use crate::support::fixtures::{built_by, built_from, line, program, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::{record, recording_of};
use serde_json::{Value, json};

const SOURCE: &str = "unwinding.c";

fn replaying_with(fixture: &str, arguments: &[&str]) -> Server {
    let server = Server::start();
    server.replay(&recording_of(fixture, arguments).trace);
    server
}

/// Name and line of each frame, and whether it is a guess.
fn frames(server: &Server) -> Vec<(String, Option<u64>, bool)> {
    let frames = server.call("rr_backtrace", json!({}));
    let frame =
        |f: &Value| (f["function"].as_str().unwrap_or("??").to_owned(), f["line"].as_u64(), f["guessed"] == true);
    frames["result"].as_array().unwrap().iter().map(frame).collect()
}

fn names(server: &Server) -> Vec<String> {
    frames(server).into_iter().map(|(name, ..)| name).collect()
}

#[test]
fn code_without_unwind_information_is_followed_to_its_return() {
    let server = replaying("unwinding");
    let inner = line(SOURCE, "frameless");
    server.run_to("frameless");
    // At each instruction but those of what it calls, the caller is found, and so are its registers.
    let mut seen = 0;
    for _ in 0..40 {
        let found = frames(&server);
        if found[0].0 == "calls" {
            break;
        }
        let at = usize::from(found[0].0 != "frameless");
        let expected = [("frameless".to_owned(), false), ("calls".to_owned(), true), ("main".to_owned(), false)];
        let of_names: Vec<_> = found[at..].iter().map(|(name, _, guessed)| (name.clone(), *guessed)).collect();
        assert_eq!(of_names[..3], expected, "{found:?}");
        assert_eq!(found[at + 1].1, Some(inner));
        server.call("rr_select_frame", json!({"frame_level": at + 1}));
        assert_eq!((server.evaluate("sum"), server.evaluate("n")), ("4".to_owned(), "1".to_owned()));
        server.call("rr_select_frame", json!({"frame_level": 0}));
        seen += 1;
        server.call("rr_step", json!({"instruction": true}));
    }
    assert!(seen > 15, "{seen}");
    for function in ["leaf", "framed", "aligned"] {
        let server = replaying("unwinding");
        server.run_to(function);
        for _ in 0..9 {
            let found = names(&server);
            let start = found.iter().position(|name| name == function);
            let Some(start) = start else { break };
            assert_eq!(found[start..], [function, "calls", "main"], "{function}");
            server.call("rr_step", json!({"instruction": true}));
        }
    }
}

#[test]
fn a_call_through_a_bad_pointer_was_made_somewhere() {
    for (what, mark) in [("null", "null"), ("data", "data"), ("heap", "heap")] {
        let server = replaying_with("unwinding", &[what]);
        let stop = server.call("rr_continue", json!({}));
        assert_eq!(stop["signal_name"], "SIGSEGV", "{what}");
        let found = frames(&server);
        assert_eq!(found[1], ("bad_call".to_owned(), Some(line(SOURCE, "bad-call")), true), "{what}");
        assert_eq!((found[2].0.as_str(), found[2].1), ("main", Some(line(SOURCE, mark))), "{what}");
        assert_eq!(found.len(), 3, "{what}");
        server.call("rr_select_frame", json!({"frame_level": 1}));
        assert_eq!(server.evaluate("a"), "1", "{what}");
    }
}

#[test]
fn a_smashed_return_address_leads_to_the_caller_that_is_left() {
    let server = replaying_with("unwinding", &["smash"]);
    let stop = server.call("rr_continue", json!({}));
    assert_eq!((&stop["signal_name"], &stop["pc"]), (&json!("SIGSEGV"), &json!("0x0000000000001234")));
    let found = frames(&server);
    assert_eq!(found[0], ("??".to_owned(), None, false));
    assert_eq!((found[1].0.as_str(), found[1].2), ("main", true));
    // Before the return, the stack ends at what it leads to.
    server.call("rr_breakpoint_set", json!({"location": "marker"}));
    server.call("rr_continue", json!({"reverse": true}));
    let found = frames(&server);
    let found: Vec<_> = found.iter().map(|(name, _, guessed)| (name.as_str(), *guessed)).collect();
    assert_eq!(found, [("marker", false), ("smash", false), ("??", false), ("main", true)]);
}

#[test]
fn a_runaway_recursion_is_shown_in_pages() {
    let server = replaying_with("unwinding", &["deep"]);
    server.call("rr_breakpoint_set", json!({"location": "marker", "ignore_count": 3}));
    server.call("rr_continue", json!({}));
    let folded = server.text("rr_backtrace", json!({}));
    let (_, behind) = folded.split_once("\n… 99,997 frames of deep (#4 to #100000)\n#100001 deep ").unwrap();
    assert!(behind.lines().count() == 2 && behind.contains("\n#100002 main "), "{folded}");
    let first = server.call("rr_backtrace", json!({"from": 1}));
    assert_eq!((first["result"].as_array().map(Vec::len), &first["depth"]), (Some(50), &json!(100_003)));
    let more = "more frames follow, of 100,003 in all; for the next ones: from=51";
    assert_eq!(first["truncated"], more, "{first}");
    let last = server.call("rr_backtrace", json!({"from": 99_999}));
    let found: Vec<_> = last["result"].as_array().unwrap().iter().map(|f| (&f["level"], &f["function"])).collect();
    let expected = [(99_999, "deep"), (100_000, "deep"), (100_001, "deep"), (100_002, "main")];
    let expected: Vec<_> = expected.iter().map(|(level, name)| (json!(level), json!(name))).collect();
    assert_eq!(found, expected.iter().map(|(level, name)| (level, name)).collect::<Vec<_>>());
    assert!(last.get("truncated").is_none(), "{last}");
}

#[test]
fn thread_local_variables_of_each_thread_and_module() {
    let plugin = program("libtls_plugin.so").display().to_string();
    let server = replaying_with("tls", &[&plugin]);
    server.call("rr_breakpoint_set", json!({"location": "here"}));
    let unused = "this thread has not used the module's thread-local storage yet";
    let expected: [[Result<&str, &str>; 4]; 4] = [
        [Ok("7"), Ok("0"), Err(unused), Err(unused)],
        [Ok("7"), Ok("0"), Ok("57"), Ok("2")],
        [Ok("8"), Ok("9"), Err(unused), Err(unused)],
        [Ok("8"), Ok("9"), Ok("58"), Ok("3")],
    ];
    for (stop, values) in expected.iter().enumerate() {
        assert_eq!(server.call("rr_continue", json!({}))["reason"], "breakpoint-hit", "stop {stop}");
        for (name, value) in ["own", "zeroed", "plugin_value", "plugin_zero"].iter().zip(values) {
            let found = server.evaluate(name);
            match value {
                Ok(value) => assert_eq!(found, *value, "{name} at stop {stop}"),
                Err(why) => assert_eq!(found, format!("<unavailable: {why}>"), "{name} at stop {stop}"),
            }
        }
    }
}

#[test]
fn a_vfork_is_in_the_middle_of_its_caller() {
    let server = replaying("unwinding");
    server.run_to("vfork");
    // Its return address is in a register while the child runs on the same stack.
    for _ in 0..6 {
        let found = names(&server);
        assert_eq!(found[found.len() - 1], "main", "{found:?}");
        assert_eq!(found.len(), 2, "{found:?}");
        server.call("rr_step", json!({"instruction": true}));
    }
}

#[test]
fn a_function_that_is_called_for_the_first_time_is_bound_without_leading_astray() {
    // rr has code of its own run on the way to the dynamic linker, with a table that is not true of it.
    let server = replaying("lazy_binding");
    server.run_to(&format!("lazy_binding.c:{}", line("lazy_binding.c", "call")));
    let mut nameless = 0;
    let mut way = Vec::new();
    for _ in 0..40 {
        let found = names(&server);
        way.push(server.evaluate("$pc"));
        // The stubs that calls of libraries go through have no names, but are called from somewhere.
        if found[0] == "??" {
            nameless += 1;
            let outer: Vec<_> = found.iter().filter(|name| *name != "??").collect();
            assert_eq!(outer, ["main"]);
        }
        assert!(!["_IO_stdin_used", "digits"].contains(&found[0].as_str()), "data is no code: {found:?}");
        let stop = server.call("rr_step", json!({"instruction": true}));
        assert_eq!(stop["reason"], "end-stepping-range", "behind {found:?}: {stop}");
    }
    assert!(nameless > 0);
    // Back it is the same way, rr's code being one instruction.
    for pc in way.into_iter().rev() {
        let stop = server.call("rr_step", json!({"instruction": true, "reverse": true}));
        assert_eq!((&stop["reason"], server.evaluate("$pc")), (&json!("end-stepping-range"), pc), "{stop}");
    }
}

#[test]
fn a_thread_waits_on_a_stack_below_the_one_that_rr_has_for_system_calls() {
    const FILE: &str = "low_stack.c";
    let server = replaying("low_stack");
    server.run_to(&format!("{FILE}:{}", line(FILE, "write")));
    server.call("rr_thread_select", json!({"thread_id": "2"}));
    let found = frames(&server);
    let own: Vec<_> = found.iter().filter(|(name, ..)| name == "receive" || name == "run").cloned().collect();
    let expected = [("receive", "read"), ("run", "wait")];
    let expected = expected.map(|(name, mark)| (name.to_owned(), Some(line(FILE, mark)), false));
    assert_eq!(own, expected, "{found:?}");
    // It has the lock, and that is seen.
    let threads = server.text("rr_explain", json!({}));
    assert!(!threads.contains("goes backwards"), "{threads}");
}

#[test]
fn a_call_in_a_function_without_a_name_is_gone_back_to() {
    let library = built_from(
        "libnameless.so",
        "static __attribute__((noinline)) int inner(int (*f)(int), int n) { return f(n + 1) + n; }\n\
         int outer(int (*f)(int), int n) { return inner(f, n * 2) + 1; }\n",
        &["-O1", "-fno-optimize-sibling-calls", "-fPIC", "-shared", "-s"],
    );
    let place = format!("-Wl,-rpath,{}", scratch().display());
    let caller = built_from(
        "calls_nameless",
        "int outer(int (*)(int), int);\nint called(int n) { return n; }\nint main(void) { return outer(called, 3); }\n",
        &["-g", "-O0", library.to_str().unwrap(), &place],
    );
    let server = Server::start();
    server.replay(&record(&caller, &[], scratch()).trace);
    server.run_to("called");
    let frames = server.call("rr_backtrace", json!({}))["result"].clone();
    let module = |frame: &Value| frame["module"].as_str().unwrap_or_default().to_owned();
    assert_eq!([1, 2].map(|level| module(&frames[level])), ["libnameless.so", "libnameless.so"], "{frames}");
    // From frame to frame: to each call, which returns to where the stack says.
    for level in [1, 2, 3] {
        let stop = server.call("rr_finish", json!({"reverse": true}));
        assert_eq!(stop["reason"], "end-stepping-range", "{stop}");
        let text = |value: &Value| value.as_str().unwrap().trim_start_matches("0x").to_owned();
        let number = |value: &Value| u64::from_str_radix(&text(value), 16).unwrap();
        let (call, ret) = (number(&stop["pc"]), number(&frames[level]["address"]));
        assert!((2..=7).contains(&(ret - call)), "{level}: {stop} {frames}");
    }
    assert_eq!(server.call("rr_backtrace", json!({}))["result"][0]["function"], "main");
}

const INTERRUPTED: &str = "
#include <signal.h>
#include <unistd.h>
static void handler(int signal) { _exit(signal != SIGSEGV); }
void (*volatile nowhere)(void);
void caller(int a) { nowhere(); }
int main(void) { signal(SIGSEGV, handler); caller(3); return 0; }
";

#[test]
fn a_handler_that_interrupted_a_call_of_null_has_callers() {
    let server = replay_of(&built_by("gcc", "c", "handled_null_call", INTERRUPTED, &["-g"]));
    server.call("rr_breakpoint_set", json!({"location": "handler"}));
    assert_eq!(server.call("rr_continue", json!({}))["signal_name"], "SIGSEGV");
    assert_eq!(server.call("rr_continue", json!({}))["reason"], "breakpoint-hit");
    let shown = names(&server);
    assert_eq!(
        (shown[0].as_str(), &shown[shown.len() - 3..]),
        ("handler", &["??".into(), "caller".into(), "main".into()][..])
    );
}
