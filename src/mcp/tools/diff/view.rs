//! Where two recordings part, as JSON and as text.

use crate::mcp::tools::questions::probed::{CallView, SearchedView, ends, next};
use crate::questions::{Diff, DiffRow, DiffSide, Difference};
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::fmt;

/// What one of the recordings has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct FoundView {
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<CallView>,
    /// For rr_goto.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
}

impl From<&DiffSide> for FoundView {
    fn from(found: &DiffSide) -> Self {
        Self {
            calls: found.calls,
            value: found.value.clone(),
            call: found.call.as_ref().map(Into::into),
            position: found.at.as_ref().and_then(|at| Some(at.position()?.to_string())),
        }
    }
}

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct DiffRowView {
    /// `parts`, `value`, `only_a`, `only_b`, `count`.
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
    /// From 1 in the order of their beginnings.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<u32>,
    /// Calls of the thread that are the same before.
    #[serde(skip_serializing_if = "Option::is_none")]
    same: Option<u64>,
    /// The argument, or `$return`.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Of so many calls that are the same, this argument or result differs in `differs_in`; the rest is of the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    differs_in: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<u64>,
    /// Only large numbers differ, as hashes, addresses and times do.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    large_numbers: bool,
    a: FoundView,
    b: FoundView,
}

impl From<&DiffRow> for DiffRowView {
    fn from(row: &DiffRow) -> Self {
        let kind = match row.difference {
            Difference::Parting => "parts",
            Difference::Value => "value",
            Difference::OnlyFirst => "only_a",
            Difference::OnlySecond => "only_b",
            Difference::Count => "count",
        };
        let [a, b] = &row.found;
        Self {
            kind,
            function: row.function.clone(),
            thread: row.thread,
            same: row.same,
            name: row.name.clone(),
            differs_in: row.share.map(|share| share.calls),
            of: row.share.map(|share| share.of),
            large_numbers: row.share.is_some_and(|share| share.is_large),
            a: a.into(),
            b: b.into(),
        }
    }
}

impl fmt::Display for DiffRowView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = self.function.as_deref().unwrap_or_default();
        let (thread, same) = (self.thread.unwrap_or_default(), self.same.unwrap_or_default());
        let count = |found: &FoundView| found.calls.unwrap_or_default();
        let (in_a, in_b) = (count(&self.a), count(&self.b));
        match self.kind {
            "parts" => {
                write!(f, "thread {thread} parts after {same} calls that are the same")?;
                for (name, found) in [("a", &self.a), ("b", &self.b)] {
                    match &found.call {
                        Some(call) => write!(f, "\n  {name}: {call}")?,
                        None => write!(f, "\n  {name}: calls nothing more")?,
                    }
                }
                Ok(())
            }
            "value" => {
                let name = self.name.as_deref().unwrap_or_default();
                let (differs_in, of) = (self.differs_in.unwrap_or_default(), self.of.unwrap_or_default());
                write!(f, "{function}: {name} differs in {differs_in} of {of} calls")?;
                if self.large_numbers {
                    f.write_str(", only in large numbers, as hashes and times do")?;
                }
                write!(f, "; first in thread {thread}, after {same} calls")?;
                for (name, found) in [("a", &self.a), ("b", &self.b)] {
                    write!(f, "\n  {name}: {}", found.value.as_deref().unwrap_or_default())?;
                    found.position.as_ref().map_or(Ok(()), |at| write!(f, "  {at}"))?;
                }
                Ok(())
            }
            "only_a" => write!(f, "only a calls {function}: {in_a} times"),
            "only_b" => write!(f, "only b calls {function}: {in_b} times"),
            _ => write!(f, "{function} is called {in_a} times in a, {in_b} in b"),
        }
    }
}

/// Returns the schema of rows: what is in one, their text says.
fn rows(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "array", "items": { "type": "object" } })
}

/// Result of `rr_diff`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct DiffView {
    #[schemars(skip)]
    pub(crate) same_build: bool,
    /// Calls that were compared, in a and in b.
    #[schemars(skip)]
    pub(crate) compared: Vec<u64>,
    /// Of so many functions.
    #[schemars(skip)]
    pub(crate) functions: u64,
    #[schemars(skip)]
    pub(crate) seconds: f64,
    /// More was executed than is compared.
    #[schemars(skip)]
    pub(crate) truncated: bool,
    pub(crate) matching: u64,
    #[schemars(schema_with = "rows")]
    pub(crate) rows: Vec<DiffRowView>,
    pub(crate) next_offset: Option<u64>,
    pub(crate) notes: Vec<String>,
}

impl DiffView {
    pub(crate) fn new(diff: &Diff, offset: u64, limit: u32) -> Self {
        let rows = diff.rows.iter().skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(limit as usize);
        let rows: Vec<DiffRowView> = rows.map(Into::into).collect();
        let searched = diff.facts.each_ref().map(SearchedView::from);
        let matching = diff.rows.len() as u64;
        Self {
            same_build: diff.is_same_build,
            compared: diff.compared.to_vec(),
            functions: diff.functions,
            seconds: searched.iter().map(|searched| searched.seconds).fold(0.0, f64::max),
            truncated: searched.iter().any(|searched| searched.truncated),
            matching,
            next_offset: next(offset, rows.len(), matching),
            rows,
            notes: diff.notes.clone(),
        }
    }
}

impl fmt::Display for DiffView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let builds = if self.same_build { "the same build" } else { "different builds" };
        let [in_a, in_b] = [0, 1].map(|side| self.compared.get(side).copied().unwrap_or_default());
        write!(
            f,
            "{builds}; {in_a} and {in_b} calls of {} functions compared in {:.3} s",
            self.functions, self.seconds
        )?;
        if self.matching == 0 {
            f.write_str("\nnothing differs")?;
        }
        self.rows.iter().try_for_each(|row| write!(f, "\n{row}"))?;
        ends(f, self.next_offset, &self.notes)
    }
}
