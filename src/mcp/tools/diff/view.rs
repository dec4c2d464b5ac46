//! Where two recordings part, as JSON and as text.

use crate::mcp::tools::questions::probed::{CallView, SearchedView, ends, next};
use questions::{BranchSide, Diff, DiffRow, DiffSide, Difference, FirstBranch};
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

/// How one of the recordings passed the branch that decided.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct BranchSideView {
    /// Where it went on.
    to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    /// For rr_goto.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
}

/// The branch that decided where the calls part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct FirstBranchView {
    place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    a: BranchSideView,
    b: BranchSideView,
}

impl From<&BranchSide> for BranchSideView {
    fn from(side: &BranchSide) -> Self {
        let value = |(name, value): &(String, Result<String, String>)| match value {
            Ok(value) => format!("{name} = {value}"),
            Err(why) => format!("{name} = <{why}>"),
        };
        Self {
            to: side.to.clone(),
            compared: side.compared.clone(),
            values: side.values.iter().map(value).collect(),
            position: side.at.position().map(|position| position.to_string()),
        }
    }
}

impl From<&FirstBranch> for FirstBranchView {
    fn from(branch: &FirstBranch) -> Self {
        let [a, b] = &branch.sides;
        Self { place: branch.place.clone(), text: branch.text.clone(), a: a.into(), b: b.into() }
    }
}

impl fmt::Display for FirstBranchView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the first branch that differs before: {}", self.place)?;
        self.text.as_ref().map_or(Ok(()), |text| write!(f, ": {text}"))?;
        for (name, side) in [("a", &self.a), ("b", &self.b)] {
            let compared = side.compared.iter().map(|compared| format!("compared {compared}"));
            let all: Vec<String> = side.values.iter().cloned().chain(compared).collect();
            write!(f, "\n  {name}: ")?;
            if !all.is_empty() {
                write!(f, "{}; ", all.join(", "))?;
            }
            write!(f, "went on at {}", side.to)?;
            side.position.as_ref().map_or(Ok(()), |at| write!(f, "  {at}"))?;
        }
        Ok(())
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
    /// What decided the first parting.
    #[schemars(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_branch: Option<FirstBranchView>,
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
            first_branch: diff.first_branch.as_ref().filter(|_| offset == 0).map(Into::into),
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
        let mut branch = self.first_branch.as_ref();
        for row in &self.rows {
            write!(f, "\n{row}")?;
            // It is about the first parting, which is the first row.
            branch.take().map_or(Ok(()), |branch| write!(f, "\n{branch}"))?;
        }
        ends(f, self.next_offset, &self.notes)
    }
}
