//! What the question about races takes.

use crate::mcp::tools::args::{MAX_LOG_LINES, twenty};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_races`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RacesArgs {
    /// (C lvalue, as of rr_last_write.)
    #[schemars(length(min = 1))]
    pub(crate) expression: String,
    /// (Rows to pass over: next_offset of the answer before.)
    #[serde(default)]
    pub(crate) offset: u64,
    /// (Most rows.)
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    pub(crate) limit: u32,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
