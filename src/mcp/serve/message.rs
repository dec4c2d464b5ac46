//! What is wrong with the text of a message, as it is answered before rmcp sees the text.
//!
//! rmcp passes over a line that is not JSON, answers what is not a message without its id, and takes a known method with
//! wrong parameters for an unknown method. A client waits for an answer with the id that it has sent, so that each of
//! these gets one here: JSON-RPC 2.0 wants `-32700` for what cannot be parsed, `-32600` for what is not a request, and
//! `-32602` for parameters that a method does not take.

use crate::mcp::notify::SetLevel;
use rmcp::model::{
    CallToolRequestParams, CancelTaskParams, ClientJsonRpcMessage, ClientRequest, CompleteRequestParams, CustomRequest,
    DiscoverRequestParams, ErrorCode, ErrorData, GetPromptRequestParams, GetTaskParams, InitializeRequestParams,
    PaginatedRequestParams, ReadResourceRequestParams, RequestId, SubscribeRequestParams,
    SubscriptionsListenRequestParams, UnsubscribeRequestParams, UpdateTaskParams,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Levels of arrays and objects that serde_json reads.
const DEEPEST: usize = 127;

/// An answer to what is not a message.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The id of the request, if it can be read.
    pub(super) id: Option<RequestId>,
    pub(super) error: ErrorData,
}

impl Refusal {
    pub(super) fn invalid(id: Option<RequestId>, why: impl Into<String>) -> Self {
        Self { id, error: ErrorData::invalid_request(why.into(), None) }
    }

    fn unparsable(why: &str) -> Self {
        Self { id: None, error: ErrorData::parse_error(format!("this is not JSON: {why}"), None) }
    }
}

/// Checks that a text is a message with which rmcp knows what to do, and returns whether it begins a conversation.
#[expect(clippy::result_large_err, reason = "the refusal is the answer to the message")]
pub(super) fn check(bytes: &[u8]) -> Result<bool, Refusal> {
    let text = std::str::from_utf8(bytes).map_err(|e| Refusal::unparsable(&e.to_string()))?;
    match serde_json::from_str::<ClientJsonRpcMessage>(text) {
        Ok(ClientJsonRpcMessage::Request(request)) => match request.request {
            ClientRequest::InitializeRequest(_) => Ok(true),
            ClientRequest::CustomRequest(CustomRequest { method, params, .. }) => {
                // A method that is not known is rmcp's to answer: over HTTP, with a status of its own.
                match of_request(&method, params) {
                    error if error.code == ErrorCode::METHOD_NOT_FOUND => Ok(false),
                    error => Err(Refusal { id: Some(request.id), error }),
                }
            }
            _ => Ok(false),
        },
        Ok(_) => Ok(false),
        Err(_) => refuse(text).map_or(Ok(false), Err),
    }
}

/// Returns what to answer to a text that is not a message; nothing to a notification, which rmcp may pass over.
fn refuse(text: &str) -> Option<Refusal> {
    let value = match serde_json::from_str::<Value>(text) {
        Ok(value) => value,
        Err(error) if is_too_deep(&error) => {
            let why = format!("the message is nested more than {DEEPEST} deep");
            return Some(match nested_id(text) {
                Ok(id) => Refusal::invalid(id, why),
                Err(Unbalanced) => Refusal::unparsable(&error.to_string()),
            });
        }
        Err(error) => return Some(Refusal::unparsable(&error.to_string())),
    };
    let message = match &value {
        Value::Object(message) => message,
        Value::Array(_) => {
            return Some(Refusal::invalid(
                None,
                "a message is an object; batches are not supported, send one at a time",
            ));
        }
        other => return Some(Refusal::invalid(None, format!("a message is an object, not {}", kind(other)))),
    };
    let given = message.get("id");
    if given.is_none() && message.get("method").is_some_and(Value::is_string) {
        return None;
    }
    let id = given.and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
    // The id of a response is one of ours: what is wrong with a response has no id to be answered with.
    let is_response = message.contains_key("result") || message.contains_key("error");
    let why = if message.get("jsonrpc").is_none_or(|version| version != "2.0") {
        "`jsonrpc` must be \"2.0\"".to_owned()
    } else if given.is_some() && id.is_none() {
        "`id` must be a string or an integer".to_owned()
    } else if is_response {
        "this is not a response".to_owned()
    } else if let Some(method) = message.get("method").and_then(Value::as_str) {
        return Some(Refusal { id, error: of_request(method, message.get("params").cloned()) });
    } else {
        "`method` must be the name of a method".to_owned()
    };
    Some(Refusal::invalid(id.filter(|_| !is_response), why))
}

