//! Real programs of Debian, recorded, replayed and compared with what they do by themselves: a table with a row for each.
//!
//! Each is a shell's script, so that servers can be started, asked and stopped in one recording ([`programs`]). It must
//! print the same and end alike by itself, recorded, and in the replay; from the end of the recording, some instructions
//! back and as many forward must lead through the same moments, with a stack there, and the end must be explained
//! ([`session`]).
//!
//! ```sh
//! RETROGRADE_ZOO=all cargo test --locked --test zoo -- --ignored --nocapture
//! RETROGRADE_ZOO=redis,node cargo test --locked --test zoo -- --ignored --nocapture   # those with such a word in their names
//! ```
//!
//! Nothing is installed: what is missing is a failure, with the packages that have it. A difference that the lists name is
//! none, but it is a failure if it does not occur any more. Some of the scripts want to be run by root.
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking, and starts and ends processes"
)]

#[path = "../rounds/run.rs"]
#[allow(dead_code, reason = "each of the programs that share it uses a part of it")]
mod run;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each of the programs that share it uses a part of it")]
mod support;

mod programs;
mod session;

use programs::{KINDS, Program};
use run::{Outcome, run};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use support::fixtures::scratch;
use support::recordings::small_environment;

/// The longest that a program may take by itself, and recorded.
const NATIVE_LIMIT: Duration = Duration::from_secs(60);
const RECORDING_LIMIT: Duration = Duration::from_secs(300);
/// The most characters of what is said of a row.
const MOST_OF_A_FAULT: usize = 240;
const MOST_OF_A_NOTE: usize = 100;

/// A row of the table.
struct Row<'a> {
    /// Whose row it is.
    program: &'a Program,
    /// By itself, recorded, replayed.
    seconds: [Option<f64>; 3],
    /// By itself, recorded.
    codes: [Option<i32>; 2],
    /// The kinds of differences that were looked for.
    looked_for: Vec<&'static str>,
    /// What differs, or went wrong, by kind.
    faults: BTreeMap<&'static str, String>,
    /// What the recorder and the answers say of themselves.
    notes: Vec<String>,
}

impl Row<'_> {
    /// Notes whether there is a difference of this kind.
    fn judge(&mut self, kind: &'static str, judged: Result<(), String>) {
        self.looked_for.push(kind);
        self.faults.extend(judged.err().map(|fault| (kind, fault)));
    }

    /// Returns what is in the table about differences of this kind.
    fn verdict(&self, kind: &str) -> &'static str {
        match (self.faults.contains_key(kind), self.program.differs.contains_key(kind)) {
            (true, true) => "no, as known",
            (true, false) => "**no**",
            (false, true) => "**yes, unlike known**",
            (false, false) if self.looked_for.contains(&kind) => "yes",
            (false, false) => "–",
        }
    }

    /// Returns whether what differs is what is known to.
    fn is_as_known(&self) -> bool {
        self.faults.keys().eq(self.program.differs.keys())
    }
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} ", self.program.name)?;
        for seconds in self.seconds {
            write!(f, "| {} ", seconds.map_or("–".to_owned(), |seconds| format!("{seconds:.2}")))?;
        }
        let codes = self.codes.map(|code| code.map_or("–".to_owned(), |code| code.to_string()));
        write!(f, "| {} ", codes.join(", "))?;
        for kind in ["output", "replay", "steps"] {
            write!(f, "| {} ", self.verdict(kind))?;
        }
        let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
        let fault = |kind: &&str| Some(cut(&format!("{kind}: {}", self.faults.get(kind)?), MOST_OF_A_FAULT));
        let notes = self.notes.iter().map(|note| cut(note, MOST_OF_A_NOTE));
        let notes: Vec<String> = KINDS.iter().filter_map(fault).chain(notes).collect();
        write!(f, "| {} |", notes.join("; ").replace('|', "\\|").replace('\n', " "))
    }
}

/// Kills a process, if it is still there.
fn end(pid: u32) {
    let Ok(pid) = libc::pid_t::try_from(pid) else { return };
    // SAFETY: a plain system call.
    unsafe { libc::kill(pid, libc::SIGKILL) };
}

/// Where a program runs, by itself and recorded: what it says of its paths is the same.
struct Cage {
    place: PathBuf,
}

impl Cage {
    /// Builds a cage in which nobody has been.
    fn of(program: &Program) -> Self {
        let place = scratch().join(program.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
        std::fs::create_dir_all(&place).unwrap();
        Self { place }
    }

    /// Where the recording goes.
    fn trace(&self) -> PathBuf {
        self.place.join("trace")
    }

    /// Runs a program in an empty directory, with the bash of the script behind it.
    fn run(&self, command: &mut Command, script: &str, limit: Duration) -> (Option<Outcome>, f64) {
        let directory = self.place.join("run");
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        let home = std::env::var_os("HOME").unwrap_or_default();
        let toolchains = std::env::var_os("RUSTUP_HOME").unwrap_or_else(|| Path::new(&home).join(".rustup").into());
        // The server's home stays where it is; the program's is the empty directory.
        command.args(["-c", &format!("export HOME=\"$PWD\"\n{script}")]);
        command.current_dir(&directory).env_clear().envs(small_environment()).env("RUSTUP_HOME", toolchains);
        command.envs([("PATH", search_path().as_str()), ("LANG", "C.UTF-8"), ("TZ", "UTC")]);
        let begun = Instant::now();
        let outcome = run(command, limit);
        let seconds = begun.elapsed().as_secs_f64();
        end_all_below(&directory);
        (outcome, seconds)
    }
}

impl Drop for Cage {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.place);
    }
}

