//! An editor, as far as the debug adapter sees one: over stdin and stdout of the real binary.

use super::mcp::{debug_directories, settings};
use super::recordings::rr;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor and its debug adapter.
pub struct Editor {
    pub child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Events that nobody has asked for yet.
    events: VecDeque<Value>,
    /// Responses that nobody has asked for yet.
    responses: Vec<Value>,
    seq: i64,
}

/// Reads a message; `None` at the end.
pub fn message(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            field => length = field.strip_prefix("Content-Length: ").expect("a length").parse().unwrap(),
        }
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).unwrap())
}

/// A message with its header.
pub fn framed(message: &Value) -> Vec<u8> {
    let text = message.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
}

impl Editor {
    /// Starts the adapter, and says hello.
    pub fn start() -> Self {
        let mut editor = Self::silent();
        let capabilities =
            editor.ask("initialize", json!({"adapterID": "retrograde", "supportsProgressReporting": true}));
        assert_eq!(capabilities["supportsStepBack"], true);
        editor
    }

    /// Starts the adapter.
    pub fn silent() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde"));
        for name in settings() {
            command.env_remove(name);
        }
        command.arg("dap").env("RETROGRADE_RR", rr().program()).envs(debug_directories());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, messages) = channel();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = message(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, messages, events: VecDeque::new(), responses: Vec::new(), seq: 0 }
    }

    /// Starts the adapter on a recording. It waits for breakpoints.
    pub fn attached(trace: &Path, more: Value) -> Self {
        let mut editor = Self::start();
        let mut arguments = json!({"trace": trace, "replayOutput": false});
        more.as_object().unwrap().iter().for_each(|(name, value)| arguments[name] = value.clone());
        editor.ask("attach", arguments);
        editor.event("initialized");
        editor
    }

    /// Sends bytes.
    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Sends a request, and returns its number.
    pub fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.seq += 1;
        let request = json!({"seq": self.seq, "type": "request", "command": command, "arguments": arguments});
        self.raw(&framed(&request));
        self.seq
    }

    fn next(&mut self, until: Instant, what: &str) -> Value {
        let left = until.saturating_duration_since(Instant::now());
        self.messages.recv_timeout(left).unwrap_or_else(|error| {
            panic!("{what} did not come ({error}); there were {:?} and {:?}", self.events, self.responses)
        })
    }

    /// Waits for the response to a request.
    #[track_caller]
    pub fn response(&mut self, seq: i64) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.responses.iter().position(|response| response["request_seq"] == seq) {
                return self.responses.remove(at);
            }
            let message = self.next(until, &format!("the response to {seq}"));
            match message["type"].as_str() {
                Some("event") => self.events.push_back(message),
                _ => self.responses.push(message),
            }
        }
    }

    /// Asks what must be answered, and returns the body.
    #[track_caller]
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let shown = arguments.to_string();
        let seq = self.send(command, arguments);
        let response = self.response(seq);
        assert_eq!(response["success"], true, "{command} {shown}: {response}");
        response["body"].clone()
    }

    /// Asks what must be refused, and returns why.
    #[track_caller]
    pub fn refused(&mut self, command: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let seq = self.send(command, arguments);
        let response = self.response(seq);
        assert_eq!(response["success"], false, "{command} {shown}: {response}");
        response["body"]["error"]["format"].as_str().unwrap().to_owned()
    }

    /// Waits for an event of this name, and returns its body. Others before it stay.
    #[track_caller]
    pub fn event(&mut self, name: &str) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at).unwrap()["body"].take();
            }
            let message = self.next(until, name);
            match message["type"].as_str() {
                Some("event") => self.events.push_back(message),
                _ => self.responses.push(message),
            }
        }
    }

    /// What has been shown in the console since that was asked last, of one category.
    pub fn shown(&mut self, category: &str) -> String {
        let is_meant = |event: &Value| event["event"] == "output" && event["body"]["category"] == category;
        let (meant, others): (VecDeque<_>, _) = self.events.drain(..).partition(is_meant);
        self.events = others;
        meant.iter().map(|event| event["body"]["output"].as_str().unwrap()).collect()
    }

    /// Whether there was an event of this name, which is taken.
    pub fn has_told(&mut self, name: &str) -> bool {
        let at = self.events.iter().position(|event| event["event"] == name);
        at.and_then(|at| self.events.remove(at)).is_some()
    }

    /// Moves, and returns the stop.
    #[track_caller]
    pub fn moves(&mut self, command: &str, arguments: Value) -> Value {
        self.ask(command, arguments);
        self.event("stopped")
    }

    /// Says that all breakpoints are set, and returns the first stop.
    #[track_caller]
    pub fn begins(&mut self) -> Value {
        self.moves("configurationDone", json!({}))
    }

    /// The frames of the stack of a stop's thread.
    #[track_caller]
    pub fn stack(&mut self, stop: &Value) -> Vec<Value> {
        let body = self.ask("stackTrace", json!({"threadId": stop["threadId"]}));
        body["stackFrames"].as_array().unwrap().clone()
    }

    /// Where a stop is: its function and line.
    #[track_caller]
    pub fn place(&mut self, stop: &Value) -> (String, u64) {
        let frames = self.ask("stackTrace", json!({"threadId": stop["threadId"], "levels": 1}));
        let frame = &frames["stackFrames"][0];
        (frame["name"].as_str().unwrap().to_owned(), frame["line"].as_u64().unwrap())
    }

    /// The variables of a scope of a frame.
    #[track_caller]
    pub fn scope(&mut self, frame: &Value, name: &str) -> Vec<Value> {
        let scopes = self.ask("scopes", json!({"frameId": frame["id"]}));
        let found = scopes["scopes"].as_array().unwrap().iter().find(|scope| scope["name"] == name);
        let reference = found.unwrap_or_else(|| panic!("no scope {name}: {scopes}"))["variablesReference"].clone();
        self.inside(&reference)
    }

    /// What is inside of a variable.
    #[track_caller]
    pub fn inside(&mut self, reference: &Value) -> Vec<Value> {
        let body = self.ask("variables", json!({"variablesReference": reference}));
        body["variables"].as_array().unwrap().clone()
    }

    /// The value of an expression in a frame.
    #[track_caller]
    pub fn value(&mut self, frame: &Value, expression: &str) -> Value {
        self.ask("evaluate", json!({"expression": expression, "frameId": frame["id"], "context": "watch"}))
    }

    /// Says a line in the console.
    #[track_caller]
    pub fn says(&mut self, line: &str) -> String {
        let body = self.ask("evaluate", json!({"expression": line, "context": "repl"}));
        body["result"].as_str().unwrap().to_owned()
    }

    /// Leaves, and waits for the adapter's end.
    #[track_caller]
    pub fn leaves(mut self) {
        self.ask("disconnect", json!({}));
        assert!(self.child.wait().unwrap().success());
    }

    /// Is gone without a word.
    pub fn hangs_up(&mut self) {
        self.input = None;
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A variable of a list, by its name.
#[track_caller]
pub fn named<'v>(variables: &'v [Value], name: &str) -> &'v Value {
    variables.iter().find(|variable| variable["name"] == name).unwrap_or_else(|| panic!("no {name}: {variables:?}"))
}
