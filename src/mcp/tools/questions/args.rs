//! Arguments of the questions about a whole recording.

use super::page::Page;
use crate::mcp::tools::args::{MAX_LOG_LINES, fifty, twenty};
use questions::{CallsQuery, Filter, TraceQuery, Which};
use rmcp::schemars::{self, JsonSchema};
use rr::{TimelineQuery, Topic};
use serde::Deserialize;

/// A kind of happenings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum TopicWord {
    Process,
    Signal,
    Syscall,
    Schedule,
}

/// `rr_timeline`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimelineArgs {
    /// Trace directory. Default: the session's recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: Option<String>,
    /// Kinds of rows: process, signal, syscall, schedule (ends of time slices). Default: process and signal, or only
    /// syscall if `calls` or `failed` is given.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Default: process, signal"))]
    pub(crate) kinds: Option<Vec<TopicWord>>,
    /// First event to include; 0 means from the start of the recording.
    #[serde(default)]
    #[schemars(extend("short" = "First event"))]
    pub(crate) from: u64,
    /// Last event to include. Default: the last of the recording.
    #[schemars(extend("short" = false))]
    pub(crate) to: Option<u64>,
    /// Include only this process.
    #[schemars(extend("short" = false))]
    pub(crate) pid: Option<u32>,
    /// Include only this thread.
    #[schemars(extend("short" = false))]
    pub(crate) tid: Option<u32>,
    /// Names of system calls to include.
    #[serde(default)]
    #[schemars(extend("short" = "Names of system calls"))]
    pub(crate) calls: Vec<String>,
    /// Include only system calls that failed.
    #[serde(default)]
    pub(crate) failed: bool,
    /// Rows to skip: `next_offset` of the previous answer.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) offset: u64,
    /// Maximum number of rows.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) limit: u32,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

impl TimelineArgs {
    /// Returns what the arguments ask.
    pub(crate) fn query(&self) -> TimelineQuery {
        let topics = match &self.kinds {
            Some(kinds) => kinds.iter().map(|kind| topic(*kind)).collect(),
            None if self.failed || !self.calls.is_empty() => [Topic::Call].into(),
            None => [Topic::Process, Topic::Signal].into(),
        };
        TimelineQuery {
            from: self.from,
            to: self.to.unwrap_or(u64::MAX),
            topics,
            pid: self.pid,
            tid: self.tid,
            calls: self.calls.clone(),
            failed: self.failed,
            skip: self.offset,
            limit: self.limit as usize,
        }
    }
}

fn topic(word: TopicWord) -> Topic {
    match word {
        TopicWord::Process => Topic::Process,
        TopicWord::Signal => Topic::Signal,
        TopicWord::Syscall => Topic::Call,
        TopicWord::Schedule => Topic::Schedule,
    }
}

/// `rr_calls`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallsArgs {
    /// Name, FILE:FUNCTION or, with regex, a regular expression.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Name, FILE:FUNCTION or, with `regex`, a regex"))]
    pub(crate) function: String,
    /// Treat `function` as a regular expression.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) regex: bool,
    /// Return only calls for which this is true, for example `n > 3 && $return == 0`.
    #[serde(rename = "where")]
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Like `n > 3 && $return == 0`"))]
    pub(crate) condition: Option<String>,
    /// Return only calls that did not return.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) unfinished: bool,
    /// Additional expressions to evaluate at the entry of each call.
    #[serde(default)]
    #[schemars(extend("short" = "Expressions at entry"))]
    pub(crate) values: Vec<String>,
    /// First event to include. Default: the first of the recording.
    #[schemars(extend("short" = "First event"))]
    pub(crate) from: Option<u64>,
    /// Last event to include. Default: the last of the recording.
    #[schemars(extend("short" = false))]
    pub(crate) to: Option<u64>,
    /// Include only this process.
    #[schemars(extend("short" = false))]
    pub(crate) pid: Option<u32>,
    /// Include only this thread.
    #[schemars(extend("short" = false))]
    pub(crate) tid: Option<u32>,
    /// Rows to skip: `next_offset` of the previous answer.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) offset: u64,
    /// Maximum number of rows.
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) limit: u32,
    /// Return the last rows first.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) newest: bool,
    /// Trace directory. Default: the session's recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