/// Returns the error of a request whose parameters no method takes.
fn of_request(method: &str, params: Option<Value>) -> ErrorData {
    match wrong_params(method, params) {
        Some(why) => ErrorData::invalid_params(format!("{method}: {why}"), None),
        None => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.to_owned(), None),
    }
}

fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Returns what is wrong with the parameters of a known method; nothing if the method is not known.
fn wrong_params(method: &str, params: Option<Value>) -> Option<String> {
    let given = params.unwrap_or_default();
    match method {
        "tools/call" => Some(wrong_call(&given)),
        "initialize" => Some(wrong::<InitializeRequestParams>(given)),
        "server/discover" => Some(wrong::<DiscoverRequestParams>(given)),
        "completion/complete" => Some(wrong::<CompleteRequestParams>(given)),
        "logging/setLevel" => Some(wrong::<SetLevel>(given)),
        "prompts/get" => Some(wrong::<GetPromptRequestParams>(given)),
        "prompts/list" | "resources/list" | "resources/templates/list" | "tools/list" => {
            Some(wrong::<PaginatedRequestParams>(given))
        }
        "resources/read" => Some(wrong::<ReadResourceRequestParams>(given)),
        "resources/subscribe" => Some(wrong::<SubscribeRequestParams>(given)),
        "resources/unsubscribe" => Some(wrong::<UnsubscribeRequestParams>(given)),
        "subscriptions/listen" => Some(wrong::<SubscriptionsListenRequestParams>(given)),
        "tasks/get" => Some(wrong::<GetTaskParams>(given)),
        "tasks/update" => Some(wrong::<UpdateTaskParams>(given)),
        "tasks/cancel" => Some(wrong::<CancelTaskParams>(given)),
        "ping" => Some("`params` must be an object".to_owned()),
        _ => None,
    }
}

fn wrong<P: DeserializeOwned>(params: Value) -> String {
    if let Some(why) = wrong_object(&params) {
        return why;
    }
    match serde_json::from_value::<P>(params) {
        Err(error) => error.to_string(),
        Ok(_) => "the parameters are not those of this method".to_owned(),
    }
}

/// Returns what is wrong with parameters of any method.
fn wrong_object(params: &Value) -> Option<String> {
    let Value::Object(object) = params else {
        return Some(match params {
            Value::Null => "it needs `params`, an object".to_owned(),
            other => format!("`params` must be an object, not {}", kind(other)),
        });
    };
    match object.get("_meta") {
        None | Some(Value::Null | Value::Object(_)) => None,
        Some(other) => Some(format!("`_meta` must be an object, not {}", kind(other))),
    }
}

fn wrong_call(params: &Value) -> String {
    if let Some(why) = wrong_object(params) {
        return why;
    }
    match params.get("name") {
        None => return "it needs `name`, the name of a tool".to_owned(),
        Some(Value::String(_)) => {}
        Some(other) => return format!("`name` must be the name of a tool, not {}", kind(other)),
    }
    match params.get("arguments") {
        None | Some(Value::Null | Value::Object(_)) => wrong::<CallToolRequestParams>(params.clone()),
        Some(other) => format!("`arguments` must be an object, not {}", kind(other)),
    }
}

/// Arrays and objects that do not end, or end as the other.
struct Unbalanced;

