//! Trace directories: where they are, whether they are whole, what the next one is called.
//!
//! This follows rr's own rules (`TraceStream.cc`, rr 5.6 to 5.10), so that rr and we always mean the same directory.

use super::error::Error;
use super::paths::{at_home, open_regular};
use base::untrusted::PathText as _;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::path::{Component, Path, PathBuf};

/// rr's link to the most recent recording.
const LATEST: &str = "latest-trace";
/// The streams of a recording.
pub(super) const STREAMS: [&str; 4] = ["data", "events", "mmaps", "tasks"];

/// Returns the directory in which rr keeps its recordings by default: `_RR_TRACE_DIR`, or else `XDG_DATA_HOME/rr`
/// (`~/.local/share/rr`), unless only the older `~/.rr` exists.
pub fn trace_base() -> PathBuf {
    base_by(|name| std::env::var_os(name))
}

/// Returns the directory as [`trace_base`] does, with the environment given.
pub(super) fn base_by(variable: impl Fn(&str) -> Option<OsString>) -> PathBuf {
    if let Some(directory) = variable("_RR_TRACE_DIR") {
        return directory.into();
    }
    let home = variable("HOME").map(PathBuf::from);
    let xdg = match (variable("XDG_DATA_HOME"), &home) {
        (Some(data), _) => Some(Path::new(&data).join("rr")),
        (None, Some(home)) => Some(home.join(".local/share/rr")),
        (None, None) => None,
    };
    let old = home.map(|home| home.join(".rr"));
    match (xdg, old) {
        (Some(xdg), _) if xdg.is_dir() => xdg,
        (_, Some(old)) if old.is_dir() => old,
        (Some(xdg), _) => xdg,
        (None, _) => "/tmp/rr".into(),
    }
}

/// Resolves the real path of a trace directory that was asked for; `None` means rr's latest.
///
/// A name without a slash is looked up in the current directory first, then among rr's recordings. `~` is the home
/// directory.
pub fn resolve(asked: Option<&Path>) -> Result<PathBuf, Error> {
    resolve_in(asked, trace_base())
}

pub(super) fn resolve_in(asked: Option<&Path>, base: PathBuf) -> Result<PathBuf, Error> {
    let asked = asked.map(at_home);
    let asked = asked.as_deref();
    let path = match asked {
        None => base.join(LATEST),
        Some(asked) if is_single_name(asked) && !asked.is_dir() && base.join(asked).is_dir() => base.join(asked),
        Some(asked) => asked.to_owned(),
    };
    match (path.canonicalize(), asked) {
        (Ok(real), _) if real.is_dir() => Ok(real),
        (Ok(real), _) => Err(Error::NotATrace { path: real, reason: "is not a directory" }),
        (Err(error), _) if !is_absence(&error) => Err(Error::io(format!("read `{}`", path.in_text()))(error)),
        (Err(_), None) => Err(Error::NoLatestTrace(base)),
        (Err(_), Some(asked)) => Err(Error::NoSuchTrace { path: asked.to_owned(), base }),
    }
}

/// Returns whether there is nothing of that name, rather than nothing that we may see.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn is_single_name(path: &Path) -> bool {
    let mut parts = path.components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
}

/// How far a recording has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completeness {
    /// rr finished it.
    Complete,
    /// rr is writing it.
    InProgress,
    /// rr died while writing it.
    Incomplete,
}

/// Finds out the state of a directory, `None` if it is no trace.
///
/// rr creates a file `incomplete`, locks it, fills it, and at the end renames it to `version`. While it is empty rr may
/// be just about to lock it, and must not find our lock there, which would end it.
pub(super) fn state(directory: &Path) -> Option<Completeness> {
    if directory.join("version").is_file() {
        return Some(Completeness::Complete);
    }
    let file = open_regular(&directory.join("incomplete")).ok()?;
    if file.metadata().is_ok_and(|file| file.len() == 0) {
        return Some(Completeness::InProgress);
    }
    // SAFETY: a plain system call on a descriptor that is open. A lock, if we get it, goes with the descriptor.
    let locked = unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_SH | libc::LOCK_NB) } != 0;
    Some(if locked { Completeness::InProgress } else { Completeness::Incomplete })
}

