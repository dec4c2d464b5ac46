//! Explanations: stops, failures, lines that ran or not, waits and races; the page about a recording.

pub mod deadlocks;
pub mod explain;
pub mod pages;
pub mod races;
pub mod stop_details;
pub mod threads_report;
pub mod why;
