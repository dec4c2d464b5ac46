//! Recordings: making and finding them.

use super::error::{Error, ErrorKind, Result};
use super::output::Stream;
use super::session::Replay;
use base::cancel::Cancel;
use base::untrusted::PathText as _;
use rr::{RecordOptions, Rr};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Most recordings that are listed.
const MAX_LISTED: usize = 10_000;

/// A recording that rr has made: a directory.
///
/// ```
/// # fn main() -> retrograde::Result<()> {
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
/// use retrograde::{Recording, StopReason};
///
/// # let directory = std::env::current_dir().unwrap().join(format!("made-{}", std::process::id()));
/// let recorded = Recording::of(["./exit_code", "hello"]).directory(&directory).record()?;
/// assert_eq!((recorded.exit_code, recorded.stdout.as_str()), (Some(42), "hello -\n"));
/// let mut replay = recorded.recording.open()?;
/// assert!(matches!(replay.run()?.reason, StopReason::End { exit_code: Some(42), .. }));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recording {
    /// The directory, as an absolute path.
    pub path: PathBuf,
    /// The command line of the first process, words separated by blanks; `None` if it is not known.
    pub command: Option<String>,
    /// When recording began, or, if that is not known, when it ended.
    pub created: Option<SystemTime>,
    /// Bytes in its files.
    pub size: u64,
    /// The exit code of the first process, or minus the number of the signal that killed it; `None` if it is not known.
    pub exit_code: Option<i32>,
    /// Whether it is the one that [`Replay::latest`] opens.
    pub is_latest: bool,
    /// Whether it can be replayed: rr has finished it, and there was a program in it.
    pub is_complete: bool,
}

impl From<rr::Recording> for Recording {
    fn from(found: rr::Recording) -> Self {
        Self {
            path: found.path,
            command: found.command,
            created: found.created,
            size: found.size,
            exit_code: found.exit_code,
            is_latest: found.latest,
            is_complete: found.complete,
        }
    }
}

impl Recording {
    /// Lists the recordings where rr keeps them (`_RR_TRACE_DIR`, else below the user's data directory), newest first.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn list() -> Result<Vec<Self>> {
        Self::listed(None)
    }

    /// Lists the recordings in a directory, newest first.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn list_in(directory: impl AsRef<Path>) -> Result<Vec<Self>> {
        Self::listed(Some(directory.as_ref()))
    }

    fn listed(directory: Option<&Path>) -> Result<Vec<Self>> {
        let found = rr::recordings(directory, MAX_LISTED, &Cancel::default())?;
        Ok(found.newest.into_iter().map(Self::from).collect())
    }

    /// Finds the recording that was made last, and is complete.
    ///
    /// # Errors
    /// [`ErrorKind::NoRecording`] if there is none.
    pub fn latest() -> Result<Self> {
        let none = || Error::new(ErrorKind::NoRecording, "there is no recording yet that can be replayed");
        Self::list()?.into_iter().find(|recording| recording.is_complete).ok_or_else(none)
    }

    /// Opens it, at the beginning of its first process.
    ///
    /// # Errors
    /// There is no rr, or it cannot be replayed here.
    pub fn open(&self) -> Result<Replay> {
        Replay::open(&self.path)
    }

    /// Prepares to record a program with its arguments; [`record`](Recorder::record) does it. A program without a slash
    /// is looked up on `PATH`.
    pub fn of<Word: Into<String>>(command: impl IntoIterator<Item = Word>) -> Recorder {
        let command = command.into_iter().map(Into::into).collect();
        let options = RecordOptions { command, ..RecordOptions::default() };
        Recorder { options, rr: None, cancel: Cancel::new(), listener: Listener::default() }
    }
}

/// What is to be recorded, and how. Made by [`Recording::of`].
#[derive(Clone, Debug)]
#[must_use = "nothing is recorded before `record`"]
pub struct Recorder {
    options: RecordOptions,
    rr: Option<PathBuf>,
    cancel: Cancel,
    listener: Listener,
}

/// Is told what a program prints.
#[derive(Clone)]
struct Listener(rr::Listener);

