//! What the questions about counts take.

use crate::mcp::tools::args::{MAX_LOG_LINES, twenty};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_coverage`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoverageArgs {
    /// Function, FILE:FUNCTION, source file. Default: all.
    #[schemars(length(min = 1))]
    pub(crate) location: Option<String>,
    /// (Of this process only.)
    pub(crate) pid: Option<u32>,
    /// (Rows to pass over: next_offset of the answer before.)
    #[serde(default)]
    pub(crate) offset: u64,
    /// (Most rows.)
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    pub(crate) limit: u32,
    /// (Trace directory. Default: the session's.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_profile`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfileArgs {
    /// (Of this process only.)
    pub(crate) pid: Option<u32>,
    /// (Rows to pass over: next_offset of the answer before.)
    #[serde(default)]
    pub(crate) offset: u64,
    /// (Most rows.)
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    pub(crate) limit: u32,
    /// (Trace directory. Default: the session's.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
