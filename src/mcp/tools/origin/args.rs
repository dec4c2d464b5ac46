//! What the question about a value's origin takes.

use crate::mcp::tools::args::twenty;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Most hops of one answer.
const MOST_HOPS: u32 = 200;

/// `rr_origin`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OriginArgs {
    /// A text, or at most 16 bytes.
    #[schemars(length(min = 1))]
    pub(crate) expression: String,
    /// Go on through x + 1.
    ///
    /// Where it was computed of one other value.
    #[serde(default)]
    pub(crate) through_arithmetic: bool,
    /// (Most hops.)
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = MOST_HOPS))]
    pub(crate) max_hops: u32,
    /// (Default: the last used session.)
    pub(crate) session: Option<String>,
}
