//! The edge: an MCP server on standard input and output.
//!
//! Floor 4. The only code that knows rmcp, serde and JSON, and the only one that is asynchronous. It sees the
//! [`engine`](crate::engine) facade and the [`rr`](crate::rr) program and contains no debugging: a tool converts its
//! arguments, has one engine method (or the [`console`](crate::console)) called on the session's thread, and converts
//! the answer.
//!
//! ```text
//! stdio, lines ── rmcp ── server ── check ── tools/* ── sessions, turn ── worker ══ thread { Engine, Console }
//!                                               │           └────────── kill switch ══╛
//!                                        args ──┴── view, reply
//! ```
//!
//! A session does one call at a time, in order of arrival; `turn` says who waits and who is refused. What must work
//! whatever the session's thread is doing does not go through the queue: listing sessions (from what was written down),
//! interrupting the running call (a flag that its run looks at), and ending a session (the engine's kill switch).
//!
//! Work that takes minutes and belongs to no session can be done by a job (`jobs`): a thread, whose printed lines (`output`)
//! and result are kept until they are asked for.
//!
//! The tools and their parameters are those of karellen-rr-mcp; results have its fields with its meanings, and more.
//! What the server adds and where it differs is told in `view` and in the README.

mod allow;
mod args;
mod call;
mod check;
mod env;
mod jobs;
mod lines;
mod made;
mod notes;
mod output;
mod redact;
mod reply;
mod schema;
mod server;
mod sessions;
mod stdio;
mod tools;
mod turn;
mod view;
mod worker;

pub use env::Settings;
pub use server::Server;
pub use stdio::{Error, serve};
