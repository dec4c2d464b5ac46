//! Arguments of the tools for checkpoints.

use crate::mcp::tools::args::MAX_NUMBER;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Longest note, in bytes.
const MAX_NOTE: u32 = 200;

/// `rr_checkpoint_save`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveArgs {
    /// Note for rr_checkpoint_list.
    #[schemars(length(max = MAX_NOTE))]
    #[schemars(extend("short" = false))]
    pub(crate) note: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}

/// `rr_checkpoint_restore`, `rr_checkpoint_delete`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckpointArgs {
    /// Id from rr_checkpoint_save.
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) checkpoint_id: u32,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
