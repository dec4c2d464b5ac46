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
    /// Or an expression for it: `$sp`, `&buf`.
    pub(crate) address: Text,
    /// Bytes.
    #[serde(default = "sixty_four")]
    #[schemars(range(min = 1, max = MAX_MEMORY))]
    pub(crate) count: u64,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
