//! The rr program: finding it, its version, what it can do.

use super::echo::Echo;
use super::error::Error;
use super::process::{ask, ending, last_words};
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The environment variable that names the program.
const VARIABLE: &str = "RETROGRADE_RR";
/// How long rr may take to tell its version, which cannot be cancelled.
const PATIENCE: Duration = Duration::from_secs(10);

/// An rr program that was found and asked for its version.
#[derive(Clone, Debug)]
pub struct Rr {
    identity: Identity,
    facts: Facts,
    /// Ends what waits for this rr.
    pub(super) cancel: Cancel,
    /// See [`Rr::echoing`].
    pub(super) echo: Option<Echo>,
    /// See [`Rr::from_fork`].
    pub(super) from_fork: bool,
}

/// A program's file: where it is, and what tells it from another one that takes its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Identity {
    program: PathBuf,
    size: u64,
    modified: (i64, i64),
}

/// The option of `record` by which rr does without its preload library.
const WITHOUT_PRELOAD: &str = "--no-preload";

/// What a program said about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Facts {
    version: (u32, u32, u32),
    software_counters: bool,
}

impl Rr {
    /// Finds the program that `RETROGRADE_RR` names, else the first `rr` on `PATH`, else the one in the directory of this
    /// program (where a Python package manager puts both), else the one that `retrograde setup` has installed. The error
    /// says how to get rr.
    pub fn find() -> Result<Rr, Error> {
        if let Some(named) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
            return Self::at(Path::new(&named));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let beside_us = || beside(&std::env::current_exe().ok()?);
        let own = || Self::directory_of_own().map(|directory| directory.join("bin/rr")).filter(|rr| rr.is_file());
        match on_path(&path).or_else(beside_us).or_else(own) {
            Some(program) => Self::at(&program),
            None => Err(Error::NotFound { looked: format!("{VARIABLE} is not set, and PATH has no `rr`") }),
        }
    }

    /// Returns where `retrograde setup` installs an rr: below `XDG_DATA_HOME`, else `~/.local/share`.
    pub fn directory_of_own() -> Option<PathBuf> {
        let variable = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let data = variable("XDG_DATA_HOME").or_else(|| Some(variable("HOME")?.join(".local/share")))?;
        Some(data.join("retrograde/rr"))
    }

    /// Opens this program. It is run once per process for its version, and again only if the file has changed.
    pub fn at(program: &Path) -> Result<Rr, Error> {
        // Recording may change the working directory.
        let program = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
        let Ok(file) = program.metadata() else {
            return Err(Error::NotFound { looked: format!("`{}` does not exist", program.in_text()) });
        };
        if !is_executable(&file) {
            return Err(Error::NotRr { program, reason: "it is not an executable file".into() });
        }

        static KNOWN: Mutex<BTreeMap<Identity, Facts>> = Mutex::new(BTreeMap::new());
        let modified = (file.mtime(), file.mtime_nsec());
        let identity = Identity { program, size: file.size(), modified };
        let remembered = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&identity).copied();
        let facts = match remembered {
            Some(facts) => facts,
            None => {
                let facts = learn(&identity.program)?;
                KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(identity.clone(), facts);
                facts
            }
        };
        Ok(Rr { identity, facts, cancel: Cancel::default(), echo: None, from_fork: false })
    }

    /// Returns the same rr, whose commands are abandoned, and their processes killed, when this is cancelled, or what
    /// was given before. (A replay that has started is not a command any more: see
    /// [`Replay::killer`](super::Replay::killer).)
    #[must_use]
    pub fn with_cancel(&self, cancel: &Cancel) -> Self {
        Self { cancel: self.cancel.child_of_both(cancel), ..self.clone() }
    }

    /// Returns the same rr, whose commands are abandoned when this is cancelled, and only then.
    #[must_use]
    pub fn cancelled_by(&self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self.clone() }
    }

    /// Returns the same rr, whose replays print what the program printed, there and on our own stderr.
    #[must_use]
    pub fn echoing(&self, echo: &Echo) -> Self {
        Self { echo: Some(echo.clone()), ..self.clone() }
    }

    /// Returns the same rr, whose replays of a process that is not the first begin where that was forked, also if it
    /// has executed a program later.
    #[must_use]
    pub fn from_fork(&self) -> Self {
        Self { from_fork: true, ..self.clone() }
    }

    /// Returns the absolute path of the program.
    pub fn program(&self) -> &Path {
        &self.identity.program
    }

    /// Returns the identity of the program's file.
    pub(super) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns the version as `rr --version` says: 5.10.0 is `(5, 10, 0)`.
    pub fn version(&self) -> (u32, u32, u32) {
        self.facts.version
    }

    /// Returns whether this rr has option `-W`, as the rr.soft fork does.
    pub(super) fn has_software_counters(&self) -> bool {
        self.facts.software_counters
    }

    /// Returns the option of `record` that leaves rr's preload library out, and with it the system-call buffer; where
    /// there is none, that for the buffer alone.
    pub fn option_without_preload(&self) -> &'static str {
        let mut command = self.plain_command("help");
        command.arg("record");
        let lists = |text: &str| text.contains(WITHOUT_PRELOAD);
        let asked = ask(command, "help", PATIENCE, &self.cancel);
        let is_known = asked.is_ok_and(|answer| lists(&answer.stdout) || lists(&answer.stderr));
        if is_known { WITHOUT_PRELOAD } else { "-n" }
    }

    /// Returns the command for a subcommand that executes nothing recorded, so that counters do not matter.
    pub(super) fn plain_command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(self.program());
        command.arg(subcommand);
        command
    }
}

