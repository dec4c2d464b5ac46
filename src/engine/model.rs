//! What the engine takes and gives: plain structs, which the layers above convert as they like.

mod breakpoints;

pub use self::breakpoints::{
    Access, BreakpointChange, BreakpointInfo, BreakpointPlace, BreakpointSpec, CatchEvent, CatchSpec, Caught,
};
use crate::arch::{Direction, RunAddr, ThreadId};
pub use crate::ctype::Contents;
pub use crate::rsp::Moment;
use std::path::PathBuf;
use std::time::Duration;

/// A place in the recording. (event, ticks, pc) is finer than anything rr names by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Completed events, and conditional branches that the thread has retired. `None` only if the server that was
    /// attached to does not count them.
    pub moment: Option<Moment>,
    /// The current thread.
    pub thread: ThreadId,
    /// Its program counter.
    pub pc: RunAddr,
}

impl Position {
    /// Completed events, if they are counted.
    pub fn event(&self) -> Option<u64> {
        self.moment.map(|moment| moment.event)
    }

    /// Conditional branches that the thread has retired, if they are counted.
    pub fn ticks(&self) -> Option<u64> {
        self.moment.map(|moment| moment.ticks)
    }
}

/// One frame of a stack, real or inlined.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// 0 is the innermost.
    pub level: u32,
    /// pc of frame 0, return address of the others.
    pub address: RunAddr,
    /// Function name, demangled; `None` where nothing is known.
    pub function: Option<String>,
    /// As the compiler was given it.
    pub file: Option<String>,
    /// Absolute path.
    pub fullname: Option<String>,
    /// 1-based.
    pub line: Option<u32>,
    /// 1-based, if known.
    pub column: Option<u32>,
    /// Arguments, if asked for.
    pub args: Vec<Variable>,
    /// File name of the module.
    pub module: Option<String>,
    /// This level was inlined into the next.
    pub inlined: bool,
    /// A signal trampoline: the next frame was interrupted.
    pub signal_frame: bool,
    /// It has left by a tail call into the frame before, and has no place on the stack any more: call sites tell of it.
    pub tail_call: bool,
    /// Set if the frame was found by following frame pointers or scanning, and may be wrong.
    pub guessed: bool,
}

/// A stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Backtrace {
    /// Innermost first.
    pub frames: Vec<Frame>,
    /// Why the list ends before the outermost frame, if it does: a limit, or an unwind error in words.
    pub truncated: Option<String>,
}

/// A named value, rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// In GDB's notation.
    pub value: String,
    /// C spelling of the type.
    pub ty: Option<String>,
    /// A parameter rather than a local.
    pub is_argument: bool,
    /// Declared here.
    pub line: Option<u32>,
    /// A variable of an inner block hides this one.
    pub shadowed: bool,
    /// Something was left out of `value`.
    pub truncated: bool,
    /// C++: the class of the object that it is, or points to, if that is derived from the one that its type says.
    pub dynamic_type: Option<String>,
    /// Why it has no value, if it has none.
    pub missing: Option<Missing>,
}

/// Why a variable has no value here, and where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// In words: `no location at this pc; last known at 0x401136, 12 bytes back`.
    pub why: String,
    /// An instruction of the function at which it is known: the last such one before here, or else the first after.
    pub known_at: Option<RunAddr>,
    /// The line of that instruction.
    pub line: Option<u32>,
    /// Whether that instruction is behind the place in the code, so that one gets there by going on.
    pub is_ahead: bool,
}

/// How a value is to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Show {
    /// GDB's letter, as in `/x`.
    pub format: Option<char>,
    /// Elements or characters of the value itself that are passed over.
    pub from: u64,
    /// Most elements or characters; default: as GDB.
    pub count: Option<u32>,
}

/// An evaluated expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The expression as given.
    pub expression: String,
    /// In GDB's notation.
    pub value: String,
    /// C spelling of the type.
    pub ty: String,
    /// Where it is in memory, if it is an lvalue that is.
    pub address: Option<RunAddr>,
    /// Something was left out of `value`.
    pub truncated: bool,
    /// The element or character to go on from ([`Show::from`]), if elements of the value itself were left out.
    pub next: Option<u64>,
    /// C++: the class of the object that it is, or points to, if that is derived from the one that its type says.
    pub dynamic_type: Option<String>,
    /// Why it has no value, if it is a variable that has none.
    pub missing: Option<Missing>,
}

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
    /// Where in the program.
    pub frame: Frame,
    /// A few source lines around it; empty if the source cannot be read.
    pub source: Vec<SourceLine>,
    /// What else the user should know: "asked 41, bound 42", "breakpoint 2 is pending".
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

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// 1-based.
    pub number: u32,
    /// Without the newline.
    pub text: String,
    /// The line that the frame is at.
    pub current: bool,
}

/// A stretch of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The file that was read.
    pub file: String,
    /// The lines.
    pub lines: Vec<SourceLine>,
    /// Last line of the file.
    pub last_line: u32,
}

