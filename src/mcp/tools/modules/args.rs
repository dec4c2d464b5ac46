//! Arguments of the tool for modules.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_modules`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModulesArgs {
    /// Also stacks, heaps, mapped files.
    ///
    /// All that is mapped.
    #[serde(default)]
    pub(crate) mappings: bool,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
