//! The real binary, driven over stdio by rmcp's own client.

use super::recordings::rr;
use rmcp::model::{
    ArgumentInfo, CallToolRequestParams, CallToolResult, CompleteRequestParams, CompletionContext,
    ReadResourceRequestParams, Reference, ResourceContents, Tool,
};
use rmcp::service::{RoleClient, RunningService, ServiceExt};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::Path;
use tokio::runtime::Runtime;

/// The variables by which somebody may have set what the server does otherwise. (Which rr and which counters there are
/// is for the tests, too.)
pub fn settings() -> impl Iterator<Item = OsString> {
    let is_setting = |name: &OsString| {
        let name = name.to_string_lossy();
        let is_ours = ["RR_", "_RR_", "RETROGRADE_"].iter().any(|start| name.starts_with(start));
        name == "DEBUGINFOD_URLS" || is_ours && name != "RETROGRADE_RR" && name != "RETROGRADE_COUNTERS"
    };
    std::env::vars_os().map(|(name, _)| name).filter(is_setting)
}

/// Where debug files are looked for: nowhere but beside the programs, lest the answers be others, and each session take
/// seconds, where somebody has installed those of the C library. What is compared with GDB looks where that does.
pub fn debug_directories() -> Option<(&'static str, &'static str)> {
    (env!("CARGO_CRATE_NAME") == "live").then_some(("RETROGRADE_DEBUG_DIRS", "/nowhere"))
}

/// A server process and the client that talks to it.
pub struct Server {
    runtime: Runtime,
    client: Option<RunningService<RoleClient, ()>>,
    /// Process id of the server.
    pub pid: u32,
}

impl Server {
    /// Starts the binary under test with the rr under test.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same, with more environment.
    pub fn start_with(environment: &[(&str, &str)]) -> Self {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_retrograde"));
        for name in settings() {
            command.env_remove(name);
        }
        command.env("RETROGRADE_RR", rr().program());
        command.envs(debug_directories());
        command.envs(environment.iter().copied());
        Self::of(command)
    }

