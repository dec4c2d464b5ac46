//! Questions about whole executions: calls, values, coverage, differences, timeline.

pub mod cached_answers;
pub mod conditions;
pub mod containers;
pub mod coverage;
pub mod diff;
pub mod every_call;
pub mod globals;
pub mod lean_answers;
pub mod opened_images;
pub mod query_command;
pub mod timeline;
