//! Arguments of the tool that explains a failure.

use crate::mcp::tools::args::MAX_NUMBER;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_explain`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainArgs {
    /// Recording to open at its failure. Default: the current session; without one, the latest recording.
    #[schemars(extend("short" = "Open it at its failure"))]
    pub(crate) trace_dir: Option<String>,
    /// Process of the recording. Default: the one that failed.
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    #[schemars(extend("short" = false))]
    pub(crate) pid: Option<u32>,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
