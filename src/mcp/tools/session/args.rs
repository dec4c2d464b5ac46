//! Arguments of the tools for sessions.

use crate::mcp::tools::args::MAX_NUMBER;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_replay_start`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplayStartArgs {
    /// Trace directory. Default: the one recorded last here, else rr's latest.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Default: the latest recording"))]
    pub(crate) trace_dir: Option<String>,
    /// Recorded process, from rr_ps. Default: the first; without trace_dir, debug_first of rr_ps.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    #[schemars(extend("short" = "Default: the first"))]
    pub(crate) pid: Option<u32>,
    /// Instead of pid: the program that the process executed, for example cc1, or its whole command line.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Instead of pid: the executed program"))]
    pub(crate) command: Option<String>,
    /// Open another process of this session's recording, at the session's current event.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Start another process at this session's event"))]
    pub(crate) at_session: Option<String>,
}
