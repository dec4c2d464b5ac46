//! Arguments of the tool that explains a failure.

use crate::mcp::tools::args::MAX_NUMBER;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// `rr_explain`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExplainArgs {
    /// Open at its failure.
    ///
    /// A recording. Without an open session: default the latest.
    pub(crate) trace_dir: Option<String>,
    /// (A process of it. Default: the one that failed.)
    #[schemars(range(min = 1, max = MAX_NUMBER))]
    pub(crate) pid: Option<u32>,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
