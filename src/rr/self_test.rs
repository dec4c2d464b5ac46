//! Recording and replaying a tiny program, to see that it works here and what it costs.
//!
//! The program is made of a few machine instructions, so that neither a compiler nor a library is needed: a loop of
//! conditional branches, which is what rr's ticks count, and an exit. It is run with one branch, which shows what
//! starting costs, and with more and more, until what the loop itself costs can be told from that: at most as many as
//! take some 50 ms natively.

use super::counters::Counters;
use super::error::Error;
use super::orphans;
use super::process::{Answer, ask, ending, last_words};
use super::program::Rr;
use super::record::RecordOptions;
use base::untrusted::PathText as _;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A loop that takes so long to record is long enough to tell its cost from chance.
const LOOP: Duration = Duration::from_millis(250);
/// Branches of the first loop; each further one has so many times as many.
const FIRST: u64 = 10_000;
const FACTOR: u64 = 100;
/// Branches of the longest loop; processors take one or two of them in a nanosecond.
const LONGEST: u64 = 100_000_000;
/// How long a single run may take. Even single-stepped the first loop takes less than a second.
const LIMIT: Duration = Duration::from_secs(20);
/// How many characters of rr's words are told.
const WORDS: usize = 400;

/// How often another name is tried where one is taken.
const NAMES: u32 = 1000;

/// What came of recording a tiny program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    /// It was recorded.
    Works,
    /// rr ended without a recording, and said this, as one line.
    Fails(String),
    /// It was not rr that decided: the time was up, or something around it went wrong.
    NotKnown,
}

impl Tried {
    /// Interprets rr's answer. That nobody wants it any more is an error.
    fn of(answer: Result<Answer, Error>) -> Result<Self, Error> {
        match answer {
            Ok(answer) if answer.status.success() => Ok(Self::Works),
            Ok(answer) => Ok(Self::Fails(one_line(&last_words(&answer.stderr)))),
            Err(error @ Error::Cancelled { .. }) => Err(error),
            Err(_) => Ok(Self::NotKnown),
        }
    }
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trial {
    /// Branches of the loop.
    branches: u64,
    /// What the loop takes natively, without the start.
    native: Duration,
    /// The program with one branch, recorded and replayed.
    start: Pair,
    /// The loop, without the start.
    body: Pair,
}

/// How long the same took recorded and replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair {
    record: Duration,
    replay: Duration,
}

impl Pair {
    fn saturating_sub(self, other: Self) -> Self {
        Self { record: self.record.saturating_sub(other.record), replay: self.replay.saturating_sub(other.replay) }
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { branches, native, start, body } = self;
        let ms = |time: Duration| milliseconds(time);
        write!(f, "a tiny program was recorded in {} and replayed in {}; ", ms(start.record), ms(start.replay))?;
        write!(
            f,
            "a loop of {branches} conditional branches, {} natively, takes {} recorded ({}) and {} replayed ({})",
            ms(*native),
            ms(body.record),
            times(body.record, *native),
            ms(body.replay),
            times(body.replay, *native)
        )
    }
}

/// Formats a time as `0.04 ms` or `61 ms`.
fn milliseconds(time: Duration) -> String {
    match time.as_secs_f64() * 1e3 {
        ms if ms < 1.0 => format!("{ms:.2} ms"),
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms => format!("{ms:.0} ms"),
    }
}

/// Formats a time as a multiple of the native one: `2.3x`.
fn times(time: Duration, native: Duration) -> String {
    match time.as_secs_f64() / native.as_secs_f64().max(1e-9) {
        ratio if ratio < 10.0 => format!("{ratio:.1}x"),
        ratio => format!("{ratio:.0}x"),
    }
}

impl Rr {
    /// Tries it out, with the counters that are chosen here.
    pub(super) fn trial(&self) -> Result<Trial, Error> {
        let place = PrivateDirectory::new()?;
        // The first time is for what has to be read from disk.
        self.timed(&place, 1, "first")?;
        let start = self.timed(&place, 1, "start")?;
        // So many that it can be measured natively.
        let native = Native { longest: place.quickest(LONGEST)?, start: place.quickest(1)? };
        let mut branches = FIRST;
        loop {
            let body = self.timed(&place, branches, "loop")?.saturating_sub(start);
            if body.record >= LOOP || branches >= LONGEST {
                return Ok(Trial { branches, native: native.of(branches), start, body });
            }
            branches *= FACTOR;
        }
    }

    /// Tries whether a program of a few instructions can be recorded with these counters.
    pub(super) fn try_recording(&self, counters: Counters) -> Result<Tried, Error> {
        Tried::of(self.recorded_tiny(counters))
    }

