//! Replays that have begun.

use super::position::PositionView;
use base::untrusted::one_line;
use engine::model::Stop;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;
use std::path::Path;

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
    #[serde(flatten)]
    pub(crate) position: PositionView,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl ReplayView {
    /// Creates the view of a replay that has just been started and is at `stop`, or was brought to the moment of
    /// another session.
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
            position: PositionView::new(stop.position, stop.waypoint),
            notes: stop.notes,
        }
    }
}

impl ReplayView {
    /// Creates the view of a server that was there before, and is at `stop`.
    pub(crate) fn attached(session: &str, trace: Option<&Path>, pid: u32, port: u16, stop: Stop) -> Self {
        let message = match stop.position.event() {
            Some(event) => format!("Attached; the program is paused at event {event}."),
            None => "Attached to a server that knows no time: it only goes forward.".to_owned(),
        };
        Self { message, ..Self::new(session, trace, pid, port, stop, None) }
    }
}

impl fmt::Display for ReplayView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, session, trace_dir, pid, position, .. } = self;
        write!(f, "session {session}: {message}\nprocess {pid}")?;
        if let (Some(trace_dir), Some(event)) = (trace_dir, position.event) {
            write!(f, " of {}, event {event}", one_line(trace_dir))?;
        }
        for note in &self.notes {
            write!(f, "\nnote: {note}")?;
        }
        Ok(())
    }
}
