//! What can go wrong: a kind to decide by, and words to show.

use std::fmt;

/// The result of what a [`Replay`](crate::Replay) is asked to do.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something could not be done. Its [`kind`](Error::kind) is for programs, its text for people: it says what was
/// given, and what would have been valid.
///
/// That a value is not known ("optimized out", memory that cannot be read) is no error but a [`Value`](crate::Value)
/// that [says so](crate::Value::unknown); it becomes one when it is turned into a number.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    words: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no rr, or it does not work here.
    NoRr,
    /// There is no such recording.
    NoRecording,
    /// The recording cannot be replayed on this machine, or is damaged or incomplete.
    NotReplayable,
    /// The program could not be recorded.
    NotRecorded,
    /// The replay has ended, and could not be begun again: nothing more can be asked of it.
    Ended,
    /// rr had to be started again, and what was asked for has not been done. The replay goes on, perhaps elsewhere.
    Restarted,
    /// It was [cancelled](crate::Cancel), or the deadline has passed.
    Cancelled,
    /// It took longer than it was given.
    TimedOut,
    /// An expression makes no sense, or not here.
    Expression,
    /// An expression has a name that means nothing here.
    NoSymbol,
    /// The operation is not possible on a value of this type, or the value does not fit the requested type.
    Type,
    /// A value is not known.
    Unknown,
    /// Memory that cannot be read.
    Memory,
    /// A frame that the stack does not have.
    NoFrame,
    /// A thread that does not exist now.
    NoThread,
    /// A register that the processor does not have.
    NoRegister,
    /// A breakpoint, or a checkpoint, that does not exist any more.
    NoBreakpoint,
    /// A location that makes no sense, or that nothing loaded has.
    NoLocation,
    /// A condition or a log text that cannot be used.
    BadCondition,
    /// A watchpoint that the processor cannot do.
    Unwatchable,
    /// A position that the recording does not have.
    NoPosition,
    /// A checkpoint cannot be made here.
    CheckpointRefused,
    /// A movement that makes no sense here, as finishing the outermost function.
    CannotMove,
    /// A source file that cannot be found or read.
    NoSource,
    /// An argument out of its range.
    OutOfRange,
    /// Anything else.
    Other,
}

impl Error {
    pub(super) fn new(kind: ErrorKind, words: impl Into<String>) -> Self {
        Self { kind, words: words.into(), source: None }
    }

    /// Returns what it is about.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns whether nothing more can be asked of the replay.
    pub fn is_fatal(&self) -> bool {
        self.kind == ErrorKind::Ended
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&**self.source.as_ref()?)
    }
}

impl From<rr::Error> for Error {
    fn from(error: rr::Error) -> Self {
        Self { kind: kind_of_rr(&error), words: error.to_string(), source: Some(Box::new(error)) }
    }
}

impl From<engine::Error> for Error {
    fn from(error: engine::Error) -> Self {
        Self { kind: kind_of(&error), words: error.to_string(), source: Some(Box::new(error)) }
    }
}

fn kind_of_rr(error: &rr::Error) -> ErrorKind {
    use rr::Error as Rr;
    match error {
        Rr::NotFound { .. } | Rr::NotRr { .. } | Rr::UnknownCounters(_) => ErrorKind::NoRr,
        Rr::NoCounters(_) | Rr::SoftCounters { .. } => ErrorKind::NoRr,
        Rr::NoSuchTrace { .. } | Rr::NoLatestTrace(_) | Rr::NotATrace { .. } => ErrorKind::NoRecording,
        Rr::NoSuchProcess { .. } => ErrorKind::NoRecording,
        Rr::NotReplayable { .. } | Rr::Replay { .. } | Rr::Damaged { .. } | Rr::Incomplete(_) => {
            ErrorKind::NotReplayable
        }
        Rr::EmptyCommand | Rr::TraceExists(_) | Rr::ProgramNotStarted { .. } | Rr::BadOption(_) => {
            ErrorKind::NotRecorded
        }
        Rr::Record { .. } => ErrorKind::NotRecorded,
        Rr::Cancelled { .. } => ErrorKind::Cancelled,
        _ => ErrorKind::Other,
    }
}

fn kind_of(error: &engine::Error) -> ErrorKind {
    use engine::Error as Engine;
    match error {
        Engine::Rr(error) => kind_of_rr(error),
        Engine::Ended(_) | Engine::Over(_) | Engine::Exited { .. } => ErrorKind::Ended,
        Engine::Revived { .. } | Engine::Strayed => ErrorKind::Restarted,
        Engine::OnTheWay { after: None, .. } | Engine::ReadingCancelled { after: None, .. } => ErrorKind::Cancelled,
        Engine::OnTheWay { .. } | Engine::ReadingCancelled { .. } => ErrorKind::TimedOut,
        Engine::NoSuchPlace { .. } | Engine::OtherProcess { .. } | Engine::NoSuchTicks { .. } => ErrorKind::NoPosition,
        Engine::Expression(_) | Engine::NoType { .. } => ErrorKind::Expression,
        Engine::NoSymbol { .. } => ErrorKind::NoSymbol,
        Engine::NoFrame { .. } => ErrorKind::NoFrame,
        Engine::NoThread { .. } => ErrorKind::NoThread,
        Engine::NoRegister { .. } => ErrorKind::NoRegister,
        Engine::NoBreakpoint { .. } | Engine::NoCheckpoint { .. } => ErrorKind::NoBreakpoint,
        Engine::CheckpointRefused(_) => ErrorKind::CheckpointRefused,
        Engine::BadLocation { .. } | Engine::NoLocation { .. } | Engine::Unmapped { .. } => ErrorKind::NoLocation,
        Engine::BadCondition { .. } | Engine::BadLog { .. } => ErrorKind::BadCondition,
        Engine::Unwatchable { .. } => ErrorKind::Unwatchable,
        Engine::Outermost { .. } | Engine::NoCaller(_) | Engine::NoFunction(_) => ErrorKind::CannotMove,
        Engine::OutOfRange { .. } => ErrorKind::OutOfRange,
        Engine::NoSource { .. } => ErrorKind::NoSource,
        _ => ErrorKind::Other,
    }
}
