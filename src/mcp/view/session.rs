//! Sessions, positions, checkpoints, and results that are one word or number.

use super::{address, at_line};
use crate::engine::model::{Checkpoint, Position, Stop};
use crate::engine::{Traffic, shortened_function};
use crate::mcp::reply::Render;
use crate::mcp::sessions::{Activity, Ended, Status};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// A result that is a sentence.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TextView {
    pub(crate) result: String,
}

impl Render for TextView {
    fn render(&self, out: &mut String) {
        out.push_str(&self.result);
    }
}

/// A result that is the number of what was dealt with.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct NumberView {
    pub(crate) result: u32,
    /// What was done to it.
    #[serde(skip)]
    pub(crate) done: &'static str,
}

impl Render for NumberView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "{} {}", self.done, self.result);
    }
}

/// Where another session is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) session: String,
    pub(crate) event: u64,
}

/// Result of `rr_replay_start`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ReplayView {
    pub(crate) port: u16,
    pub(crate) message: String,
    pub(crate) session: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace_dir: Option<String>,
    pub(crate) pid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ticks: Option<u64>,
    pub(crate) thread: String,
    pub(crate) pc: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl ReplayView {
    /// A replay that has just been started and is at `stop`, or was brought to the moment of another session.
    pub(crate) fn new(
        session: &str,
        trace: Option<&Path>,
        pid: u32,
        port: u16,
        stop: Stop,
        moment: Option<&Moment>,
    ) -> Self {
        let message = match (moment, stop.position.event()) {
            (Some(Moment { session, event }), Some(here)) => {
                format!("Program is paused at event {here}; session {session} is at event {event}.")
            }
            _ => "Program is paused at start.".to_owned(),
        };
        Self {
            port,
            message,
            session: session.to_owned(),
            trace_dir: trace.map(|trace| trace.to_string_lossy().into_owned()),
            pid,
            event: stop.position.event(),
            ticks: stop.position.ticks(),
            thread: stop.position.thread.to_string(),
            pc: address(stop.position.pc),
            notes: stop.notes,
        }
    }
}

impl ReplayView {
    /// A server that was there before, and is at `stop`.
    pub(crate) fn attached(session: &str, trace: Option<&Path>, pid: u32, port: u16, stop: Stop) -> Self {
        let message = match stop.position.event() {
            Some(event) => format!("Attached; the program is paused at event {event}."),
            None => "Attached to a server that knows no time: it only goes forward.".to_owned(),
        };
        Self { message, ..Self::new(session, trace, pid, port, stop, None) }
    }
}

impl Render for ReplayView {
    fn render(&self, out: &mut String) {
        let Self { message, session, trace_dir, pid, event, .. } = self;
        let _ = write!(out, "session {session}: {message}\nprocess {pid}");
        if let (Some(trace_dir), Some(event)) = (trace_dir, event) {
            let _ = write!(out, " of {trace_dir}, event {event}");
        }
        for note in &self.notes {
            let _ = write!(out, "\nnote: {note}");
        }
    }
}

/// Result of `rr_replay_stop`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct StoppedView {
    pub(crate) result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
}

impl Render for StoppedView {
    fn render(&self, out: &mut String) {
        out.push_str(&self.result);
        if let Some(session) = &self.session {
            let _ = write!(out, " ({session})");
        }
    }
}

/// Result of `rr_interrupt`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct InterruptView {
    pub(crate) result: String,
    pub(crate) session: String,
    /// What was running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool: Option<String>,
    /// For how long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
    /// Nothing runs any more.
    pub(crate) stopped: bool,
}

impl InterruptView {
    /// What the session was doing when it was interrupted, and whether that has ended. `limit` is how long rr may take.
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
                "{} was asked to stop{after} and has not yet: rr looks for an interrupt only between two events of the \
                 recording. If that takes more than {} s, the session goes on in a new replay, where the movement began. \
                 rr_replay_stop ends it at once.",
                running.tool,
                limit.as_secs()
            ),
        };
        Self { result, session: session.to_owned(), tool: tool.map(str::to_owned), seconds, stopped }
    }
}

impl Render for InterruptView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "session {}: {}", self.session, self.result);
    }
}

/// Result of `rr_when`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct WhenView {
    pub(crate) result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ticks: Option<u64>,
    pub(crate) thread: String,
    pub(crate) pc: String,
}

impl From<Position> for WhenView {
    fn from(position: Position) -> Self {
        let Position { moment, thread, pc } = position;
        let time = moment.map(|at| format!("Current event: {}, ticks: {}, thread", at.event, at.ticks));
        Self {
            result: format!("{}: {thread}", time.as_deref().unwrap_or("Thread")),
            event: position.event(),
            ticks: position.ticks(),
            thread: thread.to_string(),
            pc: address(pc),
        }
    }
}

