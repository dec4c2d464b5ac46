//! Catchpoints: signals, system calls, forks, exec, C++ exceptions, Rust panics.

use crate::support::fixtures::{line, scratch};
use crate::support::mcp::{Server, replaying};
use crate::support::recordings::record;
use serde_json::{Value, json};

fn go(server: &Server, reverse: bool) -> Value {
    server.call("rr_continue", json!({"reverse": reverse}))
}

/// The innermost frame of the program's own source.
fn place(server: &Server, source: &str) -> (String, u64) {
    let frames = server.call("rr_backtrace", json!({}))["result"].clone();
    let is_own = |f: &&Value| f["file"].as_str().is_some_and(|file| file.ends_with(source));
    let own = frames.as_array().unwrap().iter().find(is_own).unwrap_or_else(|| panic!("{frames}")).clone();
    (own["function"].as_str().unwrap().to_owned(), own["line"].as_u64().unwrap())
}

/// What is caught, and in which line, all the way.
fn all(server: &Server, source: &str, reverse: bool) -> Vec<(String, Option<String>, u64)> {
    let mut met = Vec::new();
    loop {
        let stop = go(server, reverse);
        let reason = stop["reason"].as_str().unwrap().to_owned();
        if reason.ends_with("-of-recording") {
            return met;
        }
        assert!(met.len() < 20, "{met:?}");
        met.push((reason, stop["caught"].as_str().map(str::to_owned), place(server, source).1));
    }
}

#[test]
fn a_signal_that_passes_silently_is_caught_by_name() {
    let server = replaying("signal_handler");
    let set = server.call("rr_catch_set", json!({"event": "signal", "names": ["chld"]}));
    assert_eq!((&set["type"], &set["location"]), (&json!("catchpoint"), &json!("signal SIGCHLD")));
    assert_eq!((&set["verified"], set.get("pending")), (&json!(true), None));
    let caught = |stop: &Value| (stop["signal_name"].clone(), stop["breakpoint_number"].clone());
    let stop = go(&server, false);
    assert_eq!((&stop["reason"], caught(&stop)), (&json!("signal-received"), (json!("SIGCHLD"), json!(1))));
    let text = server.text("rr_breakpoint_list", json!({}));
    assert!(text.starts_with("1 catchpoint signal SIGCHLD, 1 hit"), "{text}");
    // Others stop as they always do, without the catchpoint's number.
    assert_eq!(caught(&go(&server, false)), (json!("SIGUSR1"), Value::Null));
    assert_eq!(go(&server, false)["reason"], "end-of-recording");
    assert_eq!(caught(&go(&server, true)), (json!("SIGUSR1"), Value::Null));
    assert_eq!(caught(&go(&server, true)), (json!("SIGCHLD"), json!(1)));
    assert_eq!(go(&server, true)["reason"], "start-of-recording");
    // Disabled, it passes silently again.
    server.call("rr_breakpoint_update", json!({"breakpoint_number": 1, "enabled": false}));
    assert_eq!(caught(&go(&server, false)), (json!("SIGUSR1"), Value::Null));
    let said = server.fail("rr_catch_set", json!({"event": "signal", "names": ["SIGNOSUCH"]}));
    assert!(said.contains("there is no signal `SIGNOSUCH`"), "{said}");
}

#[test]
fn counts_of_a_signal_catchpoint() {
    let server = replaying("signal_handler");
    server.call("rr_catch_set", json!({"event": "signal", "names": ["SIGUSR1"], "temporary": true}));
    server.call("rr_breakpoint_update", json!({"breakpoint_number": 1, "ignore_count": 1}));
    assert_eq!(go(&server, false)["reason"], "end-of-recording");
    assert_eq!(server.call("rr_breakpoint_list", json!({}))["result"][0]["hits"], 1);
    assert_eq!(go(&server, true)["breakpoint_number"], 1);
    assert_eq!(server.call("rr_breakpoint_list", json!({}))["result"], json!([]));
}

