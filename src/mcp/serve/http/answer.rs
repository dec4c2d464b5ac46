//! From a request to its response: who may ask, and for what rmcp has no answer that the protocol wants.

use super::clients::Clients;
use super::options::{HttpAddress, HttpOptions, PATH};
use super::token::Token;
use crate::mcp::serve::message::{self, Refusal};
use crate::mcp::serve::server::Server;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Empty, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::{Method, Request, Response, StatusCode};
use rmcp::model::{ErrorCode, RequestId};
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The header that says which conversation a request belongs to.
const CONVERSATION: &str = "mcp-session-id";
/// How long a client may take to send the body of a request, and how long that may be.
const BODY: Duration = Duration::from_secs(30);
const LONGEST_BODY: usize = 4 << 20;
/// How long a conversation lasts in which nothing is said: as long as a replay at least.
const SILENCE: Duration = Duration::from_secs(3600);
const LONGEST_SILENCE: Duration = Duration::from_secs(24 * 3600);

type Body = BoxBody<Bytes, Infallible>;

/// What answers requests.
pub(super) struct Answering {
    clients: Clients,
    token: Option<Token>,
    conversations: Arc<LocalSessionManager>,
    config: StreamableHttpServerConfig,
}

impl Answering {
    pub(super) fn new(server: Server, options: &HttpOptions, token: Option<Token>, port: Option<u16>) -> Arc<Self> {
        let mut conversations = LocalSessionManager::default();
        let idle = server.shared.settings.sessions.idle;
        conversations.session_config.keep_alive = Some(idle.map_or(LONGEST_SILENCE, |idle| idle.max(SILENCE)));
        let own = ["127.0.0.1", "localhost", "[::1]"].map(|host| port.map(|port| format!("http://{host}:{port}")));
        let config = StreamableHttpServerConfig::default().with_allowed_origins(own.into_iter().flatten());
        let config = config.enforce_origin_validation();
        let any_host = options.remote || matches!(options.address, HttpAddress::Unix(_));
        let config = if any_host { config.disable_allowed_hosts() } else { config };
        let clients = Clients::new(server, options.shared);
        Arc::new(Self { clients, token, conversations: Arc::new(conversations), config })
    }

    /// Checks that whoever asks may ask. Nothing else of a request is looked at before.
    #[expect(clippy::result_large_err, reason = "the refusal is the answer to the request")]
    pub(super) fn admit(&self, request: &Request<Incoming>) -> Result<(), Response<Body>> {
        match &self.token {
            Some(token) if !token.is_in(request.headers()) => {
                let why = "the header `Authorization: Bearer TOKEN` is needed; the server has printed the token\n";
                let mut refusal = closing(StatusCode::UNAUTHORIZED, why);
                refusal.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                Err(refusal)
            }
            _ => Ok(()),
        }
    }

    /// Answers a request.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "MCP is at /mcp\n");
        }
        // Whoever never ends a request must not hold a place for ever.
        let (mut head, body) = request.into_parts();
        // Nobody writes it into a log then.
        head.headers.remove(AUTHORIZATION);
        let body = match tokio::time::timeout(BODY, Limited::new(body, LONGEST_BODY).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                return closing(StatusCode::PAYLOAD_TOO_LARGE, "a message has at most 4 MiB\n");
            }
            Ok(Err(_)) => return closing(StatusCode::BAD_REQUEST, "the body ended early\n"),
            Err(_) => return closing(StatusCode::REQUEST_TIMEOUT, "no whole body in time\n"),
        };
        let (method, named) = (head.method.clone(), head.headers.get(CONVERSATION).cloned());
        let mut server = self.clients.common();
        if method == Method::POST && is_json(head.headers.get(CONTENT_TYPE)) {
            match message::check(&body) {
                Ok(true) if named.is_none() => match self.clients.begin() {
                    Some(its_own) => server = its_own,
                    None => return too_many(),
                },
                Ok(_) => {}
                Err(refusal) => return refused(refusal),
            }
        }
        let service =
            StreamableHttpService::new(move || Ok(server.clone()), self.conversations.clone(), self.config.clone());
        let is_end = method == Method::DELETE;
        let exists = match named.as_ref().and_then(|named| named.to_str().ok()) {
            Some(named) if is_end => self.conversations.has_session(&named.into()).await.unwrap_or_default(),
            _ => true,
        };
        let response = service.handle(Request::from_parts(head, Full::new(body))).await;
        match response.status() {
            StatusCode::ACCEPTED if is_end && exists => empty(StatusCode::NO_CONTENT),
            StatusCode::ACCEPTED if is_end => plain(StatusCode::NOT_FOUND, "there is no such MCP session\n"),
            _ => response,
        }
    }

    /// Ends all conversations.
    pub(super) async fn close(&self) {
        self.clients.close().await;
        self.config.cancellation_token.cancel();
    }
}

fn is_json(kind: Option<&HeaderValue>) -> bool {
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split_once(';').map_or(kind, |(kind, _)| kind);
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// Answers what is not a message. That a method is unknown, or its parameters are wrong, is an answer like another.
fn refused(Refusal { id, error }: Refusal) -> Response<Body> {
    let is_of_request = [ErrorCode::INVALID_PARAMS, ErrorCode::METHOD_NOT_FOUND].contains(&error.code);
    let status = if is_of_request { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    let id = id.map_or(Value::Null, RequestId::into_json_value);
    let answer = json!({ "jsonrpc": "2.0", "id": id, "error": error });
    let mut response = respond(status, answer.to_string().into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// Answers when there are as many as there may be.
pub(super) fn too_many() -> Response<Body> {
    let mut response = closing(StatusCode::SERVICE_UNAVAILABLE, "too many clients\n");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// Answers, and ends the connection: what is still sent is not read.
fn closing(status: StatusCode, why: &'static str) -> Response<Body> {
    let mut response = plain(status, why);
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn plain(status: StatusCode, why: &'static str) -> Response<Body> {
    let mut response = respond(status, Bytes::from_static(why.as_bytes()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

fn respond(status: StatusCode, text: Bytes) -> Response<Body> {
    let mut response = Response::new(Full::new(text).boxed());
    *response.status_mut() = status;
    response
}

fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Empty::new().boxed());
    *response.status_mut() = status;
    response
}
