//! What is known about a session without asking its thread.

use base::cancel::Cancel;
use engine::model::{BreakpointInfo, Checkpoint, Stop};
use engine::{Traffic, Work};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// A call that a session is carrying out.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub(crate) tool: &'static str,
    pub(crate) since: Instant,
    /// Counts the calls of the session.
    pub(crate) number: u64,
    pub(crate) cancel: Cancel,
}

/// What a session is doing.
#[derive(Clone, Debug, Default)]
pub(crate) enum Activity {
    /// Its replay is being started, since then.
    Starting(Instant),
    /// It waits for a call.
    #[default]
    Idle,
    /// It carries out a call.
    Running(Running),
}

/// What is known about a session without asking its thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Status {
    /// When its start was asked for.
    pub(crate) created: Option<SystemTime>,
    /// Since when nothing is being asked of it.
    pub(crate) idle_since: Option<Instant>,
    pub(crate) activity: Activity,
    /// Calls that wait for the one that runs, or for the start.
    pub(crate) waiting: usize,
    /// The trace as asked for, then as rr named it.
    pub(crate) trace: Option<PathBuf>,
    pub(crate) pid: Option<u32>,
    pub(crate) port: Option<u16>,
    /// Where its last movement ended, with the word for why.
    pub(crate) stop: Option<(Stop, &'static str)>,
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(crate) breakpoints: Vec<BreakpointInfo>,
    /// The number of the recording's last event, once somebody has counted.
    pub(crate) events: Option<u64>,
    /// What the packets to rr have cost so far.
    pub(crate) traffic: Option<Traffic>,
    /// What is being read of debug info.
    pub(crate) work: Option<Work>,
}

impl Status {
    /// Returns what the resources of the session show.
    pub(super) fn shown(&self) -> Shown {
        Shown { stop: self.stop.clone(), breakpoints: self.breakpoints.clone() }
    }

    pub(super) fn set_idle(&mut self) {
        self.activity = Activity::Idle;
        self.idle_since = Some(Instant::now());
    }

    /// Returns what it reads of debug info, if that is what it does, and how far that is.
    pub(crate) fn reading(&self) -> Option<String> {
        self.work.as_ref().and_then(Work::progress).map(|progress| progress.to_string())
    }

    /// Returns for how long it has been idle.
    pub(crate) fn idle(&self) -> Option<Duration> {
        matches!(self.activity, Activity::Idle).then(|| self.idle_since.map(|since| since.elapsed())).flatten()
    }
}

/// Tools after which another stack may be shown, although nothing has moved.
const SELECTING: [&str; 3] = ["rr_thread_select", "rr_select_frame", "rr_command"];

/// What of a session is shown besides its status.
#[derive(PartialEq)]
pub(super) struct Shown {
    stop: Option<(Stop, &'static str)>,
    breakpoints: Vec<BreakpointInfo>,
}

impl Shown {
    /// Returns the last parts of the addresses of what is another after a call of this tool.
    pub(super) fn parts_changed(&self, after: &Self, tool: &str) -> Vec<&'static str> {
        let has_moved = self.stop != after.stop;
        let parts = [
            ("backtrace", has_moved || SELECTING.contains(&tool)),
            ("output", has_moved),
            ("breakpoints", self.breakpoints != after.breakpoints),
        ];
        parts.into_iter().filter(|(_, changed)| *changed).map(|(part, _)| part).collect()
    }
}
