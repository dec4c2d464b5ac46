//! The engine: who serves it, what it does if that ends, and what other threads may hold of it.

pub(super) mod bookmark;
pub(super) mod cancel;
pub(super) mod capabilities;
pub(super) mod engine;
pub(super) mod frame_hints;
pub(super) mod kill_switch;
pub(super) mod restart;
pub(super) mod server;