    /// Starts the server that this command is, and greets it.
    pub fn of(command: tokio::process::Command) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (client, pid) = runtime.block_on(async {
            let transport = TokioChildProcess::new(command).expect("the server starts");
            let pid = transport.id().expect("a child has a pid");
            (().serve(transport).await.expect("the handshake works"), pid)
        });
        Self { runtime, client: Some(client), pid }
    }

    fn client(&self) -> &RunningService<RoleClient, ()> {
        self.client.as_ref().expect("the server runs")
    }

    /// What `tools/list` says.
    pub fn tools(&self) -> Vec<Tool> {
        self.runtime.block_on(self.client().list_all_tools()).unwrap()
    }

    fn raw(&self, tool: &str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let called = self.runtime.block_on(self.client().call_tool(request));
        let result = called.unwrap_or_else(|e| panic!("{tool}: {e}"));
        // Whatever a test asks for, the answer fits what the tool says of it.
        if let Some(answer) = &result.structured_content {
            super::schema::check(tool, answer);
        }
        result
    }

    /// Calls a tool that must succeed and returns its structured content.
    #[track_caller]
    pub fn call(&self, tool: &str, arguments: Value) -> Value {
        let shown = arguments.to_string();
        let result = self.raw(tool, arguments);
        assert_ne!(result.is_error, Some(true), "{tool} {shown}: {}", text(&result));
        assert!(!text(&result).is_empty() || tool.ends_with("_list"), "{tool}: no text");
        result.structured_content.unwrap_or_else(|| panic!("{tool}: no structured content"))
    }

    /// The text of a tool that must succeed.
    #[track_caller]
    pub fn text(&self, tool: &str, arguments: Value) -> String {
        let result = self.raw(tool, arguments);
        assert_ne!(result.is_error, Some(true), "{tool}: {}", text(&result));
        text(&result)
    }

    /// Calls a tool that must fail in-band and returns the message.
    #[track_caller]
    pub fn fail(&self, tool: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let result = self.raw(tool, arguments);
        assert_eq!(result.is_error, Some(true), "{tool} {shown} succeeded: {}", text(&result));
        text(&result)
    }

    /// Calls a tool that may succeed or fail: structured content, or the message.
    pub fn attempt(&self, tool: &str, arguments: Value) -> Result<Value, String> {
        let result = self.raw(tool, arguments);
        if result.is_error == Some(true) {
            Err(text(&result))
        } else {
            Ok(result.structured_content.unwrap_or_default())
        }
    }

    /// The text of a tool that may succeed or fail.
    pub fn either(&self, tool: &str, arguments: Value) -> String {
        text(&self.raw(tool, arguments))
    }

    /// The texts of a resource, or what the server says against reading it.
    pub fn read(&self, uri: &str) -> Result<String, String> {
        let read = self.runtime.block_on(self.client().read_resource(ReadResourceRequestParams::new(uri)));
        let contents = read.map_err(|error| error.to_string())?.contents;
        let text = |contents: &ResourceContents| match contents {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            other => panic!("{uri} is no text: {other:?}"),
        };
        Ok(contents.iter().map(text).collect())
    }

    /// The addresses of all resources.
    pub fn resources(&self) -> Vec<String> {
        let list = self.runtime.block_on(self.client().list_all_resources()).unwrap();
        list.into_iter().map(|resource| resource.uri).collect()
    }

    /// The addresses' templates.
    pub fn templates(&self) -> Vec<String> {
        let list = self.runtime.block_on(self.client().list_all_resource_templates()).unwrap();
        list.into_iter().map(|template| template.uri_template).collect()
    }

    /// The names of all prompts.
    pub fn prompts(&self) -> Vec<String> {
        let list = self.runtime.block_on(self.client().list_all_prompts()).unwrap();
        list.into_iter().map(|prompt| prompt.name).collect()
    }

    /// What can be filled in for an argument, given others.
    pub fn complete(&self, of: Reference, argument: &str, typed: &str, given: &[(&str, &str)]) -> Vec<String> {
        let given = given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let request = CompleteRequestParams::new(of, ArgumentInfo::new(argument, typed))
            .with_context(CompletionContext::with_arguments(given));
        self.runtime.block_on(self.client().complete(request)).unwrap().completion.values
    }

    /// Starts a replay.
    #[track_caller]
    pub fn replay(&self, trace: &Path) -> Value {
        self.call("rr_replay_start", json!({"trace_dir": trace}))
    }

    /// Sets a breakpoint, runs to it forward and removes it.
    #[track_caller]
    pub fn run_to(&self, location: &str) -> Value {
        let number = self.call("rr_breakpoint_set", json!({"location": location}))["number"].clone();
        let stop = self.call("rr_continue", json!({}));
        assert_eq!(stop["reason"], "breakpoint-hit", "{stop}");
        assert_eq!(stop["breakpoint_number"], number, "{stop}");
        self.call("rr_breakpoint_remove", json!({"breakpoint_number": number}));
        stop
    }

    /// The value of an expression.
    #[track_caller]
    pub fn evaluate(&self, expression: &str) -> String {
        self.call("rr_evaluate", json!({"expression": expression}))["value"].as_str().unwrap().to_owned()
    }

    /// Ends the server by closing its stdin and waits for it.
    pub fn close(mut self) {
        if let Some(client) = self.client.take() {
            self.runtime.block_on(client.cancel()).unwrap();
        }
    }
}

fn text(result: &CallToolResult) -> String {
    result.content.iter().filter_map(|c| c.as_text().map(|t| t.text.clone())).collect::<Vec<_>>().join("\n")
}

/// A server with a replay of a fixture.
pub fn replaying(fixture: &str) -> Server {
    let server = Server::start();
    server.replay(&super::recordings::recording(fixture).trace);
    server
}