    fn recorded_tiny(&self, counters: Counters) -> Result<Answer, Error> {
        let place = PrivateDirectory::new()?;
        let program = place.program(1)?;
        let mut command = self.counting_command(counters, "record")?;
        command.arg("-o").arg(place.0.join("trace")).arg("--").arg(program);
        ask(command, "record", LIMIT, &self.cancel)
    }

    fn timed(&self, place: &PrivateDirectory, branches: u64, name: &str) -> Result<Pair, Error> {
        let (program, trace) = (place.program(branches)?, place.0.join(format!("trace-{name}-{branches}")));
        let options = RecordOptions {
            command: vec![program.to_string_lossy().into_owned()],
            trace_dir: Some(trace.clone()),
            timeout: Some(LIMIT),
            ..RecordOptions::default()
        };
        let began = Instant::now();
        let recorded = self.record(&options)?;
        let record = began.elapsed();
        if recorded.exit_code != Some(0) || recorded.cut.is_some() {
            let what = format!("a program that exits with 0 was recorded with exit code {:?}", recorded.exit_code);
            return Err(Error::Unexpected { command: "record", what });
        }
        let mut command = self.counting_command(recorded.counters, "replay")?;
        command.arg("-a").arg(&trace);
        let began = Instant::now();
        let replayed = ask(command, "replay", LIMIT, &self.cancel)?;
        let replay = began.elapsed();
        if !replayed.status.success() {
            let (ended, words) = (ending(replayed.status), last_words(&replayed.stderr));
            return Err(Error::Command { command: "replay", ended, words });
        }
        Ok(Pair { record, replay })
    }
}

/// Puts rr's words on one line, as part of a sentence.
pub(super) fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(WORDS).collect()
}

/// What running natively takes.
struct Native {
    longest: Duration,
    start: Duration,
}

impl Native {
    /// Returns the time of a loop of so many branches, in proportion to the longest one.
    fn of(&self, branches: u64) -> Duration {
        self.longest.saturating_sub(self.start).mul_f64(branches as f64 / LONGEST as f64)
    }
}

/// A private directory, removed with all that is in it.
struct PrivateDirectory(PathBuf);

impl PrivateDirectory {
    fn new() -> Result<Self, Error> {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        Self::among(&std::env::temp_dir(), &SERIAL)
    }

    /// Creates the directory of the first name from this number on that is free: a process of the same id may have left
    /// its own, as is usual in containers.
    fn among(base: &Path, serial: &AtomicU32) -> Result<Self, Error> {
        let mut attempt = 0;
        loop {
            let number = serial.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("retrograde-trial-{}-{number}", std::process::id()));
            attempt += 1;
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < NAMES => {}
                Err(error) => return Err(Error::io(format!("create `{}`", path.in_text()))(error)),
            }
        }
    }

    /// Writes the program with so many branches.
    fn program(&self, branches: u64) -> Result<PathBuf, Error> {
        let path = self.0.join(format!("loop-{branches}"));
        let write = |path: &Path| {
            fs::write(path, program(branches))?;
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))
        };
        write(&path).map_err(Error::io(format!("write `{}`", path.in_text())))?;
        Ok(path)
    }

    /// Measures the least time that the program takes by itself in three runs: what else the machine does only adds to
    /// it.
    fn quickest(&self, branches: u64) -> Result<Duration, Error> {
        Ok(self.native(branches)?.min(self.native(branches)?).min(self.native(branches)?))
    }

    /// Measures how long the program runs by itself.
    fn native(&self, branches: u64) -> Result<Duration, Error> {
        let path = self.program(branches)?;
        let failed = || Error::io(format!("run `{}`", path.in_text()));
        let deadline = Instant::now() + LIMIT;
        loop {
            let began = Instant::now();
            match orphans::spawn(&mut Command::new(&path)) {
                Ok(mut child) => {
                    let ended = child.wait();
                    let took = began.elapsed();
                    orphans::no_longer_ours(child.id());
                    return ended.map(|_| took).map_err(failed());
                }
                // Another thread has forked while the file was written, and has not come to its exec yet.
                Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && began < deadline => {}
                Err(error) => return Err(failed()(error)),
            }
        }
    }
}

