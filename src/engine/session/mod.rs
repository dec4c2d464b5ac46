//! One replay being debugged, who serves it, and what happens when that ends.

pub(super) mod abilities;
pub(super) mod engine;
pub(super) mod hints;
pub(super) mod kill_switch;
pub(super) mod restart;
pub(super) mod server;
pub(super) mod wanted;
