//! Serving over HTTP (MCP's streamable transport), for clients and test suites that cannot start a process.
//!
//! There is no authentication, and whoever can call the tools can run programs: so it listens on loopback unless told
//! otherwise, answers only requests whose `Host` is this machine's loopback, which a page that had its name resolved to
//! it cannot send, and none that come from a web page of anybody else's (`Origin`).

use super::error::Error;
use super::offered::Offered;
use super::server::Server;
use super::signals::Signals;
use crate::mcp::policy;
use http_body_util::{BodyExt as _, Either, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Where MCP is served.
const PATH: &str = "/mcp";
/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// How long it may take to send the body, and how long that may be.
const BODY: Duration = Duration::from_secs(30);
/// Every connection may hold so much before anything is known of it.
const LONGEST_BODY: usize = 4 << 20;
/// Connections at a time; further ones wait.
const CONNECTIONS: usize = 64;
/// How long to wait after a connection could not be accepted, for want of file descriptors.
const PAUSE: Duration = Duration::from_millis(100);

type Service = TowerToHyperService<StreamableHttpService<Server, LocalSessionManager>>;

/// Serves MCP over HTTP at `address` until SIGTERM or SIGINT arrives; then ends all replays. All clients share the
/// sessions. `listening` is called with the address that it has (its port may be asked for as 0).
///
/// Reads the same variables as [`serve`](super::serve).
///
/// # Errors
/// If the address is not loopback and `remote` is false, or it cannot be listened at.
pub fn serve_http(
    offered: &Offered,
    address: SocketAddr,
    remote: bool,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), Error> {
    if !address.ip().is_loopback() && !remote {
        return Err(Error::NotLoopback(address));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let mut signals = Signals::new()?;
        let address = listener.local_addr()?;
        listening(address);
        let server = Server::offering(offered, policy::settings(|name| std::env::var_os(name)));
        let own = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("http://{host}:{}", address.port()));
        let config = StreamableHttpServerConfig::default().with_allowed_origins(own);
        let config = if remote { config.disable_allowed_hosts() } else { config };
        let stop = config.cancellation_token.clone();
        let shared = server.clone();
        let service = StreamableHttpService::new(move || Ok(shared.for_another()), Arc::default(), config);
        tokio::select! {
            () = signals.next() => {}
            () = accept(&listener, TowerToHyperService::new(service)) => {}
        }
        server.close().await;
        stop.cancel();
        Ok(())
    });
    // What still looks something up on a thread must not keep the process.
    runtime.shutdown_background();
    result
}

/// Serves whoever connects, without end.
async fn accept(listener: &TcpListener, service: Service) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let service = service.clone();
                tokio::spawn(async move {
                    connection(stream, service).await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

async fn connection(stream: TcpStream, service: Service) {
    let answer = service_fn(move |request: Request<Incoming>| {
        let service = service.clone();
        async move {
            if request.uri().path() != PATH {
                let mut nothing = Response::new(Either::Left(Full::new(Bytes::from_static(b"MCP is at /mcp\n"))));
                *nothing.status_mut() = StatusCode::NOT_FOUND;
                return Ok::<_, Infallible>(nothing);
            }
            // Whoever never ends a request must not hold a place for ever.
            let (head, body) = request.into_parts();
            let body = tokio::time::timeout(BODY, Limited::new(body, LONGEST_BODY).collect()).await;
            let (status, why) = match body {
                Ok(Ok(body)) => {
                    let request = Request::from_parts(head, Full::new(body.to_bytes()));
                    return Ok(service.call(request).await?.map(|body| Either::Right(body.boxed())));
                }
                Ok(Err(error)) if error.is::<LengthLimitError>() => {
                    (StatusCode::PAYLOAD_TOO_LARGE, "a message has at most 4 MiB\n")
                }
                Ok(Err(_)) => (StatusCode::BAD_REQUEST, "the body ended early\n"),
                Err(_) => (StatusCode::REQUEST_TIMEOUT, "no whole body in time\n"),
            };
            let mut refused = Response::new(Either::Left(Full::new(Bytes::from_static(why.as_bytes()))));
            *refused.status_mut() = status;
            refused.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            Ok(refused)
        }
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
