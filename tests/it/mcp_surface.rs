//! The server's surface as a client sees it, without rr and without a recording: names, parameters, schemas,
//! annotations, argument errors, and what each tool says when there is no session.

use engine::model::Timeouts;
use retrograde::mcp::Server;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult, Tool};
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Map, Value, json};

type Client = RunningService<RoleClient, ()>;

/// Has a client talk to a fresh server, in process.
fn with_client<T>(talk: impl AsyncFnOnce(&Client) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let server = Server::new(Timeouts::default());
        let closing = server.clone();
        let serving = tokio::spawn(async move { server.serve(theirs).await.unwrap().waiting().await.unwrap() });
        let client = ().serve(ours).await.unwrap();
        let result = talk(&client).await;
        client.cancel().await.unwrap();
        serving.await.unwrap();
        closing.close().await;
        result
    })
}

pub fn tools() -> Vec<Tool> {
    with_client(async |client| client.list_all_tools().await.unwrap())
}

async fn call(client: &Client, tool: &'static str, arguments: Value) -> CallToolResult {
    let arguments = arguments.as_object().unwrap().clone();
    client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.unwrap()
}

fn text(result: &CallToolResult) -> &str {
    assert_eq!(result.content.len(), 1, "an answer is one block of text");
    &result.content[0].as_text().unwrap().text
}

/// The text of an answer that must be an error.
async fn refusal(client: &Client, tool: &'static str, arguments: Value) -> String {
    let result = call(client, tool, arguments).await;
    assert_eq!(result.is_error, Some(true), "{tool}");
    assert_eq!(result.structured_content, None, "{tool}");
    text(&result).to_owned()
}

/// tool | parameters: `name:type`, `!` required, `=default`
const PARAMETERS: &str = "\
rr_attach | address:string+integer! trace_dir:string program:string remote:boolean
rr_backtrace | max_depth:integer=50 from:integer args:boolean=true session:string
rr_breakpoint_list | session:string
rr_breakpoint_remove | breakpoint_number:integer! session:string
rr_breakpoint_set | location:string+integer! condition:string temporary:boolean ignore_count:integer pending:boolean thread:string+integer log:string regex:boolean session:string
rr_breakpoint_update | breakpoint_number:integer! enabled:boolean condition:string ignore_count:integer thread:string+integer log:string session:string
rr_calls | function:string! regex:boolean where:string unfinished:boolean values:array from:integer to:integer pid:integer tid:integer offset:integer limit:integer=20 newest:boolean trace_dir:string session:string
rr_catch_set | event:string! names:array temporary:boolean session:string
rr_checkpoint_delete | checkpoint_id:integer! session:string
rr_checkpoint_list | session:string
rr_checkpoint_restore | checkpoint_id:integer! session:string
rr_checkpoint_save | note:string session:string
rr_command | command:string! session:string
rr_continue | reverse:boolean background:boolean session:string
rr_coverage | location:string pid:integer offset:integer limit:integer=20 trace_dir:string session:string
rr_diff | b:string! a:string function:string where:string offset:integer limit:integer=20 session:string
rr_doctor |
rr_evaluate | expression:string! format:string from:integer count:integer frame_level:integer session:string
rr_explain | trace_dir:string pid:integer session:string
rr_finish | reverse:boolean background:boolean session:string
rr_first | location:string! where:string values:array last:boolean from:integer to:integer pid:integer tid:integer trace_dir:string session:string
rr_goto | position:string! background:boolean session:string
rr_heap | expression:string! session:string
rr_history | expression:string! kind:string=write changes:boolean from:integer to:integer tid:integer offset:integer limit:integer=20 newest:boolean session:string
rr_interrupt | session:string
rr_job_cancel | job:string!
rr_job_list |
rr_job_result | job:string! wait:integer
rr_job_status | job:string! cursor:integer lines:integer=100
rr_last_write | expression:string! session:string
rr_list_recordings | trace_base_dir:string limit:integer=100
rr_locals | frame_level:integer session:string
rr_log | from:integer count:integer=100 breakpoint_number:integer session:string
rr_modules | mappings:boolean session:string
rr_next | count:integer=1 reverse:boolean instruction:boolean session:string
rr_origin | expression:string! through_arithmetic:boolean max_hops:integer=20 session:string
rr_output | from:integer count:integer=100 stream:string all_processes:boolean background:boolean session:string
rr_profile | pid:integer offset:integer limit:integer=20 trace_dir:string session:string
rr_ps | trace_dir:string!
rr_races | expression:string! offset:integer limit:integer=20 session:string
rr_read_memory | address:string+integer! count:integer=64 session:string
rr_record | command:array! working_directory:string env:object trace_dir:string timeout:integer max_trace_bytes:integer chaos:boolean syscall_buffer:boolean wait:boolean runs:integer until:string stdin:string explain:boolean background:boolean
rr_registers | register_names:array session:string
rr_replay_start | trace_dir:string pid:integer command:string at_session:string
rr_replay_stop | session:string
rr_rm | trace_dir:string! force:boolean
rr_run_to_event | event_number:integer! background:boolean session:string
rr_select_frame | frame_level:integer! session:string
rr_session_info | session:string
rr_session_list |
rr_source_lines | file:string line:integer count:integer=10 session:string
rr_step | count:integer=1 reverse:boolean instruction:boolean session:string
rr_thread_list | from:integer count:integer=100 session:string
rr_thread_select | thread_id:string+integer! session:string
rr_threads_report | session:string
rr_timeline | trace_dir:string kinds:array from:integer to:integer pid:integer tid:integer calls:array failed:boolean offset:integer limit:integer=50 session:string
rr_trace | locations:array! values:array where:string summary:boolean from:integer to:integer pid:integer tid:integer offset:integer limit:integer=20 newest:boolean trace_dir:string session:string
rr_traceinfo | trace_dir:string! full:boolean
rr_watchpoint_set | expression:string! access_type:string=write condition:string log:string session:string
rr_when | session:string
rr_why | location:string! at:string trace_dir:string session:string
";

