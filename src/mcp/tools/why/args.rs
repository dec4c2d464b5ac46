//! Arguments of `rr_why`.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_why`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhyArgs {
    /// As of rr_breakpoint_set.
    #[schemars(length(min = 1))]
    pub(crate) location: String,
    /// Before this position.
    #[schemars(length(min = 1))]
    pub(crate) at: Option<String>,
    /// (Trace directory. Default: the session's.)
    #[schemars(length(min = 1))]
    pub(crate) trace_dir: Option<String>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
