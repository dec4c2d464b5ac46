//! Arguments of the tool for a server that listens already.

use crate::mcp::tools::args::Text;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_attach`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttachArgs {
    /// HOST:PORT, or a port on this machine.
    pub(crate) address: Text,
    /// Trace directory. Default: derived from the path of the program.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: Option<String>,
    /// Path of the program, for QEMU.
    #[schemars(length(min = 1))]
    pub(crate) program: Option<String>,
    /// Permit an address on another machine.
    #[serde(default)]
    pub(crate) remote: bool,
}
