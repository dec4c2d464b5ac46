//! Arguments of the tools for moving in time.

use crate::mcp::tools::args::{MAX_COUNT, one};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_continue`, `rr_finish`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReverseArgs {
    /// Go backward in time.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) reverse: bool,
    /// Return a job at once instead of the result; see rr_job_status.
    #[serde(default)]
    #[schemars(extend("short" = "Return a job"))]
    pub(crate) background: bool,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_step`, `rr_next`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepArgs {
    /// Number of steps.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = MAX_COUNT))]
    #[schemars(extend("short" = false))]
    pub(crate) count: u32,
    /// Go backward in time.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) reverse: bool,
    /// Step by instructions instead of lines.
    #[serde(default)]
    #[schemars(extend("short" = "By instructions"))]
    pub(crate) instruction: bool,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_run_to_event`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunToEventArgs {
    /// Number of the rr event.
    #[schemars(range(min = 0))]
    #[schemars(extend("short" = false))]
    pub(crate) event_number: u64,
    /// Return a job at once instead of the result; see rr_job_status.
    #[serde(default)]
    #[schemars(extend("short" = "Return a job"))]
    pub(crate) background: bool,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_goto`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GotoArgs {
    /// A position from a stop or a row, its short handle such as p17, an event number, `start` or `end`.
    #[schemars(length(max = 200))]
    #[schemars(extend("short" = "Position, handle (p17), event number, start, end"))]
    pub(crate) position: String,
    /// Return a job at once instead of the result; see rr_job_status.
    #[serde(default)]
    #[schemars(extend("short" = "Return a job"))]
    pub(crate) background: bool,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
