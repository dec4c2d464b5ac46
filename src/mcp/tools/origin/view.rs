//! Where a value comes from, as JSON and as text.

use base::qualified::QualifiedName;
use questions::{Hop, Origin};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Longest line of source that is shown.
const LONGEST_LINE: usize = 120;

/// A step on a value's way.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct HopView {
    /// For rr_goto: before the instruction that did it. `null`: not known to the instruction.
    pub(crate) position: Option<String>,
    /// `copy`, `argument`, `return`, `computed`, `constant`, `address`, `allocation`, `library`, `sent`, `shared`, `input`,
    /// `initial`, `stopped`.
    pub(crate) kind: String,
    pub(crate) tid: Option<u32>,
    pub(crate) function: Option<String>,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) source: Option<String>,
    /// Where the value came to be.
    pub(crate) to: String,
    /// Where it came from, or what it is; why it cannot be followed.
    pub(crate) from: String,
    pub(crate) value: String,
    pub(crate) remarks: Vec<String>,
}

impl HopView {
    fn new(hop: &Hop, source: Option<String>) -> Self {
        let cut = |text: String| match text.char_indices().nth(LONGEST_LINE) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(&text)),
            None => text,
        };
        Self {
            position: hop.at.as_ref().and_then(|at| at.position()).map(|position| position.to_string()),
            kind: hop.kind.word().to_owned(),
            tid: hop.at.as_ref().map(|at| at.tid),
            function: hop.function.clone(),
            file: hop.line.as_ref().map(|(_, file, _)| file.clone()),
            line: hop.line.as_ref().map(|(.., line)| *line),
            source: source.map(|text| cut(text.trim().to_owned())),
            to: hop.to.clone(),
            from: hop.from.clone(),
            value: hop.value.clone(),
            remarks: hop.notes.clone(),
        }
    }
}

impl fmt::Display for HopView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} = {} <- {}", self.kind, self.to, self.value, self.from)?;
        if !self.remarks.is_empty() {
            write!(f, " ({})", self.remarks.join("; "))?;
        }
        if let Some(function) = &self.function {
            // The line tells overloads apart.
            write!(f, "\n    in {}", QualifiedName::split(function).path())?;
            if let (Some(file), Some(line)) = (&self.file, self.line) {
                write!(f, " at {file}:{line}")?;
            }
            if let Some(source) = &self.source {
                write!(f, ": {source}")?;
            }
        }
        if let Some(position) = &self.position {
            write!(f, "\n    position {position}")?;
        }
        Ok(())
    }
}

/// Result of `rr_origin`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct OriginView {
    pub(crate) expression: String,
    /// Whether the last row is the origin.
    pub(crate) found: bool,
    /// From the value back.
    pub(crate) rows: Vec<HopView>,
    pub(crate) replays: u32,
    pub(crate) seconds: f64,
}

impl OriginView {
    pub(crate) fn new(expression: String, origin: &Origin, sources: Vec<Option<String>>) -> Self {
        let sources = sources.into_iter().chain(std::iter::repeat(None));
        Self {
            expression,
            found: origin.is_found(),
            rows: origin.hops.iter().zip(sources).map(|(hop, source)| HopView::new(hop, source)).collect(),
            replays: origin.passes,
            seconds: (origin.took.as_secs_f64() * 1000.0).round() / 1000.0,
        }
    }
}

impl fmt::Display for OriginView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.found { "origin found" } else { "origin not found" };
        write!(
            f,
            "{}: {end}, {} hops, {} replays, {} s",
            self.expression,
            self.rows.len(),
            self.replays,
            self.seconds
        )?;
        self.rows.iter().enumerate().try_for_each(|(number, row)| write!(f, "\n{} {row}", number + 1))
    }
}