/// A movement in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// To the next stop.
    Continue(Direction),
    /// So many source lines, into calls.
    Step(Direction, u32),
    /// So many source lines, over calls.
    Next(Direction, u32),
    /// So many instructions.
    StepInstruction(Direction, u32),
    /// So many instructions, over calls.
    NextInstruction(Direction, u32),
    /// Forward: until the selected frame returns. Reverse: to the call of the selected frame's function.
    Finish(Direction),
    /// Lines, over calls, until one that comes later in the function: out of a loop.
    Until,
    /// To where [`Engine::advance`](super::Engine::advance) was told to go, which is how to ask for it.
    Advance,
    /// Just after this event.
    RunToEvent(u64),
    /// To a checkpoint.
    Restore(u32),
}

/// A thread of the process.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread {
    /// From 1 in the order in which the session met them; what users select by.
    pub number: u32,
    /// rr's numbers.
    pub id: ThreadId,
    /// Its comm name.
    pub name: Option<String>,
    /// Its innermost frame, with arguments.
    pub frame: Option<Frame>,
    /// Selected.
    pub current: bool,
}

/// A loaded module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleInfo {
    /// File name: `libc.so.6`.
    pub name: String,
    /// What it is to the process.
    pub role: ModuleRole,
    /// First address and one past the last; `None` if its file could not be used, which is what tells.
    pub range: Option<(RunAddr, RunAddr)>,
    /// NT_GNU_BUILD_ID, in hexadecimal.
    pub build_id: Option<String>,
    /// The file that is used: the recording's copy or one that is the same; `None` for code without a file.
    pub file: Option<String>,
    /// Where its debug info comes from.
    pub debug_info: DebugInfoState,
    /// The supplementary file (dwz) that the debug info refers to.
    pub supplement: Option<String>,
    /// The package of split units (`.dwp`), if one is in use by now.
    pub package: Option<String>,
    /// The best of its symbol tables.
    pub symbols: Option<&'static str>,
    /// What is missing of the debug info or does not fit, as far as it was needed by now.
    pub notes: Vec<String>,
}

/// What a module is to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleRole {
    /// The program itself.
    Program,
    /// The dynamic linker.
    Interpreter,
    /// A shared library.
    Library,
    /// Code that rr put into the process.
    Rr,
    /// Its file could not be used.
    Unknown,
}

/// Where the debug info of a module comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugInfoState {
    /// From its own file.
    InFile,
    /// From this one.
    Separate {
        /// The file.
        file: String,
    },
    /// From a server, some time.
    Fetching {
        /// Why it is not here, with where it was looked for.
        why: String,
    },
    /// There is none.
    None {
        /// Why, with where it was looked for.
        why: String,
    },
}

/// A checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// rr's number for it.
    pub id: u32,
    /// Where it was made.
    pub position: Position,
    /// `main at crash.c:12`
    pub place: String,
}

/// Bytes of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryBlock {
    /// First address.
    pub address: RunAddr,
    /// As many as could be read, up to the count asked for.
    pub bytes: Vec<u8>,
    /// Set if fewer than asked: the first unreadable address, or the limit.
    pub truncated: Option<String>,
}

/// A register's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterValue {
    /// Target's name.
    pub name: String,
    /// `0x…`; `<unavailable>`, or in an outer frame `<not saved>`, if it is not known.
    pub value: String,
}

/// What to replay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Trace directory; `None`: rr's latest.
    pub trace: Option<PathBuf>,
    /// Recorded process to debug; `None`: the first one.
    pub pid: Option<u32>,
}

/// What to attach to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttachOptions {
    /// Where it listens: `127.0.0.1:9999`, `localhost:9999` or `9999`.
    pub address: String,
    /// What it replays; `None`: found out by the path of its program.
    pub trace: Option<PathBuf>,
    /// The file of the program that it runs; `None`: what it says itself.
    pub program: Option<PathBuf>,
    /// It may be on another machine, which the program's files have to be on, too.
    pub remote: bool,
}

/// How long things may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until rr listens; on its way to a process that is not the first, how long it may do nothing.
    pub startup: Duration,
    /// Until rr has replayed up to a process that is not the first.
    pub reach: Duration,
    /// Connecting and reading symbols.
    pub connect: Duration,
    /// Forward runs.
    pub forward: Duration,
    /// Reverse runs.
    pub reverse: Duration,
    /// Breakpoint tools.
    pub breakpoint: Duration,
    /// Inspection.
    pub eval: Duration,
    /// How long rr may take to stop after it was interrupted. It looks for interrupts between two events of the
    /// recording only; if the next one is too far, the session goes on in a new replay.
    pub interrupt: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let s = Duration::from_secs;
        Self {
            startup: s(30),
            reach: s(3600),
            connect: s(60),
            forward: s(120),
            reverse: s(300),
            breakpoint: s(30),
            eval: s(30),
            interrupt: s(10),
        }
    }
}

impl Timeouts {
    /// How long rr may take until it listens.
    pub(super) fn until_listening(&self) -> crate::rr::Patience {
        crate::rr::Patience { idle: self.startup, reach: self.reach }
    }
}

/// What a long run reports to whoever waits for it.
pub trait Observer {
    /// Called up to a hundred times a second. `false` interrupts the run.
    fn running(&mut self, elapsed: Duration) -> bool;
}
