//! Arguments of the tools for sessions.

use crate::mcp::tools::args::MAX_NUMBER;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_replay_start`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplayStartArgs {
    /// Default: the latest.
    ///
    /// What was recorded last here, else rr's latest.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// Recorded process. Default: the first.
    ///
    /// rr_ps lists them. Without trace_dir, debug_first of rr_ps.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) pid: Option<u32>,
    /// Instead of pid: the program it executed.
    ///
    /// E.g. cc1, or its whole command line.
    #[schemars(length(min = 1))]
    pub(crate) command: Option<String>,
    /// Start at this session's event, in another process.
    ///
    /// It is in its recording.
    #[schemars(length(min = 1))]
    pub(crate) at_session: Option<String>,
}