fn is_executable(file: &std::fs::Metadata) -> bool {
    file.is_file() && file.permissions().mode() & 0o111 != 0
}

/// Returns whether this is a program, or a link to one.
fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| is_executable(&file))
}

/// Finds the executable `rr` in the directory of a program, or in that of the file that the program's name links to: a
/// Python package manager may put such a link on `PATH`, and all programs of the environment beside the file.
fn beside(program: &Path) -> Option<PathBuf> {
    let file = program.canonicalize().ok();
    let names = [Some(program.to_owned()), file].into_iter().flatten();
    names.map(|name| name.with_file_name("rr")).find(|rr| is_program(rr))
}

/// Finds the first executable `rr` in the directories of `path`.
fn on_path(path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(path)
        .filter(|directory| !directory.as_os_str().is_empty())
        .map(|directory| directory.join("rr"))
        .find(|program| is_program(program))
}

fn learn(program: &Path) -> Result<Facts, Error> {
    let unusable = |reason| Error::NotRr { program: program.to_owned(), reason };
    let run = |argument| {
        let mut command = Command::new(program);
        command.arg(argument);
        ask(command, argument, PATIENCE, &Cancel::default()).map_err(|error| unusable(error.to_string()))
    };
    let answer = run("--version")?;
    let Some(version) = version(&answer.stdout) else {
        let said = if answer.stdout.trim().is_empty() { last_words(&answer.stderr) } else { answer.stdout };
        let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let shown: String = first.chars().take(200).collect();
        return Err(unusable(format!("asked for --version it said `{shown}` ({})", ending(answer.status))));
    };
    // rr has no `--help`: it is refused as an unknown option, with the usage on stderr, which is what is wanted.
    let usage = run("--help")?;
    let software_counters = has_software_option(&usage.stderr) || has_software_option(&usage.stdout);
    Ok(Facts { version, software_counters })
}

/// Reads `rr version 5.10.0 (…)`; a missing third number is zero.
fn version(text: &str) -> Option<(u32, u32, u32)> {
    let word = text.lines().find_map(|line| line.strip_prefix("rr version "))?.split_whitespace().next()?;
    let mut numbers = word.split('.').map(|number| {
        let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        number.get(..digits)?.parse().ok()
    });
    Some((numbers.next()??, numbers.next()??, numbers.next().flatten().unwrap_or(0)))
}

