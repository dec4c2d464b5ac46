//! Arguments of the tools for jobs.

use crate::mcp::tools::args::{MAX_COUNT, hundred};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Longest that one call waits for a job, in seconds.
const MAX_WAIT: u64 = 3600;

/// `rr_job_status`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobStatusArgs {
    /// (Job id, e.g. j1.)
    pub(crate) job: String,
    /// `cursor` of the last answer.
    ///
    /// Where to go on reading output.
    #[serde(default)]
    pub(crate) cursor: u64,
    /// (Most lines of output to show.)
    #[serde(default = "hundred")]
    #[schemars(range(min = 0, max = MAX_COUNT))]
    pub(crate) lines: u32,
}

/// `rr_job_result`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobResultArgs {
    /// (Job id.)
    pub(crate) job: String,
    /// Seconds.
    ///
    /// So long it waits for its end.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_WAIT))]
    pub(crate) wait: u64,
}

/// `rr_job_cancel`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobArgs {
    /// (Job id.)
    pub(crate) job: String,
}