#[test]
fn exceptions_are_caught_with_their_types_in_both_directions() {
    let at = |mark: &str| line("exceptions.cpp", mark);
    let thrown = |ty: &str, mark: &str| ("exception-thrown".to_owned(), Some(ty.to_owned()), at(mark));
    for fixture in ["exceptions", "exceptions-libcxx"] {
        let server = replaying(fixture);
        let set = server.call("rr_catch_set", json!({"event": "throw"}));
        // A program's libraries are not loaded yet at its start.
        assert_eq!(set["verified"], fixture != "exceptions", "{set}");
        let mut expected = vec![
            thrown("int", "throw-int"),
            thrown("std::runtime_error", "throw-error"),
            thrown("weather::Warning", "throw-warning"),
            thrown("weather::Storm", "throw-storm"),
        ];
        assert_eq!(all(&server, "exceptions.cpp", false), expected, "{fixture}");
        expected.reverse();
        assert_eq!(all(&server, "exceptions.cpp", true), expected, "{fixture}");
    }
}

#[test]
fn what_is_thrown_is_told() {
    for fixture in ["exceptions", "exceptions-libcxx"] {
        let server = replaying(fixture);
        server.call("rr_catch_set", json!({"event": "throw"}));
        let told = ["42", "\"rain\"", "\"wind\"", "{force = 9}"].map(|value| {
            let stop = go(&server, false);
            let note = stop["notes"][0].as_str().unwrap().to_owned();
            let (shown, expression) = note.split_once(", which is ").unwrap();
            assert_eq!(shown, format!("thrown: {value}"), "{fixture}");
            expression.to_owned()
        });
        let storm = server.call("rr_evaluate", json!({"expression": format!("({}).force", told[3])}));
        assert_eq!(storm["value"], "9", "{fixture}");
    }
}

#[test]
fn handlers_are_caught_with_the_types_of_what_they_handle() {
    for fixture in ["exceptions", "exceptions-libcxx"] {
        let server = replaying(fixture);
        server.call("rr_catch_set", json!({"event": "catch"}));
        let met = all(&server, "exceptions.cpp", false);
        let types: Vec<_> = met.iter().map(|(reason, ty, _)| (reason.as_str(), ty.as_deref().unwrap_or("?"))).collect();
        let caught = |ty| ("exception-caught", ty);
        let types_met = ["int", "std::runtime_error", "weather::Warning", "weather::Storm", "weather::Storm"];
        let expected = types_met.map(caught);
        assert_eq!(types, expected, "{fixture}");
    }
}

#[test]
fn exceptions_are_chosen_by_their_types() {
    let server = replaying("exceptions");
    server.call("rr_catch_set", json!({"event": "throw", "names": ["^std::", "Storm$"], "temporary": true}));
    let stop = go(&server, false);
    assert_eq!((&stop["reason"], &stop["caught"]), (&json!("exception-thrown"), &json!("std::runtime_error")));
    assert_eq!((&stop["temporary"], place(&server, "exceptions.cpp").0), (&json!(true), "attempt".to_owned()));
    assert_eq!(go(&server, false)["reason"], "end-of-recording");
}

#[test]
fn panics_are_caught_in_both_directions() {
    let server = replaying("panics-rust");
    let set = server.call("rr_catch_set", json!({"event": "panic"}));
    assert_eq!((&set["verified"], &set["location"]), (&json!(true), &json!("panic")));
    let mut expected: Vec<_> =
        ["index", "last"].iter().map(|mark| ("panic".to_owned(), None, line("panics.rs", mark))).collect();
    assert_eq!(all(&server, "panics.rs", false), expected);
    expected.reverse();
    assert_eq!(all(&server, "panics.rs", true), expected);
}