/// Kills what has been left behind, in sessions of its own, too.
fn end_all_below(directory: &Path) {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|process| process.file_name().to_str()?.parse::<u32>().ok());
    let is_below = |pid: &u32| std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|it| it.starts_with(directory));
    pids.filter(is_below).for_each(end);
}

/// Returns Debian's directories, before whatever else is on `PATH`.
fn search_path() -> String {
    format!("/usr/sbin:/usr/bin:/sbin:/bin:{}", std::env::var("PATH").unwrap_or_default())
}

/// Says where two texts part.
fn compared(expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    let mut number = 0;
    let (mut one, mut other) = (expected.lines(), found.lines());
    loop {
        number += 1;
        match (one.next(), other.next()) {
            (None, None) => return Err("other ends of lines".to_owned()),
            (one, other) if one != other => {
                return Err(format!("line {number}: {:?}, not {:?}", other.unwrap_or("none"), one.unwrap_or("none")));
            }
            _ => {}
        }
    }
}

/// Returns the last lines of what was written to stderr.
fn last_of(errors: &str) -> String {
    let lines: Vec<&str> = errors.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join(" / ")
}

/// Runs a program by itself, records it, and looks at the recording.
fn play(program: &Program) -> Row<'_> {
    let (looked_for, faults, notes) = (Vec::new(), BTreeMap::new(), Vec::new());
    let mut row = Row { program, seconds: [None; 3], codes: [None; 2], looked_for, faults, notes };
    let missing = program.missing_packages(&search_path());
    if !missing.is_empty() {
        row.judge("native", Err(format!("not installed: apt install {}", missing.join(" "))));
        return row;
    }
    let cage = Cage::of(program);
    let (native, seconds) = cage.run(&mut Command::new("/bin/bash"), &program.script, NATIVE_LIMIT);
    row.seconds[0] = Some(seconds);
    let Some(native) = native else {
        row.judge("native", Err(format!("does not end in {} s", NATIVE_LIMIT.as_secs())));
        return row;
    };
    row.codes[0] = Some(native.code);
    let is_good = native.code == 0 && !native.output.is_empty();
    row.judge("native", if is_good { Ok(()) } else { Err(last_of(&native.errors)) });

    let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
    command.args(["record", "--wait", "--output"]).arg(cage.trace()).arg("/bin/bash");
    let (recorded, seconds) = cage.run(&mut command, &program.script, RECORDING_LIMIT);
    row.seconds[1] = Some(seconds);
    let Some(recorded) = recorded else {
        row.judge("exit", Err(format!("the recording does not end in {} s", RECORDING_LIMIT.as_secs())));
        return row;
    };
    row.codes[1] = Some(recorded.code);
    let is_alike = recorded.code == native.code;
    row.judge("exit", if is_alike { Ok(()) } else { Err(last_of(&recorded.errors)) });
    row.judge("output", compared(&native.output, &recorded.output));
    let said = recorded.errors.lines().filter_map(|line| line.strip_prefix("retrograde: "));
    let is_news = |line: &&str| !line.starts_with("recorded in ") && !line.starts_with("`retrograde replay");
    row.notes.extend(said.filter(is_news).map(str::to_owned));

    let answers = session::look(&cage.trace(), program.debug);
    row.seconds[2] = answers.output.is_ok().then_some(answers.seconds);
    row.judge("replay", answers.output.and_then(|output| compared(&recorded.output, &output)));
    row.judge("steps", answers.steps);
    let explained =
        answers.explanation.and_then(|text| if text.is_empty() { Err("no text".to_owned()) } else { Ok(()) });
    row.judge("explain", explained);
    row.notes.extend(answers.notes);
    row
}

#[test]
#[ignore = "takes half an hour, and wants some fifty packages: run by name, with `--ignored`, and RETROGRADE_ZOO=all or names"]
fn zoo() {
    let chosen = Program::chosen(&std::env::var("RETROGRADE_ZOO").unwrap_or_else(|_| "all".to_owned()));
    let columns = [
        "program",
        "native s",
        "recorded s",
        "replayed s",
        "exit codes",
        "output equal",
        "replay equal",
        "back and forth",
        "note",
    ];
    let mut table = vec![format!("| {} |", columns.join(" | ")), format!("|{}", " --- |".repeat(columns.len()))];
    println!("\n{}", table.join("\n"));
    let mut wrong = Vec::new();
    for program in &chosen {
        let row = play(program);
        println!("{row}");
        table.push(row.to_string());
        if !row.is_as_known() {
            let gone = row.program.differs.iter().filter(|(kind, _)| !row.faults.contains_key(*kind));
            let gone = gone.map(|(kind, reason)| format!("{kind} does not differ any more ({reason})"));
            let found = row.faults.iter().filter(|(kind, _)| !row.program.differs.contains_key(*kind));
            let found = found.map(|(kind, fault)| format!("{kind}: {fault}"));
            wrong.push(format!("{}: {}", row.program.name, found.chain(gone).collect::<Vec<_>>().join("; ")));
        }
    }
    println!("\n{}\n", table.join("\n"));
    assert!(wrong.is_empty(), "{} of {} programs:\n{}", wrong.len(), chosen.len(), wrong.join("\n"));
}
