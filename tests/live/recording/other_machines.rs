//! Recordings of other machines: replayed with the counters that there are here, refused with a reason where they
//! cannot be, and what the reason may be if they fail.

use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::{fresh_recording, small_environment};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// Loaded into the server, it is a machine without counters.
const NONE: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
long syscall(long number, ...) {
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    unsigned kind = number == SYS_perf_event_open ? *(unsigned *)a : 1;
    if ((kind == 0 || kind == 4) && strstr(program_invocation_short_name, "retrograde")) {
        errno = ENOENT;
        return -1;
    }
    return real(number, a, b, c, d, e, f);
}
"#;

/// The variables that make it one.
fn without_counters() -> [(&'static str, &'static str); 2] {
    static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
        let (source, library) = (scratch().join("no-counters.c"), scratch().join("no-counters.so"));
        fs::write(&source, NONE).unwrap();
        let mut compiler = Command::new("gcc");
        compiler.args(["-shared", "-fPIC", "-o"]).args([&library, &source]).arg("-ldl");
        assert!(compiler.status().unwrap().success());
        library
    });
    [("LD_PRELOAD", LIBRARY.to_str().unwrap()), ("RETROGRADE_COUNTERS", "auto")]
}

const ABSENT: &str = "this machine has no performance counter for conditional branches";

/// A recording with soft counters. What it was made with is in its mark.
fn recorded(fixture: &str, arguments: &[&str]) -> PathBuf {
    let trace = fresh_recording(fixture, arguments).trace;
    mark(&trace, "soft");
    trace
}

/// Has a recording say that it was made with these counters. (They count the same.)
fn mark(trace: &Path, counters: &str) {
    fs::write(trace.join("retrograde"), format!("version=1\ncounters={counters}\n")).unwrap();
}

fn notes(answer: &Value) -> Vec<&str> {
    let notes = answer["notes"].as_array().map(Vec::as_slice).unwrap_or_default();
    notes.iter().map(|note| note.as_str().unwrap()).collect()
}

fn passed(words: &[&str], trace: &Path, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.arg("rr").args(words).arg(trace).env_clear().envs(small_environment());
    command.envs(variables.iter().copied()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_recording_of_hardware_or_of_another_rr_is_replayed_with_soft_counters_where_there_are_no_others() {
    let trace = recorded("exit_code", &["x"]);
    let server = Server::start_with(&without_counters());
    let replayed = |expected: &[&str]| {
        let session = server.replay(&trace);
        assert_eq!(notes(&session), expected, "{session}");
        let end = server.call("rr_continue", json!({}));
        assert_eq!((&end["reason"], &end["exit_code"]), (&json!("end-of-recording"), &json!(42)), "{end}");
        let output = server.text("rr_output", json!({}));
        assert!(output.contains("stdout] x -") && output.contains("stderr] to stderr"), "{output}");
        server.call("rr_replay_stop", json!({}));
    };
    replayed(&[]);
    mark(&trace, "hardware");
    let of_hardware = format!("recorded with hardware counters, replayed with soft counters: {ABSENT}");
    replayed(&[&of_hardware]);
    fs::remove_file(trace.join("retrograde")).unwrap();
    let of_another = format!("recorded by an rr without retrograde, replayed with soft counters: {ABSENT}");
    replayed(&[&of_another]);

    let output = passed(&["replay", "-a"], &trace, &without_counters());
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "x -\n"));
    assert_eq!(text(&output.stderr), format!("retrograde: {of_another}\nto stderr\n"));

    // Who asks for what there is not is told so.
    let hardware = [without_counters()[0], ("RETROGRADE_COUNTERS", "hardware")];
    let why = format!(
        "`{}` cannot be replayed here: RETROGRADE_COUNTERS is `hardware`, and {ABSENT}; `auto` (or none) takes the \
         counters that there are",
        trace.display()
    );
    assert_eq!(Server::start_with(&hardware).fail("rr_replay_start", json!({"trace_dir": trace})), why);
    let output = passed(&["replay", "-a"], &trace, &hardware);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), format!("retrograde: {why}\n")));
}

/// The header of a trace: a message in the format Cap'n Proto, without its packing.
struct Header {
    file: PathBuf,
    format: Vec<u8>,
    bytes: Vec<u8>,
}

/// Where the data of the header begins, behind the table of segments and the first pointer, and what is in it.
const DATA: usize = 16;
const POINTERS: usize = DATA + 72;
const TICKS: usize = DATA + 16;
const ARCHITECTURE: usize = DATA + 18;
const ADDRESS_BITS: usize = DATA + 30;
const IMPROPER: usize = DATA + 68;

impl Header {
    fn read(trace: &Path) -> Self {
        let file = trace.join("version");
        let mut format = fs::read(&file).unwrap();
        let packed = format.split_off(3);
        let (mut bytes, mut rest) = (Vec::new(), packed.into_iter());
        while let Some(tag) = rest.next() {
            bytes.extend((0..8).map(|bit| if tag >> bit & 1 == 0 { 0 } else { rest.next().unwrap() }));
            match tag {
                0 => bytes.resize(bytes.len() + 8 * usize::from(rest.next().unwrap()), 0),
                0xff => {
                    let count = 8 * usize::from(rest.next().unwrap());
                    bytes.extend(rest.by_ref().take(count));
                }
                _ => {}
            }
        }
        Self { file, format, bytes }
    }