/// Finds the id of a message that is nested too deep to be read.
fn nested_id(text: &str) -> Result<Option<RequestId>, Unbalanced> {
    let bytes = text.as_bytes();
    let mut closers: Vec<u8> = Vec::new();
    // The member of the outermost object that is being read, and whether its name is over.
    let (mut name, mut is_value) = (String::new(), false);
    let mut id = None;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let begin = at;
        at += 1;
        match byte {
            b'{' => closers.push(b'}'),
            b'[' => closers.push(b']'),
            b'}' | b']' => {
                if closers.pop() != Some(*byte) {
                    return Err(Unbalanced);
                }
            }
            b':' if closers.len() == 1 => is_value = true,
            b',' if closers.len() == 1 => is_value = false,
            b'"' => {
                at = end_of_string(bytes, at).ok_or(Unbalanced)?;
                if closers == [b'}'] && !is_value {
                    name = serde_json::from_str(text.get(begin..at).unwrap_or_default()).map_err(|_| Unbalanced)?;
                }
            }
            byte if byte.is_ascii_whitespace() || matches!(byte, b':' | b',') => continue,
            _ => {
                let rest = bytes.get(at..).unwrap_or_default();
                let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b']' | b'}');
                at += rest.iter().position(ends).unwrap_or(rest.len());
            }
        }
        if closers == [b'}'] && is_value && name == "id" && *byte != b':' {
            id = text.get(begin..at).and_then(|value| serde_json::from_str(value).ok());
        }
    }
    if closers.is_empty() { Ok(id) } else { Err(Unbalanced) }
}

