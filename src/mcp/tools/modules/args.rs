//! Arguments of the tool for modules.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_modules`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModulesArgs {
    /// List all mappings: also stacks, heaps and mapped files.
    #[serde(default)]
    #[schemars(extend("short" = "Also stacks, heaps, mapped files"))]
    pub(crate) mappings: bool,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
