//! The stacks of a stopped process: unwinding, frames, and how they are shown.

pub(super) mod context;
pub(super) mod describe;
pub(super) mod frames;
pub(super) mod guess;
pub(super) mod tail_calls;
