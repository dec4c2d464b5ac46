//! What can go wrong in the engine.

use super::waypoint::Waypoint;
use arch::ThreadId;
use base::untrusted::PathText as _;
use program::location::LocationError;
use program::sources::SourceError;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Why a request could not be carried out. A question that has no answer ("optimized out", "cannot be read") is not
/// an error but an answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The `rr` program.
    #[error(transparent)]
    Rr(#[from] rr::Error),
    /// The conversation with rr's server.
    #[error(transparent)]
    Rsp(#[from] rsp::Error),
    /// An ELF file or its debug info.
    #[error(transparent)]
    Dwarf(#[from] dwarf::Error),
    /// rr is gone; nothing more can be asked of this session.
    #[error("the replay has ended: {0}")]
    Ended(String),
    /// The same of a session on a server that replays nothing.
    #[error("the session has ended: {0}")]
    Over(String),
    /// The program that a server ran has ended, and the session with it. (A replay stops before that.)
    #[error("the program has {}", ended_by(.exit_code, .signal))]
    Exited {
        /// If it exited.
        exit_code: Option<u8>,
        /// If a signal ended it: `SIGTERM`.
        signal: Option<String>,
    },
    /// The conversation with a server that is no rr, in words that fit it.
    #[error("{0}")]
    Server(String),
    /// rr has ended, and the session continues in a new replay; but what was asked has not been done.
    #[error("rr had to be started again ({words}): the session {now}. The request was not carried out")]
    Revived {
        /// How it ended.
        words: String,
        /// Where the session is now.
        now: String,
    },
    /// rr has ended, and the way to where the session was was not taken to its end in another replay.
    #[error("rr had to be started again ({words}), and the replay back to the session's position {}. The request was not carried out; the next call will retry", broke_off(*.after))]
    OnTheWay {
        /// How it ended.
        words: String,
        /// The time that there was; `None`: it was cancelled.
        after: Option<Duration>,
    },
    /// A look at what is before or behind a stop did not lead back to it.
    #[error(
        "on the way to the next stop, a look at the other side of an instruction did not lead back there: the session is near, and what comes next was not looked at"
    )]
    Strayed,
    /// A waypoint of which the recording has no such place.
    #[error(
        "the replay does not reach this position: event {event}, tick {ticks}, pc {pc:#x}{}; the session is where it was",
        if *.is_code { "" } else { ", where no code is; a position is what a stop or an answer calls so, all of it" }
    )]
    NoSuchPlace {
        /// Its event.
        event: u64,
        /// Its ticks.
        ticks: u64,
        /// Its program counter.
        pc: u64,
        /// Whether there may be code.
        is_code: bool,
    },
    /// A waypoint of another process than the one that is debugged.
    #[error(
        "{to} is in process {}, and this session is on process {here}: it is gone to in a session on process {}",
        .to.thread.pid, .to.thread.pid
    )]
    OtherProcess {
        /// Where to.
        to: Waypoint,
        /// The process that is debugged.
        here: u32,
    },
    /// A tick that the current thread never reaches.
    #[error("thread {thread} never reaches tick {ticks}; the session is where it was")]
    NoSuchTicks {
        /// The thread whose turn it is.
        thread: ThreadId,
        /// What was asked for.
        ticks: u64,
    },
    /// Debug info that it takes long to read was not read to the end.
    #[error("{}: stopped {progress}. The request was not carried out; the debug info is read when it is needed again", gave_up(*.after))]
    ReadingCancelled {
        /// How far it was.
        progress: dwarf::Progress,
        /// The time that there was; `None`: it was cancelled.
        after: Option<Duration>,
    },
    /// rr did not say what a client needs to know at the start.
    #[error("the replay gives no {0}")]
    Incomplete(&'static str),
    /// An expression could not be parsed or evaluated.
    #[error("{0}")]
    Expression(String),
    /// An expression has a name that means nothing where it was evaluated.
    #[error("{words}")]
    NoSymbol {
        /// Where in the expression, as for [`Error::Expression`].
        words: String,
        /// The name.
        name: String,
    },
    /// An expression names a type that there is not.
    #[error("{words}")]
    NoType {
        /// Where in the expression, as for [`Error::Expression`].
        words: String,
        /// The name.
        name: String,
    },
    /// An expression calls a function, and functions are not called there.
    #[error("{words}")]
    NeedsCall {
        /// Where in the expression, as for [`Error::Expression`].
        words: String,
    },
    /// A frame level that the stack does not have.
    #[error("frame {asked}: the stack has {}", range("frame", *.count))]
    NoFrame {
        /// The level asked for.
        asked: u32,
        /// How many there are.
        count: u32,
    },
    /// A thread that does not exist now.
    #[error("no thread {asked}: there are {known}")]
    NoThread {
        /// As given.
        asked: String,
        /// `1 (100.100 main), 2 (100.101 worker)`; if several have the name asked for, those.
        known: String,
    },
    /// A breakpoint or watchpoint that does not exist.
    #[error("no breakpoint or watchpoint {asked}: {}", there_are(.known))]
    NoBreakpoint {
        /// The number asked for.
        asked: u32,
        /// The numbers that exist.
        known: Vec<u32>,
    },
    /// A checkpoint that does not exist.
    #[error("no checkpoint {asked}: {}", there_are(.known))]
    NoCheckpoint {
        /// The number asked for.
        asked: u32,
        /// The numbers that exist.
        known: Vec<u32>,
    },
    /// A checkpoint cannot be made where the process is.
    #[error("rr cannot make a checkpoint here: {0}")]
    CheckpointRefused(String),
    /// A location that makes no sense as text.
    #[error("location `{text}`: {reason}")]
    BadLocation {
        /// As given.
        text: String,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// A location that nothing loaded has.
    #[error("location `{text}`: {reason}")]
    NoLocation {
        /// As given.
        text: String,
        /// What was looked for and where.
        reason: String,
        /// A library that is loaded later may have it, which a breakpoint can wait for.
        later: bool,
    },
    /// A breakpoint address that is not mapped.
    #[error("address {address:#x} is not mapped here, a breakpoint there could never be hit")]
    Unmapped {
        /// The address.
        address: u64,
    },
    /// A condition that cannot be used.
    #[error("condition `{condition}`: {reason}")]
    BadCondition {
        /// As given.
        condition: String,
        /// What is wrong.
        reason: String,
    },
    /// The text of a log point that cannot be used.
    #[error("log text `{text}`: {reason}")]
    BadLog {
        /// As given.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// A hardware breakpoint for which no debug register is free.
    #[error(
        "no hardware breakpoint can be set at `{location}`: all 4 debug registers are in use; delete or disable another \
         hardware breakpoint or a watchpoint, or use one in software (`break`)"
    )]
    NoDebugRegister {
        /// As given.
        location: String,
    },
    /// A watchpoint that the processor cannot do.
    #[error("cannot watch `{expression}`: {reason}")]
    Unwatchable {
        /// As given.
        expression: String,
        /// Why not.
        reason: String,
    },
    /// There is no caller to return to.
    #[error("`{function}` is the outermost frame: it has no caller to return to")]
    Outermost {
        /// The function of the selected frame.
        function: String,
    },
    /// The stack cannot be followed from the selected frame.
    #[error("the caller of the selected frame is not known: {0}")]
    NoCaller(String),
    /// There is no code known at the pc to be stepped through.
    #[error("no function is known at {0:#x}: use stepi, continue or finish")]
    NoFunction(u64),
    /// A register that the target does not have.
    #[error("no register `{asked}`: there are {known}")]
    NoRegister {
        /// As given.
        asked: String,
        /// Their names.
        known: String,
    },
    /// The address of a server that cannot be used.
    #[error("address `{text}`: {reason}")]
    BadAddress {
        /// As given.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// Nothing at an address speaks the protocol to us.
    #[error("{words}; is a server for GDB listening at {address}, and no other debugger attached to it? It serves one")]
    NoServer {
        /// Where it was thought to listen.
        address: SocketAddr,
        /// What came of talking to it.
        words: String,
    },
    /// What the server that was attached to cannot do.
    #[error("the server at {address} has no {feature}; an `rr replay` has it")]
    Lacks {
        /// Where it listens.
        address: SocketAddr,
        /// What is missing.
        feature: &'static str,
    },
    /// An argument out of its range.
    #[error("{what}: {given} is out of range, {valid}")]
    OutOfRange {
        /// Which argument.
        what: &'static str,
        /// Its value.
        given: u64,
        /// What would be valid.
        valid: String,
    },
    /// A source file that cannot be found or read.
    #[error("no source for {file}: {reason}")]
    NoSource {
        /// As recorded or as given.
        file: String,
        /// Where it was looked for, or what reading it said.
        reason: String,
    },
    /// A file whose content is not what was recorded.
    #[error("{} is not the recorded file: {reason}", .path.in_text())]
    Changed {
        /// The file.
        path: PathBuf,
        /// How it differs.
        reason: String,
    },
}

fn broke_off(after: Option<Duration>) -> String {
    after.map_or("was interrupted".to_owned(), |after| format!("had not ended after {} s", after.as_secs()))
}

fn gave_up(after: Option<Duration>) -> String {
    after.map_or("cancelled".to_owned(), |after| format!("the time was up after {} s", after.as_secs_f64()))
}

impl From<dwarf::CancelledWork> for Error {
    fn from(cancelled: dwarf::CancelledWork) -> Self {
        Self::ReadingCancelled { progress: cancelled.0, after: None }
    }
}

impl From<LocationError> for Error {
    fn from(error: LocationError) -> Self {
        match error {
            LocationError::Malformed { text, reason } => Self::BadLocation { text, reason },
            LocationError::Nowhere { text, reason, later } => Self::NoLocation { text, reason, later },
        }
    }
}

impl From<SourceError> for Error {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::OutOfRange { given, valid } => Self::OutOfRange { what: "line", given: given.into(), valid },
            SourceError::Unreadable { file, reason } => Self::NoSource { file, reason },
        }
    }
}

