//! Arguments of the tools for moving in time.

use crate::mcp::tools::args::{MAX_COUNT, one};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_continue`, `rr_finish`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReverseArgs {
    /// (Go backward in time.)
    #[serde(default)]
    pub(crate) reverse: bool,
    /// Answer with a job.
    ///
    /// At once; see rr_job_status.
    #[serde(default)]
    pub(crate) background: bool,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_step`, `rr_next`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepArgs {
    /// (How many.)
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = MAX_COUNT))]
    pub(crate) count: u32,
    /// (Go backward in time.)
    #[serde(default)]
    pub(crate) reverse: bool,
    /// Instructions, not lines.
    #[serde(default)]
    pub(crate) instruction: bool,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_run_to_event`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunToEventArgs {
    /// (rr event number.)
    #[schemars(range(min = 0))]
    pub(crate) event_number: u64,
    /// Answer with a job.
    ///
    /// At once; see rr_job_status.
    #[serde(default)]
    pub(crate) background: bool,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_goto`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GotoArgs {
    /// As stops have it, p17, an event, start, end.
    #[schemars(length(max = 200))]
    pub(crate) position: String,
    /// Answer with a job.
    ///
    /// At once; see rr_job_status.
    #[serde(default)]
    pub(crate) background: bool,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
