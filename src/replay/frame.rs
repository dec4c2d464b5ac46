//! Frames of a stack, and threads.

use super::location::Location;
use engine::model;
use std::fmt;

/// One frame of a stack: a call that has not returned, or an inlined one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Frame {
    /// 0 is the innermost.
    pub level: u32,
    /// The function, demangled; `None` where nothing is known.
    pub function: Option<String>,
    /// Where in the source; `None` without line information.
    pub location: Option<Location>,
    /// The address of the next instruction in frame 0, the return address in the others.
    pub pc: u64,
    /// The file name of the program or library that the code is from.
    pub module: Option<String>,
    /// Whether it was inlined into the next frame.
    pub is_inlined: bool,
    /// Whether it is the trampoline of a signal handler: the next frame was interrupted.
    pub is_signal_trampoline: bool,
    /// Whether its function has left by a tail call: it is not on the stack, and is known from call sites only.
    pub is_tail_call: bool,
    /// Whether it was found by following frame pointers or by scanning the stack, and may be wrong.
    pub is_guessed: bool,
    /// Names and values of its parameters, as text.
    arguments: Vec<(String, String)>,
}

impl From<model::Frame> for Frame {
    fn from(frame: model::Frame) -> Self {
        let (file, path) = (frame.file.as_deref(), frame.fullname.as_deref());
        Self {
            level: frame.level,
            location: Location::new(file, path, frame.line, frame.column),
            function: frame.function,
            pc: frame.address.0,
            module: frame.module,
            is_inlined: frame.inlined,
            is_signal_trampoline: frame.signal_frame,
            is_tail_call: frame.tail_call,
            is_guessed: frame.guessed,
            arguments: frame.args.into_iter().map(|argument| (argument.name, argument.value)).collect(),
        }
    }
}

/// `store (slot=8, value=1000) at table.c:33`
impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => {
                let arguments: Vec<_> = self.arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
                write!(f, "{function} ({})", arguments.join(", "))?;
            }
            None => write!(f, "{:#x}", self.pc)?,
        }
        match (&self.location, &self.module) {
            (Some(location), _) => write!(f, " at {location}"),
            (None, Some(module)) => write!(f, " from {module}"),
            (None, None) => Ok(()),
        }
    }
}

/// A stack, innermost frame first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Backtrace {
    /// The frames.
    pub frames: Vec<Frame>,
    /// Why the list ends before the outermost frame, if it does, in words.
    pub truncated: Option<String>,
}

impl From<model::Backtrace> for Backtrace {
    fn from(found: model::Backtrace) -> Self {
        Self { frames: found.frames.into_iter().map(Frame::from).collect(), truncated: found.truncated }
    }
}

impl IntoIterator for Backtrace {
    type Item = Frame;
    type IntoIter = std::vec::IntoIter<Frame>;

    fn into_iter(self) -> Self::IntoIter {
        self.frames.into_iter()
    }
}

/// One frame a line, as `#0  store (slot=8, value=1000) at table.c:33`.
impl fmt::Display for Backtrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, frame) in self.frames.iter().enumerate() {
            if number > 0 {
                writeln!(f)?;
            }
            write!(f, "#{:<3}{frame}", frame.level)?;
        }
        match &self.truncated {
            Some(why) => write!(f, "\n({why})"),
            None => Ok(()),
        }
    }
}

/// A thread of the process.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Thread {
    /// From 1, in the order in which the session met them; it stays the same.
    pub number: u32,
    /// The process's number when it was recorded.
    pub process: u32,
    /// The thread's number when it was recorded.
    pub id: u32,
    /// The name that the program has given it, or the program's.
    pub name: Option<String>,
    /// Its innermost frame.
    pub frame: Option<Frame>,
    /// Whether it is the one that values and frames are of.
    pub is_selected: bool,
}

impl From<model::Thread> for Thread {
    fn from(thread: model::Thread) -> Self {
        Self {
            number: thread.number,
            process: thread.id.pid,
            id: thread.id.tid,
            name: thread.name,
            frame: thread.frame.map(Frame::from),
            is_selected: thread.current,
        }
    }
}