impl Error {
    /// Returns whether nothing can be asked of rr any more.
    pub(crate) fn ends_replay(&self) -> bool {
        matches!(self, Self::Rsp(error) if error.is_fatal())
    }

    /// Returns what is wrong with the expression `text`.
    pub(crate) fn expression(error: &expr::Error, text: &str) -> Self {
        let mut words = error.render(text);
        if error.kind == expr::ErrorKind::Refused(expr::Refusal::Call) && error.expansion.is_none() {
            let end = words.find('\n').unwrap_or(words.len());
            words.insert_str(end, &format!("; {}", instead_of_call(text.get(error.span.start..).unwrap_or_default())));
        }
        match &error.kind {
            expr::ErrorKind::NoSymbol(name) => Self::NoSymbol { words, name: name.clone() },
            expr::ErrorKind::NoType(name) => Self::NoType { words, name: name.clone() },
            _ if error.is_call() => Self::NeedsCall { words },
            _ => Self::Expression(words),
        }
    }
}

/// Says what can be asked instead of a call, which the text begins with.
fn instead_of_call(text: &str) -> &'static str {
    let name = text.split('(').next().unwrap_or_default().trim();
    match name.rsplit("::").next().unwrap_or_default() {
        "strlen" | "strnlen" | "wcslen" => "the pointer alone shows the text, to its end",
        "strcmp" | "strncmp" | "strcasecmp" | "memcmp" => "both alone show their texts; bytes are shown by p[0]@n",
        _ => "its results are available from the list of all calls",
    }
}

fn range(what: &str, count: u32) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("only {what} 0"),
        n => format!("{what}s 0–{}", n - 1),
    }
}

fn there_are(known: &[u32]) -> String {
    match known {
        [] => "there are none".to_owned(),
        [one] => format!("there is only {one}"),
        many => format!("there are {}", many.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    }
}

fn ended_by(exit_code: &Option<u8>, signal: &Option<String>) -> String {
    match (exit_code, signal) {
        (_, Some(signal)) => format!("been ended by {signal}"),
        (Some(code), None) => format!("exited with code {code}"),
        (None, None) => "ended".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_valid_range() {
        assert_eq!(Error::NoFrame { asked: 99, count: 5 }.to_string(), "frame 99: the stack has frames 0–4");
        assert_eq!(Error::NoFrame { asked: 1, count: 1 }.to_string(), "frame 1: the stack has only frame 0");
        let e = Error::NoBreakpoint { asked: 7, known: vec![1, 2] };
        assert_eq!(e.to_string(), "no breakpoint or watchpoint 7: there are 1, 2");
        let e = Error::NoBreakpoint { asked: 7, known: vec![] };
        assert_eq!(e.to_string(), "no breakpoint or watchpoint 7: there are none");
    }
}
