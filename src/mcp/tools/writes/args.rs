//! What the questions about writes take.

use crate::mcp::tools::args::{MAX_LOG_LINES, twenty};
use crate::mcp::tools::breakpoints::args::AccessType;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_last_write`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LastWriteArgs {
    /// C lvalue: `p->next`, `*(char (*)[64])0x7ffe0010`.
    ///
    /// Its address is that of now.
    #[schemars(length(min = 1))]
    pub(crate) expression: String,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_history`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryArgs {
    /// (C lvalue, as of rr_last_write.)
    #[schemars(length(min = 1))]
    pub(crate) expression: String,
    /// (What is told: writes; reads; access: both.)
    #[serde(default)]
    pub(crate) kind: AccessType,
    /// (Only what changed it.)
    #[serde(default)]
    pub(crate) changes: bool,
    /// Event.
    ///
    /// The first one.
    pub(crate) from: Option<u64>,
    /// (Event: the last one.)
    pub(crate) to: Option<u64>,
    /// (By this thread only.)
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
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
