//! Recordings that end before their program, or without a part of it, and what is told of what rr did to one.

use crate::support::fixtures::{built_from, program, scratch};
use crate::support::mcp::Server;
use crate::support::recordings::{record_with, recording};
use serde_json::{Value, json};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// No system call is kept from the kernel, so that rr meets one that it does not know.
const NONE_REFUSED: (&str, &str) = ("RETROGRADE_SOFT_REFUSED", "");

fn notes(answer: &Value) -> String {
    answer["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

#[test]
fn that_rr_gives_up_is_not_how_the_program_ended() {
    let server = Server::start_with(&[NONE_REFUSED]);
    let trace = scratch().join("given-up.trace");
    let recorded = server.call("rr_record", json!({"command": [program("given_up")], "trace_dir": trace}));
    assert_eq!((&recorded["exit_code"], &recorded["signal"]), (&Value::Null, &Value::Null), "{recorded}");
    assert_eq!(recorded["ended_by"], "rr", "{recorded}");
    assert_eq!((&recorded["stdout"], &recorded["stderr"]), (&json!("before\n"), &json!("told\n")), "{recorded}");
    let said = notes(&recorded);
    assert!(said.contains("rr gave up at event ") && said.contains("Expected ENOSYS for 'ustat'"), "{said}");
    assert!(said.contains("this is not a failure of the program"), "{said}");

    let started = server.call("rr_replay_start", json!({"trace_dir": trace}));
    assert!(notes(&started).contains("the recording ends before its program did"), "{started}");
    server.run_to("ask");
    let listed = server.call("rr_list_recordings", json!({"trace_base_dir": scratch()}));
    let found = listed["recordings"].as_array().unwrap().iter().find(|one| one["path"] == json!(trace)).unwrap();
    assert_eq!(found["exit_code"], Value::Null, "{found}");

    // rr cannot replay the last event.
    let last = server.call("rr_session_info", json!({}))["events"].as_u64().unwrap();
    let end = server.call("rr_continue", json!({}));
    assert_eq!((&end["reason"], &end["event"]), (&json!("end-of-recording"), &json!(last - 1)), "{end}");
    assert!(notes(&end).contains("rr gave up recording here"), "{end}");
    server.call("rr_breakpoint_set", json!({"location": "ask"}));
    assert_eq!(server.call("rr_continue", json!({"reverse": true}))["function"], "ask");
    let there = server.call("rr_run_to_event", json!({"event_number": last}));
    assert_eq!((&there["reason"], &there["position"]), (&end["reason"], &end["position"]), "{there}");
}

#[test]
fn that_rr_gives_up_is_not_the_failure_that_is_waited_for() {
    let server = Server::start_with(&[NONE_REFUSED]);
    let command = json!({"command": [program("given_up")], "until": "failure", "runs": 2});
    let recorded = server.call("rr_record", command);
    assert_eq!((&recorded["trace_dir"], &recorded["ended_by"]), (&Value::Null, &json!("rr")), "{recorded}");
    assert!(notes(&recorded).contains("it did not happen in 2 runs; no recording was kept"), "{recorded}");
    assert!(notes(&recorded).contains("rr gave up in 2 runs"), "{recorded}");
}

#[test]
fn a_call_that_rr_does_not_know_is_answered_as_by_an_older_kernel() {
    let server = Server::start_with(&[("RETROGRADE_COUNTERS", "soft")]);
    let trace = scratch().join("refused-call.trace");
    let recorded = server.call("rr_record", json!({"command": [program("given_up")], "trace_dir": trace}));
    assert_eq!((&recorded["exit_code"], &recorded["stdout"]), (&json!(4), &json!("before\nnot there\n")), "{recorded}");
    let said = notes(&recorded);
    assert!(said.contains("rr cannot record ustat (once): answered ENOSYS, as by an older kernel"), "{said}");
    server.call("rr_replay_start", json!({"trace_dir": trace}));
    let end = server.call("rr_continue", json!({}));
    assert_eq!((&end["reason"], &end["exit_code"]), (&json!("end-of-recording"), &json!(4)), "{end}");
}

#[test]
fn the_command_line_tells_that_rr_gave_up() {
    let recorded = record_with(&[], &[NONE_REFUSED], &program("given_up"), &[], scratch());
    assert!(recorded.stderr.contains("retrograde: rr gave up at event "), "{}", recorded.stderr);
    let whole = recording("given_up");
    assert!(!whole.stderr.contains("rr gave up"), "{}", whole.stderr);
}

#[test]
fn processes_that_outlive_the_first_are_told_and_can_be_waited_for() {
    let server = Server::start();
    let ends = |wait: bool| {
        let trace = scratch().join(format!("outlives-{wait}.trace"));
        let command = json!({"command": [program("outlives")], "trace_dir": trace, "wait": wait});
        let recorded = server.call("rr_record", command);
        assert_eq!(recorded["exit_code"], 0, "{recorded}");
        let processes = server.call("rr_ps", json!({"trace_dir": trace}));
        let child = processes["result"][1].clone();
        (notes(&recorded), child)
    };
    let (said, child) = ends(false);
    let told = format!("process {} outlived the first process", child["pid"]);
    assert!(said.contains(&told) && said.contains("`wait: true`"), "{said}");
    assert_eq!(child["exit_code"], -9, "{child}");
    let (said, child) = ends(true);
    assert!(!said.contains("outlived"), "{said}");
    assert_eq!(child["exit_code"], 9, "{child}");
}

#[test]
fn a_recording_in_which_every_thread_waits_for_another_is_ended() {
    let server = Server::start();
    let trace = scratch().join("waits-for-ever.trace");
    let recorded = server.call("rr_record", json!({"command": [program("circle")], "trace_dir": trace}));
    assert_eq!(recorded["ended_by"], "deadlock", "{recorded}");
    assert!(notes(&recorded).contains("each thread of the recording waited for another one"), "{recorded}");
    assert_eq!(recorded["trace_dir"], json!(trace), "{recorded}");
}

/// Changes the byte at the beginning of a file once another one is there.
fn change_when_ready(file: &Path) {
    let ready = file.with_extension("ready"); // The name has no extension.
    let deadline = Instant::now() + Duration::from_secs(60);
    while !ready.exists() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::fs::OpenOptions::new().write(true).open(file).unwrap().write_all_at(&[7], 0).unwrap();
}

#[test]
fn a_replay_that_reads_what_was_not_recorded_says_how_far_it_goes() {
    let server = Server::start();
    let file = scratch().join("shared-with-outside");
    std::fs::write(&file, [0; 4096]).unwrap();
    let trace = scratch().join("outside.trace");
    let recorded = std::thread::scope(|scope| {
        scope.spawn(|| change_when_ready(&file));
        server.call("rr_record", json!({"command": [program("outside"), file], "trace_dir": trace, "timeout": 120}))
    });
    assert_eq!(recorded["stdout"], "mapped\nchanged to 7\n", "{recorded}");
    server.call("rr_replay_start", json!({"trace_dir": trace}));
    let output = server.call("rr_output", json!({}));
    assert!(output.to_string().contains("the recording can be replayed up to event "), "{output}");
    assert!(output.to_string().contains("mapped"), "{output}");
    // A movement that leads there ends at the event before, and a question tells of what comes before.
    let diverges = "the recording can be replayed up to event ";
    let end = server.call("rr_continue", json!({}));
    assert_eq!(end["reason"], "end-of-recording", "{end}");
    let said = notes(&end);
    let event = said.split_once(diverges).and_then(|(_, rest)| rest.split_once(':')?.0.parse::<u64>().ok()).unwrap();
    assert_eq!(end["event"], event - 1, "{end}");
    let calls = server.call("rr_calls", json!({"function": "look", "limit": 1}));
    assert_eq!(calls["rows"][0]["function"], "look", "{calls}");
    assert!(notes(&calls).starts_with("what comes after is missing: "), "{calls}");
    let coverage = server.call("rr_coverage", json!({}));
    assert!(coverage.to_string().contains("what comes after is not counted: "), "{coverage}");
    assert_eq!(server.call("rr_run_to_event", json!({"event_number": event + 1}))["position"], end["position"]);
    server.call("rr_breakpoint_set", json!({"location": "look"}));
    assert_eq!(server.call("rr_continue", json!({"reverse": true}))["function"], "look");
}

#[test]
fn a_child_that_cannot_load_rrs_library_is_named() {
    // It stands for the linker of musl, and ends as that does if it cannot load a library.
    let linker = built_from(
        "ld-musl-x86_64.so.1",
        "void _start(void) { __asm__(\"mov $60, %eax; mov $127, %edi; syscall\"); }",
        &["-static", "-nostdlib"],
    );
    let asks = format!("-Wl,--dynamic-linker={}", linker.display());
    let child = built_from("of_musl", "int main(void) { return 0; }", &[&asks]);
    let told =
        format!("`{}`, linked with musl, exited with 127 before the first instruction of its own", child.display());
    let recorded = |name: &str, options: &[&str]| {
        let command = format!("{}; exit 0", child.display());
        let trace = scratch().join(name);
        let mut recorded = Command::new(env!("CARGO_BIN_EXE_retrograde"));
        let recorded = recorded.arg("record").args(options).arg("-o").arg(&trace).args(["/bin/sh", "-c", &command]);
        String::from_utf8(recorded.output().unwrap().stderr).unwrap()
    };
    let said = recorded("of-musl.trace", &[]);
    assert!(said.contains(&told) && said.contains("--no-preload"), "{said}");
    let said = recorded("of-musl-without.trace", &["-n"]);
    assert!(!said.contains("linked with musl"), "without the library it is the program's own exit: {said}");
}

#[test]
fn that_a_program_takes_the_place_of_the_code_cache_is_told() {
    let takes = built_from(
        "takes_place",
        "#define _GNU_SOURCE\n#include <sys/mman.h>\nint main(void) { void *at = mmap((void *)0x5c000000, 4096, \
         PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0); return at != (void *)0x5c000000; }",
        &[],
    );
    let server = Server::start_with(&[("RETROGRADE_COUNTERS", "soft")]);
    let trace = scratch().join("takes-place.trace");
    let recorded = server.call("rr_record", json!({"command": [takes], "trace_dir": trace}));
    assert_eq!(recorded["exit_code"], 0, "{recorded}");
    let said = notes(&recorded);
    assert!(said.contains("mapped memory where soft counters keep their code cache"), "{said}");
}

#[test]
fn back_from_the_end_comes_to_where_a_thread_was_when_another_one_ended_the_process() {
    const TEXT: &str = r#"
#include <pthread.h>
#include <unistd.h>
volatile long turns, others;
static void *leave(void *unused) {
    for (long i = 0; i < 3000000; i++) turns++;
    _exit(6);
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    while (others >= 0) others++;
}
"#;
    let program = built_from("ended_by_another", TEXT, &["-g", "-O1", "-pthread"]);
    let trace = scratch().join("ended_by_another.trace");
    let server = Server::start();
    server.call("rr_record", json!({"command": [program], "trace_dir": trace}));
    let pid = server.call("rr_replay_start", json!({"trace_dir": trace}))["pid"].as_u64().unwrap();
    server.call("rr_continue", json!({}));
    server.call("rr_thread_select", json!({"thread_id": pid}));
    let when = || server.call("rr_when", json!({}))["position"].as_str().unwrap().to_owned();
    // The instruction, and the hash of the registers: all but the event, and that it is the end.
    let place = |position: &str| {
        let parts: Vec<String> = position.split('/').map(str::to_owned).collect();
        (parts[1].clone(), parts[3].clone(), parts[4].clone())
    };
    let end = when();
    assert!(end.ends_with("/end"), "{end}");
    server.call("rr_step", json!({"instruction": true, "reverse": true}));
    let alive = when();
    assert!(!alive.ends_with("/end") && place(&alive) == place(&end), "{alive} {end}");
    server.call("rr_step", json!({"instruction": true, "reverse": true}));
    assert_ne!(place(&when()), place(&end), "the instruction before");
    for expected in [&alive, &end] {
        server.call("rr_step", json!({"instruction": true}));
        assert_eq!(when(), **expected);
    }
}