#[test]
fn system_calls_and_forks_are_caught_where_the_library_makes_them() {
    let server = replaying("fork_exec");
    server.call("rr_catch_set", json!({"event": "fork"}));
    let set = server.call("rr_catch_set", json!({"event": "syscall", "names": ["waitpid"]}));
    assert_eq!(set["location"], "syscall waitpid");
    let fork = line("fork_exec.c", "fork");
    let met = all(&server, "fork_exec.c", false);
    let seen: Vec<_> = met.iter().map(|(reason, what, _)| (reason.as_str(), what.as_deref().unwrap())).collect();
    let (forks, waits) = (("fork", "fork"), ("syscall-entry", "waitpid"));
    assert_eq!(seen, [forks, waits, forks, waits]);
    assert_eq!((met[0].2, met[1].2), (fork, fork + 3));
    let mut back = all(&server, "fork_exec.c", true);
    back.reverse();
    assert_eq!(back, met);
    let said = server.fail("rr_catch_set", json!({"event": "syscall"}));
    assert!(said.contains("rr cannot stop at every system call: give names"), "{said}");
    let waits = server.call("rr_catch_set", json!({"event": "syscall", "names": ["io_uring_setup"]}));
    assert_eq!(waits["verified"], false);
    assert!(waits["note"].as_str().unwrap().starts_with("pending: no function io_uring_setup or "), "{waits}");
}

/// The program calls rr's preloaded library, not the C library.
#[test]
fn what_rr_has_put_in_the_place_of_a_function_is_met() {
    let server = replaying("replaced");
    server.run_to("main");
    for function in ["sched_yield", "geteuid"] {
        server.call("rr_breakpoint_set", json!({"location": function}));
    }
    let (yields, asks) = (line("replaced.c", "yield"), line("replaced.c", "user"));
    let mut met = Vec::new();
    loop {
        let stop = go(&server, false);
        if stop["reason"] != "breakpoint-hit" {
            assert_eq!(stop["reason"], "end-of-recording", "{stop}");
            break;
        }
        let stack = server.call("rr_backtrace", json!({}));
        let frames: Vec<_> = stack["result"].as_array().unwrap().iter().take(2).collect();
        let caller = (frames[1]["function"].as_str().unwrap().to_owned(), frames[1]["line"].as_u64().unwrap());
        met.push((frames[0]["function"].as_str().unwrap().to_owned(), caller));
    }
    let turn = |function: &str, line: u64| (function.to_owned(), ("again".to_owned(), line));
    let turns: Vec<_> = (0..3).flat_map(|_| [turn("sched_yield", yields), turn("geteuid", asks)]).collect();
    assert_eq!(met, turns);
    let stop = go(&server, true);
    assert_eq!(stop["frame"]["function"], "geteuid", "{stop}");
    assert_eq!(server.evaluate("turns"), "3");
    let set = server.call("rr_catch_set", json!({"event": "syscall", "names": ["sched_yield", "futex"]}));
    let note = set["note"].as_str().unwrap();
    assert!(note.ends_with("no function is loaded for futex: these calls are not seen"), "{note}");
    let stop = go(&server, true);
    assert_eq!(stop["frame"]["function"], "sched_yield", "{stop}");
    let stop = server.call("rr_finish", json!({}));
    assert_eq!(stop["function"], "again", "{stop}");
}

#[test]
fn an_exec_is_counted_for_its_catchpoint() {
    let server = replaying("exec_self");
    server.call("rr_catch_set", json!({"event": "exec"}));
    let stop = go(&server, false);
    assert_eq!((&stop["reason"], &stop["breakpoint_number"]), (&json!("exec"), &json!(1)));
    assert_eq!(go(&server, false)["reason"], "end-of-recording");
    let stop = go(&server, true);
    assert_eq!((&stop["reason"], &stop["breakpoint_number"]), (&json!("exec"), &json!(1)));
}

