//! What log points have written down.

use super::text::lines;
use engine::model::{LogLine, Logged};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// A line that a log point has written down.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LogLineView {
    pub(crate) index: u64,
    pub(crate) breakpoint_number: u32,
    pub(crate) text: String,
    pub(crate) old_value: Option<String>,
    pub(crate) new_value: Option<String>,
    pub(crate) event: Option<u64>,
    pub(crate) ticks: Option<u64>,
    pub(crate) thread: String,
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
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

impl fmt::Display for LogLineView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{} {}] {}", self.index, self.breakpoint_number, self.place, self.text)?;
        match (&self.old_value, &self.new_value) {
            (Some(old), Some(new)) => write!(f, " ({old} -> {new})")?,
            (None, Some(value)) | (Some(value), None) => write!(f, " ({value})")?,
            (None, None) => {}
        }
        Ok(())
    }
}

/// Result of `rr_log`, and what a stop tells of the lines before it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct LoggedView {
    pub(crate) result: Vec<LogLineView>,
    /// Lines that there have been in all.
    pub(crate) count: u64,
    /// What is missing, and how to get it.
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

impl fmt::Display for LoggedView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.result, "no lines")?;
        if let Some(truncated) = &self.truncated {
            write!(f, "\n({truncated})")?;
        }
        Ok(())
    }
}
