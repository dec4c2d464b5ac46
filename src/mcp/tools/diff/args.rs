//! What the question about two recordings takes.

use crate::mcp::tools::args::{MAX_LOG_LINES, twenty};
use questions::DiffQuery;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_diff`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiffArgs {
    /// Trace directory.
    #[schemars(length(min = 1))]
    pub(crate) b: String,
    /// (Trace directory; default: the session's.)
    #[schemars(length(min = 1))]
    pub(crate) a: Option<String>,
    /// Regular expression.
    ///
    /// Of the functions that are compared.
    #[schemars(length(min = 1))]
    pub(crate) function: Option<String>,
    /// (As of rr_calls.)
    #[serde(rename = "where")]
    #[schemars(length(min = 1))]
    pub(crate) condition: Option<String>,
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

impl DiffArgs {
    /// Returns what the arguments ask.
    pub(crate) fn query(&self) -> DiffQuery {
        DiffQuery { functions: self.function.clone(), condition: self.condition.clone() }
    }
}
