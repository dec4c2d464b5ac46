//! Sessions, and where one is.

use crate::mcp::reply::{CheckpointView, PositionView, is_default, lines};
use crate::mcp::session::{Activity, Ended, Status};
use base::untrusted::one_line;
use engine::model::{Position, Waypoint};
use engine::{Traffic, shortened_function};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// Result of `rr_replay_stop`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct StoppedView {
    pub(crate) result: String,
    pub(crate) session: Option<String>,
}

impl fmt::Display for StoppedView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.result)?;
        if let Some(session) = &self.session {
            write!(f, " ({session})")?;
        }
        Ok(())
    }
}

/// Result of `rr_interrupt`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct InterruptView {
    pub(crate) result: String,
    pub(crate) session: String,
    /// What was running.
    pub(crate) tool: Option<String>,
    /// For how long.
    pub(crate) seconds: Option<f64>,
    /// Nothing runs any more.
    pub(crate) stopped: bool,
}

impl InterruptView {
    /// Creates the view of what the session was doing when it was interrupted, and whether that has ended. `limit` is
    /// how long rr may take.
    pub(crate) fn new(session: &str, activity: &Activity, stopped: bool, limit: Duration) -> Self {
        let (tool, since) = match activity {
            Activity::Idle => (None, None),
            Activity::Starting(since) => (Some("rr_replay_start"), Some(*since)),
            Activity::Running(running) => (Some(running.tool), Some(running.since)),
        };
        let seconds = since.map(|since| since.elapsed().as_secs_f64());
        let after = seconds.map(|seconds| format!(" after {seconds:.1} s")).unwrap_or_default();
        let result = match (activity, stopped) {
            (Activity::Idle, _) => "Nothing was running.".to_owned(),
            (Activity::Starting(_), _) => {
                "The replay is still being started, which cannot be interrupted; rr_replay_stop gives it up.".to_owned()
            }
            (Activity::Running(running), true) => format!("{} was interrupted{after}.", running.tool),
            (Activity::Running(running), false) => format!(
                "{} was asked to stop{after} and has not yet: rr looks for an interrupt between two events of the \
                 recording; forward, with soft counters, also within long loops. If that takes more than {} s, the \
                 session goes on in a new replay, where the movement began. rr_replay_stop ends it at once.",
                running.tool,
                limit.as_secs()
            ),
        };
        Self { result, session: session.to_owned(), tool: tool.map(str::to_owned), seconds, stopped }
    }
}

impl fmt::Display for InterruptView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "session {}: {}", self.session, self.result)
    }
}

/// Result of `rr_when`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct WhenView {
    pub(crate) result: String,
    #[serde(flatten)]
    pub(crate) position: PositionView,
}

impl WhenView {
    /// Creates the view. `waypoint`: the moment by name, whichever thread is selected.
    pub(crate) fn new(position: Position, waypoint: Option<Waypoint>) -> Self {
        let Position { moment, thread, .. } = position;
        let time = moment.map(|at| format!("Current event: {}, ticks: {}, thread", at.event, at.ticks));
        Self {
            result: format!("{}: {thread}", time.as_deref().unwrap_or("Thread")),
            position: PositionView::new(position, waypoint),
        }
    }
}

impl fmt::Display for WhenView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, pc: {}", self.result, self.position.pc)?;
        match &self.position.position {
            Some(position) => write!(f, ", position: {position}"),
            None => Ok(()),
        }
    }
}

/// An open session.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SessionView {
    pub(crate) session: String,
    /// `starting`, `stopped` or `running`.
    pub(crate) state: String,
    /// What runs.
    pub(crate) tool: Option<String>,
    /// How long it has been running or starting.
    pub(crate) seconds: Option<f64>,
    /// What it reads of debug info, and how far that is.
    pub(crate) reading: Option<String>,
    /// Calls that wait for it.
    #[serde(skip_serializing_if = "is_default")]
    pub(crate) waiting: usize,
    /// It is the one that calls without `session` mean.
    pub(crate) current: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace_dir: Option<String>,
    pub(crate) pid: Option<u32>,
    pub(crate) port: Option<u16>,
    /// Why and where its last movement ended.
    pub(crate) reason: Option<String>,
    pub(crate) event: Option<u64>,
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) breakpoints: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) checkpoints: Vec<CheckpointView>,
    pub(crate) traffic: Option<TrafficView>,
}

/// What the packets between us and rr have cost a session so far.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TrafficView {
    /// Requests sent.
    pub(crate) packets: u64,
    /// Sent and received.
    pub(crate) bytes: u64,
    /// From requests sent to replies received.
    pub(crate) rr_seconds: f64,
}

