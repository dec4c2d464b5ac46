//! What the question about races takes.

use crate::mcp::tools::args::{MAX_LOG_LINES, twenty};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_races`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RacesArgs {
    /// An lvalue, as for rr_last_write.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) expression: String,
    /// Rows to skip: `next_offset` of the previous answer.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) offset: u64,
    /// Maximum number of rows.
    #[serde(default = "twenty")]
    #[schemars(range(max = MAX_LOG_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) limit: u32,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
