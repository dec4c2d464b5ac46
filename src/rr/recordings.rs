//! The recordings there are, and what can be asked of one or done to it as a whole.

use super::error::Error;
use super::manifest::{self, Manifest};
use super::process::{Answer, ask, ending, last_words};
use super::program::Rr;
use super::ps;
use super::removal::user_of;
use super::trace::{self, Completeness, trace_base};
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// How long rr may take to describe or remove a trace.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many recordings without a manifest are read for their commands.
const MOST_READ: usize = 50;

/// A directory that rr made for a recording.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Absolute path.
    pub path: PathBuf,
    /// When recording began, or if that is not known, when it ended.
    pub created: Option<SystemTime>,
    /// Bytes in its files; what rr shares with other recordings by links counts in each.
    pub size: u64,
    /// Command line of the first process, words separated by blanks.
    pub command: Option<String>,
    /// Exit code of the first process, or minus the number of the signal that ended it.
    pub exit_code: Option<i32>,
    /// rr replays it if it is told nothing else.
    pub latest: bool,
    /// rr finished it, and there was a program in it; others cannot be replayed (yet).
    pub complete: bool,
}

/// Recordings that were found.
#[derive(Clone, Debug, Default)]
pub struct Recordings {
    /// Newest first.
    pub newest: Vec<Recording>,
    /// How many there are in all.
    pub total: usize,
}

/// Lists the newest recordings in `base` (`None`: where rr keeps them), at most `limit`. A base that does not exist has
/// none.
///
/// The commands of those that we did not make are read from the newest of them.
///
/// # Errors
/// If a named base cannot be read, and if the call is cancelled.
pub fn recordings(base: Option<&Path>, limit: usize, cancel: &Cancel) -> Result<Recordings, Error> {
    let is_named = base.is_some();
    let base = base.map_or_else(trace_base, Path::to_owned);
    let failed = || Error::io(format!("list `{}`", base.in_text()));
    let base = match base.canonicalize() {
        // Where rr would keep them there is nothing before it has kept one.
        Err(error) if error.kind() == ErrorKind::NotFound && !is_named => return Ok(Recordings::default()),
        found => found.map_err(failed())?,
    };
    let latest = trace::latest(&base);
    let not_cancelled = || match cancel.is_cancelled() {
        true => Err(Error::Cancelled { command: "list" }),
        false => Ok(()),
    };
    let mut newest = Vec::new();
    for entry in fs::read_dir(&base).map_err(failed())? {
        not_cancelled()?;
        let entry = entry.map_err(failed())?;
        // `latest-trace` is a link, and not followed here.
        if entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Some(recording) = describe(entry.path(), latest.as_deref())
        {
            newest.push(recording);
        }
    }
    let total = newest.len();
    newest.sort_by(|a, b| b.created.cmp(&a.created).then_with(|| b.path.cmp(&a.path)));
    newest.truncate(limit);
    let mut read = 0;
    for recording in &mut newest {
        not_cancelled()?;
        recording.size = size(&recording.path);
        if !recording.complete || recording.exit_code.is_some() || read == MOST_READ {
            continue;
        }
        read += 1;
        // A recording that cannot be read is listed nevertheless.
        if let Some(process) = ps::processes_of(&recording.path).ok().and_then(|all| all.into_iter().next()) {
            recording.command = process.command;
            recording.exit_code = process.exit_code;
        }
    }
    Ok(Recordings { newest, total })
}

/// Describes a recording, but for its size. `None` if the directory is no trace.
fn describe(path: PathBuf, latest: Option<&Path>) -> Option<Recording> {
    let state = trace::state(&path)?;
    let manifest = Manifest::read(&path).unwrap_or_default();
    let file = if state == Completeness::Complete { "version" } else { "incomplete" };
    let modified = fs::metadata(path.join(file)).and_then(|file| file.modified()).ok();
    let (command, exit_code, recorded) =
        manifest.map_or((None, None, None), |manifest| (manifest.command, manifest.exit_code, manifest.recorded));
    Some(Recording {
        created: recorded.or(modified),
        size: 0,
        command,
        exit_code,
        latest: latest == Some(path.as_path()),
        complete: state == Completeness::Complete && trace::has_tasks(&path),
        path,
    })
}

/// Sums the sizes of the files directly in a trace, which are all of rr's data.
pub(super) fn size(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| entry.metadata().ok()).filter(|file| file.is_file()).map(|file| file.len());
    sizes.fold(0, u64::saturating_add)
}

impl Rr {
    /// Asks what rr knows about a finished recording: its JSON text (`rr traceinfo`).
    pub fn traceinfo(&self, trace: &Path) -> Result<String, Error> {
        let directory = trace::resolve(Some(trace))?;
        trace::check(&directory)?;
        let mut command = self.plain_command("traceinfo");
        command.arg(&directory);
        Ok(self.succeed(command, "traceinfo")?.stdout)
    }

