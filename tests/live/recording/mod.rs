//! Making recordings, and recordings that are incomplete, foreign or damaged.

pub mod counters;
pub mod endings;
pub mod hostile_traces;
pub mod nested;
pub mod other_machines;
pub mod output;
pub mod recording_tools;
pub mod unfinished;