impl CallsArgs {
    /// Returns the page of rows that they ask for.
    pub(crate) fn page(&self) -> Page {
        Page { offset: self.offset, limit: self.limit, newest: self.newest }
    }

    /// Returns what the arguments ask.
    pub(crate) fn query(&self) -> CallsQuery {
        CallsQuery {
            function: self.function.clone(),
            is_pattern: self.regex,
            values: self.values.clone(),
            condition: self.condition.clone(),
            only_unfinished: self.unfinished,
            filter: Filter { pid: self.pid, tid: self.tid, from: self.from, to: self.to },
        }
    }
}

/// `rr_trace`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceArgs {
    /// Functions, FILE:LINE, LINE, or *ADDRESS.
    #[schemars(length(min = 1))]
    pub(crate) locations: Vec<String>,
    /// Expressions to evaluate at each hit: variables, fields, elements with constant indexes. Not `a[i]`.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) values: Vec<String>,
    /// Return only hits at which this is true.
    #[serde(rename = "where")]
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Condition"))]
    pub(crate) condition: Option<String>,
    /// Also return the minimum, maximum and distinct values of each expression.
    #[serde(default)]
    #[schemars(extend("short" = "Also minimum, maximum, distinct values"))]
    pub(crate) summary: bool,
    /// First event to include. Default: the first of the recording.
    #[schemars(extend("short" = "First event"))]
    pub(crate) from: Option<u64>,
    /// Last event to include. Default: the last of the recording.
    #[schemars(extend("short" = false))]
    pub(crate) to: Option<u64>,
    /// Include only this process.
    #[schemars(extend("short" = false))]
    pub(crate) pid: Option<u32>,
    /// Include only this thread.
    #[schemars(extend("short" = false))]
    pub(crate) tid: Option<u32>,
    /// Rows to skip: `next_offset` of the previous answer.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) offset: u64,
    /// Maximum number of rows.
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) limit: u32,
    /// Return the last rows first.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) newest: bool,
    /// Trace directory. Default: the session's recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

impl TraceArgs {
    /// Returns the page of rows that they ask for.
    pub(crate) fn page(&self) -> Page {
        Page { offset: self.offset, limit: self.limit, newest: self.newest }
    }

    /// Returns what the arguments ask.
    pub(crate) fn query(&self) -> TraceQuery {
        TraceQuery {
            locations: self.locations.clone(),
            values: self.values.clone(),
            condition: self.condition.clone(),
            filter: Filter { pid: self.pid, tid: self.tid, from: self.from, to: self.to },
            which: Which::All,
            summarize: self.summary,
        }
    }
}

/// `rr_first`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstArgs {
    /// Function, FILE:LINE or *ADDRESS.
    #[schemars(length(min = 1))]
    pub(crate) location: String,
    /// Condition that must hold. Default: none.
    #[serde(rename = "where")]
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Condition"))]
    pub(crate) condition: Option<String>,
    /// Expressions to evaluate there.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) values: Vec<String>,
    /// Find the last time instead.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) last: bool,
    /// First event to include. Default: the first of the recording.
    #[schemars(extend("short" = "First event"))]
    pub(crate) from: Option<u64>,
    /// Last event to include. Default: the last of the recording.
    #[schemars(extend("short" = false))]
    pub(crate) to: Option<u64>,
    /// Include only this process.
    #[schemars(extend("short" = false))]
    pub(crate) pid: Option<u32>,
    /// Include only this thread.
    #[schemars(extend("short" = false))]
    pub(crate) tid: Option<u32>,
    /// Trace directory. Default: the session's recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

impl FirstArgs {
    /// Returns what the arguments ask.
    pub(crate) fn query(&self) -> TraceQuery {
        TraceQuery {
            locations: vec![self.location.clone()],
            values: self.values.clone(),
            condition: self.condition.clone(),
            filter: Filter { pid: self.pid, tid: self.tid, from: self.from, to: self.to },
            which: if self.last { Which::Last } else { Which::First },
            summarize: false,
        }
    }
}
