//! Arguments of the tool for memory.

use crate::mcp::tools::args::Text;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Most bytes in one answer.
const MAX_MEMORY: u64 = 64 * 1024;

fn sixty_four() -> u64 {
    64
}

/// `rr_read_memory`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadMemoryArgs {
    /// Address, or an expression for it: `$sp`, `&buf`.
    #[schemars(extend("short" = "Address or expression: `$sp`, `&buf`"))]
    pub(crate) address: Text,
    /// Number of bytes.
    #[serde(default = "sixty_four")]
    #[schemars(range(min = 1, max = MAX_MEMORY))]
    #[schemars(extend("short" = "Bytes"))]
    pub(crate) count: u64,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
