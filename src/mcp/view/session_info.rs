//! One session, open or ended, in detail.

use super::session::{EndedView, SessionView};
use super::time::utc;
use super::{BreakpointView, address};
use crate::mcp::reply::Render;
use crate::mcp::sessions::{Ended, Status};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

/// Result of `rr_session_info`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SessionInfoView {
    pub(crate) session: String,
    /// `starting`, `stopped`, `running` or `ended`.
    pub(crate) state: String,
    /// Why it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created: Option<String>,
    /// For how long nothing has been asked of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) idle_seconds: Option<f64>,
    /// After so many idle seconds it is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) idle_limit: Option<u64>,
    /// What runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool: Option<String>,
    /// How long it has been running or starting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds: Option<f64>,
    /// What it reads of debug info, and how far that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reading: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace_dir: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pid: Option<u32>,
    /// Why its last movement ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Where it ended, up to `line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ticks: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) thread: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    /// Number of the recording's last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) events: Option<u64>,
    /// One line each.
    pub(crate) breakpoints: Vec<String>,
    /// One line each.
    pub(crate) checkpoints: Vec<String>,
    #[serde(skip)]
    summary: String,
}

impl SessionInfoView {
    /// An open session, which is closed when it has been idle for `limit`.
    pub(crate) fn open(session: &str, status: Status, current: bool, limit: Option<Duration>) -> Self {
        let breakpoints = status.breakpoints.iter().cloned().map(|info| rendered(&BreakpointView::from(info)));
        let position = status.stop.as_ref().map(|(stop, _)| stop.position);
        let mut open = OpenView {
            current,
            created: status.created.and_then(utc),
            idle_seconds: status.idle().map(|idle| idle.as_secs_f64()),
            idle_limit: limit.map(|limit| limit.as_secs()),
            ticks: position.and_then(|position| position.ticks()),
            thread: position.map(|position| position.thread.to_string()),
            pc: position.map(|position| address(position.pc)),
            events: status.events,
            breakpoints: breakpoints.collect(),
            tool: None,
            seconds: None,
            reading: None,
            trace_dir: None,
            pid: None,
            reason: None,
            event: None,
            function: None,
            file: None,
            line: None,
            checkpoints: Vec::new(),
            summary: String::new(),
        };
        let listed = SessionView::new(session, Status { breakpoints: Vec::new(), ..status }, current);
        open.checkpoints = listed.checkpoints.iter().map(|checkpoint| checkpoint.result.clone()).collect();
        listed.render_line(&mut open.summary);
        let state = listed.state;
        (open.tool, open.seconds, open.trace_dir, open.pid) =
            (listed.tool, listed.seconds, listed.trace_dir, listed.pid);
        open.reading = listed.reading;
        (open.reason, open.event) = (listed.reason, listed.event);
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

fn rendered(view: &impl Render) -> String {
    let mut text = String::new();
    view.render(&mut text);
    text
}

impl Render for SessionInfoView {
    fn render(&self, out: &mut String) {
        if let Some(reason) = &self.ended {
            let _ = write!(out, "{} has ended: {reason}", self.session);
        }
        let Some(open) = &self.open else { return };
        out.push_str(&open.summary);
        if let (Some(thread), Some(ticks), Some(pc)) = (&open.thread, open.ticks, &open.pc) {
            let _ = write!(out, "\nthread {thread}, tick {ticks}, pc {pc}");
        }
        if let Some(events) = open.events {
            let _ = write!(out, "\nthe last event is {events}");
        }
        if let Some(created) = &open.created {
            let _ = write!(out, "\nopened {created}");
        }
        if let Some(idle) = open.idle_seconds {
            let _ = write!(out, ", idle for {idle:.0} s");
        }
        if let Some(limit) = open.idle_limit {
            let _ = write!(out, ", closed after {limit} idle seconds");
        }
        for line in open.breakpoints.iter().chain(&open.checkpoints) {
            let _ = write!(out, "\n{line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{json, to_value};
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
        assert_eq!(to_value(&view).unwrap(), expected);
        let text = "* s1: stopped, process 7\nopened 2026-11-21T03:24:35Z, closed after 1800 idle seconds";
        assert_eq!(rendered(&view), text);
    }

    #[test]
    fn an_ended_session_has_its_reason_and_no_more() {
        let view = SessionInfoView::from(Ended { id: "s2".into(), reason: "it was stopped".into(), started: true });
        let expected = json!({"session": "s2", "state": "ended", "ended": "it was stopped"});
        assert_eq!(to_value(&view).unwrap(), expected);
        assert_eq!(rendered(&view), "s2 has ended: it was stopped");
    }
}
