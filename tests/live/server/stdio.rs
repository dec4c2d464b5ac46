//! The program as an MCP client runs it: over pipes, from start to end, without rr.

use crate::support::mcp::settings;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Longer than any answer or end may take; no test waits for it unless it fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server, and the lines that it writes.
pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Server {
    fn start(variables: &[(&str, &str)]) -> Self {
        Self::start_as(Command::new(env!("CARGO_BIN_EXE_retrograde")), variables)
    }

    fn start_as(mut program: Command, variables: &[(&str, &str)]) -> Self {
        for name in settings() {
            program.env_remove(name);
        }
        let mut child = program
            .env("RETROGRADE_RR", "/nonexistent/rr")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
        });
        Self { child, input, lines }
    }

    pub fn initialized(variables: &[(&str, &str)]) -> Self {
        Self::start(variables).greeted()
    }

    /// One whose process is prepared by `prepare`, which makes system calls and nothing else.
    pub fn prepared(prepare: fn() -> std::io::Result<()>, variables: &[(&str, &str)]) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_retrograde"));
        // SAFETY: between fork and exec there are only system calls, in which nothing is allocated.
        unsafe { program.pre_exec(prepare) };
        Self::start_as(program, variables).greeted()
    }

    /// One whose client says that it can do this.
    pub fn talking_to(capabilities: Value, variables: &[(&str, &str)]) -> Self {
        Self::start(variables).greeted_by(capabilities)
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn greeted(self) -> Self {
        self.greeted_by(json!({}))
    }

    fn greeted_by(mut self, capabilities: Value) -> Self {
        let client = json!({"name": "test", "version": "0"});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": client});
        let reply = self.request(0, "initialize", hello);
        assert_eq!(reply["result"]["serverInfo"]["name"], "retrograde");
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        self
    }

    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// The next line of output, which must be JSON.
    pub fn receive(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{line:?} is not JSON: {e}"))
    }

    pub fn request(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        let reply = self.receive();
        assert_eq!(reply["id"], id, "{reply}");
        reply
    }

    pub fn call(&mut self, id: u64, tool: &str, arguments: Value) -> Value {
        self.request(id, "tools/call", json!({"name": tool, "arguments": arguments}))["result"].take()
    }

    fn signal(&self, signal: i32) {
        // SAFETY: a plain system call; the child has not been waited for.
        unsafe { libc::kill(i32::try_from(self.child.id()).unwrap(), signal) };
    }

    /// Ends its input and waits for its end: the status, the rest of the output, and what was said on stderr.
    pub fn end(mut self) -> (ExitStatus, Vec<String>, String) {
        drop(self.input.take());
        self.ended()
    }

    /// Waits for its end.
    fn ended(mut self) -> (ExitStatus, Vec<String>, String) {
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.child.kill().unwrap();
                    panic!("the server did not end");
                }
            }
        }
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap(), rest, said)
    }
}

#[test]
fn the_end_of_input_ends_the_server() {
    for server in [Server::start(&[]), Server::initialized(&[])] {
        let (status, output, said) = server.end();
        assert_eq!((status.code(), output.len(), said.as_str()), (Some(0), 0, ""));
    }
}

#[test]
fn signals_end_the_server_with_success() {
    for signal in [libc::SIGTERM, libc::SIGINT] {
        let server = Server::initialized(&[]);
        server.signal(signal);
        // Its input stays open: it must be the signal that ends it.
        let (status, output, _) = server.ended();
        assert_eq!((status.code(), output.len()), (Some(0), 0), "signal {signal}");
    }
}

#[test]
fn calls_that_were_sent_before_the_end_of_input_are_answered() {
    let mut server = Server::initialized(&[]);
    for id in 1..=20 {
        let params = json!({"name": "rr_session_list", "arguments": {}});
        server.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string());
    }
    let (status, output, _) = server.end();
    assert_eq!(status.code(), Some(0));
    let mut ids: Vec<u64> =
        output.iter().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=20).collect::<Vec<u64>>());
}

#[test]
fn a_line_that_is_no_message_is_survived() {
    let mut server = Server::initialized(&[]);
    server.send("this is not JSON");
    let reply = server.receive();
    assert_eq!((&reply["error"]["code"], &reply["id"]), (&json!(-32700), &Value::Null), "{reply}");
    server.send(r#"{"jsonrpc": "2.0", "is": "no message"}"#);
    let reply = server.receive();
    assert_eq!((&reply["error"]["code"], &reply["id"]), (&json!(-32600), &Value::Null), "{reply}");
    for (line, id, code) in [
        (r#"{"jsonrpc": "2.0", "id": 5}"#.to_owned(), json!(5), -32600),
        (r#"{"jsonrpc": "2.0", "id": "five", "method": ["ping"]}"#.to_owned(), json!("five"), -32600),
        (r#"{"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": 7}}"#.to_owned(), json!(6), -32602),
        (r#"{"jsonrpc": "2.0", "id": 7, "method": "paint"}"#.to_owned(), json!(7), -32601),
        (format!(r#"{{"jsonrpc": "2.0", "id": 8, "x": {}{}}}"#, "[".repeat(128), "]".repeat(128)), json!(8), -32600),
    ] {
        server.send(&line);
        let reply = server.receive();
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&id, &json!(code)), "{line}: {reply}");
    }
    let list = server.call(1, "rr_session_list", json!({}));
    assert_eq!(list["structuredContent"], json!({"result": []}));
    assert_eq!(server.end().0.code(), Some(0));
}

#[test]
fn without_rr_the_tools_that_need_it_say_how_to_get_it() {
    let mut server = Server::initialized(&[]);
    let calls = [
        ("rr_record", json!({"command": ["true"]})),
        ("rr_traceinfo", json!({"trace_dir": "/nonexistent"})),
        ("rr_rm", json!({"trace_dir": "/nonexistent"})),
        ("rr_replay_start", json!({"trace_dir": "/nonexistent"})),
    ];
    for (id, (tool, arguments)) in (1..).zip(calls) {
        let result = server.call(id, tool, arguments);
        assert_eq!(result["isError"], true, "{tool}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("/nonexistent/rr") && text.contains("pip install karellen-rr"), "{tool}: {text}");
    }
    let list = server.call(9, "rr_session_list", json!({}));
    assert_eq!(list["structuredContent"], json!({"result": []}), "a replay that did not start is no session");
    let doctor = server.call(10, "rr_doctor", json!({}));
    assert_eq!(doctor["structuredContent"]["verdict"], "blocker");
    assert_eq!(server.end().0.code(), Some(0));
}

#[test]
fn a_bad_time_limit_is_told_on_stderr_only() {
    let (status, output, said) = Server::initialized(&[("RR_MCP_TIMEOUT_EVAL", "soon")]).end();
    assert_eq!((status.code(), output.len()), (Some(0), 0));
    let complaint = "RR_MCP_TIMEOUT_EVAL=soon is not a whole number of seconds from 1; using 30";
    assert!(said.contains(complaint), "{said}");
    assert!(!said.contains('\u{1b}'), "no colours: {said:?}");
}

/// A client that begins with nonsense is told so and can begin again.
#[test]
fn a_malformed_beginning_is_answered() {
    let mut server = Server::start(&[]);
    server.send(r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 7}}"#);
    let reply = server.receive();
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(1), &json!(-32602)), "{reply}");
    assert_eq!(server.greeted().end().0.code(), Some(0));
}
