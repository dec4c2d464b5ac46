//! The GDB remote serial protocol, as rr's server speaks it.
//!
//! This is a client for one server: `rr replay -s PORT`, rr 5.6 to 5.10. It knows no file and no symbol, only the wire.
//! [`Client`] is what the layers above use. Other servers (gdbserver, QEMU) are used for what they can do, which may be
//! forward only: see [`Abilities`]. They are told apart by what they say to `qSupported` and to rr's own command.
//!
//! # Words
//!
//! * *packet*: `$`, payload, `#`, checksum. *Request* and *reply* are packets. Each request has one reply, in order, so
//!   requests may be written ahead of their replies while the target is stopped.
//! * *resume*: a request that makes the target run (`vCont`, `bc`, `bs`). Its reply is a *stop reply*, whenever that
//!   comes. While the target runs, the only byte that may be sent is 0x03, the *interrupt*.
//! * *debuggee*: the one process that a connection debugs. Its threads are named as they were when it was recorded.
//! * *event*, *tick*: rr's measures of time. An event is a system call, a signal or a scheduling; ticks are the
//!   conditional branches that a thread has retired.
//!
//! # What this server is like
//!
//! * It replays. Threads run one at a time in the recorded order; there is no holding a thread back, and a "step" of
//!   one lets others run until it is its turn. Registers and memory cannot be written.
//! * It trusts its client. Many requests that another server would refuse make rr exit or crash, so whatever can be
//!   made impossible here is: see `command` for what can be said at all, `state` and `breakpoints` for what must be
//!   kept track of.
//! * Breakpoints and watchpoints live in rr and work in both directions, with conditions in GDB's agent-expression
//!   bytecode. After backward motion they may be lost silently, so they are set again before the next run. rr steps off
//!   a breakpoint by itself only backward; forward, `run` does it.
//! * The debuggee's end comes in two steps: a stop with signal 9 (also for a normal exit), still good for looking
//!   around and going back; then `W00`, after which a resume is fatal and only a restart helps. The beginning is a stop
//!   with `replaylog:begin`.
//! * A restart (`vRun`) drops all breakpoints, answers with a stale signal, and swallows the next resume.
//! * `bs` is fast as long as nothing but `bs` and `g` is sent, because rr then answers from remembered states.
//! * Versions differ in small ways, which `dialect` finds out by harmless questions.
//!
//! # Files, bottom to top
//!
//! `hex`, `codec` (framing), `command` and `reply` (one request, one spelling, one decoder), `target_xml` (register
//! description), `dialect`; `transport` (bytes in motion) and `link` (packets, and how long one is waited for);
//! `breakpoints` and `state` (what the server is known to hold and be); `client`, `handshake`, `run`, `restart`,
//! `memory`, `files` (what can be done). Except for `transport` and what waits on it, all are functions of their
//! arguments.

mod breakpoints;
mod client;
mod codec;
mod command;
mod dialect;
mod diversion;
mod error;
mod files;
mod handshake;
mod hex;
mod link;
mod memory;
mod reply;
mod restart;
mod run;
mod signals;
mod state;
mod target_xml;
mod transport;

#[cfg(test)]
mod fuzzing;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod transcripts;

#[cfg(test)]
#[expect(clippy::print_stdout, reason = "what came of a longer run")]
#[allow(dead_code, reason = "each crate uses a part of it")]
#[path = "../../tests/support/fuzz.rs"]
mod fuzz;

pub use client::Client;
pub use error::Error;
pub use signals::{PASSED_SIGNALS, SIGKILL, SIGTRAP};
pub use transport::{Hangup, Received, Transport};

use arch::{RunAddr, ThreadId};
use std::time::Duration;

/// What a `Z` packet sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BreakKind {
    /// `Z0`: software breakpoint.
    Software,
    /// `Z1`: hardware breakpoint.
    Hardware,
    /// `Z2`: stops when the bytes have changed.
    WatchWrite,
    /// `Z3`: rr treats it as [`BreakKind::WatchAccess`].
    WatchRead,
    /// `Z4`: stops at every access.
    WatchAccess,
}

/// One entry of the server's table of breakpoints and watchpoints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Break {
    /// What kind.
    pub kind: BreakKind,
    /// Where.
    pub address: RunAddr,
    /// Bytes watched; 1 (x86) or 4 (AArch64) for a breakpoint.
    pub length: u64,
    /// Agent-expression bytecode; the stop is reported if one of these is non-zero or fails. Empty: always.
    pub conditions: Vec<Vec<u8>>,
}

/// How to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// `vCont;c`
    Continue,
    /// `vCont;s:pP.T;c:pP.-1`: one instruction of this thread, the others as recorded.
    Step(ThreadId),
    /// `bc`, after `Hc` for the thread whose stops matter, or any.
    ReverseContinue(Option<ThreadId>),
    /// `bs`, after `Hc`: one instruction back in this thread.
    ReverseStep(ThreadId),
}

/// What a `vRun` restarts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// Just after this event.
    Event(u64),
    /// A checkpoint made with `qRRCmd:checkpoint`.
    Checkpoint(u64),
    /// The first instruction with this tick count in the current thread.
    Ticks(u64),
    /// The same, of the tick that it is in now. No checkpoint is made to come back to: rr would go to that rather than to
    /// where it comes from anywhere else.
    PresentTick(u64),
}

/// Why the target says it stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// A step ended, or a signal is about to be delivered: see the signal.
    Plain,
    /// `swbreak`
    SoftwareBreak,
    /// `hwbreak`
    HardwareBreak,
    /// `watch:ADDR`: start of the watched range. A software breakpoint may have been hit at the same time.
    Watch {
        /// Start of the range as it was set.
        address: RunAddr,
        /// Whether the reply also said `swbreak`.
        and_break: bool,
    },
    /// `replaylog:begin` (or what an old rr says instead): nothing lies before this.
    Beginning,
}

/// A decoded stop reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReply {
    /// `T`: stopped and alive.
    Stopped {
        /// GDB's signal number; 5 SIGTRAP, 0 none.
        signal: u8,
        /// Which thread.
        thread: ThreadId,
        /// Why.
        cause: StopCause,
    },
    /// `W`: the debuggee is gone. rr dies if it is resumed now; only a restart helps, and the client sees to that.
    Exited(u8),
    /// `X`: a diversion ended in death.
    Killed(u8),
}

/// How a run ended, as far as the client can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The target stopped by itself.
    Stopped(StopReply),
    /// It was cancelled: the target was interrupted and stopped here.
    Interrupted(StopReply),
}

/// A position in the recording as rr counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moment {
    /// Completed events, in the numbering of rr 5.8 and later.
    pub event: u64,
    /// Retired conditional branches of the thread asked about.
    pub ticks: u64,
}

/// What a server can do besides what each can. rr can do all; other servers (gdbserver, QEMU) are used for what they
/// can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// `bc` and `bs`.
    pub reverse: bool,
    /// `qRRCmd`: events, ticks, checkpoints, and going to them.
    pub time: bool,
}

/// What the packets of a connection have cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests sent.
    pub packets: u64,
    /// Bytes sent and received, framing included.
    pub bytes: u64,
    /// Time between sending requests and receiving their replies.
    pub waited: Duration,
}
