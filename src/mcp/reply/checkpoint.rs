//! Checkpoints.

use super::position::PositionView;
use crate::engine::model::Checkpoint;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// A checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CheckpointView {
    pub(crate) result: String,
    pub(crate) id: u32,
    #[serde(flatten)]
    pub(crate) position: PositionView,
    pub(crate) place: String,
}

impl From<&Checkpoint> for CheckpointView {
    fn from(checkpoint: &Checkpoint) -> Self {
        let Checkpoint { id, position, place } = checkpoint;
        Self {
            result: match position.event() {
                Some(event) => format!("Checkpoint {id} at {place}, event {event}"),
                None => format!("Checkpoint {id} at {place}"),
            },
            id: *id,
            position: (*position).into(),
            place: place.clone(),
        }
    }
}

impl fmt::Display for CheckpointView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.result)
    }
}
