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
    /// (First piece, counted from 1.)
    #[serde(default)]
    pub(crate) from: u64,
    /// (Most pieces.)
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    pub(crate) count: u32,
    /// (Default: both.)
    pub(crate) stream: Option<StreamWord>,
    /// (Also of other recorded processes.)
    #[serde(default)]
    pub(crate) all_processes: bool,
    /// Answer with a job.
    ///
    /// At once; see rr_job_status.
    #[serde(default)]
    pub(crate) background: bool,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