/// Returns where a string ends whose content begins at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{self, Target};
    use serde_json::json;

    /// The id and the code of the answer to a text, and what it says.
    fn refused(text: &str) -> (Value, i32, String) {
        let refusal = check(text.as_bytes()).expect_err(text);
        let id = refusal.id.map_or(Value::Null, RequestId::into_json_value);
        (id, refusal.error.code.0, refusal.error.message.into_owned())
    }

    fn called(params: Value) -> (i32, String) {
        let call = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": params});
        let (id, code, why) = refused(&call.to_string());
        assert_eq!(id, 5, "{why}");
        (code, why)
    }

    #[test]
    fn messages_pass() {
        let initialize = json!({
            "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}
            }
        });
        assert!(check(initialize.to_string().as_bytes()).unwrap());
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/paint","params":7}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}"#,
        ] {
            assert!(!check(text.as_bytes()).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}")), "{text}");
        }
    }

    #[test]
    fn what_is_not_json_has_no_id() {
        for text in ["this", r#"{"jsonrpc":"2.0","id":5,"method":"ping""#, r#"{"id":5,}"#] {
            let (id, code, why) = refused(text);
            assert_eq!((id, code), (Value::Null, -32700), "{why}");
            assert!(why.starts_with("this is not JSON: "), "{why}");
        }
        assert_eq!(check(b"\"\xff\"").unwrap_err().error.code.0, -32700);
    }

    #[test]
    fn an_invalid_request_is_answered_with_its_id() {
        for (text, id, why) in [
            (r#"{"id":5,"method":"ping"}"#, json!(5), "`jsonrpc` must be \"2.0\""),
            (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, json!("a"), "`jsonrpc` must be \"2.0\""),
            (r#"{"jsonrpc":"2.0","id":5}"#, json!(5), "`method` must be the name of a method"),
            (r#"{"jsonrpc":"2.0","id":5,"method":7}"#, json!(5), "`method` must be the name of a method"),
            (r#"{"jsonrpc":"2.0","id":[5],"method":"ping"}"#, json!(null), "`id` must be a string or an integer"),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null), "`id` must be a string or an integer"),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(null), "`id` must be a string or an integer"),
            (r#"{"jsonrpc":"2.0","id":5,"error":7}"#, json!(null), "this is not a response"),
            (r#"{"is":"no message"}"#, json!(null), "`jsonrpc` must be \"2.0\""),
            ("7", json!(null), "a message is an object, not a number"),
        ] {
            assert_eq!(refused(text), (id, -32600, why.to_owned()), "{text}");
        }
        let (id, code, why) = refused(r#"[{"jsonrpc":"2.0","id":5,"method":"ping"}]"#);
        assert_eq!((id, code), (Value::Null, -32600));
        assert!(why.contains("batches are not supported"), "{why}");
    }

    #[test]
    fn a_malformed_call_says_what_is_wrong() {
        for (params, why) in [
            (json!(null), "tools/call: it needs `params`, an object"),
            (json!([]), "tools/call: `params` must be an object, not an array"),
            (json!({}), "tools/call: it needs `name`, the name of a tool"),
            (json!({"name": 5}), "tools/call: `name` must be the name of a tool, not a number"),
            (json!({"name": "rr_when", "arguments": []}), "tools/call: `arguments` must be an object, not an array"),
            (json!({"name": "rr_when", "arguments": "x"}), "tools/call: `arguments` must be an object, not a string"),
            (json!({"name": "rr_when", "_meta": 5}), "tools/call: `_meta` must be an object, not a number"),
        ] {
            assert_eq!(called(params), (-32602, why.to_owned()));
        }
    }

    #[test]
    fn an_unknown_method_is_no_wrong_parameter() {
        let request = |params| json!({"jsonrpc": "2.0", "id": 5, "method": "paint", "params": params}).to_string();
        for params in [json!([1]), json!(7)] {
            assert_eq!(refused(&request(params)), (json!(5), -32601, "paint".to_owned()));
        }
        for text in [request(json!({"a": 1})), r#"{"jsonrpc":"2.0","id":5,"method":"paint"}"#.to_owned()] {
            assert!(!check(text.as_bytes()).unwrap());
        }
    }

    #[test]
    fn malformed_parameters_of_other_methods_are_no_unknown_methods() {
        for (method, params) in [
            ("initialize", json!({"protocolVersion": 7})),
            ("resources/read", json!({})),
            ("resources/subscribe", json!({"uri": 7})),
            ("prompts/get", json!({"name": []})),
            ("completion/complete", json!({"ref": {}})),
            ("logging/setLevel", json!({"level": "loud"})),
            ("tools/list", json!([7])),
            ("tasks/get", json!({})),
            ("ping", json!(7)),
        ] {
            let request = json!({"jsonrpc": "2.0", "id": 5, "method": method, "params": params});
            let (id, code, why) = refused(&request.to_string());
            assert_eq!((id, code), (json!(5), -32602), "{why}");
            assert!(why.starts_with(&format!("{method}: ")), "{why}");
        }
    }

    #[test]
    fn fuzz_json_lines() {
        let deep = format!(r#"{{"jsonrpc":"2.0","id":5,"a":{}{}}}"#, "[".repeat(127), "]".repeat(127));
        let target = Target {
            name: "JSON lines",
            seeds: fuzz::texts(&[
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rr_when","arguments":{"a":[1,"x"]}}}"#,
                r#"{"jsonrpc":"2.0","id":"\u0069","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"x"}}"#,
                &deep,
            ]),
            dictionary: &[
                b"{",
                b"}",
                b"[",
                b"]",
                b",",
                b":",
                b"\"",
                b"\\",
                b"\\u",
                b"null",
                b"\"id\":",
                b"\"params\":",
                b"1e999",
                b"-0",
                b"[[[[[[[[[[[[[[[[",
                b"]]]]]]]]]]]]]]]]",
                b"\"method\":\"tools/call\"",
                b"\"_meta\":{}",
                b"\xff",
            ],
        };
        target.run(|input, _| {
            // Whatever is refused is answered in JSON.
            if let Err(refusal) = check(input) {
                let answer = rmcp::model::ServerJsonRpcMessage::error(refusal.error, refusal.id);
                assert!(check(&serde_json::to_vec(&answer).unwrap()).is_ok());
            }
        });
    }

    #[test]
    fn the_id_of_what_is_nested_too_deep_is_found() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let message = |before: &str, levels: usize, after: &str| {
            format!(r#"{{"jsonrpc":"2.0",{before}"method":"ping","params":{{"a":{}}}{after}}}"#, deep(levels))
        };
        assert!(check(message(r#""id":5,"#, DEEPEST - 2, "").as_bytes()).is_ok());
        let too_deep = "the message is nested more than 127 deep";
        for levels in [DEEPEST - 1, 1_000_000] {
            for (before, after, id) in [
                (r#""id":5,"#, "", json!(5)),
                ("", r#","id" : "a\"b""#, json!("a\"b")),
                ("", r#" , "\u0069d":-7 "#, json!(-7)),
                (r#""x":"id","y":["id",9],"#, "", json!(null)),
                (r#""x":{"id":9},"#, "", json!(null)),
                (r#""id":[9],"#, "", json!(null)),
            ] {
                let (read, code, why) = refused(&message(before, levels, after));
                assert_eq!((read, code, why.as_str()), (id, -32600, too_deep), "{before} {after}");
            }
        }
        for text in
            ["[".repeat(200), format!("{}}}", "[".repeat(200)), format!("{{\"id\":5,\"a\":{}\"", "[".repeat(200))]
        {
            assert_eq!(refused(&text).1, -32700);
        }
    }
}
