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
    /// (Trace directory. Default: the session's.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// Default: process, signal.
    ///
    /// syscall if calls or failed is given.
    #[schemars(length(min = 1))]
    pub(crate) kinds: Option<Vec<TopicWord>>,
    /// Event.
    ///
    /// The first one.
    #[serde(default)]
    pub(crate) from: u64,
    /// (Event: the last one.)
    pub(crate) to: Option<u64>,
    /// (Of this process only.)
    pub(crate) pid: Option<u32>,
    /// (Of this thread only.)
    pub(crate) tid: Option<u32>,
    /// System calls by name.
    #[serde(default)]
    pub(crate) calls: Vec<String>,
    /// Failed system calls only.
    #[serde(default)]
    pub(crate) failed: bool,
    /// (Rows to pass over: next_offset of the answer before.)
    #[serde(default)]
    pub(crate) offset: u64,
    /// (Most rows.)
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    pub(crate) limit: u32,
    /// (Default: the last used session.)
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
    /// Name, FILE:FUNCTION or, with regex, a pattern.
    #[schemars(length(min = 1))]
    pub(crate) function: String,
    /// (function is such an expression.)
    #[serde(default)]
    pub(crate) regex: bool,
    /// As `n > 3 && $return == 0`.
    ///
    /// Only calls for which this is true.
    #[serde(rename = "where")]
    #[schemars(length(min = 1))]
    pub(crate) condition: Option<String>,
    /// (Only calls that did not return.)
    #[serde(default)]
    pub(crate) unfinished: bool,
    /// More to tell.
    ///
    /// Expressions.
    #[serde(default)]
    pub(crate) values: Vec<String>,
    /// Event.
    ///
    /// The first one.
    pub(crate) from: Option<u64>,
    /// (Event: the last one.)
    pub(crate) to: Option<u64>,
    /// (Of this process only.)
    pub(crate) pid: Option<u32>,
    /// (Of this thread only.)
    pub(crate) tid: Option<u32>,
    /// (Rows to pass over: next_offset of the answer before.)
    #[serde(default)]
    pub(crate) offset: u64,
    /// (Most rows.)
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    pub(crate) limit: u32,
    /// (Last rows first.)
    #[serde(default)]
    pub(crate) newest: bool,
    /// (Trace directory. Default: the session's.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// (Default: the last used session.)
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
    /// Functions, FILE:LINE, LINE, *ADDRESS.
    #[schemars(length(min = 1))]
    pub(crate) locations: Vec<String>,
    /// (Expressions, as of rr_evaluate.)
    #[serde(default)]
    pub(crate) values: Vec<String>,
    /// Condition.
    ///
    /// Only hits for which this is true.
    #[serde(rename = "where")]
    #[schemars(length(min = 1))]
    pub(crate) condition: Option<String>,
    /// Least, greatest, distinct.
    ///
    /// Each value is summed up.
    #[serde(default)]
    pub(crate) summary: bool,
    /// Event.
    ///
    /// The first one.
    pub(crate) from: Option<u64>,
    /// (Event: the last one.)
    pub(crate) to: Option<u64>,
    /// (Of this process only.)
    pub(crate) pid: Option<u32>,
    /// (Of this thread only.)
    pub(crate) tid: Option<u32>,
    /// (Rows to pass over: next_offset of the answer before.)
    #[serde(default)]
    pub(crate) offset: u64,
    /// (Most rows.)
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    pub(crate) limit: u32,
    /// (Last rows first.)
    #[serde(default)]
    pub(crate) newest: bool,
    /// (Trace directory. Default: the session's.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// (Default: the last used session.)
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
    /// Condition.
    ///
    /// What is true there. Default: anything.
    #[serde(rename = "where")]
    #[schemars(length(min = 1))]
    pub(crate) condition: Option<String>,
    /// (Expressions to tell.)
    #[serde(default)]
    pub(crate) values: Vec<String>,
    /// (The last time instead.)
    #[serde(default)]
    pub(crate) last: bool,
    /// Event.
    ///
    /// The first one.
    pub(crate) from: Option<u64>,
    /// (Event: the last one.)
    pub(crate) to: Option<u64>,
    /// (Of this process only.)
    pub(crate) pid: Option<u32>,
    /// (Of this thread only.)
    pub(crate) tid: Option<u32>,
    /// (Trace directory. Default: the session's.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// (Default: the last used session.)
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
