//! What is recorded and replayed, and how fast it should be.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a time is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// The program as it is.
    Native,
    /// The same phase under rr.soft.
    RrSoft,
}

/// The most a phase may cost.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Times the reference's time.
    pub ratio: f64,
    /// What it is compared with.
    pub reference: Reference,
}

/// A program and what is expected of it.
pub struct Program {
    /// For the report.
    pub name: &'static str,
    /// The command.
    pub words: Vec<OsString>,
    /// A file that the program makes in its working directory, part of its output.
    pub product: Option<&'static str>,
    /// The target for recording.
    pub record: Target,
    /// The target for replaying.
    pub replay: Target,
}

/// Instructions between the two places of the reverse run.
const DISTANCE: f64 = 1e7;
/// Conditional branches of the tight loop.
const BRANCHES: f64 = 2e8;
/// Processes of the shell script.
const PROCESSES: f64 = 40.0;

fn against(reference: Reference, ratio: f64) -> Target {
    Target { ratio, reference }
}

/// All of them, built in `directory`. `scale` shortens the loops.
pub fn all(directory: &Path, scale: f64) -> Vec<Program> {
    let soft = |ratio| against(Reference::RrSoft, ratio);
    let native = |ratio| against(Reference::Native, ratio);
    let rounds = |name: &str| here("../../tests/rounds/programs").join(name);
    let program = |name, words: Vec<OsString>, record, replay| Program { name, words, product: None, record, replay };
    let list = compile(directory, &rounds("linked_list.c"), &[]);
    let mutexes = compile(directory, &rounds("mutexes.c"), &["-pthread"]);
    let branches = compile(directory, &here("programs/branches.c"), &["-static"]);
    let python = vec![python(), "-c".into(), "print(sum(range(100000)))".into()];
    let object = vec!["gcc".into(), "-c".into(), "-o".into(), "out.o".into(), rounds("compiled.c").into()];
    let script = vec!["sh".into(), here("programs/processes.sh").into(), count(PROCESSES, scale)];
    vec![
        program("small dynamic C", vec![list.into(), "100".into()], soft(1.0), soft(1.5)),
        program("3 threads, mutex", vec![mutexes.into(), "100".into()], soft(1.0), soft(1.5)),
        program("git --version", vec!["git".into(), "--version".into()], soft(1.0), soft(1.5)),
        Program { product: Some("out.o"), ..program("gcc -c", object, soft(1.0), soft(1.2)) },
        program("python sum", python, soft(1.0), soft(1.2)),
        program("tight loop", vec![branches.into(), count(BRANCHES, scale)], native(2.5), native(2.5)),
        program("40 processes", script, soft(0.7), soft(0.7)),
    ]
}

/// The program of the reverse run: it passes `near`, some instructions, and `far`.
pub fn distance(directory: &Path, scale: f64) -> Vec<OsString> {
    vec![compile(directory, &here("programs/distance.c"), &["-static", "-g"]).into(), count(DISTANCE, scale)]
}

/// The target of the reverse run.
pub fn reverse() -> Target {
    against(Reference::RrSoft, 1.5)
}

fn count(full: f64, scale: f64) -> OsString {
    format!("{:.0}", (full * scale).max(1.0)).into()
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/soft_counters").join(path)
}

fn compile(directory: &Path, source: &Path, flags: &[&str]) -> PathBuf {
    let output = directory.join(source.file_stem().unwrap());
    let status =
        Command::new("gcc").args(["-O2", "-o"]).args([&output, source]).args(flags).status().expect("gcc runs");
    assert!(status.success(), "gcc failed on {}", source.display());
    output
}

/// The interpreter itself: what is on `PATH` may be a shell script that looks for it.
fn python() -> OsString {
    let mut command = Command::new("python3");
    let output = command.args(["-c", "import sys; print(sys.executable)"]).output().expect("python3 runs");
    String::from_utf8(output.stdout).expect("python3 says where it is").trim_end().into()
}