/// Returns whether a usage text lists the option for software counters.
fn has_software_option(usage: &str) -> bool {
    usage.lines().any(|line| line.trim_start().starts_with("-W") && line.contains("--software-counters"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;

    #[test]
    fn versions_of_both_spellings_are_read() {
        assert_eq!(version("rr version 5.9.0 \n"), Some((5, 9, 0)));
        assert_eq!(
            version("rr version 5.10.0 (Karellen, Inc. https://karellen.co .post21 c145f2f8)\n"),
            Some((5, 10, 0))
        );
        assert_eq!(version("rr version 5.6\n"), Some((5, 6, 0)));
        assert_eq!(version("warning: x\nrr version 5.7.0rc1\n"), Some((5, 7, 0)));
        assert_eq!(version("rr version five\n"), None);
        assert_eq!(version("GNU gdb 13.1\n"), None);
        assert_eq!(version(""), None);
    }

    #[test]
    fn the_software_option_is_seen_in_the_usage() {
        let soft = "Global options:\n  -F, --force-things         force rr\n  \
                    -W --software-counters     Use software counters\n  -E, --fatal-errors         any\n";
        assert!(has_software_option(soft));
        assert!(!has_software_option("  -F, --force-things         force rr\n  -w, --wait   Wait for all\n"));
    }

    /// Writes a script. The file is written by another process: were it open for writing here while another test forks,
    /// the kernel would not let it be executed.
    pub(crate) fn script(directory: &Path, name: &str, text: &str) -> PathBuf {
        let path = directory.join(name);
        let mut writer = Command::new("sh");
        writer.args(["-c", "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", text]).arg(&path);
        assert!(writer.status().unwrap().success());
        path
    }

    #[test]
    fn the_version_is_asked_once() {
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        let text = format!("#!/bin/sh\necho \"$1\" >> '{}'\necho 'rr version 5.9.1 '\n", log.display());
        let program = script(directory.path(), "rr", &text);
        assert_eq!(Rr::at(&program).unwrap().version(), (5, 9, 1));
        assert_eq!(Rr::at(&program).unwrap().version(), (5, 9, 1));
        assert_eq!(fs::read_to_string(log).unwrap(), "--version\n--help\n");
    }

    #[test]
    fn what_is_not_rr_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let program = script(directory.path(), "rr", "#!/bin/sh\necho 'R version 4.3'\nexit 1\n");
        let error = Rr::at(&program).unwrap_err().to_string();
        assert!(error.contains("it said `R version 4.3` (exit status 1)"), "{error}");
        assert!(error.contains("pip install karellen-rr"), "{error}");

        let file = directory.path().join("plain");
        fs::write(&file, "").unwrap();
        assert!(Rr::at(&file).unwrap_err().to_string().contains("not an executable file"));
        assert!(Rr::at(&directory.path().join("none")).unwrap_err().to_string().contains("does not exist"));
    }

    #[test]
    fn the_first_executable_on_the_path_is_taken() {
        let directory = tempfile::tempdir().unwrap();
        let (first, second) = (directory.path().join("1"), directory.path().join("2"));
        fs::create_dir_all(&first).unwrap();
        fs::create_dir_all(&second).unwrap();
        fs::write(first.join("rr"), "").unwrap();
        let program = script(&second, "rr", "#!/bin/sh\n");
        let path = std::env::join_paths([first, second]).unwrap();
        assert_eq!(on_path(&path), Some(program));
        assert_eq!(on_path(OsStr::new("")), None);
    }

    #[test]
    fn an_rr_beside_a_program_or_its_file_is_found() {
        let directory = tempfile::tempdir().unwrap();
        let (environment, links) = (directory.path().join("environment"), directory.path().join("links"));
        fs::create_dir_all(&environment).unwrap();
        fs::create_dir_all(&links).unwrap();
        let (program, link) = (environment.join("retrograde"), links.join("retrograde"));
        fs::write(&program, "").unwrap();
        std::os::unix::fs::symlink(&program, &link).unwrap();
        assert_eq!(beside(&program), None);
        let rr = script(&environment, "rr", "#!/bin/sh\n");
        assert_eq!(beside(&program), Some(rr.clone()));
        assert_eq!(beside(&link), Some(rr.canonicalize().unwrap()));
        // What cannot be executed is none, and a directory neither.
        fs::set_permissions(&rr, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(beside(&link), None);
        fs::remove_file(&rr).unwrap();
        fs::create_dir(&rr).unwrap();
        assert_eq!(beside(&link), None);
    }

    proptest! {
        #[test]
        fn any_text_has_a_version_or_none(text in ".{0,80}", numbers in prop::array::uniform3(0u32..1000)) {
            let _ = version(&text);
            let [a, b, c] = numbers;
            prop_assert_eq!(version(&format!("rr version {a}.{b}.{c} {text}")), Some((a, b, c)));
        }
    }
}