    /// Removes a recording, finished or not, and the link `latest-trace` if it pointed to it.
    ///
    /// # Errors
    /// Anything that is not clearly a recording is refused (rr itself would remove every directory that contains a file
    /// called `version`), and so is one that rr is still writing, or that another process has open.
    pub fn remove(&self, trace: &Path) -> Result<(), Error> {
        let directory = trace::resolve(Some(trace))?;
        if !trace::STREAMS.iter().any(|stream| directory.join(stream).is_file()) {
            return Err(Error::NotATrace { path: directory, reason: "has no files of an rr recording" });
        }
        match trace::check(&directory) {
            Ok(()) | Err(Error::Incomplete(_) | Error::Damaged { .. }) => {}
            Err(refusal) => return Err(refusal),
        }
        if let Some(reason) = foreign(&directory) {
            return Err(Error::NotATrace { path: directory, reason });
        }
        if let Some(pid) = user_of(&directory) {
            let reason = format!("process {pid} is using it");
            return Err(Error::NotRemoved { path: directory, reason });
        }
        let mut command = self.plain_command("rm");
        command.arg(&directory);
        self.succeed(command, "rm")?;
        if directory.symlink_metadata().is_ok() {
            let what = format!("`{}` is still there", directory.in_text());
            return Err(Error::Unexpected { command: "rm", what });
        }
        Ok(())
    }

    fn succeed(&self, command: Command, name: &'static str) -> Result<Answer, Error> {
        let answer = ask(command, name, PATIENCE, &self.cancel)?;
        if answer.status.success() {
            return Ok(answer);
        }
        Err(Error::Command { command: name, ended: ending(answer.status), words: last_words(&answer.stderr) })
    }
}

/// Files of a trace besides its streams: rr's, and ours.
const FILES: [&str; 3] = ["version", "incomplete", manifest::FILE];
/// How names begin of files that rr copies or links into a trace, and of the directories that it puts there for source
/// files (`files.rr`, `files.user`).
const PREFIXES: [&[u8]; 4] = [b"mmap_", b"cloned_data_", b"files.", b".retrograde-"];

/// Returns why a directory that looks like a trace holds more than one.
fn foreign(directory: &Path) -> Option<&'static str> {
    let is_foreign = |entry: fs::DirEntry| {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let known = trace::STREAMS.iter().chain(&FILES).any(|known| name == known.as_bytes());
        !known && !PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    };
    let mut entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.any(is_foreign).then_some("contains something that rr did not put there")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::Counters;
    use std::time::UNIX_EPOCH;

    fn make(base: &Path, name: &str, files: &[&str]) -> PathBuf {
        let path = base.join(name);
        fs::create_dir(&path).unwrap();
        for file in files {
            fs::write(path.join(file), "85\nx").unwrap();
        }
        path
    }

    fn manifest(path: &Path, second: u64) {
        let recorded = Some(UNIX_EPOCH + Duration::from_secs(second));
        let command = Some("prog".to_owned());
        let (exit_code, events) = (Some(3), None);
        Manifest { counters: Counters::Soft, rr: None, command, exit_code, events, recorded }.write(path).unwrap();
    }

    #[test]
    fn only_traces_are_listed_and_the_newest_first() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        manifest(&make(&base, "old", &["version", "tasks"]), 1000);
        manifest(&make(&base, "new", &["version", "tasks"]), 2000);
        let broken = make(&base, "broken", &["incomplete"]);
        manifest(&broken, 1500);
        make(&base, "other", &["file"]);
        fs::write(base.join("cpu_lock"), "").unwrap();
        trace::make_latest(&base.join("old")).unwrap();

        let Recordings { newest: found, total } = recordings(Some(&base), 100, &Cancel::default()).unwrap();
        assert_eq!(total, 3);
        let facts: Vec<_> =
            found.iter().map(|r| (r.path.file_name().unwrap().to_str().unwrap(), r.latest, r.complete)).collect();
        assert_eq!(facts, [("new", false, true), ("broken", false, false), ("old", true, true)]);
        assert_eq!((found[0].command.as_deref(), found[0].exit_code), (Some("prog"), Some(3)));
        assert_eq!(found[0].created, Some(UNIX_EPOCH + Duration::from_secs(2000)));
        let manifest = fs::metadata(base.join("new/retrograde")).unwrap().len();
        assert_eq!(found[0].size, 8 + manifest);

        let Recordings { newest: found, total } = recordings(Some(&base), 1, &Cancel::default()).unwrap();
        assert_eq!((found.len(), total), (1, 3));
        assert_eq!(found[0].path, base.join("new"));
    }

    #[test]
    fn a_list_that_is_cancelled_ends() {
        let base = tempfile::tempdir().unwrap();
        make(base.path(), "prog-0", &["version", "tasks"]);
        let cancel = Cancel::default();
        cancel.cancel();
        let error = recordings(Some(base.path()), 2, &cancel).unwrap_err();
        assert_eq!(error.to_string(), "`rr list` was cancelled");
    }

    #[test]
    fn a_directory_that_is_named_has_to_be_there() {
        let error = recordings(Some(Path::new("/no/such/directory")), 9, &Cancel::default()).unwrap_err();
        assert!(error.to_string().starts_with("cannot list `/no/such/directory`"), "{error}");
    }

    #[test]
    fn a_directory_inside_is_foreign() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("files.rr")).unwrap();
        assert_eq!(foreign(directory.path()), None);
        fs::create_dir(directory.path().join("src")).unwrap();
        assert_eq!(foreign(directory.path()), Some("contains something that rr did not put there"));
    }
}
