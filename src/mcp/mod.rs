//! The edge: an MCP server on standard input and output, or over HTTP.
//!
//! Layer 4. The only code that knows rmcp, serde and JSON, and the only one that is asynchronous. It sees the
//! [`engine`] facade and the [`rr`] program and contains no debugging: a tool converts its
//! arguments, has one engine method (or the [`console`](crate::console)) called on the session's thread, and converts
//! the answer.
//!
//! ## Rooms, from top to bottom
//!
//! | room | what it is |
//! | --- | --- |
//! | `serve` | transports, the requests of MCP, and the end |
//! | `tools` | a room per family of tools: its tools, what they take, what they give |
//! | `query` | the questions that need no session, from the command line |
//! | `resources`, `prompts`, `docs` | what can be read under an address; texts to begin with; the documentation |
//! | `call` | one call: what a tool is given, and how an answer is waited for |
//! | `job` | long work that nobody waits for, with its printed lines and its result |
//! | `session` | the open replays: for each a thread that owns a debugger, and a queue in front of it |
//! | `notify` | what clients are told without having asked each time |
//! | `reply` | what an answer is made of: views of stops, frames, positions …; errors; notes |
//! | `policy` | what the environment permits, limits and hides |
//!
//! Each names only rooms below it. `plugin_hooks` stands for itself: it answers the plugin's hooks, without a server.
//!
//! ## The way of a call
//!
//! `rr_next {"reverse": true}` passes ten stations, each once:
//!
//! ```text
//!  1  serve/json_lines.rs     a line of JSON, checked to be one, goes to rmcp and comes back as a request
//!  2  serve/handler.rs        finds the tool, makes the `Call`; at last adds notes, and hides what must not be shown
//!  3  call/arguments.rs         checks the arguments against the tool's own schema
//!  4  tools/execution/mod.rs  makes a `Motion` of `StepArgs`
//!  5  call/on_session.rs      queues it; waits, tells progress, passes a cancellation on
//!  6  session/table.rs          finds the session
//!  7  session/thread.rs          puts it in the queue; takes it out on the session's thread
//!  8  session/debugger.rs     has the engine move, and writes down what can be known without asking the thread
//!       │
//!     engine
//!       │
//!  9  reply/stop.rs           makes a `StopView` of the `Stop`
//! 10  reply/mod.rs            makes JSON and text of that
//! ```
//!
//! What is indented is asked and answers at once. So are, by these, the tables and records on the way:
//! `tools/annotations.rs` (is there such a tool), `session/batch.rs` (who waits and who is refused),
//! `session/status.rs`, `notify/feed.rs`, the parts of a view in `reply`, `reply/notes.rs`, `policy/redact.rs`.
//!
//! A session does one call at a time, in order of arrival. What must work whatever the session's thread is doing does
//! not go through the queue: listing sessions (from what was written down), interrupting the running call (a flag that
//! its run looks at), and ending a session (the engine's kill switch).
//!
//! Resources are answers of tools under an address, and the documentation in `docs`; prompts are texts; completions
//! look up what an argument of either may be.
//!
//! The tools and their parameters are those of karellen-rr-mcp; results have its fields with its meanings, and more.
//! What the server adds and where it differs is told in `reply` and in `docs/karellen.md`.

mod call;
mod job;
mod lock;
mod notify;
pub mod plugin_hooks;
mod policy;
mod prompts;
mod query;
mod reply;
mod resources;
mod serve;
mod session;
mod tools;

pub use policy::Settings;
pub use query::{Answer, QUESTIONS, Query, QueryError, failure_story, inquire, masked_page};
pub use resources::topics::{Topic, topics};
pub use serve::{Error, HttpAddress, HttpOptions, Offered, Server, serve, serve_http};
pub(crate) use tools::recordings_in_words;
