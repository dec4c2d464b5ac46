//! The debug adapter.

pub mod editor_client;
pub mod inspection;
pub mod movements;
pub mod sessions;
