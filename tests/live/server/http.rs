//! The server over HTTP, as `curl` would talk to it.

use crate::support::processes::{is_reaped, rr_of, signal};
use crate::support::recordings::{fresh_recording, recording, rr};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::panic::AssertUnwindSafe;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longer than an idle connection may keep its place, twice.
const PATIENCE: Duration = Duration::from_secs(120);

struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    address: String,
    /// The header that requests need.
    token: String,
    /// Reads what it says after that, and returns the lines with the token in them.
    log: Option<JoinHandle<Vec<String>>>,
}

impl Server {
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_retrograde"))
            .args(["serve", "--http", "127.0.0.1:0"])
            .args(options)
            .env("RETROGRADE_RR", rr().program())
            .env("RETROGRADE_LOG", "trace")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        // There may be lines of the log before.
        let mut next = || loop {
            let mut line = String::new();
            assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "the server has ended");
            if line.starts_with("retrograde: ") {
                return line;
            }
        };
        let line = next();
        let address = line.trim().strip_prefix("retrograde: MCP at http://").and_then(|rest| rest.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("{line:?} has an address")).to_owned();
        let line = next();
        let token = line.split_once('`').and_then(|(_, rest)| rest.strip_suffix("`\n"));
        let token = token.map(|header| format!("{header}\r\n"));
        // The token is in no other line, whatever is logged.
        let secret = token.clone().map(|header| header.trim().rsplit_once(' ').unwrap().1.to_owned());
        let log = std::thread::spawn(move || {
            let lines = stderr.lines().map_while(Result::ok);
            lines.filter(|line| secret.as_ref().is_some_and(|secret| line.contains(secret))).collect()
        });
        Self { child, address, token: token.unwrap_or_default(), log: Some(log) }
    }

    /// Sends a message; the status and all of the answer.
    fn post(&self, path: &str, headers: &str, message: &Value) -> (u16, String) {
        self.send("POST", path, &format!("{}{headers}", self.token), &message.to_string())
    }

    /// Sends a request that has what it needs but a token.
    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        exchange(TcpStream::connect(&self.address).unwrap(), &self.address, method, path, headers, body)
    }

    /// Begins a conversation: the header that belongs to it.
    fn initialize(&self) -> String {
        let (status, answer) = self.post("/mcp", "", &hello());
        assert_eq!(status, 200, "{answer}");
        assert!(answer.contains(r#""serverInfo":{"name":"retrograde""#), "{answer}");
        let id =
            answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("it has an id").to_owned();
        let headers = format!("Mcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-06-18\r\n");
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(self.post("/mcp", &headers, &ready).0, 202);
        headers
    }

    /// The structured content of a tool's answer.
    fn call(&self, headers: &str, tool: &str, arguments: Value) -> Value {
        self.result(headers, tool, arguments)["structuredContent"].clone()
    }

    /// The text of a tool's refusal.
    fn fail(&self, headers: &str, tool: &str, arguments: Value) -> String {
        let result = self.result(headers, tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    fn result(&self, headers: &str, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let (status, answer) =
            self.post("/mcp", headers, &json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}));
        assert_eq!(status, 200, "{answer}");
        let data = answer.lines().filter_map(|line| line.strip_prefix("data: "));
        let reply = data.filter_map(|data| serde_json::from_str::<Value>(data).ok()).find(|data| data["id"] == 7);
        reply.unwrap_or_else(|| panic!("{answer:?} has a reply"))["result"].clone()
    }
}

fn hello() -> Value {
    let client = json!({"name": "test", "version": "0"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

/// Sends a request over a connection and reads until its end: the status and all of the answer.
fn exchange(
    mut stream: impl Read + Write,
    host: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> (u16, String) {
    let own = if headers.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\n{own}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("{answer:?} has a status")), answer)
}

/// The body of an answer that is JSON.
fn body(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap_or_else(|e| panic!("{answer:?}: {e}"))
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let logged = self.log.take().unwrap().join().unwrap();
        assert!(std::thread::panicking() || logged.is_empty(), "the token is logged: {logged:?}");
    }
}

#[test]
fn clients_of_a_shared_server_see_the_same_replay() {
    let server = Server::start_with(&["--shared"]);
    let recording = recording("stepping");
    let (one, other) = (server.initialize(), server.initialize());
    let replay = server.call(&one, "rr_replay_start", json!({"trace_dir": recording.trace}));
    assert_eq!(replay["session"], "s1", "{replay}");
    let stop = server.call(&one, "rr_breakpoint_set", json!({"location": "main"}));
    assert_eq!(stop["number"], 1, "{stop}");
    let list = server.call(&other, "rr_breakpoint_list", json!({"session": "s1"}));
    assert_eq!(list["result"][0]["number"], 1, "{list}");
}

#[test]
fn each_client_sees_its_own_sessions_and_jobs_and_ends_them() {
    let server = Server::start();
    let recording = fresh_recording("stepping", &[]);
    let (one, other) = (server.initialize(), server.initialize());
    let replay = server.call(&one, "rr_replay_start", json!({"trace_dir": recording.trace}));
    assert_eq!(replay["session"], "s1", "{replay}");
    let place = tempfile::tempdir().unwrap();
    let record = json!({"command": ["sleep", "1000"], "trace_dir": place.path().join("trace"), "background": true});
    let job = server.call(&one, "rr_record", record)["job"].clone();
    assert_eq!(server.call(&other, "rr_session_list", json!({}))["result"], json!([]));
    assert_eq!(server.call(&other, "rr_job_list", json!({}))["result"], json!([]));
    server.fail(&other, "rr_backtrace", json!({"session": "s1"}));
    server.fail(&other, "rr_replay_stop", json!({"session": "s1"}));
    server.fail(&other, "rr_job_cancel", json!({"job": job}));
    assert_eq!(server.call(&one, "rr_session_list", json!({}))["result"].as_array().unwrap().len(), 1);
    // What a client has open ends with its conversation.
    let rr = rr_of(&recording.trace).expect("rr runs");
    let (status, answer) = server.send("DELETE", "/mcp", &format!("{}{one}", server.token), "");
    assert_eq!(status, 204, "{answer}");
    let begun = Instant::now();
    while !is_reaped(rr) {
        assert!(begun.elapsed() < PATIENCE, "rr {rr} is left");
        assert_eq!(server.call(&other, "rr_session_list", json!({}))["result"], json!([]));
    }
    assert_eq!(server.send("DELETE", "/mcp", &format!("{}{one}", server.token), "").0, 404);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(server.post("/mcp", &one, &ping).0, 404);
    assert_eq!(server.call(&other, "rr_session_list", json!({}))["result"], json!([]));
}

#[test]
fn without_the_token_nothing_is_answered() {
    let server = Server::start();
    let hello = hello().to_string();
    let wrong = format!("{}0\r\n", server.token.trim());
    for headers in ["", "Authorization: Bearer x\r\n", &wrong, &format!("{0}{0}", server.token)] {
        for path in ["/mcp", "/"] {
            let (status, answer) = server.send("POST", path, headers, &hello);
            assert_eq!(status, 401, "{answer}");
            assert!(answer.to_lowercase().contains("\r\nwww-authenticate: bearer\r\n"), "{answer}");
        }
    }
    assert_eq!(server.send("GET", "/mcp", "", "").0, 401);
    server.initialize();
    assert_ne!(server.token, Server::start().token);
    let open = Server::start_with(&["--no-token"]);
    assert_eq!(open.token, "");
    open.initialize();
}

#[test]
fn what_is_not_a_message_is_answered_as_the_protocol_says() {
    let server = Server::start();
    let client = server.initialize();
    let send = |text: &str| server.send("POST", "/mcp", &format!("{}{client}", server.token), text);
    let deep = format!(r#"{{"jsonrpc":"2.0","id":8,"x":{}{}}}"#, "[".repeat(500), "]".repeat(500));
    for (text, status, id, code) in [
        ("{", 400, Value::Null, -32700),
        ("this", 400, Value::Null, -32700),
        (r#"{"jsonrpc":"2.0","id":5}"#, 400, json!(5), -32600),
        (&deep, 400, json!(8), -32600),
        (r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{}}"#, 200, json!(6), -32602),
    ] {
        let (answered, answer) = send(text);
        let answer = body(&answer);
        assert_eq!(
            (answered, &answer["id"], &answer["error"]["code"]),
            (status, &id, &json!(code)),
            "{text}: {answer}"
        );
    }
}

#[test]
fn a_unix_socket_serves_its_user_without_a_token() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("mcp socket");
    let mut child = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .args(["serve", "--http", &format!("unix:{}", path.display())])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line.trim(), format!("retrograde: MCP at http://localhost/mcp on unix:{}", path.display()));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let stream = UnixStream::connect(&path).unwrap();
    let (status, answer) = exchange(stream, "localhost", "POST", "/mcp", "", &hello().to_string());
    assert_eq!(status, 200, "{answer}");
    signal(child.id().try_into().unwrap(), libc::SIGTERM);
    assert!(child.wait().unwrap().success());
    assert!(!path.exists());
}

#[test]
fn web_pages_and_names_of_other_hosts_are_turned_away() {
    let server = Server::start();
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(server.post("/mcp", "Origin: http://evil.example\r\n", &ping).0, 403);
    assert_eq!(server.post("/mcp", "Host: evil.example\r\n", &ping).0, 403);
    assert_eq!(server.post("/", "", &ping).0, 404);
    server.initialize();
}

#[test]
fn it_ends_when_asked_and_leaves_no_rr() {
    let mut server = Server::start();
    let recording = fresh_recording("stepping", &[]);
    let client = server.initialize();
    server.call(&client, "rr_replay_start", json!({"trace_dir": recording.trace}));
    let rr = rr_of(&recording.trace).expect("rr runs");
    signal(server.child.id().try_into().unwrap(), libc::SIGTERM);
    assert!(server.child.wait().unwrap().success());
    assert!(is_reaped(rr), "rr {rr} is left");
}

#[test]
fn addresses_that_others_can_reach_are_refused() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_retrograde")).args(["serve", "--http", "0.0.0.0:0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("retrograde: 0.0.0.0:0 is not a loopback address"), "{told}");
}