impl Default for Listener {
    fn default() -> Self {
        Self(Arc::new(|_, _| ()))
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

impl Recorder {
    /// Makes the recording in this directory, which must not exist yet, rather than where rr keeps its recordings.
    pub fn directory(self, directory: impl Into<PathBuf>) -> Self {
        Self { options: RecordOptions { trace_dir: Some(directory.into()), ..self.options }, ..self }
    }

    /// Runs the program in this directory, rather than in ours.
    pub fn run_in(self, directory: impl Into<PathBuf>) -> Self {
        Self { options: RecordOptions { working_directory: Some(directory.into()), ..self.options }, ..self }
    }

    /// Adds a variable to the environment of the program.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.env.insert(name.into(), value.into());
        self
    }

    /// Has the program read this on its standard input, which otherwise is empty.
    pub fn stdin(self, text: impl Into<Vec<u8>>) -> Self {
        Self { options: RecordOptions { stdin: Some(text.into()), ..self.options }, ..self }
    }

    /// Ends the program after so long, by SIGINT, then SIGTERM, then SIGKILL.
    pub fn time_limit(self, limit: Duration) -> Self {
        Self { options: RecordOptions { timeout: Some(limit), ..self.options }, ..self }
    }

    /// Ends the program when the recording has so many bytes.
    pub fn size_limit(self, bytes: u64) -> Self {
        Self { options: RecordOptions { max_trace_bytes: Some(bytes), ..self.options }, ..self }
    }

    /// Lets rr choose at random which thread runs and for how long, which makes rare interleavings happen.
    pub fn chaos(self) -> Self {
        Self { options: RecordOptions { chaos: true, ..self.options }, ..self }
    }

    /// Uses this rr, rather than the one that the environment variable `RETROGRADE_RR` names, or the first on `PATH`.
    pub fn rr(self, program: impl Into<PathBuf>) -> Self {
        Self { rr: Some(program.into()), ..self }
    }

    /// Ends the program when `cancel` says so, as if its time were up. The recording is complete up to there.
    pub fn cancel(self, cancel: &super::Cancel) -> Self {
        Self { cancel: cancel.0.clone(), ..self }
    }

    /// Calls a closure with what the program prints, while it runs, and with rr's own warnings.
    pub fn on_output(self, tell: impl Fn(Stream, &[u8]) + Send + Sync + 'static) -> Self {
        let listener = move |stream: rr::Stream, bytes: &[u8]| tell(stream.into(), bytes);
        Self { listener: Listener(Arc::new(listener)), ..self }
    }

    /// Records the program to its end.
    ///
    /// # Errors
    /// That the program fails is no error. [`ErrorKind::NoRr`] if there is no rr; [`ErrorKind::NotRecorded`] if it
    /// cannot start the program, or fails itself.
    pub fn record(self) -> Result<Recorded> {
        let rr = match &self.rr {
            Some(program) => Rr::at(program)?,
            None => Rr::find()?,
        };
        let made = rr.with_cancel(&self.cancel).record_heard(&self.options, &self.listener.0)?;
        let Some(path) = made.trace_dir else {
            let words = match &made.incomplete {
                Some(path) => format!("rr had to be killed; the recording in `{}` cannot be replayed", path.in_text()),
                None => "rr had to be killed, and has left nothing".to_owned(),
            };
            return Err(Error::new(ErrorKind::NotRecorded, words));
        };
        let number = made.signal.as_ref().and(made.exit_code).map(|code| 128 - code);
        Ok(Recorded {
            recording: Recording {
                path,
                command: Some(self.options.command.join(" ")),
                created: SystemTime::now().checked_sub(made.duration),
                size: made.trace_size.unwrap_or_default(),
                exit_code: number.or(made.exit_code),
                is_latest: self.options.trace_dir.is_none(),
                is_complete: true,
            },
            exit_code: made.exit_code,
            signal: made.signal,
            stdout: made.stdout,
            stderr: made.stderr,
            is_cut: made.cut.is_some(),
            notes: made.notes,
        })
    }
}

/// What came of recording a program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recorded {
    /// The recording.
    pub recording: Recording,
    /// The exit code of the program; 128 and the number of the signal if one killed it. `None`: rr gave up before it
    /// ended, as a note says.
    pub exit_code: Option<i32>,
    /// The signal that killed it: `SIGSEGV`.
    pub signal: Option<String>,
    /// The last 16 KiB of what it printed.
    pub stdout: String,
    /// The last 16 KiB of its standard error, with rr's own warnings.
    pub stderr: String,
    /// Whether the program was ended because of a [limit](Recorder::time_limit).
    pub is_cut: bool,
    /// What went wrong without spoiling the recording, in words.
    pub notes: Vec<String>,
}
