//! Arguments of `rr_why`.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_why`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhyArgs {
    /// Location, as for rr_breakpoint_set.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "As of rr_breakpoint_set"))]
    pub(crate) location: String,
    /// Position; explain the last time before it.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "The last time before this position"))]
    pub(crate) at: Option<String>,
    /// Trace directory. Default: the session's recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
