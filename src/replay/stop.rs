//! Stops: why, where in the program, and where in the recording.

use super::breakpoint::Access;
use super::frame::Frame;
use super::location::{Location, SourceLine};
use super::position::Position;
use super::value::Value;
use engine::model::{self, Reason};
use std::fmt;

/// What a movement came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stop {
    /// Why.
    pub reason: StopReason,
    /// Where in the recording.
    pub position: Position,
    /// Where in the program: the innermost frame of the thread that stopped.
    pub frame: Frame,
    /// A few lines of source around it; empty if they cannot be read.
    pub source: Vec<SourceLine>,
    /// What log points have written down on the way.
    pub log: Vec<LogLine>,
    /// What else there is to know, in words.
    pub notes: Vec<String>,
}

/// Why the replay has stopped.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// It is at the beginning of the process: nothing is earlier.
    Start,
    /// It is at the end of the process, which can still be looked at; nothing is later.
    #[non_exhaustive]
    End {
        /// The exit code of the process, if it exited.
        exit_code: Option<i32>,
        /// The signal that killed it, if one did: `SIGSEGV`.
        signal: Option<String>,
    },
    /// A breakpoint was hit.
    #[non_exhaustive]
    Breakpoint {
        /// Its number.
        number: u32,
    },
    /// A watched value was changed, or read.
    ///
    /// Going forward, that has just happened; going backward, it is about to happen.
    #[non_exhaustive]
    Watchpoint {
        /// Its number.
        number: u32,
        /// What was waited for.
        access: Access,
        /// The value earlier in time, as text.
        old: Option<String>,
        /// The value later in time; of a read, the value that was read.
        new: Option<String>,
        /// The frame that did it, if it is not the one of the stop.
        writer: Option<Frame>,
    },
    /// What a catchpoint waits for is about to happen.
    #[non_exhaustive]
    Catchpoint {
        /// Its number.
        number: u32,
        /// What it is: `syscall write`, `throw std::runtime_error`.
        caught: String,
    },
    /// A signal is about to be delivered; going backward, it has been.
    #[non_exhaustive]
    Signal {
        /// `SIGSEGV`
        name: String,
        /// `Segmentation fault`
        meaning: String,
        /// The number of the catchpoint that waits for it, if one does.
        catchpoint: Option<u32>,
    },
    /// A step, an `until` or a reverse `finish` has been completed.
    Step,
    /// The function that was to be finished has returned.
    #[non_exhaustive]
    Returned {
        /// What it returned; `None` if that is nothing, or cannot be found.
        value: Option<Value<'static>>,
    },
    /// The process has become another program.
    #[non_exhaustive]
    Exec {
        /// The path of the new program.
        path: String,
        /// The number of the catchpoint that waits for it, if one does.
        catchpoint: Option<u32>,
    },
    /// It is where it was told to go.
    Arrived,
    /// The movement took too long, and was interrupted here.
    TimedOut,
    /// The movement was [cancelled](crate::Cancel), and was interrupted here.
    Cancelled,
}

/// A line that a log point has written down.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogLine {
    /// The number of the breakpoint or watchpoint.
    pub number: u32,
    /// The text with its values.
    pub text: String,
    /// The event of the recording at which it was written.
    pub event: u64,
    /// Where in the source that was.
    pub location: Option<Location>,
}

impl From<model::LogLine> for LogLine {
    fn from(line: model::LogLine) -> Self {
        let (file, path) = (line.file.as_deref(), line.file.as_deref());
        let location = Location::new(file, path, line.line, None);
        Self { number: line.number, text: line.text, event: line.position.event().unwrap_or_default(), location }
    }
}

impl StopReason {
    /// Creates the reason of a stop. `returned`: what a function that was finished has returned.
    pub(super) fn new(reason: Reason, returned: Option<Value<'static>>) -> Self {
        match reason {
            Reason::Breakpoint { number, .. } => Self::Breakpoint { number },
            Reason::Watchpoint { number, access, old, new, writer, .. } => {
                Self::Watchpoint { number, access: access.into(), old, new, writer: writer.map(Frame::from) }
            }
            Reason::Catch { number, caught, .. } => Self::Catchpoint { number, caught: in_words(&caught) },
            Reason::Signal { name, meaning, number } => Self::Signal { name, meaning, catchpoint: number },
            Reason::StepDone => Self::Step,
            Reason::FunctionFinished { .. } => Self::Returned { value: returned },
            Reason::Exec { path, number } => Self::Exec { path, catchpoint: number },
            Reason::Arrived | Reason::Attached => Self::Arrived,
            Reason::StartOfRecording => Self::Start,
            Reason::EndOfRecording { exit_code, signal } => Self::End { exit_code, signal },
            Reason::TimedOut { .. } => Self::TimedOut,
            Reason::Cancelled => Self::Cancelled,
        }
    }

    /// Returns whether it is a hit of the breakpoint, watchpoint or catchpoint of this number.
    pub(crate) fn is_hit_of(&self, asked: u32) -> bool {
        match self {
            Self::Breakpoint { number } | Self::Watchpoint { number, .. } | Self::Catchpoint { number, .. } => {
                *number == asked
            }
            Self::Signal { catchpoint, .. } | Self::Exec { catchpoint, .. } => *catchpoint == Some(asked),
            _ => false,
        }
    }
}

fn in_words(caught: &model::Caught) -> String {
    match caught {
        model::Caught::Syscall { name } => format!("syscall {name}"),
        model::Caught::Fork { function } => format!("fork by {function}"),
        model::Caught::Exception { thrown, ty } => {
            let word = if *thrown { "throw" } else { "catch" };
            ty.as_ref().map_or_else(|| word.to_owned(), |ty| format!("{word} {ty}"))
        }
        model::Caught::Panic => "panic".to_owned(),
    }
}

/// `SIGSEGV (Segmentation fault)`, `breakpoint 1`, `exit 0`
impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start of the process"),
            Self::End { exit_code: Some(code), .. } => write!(f, "exit {code}"),
            Self::End { signal: Some(signal), .. } => write!(f, "killed by {signal}"),
            Self::End { .. } => f.write_str("end of the process"),
            Self::Breakpoint { number } => write!(f, "breakpoint {number}"),
            Self::Watchpoint { number, old: Some(old), new: Some(new), .. } => {
                write!(f, "watchpoint {number}: {old} -> {new}")
            }
            Self::Watchpoint { number, .. } => write!(f, "watchpoint {number}"),
            Self::Catchpoint { number, caught } => write!(f, "catchpoint {number}: {caught}"),
            Self::Signal { name, meaning, .. } => write!(f, "{name} ({meaning})"),
            Self::Step => f.write_str("step"),
            Self::Returned { value: Some(value) } => write!(f, "returned {value}"),
            Self::Returned { value: None } => f.write_str("returned"),
            Self::Exec { path, .. } => write!(f, "exec {path}"),
            Self::Arrived => f.write_str("arrived"),
            Self::TimedOut => f.write_str("time limit"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

/// `SIGSEGV (Segmentation fault) in corrected (station=0x4a5130, slot=0) at corrupt_table.c:52`
impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.reason, self.frame)
    }
}
