//! Checkpoints.

use super::position::PositionView;
use engine::model::Checkpoint;
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
    /// What it was saved for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

impl From<&Checkpoint> for CheckpointView {
    fn from(checkpoint: &Checkpoint) -> Self {
        let Checkpoint { id, position, waypoint, place, note } = checkpoint;
        let what = note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
        Self {
            result: match position.event() {
                Some(event) => format!("Checkpoint {id} at {place}, event {event}{what}"),
                None => format!("Checkpoint {id} at {place}{what}"),
            },
            id: *id,
            position: PositionView::new(*position, *waypoint),
            place: place.clone(),
            note: note.clone(),
        }
    }
}

impl fmt::Display for CheckpointView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.result)
    }
}
