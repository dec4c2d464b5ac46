//! Movements in both directions, and positions.

pub mod between_events;
pub mod buffered_calls;
pub mod checkpoints;
pub mod direction_changes;
pub mod ends;
pub mod inlined_turns;
pub mod last_wait;
pub mod look_alike;
pub mod named_moments;
pub mod positions;
pub mod processes;
pub mod repeated_instructions;
pub mod signals;
pub mod steps;
pub mod vforks;
pub mod waiting_threads;
pub mod wrapped_calls;
