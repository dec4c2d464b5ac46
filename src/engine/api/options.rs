//! What a session is started with, and its time limits.

use std::path::PathBuf;
use std::time::Duration;

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
    /// How long rr may take to stop after it was interrupted. Backward, and with hardware counters, it looks for
    /// interrupts between two events of the recording only; if the next one is too far, the session goes on in a new
    /// replay.
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
    /// Returns how long rr may take until it listens.
    pub(crate) fn until_listening(&self) -> rr::Patience {
        rr::Patience { idle: self.startup, reach: self.reach }
    }
}
