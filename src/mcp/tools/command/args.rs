//! Arguments of the tool for GDB's commands.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_command`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommandArgs {
    /// One a line; they end at the first error.
    pub(crate) command: String,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
