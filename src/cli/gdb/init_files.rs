//! Files of commands that are carried out before the first line: the user's own, and GDB's.
//!
//! They are looked for in the user's directories only. One in the current directory is a stranger's as often as the
//! program there is, and is not read. What they can do is bounded: they are files of limited length, may take a limited
//! time, start no programs, write no files, and move nothing.

use super::screen::{Screen, expanded};
use crate::console::{Answer, Console, Error, Flow, Host, Log, Terminal};
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use engine::Engine;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most bytes of a file.
const MAX_BYTES: u64 = 256 << 10;
/// How long the lines of all files may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most lines that are named as skipped, and how much of each is shown.
const MOST_NAMED: usize = 5;
const MAX_SHOWN: usize = 40;

/// A file, and what becomes of a line that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InitFile {
    path: PathBuf,
    /// It is written for GDB, which has commands that do not exist here.
    is_of_gdb: bool,
}

/// Finds the files, in the order in which they are carried out: GDB's first, so that the user's own decides.
pub(super) fn find(variable: impl Fn(&str) -> Option<OsString>) -> Vec<InitFile> {
    let directory = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = directory("HOME");
    let config = directory("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config")));
    // GDB reads the first of these that exists.
    let of_gdb = [config.as_ref().map(|config| config.join("gdb/gdbinit")), home.map(|home| home.join(".gdbinit"))];
    let of_gdb = of_gdb.into_iter().flatten().find(|path| path.exists());
    let own = config.map(|config| config.join("retrograde/init")).filter(|path| path.exists());
    let files = of_gdb.map(|path| (path, true)).into_iter().chain(own.map(|path| (path, false)));
    files.map(|(path, is_of_gdb)| InitFile { path, is_of_gdb }).collect()
}

/// Reads a regular file, at once: a pipe would never end.
fn read(path: &Path) -> io::Result<String> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    bounded(&file, MAX_BYTES)
}

/// Reads a file of at most so many bytes.
pub(super) fn bounded(file: &File, most: u64) -> io::Result<String> {
    let mut text = String::new();
    file.take(most + 1).read_to_string(&mut text)?;
    match text.len() as u64 > most {
        true => Err(io::Error::other(format!("a file of commands of more than {most} bytes"))),
        false => Ok(text),
    }
}

/// Whoever carries out such a file: text is shown as any other, and of the machine there are the user's files to read.
struct Reading<'s> {
    screen: &'s mut Screen,
}

impl Terminal for Reading<'_> {
    fn say(&mut self, text: &str) {
        self.screen.say(text);
    }

    fn ask(&mut self, _: &str, default: Option<Answer>) -> Answer {
        default.unwrap_or(Answer::Yes)
    }

    fn shows_lines(&self) -> bool {
        true
    }

    fn host(&mut self) -> Option<&mut dyn Host> {
        Some(self)
    }
}

/// Returns why something is not done by such a file.
fn refused(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("a file that is read at the start {what}"))
}

impl Host for Reading<'_> {
    fn read(&mut self, path: &str) -> io::Result<String> {
        let path = expanded(path);
        match path.is_absolute() {
            true => read(&path),
            // What is in the current directory may be a stranger's.
            false => Err(refused("reads others by whole paths only, as ~/commands")),
        }
    }

    fn directory(&mut self) -> io::Result<PathBuf> {
        self.screen.directory()
    }

    fn change_directory(&mut self, _: &str) -> io::Result<()> {
        Err(refused("changes no directory"))
    }

    fn write(&mut self, _: &str, _: &str) -> io::Result<()> {
        Err(refused("writes no files"))
    }

    fn shell(&mut self, _: &str) -> io::Result<()> {
        Err(refused("starts no programs"))
    }

    fn log(&mut self, _: Option<Log>) -> io::Result<()> {
        Err(refused("writes no files"))
    }

    fn set_height(&mut self, lines: Option<usize>) {
        self.screen.set_height(lines);
    }

    fn set_raw_output(&mut self, is_raw: bool) {
        self.screen.set_raw_output(is_raw);
    }
}

/// Commands whose lines, up to `end`, are for an interpreter that does not exist here.
fn begins_script(line: &str) -> bool {
    matches!(line, "python" | "py" | "python-interactive" | "pi" | "guile" | "gu" | "guile-repl" | "compile code")
}

/// Carries out the files. What is wrong in them is reported on stderr, in a line for each file, and stops nothing.
pub(super) fn carry_out(
    files: &[InitFile],
    (engine, console): (&mut Engine, &mut Console),
    screen: &mut Screen,
    cancel: &Cancel,
) {
    let cancel = cancel.with_deadline(PATIENCE);
    for file in files {
        let text = match read(&file.path) {
            Ok(text) => text,
            Err(error) => {
                screen.complain(&format!("warning: {}: {error}", file.path.in_text()));
                continue;
            }
        };
        engine.set_cancel(&cancel);
        let skipped = lines(&text, console, engine, &mut Reading { screen }, &cancel);
        if let Some(report) = report(file, &skipped) {
            screen.complain(&report);
        }
        if cancel.is_cancelled() {
            screen.complain("warning: the files of commands at the start were broken off");
            break;
        }
    }
}

