//! Running rr for somebody else, with the right counters: a person at a terminal, a script, another front end.

use super::counters::{Counters, Counting};
use super::error::Error;
use super::events::{has_ended, survey};
use super::foreground::{self, Foreground};
use super::interpreter;
use super::lock::Lock;
use super::manifest::Manifest;
use super::options::{CommandLine, Subcommand};
use super::program::Rr;
use super::record_notes;
use super::trace::{self, Completeness, trace_base};
use super::underway::{GLANCE, Latest, Underway};
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, SystemTime};

/// How long the events of a recording may be looked at for what is to be told of it.
const SURVEY: Duration = Duration::from_secs(2);
/// What rr sets in the environment of the programs that it records.
const UNDER_RR: &str = "RUNNING_UNDER_RR";

/// An rr that was run for somebody else.
#[derive(Debug)]
pub struct Passed {
    /// How it ended.
    pub status: ExitStatus,
    /// The recording that it has made, if that can be replayed.
    pub trace: Option<PathBuf>,
    /// What went wrong beside it, in words.
    pub notes: Vec<String>,
}

impl Rr {
    /// Runs this rr as `rr WORDS…`, adding what the counters need, on our own stdin, stdout and stderr.
    ///
    /// Only after a recording there is something left to do, and this returns how rr ended. Everything else replaces
    /// this process, and returns only if that fails; so does what is not recorded as it is inside another recording
    /// (`--nested`). `tell` is told what is to be said before.
    pub fn pass_through(&self, words: &[OsString], tell: &mut dyn FnMut(&str)) -> Result<Passed, Error> {
        match CommandLine::read(words) {
            Some(line) if line.subcommand == Subcommand::Record && !line.program.is_empty() => self.record_for(&line),
            Some(line) if matches!(line.subcommand, Subcommand::Replay | Subcommand::Rerun) => {
                let command = self.completed(&line, &self.counting_for(&line, tell)?, None);
                self.become_rr(command).map(|never| match never {})
            }
            _ => {
                let mut command = Command::new(self.program());
                command.args(words);
                self.become_rr(command).map(|never| match never {})
            }
        }
    }

    /// Returns the options and the environment that a replay takes. If there is no such trace, rr says so in its own
    /// words.
    fn counting_for(&self, line: &CommandLine, tell: &mut dyn FnMut(&str)) -> Result<Counting, Error> {
        let word = line.word.to_string_lossy();
        let Ok(trace) = trace::resolve(line.trace.as_deref().map(Path::new)) else {
            return self.counting(self.counters()?.counters, &word);
        };
        let means = self.means_of(&trace)?;
        means.notes.iter().for_each(|note| tell(note));
        if means.force {
            tell("an rr that is told so waits for a debugger if it fails");
        }
        self.replaying(&means, &word)
    }

    /// Builds the command of the user's command line with ours added.
    fn completed(&self, line: &CommandLine, counting: &Counting, trace: Option<&Path>) -> Command {
        let mut command = Command::new(self.program());
        command.envs(counting.environment.iter().map(|(name, value)| (name, value)));
        command.args(completed_words(counting, line, trace));
        command
    }

    fn become_rr(&self, mut command: Command) -> Result<Infallible, Error> {
        let source = command.exec();
        Err(Error::Io { what: format!("run `{}`", self.program().in_text()), source })
    }

