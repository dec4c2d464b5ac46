//! What the tools take. The schema derived from these types is what [`check`](super::check) enforces, so a range or a
//! set of words stated here is stated to the client and checked by the server in one place.
//!
//! An optional parameter may be left out or be `null`; both mean its default.

mod breakpoints;
mod execution;
mod inspect;
mod jobs;
mod recordings;
mod sessions;

pub(crate) use self::breakpoints::{
    AccessType, BreakpointRemoveArgs, BreakpointSetArgs, BreakpointUpdateArgs, CatchSetArgs, CatchWord, LogArgs,
    WatchpointSetArgs,
};
pub(crate) use self::execution::{ReverseArgs, RunToEventArgs, StepArgs};
pub(crate) use self::inspect::{
    BacktraceArgs, CommandArgs, EvaluateArgs, LocalsArgs, OutputArgs, ReadMemoryArgs, RegistersArgs, SelectFrameArgs,
    SourceLinesArgs, StreamWord, ThreadListArgs, ThreadSelectArgs,
};
pub(crate) use self::jobs::{JobArgs, JobResultArgs, JobStatusArgs};
pub(crate) use self::recordings::{ListRecordingsArgs, RecordArgs, RemoveArgs, TraceArgs, TraceinfoArgs};
pub(crate) use self::sessions::{AttachArgs, CheckpointArgs, NoArgs, ReplayStartArgs, SessionArgs};
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use std::borrow::Cow;

/// Most elements that one `count` may ask for.
const MAX_COUNT: u32 = 10_000;
/// Most source lines in one answer.
const MAX_SOURCE_LINES: u32 = 500;
/// Most bytes in one answer.
const MAX_MEMORY: u64 = 64 * 1024;
/// Most lines of log points, or pieces of output, in one answer.
const MAX_LOG_LINES: u32 = 1000;
/// Largest line number or register-like small number taken from outside.
const MAX_NUMBER: u32 = i32::MAX as u32;
/// A day: longest recording that one call waits for.
const MAX_RECORD_SECONDS: u64 = 24 * 3600;

/// Longest that one call waits for a job, in seconds.
const MAX_WAIT: u64 = 3600;

/// Text that may also be given as a whole number: a thread id, a line, an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Ok(Self(text)),
            serde_json::Value::Number(number) => Ok(Self(number.to_string())),
            other => Err(D::Error::custom(format!("expected a string or an integer, not {other}"))),
        }
    }
}

impl JsonSchema for Text {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": ["string", "integer"] })
    }
}

fn one() -> u32 {
    1
}
fn ten() -> u32 {
    10
}
fn fifty() -> u32 {
    50
}
fn hundred() -> u32 {
    100
}
fn sixty_four() -> u64 {
    64
}
fn yes() -> bool {
    true
}
