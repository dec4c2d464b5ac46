//! The MCP server: protocol, sessions, limits, permissions, and clients that misbehave.

pub mod arguments;
pub mod attach;
pub mod bad_input;
pub mod busy_sessions;
pub mod chaos;
pub mod hook;
pub mod hostile;
pub mod http;
pub mod interrupts;
pub mod jobs;
pub mod long_answers;
pub mod notifications;
pub mod permissions;
pub mod recovery;
pub mod resources;
pub mod schemas;
pub mod sessions;
pub mod setup;
pub mod stdio;
pub mod tool_list;
pub mod untrusted_programs;
pub mod wire;
