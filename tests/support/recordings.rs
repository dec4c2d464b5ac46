//! Records fixtures with the real rr, once per test process.

use super::fixtures::{program, scratch};
use rr::Rr;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

/// The rr under test: `RETROGRADE_RR`, else one on `PATH`, else the pinned wheel in a private directory.
pub fn rr() -> &'static Rr {
    static RR: LazyLock<Rr> = LazyLock::new(|| {
        Rr::find().unwrap_or_else(|_| {
            use retrograde::cli::install::{ensure_rr, private_directory};
            ensure_rr(&private_directory("rr")).unwrap_or_else(|e| panic!("the live tests need rr: {e}"))
        })
    });
    &RR
}

/// Returns an rr that is left as it is when it replays: a script cannot be looked at for the kinds of processor it
/// knows, so it keeps the skid of this one, and overflows come when they are asked for.
pub fn stock_rr() -> PathBuf {
    let script = scratch().join("stock-rr");
    let text = format!("#!/bin/sh\nRETROGRADE_SOFT_LATE=0 exec '{}' \"$@\"\n", rr().program().display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    script
}

/// A recording of a fixture.
#[derive(Clone)]
pub struct Recording {
    /// The trace directory.
    pub trace: PathBuf,
    /// How the program ended: its exit code, or 128 and the signal.
    pub exit_code: i32,
    /// What it and rr said.
    pub stderr: String,
}

/// As few variables as possible: a static program's start-up looks at each of them, instruction by instruction.
pub fn small_environment() -> impl Iterator<Item = (String, OsString)> {
    let kept = ["PATH", "HOME", "RETROGRADE_COUNTERS"];
    let kept = kept.into_iter().filter_map(|name| Some((name.to_owned(), std::env::var_os(name)?)));
    let tunables = super::machine::tunables().map(|(name, value)| (name, value.into()));
    kept.chain(tunables).chain([("RETROGRADE_RR".to_owned(), rr().program().into())])
}

/// The recording of a fixture run without arguments.
pub fn recording(name: &str) -> Recording {
    recording_of(name, &[])
}

/// The recording of a fixture run with these arguments.
pub fn recording_of(name: &str, arguments: &[&str]) -> Recording {
    type Slots = HashMap<String, Arc<OnceLock<Recording>>>;
    static MADE: LazyLock<Mutex<Slots>> = LazyLock::new(Mutex::default);
    let key = format!("{name} {}", arguments.join(" "));
    let slot = MADE.lock().unwrap().entry(key).or_default().clone();
    slot.get_or_init(|| fresh_recording(name, arguments)).clone()
}

/// A recording that no other test sees.
pub fn fresh_recording(name: &str, arguments: &[&str]) -> Recording {
    record(&program(name), arguments, scratch())
}

/// A recording of a program that is run in a directory, by this path.
pub fn record(program: &Path, arguments: &[&str], directory: &Path) -> Recording {
    record_with(&[], &[], program, arguments, directory)
}

/// The same with options of `rr record`, and variables in its environment.
pub fn record_with(
    options: &[&str],
    variables: &[(&str, &str)],
    program: &Path,
    arguments: &[&str],
    directory: &Path,
) -> Recording {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let n = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = program.file_name().unwrap().to_str().unwrap();
    let trace = scratch().join(format!("{name}.trace-{n}"));
    let output = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .args(["rr", "record", "-o"])
        .arg(&trace)
        .args(options)
        .arg(program)
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .envs(small_environment())
        .env("PWD", directory)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(trace.join("version").exists(), "recording {name}: {stderr}");
    let exit_code = output.status.code().or(output.status.signal().map(|s| 128 + s)).unwrap();
    Recording { trace, exit_code, stderr }
}
