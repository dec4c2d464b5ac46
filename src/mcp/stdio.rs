//! Serving on standard input and output, and leaving cleanly: at the end of input, at SIGTERM, at SIGINT.

use super::env;
use super::lines::LineTransport;
use super::server::Server;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Notify;
use tokio::time::sleep;

/// How long calls may still take after the end of input until they are interrupted. (Clients wait for about two
/// seconds until they kill a server.)
const LAST_CALLS: Duration = Duration::from_secs(1);

/// Why the server could not serve.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The runtime, the signals or the streams could not be set up.
    #[error("cannot serve on standard input and output: {0}")]
    Io(#[from] io::Error),
    /// The client did not begin as the protocol says.
    #[error("the client did not initialize the connection: {0}")]
    Handshake(String),
}

/// Serves MCP on standard input and output until the input ends or SIGTERM or SIGINT arrives; then ends all replays.
///
/// Reads the `RR_MCP_*` variables. Whoever calls must have sent `tracing` output elsewhere than to standard
/// output.
///
/// # Errors
/// If serving could not begin. That the client goes away is no error.
pub fn serve() -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(run());
    // A read of a terminal cannot be interrupted, and must not keep the process.
    runtime.shutdown_background();
    result
}

async fn run() -> Result<(), Error> {
    let server = Server::new(env::settings(|name| std::env::var_os(name)));
    let mut signals = Signals::new()?;
    let (input, output) = stdio_pipes();
    let ended = Arc::new(Notify::new());
    let transport = LineTransport::new(input, output, ended.clone());
    let running = tokio::select! {
        () = signals.next() => return Ok(()),
        running = server.clone().serve(transport) => running,
    };
    let running = match running {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(Error::Handshake(error.to_string())),
    };
    let cancel = running.cancellation_token();
    let interrupted = server.clone();
    let leaving = tokio::spawn(async move {
        tokio::select! {
            () = signals.next() => {}
            () = async { ended.notified().await; sleep(LAST_CALLS).await } => {}
        }
        interrupted.close().await;
        cancel.cancel();
    });
    let quit = running.waiting().await;
    leaving.abort();
    server.close().await;
    tracing::debug!("left: {quit:?}");
    Ok(())
}

/// The signals that ask to leave.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
