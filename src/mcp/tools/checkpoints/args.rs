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
    /// (What it is for; rr_checkpoint_list shows it.)
    #[schemars(length(max = MAX_NOTE))]
    pub(crate) note: Option<String>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}

/// `rr_checkpoint_restore`, `rr_checkpoint_delete`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckpointArgs {
    /// (Id from rr_checkpoint_save.)
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) checkpoint_id: u32,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