impl Render for WhenView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "{}, pc: {}", self.result, self.pc);
    }
}

/// A checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CheckpointView {
    pub(crate) result: String,
    pub(crate) id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ticks: Option<u64>,
    pub(crate) thread: String,
    pub(crate) pc: String,
    pub(crate) place: String,
}

impl From<&Checkpoint> for CheckpointView {
    fn from(checkpoint: &Checkpoint) -> Self {
        let Checkpoint { id, position, place } = checkpoint;
        Self {
            result: match position.event() {
                Some(event) => format!("Checkpoint {id} at {place}, event {event}"),
                None => format!("Checkpoint {id} at {place}"),
            },
            id: *id,
            event: position.event(),
            ticks: position.ticks(),
            thread: position.thread.to_string(),
            pc: address(position.pc),
            place: place.clone(),
        }
    }
}

impl Render for CheckpointView {
    fn render(&self, out: &mut String) {
        out.push_str(&self.result);
    }
}

/// Result of `rr_checkpoint_list`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CheckpointsView {
    pub(crate) result: Vec<CheckpointView>,
}

impl From<&[Checkpoint]> for CheckpointsView {
    fn from(list: &[Checkpoint]) -> Self {
        Self { result: list.iter().map(CheckpointView::from).collect() }
    }
}

impl Render for CheckpointsView {
    fn render(&self, out: &mut String) {
        if self.result.is_empty() {
            out.push_str("no checkpoints");
        }
        for (i, checkpoint) in self.result.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            checkpoint.render(out);
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool: Option<String>,
    /// How long it has been running or starting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
    /// What it reads of debug info, and how far that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reading: Option<String>,
    /// Calls that wait for it.
    #[serde(skip_serializing_if = "is_none_waiting")]
    pub(crate) waiting: usize,
    /// It is the one that calls without `session` mean.
    pub(crate) current: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace_dir: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) port: Option<u16>,
    /// Why and where its last movement ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    pub(crate) breakpoints: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) checkpoints: Vec<CheckpointView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) traffic: Option<TrafficView>,
}

/// For `skip_serializing_if`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none_waiting(waiting: &usize) -> bool {
    *waiting == 0
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
    /// A session as its status tells.
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
    /// All but the checkpoints, in one line.
    pub(super) fn render_line(&self, out: &mut String) {
        let mark = if self.current { '*' } else { ' ' };
        let _ = write!(out, "{mark} {}: {}", self.session, self.state);
        if let Some(tool) = &self.tool {
            let _ = write!(out, " {tool}");
        }
        if let Some(seconds) = self.seconds {
            let _ = write!(out, " for {seconds:.1} s");
        }
        if let Some(reading) = &self.reading {
            let _ = write!(out, " ({reading})");
        }
        match self.waiting {
            0 => {}
            1 => out.push_str(", 1 call waits"),
            many => drop(write!(out, ", {many} calls wait")),
        }
        if let Some(pid) = self.pid {
            let _ = write!(out, ", process {pid}");
        }
        if let Some(trace) = &self.trace_dir {
            let _ = write!(out, " of {trace}");
        }
        if let (Some(reason), Some(event)) = (&self.reason, self.event) {
            let _ = write!(out, ", {reason} at event {event}");
        }
        if let Some(function) = &self.function {
            let _ = write!(out, " in {}", shortened_function(function));
        }
        at_line(out, [&self.file, &None], self.line);
        if self.breakpoints > 0 {
            let _ = write!(out, ", breakpoints and watchpoints: {}", self.breakpoints);
        }
    }
}

impl Render for SessionView {
    fn render(&self, out: &mut String) {
        self.render_line(out);
        for checkpoint in &self.checkpoints {
            let _ = write!(out, "\n    {}", checkpoint.result);
        }
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
    /// Open sessions in the order of their ids, and those that ended other than by being stopped.
    pub(crate) fn new(mut open: Vec<SessionView>, ended: Vec<Ended>) -> Self {
        open.sort_by_key(|session| (session.session.len(), session.session.clone()));
        Self { result: open, ended: ended.into_iter().map(EndedView::from).collect() }
    }
}

impl Render for SessionsView {
    fn render(&self, out: &mut String) {
        if self.result.is_empty() {
            out.push_str("no replay session: call rr_replay_start first");
        }
        for (i, session) in self.result.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            session.render(out);
        }
        for ended in &self.ended {
            let _ = write!(out, "\n  {} has ended: {}", ended.session, ended.reason);
        }
    }
}