impl From<Traffic> for TrafficView {
    fn from(t: Traffic) -> Self {
        Self { packets: t.packets, bytes: t.bytes, rr_seconds: t.waited.as_secs_f64() }
    }
}

impl SessionView {
    /// Creates the view of a session as its status tells.
    pub(crate) fn new(session: &str, status: Status, current: bool) -> Self {
        let (state, tool, since) = match &status.activity {
            Activity::Starting(since) => ("starting", None, Some(*since)),
            Activity::Idle => ("stopped", None, None),
            Activity::Running(running) => ("running", Some(running.tool.to_owned()), Some(running.since)),
        };
        let frame = status.stop.as_ref().map(|(stop, _)| &stop.frame);
        Self {
            session: session.to_owned(),
            state: state.to_owned(),
            tool,
            seconds: since.map(|since| since.elapsed().as_secs_f64()),
            reading: status.reading(),
            waiting: status.waiting,
            current,
            trace_dir: status.trace.map(|trace| trace.to_string_lossy().into_owned()),
            pid: status.pid,
            port: status.port,
            reason: status.stop.as_ref().map(|(_, reason)| (*reason).to_owned()),
            event: status.stop.as_ref().and_then(|(stop, _)| stop.position.event()),
            function: frame.and_then(|frame| frame.function.clone()),
            file: frame.and_then(|frame| frame.fullname.clone().or_else(|| frame.file.clone())),
            line: frame.and_then(|frame| frame.line),
            breakpoints: status.breakpoints.len(),
            checkpoints: status.checkpoints.iter().map(CheckpointView::from).collect(),
            traffic: status.traffic.map(TrafficView::from),
        }
    }
}

impl SessionView {
    /// Returns what displays all but the checkpoints, in one line.
    pub(super) fn summary(&self) -> Summary<'_> {
        Summary(self)
    }
}

/// A session in one line.
pub(super) struct Summary<'a>(&'a SessionView);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(view) = self;
        let mark = if view.current { '*' } else { ' ' };
        write!(f, "{mark} {}: {}", view.session, view.state)?;
        if let Some(tool) = &view.tool {
            write!(f, " {tool}")?;
        }
        if let Some(seconds) = view.seconds {
            write!(f, " for {seconds:.1} s")?;
        }
        if let Some(reading) = &view.reading {
            write!(f, " ({reading})")?;
        }
        match view.waiting {
            0 => {}
            1 => f.write_str(", 1 call waits")?,
            many => write!(f, ", {many} calls wait")?,
        }
        if let Some(pid) = view.pid {
            write!(f, ", process {pid}")?;
        }
        if let Some(trace) = &view.trace_dir {
            write!(f, " of {}", one_line(trace))?;
        }
        if let (Some(reason), Some(event)) = (&view.reason, view.event) {
            write!(f, ", {reason} at event {event}")?;
        }
        if let Some(function) = &view.function {
            write!(f, " in {}", shortened_function(function))?;
        }
        if let (Some(file), Some(line)) = (&view.file, view.line) {
            write!(f, " at {}:{line}", one_line(file))?;
        }
        if view.breakpoints > 0 {
            write!(f, ", breakpoints and watchpoints: {}", view.breakpoints)?;
        }
        Ok(())
    }
}

impl fmt::Display for SessionView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.summary())?;
        self.checkpoints.iter().try_for_each(|checkpoint| write!(f, "\n    {}", checkpoint.result))
    }
}

/// A session that is no more.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct EndedView {
    pub(crate) session: String,
    /// `ended`
    pub(crate) state: &'static str,
    pub(crate) reason: String,
}

impl From<Ended> for EndedView {
    fn from(Ended { id, reason, .. }: Ended) -> Self {
        Self { session: id, state: "ended", reason }
    }
}

/// Result of `rr_session_list`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SessionsView {
    pub(crate) result: Vec<SessionView>,
    /// Sessions that ended by themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ended: Vec<EndedView>,
}

impl SessionsView {
    /// Lists the open sessions in the order of their ids, and those that ended other than by being stopped.
    pub(crate) fn new(mut open: Vec<SessionView>, ended: Vec<Ended>) -> Self {
        open.sort_by_key(|session| (session.session.len(), session.session.clone()));
        Self { result: open, ended: ended.into_iter().map(EndedView::from).collect() }
    }
}

impl fmt::Display for SessionsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.result, "no replay session: call rr_replay_start first")?;
        for ended in &self.ended {
            write!(f, "\n  {} has ended: {}", ended.session, ended.reason)?;
        }
        Ok(())
    }
}
