//! What log points have written down.

use crate::engine::model::{LogLine, Logged};
use crate::mcp::reply::Render;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt::Write as _;

/// A line that a log point has written down.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LogLineView {
    pub(crate) index: u64,
    pub(crate) breakpoint_number: u32,
    pub(crate) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) old_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) new_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ticks: Option<u64>,
    pub(crate) thread: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) function: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    /// All that in few words, for the text.
    #[serde(skip)]
    pub(crate) place: String,
}

impl From<LogLine> for LogLineView {
    fn from(line: LogLine) -> Self {
        Self {
            place: line.place(),
            index: line.index,
            breakpoint_number: line.number,
            text: line.text,
            old_value: line.old,
            new_value: line.new,
            event: line.position.event(),
            ticks: line.position.ticks(),
            thread: line.position.thread.to_string(),
            function: line.function,
            file: line.file,
            line: line.line,
        }
    }
}

impl Render for LogLineView {
    fn render(&self, out: &mut String) {
        let _ = write!(out, "{} [{} {}] {}", self.index, self.breakpoint_number, self.place, self.text);
        match (&self.old_value, &self.new_value) {
            (Some(old), Some(new)) => drop(write!(out, " ({old} -> {new})")),
            (None, Some(value)) | (Some(value), None) => drop(write!(out, " ({value})")),
            (None, None) => {}
        }
    }
}

/// Result of `rr_log`, and what a stop tells of the lines before it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LoggedView {
    pub(crate) result: Vec<LogLineView>,
    /// Lines that there have been in all.
    pub(crate) count: u64,
    /// What is missing, and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<String>,
}

impl From<Logged> for LoggedView {
    fn from(logged: Logged) -> Self {
        let Logged { lines, next, count, forgotten } = logged;
        let before = lines.first().map(|line| line.index.saturating_sub(forgotten)).filter(|_| forgotten > 0);
        let before = before.map(|first| format!("{forgotten} lines before these: rr_log from={first}"));
        let after = next.map(|next| format!("for the next lines: from={next}"));
        let said: Vec<String> = [before, after].into_iter().flatten().collect();
        let truncated = (!said.is_empty()).then(|| said.join("; "));
        Self { result: lines.into_iter().map(LogLineView::from).collect(), count, truncated }
    }
}

impl Render for LoggedView {
    fn render(&self, out: &mut String) {
        if self.result.is_empty() {
            out.push_str("no lines");
        }
        for (i, line) in self.result.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            line.render(out);
        }
        if let Some(truncated) = &self.truncated {
            let _ = write!(out, "\n({truncated})");
        }
    }
}
