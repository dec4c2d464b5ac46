//! The replayed process: what is asked of it, its registers and memory cached, its signals.

pub(super) mod interface;
pub(super) mod process;
pub(super) mod signals;
pub(super) mod waiting_parents;
