//! Serving over HTTP (MCP's streamable transport), for clients and test suites that cannot start a process.
//!
//! Whoever can call the tools can run programs. So a request needs the token that is printed at the start, or comes
//! through a Unix socket that only this user may open. Besides, the server listens on loopback unless it is started
//! otherwise, and answers only requests whose `Host` is this machine's loopback, which a page that had its name resolved
//! to it cannot send, and none that come from a web page of anybody else's (`Origin`).

mod answer;
mod clients;
mod half_open;
mod listener;
mod options;
mod token;

use self::answer::Answering;
use self::half_open::HalfOpen;
use self::listener::Listener;
pub use self::options::{HttpAddress, HttpOptions};
use self::token::Token;
use super::error::Error;
use super::offered::Offered;
use super::server::Server;
use super::signals::Signals;
use crate::mcp::policy;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(5);
/// Connections at a time whose requests are answered.
const CONNECTIONS: usize = 256;
/// How long to wait after a connection could not be accepted, for want of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves MCP over HTTP until SIGTERM or SIGINT arrives; then ends all replays. `listening` is called with the address
/// as clients name it, and the token that they need, if they need one.
///
/// Reads the same variables as [`serve`](super::serve).
///
/// # Errors
/// If the address is not loopback and `remote` is false, or it cannot be listened at.
pub fn serve_http(
    offered: &Offered,
    options: &HttpOptions,
    listening: impl FnOnce(&str, Option<&str>),
) -> Result<(), Error> {
    let is_unix = match &options.address {
        HttpAddress::Tcp(address) if !address.ip().is_loopback() && !options.remote => {
            return Err(Error::NotLoopback(*address));
        }
        HttpAddress::Tcp(_) => false,
        HttpAddress::Unix(_) => true,
    };
    let token = if options.is_open || is_unix { None } else { Some(Token::random()?) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let listener = Listener::bind(&options.address).await?;
        let mut signals = Signals::new()?;
        listening(&listener.shown()?, token.as_ref().map(Token::as_str));
        let server = Server::offering(offered, policy::settings(|name| std::env::var_os(name)));
        let answering = Answering::new(server, options, token, listener.port()?);
        tokio::select! {
            () = signals.next() => {}
            () = accept(&listener, &answering) => {}
        }
        answering.close().await;
        Ok(())
    });
    // What still looks something up on a thread must not keep the process.
    runtime.shutdown_background();
    result
}

/// Serves whoever connects, without end.
async fn accept(listener: &Listener, answering: &Arc<Answering>) {
    let (half_open, places) = (HalfOpen::default(), Arc::new(Semaphore::new(CONNECTIONS)));
    loop {
        half_open.room().await;
        let served = listener.accept(|stream| {
            half_open.spawn(|place| connection(stream, answering.clone(), place, places.clone()));
        });
        if let Err(error) = served.await {
            tracing::warn!("a connection could not be accepted: {error}");
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Serves one connection. It counts as half open until the first request that may be answered.
async fn connection(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin,
    answering: Arc<Answering>,
    half_open: half_open::Place,
    places: Arc<Semaphore>,
) {
    // One request after the other: nobody else holds these.
    let admission = tokio::sync::Mutex::new((Some(half_open), None));
    let answer = service_fn(|request| async {
        let refused = match answering.admit(&request) {
            Ok(()) => {
                let (half_open, place) = &mut *admission.lock().await;
                if place.is_none() {
                    *place = places.clone().try_acquire_owned().ok();
                }
                match place {
                    Some(_) => {
                        drop(half_open.take());
                        None
                    }
                    None => Some(answer::too_many()),
                }
            }
            Err(refusal) => Some(refusal),
        };
        Ok::<_, std::convert::Infallible>(match refused {
            Some(refusal) => refusal,
            None => answering.answer(request).await,
        })
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(stream), answer)
        .await;
    if let Err(error) = served {
        tracing::debug!("a connection ended: {error}");
    }
}
