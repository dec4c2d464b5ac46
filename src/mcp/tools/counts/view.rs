//! What was executed, as JSON and as text.

use crate::mcp::tools::questions::probed::{CountView, ends, next};
use questions::{Execution, FunctionRow, Functions, LineCount, Lines};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// A function that was executed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FunctionView {
    pub(crate) function: String,
    /// The file that has its code.
    pub(crate) library: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) calls: u64,
    /// In its own code, and in what is inlined into it.
    pub(crate) ticks: u64,
}

impl From<&FunctionRow> for FunctionView {
    fn from(row: &FunctionRow) -> Self {
        Self {
            function: row.name.clone(),
            library: row.library.clone(),
            file: row.line.as_ref().map(|(file, _)| file.clone()),
            line: row.line.as_ref().map(|(_, line)| *line),
            calls: row.calls,
            ticks: row.ticks,
        }
    }
}

impl fmt::Display for FunctionView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} calls {} ticks  {}", self.calls, self.ticks, self.function)?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, " at {file}:{line}"),
            _ => write!(f, " in {}", self.library),
        }
    }
}

/// A line that has code.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CoveredView {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) count: u64,
}

impl From<&LineCount> for CoveredView {
    fn from(line: &LineCount) -> Self {
        Self { file: line.file.name.clone(), line: line.line, count: line.count }
    }
}

/// What was replayed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ReplayedView {
    pub(crate) events: u64,
    /// That this took.
    pub(crate) seconds: f64,
    /// There are more counts than were written down.
    pub(crate) truncated: bool,
}

impl From<&Execution> for ReplayedView {
    fn from(execution: &Execution) -> Self {
        let facts = &execution.facts;
        let seconds = (facts.took.as_secs_f64() * 1e3).round() / 1e3;
        Self { events: facts.events, seconds, truncated: facts.is_truncated }
    }
}

impl fmt::Display for ReplayedView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "replayed {} events in {:.3} s", self.events, self.seconds)
    }
}

/// Returns some of all rows.
fn page<T>(rows: &[T], (offset, limit): (u64, u32)) -> &[T] {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(rows.len());
    let end = start.saturating_add(limit as usize).min(rows.len());
    rows.get(start..end).unwrap_or(&[])
}

/// Result of `rr_coverage`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CoverageView {
    pub(crate) searched: ReplayedView,
    /// Lines that have code, or functions that ran.
    pub(crate) matching: u64,
    /// Lines of them that were executed.
    pub(crate) executed: Option<u64>,
    pub(crate) functions: Vec<FunctionView>,
    pub(crate) lines: Vec<CoveredView>,
    /// The offset of what follows, if not all is shown.
    pub(crate) next_offset: Option<u64>,
    /// What may be missing.
    pub(crate) notes: Vec<String>,
}

impl CoverageView {
    pub(crate) fn of_lines(lines: &Lines, execution: &Execution, wanted: (u64, u32)) -> Self {
        let rows = page(&lines.rows, wanted);
        let matching = lines.rows.len() as u64;
        Self {
            searched: execution.into(),
            matching,
            executed: Some(lines.rows.iter().filter(|line| line.count > 0).count() as u64),
            functions: Vec::new(),
            lines: rows.iter().map(Into::into).collect(),
            next_offset: next(wanted.0, rows.len(), matching),
            notes: lines.notes.clone(),
        }
    }

    /// Lists functions that have lines, the program's own first, the most frequent first.
    pub(crate) fn of_functions(mut functions: Functions, execution: &Execution, wanted: (u64, u32)) -> Self {
        functions.rows.retain(|row| row.line.is_some() && row.rank.is_some());
        functions.rows.sort_by_key(|row| (row.rank, std::cmp::Reverse(row.calls)));
        let rows = page(&functions.rows, wanted);
        let matching = functions.rows.len() as u64;
        let mut notes = functions.notes;
        notes.push("functions without debug info, and rr's own: rr_profile".to_owned());
        Self {
            searched: execution.into(),
            matching,
            executed: None,
            functions: rows.iter().map(Into::into).collect(),
            lines: Vec::new(),
            next_offset: next(wanted.0, rows.len(), matching),
            notes,
        }
    }
}

impl fmt::Display for CoverageView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.executed {
            Some(executed) => write!(f, "{executed} of {} lines with code were executed", self.matching)?,
            None => write!(f, "{} functions with debug info ran", self.matching)?,
        }
        write!(f, "; {}", self.searched)?;
        self.functions.iter().try_for_each(|row| write!(f, "\n{row}"))?;
        let mut file = "";
        for row in &self.lines {
            if row.file != file {
                write!(f, "\n{}", row.file)?;
                file = &row.file;
            }
            write!(f, "\n{:>6}: {}", row.line, row.count)?;
        }
        ends(f, self.next_offset, &self.notes)
    }
}

/// Result of `rr_profile`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ProfileView {
    pub(crate) searched: ReplayedView,
    /// All ticks.
    pub(crate) ticks: u64,
    /// Functions that ran.
    pub(crate) matching: u64,
    pub(crate) rows: Vec<FunctionView>,
    /// Ticks of what is in no known function.
    pub(crate) elsewhere: Vec<CountView>,
    /// The offset of what follows, if not all is shown.
    pub(crate) next_offset: Option<u64>,
    /// What may be missing.
    pub(crate) notes: Vec<String>,
}

impl ProfileView {
    pub(crate) fn new(functions: Functions, execution: &Execution, wanted: (u64, u32)) -> Self {
        let rows = page(&functions.rows, wanted);
        let matching = functions.rows.len() as u64;
        Self {
            searched: execution.into(),
            ticks: functions.ticks,
            matching,
            rows: rows.iter().map(Into::into).collect(),
            elsewhere: functions.elsewhere.into_iter().map(|(name, count)| CountView { name, count }).collect(),
            next_offset: next(wanted.0, rows.len(), matching),
            notes: functions.notes,
        }
    }
}

impl fmt::Display for ProfileView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ticks in {} functions; {}", self.ticks, self.matching, self.searched)?;
        for row in &self.rows {
            // Of no ticks nothing is a part.
            let part = row.ticks as f64 * 100.0 / self.ticks.max(1) as f64;
            write!(f, "\n{part:>5.1} % {row}")?;
        }
        for other in &self.elsewhere {
            write!(f, "\n{} ticks in no known function of {}", other.count, other.name)?;
        }
        ends(f, self.next_offset, &self.notes)
    }
}
