//! Where a thread was, to the instruction.

use crate::arch::Registers;
use crate::engine::api::Position;
use std::sync::Arc;

/// Where a stop was, exactly: within one tick, the registers tell one instruction from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct ExactPosition {
    pub(in crate::engine) position: Position,
    pub(in crate::engine) registers: Arc<Registers>,
}
