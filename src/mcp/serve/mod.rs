//! Serving: transports, the requests of MCP, and the end.

mod completion;
mod error;
mod handler;
mod http;
mod json_lines;
mod message;
mod offered;
mod server;
mod signals;
mod stdio;
mod tasks;
mod tool_names;

pub use self::error::Error;
pub use self::http::{HttpAddress, HttpOptions, serve_http};
pub use self::offered::Offered;
pub use self::server::Server;
pub use self::stdio::serve;
