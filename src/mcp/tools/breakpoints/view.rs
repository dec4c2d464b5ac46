//! Lists of breakpoints.

use crate::mcp::reply::{BreakpointView, lines};
use engine::model::BreakpointInfo;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Result of `rr_breakpoint_list`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct BreakpointsView {
    pub(crate) result: Vec<BreakpointView>,
}

impl From<Vec<BreakpointInfo>> for BreakpointsView {
    fn from(list: Vec<BreakpointInfo>) -> Self {
        Self { result: list.into_iter().map(BreakpointView::from).collect() }
    }
}

impl fmt::Display for BreakpointsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.result, "no breakpoints or watchpoints")
    }
}