/// tool | title | r: read-only, d: destructive, i: idempotent
const ANNOTATIONS: &str = "\
rr_attach | Attach to a replay |
rr_backtrace | Backtrace | ri
rr_breakpoint_list | List breakpoints | ri
rr_breakpoint_remove | Delete a breakpoint | i
rr_breakpoint_set | Set a breakpoint |
rr_breakpoint_update | Change a breakpoint | i
rr_calls | All calls of a function | ri
rr_catch_set | Catch an event |
rr_checkpoint_delete | Delete a checkpoint | i
rr_checkpoint_list | List checkpoints | ri
rr_checkpoint_restore | Go to a checkpoint | i
rr_checkpoint_save | Save a checkpoint |
rr_command | GDB command |
rr_continue | Continue |
rr_coverage | Coverage | ri
rr_diff | Compare two recordings | ri
rr_doctor | Check this machine | ri
rr_evaluate | Evaluate an expression | ri
rr_explain | Explain |
rr_finish | Finish the function |
rr_first | First time | ri
rr_goto | Go to a position | i
rr_heap | Whose memory | ri
rr_history | All writes to a value | ri
rr_interrupt | Interrupt a run | i
rr_job_cancel | Cancel a job | i
rr_job_list | List jobs | ri
rr_job_result | Result of a job | ri
rr_job_status | Look at a job | ri
rr_last_write | Last write | ri
rr_list_recordings | List recordings | ri
rr_locals | Local variables | ri
rr_log | Lines of log points | ri
rr_modules | Loaded modules | ri
rr_next | Step over |
rr_origin | Where a value comes from | ri
rr_output | Program output | ri
rr_profile | Where the work was | ri
rr_ps | List recorded processes | ri
rr_races | Data races | ri
rr_read_memory | Read memory | ri
rr_record | Record a program |
rr_registers | Registers | ri
rr_replay_start | Open a replay |
rr_replay_stop | Close a replay | i
rr_rm | Delete a recording | di
rr_run_to_event | Go to an event | i
rr_select_frame | Select a frame | i
rr_session_info | Describe a session | ri
rr_session_list | List replays | ri
rr_source_lines | Source lines | ri
rr_step | Step into |
rr_thread_list | List threads | ri
rr_thread_select | Select a thread | i
rr_threads_report | Who waits for whom | ri
rr_timeline | What happened when | ri
rr_trace | Values at each execution | ri
rr_traceinfo | Trace header | ri
rr_watchpoint_set | Watch a value |
rr_when | Position in time | ri
rr_why | Why a line ran | ri
";