#[test]
fn the_console_catches_in_gdbs_words() {
    let server = replaying("exceptions-libcxx");
    let say = |lines: &[&str]| server.text("rr_command", json!({"command": lines.join("\n")}));
    assert_eq!(say(&["catch throw", "tcatch catch int"]), "Catchpoint 1 (throw)\nTemporary catchpoint 2 (catch int)");
    let said = say(&["continue"]);
    assert!(said.starts_with("Continuing.\n\nCatchpoint 1 (exception thrown), 0x"), "{said}");
    let said = say(&["continue"]);
    assert!(said.starts_with("Continuing.\n\nTemporary catchpoint 2 (exception caught), 0x"), "{said}");
    let table = say(&["info breakpoints"]);
    assert!(table.contains("1       catchpoint     keep y                      throw\n"), "{table}");
    let said = server.fail("rr_command", json!({"command": "catch load"}));
    assert!(said.starts_with("Undefined catch command: \"load\": there are signal, "), "{said}");
}

#[test]
fn a_caught_signal_takes_no_condition_and_no_log() {
    let server = replaying("signal_handler");
    server.call("rr_catch_set", json!({"event": "signal"}));
    for (change, what) in [("condition", "condition"), ("log", "log text")] {
        let said = server.fail("rr_breakpoint_update", json!({"breakpoint_number": 1, change: "1"}));
        assert!(said.contains(&format!("takes no {what}: it has no place in the program")), "{said}");
    }
    server.call("rr_breakpoint_update", json!({"breakpoint_number": 1, "ignore_count": 1}));
}

#[test]
fn a_misspelt_system_call_is_refused_with_its_neighbours() {
    let server = replaying("exceptions");
    let set = |name: &str| json!({"event": "syscall", "names": [name]});
    let said = server.fail("rr_catch_set", set("raed"));
    assert_eq!(said, "location `syscall`: there is no system call `raed`; near are: read, readv, rseq");
    assert_eq!(server.fail("rr_catch_set", set("zzz")), "location `syscall`: there is no system call `zzz`");
    assert_eq!(server.call("rr_breakpoint_list", json!({}))["result"], json!([]));
    // Its library is not loaded yet.
    assert_eq!(server.call("rr_catch_set", set("read"))["verified"], false);
    assert_eq!(server.call("rr_catch_set", set("open64"))["verified"], false);
}

#[test]
fn places_that_a_condition_has_left_out_come_back_with_another() {
    let directory = scratch().join("left-out");
    std::fs::create_dir_all(&directory).unwrap();
    let source = "int getpgrp(int where) { return where; }\nint getppid(void) { return 3; }\n\
                  int main(void) { return getpgrp(1) + getppid() - 4; }\n";
    std::fs::write(directory.join("own.c"), source).unwrap();
    let arguments = ["-g", "-static", "-o", "own", "own.c"];
    assert!(std::process::Command::new("gcc").args(arguments).current_dir(&directory).status().unwrap().success());
    let server = Server::start();
    server.replay(&record(&directory.join("own"), &[], &directory).trace);
    server.run_to("main");
    let names = json!({"event": "syscall", "names": ["getpgrp", "getppid"]});
    let number = server.call("rr_catch_set", names)["number"].clone();
    let update = |condition: &str| {
        let change = json!({"breakpoint_number": number, "condition": condition});
        let changed = server.call("rr_breakpoint_update", change);
        (changed["places"].as_array().map(Vec::len), changed["note"].as_str().unwrap().to_owned())
    };
    let always = "stops where the C library's function is entered";
    for _ in 0..2 {
        let (places, note) = update("where == 1");
        assert_eq!((places, note.matches("left out").count()), (None, 1), "{note}");
    }
    assert_eq!(update(""), (Some(2), always.to_owned()));
}

#[test]
fn a_system_call_is_no_member_of_its_name() {
    let server = replaying("scoped_functions");
    server.call("rr_breakpoint_set", json!({"location": "main"}));
    server.call("rr_continue", json!({}));
    let caught = server.call("rr_catch_set", json!({"event": "syscall", "names": ["write"]}));
    // One place, the C library's, whatever its debug info calls it.
    assert_eq!(caught.get("places"), None, "{caught}");
    let function = caught["function"].as_str().unwrap();
    assert!(["write", "__write", "__libc_write"].contains(&function), "{caught}");
}
