//! Parameters by the names that other tools give them.
//!
//! One tool takes a `location`, another `locations`, a third a `function`: who has used one of them calls the parameter of
//! the next one the same. It is taken where only one parameter of the tool can be meant.

use serde_json::{Map, Value};

/// Names of one thing. A tool has at most one parameter of each row.
const ROWS: &[&[&str]] = &[
    &["location", "locations", "function", "functions", "breakpoint_location"],
    &["expression", "expressions", "values", "variable", "variables"],
    &["condition", "where", "if"],
    &["breakpoint_number", "breakpoint", "breakpoint_id", "watchpoint_number", "watchpoint", "number"],
    &["checkpoint_id", "checkpoint", "checkpoint_number", "number"],
    &["event_number", "event"],
    &["frame_level", "frame", "level", "frame_number", "number"],
    &["tid", "thread", "thread_id"],
    &["trace_dir", "trace", "recording"],
    &["position", "moment"],
    &["address", "expression"],
    &["address", "addr", "pointer"],
    &["register_names", "registers", "names", "register"],
    &["ignore_count", "ignore"],
    &["session", "session_id"],
    &["job", "job_id"],
    &["reverse", "backward", "backwards"],
    &["instruction", "instructions", "by_instruction"],
    &["count", "limit", "max_depth", "max_frames", "max_results", "depth", "length", "size", "times", "n"],
    &["from", "offset", "start"],
    &["to", "end"],
    &["pid", "process", "process_id"],
    &["kind", "access_type", "access", "type"],
    &["temporary", "once"],
    &["note", "label", "name"],
    &["line", "line_number"],
    &["file", "path", "filename"],
    &["command", "program", "argv", "cmd"],
    &["working_directory", "cwd", "directory"],
    &["env", "environment"],
    &["timeout", "timeout_seconds"],
    &["syscall_buffer", "buffer"],
];

/// A parameter, the switch that it means, and its words.
type Switch = (&'static str, &'static str, &'static [(&'static str, bool)]);

/// What an argument with a word as its value sets: `direction: "reverse"` is `reverse: true`.
const SWITCHES: &[Switch] = &[
    (
        "direction",
        "reverse",
        &[
            ("reverse", true),
            ("backward", true),
            ("backwards", true),
            ("back", true),
            ("forward", false),
            ("forwards", false),
        ],
    ),
    ("granularity", "instruction", &[("instruction", true), ("line", false), ("statement", false)]),
];

/// Gives the arguments the names that the tool's own parameters have. An argument keeps its name where that is one of
/// them, where none or several could be meant, and where the one that is meant has a value already.
pub(super) fn by_own_names(given: Map<String, Value>, properties: &Map<String, Value>) -> Map<String, Value> {
    let (named, mut others): (Vec<_>, Vec<_>) = given.into_iter().partition(|(name, _)| properties.contains_key(name));
    let list_of = |name: &str, value| if is_list(name, properties) { as_list(name, value) } else { value };
    let mut named: Map<_, _> = named.into_iter().map(|(name, value)| (name.clone(), list_of(&name, value))).collect();
    // A program and what it is given are one command line.
    let arguments = position(&others, "args").filter(|_| is_list("command", properties)).map(|at| others.remove(at).1);
    for (name, value) in others {
        if let Some((own, is_set)) = switch(&name, &value, properties).filter(|(own, _)| !named.contains_key(*own)) {
            named.insert(own.to_owned(), Value::Bool(is_set));
            continue;
        }
        match parameter_for(&name, properties).filter(|own| named.get(*own).is_none_or(Value::is_null)) {
            Some(own) if is_list(own, properties) => {
                let list = if name == "program" { Value::Array(vec![value]) } else { as_list(own, value) };
                named.insert(own.to_owned(), list)
            }
            Some(own) => named.insert(own.to_owned(), the_only_one(value)),
            None => named.insert(name, value),
        };
    }
    match (named.get_mut("command"), arguments) {
        (Some(Value::Array(command)), Some(Value::Array(more))) => command.extend(more),
        (_, Some(arguments)) => drop(named.insert("args".to_owned(), arguments)),
        (_, None) => {}
    }
    named
}

fn position(all: &[(String, Value)], name: &str) -> Option<usize> {
    all.iter().position(|(given, _)| given == name)
}

/// Returns whether a tool has a parameter that takes a list.
fn is_list(name: &str, properties: &Map<String, Value>) -> bool {
    let kind = properties.get(name).and_then(|schema| schema.get("type"));
    kind.is_some_and(|kind| kind == "array" || kind.as_array().is_some_and(|kinds| kinds.contains(&"array".into())))
}

