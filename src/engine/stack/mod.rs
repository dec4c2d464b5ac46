//! The stacks of a stopped process: unwinding, and the frames that it finds.

pub(super) mod context;
pub(super) mod describe;
pub(super) mod frames;
pub(super) mod guess;
pub(super) mod physical;
pub(super) mod recursion;
pub(super) mod tail_calls;
