//! The library without the server.

pub mod movements;
pub mod options;
pub mod values;
