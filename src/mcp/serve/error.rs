//! Why serving fails.

use std::io;
use std::net::SocketAddr;

/// Why the server could not serve.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The runtime, the signals or the streams could not be set up.
    #[error("cannot serve: {0}")]
    Io(#[from] io::Error),
    /// Others than this machine's users could call the tools, and nobody said that they may.
    #[error(
        "{0} is not a loopback address, and every client that connects can run programs; --allow-remote permits it"
    )]
    NotLoopback(SocketAddr),
    /// The client did not begin as the protocol says.
    #[error("the client did not initialize the connection: {0}")]
    Handshake(String),
}
