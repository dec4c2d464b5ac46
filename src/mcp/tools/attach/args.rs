//! Arguments of the tool for a server that listens already.

use crate::mcp::tools::args::Text;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_attach`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AttachArgs {
    /// HOST:PORT, or a port of this machine.
    pub(crate) address: Text,
    /// Default: found out.
    ///
    /// By where it has its program from.
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// The program's file (QEMU).
    #[schemars(length(min = 1))]
    pub(crate) program: Option<String>,
    /// It may be on another machine.
    #[serde(default)]
    pub(crate) remote: bool,
}
