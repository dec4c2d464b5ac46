//! A minimal MCP client over a child's stdin and stdout: one request at a time, nothing measured but the server.

use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// No call takes longer than this.
const PATIENCE: Duration = Duration::from_secs(300);

/// The newest protocol version that still has the `initialize` handshake every server knows.
const PROTOCOL: &str = "2025-06-18";

/// Why a call gave no result.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The tool answered with an error.
    #[error("{0}")]
    Tool(String),
    /// The server ended or said nothing for too long.
    #[error("the server does not answer")]
    Silent,
    /// The server could not be started or written to.
    #[error("the server: {0}")]
    Io(#[from] io::Error),
}

/// A server process.
pub(super) struct Client {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    next: u64,
}

impl Client {
    /// Starts a server and does the handshake.
    pub(super) fn start(command: &mut Command) -> Result<Self, Error> {
        // A group of its own: karellen-rr-mcp leaves its rr behind.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else { return Err(Error::Silent) };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut client = Self { child, stdin, lines, next: 1 };
        let hello = json!({
            "protocolVersion": PROTOCOL, "capabilities": {},
            "clientInfo": {"name": "retrograde-bench", "version": env!("CARGO_PKG_VERSION")},
        });
        client.request("initialize", hello)?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        writeln!(self.stdin, "{message}")
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Value, Error> {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let line = self.lines.recv_timeout(PATIENCE).map_err(|_| Error::Silent)?;
            let Ok(mut answer) = serde_json::from_str::<Value>(&line) else { continue };
            if answer["id"] == id {
                return match answer.get("error") {
                    Some(error) => Err(Error::Tool(error["message"].as_str().unwrap_or("unknown error").to_owned())),
                    None => Ok(answer["result"].take()),
                };
            }
        }
    }

    /// Calls a tool and returns its structured content.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Result<Value, Error> {
        let mut result = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        if result["isError"] == true {
            return Err(Error::Tool(result["content"][0]["text"].as_str().unwrap_or("unknown error").to_owned()));
        }
        Ok(result["structuredContent"].take())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Ok(group) = libc::pid_t::try_from(self.child.id()) {
            // SAFETY: it takes numbers only. The child has not been waited for, so its id is still its own.
            unsafe { libc::kill(-group, libc::SIGKILL) };
        }
        let _ = self.child.wait();
    }
}
