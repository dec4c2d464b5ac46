//! The edge: an MCP server on standard input and output, or over HTTP.
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
//! Work that takes minutes and belongs to no session can be done by a job (`jobs`): a thread, whose printed lines
//! (`output`) and result are kept until they are asked for, by the tools for that or as MCP's `tasks`.
//!
//! `news` are what clients are told without having asked each time: messages, and that a resource has changed.
//!
//! Resources are answers of tools under an address, and the documentation in `docs`; prompts are texts; completions
//! look up what an argument of either may be.
//!
//! The tools and their parameters are those of karellen-rr-mcp; results have its fields with its meanings, and more.
//! What the server adds and where it differs is told in `view` and in `docs/karellen.md`.

mod allow;
mod args;
mod call;
mod check;
mod completion;
mod env;
mod guide;
pub mod hook;
mod http;
mod jobs;
mod leave;
mod lines;
mod made;
mod news;
mod notes;
mod opening;
mod output;
mod prompts;
mod redact;
#[cfg(test)]
mod reference;
mod reply;
mod resources;
mod schema;
mod server;
mod sessions;
mod stdio;
mod tasks;
mod tools;
mod turn;
mod view;
mod worker;

pub use env::Settings;
pub use guide::{Topic, topics};
pub use http::serve_http;
pub use server::Server;
pub use stdio::{Error, serve};
