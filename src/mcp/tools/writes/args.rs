//! What the questions about writes take.

use crate::mcp::tools::args::{MAX_LOG_LINES, twenty};
use crate::mcp::tools::breakpoints::args::AccessType;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_last_write`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LastWriteArgs {
    /// An lvalue, for example `p->next` or `*(char (*)[64])0x7ffe0010`. Its address is computed at the session's
    /// position.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Lvalue: `p->next`, `*(char (*)[64])0x7ffe0010`"))]
    pub(crate) expression: String,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_history`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryArgs {
    /// An lvalue, as for rr_last_write.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) expression: String,
    /// Accesses to list: writes, reads, or both (access).
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) kind: AccessType,
    /// List only writes that changed the value.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) changes: bool,
    /// First event to include. Default: the first of the recording.
    #[schemars(extend("short" = "First event"))]
    pub(crate) from: Option<u64>,
    /// Last event to include. Default: the last of the recording.
    #[schemars(extend("short" = false))]
    pub(crate) to: Option<u64>,
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
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
