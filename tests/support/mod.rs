//! What the live and differential tests share: fixtures, recordings, and a real MCP client.

pub mod dap;
pub mod fixtures;
pub mod gdb;
pub mod machine;
pub mod mcp;
pub mod processes;
pub mod recordings;
pub mod schema;