/// Fields that the original's results always have.
const REQUIRED_FIELDS: &str = "\
rr_record | trace_dir exit_code stdout stderr
rr_replay_start | port message
rr_replay_stop | result
rr_list_recordings | result
rr_ps | result/pid
rr_traceinfo | result
rr_rm | result
rr_when | result
rr_breakpoint_set | number type location enabled hits
rr_breakpoint_remove | result
rr_breakpoint_list | result/number result/type result/location result/enabled result/hits
rr_watchpoint_set | number type location enabled hits
rr_continue | reason
rr_step | reason
rr_next | reason
rr_finish | reason
rr_run_to_event | reason
rr_thread_list | result/id result/current
rr_thread_select | result
rr_select_frame | result
rr_backtrace | result/level result/address
rr_evaluate | expression value
rr_locals | result/name result/value
rr_read_memory | address count contents
rr_registers | registers
rr_source_lines | result
rr_checkpoint_save | result
rr_checkpoint_restore | reason
";

/// Fields that the original's results may have, with their types.
const OPTIONAL_FIELDS: &str = "\
rr_ps | result/ppid:integer result/exit_code:integer result/cmd:string
rr_breakpoint_set | condition:string file:string line:integer address:string
rr_breakpoint_list | result/condition:string result/file:string result/line:integer result/address:string
rr_continue | frame:object breakpoint_number:integer signal_name:string signal_meaning:string frame/function:string frame/file:string frame/line:integer frame/args:array frame/args/name:string frame/args/value:string
rr_thread_list | result/target_id:string result/name:string result/state:string result/frame:object
rr_backtrace | result/function:string result/file:string result/line:integer result/args:array
rr_locals | result/type:string
";

fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    table.lines().map(|line| {
        let (tool, rest) = line.split_once(" |").unwrap();
        (tool, rest.split_whitespace().collect())
    })
}

/// `type` without `null`, joined with `+`.
fn kind(schema: &Value) -> String {
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str().unwrap()).filter(|kind| *kind != "null").collect();
    names.join("+")
}

fn is_required(schema: &Map<String, Value>, name: &str) -> bool {
    schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|n| n == name))
}

#[test]
fn the_tools_and_their_parameters_are_these() {
    let mut listed = String::new();
    for tool in tools() {
        listed += &format!("{} |", tool.name);
        let empty = Map::new();
        let properties = tool.input_schema.get("properties").map_or(&empty, |p| p.as_object().unwrap());
        for (name, property) in properties {
            let required = if is_required(&tool.input_schema, name) { "!" } else { "" };
            let default = match property.get("default") {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(word)) => format!("={word}"),
                Some(other) => format!("={other}"),
            };
            listed += &format!(" {name}:{}{required}{default}", kind(property));
            // Others say all by their names; the documentation has words for each.
            let is_described = property.get("description").is_none_or(|text| text.as_str().unwrap().len() > 3);
            assert!(is_described, "{} {name}", tool.name);
        }
        listed.push('\n');
    }
    assert_eq!(listed, PARAMETERS);
}

#[test]
fn no_parameter_needs_null() {
    for tool in tools() {
        let schema = &tool.input_schema;
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let null = property["type"].as_array().is_some_and(|kinds| kinds.contains(&json!("null")));
            assert!(!null, "{} {name}", tool.name);
        }
    }
}

#[test]
fn every_tool_has_title_hints_and_a_description() {
    let mut listed = String::new();
    for tool in tools() {
        let hints = tool.annotations.as_ref().unwrap();
        assert_eq!(hints.open_world_hint, Some(false), "{}", tool.name);
        let mut letters = String::new();
        // As a client reads them: without a hint, a tool is one that writes, and what does so destroys.
        let reads = hints.read_only_hint.unwrap_or(false);
        let destroys = !reads && hints.destructive_hint.unwrap_or(true);
        let is_repeatable = reads || hints.idempotent_hint.unwrap_or(false);
        for (letter, hint) in [('r', reads), ('d', destroys), ('i', is_repeatable)] {
            if hint {
                letters.push(letter);
            }
        }
        listed += format!("{} | {} | {letters}", tool.name, hints.title.as_ref().unwrap()).trim_end();
        listed.push('\n');
        let description = tool.description.as_ref().unwrap();
        assert!((15..200).contains(&description.len()), "{}: {description}", tool.name);
    }
    assert_eq!(listed, ANNOTATIONS);
}

