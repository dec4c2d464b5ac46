//! What every layer may use: cancellation, qualified names, and what outside files and texts may be shown of.
//!
//! Layer 0.

pub mod cancel;
pub mod qualified;
pub mod untrusted;
