//! The story of a failure, as JSON and as text.

use crate::mcp::tools::heap::view::HeapView;
use crate::mcp::tools::inspect::explanation::{ExplanationView, MORE_LOCALS};
use crate::mcp::tools::origin::view::OriginView;
use crate::mcp::tools::waits::ThreadsReportView;
use crate::story::{Story, WrongValue, paths, variable_of};
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::fmt;

/// Most hops of a value: the first ones, and the last ones.
const HOPS: (usize, usize) = (3, 4);

/// Returns the schema of blocks: what is in one, `rr_heap` says.
fn blocks(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "array", "items": { "type": "object" } })
}

/// Returns the schema of what threads wait for: what is in it, `rr_threads_report` says.
fn waits(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "object" })
}

/// Result of `rr_explain`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct StoryView {
    /// The session that was opened, and is at the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pid: Option<u32>,
    #[serde(flatten)]
    pub(crate) explanation: ExplanationView,
    /// Where the exception was thrown before, and those that were being handled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub(crate) thrown: Vec<String>,
    /// Where the value that the fault is about came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) origin: Option<OriginView>,
    /// Freed blocks of the heap that are pointed to, or freed again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "blocks")]
    pub(crate) blocks: Vec<HeapView>,
    /// Who waits for whom, since when, if no thread can go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "waits")]
    pub(crate) waits: Option<ThreadsReportView>,
    /// What to ask next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) next: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl StoryView {
    /// Creates the view of an explanation alone.
    pub(crate) fn of_stop(explanation: ExplanationView) -> Self {
        Self {
            session: None,
            pid: None,
            explanation,
            thrown: Vec::new(),
            origin: None,
            blocks: Vec::new(),
            waits: None,
            next: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Creates the view of a story. `source`: finds a line of a source file.
    pub(crate) fn new(story: Story, mut source: impl FnMut(&str, u32) -> Option<String>) -> Self {
        let Story { explanation, value, blocks, thrown, blocked } = story;
        let mut view = Self { thrown, ..Self::of_stop(explanation.into()) };
        if let Some(blocked) = blocked {
            view.add_waits(ThreadsReportView::new(&blocked));
        }
        view.blocks = blocks.into_iter().map(|block| HeapView::new(block.expression, &block.heap)).collect();
        let Some(WrongValue { expression, origin, .. }) = value else {
            view.next = view.next_without_value();
            return view;
        };
        match origin {
            Ok(origin) => {
                let line = |hop: &questions::Hop| {
                    hop.line.as_ref().and_then(|(path, _, line)| source(&path.to_string_lossy(), *line))
                };
                let sources = origin.hops.iter().map(line).collect();
                let mut shown = OriginView::new(expression.clone(), &origin, sources);
                let made = shown.rows.iter().rev().find_map(|row| row.position.clone());
                if let Some(made) = made {
                    view.next.push(format!("rr_goto {{\"position\": \"{made}\"}}: to where it was made"));
                }
                let (first, last) = HOPS;
                let left_out = shown.rows.len().saturating_sub(first + last);
                if left_out > 0 {
                    shown.rows.drain(first..first + left_out);
                    view.notes.push(format!("{left_out} hops in the middle are left out: rr_origin"));
                }
                view.origin = Some(shown);
            }
            Err(why) => {
                view.notes.push(format!("where `{expression}` came from is unavailable: {why}"));
                view.next = view.next_without_value();
            }
        }
        // Only memory has a history.
        if view.origin.is_some() && !expression.starts_with('$') {
            view.next.push(format!("rr_history {{\"expression\": \"{expression}\"}}: all its values"));
        }
        view
    }

    /// Adds who waits for whom, in place of what the explanation says of that.
    fn add_waits(&mut self, waits: ThreadsReportView) {
        let explanation = &mut self.explanation;
        explanation.result = match waits.sentences.is_empty() {
            true => "no thread runs: each waits to be woken by another one".to_owned(),
            false => waits.sentences.join("; "),
        };
        explanation.evidence.retain(|evidence| !evidence.starts_with("thread "));
        explanation.threads.clear();
        self.waits = Some(waits);
    }

    fn next_without_value(&self) -> Vec<String> {
        let explanation = &self.explanation;
        let level = explanation.frame.as_ref().map_or(0, |frame| frame.level);
        let is_cut = explanation.locals.last().is_some_and(|last| last.ends_with(MORE_LOCALS));
        let locals = is_cut.then(|| format!("rr_locals {{\"frame_level\": {level}}}: all its values"));
        match explanation.kind.as_str() {
            "blocked" if self.waits.is_none() => {
                vec!["rr_threads_report {}: who waits for whom, since when".to_owned()]
            }
            "fault" | "assertion" | "abort" | "panic" | "uncaught-exception" => {
                let origin = self
                    .value_of_line()
                    .map(|name| format!("rr_origin {{\"expression\": \"{name}\"}}: where its value came from"));
                locals.into_iter().chain(origin).collect()
            }
            "end" => {
                let place = explanation.frame.as_ref().and_then(|frame| frame.file.as_deref().zip(frame.line));
                let why =
                    place.map(|(file, line)| format!("rr_why {{\"location\": \"{file}:{line}\"}}: why this line ran"));
                let output = "rr_output {}: its output".to_owned();
                [output].into_iter().chain(locals).chain(why).collect()
            }
            // Somebody has lost patience with it, perhaps.
            "signal" => {
                let stack = "rr_backtrace {}: who called it".to_owned();
                let function = explanation.frame.as_ref().and_then(|frame| frame.function.as_deref());
                let lines = function.map(|function| {
                    format!("rr_coverage {{\"location\": \"{function}\"}}: how often each line of it ran")
                });
                [stack].into_iter().chain(locals).chain(lines).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the first value that the line of the frame names: a local, or a member of one.
    fn value_of_line(&self) -> Option<&str> {
        let source = self.explanation.source.as_deref()?;
        let line = source.lines().find_map(|line| line.strip_prefix("=>"))?;
        let is_local = |path: &&str| {
            let name = variable_of(path);
            let local = self.explanation.locals.iter().find_map(|local| {
                let (own, value) = local.split_once(" = ")?;
                (own == name).then_some(value)
            });
            // Of a whole object, nothing was assigned at once.
            local.is_some_and(|value| !value.starts_with('<') && (name != *path || !value.contains('{')))
        };
        paths(line).into_iter().find(is_local)
    }
}

impl fmt::Display for StoryView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.session, self.pid) {
            (Some(session), Some(pid)) => writeln!(f, "session {session}, process {pid}, at its failure")?,
            (None, Some(pid)) => writeln!(f, "process {pid}")?,
            _ => {}
        }
        write!(f, "{}", self.explanation)?;
        self.thrown.iter().try_for_each(|thrown| write!(f, "\nthrown: {thrown}"))?;
        if let Some(origin) = &self.origin {
            write!(f, "\norigin of {origin}")?;
        }
        self.blocks.iter().try_for_each(|block| write!(f, "\nheap: {block}"))?;
        if let Some(waits) = &self.waits {
            write!(f, "\nthreads:\n{}", waits.threads_text())?;
            waits.notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))?;
        }
        self.next.iter().try_for_each(|call| write!(f, "\nnext: {call}"))?;
        self.notes.iter().try_for_each(|note| write!(f, "\nnote: {note}"))
    }
}
