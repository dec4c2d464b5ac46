//! What a stop is about.

use crate::mcp::reply::{FrameView, address, source_text};
use base::untrusted::one_line;
use engine::model::{Explanation, Fault, Kind, Variable};
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::fmt;

/// Most locals, and most other threads: the rest is asked for with the tools for them.
const MOST: usize = 8;
/// Longest line about a local or a thread, in characters.
const LONGEST: usize = 110;

/// What a faulting instruction did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct FaultView {
    pub(crate) pc: String,
    pub(crate) instruction: Option<String>,
    pub(crate) address: Option<String>,
    /// `read`, `write`, `read and write`, `execute`.
    pub(crate) access: Option<String>,
    pub(crate) operand: Option<String>,
    /// What there is at the address.
    pub(crate) memory: Option<String>,
    pub(crate) member: Option<String>,
    /// `SEGV_MAPERR`
    pub(crate) code: Option<String>,
}

/// Returns the schema of a frame: what is in one, `rr_backtrace` says.
fn object(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": "object" })
}

/// Where the locals are that an explanation leaves out.
pub(crate) const MORE_LOCALS: &str = "rr_locals";

/// Result of `rr_explain`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ExplanationView {
    pub(crate) result: String,
    /// `fault`, `assertion`, `exception`, `uncaught-exception`, `panic`, `abort`, `signal`, `blocked`, `end`, `plain`.
    pub(crate) kind: String,
    pub(crate) evidence: Vec<String>,
    pub(crate) fault: Option<FaultView>,
    /// The innermost frame of which the source can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "object")]
    pub(crate) frame: Option<FrameView>,
    pub(crate) source: Option<String>,
    pub(crate) locals: Vec<String>,
    /// The others.
    pub(crate) threads: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<String>,
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Fault => "fault",
        Kind::Assertion => "assertion",
        Kind::Exception => "exception",
        Kind::UncaughtException => "uncaught-exception",
        Kind::Panic => "panic",
        Kind::Abort => "abort",
        Kind::Signal => "signal",
        Kind::Blocked => "blocked",
        Kind::End => "end",
        Kind::Plain => "plain",
    }
}

impl From<Fault> for FaultView {
    fn from(fault: Fault) -> Self {
        let Fault { at, instruction, address: accessed, access, operand, memory, member, code, .. } = fault;
        let access = access.map(str::to_owned);
        Self { pc: address(at), instruction, address: accessed.map(address), access, operand, memory, member, code }
    }
}

impl From<Explanation> for ExplanationView {
    fn from(explanation: Explanation) -> Self {
        let Explanation { kind, summary, evidence, fault, frame, source, locals, threads, waypoint } = explanation;
        let local = |variable: Variable| match variable.ty {
            Some(ty) => format!("{} = {} ({ty})", variable.name, variable.value),
            None => format!("{} = {}", variable.name, variable.value),
        };
        Self {
            result: summary,
            kind: word(kind).to_owned(),
            evidence: some(evidence, "threads"),
            fault: fault.map(Into::into),
            frame: frame.map(Into::into),
            source: source_text(&source),
            locals: some(locals.into_iter().filter(|variable| !variable.is_argument).map(local).collect(), MORE_LOCALS),
            threads: some(threads, "rr_thread_list"),
            position: waypoint.map(|waypoint| waypoint.to_string()),
        }
    }
}

/// Returns the first of them, cut, and how many more there are. `rest`: where those are.
fn some(lines: Vec<String>, rest: &str) -> Vec<String> {
    let more = lines.len().saturating_sub(MOST);
    let cut = |line: String| match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(&line)),
        None => line,
    };
    let more = (more > 0).then(|| format!("{more} more: {rest}"));
    lines.into_iter().take(MOST).map(cut).chain(more).collect()
}

impl fmt::Display for ExplanationView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Both quote what the program has said last: a message of an assertion, an exception, a panic.
        write!(f, "{}: {}", self.kind, one_line(&self.result))?;
        if !self.evidence.is_empty() {
            write!(f, "\nknown by: {}", one_line(&self.evidence.join("; ")))?;
        }
        if let Some(fault) = &self.fault {
            write!(f, "\ninstruction {}", fault.pc)?;
            if let Some(instruction) = &fault.instruction {
                write!(f, ": {instruction}")?;
            }
            for (label, value) in [("operand", &fault.operand), ("member", &fault.member), ("code", &fault.code)] {
                if let Some(value) = value {
                    write!(f, "\n{label}: {value}")?;
                }
            }
        }
        if let Some(frame) = &self.frame {
            write!(f, "\nframe #{} {}", frame.level, frame.place())?;
        }
        if let Some(source) = &self.source {
            write!(f, "\n{source}")?;
        }
        for (label, lines) in [("locals", &self.locals), ("other threads", &self.threads)] {
            if !lines.is_empty() {
                write!(f, "\n{label}:\n  {}", lines.join("\n  "))?;
            }
        }
        if let Some(position) = &self.position {
            write!(f, "\nposition {position}")?;
        }
        Ok(())
    }
}