#[test]
fn a_message_that_is_too_long_is_refused() {
    let server = Server::start();
    let client = server.initialize();
    let much = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"text": "x".repeat(4 << 20)}});
    let host = &server.address;
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let body = much.to_string();
    let token = &server.token;
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{token}{client}");
    write!(stream, "{head}Content-Length: {}\r\n\r\n", body.len()).unwrap();
    // It may answer before it has all of it, and take no more.
    let _ = stream.write_all(body.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    assert!(answer.ends_with("a message has at most 4 MiB\n"), "{answer}");
    let list = server.call(&client, "rr_session_list", json!({}));
    assert_eq!(list["result"], json!([]));
}

/// Those that say nothing, or begin a request and do not go on, or have no token, take no place from others, for however
/// long they would stay.
#[test]
fn connections_that_say_nothing_do_not_keep_others_out() {
    let server = Server::start();
    let begin = |number: usize| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let beginning = ["", "P", "POST /mcp HTTP/1.1\r\nHost: x\r\n"][number % 3];
        stream.write_all(beginning.as_bytes()).unwrap();
        stream
    };
    let idle: Vec<TcpStream> = (0..300).map(begin).collect();
    let begun = Instant::now();
    server.initialize();
    // They would be there still: nobody had to wait for their end.
    let newest = idle.last().unwrap();
    newest.set_nonblocking(true).unwrap();
    let is_open = newest.peek(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
    assert!(is_open || begun.elapsed() >= Duration::from_secs(5));
    // The oldest have been closed for the newer ones; the newest ends after its time.
    newest.set_nonblocking(false).unwrap();
    newest.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut rest = Vec::new();
    let _ = (&*newest).read_to_end(&mut rest);
    assert!(begun.elapsed() < PATIENCE, "it is closed");
}

/// However many connect meanwhile, and whatever these send, no request that is complete is left without its answer.
#[test]
fn a_flood_of_connections_closes_nobody_who_has_something_to_ask() {
    let server = Server::start();
    let client = server.initialize();
    let is_over = AtomicBool::new(false);
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    std::thread::scope(|scope| {
        for beginning in ["", "POST /mcp HTTP/1.1\r\nHost: 127"] {
            let (address, is_over) = (&server.address, &is_over);
            scope.spawn(move || {
                let mut held = VecDeque::new();
                while !is_over.load(Ordering::Relaxed) {
                    // All ports may be in use.
                    let Ok(mut stream) = TcpStream::connect(address) else { continue };
                    let _ = stream.write_all(beginning.as_bytes());
                    held.push_back(stream);
                    held.drain(..held.len().saturating_sub(200));
                }
            });
        }
        let ask = || -> Vec<u16> { (0..100).map(|_| server.post("/mcp", &client, &ping).0).collect() };
        let statuses = std::panic::catch_unwind(AssertUnwindSafe(ask));
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(statuses.unwrap(), [200; 100]);
    });
}
