//! Arguments of `rr_why`.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_why`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhyArgs {
    /// Location, as for rr_breakpoint_set.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "As for rr_breakpoint_set"))]
    pub(crate) location: String,
    /// Position from a stop or a row (not `start`, `end` or an event number): explain the last execution at or before
    /// it. Default: the last execution in the recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = "Position from which to look back"))]
    pub(crate) at: Option<String>,
    /// Trace directory. Default: the session's recording.
    #[schemars(length(min = 1))]
    #[schemars(extend("short" = false))]
    pub(crate) trace_dir: Option<String>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