/// Checks that a directory is a finished recording with all its parts. Contents are not read beyond their beginning:
/// a stream cut off later is found by rr.
pub(super) fn check(directory: &Path) -> Result<(), Error> {
    let path = || directory.to_owned();
    match state(directory) {
        Some(Completeness::Complete) => {}
        Some(Completeness::InProgress) => return Err(Error::InProgress(path())),
        Some(Completeness::Incomplete) => return Err(Error::Incomplete(path())),
        None => {
            let reason = what_else(directory).map_err(Error::io(format!("read `{}`", directory.in_text())))?;
            return Err(Error::NotATrace { path: path(), reason });
        }
    }
    let mut start = Vec::new();
    let file = open_regular(&directory.join("version")).and_then(|file| file.take(32).read_to_end(&mut start));
    file.map_err(Error::io(format!("read `{}`", directory.join("version").in_text())))?;
    let (number, header) = match start.iter().position(|b| *b == b'\n') {
        Some(end) => (start.get(..end).unwrap_or_default(), start.get(end + 1..).unwrap_or_default()),
        None => (start.as_slice(), &[][..]),
    };
    if number.is_empty() || !number.iter().all(u8::is_ascii_digit) {
        return Err(Error::NotATrace { path: path(), reason: "has a file `version` that rr did not write" });
    }
    if header.is_empty() {
        return Err(Error::Damaged { path: path(), reason: "its file `version` is cut off".into() });
    }
    for stream in STREAMS {
        let damage = match fs::metadata(directory.join(stream)) {
            Ok(file) if !file.is_file() => "is not a regular file".to_owned(),
            Ok(file) if file.len() > 0 => continue,
            Ok(_) => "is empty".to_owned(),
            Err(error) if is_absence(&error) => "is missing".to_owned(),
            Err(error) => format!("cannot be read: {error}"),
        };
        return Err(Error::Damaged { path: path(), reason: format!("its file `{stream}` {damage}") });
    }
    Ok(())
}

/// Tells what a directory is that is no trace, and what to do; an error if we may not look, as into one of another
/// user's.
fn what_else(directory: &Path) -> io::Result<&'static str> {
    for file in ["version", "incomplete"] {
        if let Err(error) = fs::metadata(directory.join(file))
            && !is_absence(&error)
        {
            return Err(error);
        }
    }
    let mut entries = fs::read_dir(directory)?.flatten().peekable();
    if entries.peek().is_none() {
        return Ok(
            "is empty: nothing was recorded there; name the directory that a recording has made, or record again",
        );
    }
    if entries.any(|entry| state(&entry.path()).is_some()) {
        return Ok("contains recordings, but is not one: name one of its directories");
    }
    Ok("has no file `version`, as each recording has: name the directory that a recording has made")
}

/// Returns whether rr got as far as starting a program in this trace. If not, the trace has no process.
pub(super) fn has_tasks(directory: &Path) -> bool {
    fs::metadata(directory.join("tasks")).is_ok_and(|file| file.len() > 0)
}

/// Returns the name that rr would choose next for a recording of `program`: `base/name-N`. Another recording may take
/// it before it is used.
pub(super) fn next_name(base: &Path, program: &OsStr) -> PathBuf {
    let name = Path::new(program).file_name().unwrap_or(program);
    let numbered = |number: u32| {
        let mut name = name.to_owned();
        name.push(format!("-{number}"));
        base.join(name)
    };
    let free = (0..u32::MAX).map(numbered).find(|path| path.symlink_metadata().is_err());
    free.unwrap_or_else(|| numbered(u32::MAX))
}

/// Makes `latest-trace` of the directory that contains it point to this recording, as rr does when it chooses the name
/// itself. If another recording does the same at the same time, one of the two wins.
pub(super) fn make_latest(trace: &Path) -> Result<(), Error> {
    let (Some(base), Some(name)) = (trace.parent(), trace.file_name()) else {
        return Ok(());
    };
    link_latest(base, name, Path::new(name))
}

/// Returns what the `latest-trace` beside this recording says, whether or not that exists.
pub(super) fn latest_name(trace: &Path) -> Option<PathBuf> {
    fs::read_link(trace.parent()?.join(LATEST)).ok()
}

/// Has `latest-trace` say what it said before this recording, if it still points to this one. What it said before may
/// be gone: then there is no latest.
pub(super) fn unmake_latest(trace: &Path, before: Option<&Path>) {
    let (Some(base), Some(name)) = (trace.parent(), trace.file_name()) else {
        return;
    };
    if latest_name(trace).is_none_or(|latest| latest != Path::new(name)) {
        return;
    }
    let restored = before.filter(|before| base.join(before).is_dir());
    let restored = restored.is_some_and(|before| link_latest(base, name, before).is_ok());
    if !restored {
        // A link that stays leads nowhere, or to a trace that says what it lacks.
        let _ = fs::remove_file(base.join(LATEST));
    }
}

/// Makes the link of a directory point to `target`, for a recording of this name.
fn link_latest(base: &Path, name: &OsStr, target: &Path) -> Result<(), Error> {
    // Made aside and moved into place, so that there is no moment without a link.
    let aside = base.join(format!(".{LATEST}-{}-{}", std::process::id(), name.to_string_lossy()));
    let made = std::os::unix::fs::symlink(target, &aside).and_then(|()| fs::rename(&aside, base.join(LATEST)));
    if made.is_err() {
        // The error below is the one to report; this only tidies up.
        let _ = fs::remove_file(&aside);
    }
    made.map_err(Error::io(format!("update `{}`", base.join(LATEST).in_text())))
}

/// Returns the recording that the `latest-trace` of a directory points to.
pub(super) fn latest(base: &Path) -> Option<PathBuf> {
    base.join(LATEST).canonicalize().ok()
}

#[cfg(test)]
mod tests;
