//! Messages: requests as they come, responses and events as they are sent.

use super::frames;
use crate::replay;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// A request of the editor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Request {
    /// Its number, which the response has.
    pub(super) seq: i64,
    /// `stackTrace`
    pub(super) command: String,
    /// Empty if it has none.
    pub(super) arguments: Value,
}

impl Request {
    /// Reads a request; `None` for a response, of which none is waited for.
    ///
    /// # Errors
    /// What is wrong with the message, and the number that it has, 0 if it has none.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<Self>, (i64, String)> {
        let message: Value = serde_json::from_slice(bytes).map_err(|error| (0, format!("no JSON: {error}")))?;
        let seq = message.get("seq").and_then(Value::as_i64);
        let wrong = |words: &str| (seq.unwrap_or(0), words.to_owned());
        match message.get("type").and_then(Value::as_str) {
            Some("request") => {}
            Some("response") => return Ok(None),
            _ => return Err(wrong("a message is to have the `type` \"request\"")),
        }
        let command = message.get("command").and_then(Value::as_str);
        let command = command.ok_or_else(|| wrong("a request is to have a `command`"))?.to_owned();
        let seq = seq.ok_or_else(|| wrong("a request is to have a `seq`, which is a number"))?;
        let arguments = message.get("arguments").cloned().filter(|arguments| !arguments.is_null());
        Ok(Some(Self { seq, command, arguments: arguments.unwrap_or_else(|| Value::Object(Map::new())) }))
    }

    /// Reads the arguments.
    pub(super) fn arguments<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        T::deserialize(&self.arguments).map_err(|error| Refusal::new(format!("{}: {error}", self.command)))
    }
}

/// Why a request is not carried out, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    words: String,
    /// The word that the protocol has for it: `cancelled`, `notStopped`.
    word: Option<&'static str>,
    /// Whether nothing can be asked of the replay any more.
    pub(super) is_fatal: bool,
}

impl Refusal {
    pub(super) fn new(words: impl Into<String>) -> Self {
        Self { words: words.into(), word: None, is_fatal: false }
    }

    /// Creates the refusal of what needs a replay that stands still.
    pub(super) fn not_stopped() -> Self {
        Self { word: Some("notStopped"), ..Self::new("the replay is moving: pause it first") }
    }

    /// Says whether nothing can be asked of the replay any more.
    pub(super) fn fatal(self, is_fatal: bool) -> Self {
        Self { is_fatal, ..self }
    }

    pub(super) fn words(&self) -> &str {
        &self.words
    }
}

impl From<replay::Error> for Refusal {
    fn from(error: replay::Error) -> Self {
        let word = (error.kind() == replay::ErrorKind::Cancelled).then_some("cancelled");
        Self { words: error.to_string(), word, is_fatal: error.is_fatal() }
    }
}

/// The way to the editor. Clones are the same.
#[derive(Clone)]
pub(super) struct Client(Arc<Mutex<Line>>);

struct Line {
    output: Box<dyn Write + Send>,
    /// The number of the last message.
    seq: i64,
}

impl Client {
    /// Creates the way to an editor that reads this.
    pub(super) fn new(output: Box<dyn Write + Send>) -> Self {
        Self(Arc::new(Mutex::new(Line { output, seq: 0 })))
    }

    /// Answers a request.
    pub(super) fn respond(&self, request: &Request, answer: Result<Value, Refusal>) {
        self.answer(request.seq, &request.command, answer);
    }

    /// Answers what is no request.
    pub(super) fn complain(&self, seq: i64, words: &str) {
        self.answer(seq, "", Err(Refusal::new(words)));
    }

    fn answer(&self, seq: i64, command: &str, answer: Result<Value, Refusal>) {
        let mut response = json!({"type": "response", "request_seq": seq, "command": command});
        response["success"] = answer.is_ok().into();
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => response["body"] = body,
            Err(refusal) => {
                response["message"] = refusal.word.unwrap_or(&refusal.words).into();
                response["body"] = json!({"error": {"id": 1, "format": refusal.words, "showUser": false}});
            }
        }
        self.send(response);
    }

    /// Tells of something that has happened.
    pub(super) fn event(&self, name: &str, body: impl Serialize) {
        self.send(json!({"type": "event", "event": name, "body": body_of(body)}));
    }

    /// Shows a line in the editor's console.
    pub(super) fn say(&self, category: &str, text: &str) {
        self.event("output", json!({"category": category, "output": format!("{text}\n")}));
    }

    fn send(&self, message: Value) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        line.seq += 1;
        let mut message = message;
        message["seq"] = line.seq.into();
        tracing::trace!("to the editor: {message}");
        let text = message.to_string();
        if let Err(error) = frames::write(&mut *line.output, text.as_bytes()) {
            // That it has gone is noticed where it is read from.
            tracing::debug!("the client does not read: {error}");
        }
    }
}

/// Returns a body as JSON. What is not there is left out: the protocol knows no null.
pub(super) fn body_of(body: impl Serialize) -> Value {
    let mut value = serde_json::to_value(body).unwrap_or_default();
    leave_out_nulls(&mut value);
    value
}

fn leave_out_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(leave_out_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out_nulls),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_wrong_with_a_message_is_told_with_its_number() {
        let wrong = |text: &str| Request::parse(text.as_bytes()).unwrap_err();
        assert_eq!(wrong("{").0, 0);
        assert_eq!(wrong("[]").1, "a message is to have the `type` \"request\"");
        assert_eq!(wrong(r#"{"seq": 7, "type": "request"}"#), (7, "a request is to have a `command`".to_owned()));
        assert_eq!(wrong(r#"{"type": "request", "command": "next"}"#).0, 0);
        assert_eq!(Request::parse(br#"{"seq": 1, "type": "response"}"#), Ok(None));
        let request = Request::parse(br#"{"seq": 3, "type": "request", "command": "threads", "arguments": null}"#);
        assert_eq!(request.unwrap().unwrap(), Request { seq: 3, command: "threads".to_owned(), arguments: json!({}) });
    }

    #[test]
    fn what_is_not_there_is_left_out() {
        assert_eq!(body_of(json!({"a": null, "b": [{"c": null, "d": 1}]})), json!({"b": [{"d": 1}]}));
    }

    proptest! {
        #[test]
        fn no_message_makes_it_panic(bytes: Vec<u8>, text in r#"\{("seq"|"type"|"command"|"request"|[:,0-9{}\[\]])*\}"#) {
            let _ = Request::parse(&bytes);
            let _ = Request::parse(text.as_bytes());
        }
    }
}