/// What a client is sent, and what of that a model reads. In bytes.
#[test]
fn the_tool_list_costs_at_most_40_kb_of_which_a_model_reads_20() {
    let size = |value: Value| serde_json::to_string(&value).unwrap().len();
    let tools = tools();
    let read = |tool: &Tool| {
        size(json!({"name": tool.name, "description": tool.description, "inputSchema": *tool.input_schema}))
    };
    let (all, read) = (size(json!({ "tools": tools })), tools.iter().map(read).sum::<usize>());
    assert!(all <= 40_000 && read <= 20_000, "tools/list is {all} bytes, of which a model reads {read}");
}

/// The schema of `path` (`result/frame/line`: through list elements and references), and whether it is always there.
fn field(root: &Map<String, Value>, path: &str) -> Option<(Value, bool)> {
    let resolve = |schema: &Value| -> Value {
        let mut schema = schema.clone();
        while let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            schema = root["$defs"][name.strip_prefix("#/$defs/").unwrap()].clone();
        }
        schema
    };
    let (mut schema, mut always) = (Value::Object(root.clone()), true);
    for name in path.split('/') {
        if kind(&schema) == "array" {
            schema = resolve(&schema["items"]);
        }
        always &= is_required(schema.as_object()?, name);
        schema = resolve(schema["properties"].get(name)?);
    }
    Some((schema, always))
}

#[test]
fn output_schemas_have_the_fields_that_the_original_always_gives() {
    let tools = tools();
    let schema = |name: &str| tools.iter().find(|tool| tool.name == name).unwrap().output_schema.clone().unwrap();
    for (tool, fields) in rows(REQUIRED_FIELDS) {
        for path in fields {
            let (_, always) = field(&schema(tool), path).unwrap_or_else(|| panic!("{tool} has no {path}"));
            assert!(always, "{tool} {path}");
        }
    }
    for (tool, fields) in rows(OPTIONAL_FIELDS) {
        for (path, expected) in fields.into_iter().map(|entry| entry.split_once(':').unwrap()) {
            let (schema, _) = field(&schema(tool), path).unwrap_or_else(|| panic!("{tool} has no {path}"));
            assert_eq!(kind(&schema), expected, "{tool} {path}");
        }
    }
}

