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
    /// Job id, for example j1.
    #[schemars(extend("short" = false))]
    pub(crate) job: String,
    /// Position in the output to continue from: `cursor` of the previous answer.
    #[serde(default)]
    #[schemars(extend("short" = "`cursor` of the previous answer"))]
    pub(crate) cursor: u64,
    /// Maximum number of output lines.
    #[serde(default = "hundred")]
    #[schemars(range(min = 0, max = MAX_COUNT))]
    #[schemars(extend("short" = false))]
    pub(crate) lines: u32,
}

/// `rr_job_result`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobResultArgs {
    /// Job id.
    #[schemars(extend("short" = false))]
    pub(crate) job: String,
    /// Seconds to wait for the job's end.
    #[serde(default)]
    #[schemars(range(min = 0, max = MAX_WAIT))]
    #[schemars(extend("short" = "Seconds"))]
    pub(crate) wait: u64,
}

/// `rr_job_cancel`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobArgs {
    /// Job id.
    #[schemars(extend("short" = false))]
    pub(crate) job: String,
}
