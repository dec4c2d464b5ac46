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
    &["frame_level", "frame", "level"],
    &["tid", "thread", "thread_id"],
    &["trace_dir", "trace", "recording"],
    &["position", "moment"],
    &["address", "expression"],
    &["register_names", "registers", "names"],
    &["ignore_count", "ignore"],
    &["session", "session_id"],
    &["job", "job_id"],
];

/// Names of which a tool's parameter takes many, or many may be given for one.
const PLURALS: &[&str] = &["locations", "functions", "expressions", "values", "variables"];

/// Gives the arguments the names that the tool's own parameters have. An argument keeps its name where that is one of
/// them, where none or several could be meant, and where the one that is meant has a value already.
pub(super) fn by_own_names(given: Map<String, Value>, properties: &Map<String, Value>) -> Map<String, Value> {
    let (mut named, others): (Map<_, _>, Map<_, _>) =
        given.into_iter().partition(|(name, _)| properties.contains_key(name));
    for (name, value) in others {
        match parameter_for(&name, properties).filter(|own| named.get(*own).is_none_or(Value::is_null)) {
            Some(own) => named.insert(own.to_owned(), reshaped(&name, own, value)),
            None => named.insert(name, value),
        };
    }
    named
}

/// Returns the parameter of a tool that is meant by a name that none of its parameters has. `None`: none, or one of
/// several.
fn parameter_for<'a>(name: &str, properties: &'a Map<String, Value>) -> Option<&'a str> {
    let rows = ROWS.iter().filter(|row| row.contains(&name));
    let mut candidates = properties.keys().map(String::as_str).filter(|own| rows.clone().any(|row| row.contains(own)));
    candidates.next().filter(|_| candidates.next().is_none())
}

/// Makes a list of one of a value that was given for one of many, and the other way round.
fn reshaped(given: &str, own: &str, value: Value) -> Value {
    match (PLURALS.contains(&given), PLURALS.contains(&own), value) {
        (false, true, value @ Value::String(_)) => Value::Array(vec![value]),
        (true, false, Value::Array(mut list)) if list.len() == 1 => list.remove(0),
        (.., value) => value,
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
    fn one_is_a_list_of_one() {
        assert_eq!(reshaped("location", "locations", json!("f")), json!(["f"]));
        assert_eq!(reshaped("locations", "function", json!(["f"])), json!("f"));
        assert_eq!(reshaped("locations", "function", json!(["f", "g"])), json!(["f", "g"]));
        assert_eq!(reshaped("expressions", "values", json!(["a", "b"])), json!(["a", "b"]));
        assert_eq!(reshaped("thread", "tid", json!(3)), json!(3));
    }
}
