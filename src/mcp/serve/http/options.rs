//! How to serve over HTTP.

use std::net::SocketAddr;
use std::path::PathBuf;

/// The path at which MCP is served.
pub(super) const PATH: &str = "/mcp";

/// Where to listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HttpAddress {
    /// An address and a port; 0 is any free one.
    Tcp(SocketAddr),
    /// A Unix socket of this path, which is made.
    Unix(PathBuf),
}

/// How to serve over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpOptions {
    /// Where to listen.
    pub address: HttpAddress,
    /// The address may be one that other machines can reach.
    pub remote: bool,
    /// Requests need no token.
    pub is_open: bool,
    /// All clients have the same sessions and jobs.
    pub shared: bool,
}
