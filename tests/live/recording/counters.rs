//! Counters that cannot be had: said in our words, before rr says it in its own. And what those cost that there are.

use crate::server::stdio::Server;
use crate::support::fixtures::{program, scratch};
use crate::support::mcp;
use crate::support::recordings::rr;
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// What `rr_record` says with this rr, if it would have to use our soft counters.
fn refusal(program_of_rr: &Path) -> String {
    let variables = [("RETROGRADE_RR", program_of_rr.to_str().unwrap()), ("RETROGRADE_COUNTERS", "soft")];
    let server = mcp::Server::start_with(&variables);
    let trace = scratch().join("never-made");
    server.fail("rr_record", json!({"command": [program("exit_code")], "trace_dir": trace}))
}

/// An rr made of this script, beside which the real one is `$RR`.
fn script(name: &str, text: &str) -> std::path::PathBuf {
    let path = scratch().join(name);
    let text = format!("#!/bin/sh\nRR='{}'\n{text}\n", rr().program().display());
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

/// Without `-W`, so that it is our counters that are used in place of hardware. (Such an rr need not be able to
/// record.)
const NO_COUNTERS_OF_ITS_OWN: &str = "[ \"$1\" = --help ] && exit 1";

#[test]
fn an_rr_into_which_nothing_is_preloaded_is_refused() {
    let name = script("rr-unloading", &format!("{NO_COUNTERS_OF_ITS_OWN}\nunset LD_PRELOAD\nexec \"$RR\" \"$@\""));
    let said = refusal(&name);
    assert!(said.starts_with(&format!("soft counters cannot work with this rr, `{}`: ", name.display())), "{said}");
    assert!(said.contains("was not loaded") && said.contains("RETROGRADE_RR"), "{said}");
    // The same wrapper without that is as good as what it wraps.
    let name = script("rr-wrapped", "exec \"$RR\" \"$@\"");
    let server = mcp::Server::start_with(&[("RETROGRADE_RR", name.to_str().unwrap())]);
    let trace = scratch().join("recorded-by-a-wrapper");
    let recorded = server.call("rr_record", json!({"command": [program("exit_code"), "x"], "trace_dir": trace}));
    assert_eq!(recorded["exit_code"], 42, "{recorded}");
}

#[test]
fn an_rr_with_privileges_is_refused() {
    let copy = scratch().join("rr-set-user-id");
    fs::copy(rr().program(), &copy).unwrap();
    fs::set_permissions(&copy, Permissions::from_mode(0o4755)).unwrap();
    let server = mcp::Server::start_with(&[("RETROGRADE_RR", copy.to_str().unwrap()), ("RETROGRADE_COUNTERS", "soft")]);
    let trace = scratch().join("never-made-either");
    match server.attempt("rr_record", json!({"command": [program("exit_code")], "trace_dir": trace})) {
        Err(said) => assert!(said.contains(": it is set-user-id, and "), "{said}"),
        // It has software counters of its own.
        Ok(recorded) => assert_ne!(recorded["counters"], "soft", "{recorded}"),
    }
}

/// Has `perf_event_open` refused to this process and its children, as the filters of containers do.
fn forbid_events() -> io::Result<()> {
    const NUMBER: u32 = 0; // offset of `nr` in `struct seccomp_data`
    const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let step = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let mut filter = [
        step(LOAD, 0, 0, NUMBER),
        step(JUMP_IF_EQUAL, 0, 1, libc::SYS_perf_event_open as u32),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let filter = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the filter outlives the call, which copies it.
    let refused = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
            || libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) != 0
    };
    if refused { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[test]
fn forbidden_events_are_told_in_words() {
    let rr = rr().program().to_str().unwrap();
    let mut server = Server::prepared(forbid_events, &[("RETROGRADE_RR", rr), ("RETROGRADE_COUNTERS", "soft")]);
    let report = server.call(1, "rr_doctor", json!({}));
    let events = check(&report["structuredContent"], "software events");
    assert_ne!(events["verdict"], "ok", "{events}");
    assert!(events["found"].as_str().unwrap().starts_with("perf_event_open is refused: "), "{events}");
    let trace = scratch().join("recorded-without-events");
    let recorded = server.call(2, "rr_record", json!({"command": [program("exit_code"), "x"], "trace_dir": trace}));
    let said = recorded["content"][0]["text"].as_str().unwrap();
    // Whether it works depends on the processor. If it does not, the reason is named, and not by an assertion.
    if recorded["isError"] == true {
        assert!(said.contains("perf_event_open") && !said.contains("Assertion"), "{said}");
        assert_eq!(events["verdict"], "blocker", "{events}");
    } else {
        assert_eq!(recorded["structuredContent"]["exit_code"], 42, "{said}");
    }
}

/// Loaded into the server, it is a machine with counters that count: each reads as 5000. Loaded into rr, it refuses
/// them in rr's words, unless software counters are loaded too. With `PASSES` set, what rr is tried out with passes.
const COUNTERS: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static int in_server, in_rr;
static char words[65536];
__attribute__((constructor)) static void look(void) {
    in_server = strstr(program_invocation_short_name, "retrograde") != 0;
    in_rr = strcmp(program_invocation_short_name, "rr") == 0;
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t length = file ? fread(words, 1, sizeof words - 1, file) : 0;
    if (file) fclose(file);
    for (size_t at = 0; at + 1 < length; at++) if (!words[at]) words[at] = ' ';
    const char *preload = getenv("LD_PRELOAD");
    if (!in_rr || !strstr(words, " record ") || (preload && strchr(preload, ':')) || strstr(words, " -W ")) return;
    if (getenv("PASSES") && strstr(words, "retrograde-trial")) _exit(0);
    fputs("[FATAL src/PerfCounters_x86.h:1] \nOn Zen CPUs, rr will not work reliably\n", stderr);
    fflush(stderr);
    _exit(1);
}
long syscall(long number, ...) {
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    unsigned kind = number == SYS_perf_event_open ? *(unsigned *)a : 1;
    if (!in_server || (kind != 0 && kind != 4)) return real(number, a, b, c, d, e, f);
    long counted[8] = {5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000};
    int counter = memfd_create("counter", MFD_CLOEXEC);
    if (write(counter, counted, sizeof counted) != sizeof counted) return -1;
    lseek(counter, 0, SEEK_SET);
    return counter;
}
"#;

#[test]
fn hardware_counters_that_rr_refuses_are_replaced_and_the_answers_say_so() {
    let (source, library) = (scratch().join("counters.c"), scratch().join("counters.so"));
    fs::write(&source, COUNTERS).unwrap();
    let mut compiler = Command::new("gcc");
    compiler.args(["-shared", "-fPIC", "-o"]).args([&library, &source]).arg("-ldl");
    assert!(compiler.status().unwrap().success());
    let preload = ("LD_PRELOAD", library.to_str().unwrap());
    let auto = ("RETROGRADE_COUNTERS", "auto");
    let command = json!([program("exit_code"), "x"]);
    for (way, more) in [("at once", &[][..]), ("later", &[("PASSES", "1")])] {
        let server = mcp::Server::start_with(&[&[preload, auto], more].concat());
        let trace = scratch().join(format!("recorded-in-spite-of-a-refusal-{way}"));
        let recorded = server.call("rr_record", json!({"command": command, "trace_dir": trace}));
        assert_eq!(recorded["exit_code"], 42, "{recorded}");
        assert_ne!(recorded["counters"], "hardware", "{way}");
        let notes = recorded["notes"].to_string();
        assert!(notes.contains("rr refused this machine's hardware counters, so "), "{way}: {recorded}");
        assert!(notes.contains("On Zen CPUs, rr will not work reliably"), "{way}: {recorded}");
        server.replay(&trace);
        let report = server.call("rr_doctor", json!({}));
        let counters = check(&report, "counters");
        assert_eq!(counters["verdict"], "warning", "{way}: {counters}");
        assert!(
            counters["found"].as_str().unwrap().contains("rr refused this machine's hardware counters"),
            "{report}"
        );
        assert_eq!(check(&report, "trial")["verdict"], "ok", "{way}: {report}");
    }
    // Who asks for hardware gets it, or rr's own words.
    let server = mcp::Server::start_with(&[preload, ("RETROGRADE_COUNTERS", "hardware")]);
    let said = server.fail("rr_record", json!({"command": command, "trace_dir": scratch().join("never")}));
    assert!(said.starts_with("rr failed to record") && said.contains("On Zen CPUs"), "{said}");
}

fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{name}: {report}"))
}

#[test]
fn the_doctor_measures_what_recording_and_replaying_cost() {
    let report = mcp::Server::start().call("rr_doctor", json!({}));
    let trial = check(&report, "trial");
    assert_eq!(trial["verdict"], "ok", "{trial}");
    let found = trial["found"].as_str().unwrap();
    for words in
        ["a tiny program was recorded in ", " and replayed in ", " conditional branches, ", " natively, takes "]
    {
        assert!(found.contains(words), "{found}");
    }
    let report = mcp::Server::start_with(&[("RETROGRADE_COUNTERS", "fast")]).call("rr_doctor", json!({}));
    let counters = check(&report, "counters");
    assert_eq!(counters["verdict"], "blocker");
    assert_eq!(counters["remedy"], "unset RETROGRADE_COUNTERS, or set it to one of these");
}

#[test]
fn a_recording_names_its_counters_and_where_to_learn_their_cost() {
    let server = mcp::Server::start();
    let trace = scratch().join("counted");
    let said = server.text("rr_record", json!({"command": [program("exit_code"), "x"], "trace_dir": trace}));
    let line = said.lines().find(|line| line.starts_with("counters: ")).unwrap();
    let known = ["counters: hardware", "counters: soft (rr_doctor measures what they cost)"];
    assert!(known.contains(&line) || line.starts_with("counters: rr-software ("), "{said}");
}
