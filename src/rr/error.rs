//! What can go wrong with rr and its recordings.

use super::fatal::divergence;
use base::untrusted::{PathText as _, one_line};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to get rr; ends every error that says there is none.
pub(super) const HOW_TO_GET_RR: &str = "`retrograde setup` installs one; or install it with `pip install karellen-rr` or \
                                        your distribution's package `rr`, or set RETROGRADE_RR to its path";

/// A request to rr, or about a recording, that could not be carried out.
///
/// That the recorded *program* failed is not an error: see [`Recorded`](super::Recorded).
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Neither `RETROGRADE_RR` nor `PATH` names an rr.
    #[error("no rr found: {looked}; {HOW_TO_GET_RR}")]
    NotFound {
        /// Where it was looked for.
        looked: String,
    },
    /// The program exists but does not answer `--version` as rr does.
    #[error("`{}` is not a usable rr: {reason}; {HOW_TO_GET_RR}", program.in_text())]
    NotRr {
        /// What was run.
        program: PathBuf,
        /// What happened instead.
        reason: String,
    },
    /// `RETROGRADE_COUNTERS` has a value that means nothing.
    #[error("RETROGRADE_COUNTERS is `{}`; valid values are auto, hardware and soft", one_line(.0))]
    UnknownCounters(String),
    /// No software counter can be had, and the hardware has none.
    #[error("no tick counter: {0}")]
    NoCounters(String),
    /// This rr cannot use our software counters.
    #[error("soft counters cannot work with this rr, `{}`: {reason}", program.in_text())]
    SoftCounters {
        /// The program.
        program: PathBuf,
        /// Why not, and what to do.
        reason: String,
    },
    /// What the recording needs cannot be had on this machine.
    #[error("`{}` cannot be replayed here: {reason}", trace.in_text())]
    NotReplayable {
        /// The recording.
        trace: PathBuf,
        /// Why not, and what can be done, if anything.
        reason: String,
    },
    /// There is no program to record.
    #[error("the command to record is empty; give the program and its arguments")]
    EmptyCommand,
    /// The asked trace directory is taken.
    #[error("trace directory `{}` already exists; name one that does not", .0.in_text())]
    TraceExists(PathBuf),
    /// rr could not start the program.
    #[error("rr could not start `{}`: {}", one_line(program), one_line(reason))]
    ProgramNotStarted {
        /// As it was given.
        program: String,
        /// rr's words.
        reason: String,
    },
    /// What is to be recorded cannot be expressed.
    #[error("{0}")]
    BadOption(String),
    /// rr itself failed while recording; there is no usable recording.
    #[error("rr failed to record ({ended}): {words}{}{}", left(.incomplete.as_deref()), room(.words))]
    Record {
        /// How the rr process ended.
        ended: String,
        /// Its last words, without its stack trace.
        words: String,
        /// What it left: a directory that cannot be replayed.
        incomplete: Option<PathBuf>,
    },
    /// No such file or directory.
    #[error("no such trace: `{}` does not exist; rr keeps its recordings in `{}`", path.in_text(), base.in_text())]
    NoSuchTrace {
        /// What was asked for.
        path: PathBuf,
        /// Where recordings are by default.
        base: PathBuf,
    },
    /// Nothing was asked for and nothing was recorded.
    #[error("no recording yet: `{}` has no latest-trace; record a program first or name a trace directory", .0.in_text())]
    NoLatestTrace(PathBuf),
    /// It exists and is something else.
    #[error("not an rr trace: `{}` {reason}", path.in_text())]
    NotATrace {
        /// What was asked for.
        path: PathBuf,
        /// What it lacks.
        reason: &'static str,
    },
    /// rr is still writing it.
    #[error("`{}` is still being recorded; wait until the program or rr ends", .0.in_text())]
    InProgress(PathBuf),
    /// rr died before it finished the recording.
    #[error("incomplete recording: rr ended abnormally while it wrote `{}`; record again", .0.in_text())]
    Incomplete(PathBuf),
    /// A part of it is missing or cut off.
    #[error("damaged recording `{}`: {reason}", path.in_text())]
    Damaged {
        /// The recording.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The recording has no such process.
    #[error("no process {pid} in `{}`; it has {valid}", trace.in_text())]
    NoSuchProcess {
        /// What was asked for.
        pid: u32,
        /// The recording.
        trace: PathBuf,
        /// Its processes.
        valid: String,
    },
    /// The recording has no process, or several, that executed this.
    #[error("which process of `{}`? {reason}", trace.in_text())]
    WhichProcess {
        /// The recording.
        trace: PathBuf,
        /// Which ones there are.
        reason: String,
    },
    /// It is not certain enough that this is a recording that may go.
    #[error("`{}` is not removed: {reason}", path.in_text())]
    NotRemoved {
        /// What was asked for.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// `rr replay` failed.
    #[error("{}", failed_replay(.ended, .words))]
    Replay {
        /// How the rr process ended.
        ended: String,
        /// Its last words, without its stack trace.
        words: String,
    },
    /// `rr replay` did not listen in time; it was ended.
    #[error("rr replay did not listen within {after:?}; its last words: {words}")]
    ReplayTimeout {
        /// How long it had.
        after: Duration,
        /// What it said so far.
        words: String,
    },
    /// `rr replay` was still on its way to the process that is to be debugged; it was ended.
    #[error("rr replay has not reached process {pid} within {after:?}; its last words: {words}")]
    OnTheWay {
        /// The process.
        pid: u32,
        /// How long it had.
        after: Duration,
        /// What it said so far.
        words: String,
    },
    /// Another rr command failed.
    #[error("`rr {command}` failed ({ended}): {words}")]
    Command {
        /// The subcommand.
        command: &'static str,
        /// How the rr process ended.
        ended: String,
        /// Its last words, without its stack trace.
        words: String,
    },
    /// Another rr command did not end; it was killed.
    #[error("`rr {command}` did not end within {after:?}")]
    CommandTimeout {
        /// The subcommand.
        command: &'static str,
        /// How long it had.
        after: Duration,
    },
    /// Nobody waited for another rr command any more; it was killed.
    #[error("`rr {command}` was cancelled")]
    Cancelled {
        /// The subcommand.
        command: &'static str,
    },
    /// rr answered with something that is not understood.
    #[error("`rr {command}` answered unexpectedly: {what}")]
    Unexpected {
        /// The subcommand.
        command: &'static str,
        /// What was not understood.
        what: String,
    },
    /// The system refused something.
    #[error("cannot {what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it was refused.
        source: io::Error,
    },
}

/// Returns what to do if these words are about a disk that is full, or a limit of files' sizes.
fn room(words: &str) -> &'static str {
    let is_full = ["ENOSPC", "EDQUOT", "EFBIG"].iter().any(|errno| words.contains(errno));
    if is_full {
        "; there is no room for the recording: free some, record into another directory (trace_dir), or record less"
    } else {
        ""
    }
}

/// Tells how a replay failed.
fn failed_replay(ended: &str, words: &str) -> String {
    divergence(words).unwrap_or_else(|| format!("rr replay failed ({ended}): {words}"))
}

/// Follows the reason of a failed recording.
fn left(incomplete: Option<&Path>) -> String {
    incomplete.map(|path| format!("; the recording in `{}` cannot be replayed", path.in_text())).unwrap_or_default()
}

impl Error {
    /// Returns a function for `map_err`, which makes an [`Error::Io`] that says what was tried.
    pub(super) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}