/// A line that was not carried out: its number, the line, and why.
type Skipped = (usize, String, String);

fn lines(
    text: &str,
    console: &mut Console,
    engine: &mut Engine,
    terminal: &mut Reading<'_>,
    cancel: &Cancel,
) -> Vec<Skipped> {
    let mut skipped = Vec::new();
    let mut is_script = false;
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        if cancel.is_cancelled() {
            break;
        }
        if is_script {
            is_script = trimmed != "end";
            continue;
        }
        if !console.is_collecting() && begins_script(trimmed) {
            is_script = true;
            skipped.push((number, trimmed.to_owned(), "there is no interpreter".to_owned()));
            continue;
        }
        let mut note = |why: String| skipped.push((number, trimmed.to_owned(), why));
        match console.start_up(engine, line, terminal) {
            Ok(Flow::GoOn) => {}
            Ok(_) => break,
            Err(error @ Error::Ended(_)) => {
                note(error.to_string());
                break;
            }
            Err(error) => note(error.words(super::with_commands)),
        }
    }
    if console.end_collecting() {
        skipped.push((text.lines().count(), "the last lines".to_owned(), "they have no `end`".to_owned()));
    }
    // What was meant by a name in these lines is of no interest at the prompt.
    drop(console.take_hint(engine));
    skipped
}

/// Returns what is reported of the lines of a file that were not carried out, in one line.
fn report(file: &InitFile, skipped: &[Skipped]) -> Option<String> {
    let (first, line, why) = skipped.first()?;
    let path = file.path.in_text();
    let shown = |line: &str| line.chars().take(MAX_SHOWN).collect::<String>();
    if !file.is_of_gdb {
        let more = match skipped.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more lines that failed)"),
        };
        // Of files that are read by others, the last line has the reason.
        let why = why.lines().last().unwrap_or_default();
        return Some(format!("warning: {path}:{first}: `{}`: {why}{more}", shown(line)));
    }
    let named: Vec<String> =
        skipped.iter().take(MOST_NAMED).map(|(number, line, _)| format!("`{}` ({number})", shown(line))).collect();
    let more = if skipped.len() > MOST_NAMED { ", …" } else { "" };
    let (count, lines) = (skipped.len(), if skipped.len() == 1 { "line" } else { "lines" });
    Some(format!("{path}: {count} {lines} of GDB's skipped: {}{more}; -nx reads no such file", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_those_of_the_users_directories() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("home");
        let config = place.path().join("config");
        let write = |path: &Path| {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "set confirm off\n").unwrap();
        };
        let paths = |config: Option<&Path>| {
            let variable = |name: &str| match name {
                "HOME" => Some(home.clone().into_os_string()),
                "XDG_CONFIG_HOME" => config.map(|path| path.as_os_str().to_owned()),
                _ => None,
            };
            find(variable).into_iter().map(|file| file.path).collect::<Vec<_>>()
        };
        assert!(paths(None).is_empty());
        write(&home.join(".gdbinit"));
        write(&home.join(".config/retrograde/init"));
        assert_eq!(paths(None), [home.join(".gdbinit"), home.join(".config/retrograde/init")]);
        assert_eq!(paths(Some(&config)), [home.join(".gdbinit")]);
        write(&config.join("gdb/gdbinit"));
        write(&config.join("retrograde/init"));
        assert_eq!(paths(Some(&config)), [config.join("gdb/gdbinit"), config.join("retrograde/init")]);
        // A path that begins in the current directory leads to what may be a stranger's.
        assert_eq!(paths(Some(Path::new("config"))), [home.join(".gdbinit"), home.join(".config/retrograde/init")]);
    }

    #[test]
    fn what_is_no_small_file_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("init");
        let pipe = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(pipe.success());
        assert_eq!(read(&path).unwrap_err().to_string(), "it is not a regular file");
        assert_eq!(read(Path::new("/dev/zero")).unwrap_err().to_string(), "it is not a regular file");
        let large = place.path().join("large");
        std::fs::write(&large, vec![b'\n'; MAX_BYTES as usize + 1]).unwrap();
        assert!(read(&large).unwrap_err().to_string().contains("of more than"));
    }

    #[test]
    fn what_is_skipped_is_reported_in_one_line() {
        let file = |is_of_gdb| InitFile { path: PathBuf::from("/h/init"), is_of_gdb };
        let line = |number, line: &str| (number, line.to_owned(), "where:\nwhy".to_owned());
        assert_eq!(report(&file(true), &[]), None);
        let skipped = [line(3, "python"), line(9, "tui enable")];
        assert_eq!(
            report(&file(true), &skipped).unwrap(),
            "/h/init: 2 lines of GDB's skipped: `python` (3), `tui enable` (9); -nx reads no such file"
        );
        assert_eq!(
            report(&file(false), &skipped).unwrap(),
            "warning: /h/init:3: `python`: why (and 1 more lines that failed)"
        );
    }
}
