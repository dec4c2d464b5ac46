//! Trace directories that somebody has made to harm whoever opens them: they end in an error that says what is wrong with
//! them, soon, and without much memory.

use crate::support::fixtures::scratch;
use crate::support::mcp::Server;
use crate::support::recordings::recording;
use serde_json::json;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// No answer takes as long, not even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);
/// A server that has opened all of them takes less, in KiB.
const MEMORY: u64 = 1 << 20;

type Damage = (&'static str, fn(&Path), Option<&'static str>);

fn pipe(path: &Path) {
    let _ = fs::remove_file(path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn link(path: &Path, to: &Path) {
    let _ = fs::remove_file(path);
    symlink(to, path).unwrap();
}

/// Puts bytes in place of those that a file has somewhere.
fn overwrite(path: &Path, at: usize, bytes: &[u8]) {
    let mut content = fs::read(path).unwrap();
    content[at..at + bytes.len()].copy_from_slice(bytes);
    fs::write(path, content).unwrap();
}

/// What is done to a recording, and what is to be expected of it. (Of what only rr reads, rr says something.)
const DAMAGES: [Damage; 20] = [
    ("a pipe for events", |trace| pipe(&trace.join("events")), Some("`events` is not a regular file")),
    ("a pipe for tasks", |trace| pipe(&trace.join("tasks")), Some("`tasks` is not a regular file")),
    ("a pipe for mmaps", |trace| pipe(&trace.join("mmaps")), Some("`mmaps` is not a regular file")),
    ("a pipe for data", |trace| pipe(&trace.join("data")), Some("`data` is not a regular file")),
    ("a pipe for the version", |trace| pipe(&trace.join("version")), Some("has no file `version`")),
    (
        "a pipe for what is incomplete",
        |trace| {
            fs::remove_file(trace.join("version")).unwrap();
            pipe(&trace.join("incomplete"));
        },
        Some("has no file `version`"),
    ),
    ("a pipe for how to replay it", |trace| pipe(&trace.join("retrograde")), None),
    ("a pipe for kept answers", |trace| pipe(&trace.join(".retrograde-answers")), None),
    ("a device", |trace| link(&trace.join("events"), Path::new("/dev/zero")), Some("`events` is not a regular file")),
    ("a link to itself", |trace| link(&trace.join("events"), Path::new("events")), Some("`events` cannot be read")),
    ("a link to another file", |trace| link(&trace.join("events"), Path::new("/etc/passwd")), None),
    (
        "a link to a directory",
        |trace| link(&trace.join("tasks"), Path::new("/")),
        Some("`tasks` is not a regular file"),
    ),
    ("a version of another file", |trace| link(&trace.join("version"), Path::new("/etc/passwd")), Some("`version`")),
    (
        "a terabyte of nothing",
        |trace| {
            File::options().write(true).open(trace.join("events")).unwrap().set_len(1 << 40).unwrap();
        },
        None,
    ),
    ("a chunk of four gigabytes", |trace| overwrite(&trace.join("events"), 0, &[0xff; 8]), None),
    (
        "a chunk that claims more than it has",
        |trace| overwrite(&trace.join("tasks"), 4, &(8u32 << 20).to_le_bytes()),
        None,
    ),
    ("mappings without sense", |trace| overwrite(&trace.join("mmaps"), 8, &[0x55; 16]), None),
    (
        "events cut off",
        |trace| {
            let file = File::options().write(true).open(trace.join("events")).unwrap();
            file.set_len(file.metadata().unwrap().len() / 2).unwrap();
        },
        None,
    ),
    ("a header without sense", |trace| overwrite(&trace.join("version"), 3, &[0xff; 16]), None),
    (
        "many small chunks",
        |trace| {
            // Each has one byte, of a message that does not end.
            let compressed = [0x0b, 0x00, 0x80, 0xff, 0x03];
            let chunk = [&5u32.to_le_bytes()[..], &1u32.to_le_bytes(), &compressed].concat();
            fs::write(trace.join("events"), chunk.repeat(200_000)).unwrap();
        },
        None,
    ),
];

#[test]
fn hostile_trace_directories_end_in_errors() {
    let sound = recording("exit_code").trace;
    let base = scratch().join("hostile traces");
    let server = Server::start_with(&[("RR_MCP_TIMEOUT_STARTUP", "20"), ("RR_MCP_TIMEOUT_FORWARD", "20")]);
    for (number, (what, damage, expected)) in DAMAGES.iter().enumerate() {
        let trace = base.join(format!("trace-{number}"));
        fs::create_dir_all(&trace).unwrap();
        for entry in fs::read_dir(&sound).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), trace.join(entry.file_name())).unwrap();
            }
        }
        damage(&trace);
        for (tool, arguments) in [
            ("rr_ps", json!({"trace_dir": trace})),
            ("rr_timeline", json!({"trace_dir": trace})),
            ("rr_replay_start", json!({"trace_dir": trace})),
            ("rr_calls", json!({"trace_dir": trace, "function": "main"})),
        ] {
            let begun = Instant::now();
            let answer = server.attempt(tool, arguments);
            assert!(begun.elapsed() < PATIENCE, "{what}: {tool} took {:?}", begun.elapsed());
            if let Some(expected) = expected {
                let error = answer.expect_err(what);
                assert!(error.contains(expected), "{what}: {tool}: {error}");
            } else if let Err(error) = answer {
                assert!(!error.is_empty(), "{what}: {tool}");
            }
        }
        let _ = server.attempt("rr_replay_stop", json!({}));
    }
    let listed = server.call("rr_list_recordings", json!({"trace_base_dir": base}));
    assert!(listed["result"].as_array().unwrap().len() >= 14, "{listed}");
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid)).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < MEMORY, "{peak} KiB");
}