/// Returns the parameter that a word sets, if the tool has it.
fn switch(name: &str, value: &Value, properties: &Map<String, Value>) -> Option<(&'static str, bool)> {
    let (_, own, words) = SWITCHES.iter().find(|(given, ..)| *given == name)?;
    let (_, is_set) = words.iter().find(|(word, _)| value.as_str() == Some(word))?;
    properties.contains_key(*own).then_some((own, *is_set))
}

/// Returns the parameter of a tool that is meant by a name that none of its parameters has. `None`: none, or one of
/// several.
fn parameter_for<'a>(name: &str, properties: &'a Map<String, Value>) -> Option<&'a str> {
    let rows = ROWS.iter().filter(|row| row.contains(&name));
    let mut candidates = properties.keys().map(String::as_str).filter(|own| rows.clone().any(|row| row.contains(own)));
    candidates.next().filter(|_| candidates.next().is_none())
}

/// Characters that a shell understands in its own way.
const OF_SHELL: &[char] =
    &['\'', '"', '\\', '$', '|', '&', ';', '<', '>', '(', ')', '{', '}', '*', '?', '~', '`', '#', '['];

/// Makes a list of a string that was given for one: of a command line its words, where a shell would take the same.
fn as_list(name: &str, value: Value) -> Value {
    match value {
        Value::String(line) if name == "command" && !line.contains(OF_SHELL) => {
            Value::Array(line.split_whitespace().map(Value::from).collect())
        }
        Value::String(_) if name != "command" => Value::Array(vec![value]),
        value => value,
    }
}

/// Takes the only element of a list that was given where one is needed.
fn the_only_one(value: Value) -> Value {
    match value {
        Value::Array(mut list) if list.len() == 1 => list.remove(0),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn own_name(name: &str, own: &[&str]) -> Option<String> {
        let properties = own.iter().map(|own| ((*own).to_owned(), json!({}))).collect();
        parameter_for(name, &properties).map(str::to_owned)
    }

    #[test]
    fn a_name_of_another_tool_means_the_only_parameter_that_it_can() {
        assert_eq!(own_name("location", &["locations", "values", "where"]).as_deref(), Some("locations"));
        assert_eq!(own_name("expressions", &["locations", "values", "where"]).as_deref(), Some("values"));
        assert_eq!(own_name("number", &["frame_level", "session"]).as_deref(), Some("frame_level"));
        assert_eq!(own_name("condition", &["locations", "values", "where"]).as_deref(), Some("where"));
        assert_eq!(own_name("function", &["location", "condition"]).as_deref(), Some("location"));
        assert_eq!(own_name("thread_id", &["tid", "pid"]).as_deref(), Some("tid"));
        // A list of threads has neither.
        assert_eq!(own_name("location", &["count", "from"]), None);
        assert_eq!(own_name("nowhere", &["count", "from"]), None);
        // Each of two could be meant.
        assert_eq!(own_name("number", &["breakpoint_number", "checkpoint_id"]), None);
    }

    #[test]
    fn words_and_command_lines() {
        let properties = json!({"reverse": {}, "instruction": {}, "command": {"type": "array"}});
        let named = |given: Value| Value::Object(by_own_names(object(given), &object(properties.clone())));
        assert_eq!(named(json!({"direction": "back"})), json!({"reverse": true}));
        assert_eq!(named(json!({"direction": "forward"})), json!({"reverse": false}));
        assert_eq!(named(json!({"direction": "up"})), json!({"direction": "up"}));
        assert_eq!(named(json!({"granularity": "instruction"})), json!({"instruction": true}));
        assert_eq!(named(json!({"program": "a", "args": ["b", "c"]})), json!({"command": ["a", "b", "c"]}));
        assert_eq!(named(json!({"args": ["b"]})), json!({"args": ["b"]}));
    }

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn one_is_a_list_of_one() {
        assert_eq!(as_list("locations", json!("f")), json!(["f"]));
        assert_eq!(as_list("locations", json!(["f", "g"])), json!(["f", "g"]));
        assert_eq!(as_list("command", json!("./a --b c")), json!(["./a", "--b", "c"]));
        assert_eq!(as_list("command", json!("./a 'b c'")), json!("./a 'b c'"));
        assert_eq!(the_only_one(json!(["f"])), json!("f"));
        assert_eq!(the_only_one(json!(["f", "g"])), json!(["f", "g"]));
        assert_eq!(the_only_one(json!(3)), json!(3));
    }
}
