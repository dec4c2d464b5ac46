//! Arguments of the tool for what the program prints.

use crate::mcp::tools::args::{MAX_LOG_LINES, hundred};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Where a program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum StreamWord {
    Stdout,
    Stderr,
}

/// `rr_output`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutputArgs {
    /// First piece of output to return. The first is 1; 0 means the same.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) from: u64,
    /// Maximum number of pieces.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) count: u32,
    /// Default: both.
    #[schemars(extend("short" = false))]
    pub(crate) stream: Option<StreamWord>,
    /// Include the output of other recorded processes.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) all_processes: bool,
    /// Return a job at once instead of the result; see rr_job_status.
    #[serde(default)]
    #[schemars(extend("short" = "Return a job"))]
    pub(crate) background: bool,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
