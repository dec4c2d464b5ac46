//! Over the wire, against a server whose tools act on a fake debugger.

use super::*;
use crate::mcp::policy::Limits;
use crate::mcp::session::{After, Session, Sessions};
use engine::Work;
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock};
use rmcp::{ErrorData, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, mpsc};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf, duplex, split};

/// What the fake remembers: the argument of each call.
type Fake = Vec<u64>;

/// A call with this number reads debug info.
const READS: u64 = 1000;

/// `push` remembers a number; `wait` runs until the test lets it go, or until it is cancelled.
#[derive(Clone)]
struct Server {
    session: Arc<Session<Fake>>,
    started: mpsc::Sender<()>,
    gate: Arc<Mutex<mpsc::Receiver<()>>>,
}

impl ServerHandler for Server {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let number = request.arguments.as_ref().and_then(|a| a.get("number")).and_then(Value::as_u64).unwrap_or(0);
        let (started, gate) = (self.started.clone(), self.gate.clone());
        let wait = request.name == "wait";
        let pending = self.session.submit("tool", move |fake, cancel, status| {
            locked(status).work = (number == READS).then(Work::stuck);
            if wait {
                started.send(()).unwrap();
                let gate = gate.lock().unwrap();
                while !cancel.is_cancelled() && gate.try_recv().is_err() {
                    std::thread::yield_now();
                }
            }
            fake.push(number);
            (format!("{fake:?}"), After::Stay)
        });
        let text = answer(&context, &request.name, pending).await.unwrap_or_else(|why| format!("{why:?}"));
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

/// A client that writes and reads lines, so that their order is what is tested.
struct Wire {
    output: WriteHalf<DuplexStream>,
    input: Lines<BufReader<ReadHalf<DuplexStream>>>,
    started: mpsc::Receiver<()>,
    release: mpsc::Sender<()>,
}

impl Wire {
    async fn open() -> Self {
        let sessions = Arc::new(Sessions::<Fake>::new(Limits::default()));
        let session = sessions.open(None, Arc::new(|| true), || Ok(Fake::new())).unwrap();
        let ((start, started), (release, gate)) = (mpsc::channel(), mpsc::channel());
        let server = Server { session, started: start, gate: Arc::new(Mutex::new(gate)) };
        let (ours, theirs) = duplex(1 << 16);
        tokio::spawn(async move {
            // The sessions live as long as the server does.
            let _sessions = sessions;
            server.serve(theirs).await.unwrap().waiting().await.unwrap();
        });
        let (input, output) = split(ours);
        let mut wire = Self { output, input: BufReader::new(input).lines(), started, release };
        let hello =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
        wire.send(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})).await;
        assert_eq!(wire.receive().await["id"], 0);
        wire.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        wire
    }

    async fn send(&mut self, message: Value) {
        self.output.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn call(&mut self, id: u64, tool: &str, number: u64) {
        let params =
            json!({"name": tool, "arguments": {"number": number}, "_meta": {"progressToken": format!("p{id}")}});
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await;
    }

    async fn receive(&mut self) -> Value {
        let line = self.input.next_line().await.unwrap().unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap()
}

fn block_on(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}

#[test]
fn calls_sent_back_to_back_are_done_in_that_order() {
    block_on(async {
        let mut wire = Wire::open().await;
        for number in 1..=500 {
            wire.call(number, "push", number).await;
        }
        let mut longest = String::new();
        for _ in 0..500 {
            let reply = wire.receive().await;
            if text(&reply).len() > longest.len() {
                longest = text(&reply).to_owned();
            }
        }
        assert_eq!(longest, format!("{:?}", (1..=500).collect::<Vec<u64>>()));
    });
}

#[test]
fn a_call_to_a_session_that_has_long_been_busy_is_refused_and_those_sent_along_are_not() {
    block_on(async {
        let mut wire = Wire::open().await;
        wire.call(1, "wait", 1).await;
        wire.call(2, "push", 2).await;
        // Both say after a second that they are still there: what comes now was not sent along with them.
        for _ in 0..2 {
            assert_eq!(wire.receive().await["method"], "notifications/progress");
        }
        wire.call(3, "push", 3).await;
        wire.call(4, "push", 4).await;
        let mut refused = Vec::new();
        while refused.len() < 2 {
            let message = wire.receive().await;
            if message["method"] != "notifications/progress" {
                assert_eq!(text(&message), "Refused");
                refused.push(message["id"].as_u64().unwrap());
            }
        }
        refused.sort_unstable();
        assert_eq!(refused, [3, 4]);
        wire.release.send(()).unwrap();
        let mut answers = Vec::new();
        while answers.len() < 2 {
            let message = wire.receive().await;
            if message["method"] != "notifications/progress" {
                answers.push((message["id"].clone(), text(&message).to_owned()));
            }
        }
        assert_eq!(answers, [(json!(1), "[1]".to_owned()), (json!(2), "[1, 2]".to_owned())]);
        wire.call(5, "push", 5).await;
        assert_eq!(text(&wire.receive().await), "[1, 2, 5]", "what was refused is not done");
    });
}

#[test]
fn a_long_call_reports_growing_progress_and_none_after_the_reply() {
    block_on(async {
        let mut wire = Wire::open().await;
        wire.call(1, "wait", 1).await;
        wire.call(2, "push", 2).await;
        let mut progress = Vec::new();
        // Both calls report: the one that runs and the one behind it.
        while progress.len() < 4 {
            let message = wire.receive().await;
            assert_eq!(message["method"], "notifications/progress", "{message}");
            progress.push(message["params"].clone());
        }
        let of = |token: &str| -> Vec<&Value> { progress.iter().filter(|p| p["progressToken"] == token).collect() };
        let (first, second) = (of("p1"), of("p2"));
        assert_eq!((first.len(), second.len()), (2, 2));
        assert_eq!(first[0]["message"], "wait: running, 1 s");
        assert_eq!(second[0]["message"], "push: waiting for earlier calls, 1 s");
        for list in [first, second] {
            assert!(list[0]["progress"].as_f64() < list[1]["progress"].as_f64(), "{list:?}");
        }
        wire.release.send(()).unwrap();
        assert_eq!(wire.receive().await["id"], 1);
        assert_eq!(wire.receive().await["id"], 2);
        wire.call(3, "push", 3).await;
        let next = wire.receive().await;
        assert_eq!((&next["id"], text(&next)), (&json!(3), "[1, 2, 3]"));
    });
}

#[test]
fn a_cancelled_call_ends_without_a_reply_and_the_next_call_works() {
    block_on(async {
        let mut wire = Wire::open().await;
        wire.call(1, "wait", 1).await;
        wire.call(2, "push", 2).await;
        wire.call(3, "push", 3).await;
        // The thread must have taken the first call up, or it is simply not run.
        while wire.started.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
        for id in [2, 1] {
            let params = json!({"requestId": id, "reason": "test"});
            wire.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
        }
        let reply = wire.receive().await;
        assert_eq!((&reply["id"], text(&reply)), (&json!(3), "[1, 3]"), "2 was cancelled in the queue");
    });
}

#[test]
fn a_call_that_reads_debug_info_says_how_far_it_is() {
    block_on(async {
        let mut wire = Wire::open().await;
        wire.call(1, "wait", READS).await;
        let message = wire.receive().await["params"]["message"].take();
        assert_eq!(message, "wait: reading debug info of ceph-osd: 0 of 174 MB, 1 s");
        wire.release.send(()).unwrap();
        while wire.receive().await["id"] != 1 {}
    });
}

#[test]
fn without_a_token_there_is_no_progress() {
    block_on(async {
        let mut wire = Wire::open().await;
        let params = json!({"name": "wait", "arguments": {"number": 1}});
        wire.send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
        wire.call(2, "push", 2).await;
        for _ in 0..2 {
            assert_eq!(wire.receive().await["params"]["progressToken"], "p2");
        }
        wire.release.send(()).unwrap();
        assert_eq!(wire.receive().await["id"], 1);
    });
}
