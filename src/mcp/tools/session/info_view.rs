//! One session, open or ended, in detail.

use super::view::{EndedView, SessionView};
use crate::mcp::reply::{BreakpointView, PositionView, utc};
use crate::mcp::session::{Ended, Status};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// Result of `rr_session_info`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SessionInfoView {
    pub(crate) session: String,
    /// `starting`, `stopped`, `running` or `ended`.
    pub(crate) state: String,
    /// Why it ended.
    pub(crate) ended: Option<String>,
    #[serde(flatten)]
    pub(crate) open: Option<OpenView>,
}

/// What there is to know of a session that has not ended.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct OpenView {
    /// It is the one that calls without `session` mean.
    pub(crate) current: bool,
    /// RFC 3339, UTC.
    pub(crate) created: Option<String>,
    /// For how long nothing has been asked of it.
    pub(crate) idle_seconds: Option<f64>,
    /// After so many idle seconds it is closed.
    pub(crate) idle_limit: Option<u64>,
    /// What runs.
    pub(crate) tool: Option<String>,
    /// How long it has been running or starting.
    pub(crate) seconds: Option<f64>,
    /// What it reads of debug info, and how far that is.
    pub(crate) reading: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace_dir: Option<String>,
    pub(crate) pid: Option<u32>,
    /// Why its last movement ended.
    pub(crate) reason: Option<String>,
    /// Where it ended, up to `line`.
    #[serde(flatten)]
    pub(crate) position: Option<PositionView>,
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    /// Number of the recording's last event.
    pub(crate) events: Option<u64>,
    /// One line each.
    pub(crate) breakpoints: Vec<String>,
    /// One line each.
    pub(crate) checkpoints: Vec<String>,
    #[serde(skip)]
    summary: String,
}

impl SessionInfoView {
    /// Creates the view of an open session, which is closed when it has been idle for `limit`.
    pub(crate) fn open(session: &str, status: Status, current: bool, limit: Option<Duration>) -> Self {
        let breakpoints = status.breakpoints.iter().cloned().map(|info| BreakpointView::from(info).to_string());
        let position = status.stop.as_ref().map(|(stop, _)| PositionView::new(stop.position, stop.waypoint));
        let mut open = OpenView {
            current,
            created: status.created.and_then(utc),
            idle_seconds: status.idle().map(|idle| idle.as_secs_f64()),
            idle_limit: limit.map(|limit| limit.as_secs()),
            position,
            events: status.events,
            breakpoints: breakpoints.collect(),
            tool: None,
            seconds: None,
            reading: None,
            trace_dir: None,
            pid: None,
            reason: None,
            function: None,
            file: None,
            line: None,
            checkpoints: Vec::new(),
            summary: String::new(),
        };
        let listed = SessionView::new(session, Status { breakpoints: Vec::new(), ..status }, current);
        open.checkpoints = listed.checkpoints.iter().map(|checkpoint| checkpoint.result.clone()).collect();
        open.summary = listed.summary().to_string();
        let state = listed.state;
        (open.tool, open.seconds, open.trace_dir, open.pid) =
            (listed.tool, listed.seconds, listed.trace_dir, listed.pid);
        open.reading = listed.reading;
        open.reason = listed.reason;
        (open.function, open.file, open.line) = (listed.function, listed.file, listed.line);
        Self { session: session.to_owned(), state, ended: None, open: Some(open) }
    }
}

impl From<Ended> for SessionInfoView {
    fn from(ended: Ended) -> Self {
        let EndedView { session, state, reason } = ended.into();
        Self { session, state: state.to_owned(), ended: Some(reason), open: None }
    }
}

impl fmt::Display for SessionInfoView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(reason) = &self.ended {
            write!(f, "{} has ended: {reason}", self.session)?;
        }
        let Some(open) = &self.open else { return Ok(()) };
        f.write_str(&open.summary)?;
        if let Some(PositionView { ticks: Some(ticks), thread, pc, .. }) = &open.position {
            write!(f, "\nthread {thread}, tick {ticks}, pc {pc}")?;
        }
        if let Some(events) = open.events {
            write!(f, "\nthe last event is {events}")?;
        }
        if let Some(created) = &open.created {
            write!(f, "\nopened {created}")?;
        }
        if let Some(idle) = open.idle_seconds {
            write!(f, ", idle for {idle:.0} s")?;
        }
        if let Some(limit) = open.idle_limit {
            write!(f, ", closed after {limit} idle seconds")?;
        }
        for line in open.breakpoints.iter().chain(&open.checkpoints) {
            write!(f, "\n{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::reply::structured;
    use serde_json::json;
    use std::time::{Duration, SystemTime};

    #[test]
    fn what_is_not_known_yet_is_left_out() {
        let created = Some(SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_231_475));
        let status = Status { created, pid: Some(7), ..Status::default() };
        let view = SessionInfoView::open("s1", status, true, Some(Duration::from_secs(1800)));
        let expected = json!({
            "session": "s1", "state": "stopped", "current": true, "created": "2026-11-21T03:24:35Z", "idle_limit": 1800,
            "pid": 7, "breakpoints": [], "checkpoints": []
        });
        assert_eq!(structured(&view).unwrap(), expected);
        let text = "* s1: stopped, process 7\nopened 2026-11-21T03:24:35Z, closed after 1800 idle seconds";
        assert_eq!(view.to_string(), text);
    }

    #[test]
    fn an_ended_session_has_its_reason_and_no_more() {
        let view = SessionInfoView::from(Ended { id: "s2".into(), reason: "it was stopped".into(), started: true });
        let expected = json!({"session": "s2", "state": "ended", "ended": "it was stopped"});
        assert_eq!(structured(&view).unwrap(), expected);
        assert_eq!(view.to_string(), "s2 has ended: it was stopped");
    }
}
