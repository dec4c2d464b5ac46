//! Arguments of the tools for sessions.

use crate::mcp::tools::args::MAX_NUMBER;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_replay_start`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplayStartArgs {
    /// Trace directory. Default: the last one recorded by this server, else the newest where rr keeps recordings.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Default: the latest recording"))]
    pub(crate) trace_dir: Option<String>,
    /// Pid of a recorded process, from rr_ps. Default: the first process; if trace_dir is omitted, the process that
    /// rr_ps says to debug first.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    #[schemars(extend("short" = "Default: the first"))]
    pub(crate) pid: Option<u32>,
    /// Instead of pid: the program that the process executed, for example cc1, or its whole command line.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Instead of pid: the executed program"))]
    pub(crate) command: Option<String>,
    /// Id of an open session: open another process of its recording, chosen with `pid` or `command`, at that
    /// session's current event.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Session id: open another process at its event"))]
    pub(crate) at_session: Option<String>,
}
