//! A server with the rr under test, and calls on their way: more than one at a time, unlike with a client library.

use crate::server::stdio::Server;
use crate::support::processes::rr_of;
use crate::support::recordings::rr;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// A server and its calls.
pub struct Wire {
    pub server: Server,
    next: u64,
    early: HashMap<u64, Value>,
    /// What has come without having been asked for.
    pub told: Vec<Value>,
}

impl Wire {
    pub fn open(program: &Path, variables: &[(&str, &str)]) -> Self {
        let mut environment = vec![("RETROGRADE_RR", program.to_str().unwrap())];
        environment.extend(variables);
        Self::over(Server::initialized(&environment))
    }

    pub fn over(server: Server) -> Self {
        Self { server, next: 1, early: HashMap::new(), told: Vec::new() }
    }

    /// A server with a replay of `trace`, and the process id of its rr.
    pub fn replaying(trace: &Path, variables: &[(&str, &str)]) -> (Self, i32) {
        let mut wire = Self::open(rr().program(), variables);
        let begun = wire.call("rr_replay_start", json!({"trace_dir": trace}));
        assert_eq!(begun["structuredContent"]["session"], "s1", "{begun}");
        let pid = rr_of(trace).expect("rr runs");
        (wire, pid)
    }

    /// Sends a call and does not wait for its answer.
    pub fn start(&mut self, tool: &str, arguments: Value) -> u64 {
        self.start_with(json!({"name": tool, "arguments": arguments}))
    }

    /// The same, with all of the request's parameters.
    pub fn start_with(&mut self, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.server.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string());
        id
    }

    /// The result of a call that was sent.
    pub fn finish(&mut self, id: u64) -> Value {
        loop {
            if let Some(result) = self.early.remove(&id) {
                return result;
            }
            self.receive();
        }
    }

    fn receive(&mut self) {
        let mut reply = self.server.receive();
        match reply["id"].as_u64() {
            Some(id) if reply.get("error").is_some() => drop(self.early.insert(id, reply)),
            Some(id) => drop(self.early.insert(id, reply["result"].take())),
            None => self.told.push(reply),
        }
    }

    /// Sends a request that is no call of a tool: its result, or the whole reply if that is an error.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.server.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        self.finish(id)
    }

    /// Waits until something has come that was not asked for, and takes it with all that came before it.
    pub fn until_told(&mut self, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        loop {
            if let Some(at) = self.told.iter().position(&wanted) {
                return self.told.drain(..=at).collect();
            }
            self.receive();
        }
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.start(tool, arguments);
        self.finish(id)
    }

    /// Waits until the session list says that this tool runs.
    pub fn until_running(&mut self, tool: &str) {
        let begin = Instant::now();
        while self.call("rr_session_list", json!({}))["structuredContent"]["result"][0]["tool"] != tool {
            assert!(begin.elapsed() < Duration::from_secs(120), "{tool} does not run");
        }
    }
}
