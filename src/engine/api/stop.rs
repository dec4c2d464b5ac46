//! A stop: why and where, with the source around it and what log points wrote.

use super::breakpoint::Access;
use super::breakpoint::Caught;
use super::frame::Frame;
use super::position::Position;
use super::value::Variable;
use super::waypoint::Waypoint;
use program::sources::SourceLine;
use std::time::Duration;

/// Why execution stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// A breakpoint of the user.
    Breakpoint {
        /// Its number.
        number: u32,
        /// It was temporary and is gone now.
        temporary: bool,
    },
    /// A watchpoint of the user.
    Watchpoint {
        /// Its number.
        number: u32,
        /// What kind of access it waits for.
        access: Access,
        /// The expression as given.
        expression: String,
        /// The value earlier in time.
        old: Option<String>,
        /// The value later in time. For a read, the value read.
        new: Option<String>,
        /// The writing instruction's frame: function, file and line of what wrote.
        writer: Option<Frame>,
    },
    /// A step, next or stepi ended.
    StepDone,
    /// A finish ended.
    FunctionFinished {
        /// Rendered, if the function returns something that can be found.
        return_value: Option<Variable>,
    },
    /// A signal is about to be delivered (forward) or was (reverse).
    Signal {
        /// `SIGSEGV`
        name: String,
        /// `Segmentation fault`
        meaning: String,
        /// The catchpoint that waits for it, if one does.
        number: Option<u32>,
    },
    /// A catchpoint of the user, but for signals and `exec`.
    Catch {
        /// Its number.
        number: u32,
        /// It was temporary and is gone now.
        temporary: bool,
        /// What happens.
        caught: Caught,
    },
    /// Run-to-event or a checkpoint restore arrived.
    Arrived,
    /// The recording has no earlier moment for this process.
    StartOfRecording,
    /// It is where it was when it was attached to.
    Attached,
    /// The recording has no later moment for this process; it is still there to be inspected and reversed from.
    EndOfRecording {
        /// Exit code of the process, if it exited.
        exit_code: Option<i32>,
        /// Signal that killed it, if one did.
        signal: Option<String>,
    },
    /// The process replaced its image.
    Exec {
        /// Path of the new image.
        path: String,
        /// The catchpoint that waits for it, if one does.
        number: Option<u32>,
    },
    /// The deadline passed; the replay was interrupted here and is usable.
    TimedOut {
        /// How long it had.
        after: Duration,
    },
    /// The caller cancelled; the replay was interrupted here and is usable.
    Cancelled,
}

/// A stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Why.
    pub reason: Reason,
    /// Where in the recording.
    pub position: Position,
    /// The same as a name for it that is good in each session, if the server counts events.
    pub waypoint: Option<Waypoint>,
    /// Where in the program.
    pub frame: Frame,
    /// A few source lines around it; empty if the source cannot be read.
    pub source: Vec<SourceLine>,
    /// What else the user should know: "line 41 has no place to stop at, resolved to 42", "breakpoint 2 is pending".
    pub notes: Vec<String>,
    /// What log points have written down on the way, the last lines of it.
    pub logged: Logged,
}

/// A line that a log point has written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// From 1, in the order in which they were written.
    pub index: u64,
    /// Of the log point.
    pub number: u32,
    /// The text with its values.
    pub text: String,
    /// The values in it, one after the other; without the last ones if the text is cut.
    pub values: Vec<String>,
    /// Where in the recording.
    pub position: Position,
    /// The number that users know the thread by.
    pub thread: u32,
    /// Function.
    pub function: Option<String>,
    /// Absolute path, if known.
    pub file: Option<String>,
    /// 1-based.
    pub line: Option<u32>,
    /// The watched value earlier in time.
    pub old: Option<String>,
    /// The watched value later in time.
    pub new: Option<String>,
}

/// Some of the lines that log points have written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Logged {
    /// The lines.
    pub lines: Vec<LogLine>,
    /// The index to go on from, if there are more.
    pub next: Option<u64>,
    /// How many have been written in all.
    pub count: u64,
    /// How many of those asked for come before `lines` and are not among them: forgotten, or left out.
    pub forgotten: u64,
}
