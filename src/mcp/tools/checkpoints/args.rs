//! Arguments of the tools for checkpoints.

use crate::mcp::tools::args::MAX_NUMBER;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_checkpoint_restore`, `rr_checkpoint_delete`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckpointArgs {
    /// Id from rr_checkpoint_save.
    #[schemars(range(min = 0, max = MAX_NUMBER))]
    pub(crate) checkpoint_id: u32,
    /// Default: the last used session.
    pub(crate) session: Option<String>,
}
