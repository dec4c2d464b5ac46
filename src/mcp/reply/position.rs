//! Places in time, and addresses.

use arch::RunAddr;
use engine::model::{Position, Waypoint};
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// Formats an address as `0x` and 16 digits.
pub(crate) fn address(address: RunAddr) -> String {
    format!("{:#018x}", address.0)
}

/// Where a replay is in time. Its fields stand among those of what is there.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PositionView {
    pub(crate) event: Option<u64>,
    pub(crate) ticks: Option<u64>,
    pub(crate) thread: String,
    pub(crate) pc: String,
    /// What rr_goto takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<String>,
}

impl PositionView {
    /// Creates the view. `waypoint`: the moment that it is, by name.
    pub(crate) fn new(position: Position, waypoint: Option<Waypoint>) -> Self {
        Self {
            event: position.event(),
            ticks: position.ticks(),
            thread: position.thread.to_string(),
            pc: address(position.pc),
            position: waypoint.map(|waypoint| waypoint.to_string()),
        }
    }
}
