//! Arguments of the tools for selecting a thread and a frame.

use crate::mcp::tools::args::{MAX_LOG_LINES, MAX_NUMBER, Text, hundred};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_thread_list`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThreadListArgs {
    /// First thread in the list to return. The first is 1; 0 means the same.
    #[serde(default)]
    #[schemars(extend("short" = false))]
    pub(crate) from: u32,
    /// Maximum number of threads.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    #[schemars(extend("short" = false))]
    pub(crate) count: u32,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_thread_select`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThreadSelectArgs {
    /// Number from rr_thread_list, recorded tid or pid.tid, or thread name.
    #[schemars(extend("short" = "List number, tid, pid.tid, or name"))]
    pub(crate) thread_id: Text,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_select_frame`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelectFrameArgs {
    /// Frame number; 0 is the innermost.
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) frame_level: u32,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
