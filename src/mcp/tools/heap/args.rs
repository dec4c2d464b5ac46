//! Arguments of `rr_heap`.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_heap`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeapArgs {
    /// A pointer or an address.
    #[schemars(length(min = 1))]
    pub(crate) expression: String,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
