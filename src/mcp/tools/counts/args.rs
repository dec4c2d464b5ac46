//! What the questions about counts take.

use crate::mcp::tools::args::{MAX_LOG_LINES, twenty};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_coverage`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoverageArgs {
    /// Function, FILE:FUNCTION or source file, to count its lines. Default: list the functions that ran.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Function, FILE:FUNCTION, file. Default: all functions"))]
    pub(crate) location: Option<String>,
    /// Include only this process.
    #[schemars(extend("short" = false))]
    pub(crate) pid: Option<u32>,
    /// Rows to skip: `next_offset` of the previous answer.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) offset: u64,
    /// Maximum number of rows.
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) limit: u32,
    /// Trace directory. Default: the session's recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_profile`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileArgs {
    /// Include only this process.
    #[schemars(extend("short" = false))]
    pub(crate) pid: Option<u32>,
    /// Rows to skip: `next_offset` of the previous answer.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) offset: u64,
    /// Maximum number of rows.
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) limit: u32,
    /// Trace directory. Default: the session's recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
