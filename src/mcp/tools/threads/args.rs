//! Arguments of the tools for selecting a thread and a frame.

use crate::mcp::tools::args::{MAX_LOG_LINES, MAX_NUMBER, Text, hundred};
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_thread_list`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThreadListArgs {
    /// (First place in the list, counted from 1.)
    #[serde(default)]
    pub(crate) from: u32,
    /// (Most threads.)
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = MAX_LOG_LINES))]
    pub(crate) count: u32,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_thread_select`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ThreadSelectArgs {
    /// Number, rr's tid or pid.tid, or name.
    pub(crate) thread_id: Text,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_select_frame`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SelectFrameArgs {
    /// (0 is the innermost.)
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) frame_level: u32,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
