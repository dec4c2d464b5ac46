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
    /// A string, or a value of at most 16 bytes.
    #[schemars(length(min = 1))]
    pub(crate) expression: String,
    /// Continue through operations with one variable operand, such as `x + 1`.
    #[serde(default)]
    #[schemars(extend("short" = "Continue through `x + 1`"))]
    pub(crate) through_arithmetic: bool,
    /// Maximum number of hops.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = MOST_HOPS))]
    #[schemars(extend("short" = false))]
    pub(crate) max_hops: u32,
    /// Session id. Default: the session used last.
    #[schemars(extend("short" = false))]
    pub(crate) session: Option<String>,
}
