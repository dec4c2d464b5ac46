//! Breakpoints, watchpoints, catchpoints and log points.

pub mod catchpoints;
pub mod changes;
pub mod debug_registers;
pub mod early_resolution;
pub mod generated_code;
pub mod locations;
pub mod log_points;
pub mod reloaded_libraries;
pub mod skipped_hits;
pub mod watchpoints;
