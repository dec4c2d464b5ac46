//! What every layer may use: cancellation, qualified names, and how outside files are opened and outside texts shown.
//!
//! Layer 0.

pub mod cancel;
pub mod qualified;
pub mod untrusted;