/// Every object of a schema, at any depth, `properties` maps themselves excepted.
fn visit(schema: &Value, look: &mut dyn FnMut(&Map<String, Value>)) {
    match schema {
        Value::Object(object) => {
            look(object);
            for (key, value) in object {
                match (key.as_str(), value) {
                    ("properties" | "$defs", Value::Object(named)) => named.values().for_each(|v| visit(v, look)),
                    ("default" | "enum" | "required", _) => {}
                    _ => visit(value, look),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| visit(value, look)),
        _ => {}
    }
}

#[test]
fn schemas_use_only_what_validators_know() {
    for tool in tools() {
        let output = tool.output_schema.as_ref().unwrap_or_else(|| panic!("{} has no output schema", tool.name));
        assert_eq!(output["type"], "object", "{}", tool.name);
        for schema in [&tool.input_schema, output] {
            visit(&Value::Object(schema.as_ref().clone()), &mut |object| {
                for word in ["format", "title", "$schema"] {
                    assert!(!object.contains_key(word), "{}: {word} in {object:?}", tool.name);
                }
                if let Some(name) = object.get("$ref").and_then(Value::as_str) {
                    let name = name.strip_prefix("#/$defs/").unwrap();
                    assert!(schema["$defs"].get(name).is_some(), "{}: {name} is defined", tool.name);
                }
            });
        }
    }
}

#[test]
fn the_server_names_itself_and_says_how_to_begin() {
    with_client(async |client| {
        let info = client.peer_info().unwrap();
        let server = info.server_info.as_ref().unwrap();
        assert_eq!((server.name.as_str(), server.version.as_str()), ("retrograde", env!("CARGO_PKG_VERSION")));
        let instructions = info.instructions.clone().unwrap();
        for word in
            ["rr_record", "rr_replay_start", "rr_watchpoint_set", "reverse", "session", "truncated", "rr_doctor"]
        {
            assert!(instructions.contains(word), "{word}");
        }
        assert!(instructions.len() < 1200, "{}", instructions.len());
    });
}

/// Arguments that each tool that needs a session accepts.
const WITH_SESSION: [(&str, &str); 33] = [
    ("rr_goto", r#"{"position": "1/2/3.3/0x4"}"#),
    ("rr_when", "{}"),
    ("rr_breakpoint_set", r#"{"location": 42, "condition": null}"#),
    ("rr_catch_set", r#"{"event": "throw"}"#),
    ("rr_breakpoint_update", r#"{"breakpoint_number": 1, "enabled": false}"#),
    ("rr_breakpoint_remove", r#"{"breakpoint_number": 1}"#),
    ("rr_breakpoint_list", "{}"),
    ("rr_watchpoint_set", r#"{"expression": "x"}"#),
    ("rr_command", "{\"command\": \"bt\"}"),
    ("rr_continue", "{}"),
    ("rr_step", "{}"),
    ("rr_next", r#"{"count": 3, "reverse": true}"#),
    ("rr_finish", "{}"),
    ("rr_interrupt", "{}"),
    ("rr_run_to_event", r#"{"event_number": 1}"#),
    ("rr_thread_list", "{}"),
    ("rr_threads_report", "{}"),
    ("rr_thread_select", r#"{"thread_id": 1}"#),
    ("rr_thread_select", r#"{"thread_id": "1"}"#),
    ("rr_select_frame", r#"{"frame_level": 0}"#),
    ("rr_backtrace", "{}"),
    ("rr_evaluate", r#"{"expression": "x", "format": "x"}"#),
    ("rr_locals", "{}"),
    ("rr_log", "{}"),
    ("rr_output", "{}"),
    ("rr_modules", "{}"),
    ("rr_read_memory", r#"{"address": "$sp"}"#),
    ("rr_registers", r#"{"register_names": ["rip"]}"#),
    ("rr_source_lines", "{}"),
    ("rr_checkpoint_save", "{}"),
    ("rr_checkpoint_restore", r#"{"checkpoint_id": 1}"#),
    ("rr_checkpoint_list", "{}"),
    ("rr_checkpoint_delete", r#"{"checkpoint_id": 1}"#),
];

#[test]
fn without_a_session_each_tool_says_what_to_call_first() {
    with_client(async |client| {
        for (tool, arguments) in WITH_SESSION {
            let mut arguments: Value = serde_json::from_str(arguments).unwrap();
            let none = "no replay session: call rr_replay_start first";
            assert_eq!(refusal(client, tool, arguments.clone()).await, none, "{tool}");
            arguments["session"] = json!("s7");
            let unknown = "unknown session \"s7\"; no session is open: call rr_replay_start first";
            assert_eq!(refusal(client, tool, arguments).await, unknown, "{tool}");
        }
    });
}

#[test]
fn null_is_accepted_for_every_optional_parameter() {
    with_client(async |client| {
        for (tool, arguments) in WITH_SESSION {
            let mut arguments: Value = serde_json::from_str(arguments).unwrap();
            let listed = client.list_all_tools().await.unwrap();
            let schema = listed.iter().find(|t| t.name == tool).unwrap().input_schema.clone();
            for name in schema["properties"].as_object().unwrap().keys().filter(|name| !is_required(&schema, name)) {
                arguments[name.as_str()] = Value::Null;
            }
            let none = "no replay session: call rr_replay_start first";
            assert_eq!(refusal(client, tool, arguments).await, none, "{tool}");
        }
    });
}

#[test]
fn an_unknown_parameter_is_answered_with_the_valid_ones() {
    with_client(async |client| {
        let message = refusal(client, "rr_continue", json!({"revers": true})).await;
        assert_eq!(
            message,
            "unknown parameter `revers` (did you mean `reverse`?): rr_continue takes reverse, background, session"
        );
        let message = refusal(client, "rr_session_list", json!({"session": "s1"})).await;
        assert_eq!(message, "unknown parameter `session`: rr_session_list takes no parameters");
    });
}

#[test]
fn bad_values_are_answered_with_the_valid_range() {
    with_client(async |client| {
        let cases = [
            ("rr_step", json!({"count": 0}), "`count` must be an integer from 1 to 10000, not 0"),
            ("rr_next", json!({"count": 10_001}), "`count` must be an integer from 1 to 10000, not 10001"),
            ("rr_next", json!({"count": -1}), "`count` must be an integer from 1 to 10000, not -1"),
            (
                "rr_step",
                json!({"count": "many"}),
                "`count` must be an integer from 1 to 10000, not the string \"many\"",
            ),
            ("rr_continue", json!({"reverse": "yes"}), "`reverse` must be true or false, not the string \"yes\""),
            (
                "rr_read_memory",
                json!({"address": "1", "count": 65_537}),
                "`count` must be an integer from 1 to 65536, not 65537",
            ),
            ("rr_source_lines", json!({"count": 501}), "`count` must be an integer from 1 to 500, not 501"),
            ("rr_run_to_event", json!({"event_number": -5}), "`event_number` must be an integer from 0, not -5"),
            ("rr_run_to_event", json!({}), "rr_run_to_event needs the parameter `event_number`: an integer from 0"),
            (
                "rr_watchpoint_set",
                json!({"expression": "x", "access_type": "rw"}),
                "`access_type` must be one of write, read, access, not the string \"rw\"",
            ),
            (
                "rr_evaluate",
                json!({"expression": "x", "format": "q"}),
                "`format` must be one of x, d, u, o, t, a, c, f, s, z, r, not the string \"q\"",
            ),
            ("rr_record", json!({"command": 7}), "`command` must be an array of strings, not 7"),
            ("rr_record", json!({"command": []}), "`command` must not be empty"),
            ("rr_record", json!({"command": ["x"], "trace_dir": ""}), "`trace_dir` must not be empty"),
            ("rr_record", json!({"command": ["x"], "working_directory": ""}), "`working_directory` must not be empty"),
            ("rr_replay_start", json!({"trace_dir": ""}), "`trace_dir` must not be empty"),
            ("rr_list_recordings", json!({"trace_base_dir": ""}), "`trace_base_dir` must not be empty"),
            ("rr_ps", json!({"trace_dir": ""}), "`trace_dir` must not be empty"),
            ("rr_traceinfo", json!({"trace_dir": ""}), "`trace_dir` must not be empty"),
            ("rr_rm", json!({"trace_dir": ""}), "`trace_dir` must not be empty"),
            ("rr_thread_select", json!({"thread_id": true}), "`thread_id` must be a string or an integer, not true"),
        ];
        for (tool, arguments, expected) in cases {
            assert_eq!(refusal(client, tool, arguments).await, expected, "{tool}");
        }
    });
}

#[test]
fn an_unknown_tool_is_answered_with_the_names() {
    with_client(async |client| {
        let message = refusal(client, "rr_reverse", json!({})).await;
        assert!(
            message.starts_with(
                "unknown tool \"rr_reverse\"; the tools are rr_attach, rr_backtrace, rr_breakpoint_list, "
            ),
            "{message}"
        );
        let message = refusal(client, "rr_backtrase", json!({})).await;
        assert!(message.starts_with("unknown tool \"rr_backtrase\" (did you mean `rr_backtrace`?); "), "{message}");
    });
}

#[test]
fn without_a_session_listing_and_stopping_are_no_errors() {
    with_client(async |client| {
        let list = call(client, "rr_session_list", json!({})).await;
        assert_eq!(list.is_error, Some(false));
        assert_eq!(list.structured_content, Some(json!({"result": []})));
        assert_eq!(text(&list), "no replay session: call rr_replay_start first");

        let stop = call(client, "rr_replay_stop", json!({})).await;
        assert_eq!(stop.is_error, Some(false));
        assert_eq!(stop.structured_content, Some(json!({"result": "No active replay session."})));

        let message = refusal(client, "rr_replay_stop", json!({"session": "s1"})).await;
        assert_eq!(message, "unknown session \"s1\"; no session is open: call rr_replay_start first");
    });
}