    fn record_for(&self, line: &CommandLine) -> Result<Passed, Error> {
        let (counters, note) = if line.software {
            (Counters::RrSoftware, None)
        } else {
            let selection = self.counters()?;
            (selection.counters, selection.note())
        };
        let mut counting = self.counting(counters, &line.word.to_string_lossy())?;
        let program = line.program.first().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default();
        let path = std::env::var_os("PATH");
        let file = interpreter::file_of(&program, Path::new("."), path.as_deref());
        let of_musl = file.filter(|file| interpreter::asks_for_musl(file)).map(|_| record_notes::of_musl(&program));
        if of_musl.is_some() {
            counting.options.push(self.option_without_preload().into());
        }
        let absolute = |path: PathBuf| std::path::absolute(path).map_err(Error::io("read the working directory"));
        let given = line.trace.as_ref().map(|trace| absolute(trace.into())).transpose()?;
        if line.leaves_it_to_outer && std::env::var_os(UNDER_RR).is_some() {
            // This rr becomes the program. As its parent we would change what the program is: not the process that was
            // started, nor the leader of that one's process group.
            return self.become_rr(self.completed(line, &counting, None)).map(|never| match never {});
        }
        let started = |mut command: Command| {
            foreground::start(&mut command).map_err(Error::io(format!("run `{}`", self.program().in_text())))
        };
        let begin = |trace: PathBuf, latest: Latest| {
            let command: Vec<_> = line.program.iter().map(|word| word.to_string_lossy()).collect();
            let manifest = Manifest::new(counters, self.version(), command.join(" "), SystemTime::now());
            Underway::new(trace, manifest, latest)
        };

        let (child, underway) = match given {
            Some(given) => {
                // rr refuses a directory that exists; then its manifest, if any, is not ours to write.
                let mut underway = given.symlink_metadata().is_err().then(|| begin(given, Latest::Never));
                let mut child = started(self.completed(line, &counting, None))?;
                if let Some(underway) = &mut underway {
                    wait_until_begun(&mut child, underway);
                }
                (child, underway)
            }
            None => {
                let base = absolute(trace_base())?;
                fs::create_dir_all(&base).map_err(Error::io(format!("create `{}`", base.in_text())))?;
                let _names = Lock::of_names(&base, &self.cancel)?;
                let program = line.program.first().map(OsString::as_os_str).unwrap_or_default();
                let trace = trace::next_name(&base, program);
                let mut underway = begin(trace.clone(), Latest::WhenBegun);
                let mut child = started(self.completed(line, &counting, Some(&trace)))?;
                wait_until_begun(&mut child, &mut underway);
                (child, Some(underway))
            }
        };
        let status = child.wait().map_err(Error::io("wait for rr"))?;
        let mut notes: Vec<String> = note.into_iter().chain(of_musl).collect();
        let made = underway.as_ref().map(|underway| underway.trace().to_owned());
        notes.extend(underway.into_iter().flat_map(|underway| conclude(underway, counters, status)));
        let is_complete =
            |trace: &PathBuf| trace::state(trace) == Some(Completeness::Complete) && trace::has_tasks(trace);
        Ok(Passed { status, trace: made.filter(is_complete), notes })
    }
}

/// Iterates over the words of the user's command line with ours added. Of two equal options rr takes the last, so the
/// user's.
fn completed_words<'a>(
    counting: &'a Counting,
    line: &'a CommandLine,
    trace: Option<&'a Path>,
) -> impl Iterator<Item = &'a OsStr> {
    let output = trace.into_iter().flat_map(|trace| [OsStr::new("-o"), trace.as_os_str()]);
    let before = counting.globals.iter().chain(&line.globals).chain([&line.word]).chain(&counting.options);
    before.map(OsString::as_os_str).chain(output).chain(line.rest.iter().map(OsString::as_os_str))
}

/// Waits until rr has begun and that is written down, or until it has ended.
fn wait_until_begun(child: &mut Foreground, underway: &mut Underway) {
    while !underway.has_begun() && matches!(child.poll(), Ok(None)) {
        thread::sleep(GLANCE);
    }
}

/// Writes down what has become of a recording when its rr has ended. What fails is said.
fn conclude(underway: Underway, counters: Counters, status: ExitStatus) -> Vec<String> {
    match trace::state(underway.trace()) {
        Some(Completeness::Complete) if trace::has_tasks(underway.trace()) => {
            let trace = underway.trace().to_owned();
            let gave_up = !status.success() && has_ended(&trace).is_ok_and(|has_ended| !has_ended);
            let survey = survey(&trace, SURVEY, &Cancel::default()).unwrap_or_default();
            let mut notes = underway.finish((!gave_up).then_some(status), None);
            notes.extend(gave_up.then(|| record_notes::gave_up(survey.events)));
            notes.extend(record_notes::of(&survey, counters, None));
            return notes;
        }
        Some(Completeness::Complete) => underway.withdraw(),
        // Our rr writes no more.
        Some(Completeness::InProgress) => underway.yield_to_another(),
        // It was killed. With rr, too, such a recording stays the latest.
        Some(Completeness::Incomplete) | None => {}
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_says_of_the_processor_comes_last() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let counting = Counting {
            globals: words("--microarch Skylake"),
            options: words("-n"),
            environment: vec![("LD_PRELOAD".into(), "/soft.so".into())],
        };
        let completed = |text: &str, trace: Option<&str>| {
            let line = CommandLine::read(&words(text)).unwrap();
            let words = completed_words(&counting, &line, trace.map(Path::new)).collect::<Vec<_>>();
            words.join(OsStr::new(" ")).into_string().unwrap()
        };
        assert_eq!(
            completed("-A Haswell record -h true", Some("/t")),
            "--microarch Skylake -A Haswell record -n -o /t -h true"
        );
        assert_eq!(completed("replay -a /t", None), "--microarch Skylake replay -n -a /t");
    }
}
