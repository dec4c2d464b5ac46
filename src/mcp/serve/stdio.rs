//! Serving on standard input and output, and shutting down cleanly: at the end of input, at SIGTERM, at SIGINT.

use super::error::Error;
use super::json_lines::LineTransport;
use super::offered::Offered;
use super::server::Server;
use super::signals::Signals;
use crate::mcp::policy;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::sleep;

/// How long calls may still take after the end of input until they are interrupted. (Clients wait for about two
/// seconds until they kill a server.)
const LAST_CALLS: Duration = Duration::from_secs(1);

/// Serves MCP on standard input and output until the input ends or SIGTERM or SIGINT arrives; then ends all replays.
///
/// Reads the `RR_MCP_*` variables. Whoever calls must have sent `tracing` output elsewhere than to standard
/// output.
///
/// # Errors
/// If serving could not begin. That the client goes away is no error.
pub fn serve(offered: &Offered) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(run(offered));
    // A read of a terminal cannot be interrupted, and must not keep the process.
    runtime.shutdown_background();
    result
}

async fn run(offered: &Offered) -> Result<(), Error> {
    let server = Server::offering(offered, policy::settings(|name| std::env::var_os(name)));
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
    let shutdown = tokio::spawn(async move {
        tokio::select! {
            () = signals.next() => {}
            () = async { ended.notified().await; sleep(LAST_CALLS).await } => {}
        }
        interrupted.close().await;
        cancel.cancel();
    });
    let quit = running.waiting().await;
    shutdown.abort();
    server.close().await;
    tracing::debug!("left: {quit:?}");
    Ok(())
}
