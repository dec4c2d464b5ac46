//! Places in time, and addresses.

use crate::arch::RunAddr;
use crate::engine::model::Position;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// `0x` and 16 digits.
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
}

impl From<Position> for PositionView {
    fn from(position: Position) -> Self {
        Self {
            event: position.event(),
            ticks: position.ticks(),
            thread: position.thread.to_string(),
            pc: address(position.pc),
        }
    }
}