    fn write(&self) {
        let words = self.bytes.chunks(8).flat_map(|word| [&[0xff], word, &[0]].concat());
        // It may be a link to another recording's.
        fs::remove_file(&self.file).unwrap();
        fs::write(&self.file, self.format.iter().copied().chain(words).collect::<Vec<_>>()).unwrap();
    }

    /// The same with some bytes changed.
    fn with(&self, at: usize, bytes: &[u8]) -> Self {
        let mut changed = self.bytes.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        Self { file: self.file.clone(), format: self.format.clone(), bytes: changed }
    }

    /// Where EAX of what the processor answers to this question is.
    fn answer(&self, leaf: u32) -> usize {
        let number = |at: usize| u32::from_le_bytes(self.bytes[at..at + 4].try_into().unwrap());
        let pointer = POINTERS + 8;
        let from = pointer + 8 + 8 * (number(pointer) as usize >> 2);
        let to = from + (number(pointer + 4) as usize >> 3);
        let record = (from..to).step_by(24).find(|at| number(*at) == leaf).unwrap();
        record + 8
    }

    /// The processor can do what none had but one that is no longer made: instructions that no program uses.
    fn claiming(&self) -> Self {
        let edx = self.answer(7) + 12;
        self.with(edx, &[self.bytes[edx] | 1 << 2])
    }
}

const LACKING: &str = "this processor lacks what the recording's has, and its programs may use: avx512_4vnniw";
const BY_FORCE: &str = "rr found the processor improperly configured that this was recorded on, and was made to go on: \
                        it is replayed with -F, and may fail where ticks were miscounted";

#[test]
fn a_recording_of_a_greater_processor_or_a_badly_configured_one_is_replayed_and_a_note_says_so() {
    let trace = recorded("exit_code", &["x"]);
    let header = Header::read(&trace);
    header.claiming().with(IMPROPER, &[1, 0]).write();
    let server = Server::start();
    let session = server.replay(&trace);
    assert_eq!(notes(&session), [BY_FORCE, LACKING], "{session}");
    let end = server.call("rr_continue", json!({}));
    assert_eq!(end["exit_code"], 42, "{end}");
    let output = passed(&["replay", "-a"], &trace, &[]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "x -\n"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains(&format!("retrograde: {BY_FORCE}\n")), "{}", text(&output.stderr));
}

#[test]
fn what_may_be_the_reason_is_named_when_a_replay_fails_and_one_by_force_ends() {
    let (trace, other) = (recorded("chatty", &["1"]), recorded("chatty", &["2"]));
    // Its program finds other things in its memory than it found when it was recorded.
    fs::remove_file(trace.join("data")).unwrap();
    fs::copy(other.join("data"), trace.join("data")).unwrap();
    let header = Header::read(&trace);
    for forced in [false, true] {
        header.claiming().with(IMPROPER, &[if forced { 1 } else { 2 }, 0]).write();
        let server = Server::start();
        // It depends on where the kernel has put things in both whether rr comes to the program's first instruction.
        let failed = match server.attempt("rr_replay_start", json!({"trace_dir": trace})) {
            // What comes before that is shown, if there is anything, with the reason why no more is.
            Ok(_) => ["rr_continue", "rr_output"]
                .map(|tool| server.attempt(tool, json!({})).map_or_else(|said| said, |answer| answer.to_string()))
                .to_vec(),
            Err(said) => vec![said],
        };
        for said in failed {
            // rr ends itself with a word, or the program that comes upon what it cannot be without one.
            let is_rrs =
                ["[FATAL ", "rr says: ", "the replay has ended: SIGKILL "].iter().any(|how| said.contains(how));
            assert!(is_rrs && said.contains(&format!("({LACKING})")), "{forced}: {said}");
        }
    }
}

#[test]
fn what_cannot_be_replayed_here_is_refused_with_the_reason() {
    let trace = recorded("exit_code", &["x"]);
    let header = Header::read(&trace);
    let server = Server::start();
    for (at, value, why) in [
        (ARCHITECTURE, &[2 ^ 1, 0][..], "it was recorded on aarch64, and this is x86_64"),
        (TICKS, &[1, 0], "its ticks are taken branches, and soft counters count conditional branches here"),
        (ADDRESS_BITS, &[63], "its programs use addresses of 63 bits, which this machine does not have"),
    ] {
        header.with(at, value).write();
        let expected = format!("`{}` cannot be replayed here: {why}", trace.display());
        assert_eq!(server.fail("rr_replay_start", json!({"trace_dir": trace})), expected);
        let output = passed(&["replay", "-a"], &trace, &[]);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), format!("retrograde: {expected}\n")));
    }
}
