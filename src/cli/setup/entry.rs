//! Our entry in a client's configuration: what it has to say, and what the user has added to it.

use serde_json::{Map, Value, json};
use std::path::Path;

/// The variable that says which rr is used.
pub(super) const CHOSEN_RR: &str = "RETROGRADE_RR";

/// How a client's entry is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `command`, `args`, `env`
    Plain,
    /// The same with `"type": "stdio"`.
    Typed,
    /// `"type": "local"`, the program and its arguments in `command`, and `environment`.
    Local,
}

/// How the server is to be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) program: String,
    /// Which tools are shown, if the user has said so.
    pub(super) tools: Option<String>,
    /// The rr that the user has chosen.
    pub(super) rr: Option<String>,
}

impl Start {
    /// Returns the start of a program.
    pub(super) fn of(program: &Path) -> Self {
        Self { program: program.to_string_lossy().into_owned(), ..Self::default() }
    }
}

impl Shape {
    /// Returns an entry. Of the user's `own`, arguments, variables and all other members are kept.
    pub(super) fn entry(self, start: &Start, own: Option<&Map<String, Value>>) -> Map<String, Value> {
        let mut entry = own.cloned().unwrap_or_default();
        let list = |name: &str| own.and_then(|own| own.get(name)).and_then(Value::as_array).cloned();
        let environment = match self {
            Self::Plain | Self::Typed => {
                if self == Self::Typed {
                    entry.insert("type".to_owned(), json!("stdio"));
                }
                entry.insert("command".to_owned(), json!(start.program));
                entry.insert("args".to_owned(), json!(with_tools(list("args").unwrap_or_default(), start)));
                "env"
            }
            Self::Local => {
                let arguments = list("command").unwrap_or_default().into_iter().skip(1).collect();
                let command = [json!(start.program)].into_iter().chain(with_tools(arguments, start));
                entry.insert("type".to_owned(), json!("local"));
                entry.insert("command".to_owned(), command.collect());
                entry.entry("enabled").or_insert(json!(true));
                "environment"
            }
        };
        if let Some(rr) = &start.rr {
            let variables = entry.entry(environment).or_insert_with(|| json!({}));
            match variables {
                Value::Object(variables) => drop(variables.insert(CHOSEN_RR.to_owned(), json!(rr))),
                other => *other = json!({ CHOSEN_RR: rr }),
            }
        }
        entry
    }
}

/// Sets which tools are shown.
fn with_tools(mut arguments: Vec<Value>, start: &Start) -> Vec<Value> {
    let Some(tools) = &start.tools else { return arguments };
    let is_joined = |argument: &Value| argument.as_str().is_some_and(|text| text.starts_with("--tools="));
    arguments.retain(|argument| !is_joined(argument));
    if let Some(at) = arguments.iter().position(|argument| argument == "--tools") {
        arguments.drain(at..(at + 2).min(arguments.len()));
    }
    arguments.splice(0..0, [json!("--tools"), json!(tools)]);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(object) => object,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn an_entry_has_the_shape_of_its_client() {
        let start = Start::of(Path::new("/bin/retrograde"));
        let chosen = Start { tools: Some("core".to_owned()), rr: Some("/opt/rr".to_owned()), ..start.clone() };
        let text = |shape: Shape, start: &Start| Value::Object(shape.entry(start, None)).to_string();
        assert_eq!(text(Shape::Plain, &start), r#"{"command":"/bin/retrograde","args":[]}"#);
        assert_eq!(text(Shape::Typed, &start), r#"{"type":"stdio","command":"/bin/retrograde","args":[]}"#);
        assert_eq!(text(Shape::Local, &start), r#"{"type":"local","command":["/bin/retrograde"],"enabled":true}"#);
        assert_eq!(
            text(Shape::Plain, &chosen),
            r#"{"command":"/bin/retrograde","args":["--tools","core"],"env":{"RETROGRADE_RR":"/opt/rr"}}"#
        );
        let local = object(json!({"type": "local", "command": ["/bin/retrograde", "--tools", "core"], "enabled": true,
            "environment": {"RETROGRADE_RR": "/opt/rr"}}));
        assert_eq!(Shape::Local.entry(&chosen, None), local);
    }

    #[test]
    fn what_the_user_has_given_an_entry_is_kept() {
        let own = object(json!({"command": "/old", "args": ["--tools", "all", "--x"], "env": {"A": "1"}, "off": true}));
        let start = Start { program: "/new".to_owned(), tools: None, rr: Some("/y".to_owned()) };
        let expected = json!({"command": "/new", "args": ["--tools", "all", "--x"],
            "env": {"A": "1", "RETROGRADE_RR": "/y"}, "off": true});
        assert_eq!(Value::Object(Shape::Plain.entry(&start, Some(&own))), expected);
        let tools = Start { tools: Some("core".to_owned()), ..start };
        let entry = Shape::Plain.entry(&tools, Some(&own));
        assert_eq!(entry["args"], json!(["--tools", "core", "--x"]));
        let own = object(json!({"command": ["/old", "--tools=all"], "enabled": false, "environment": 3}));
        let entry = Shape::Local.entry(&tools, Some(&own));
        assert_eq!(entry["command"], json!(["/new", "--tools", "core"]));
        assert_eq!((&entry["enabled"], &entry["environment"]), (&json!(false), &json!({"RETROGRADE_RR": "/y"})));
    }
}
