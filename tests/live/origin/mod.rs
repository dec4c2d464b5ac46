//! Who wrote a value, where it came from, and whose memory it is.

pub mod accepted_connections;
pub mod channels;
pub mod files;
pub mod heap;
pub mod history;
pub mod hops;
pub mod kernel_writes;
pub mod last_writes;
pub mod narrowed;
pub mod shared_memory;
pub mod watchpoint_writers;
