//! The edge: an MCP server on standard input and output.
//!
//! Floor 3. The only code that knows rmcp, serde and JSON, and the only one that is asynchronous. It sees the
//! [`engine`](crate::engine) facade and the [`rr`](crate::rr) program and contains no debugging: a tool converts its
//! arguments, has one engine method called on the session's thread, and converts the answer.
//!
//! ```text
//! stdio ── rmcp ── server ── check ── tools/* ── sessions ── worker ══ thread { Engine }
//!                                        │
//!                                 args ──┴── view, reply
//! ```
//!
//! The tools and their parameters are those of karellen-rr-mcp; results have its fields with its meanings, and more.
//! What the server adds and where it differs is told in `view` and in the README.

mod args;
mod call;
mod check;
mod env;
mod reply;
mod schema;
mod server;
mod sessions;
mod stdio;
mod tools;
mod view;
mod worker;

pub use server::Server;
pub use stdio::{Error, serve};
