//! What the question about two recordings takes.

use crate::mcp::tools::args::{MAX_LOG_LINES, twenty};
use questions::DiffQuery;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_diff`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiffArgs {
    /// Trace directory of the second run.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Other trace_dir"))]
    pub(crate) b: String,
    /// Trace directory of the first run. Default: the session's recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) a: Option<String>,
    /// Regular expression over the names of the functions to compare.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Regex of functions to compare"))]
    pub(crate) function: Option<String>,
    /// Compare only calls for which this is true.
    #[serde(rename = "where")]
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) condition: Option<String>,
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

impl DiffArgs {
    /// Returns what the arguments ask.
    pub(crate) fn query(&self) -> DiffQuery {
        DiffQuery { functions: self.function.clone(), condition: self.condition.clone() }
    }
}
