//! Lists of checkpoints.

use crate::mcp::reply::{CheckpointView, lines};
use engine::model::Checkpoint;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Result of `rr_checkpoint_list`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CheckpointsView {
    pub(crate) result: Vec<CheckpointView>,
}

impl From<&[Checkpoint]> for CheckpointsView {
    fn from(list: &[Checkpoint]) -> Self {
        Self { result: list.iter().map(CheckpointView::from).collect() }
    }
}

impl fmt::Display for CheckpointsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lines(f, &self.result, "no checkpoints")
    }
}