impl Drop for PrivateDirectory {
    fn drop(&mut self) {
        // It lies where temporary files are removed some day.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Builds an x86-64 ELF program that executes so many conditional branches, at least one, and exits with 0.
fn program(branches: u64) -> Vec<u8> {
    const BASE: u64 = 0x40_0000;
    const HEADERS: u64 = 64 + 2 * 56;
    let mut code = vec![0x48, 0xb9]; // movabs rcx, branches
    code.extend(branches.max(1).to_le_bytes());
    code.extend([0x48, 0xff, 0xc9]); // again: dec rcx
    code.extend([0x75, 0xfb]); // jnz again
    code.extend([0xb8, 60, 0, 0, 0]); // mov eax, SYS_exit
    code.extend([0x31, 0xff]); // xor edi, edi
    code.extend([0x0f, 0x05]); // syscall
    let size = HEADERS + code.len() as u64;

    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let half = |file: &mut Vec<u8>, value: u16| file.extend(value.to_le_bytes());
    let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
    let double = |file: &mut Vec<u8>, value: u64| file.extend(value.to_le_bytes());
    half(&mut file, 2); // ET_EXEC
    half(&mut file, 62); // EM_X86_64
    word(&mut file, 1);
    double(&mut file, BASE + HEADERS); // entry
    double(&mut file, 64); // program headers
    double(&mut file, 0);
    word(&mut file, 0);
    for value in [64, 56, 2, 0, 0, 0] {
        half(&mut file, value);
    }
    word(&mut file, 1); // PT_LOAD
    word(&mut file, 5); // readable, executable
    for value in [0, BASE, BASE, size, size, 0x1000] {
        double(&mut file, value);
    }
    word(&mut file, 0x6474_e551); // PT_GNU_STACK
    word(&mut file, 6); // readable, writable
    for value in [0; 6] {
        double(&mut file, value);
    }
    file.extend(code);
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::cancel::Cancel;

    #[test]
    fn the_program_ends_well_and_takes_longer_with_more_branches() {
        if cfg!(not(target_arch = "x86_64")) {
            return;
        }
        let place = PrivateDirectory::new().unwrap();
        for branches in [0, 1, 1000] {
            let path = place.program(branches).unwrap();
            assert!(Command::new(&path).status().is_ok_and(|status| status.success()), "{branches}");
        }
        assert!(place.native(LONGEST).unwrap() > place.native(1).unwrap());
        let path = place.0.clone();
        drop(place);
        assert!(!path.exists());
    }

    #[test]
    fn a_name_that_is_taken_is_passed_over() {
        let base = tempfile::tempdir().unwrap();
        let name = |number: u32| base.path().join(format!("retrograde-trial-{}-{number}", std::process::id()));
        fs::create_dir(name(0)).unwrap();
        let serial = AtomicU32::new(0);
        let place = PrivateDirectory::among(base.path(), &serial).unwrap();
        assert_eq!(place.0, name(1));
        assert!(PrivateDirectory::among(&name(7), &serial).is_err(), "there is no such directory");
    }

    #[test]
    fn only_what_rr_says_is_a_failure() {
        let shell = |script: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            ask(command, "record", LIMIT, &Cancel::default())
        };
        assert_eq!(Tried::of(shell("exit 0")).unwrap(), Tried::Works);
        assert_eq!(Tried::of(shell("echo no >&2; exit 1")).unwrap(), Tried::Fails("no".into()));
        assert_eq!(Tried::of(Err(Error::CommandTimeout { command: "record", after: LIMIT })).unwrap(), Tried::NotKnown);
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(Tried::of(Err(Error::io("write")(full))).unwrap(), Tried::NotKnown);
        assert!(Tried::of(Err(Error::Cancelled { command: "record" })).is_err());
    }

    #[test]
    fn what_was_measured_is_told() {
        let ms = Duration::from_millis;
        let start = Pair { record: ms(61), replay: ms(45) };
        let body = Pair { record: ms(130), replay: ms(5) };
        let trial = Trial { branches: 100_000_000, native: ms(50), start, body };
        assert_eq!(
            trial.to_string(),
            "a tiny program was recorded in 61 ms and replayed in 45 ms; a loop of 100000000 conditional branches, \
             50 ms natively, takes 130 ms recorded (2.6x) and 5.0 ms replayed (0.1x)"
        );
        let slow = Trial { branches: 10_000, native: Duration::from_micros(4), ..trial };
        assert!(slow.to_string().contains("0.00 ms natively, takes 130 ms recorded (32500x)"), "{slow}");
    }

    #[test]
    fn a_shorter_loop_is_in_proportion() {
        let native = Native { longest: Duration::from_millis(51), start: Duration::from_millis(1) };
        assert_eq!(native.of(LONGEST), Duration::from_millis(50));
        assert_eq!(native.of(LONGEST / 1000), Duration::from_micros(50));
    }
}
