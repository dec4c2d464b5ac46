//! The server over HTTP, as `curl` would talk to it.

use crate::support::processes::{is_reaped, rr_of, signal};
use crate::support::recordings::{fresh_recording, recording, rr};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Longer than an idle connection may keep its place, twice.
const PATIENCE: Duration = Duration::from_secs(120);

struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    address: String,
}

impl Server {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_retrograde"))
            .args(["serve", "--http", "127.0.0.1:0"])
            .env("RETROGRADE_RR", rr().program())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("retrograde: MCP at http://").and_then(|rest| rest.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("{line:?} has an address")).to_owned();
        Self { child, address }
    }

    /// Sends a message; the status and all of the answer.
    fn post(&self, path: &str, headers: &str, message: &Value) -> (u16, String) {
        let host = &self.address;
        let own = if headers.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
        let body = message.to_string();
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\n{own}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             Connection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("{answer:?} has a status")), answer)
    }

    /// Begins a conversation: the header that belongs to it.
    fn initialize(&self) -> String {
        let client = json!({"name": "test", "version": "0"});
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let (status, answer) = self.post("/mcp", "", &hello);
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
        let params = json!({"name": tool, "arguments": arguments});
        let (status, answer) =
            self.post("/mcp", headers, &json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}));
        assert_eq!(status, 200, "{answer}");
        let data = answer.lines().filter_map(|line| line.strip_prefix("data: "));
        let reply = data.filter_map(|data| serde_json::from_str::<Value>(data).ok()).find(|data| data["id"] == 7);
        reply.unwrap_or_else(|| panic!("{answer:?} has a reply"))["result"]["structuredContent"].clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn two_clients_see_the_same_replay() {
    let server = Server::start();
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
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{client}");
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

#[test]
fn connections_that_say_nothing_do_not_keep_others_out() {
    let server = Server::start();
    let idle: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    // All places are taken; it is answered when those that say nothing have lost theirs.
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let (status, answer) = server.post("/", "", &ping);
    assert_eq!(status, 404, "{answer}");
    drop(idle);
    server.initialize();
}
