//! Arguments of the tool for GDB's commands.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_command`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommandArgs {
    /// Commands, one per line; an error stops them.
    pub(crate) command: String,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
