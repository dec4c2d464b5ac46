//! What a stop is about, by evidence.

use super::frame::Frame;
use super::value::Variable;
use super::waypoint::Waypoint;
use arch::RunAddr;
use program::sources::SourceLine;

/// What kind of stop it is. Each is recognised by something that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An instruction has faulted: a signal that the processor causes.
    Fault,
    /// An assertion of the C library has failed.
    Assertion,
    /// An exception of C++ that is about to be thrown, or handled.
    Exception,
    /// An exception of C++ that nothing catches.
    UncaughtException,
    /// A panic of Rust.
    Panic,
    /// The program has ended itself.
    Abort,
    /// Another signal.
    Signal,
    /// Each thread waits for another one, or some of them for each other.
    Blocked,
    /// The process has ended.
    End,
    /// Nothing went wrong here, as far as can be seen.
    Plain,
}

/// What a faulting instruction did.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The instruction's address.
    pub at: RunAddr,
    /// Its text, in Intel syntax.
    pub instruction: Option<String>,
    /// What was accessed, if the kernel has told it, or only one access can be it.
    pub address: Option<RunAddr>,
    /// `read`, `write`, `read and write`, `execute`; or that none of its operands has that address.
    pub access: Option<&'static str>,
    /// `[rax+0x18], rax = 0x0`
    pub operand: Option<String>,
    /// What there is at the address: `not mapped`, a mapping.
    pub memory: Option<String>,
    /// What it is in the program's words: `station is 0x5000 (struct station *); +24 is its member calibration`.
    pub member: Option<String>,
    /// `SEGV_MAPERR`
    pub code: Option<String>,
    /// What has gone wrong with a division: `division by zero: ecx = 0`.
    pub division: Option<String>,
    /// The divisor, as an expression of the frame: `$ecx`.
    pub divisor: Option<String>,
}

/// The exit code of a Rust program after a panic in its main thread.
pub const EXIT_AFTER_PANIC: i32 = 101;

/// How a description of memory ends below a stack that is full.
pub(crate) const OVERFLOWED: &str = "the stack has overflowed";

impl Fault {
    /// Returns whether it is one of a stack that is full.
    pub fn is_stack_overflow(&self) -> bool {
        self.memory.as_deref().is_some_and(|memory| memory.ends_with(OVERFLOWED))
    }
}

/// What a stop is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What kind it is.
    pub kind: Kind,
    /// The same in a sentence.
    pub summary: String,
    /// What it is known by.
    pub evidence: Vec<String>,
    /// The instruction, if one has faulted.
    pub fault: Option<Fault>,
    /// The innermost frame of which the source can be read.
    pub frame: Option<Frame>,
    /// Its lines.
    pub source: Vec<SourceLine>,
    /// Its arguments and locals.
    pub locals: Vec<Variable>,
    /// The threads that are not selected: `2 (100.101 worker): wait_for at queue.c:12`
    pub threads: Vec<String>,
    /// The moment.
    pub waypoint: Option<Waypoint>,
}

/// The innermost frame of a stack whose source can be read.
#[derive(Clone, Debug, PartialEq)]
pub struct UserFrame {
    /// With arguments.
    pub frame: Frame,
    /// The lines around its own.
    pub source: Vec<SourceLine>,
}

/// What a thread waits for in the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelWait {
    /// The system call: `futex`.
    pub call: String,
    /// What it waits for, where that can be named: `cache.lru_lock`, `fd 3`.
    pub what: Option<String>,
}

/// What a place is about besides its frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surroundings {
    /// The user's code, if the source of the innermost frame cannot be read.
    pub user_frame: Option<UserFrame>,
    /// What the kernel is waited for.
    pub wait: Option<KernelWait>,
    /// What a faulting instruction did: `write at 0x18: not mapped: 24 bytes from a null pointer`
    pub fault: Option<String>,
}
