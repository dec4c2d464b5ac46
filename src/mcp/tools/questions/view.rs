//! What happened in a recording, as JSON and as text.

use rmcp::schemars::{self, JsonSchema};
use rr::{Happening, Row, Timeline, TimelineQuery, Topic};
use serde::Serialize;
use std::fmt;

/// Rounds a time in seconds to the microsecond.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct RowView {
    pub(crate) event: u64,
    /// Since the first event, when it was recorded.
    pub(crate) seconds: f64,
    pub(crate) pid: u32,
    pub(crate) tid: u32,
    /// Of the thread until then.
    pub(crate) ticks: Option<u64>,
    /// `process`, `signal`, `syscall` or `schedule`.
    pub(crate) kind: &'static str,
    pub(crate) what: String,
    /// The event at which a system call began; `event` is where it returned.
    pub(crate) begun: Option<u64>,
    /// Seconds that a system call took.
    pub(crate) took: Option<f64>,
}

impl From<&Row> for RowView {
    fn from(row: &Row) -> Self {
        let called = match &row.what {
            Happening::Call(called) => Some(called),
            _ => None,
        };
        Self {
            event: row.event,
            seconds: rounded(row.seconds),
            pid: row.pid,
            tid: row.tid,
            ticks: row.ticks,
            kind: row.what.topic().name(),
            what: row.what.to_string(),
            begun: called.and_then(|called| called.begun),
            took: called.and_then(|called| called.took).map(rounded),
        }
    }
}

/// Result of `rr_timeline`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct TimelineView {
    /// The number of the last event.
    pub(crate) events: u64,
    /// From the first to the last.
    #[schemars(skip)]
    pub(crate) seconds: f64,
    #[schemars(skip)]
    pub(crate) processes: u64,
    /// Besides the first of each process.
    #[schemars(skip)]
    pub(crate) threads: u64,
    #[schemars(skip)]
    pub(crate) signals: u64,
    #[schemars(skip)]
    pub(crate) syscalls: u64,
    /// System calls that returned an error.
    #[schemars(skip)]
    pub(crate) failed: u64,
    /// Ends of time slices.
    #[schemars(skip)]
    pub(crate) slices: u64,
    /// Rows that match.
    pub(crate) matching: u64,
    pub(crate) rows: Vec<RowView>,
    /// The offset of what follows, if not all is shown.
    pub(crate) next_offset: Option<u64>,
    /// Why the recording could not be read to its end.
    pub(crate) incomplete: Option<String>,
}

impl TimelineView {
    pub(crate) fn new(timeline: &Timeline, query: &TimelineQuery) -> Self {
        let total = |topic| timeline.totals.get(&topic).copied().unwrap_or_default();
        let end = query.skip.saturating_add(timeline.rows.len() as u64);
        Self {
            events: timeline.events,
            seconds: rounded(timeline.seconds),
            processes: timeline.processes,
            threads: timeline.threads,
            signals: total(Topic::Signal),
            syscalls: total(Topic::Call),
            failed: timeline.failed,
            slices: total(Topic::Schedule),
            matching: timeline.matching,
            rows: timeline.rows.iter().map(Into::into).collect(),
            next_offset: (end < timeline.matching).then_some(end),
            incomplete: timeline.incomplete.clone(),
        }
    }
}

impl fmt::Display for TimelineView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} events in {:.3} s; processes {}", self.events, self.seconds, self.processes)?;
        write!(f, ", further threads {}, signals {}", self.threads, self.signals)?;
        write!(f, ", system calls {} ({} failed), ends of time slices {}", self.syscalls, self.failed, self.slices)?;
        match self.rows.len() as u64 {
            0 if self.matching == 0 => f.write_str("\nnothing matches")?,
            shown if shown < self.matching => write!(f, "\n{shown} of {} rows", self.matching)?,
            _ => {}
        }
        for row in &self.rows {
            write!(f, "\n{:>7} {:>9.6} ", row.event, row.seconds)?;
            match row.pid == row.tid {
                true => write!(f, "{}", row.pid)?,
                false => write!(f, "{}/{}", row.pid, row.tid)?,
            }
            write!(f, "  {}", row.what)?;
            if let Some(begun) = row.begun.filter(|begun| *begun != row.event) {
                write!(f, "  [from {begun}")?;
                row.took.filter(|took| *took >= 0.001).map_or(Ok(()), |took| write!(f, ", {took:.3} s"))?;
                f.write_str("]")?;
            }
        }
        if let Some(next) = self.next_offset {
            write!(f, "\nmore: offset {next}")?;
        }
        if let Some(why) = &self.incomplete {
            write!(f, "\nincomplete: {why}")?;
        }
        Ok(())
    }
}
