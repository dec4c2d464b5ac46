//! What the user waits for: breakpoints, watchpoints, catchpoints.

use arch::{RunAddr, ThreadId};

/// What a catchpoint has caught, at the moment before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caught {
    /// A system call.
    Syscall {
        /// `write`
        name: String,
    },
    /// A new process.
    Fork {
        /// The function that makes it: `fork`, `posix_spawn`.
        function: String,
    },
    /// A C++ exception.
    Exception {
        /// It is thrown; if not, a handler begins.
        thrown: bool,
        /// `std::runtime_error`; `None` if that cannot be told, as of exceptions of other languages.
        ty: Option<String>,
    },
    /// A panic of a Rust program.
    Panic,
}

/// What a catchpoint waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatchEvent {
    /// A signal, also one that would pass silently.
    Signal,
    /// A system call, made by the C library's function.
    Syscall,
    /// Another program image.
    Exec,
    /// A new process.
    Fork,
    /// A C++ exception is thrown.
    Throw,
    /// A C++ exception is handled.
    Catch,
    /// A Rust program panics.
    Panic,
}

impl CatchEvent {
    /// Returns GDB's word for the event.
    pub fn word(self) -> &'static str {
        match self {
            Self::Signal => "signal",
            Self::Syscall => "syscall",
            Self::Exec => "exec",
            Self::Fork => "fork",
            Self::Throw => "throw",
            Self::Catch => "catch",
            Self::Panic => "panic",
        }
    }
}

/// A catchpoint to be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatchSpec {
    /// What it waits for.
    pub event: CatchEvent,
    /// Names of signals or system calls, or regular expressions over types of exceptions; empty: all, except of system
    /// calls.
    pub names: Vec<String>,
    /// Delete it at its first stop.
    pub temporary: bool,
}

/// What a watchpoint waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The value changes.
    Write,
    /// The value is read. (x86 has no read-only watch: writes that change the value are filtered out.)
    Read,
    /// Either.
    Access,
}

/// A breakpoint to be set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BreakpointSpec {
    /// `main`, `file.c:42`, `42`, `*0x401136`, `*expr`, `file.c:function`.
    pub location: String,
    /// Stop only if this C expression is true.
    pub condition: Option<String>,
    /// Delete it at its first stop.
    pub temporary: bool,
    /// Skip it this many times first.
    pub ignore_count: u32,
    /// Accept a location that nothing loaded so far has, and bind it when a module with it is loaded.
    pub pending: bool,
    /// Stop only this thread: our number (`2`), rr's ids (`1234.1235`, `1235`), or a name that only one has.
    pub thread: Option<String>,
    /// Do not stop but write this down, with the values of the expressions in braces: `n is {n}`.
    pub log: Option<String>,
    /// What the log is shown as, if it was written in another notation.
    pub log_written: Option<String>,
    /// The location is a regular expression over names of functions; all that match are meant.
    pub regex: bool,
    /// Use the processor's debug registers, of which there are four, and leave the code as it is.
    pub hardware: bool,
}

/// What is to become different about a breakpoint or watchpoint; `None`: nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BreakpointChange {
    /// Whether it is enabled.
    pub enabled: Option<bool>,
    /// Stop only if this is true; empty: always.
    pub condition: Option<String>,
    /// Skip it this many times from now on.
    pub ignore_count: Option<u32>,
    /// As in [`BreakpointSpec::thread`]; empty: any thread.
    pub thread: Option<String>,
    /// As in [`BreakpointSpec::log`]; empty: stop instead.
    pub log: Option<String>,
}

/// A breakpoint or watchpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakpointInfo {
    /// From 1, shared by breakpoints and watchpoints, never reused in a session.
    pub number: u32,
    /// `None`: a breakpoint or catchpoint.
    pub watch: Option<Access>,
    /// What a catchpoint waits for.
    pub catch: Option<CatchEvent>,
    /// As given: a location, or a watched expression; of a catchpoint what it waits for: `signal SIGUSR1`.
    pub location: String,
    /// Condition as given.
    pub condition: Option<String>,
    /// The only thread that it stops.
    pub thread: Option<ThreadId>,
    /// If not, it is skipped without being counted.
    pub enabled: bool,
    /// What it writes down instead of stopping.
    pub log: Option<String>,
    /// Deleted at its first stop.
    pub temporary: bool,
    /// How many more hits to skip.
    pub ignore_count: u32,
    /// Stops and skipped hits whose condition was true.
    pub hits: u32,
    /// Where it is: none while pending.
    pub locations: Vec<BreakpointLocation>,
    /// What the user should know: "line 41 has no place to stop at, resolved to 42".
    pub note: Option<String>,
}

/// One address of a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakpointLocation {
    /// The address.
    pub address: RunAddr,
    /// Function.
    pub function: Option<String>,
    /// As the compiler was given it.
    pub file: Option<String>,
    /// Absolute path.
    pub fullname: Option<String>,
    /// 1-based.
    pub line: Option<u32>,
}
