//! Shortens what `tools/list` has of a tool, because every client pays for it in every session.
//!
//! The schema of a tool, which checks its calls, and the documentation have more:
//!
//! * The list has the first paragraph of a tool's description. List items after it are for the documentation. (Items,
//!   because the macro of rmcp drops empty lines between paragraphs.)
//! * The list has the first paragraph of a parameter's description, unless the attribute [`SHORT`] has a shorter one. `false` there means
//!   that the name of the parameter is enough.
//! * The list has no bounds and no `additionalProperties`: an error reports them to a client that violates them.
//! * The list has no defaults of 0 and of empty lists.
//! * The list has the names of result fields that are always present. Some tools describe them in [full](DETAILED),
//!   for clients that build on the answers of karellen-rr-mcp, with its [fields](ORIGINAL).

use rmcp::model::Tool;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;

type Object = Map<String, Value>;

/// The tools for tracing a failure back, which `--tools core` lists.
pub(crate) const CORE: [&str; 15] = [
    "rr_backtrace",
    "rr_calls",
    "rr_command",
    "rr_continue",
    "rr_evaluate",
    "rr_explain",
    "rr_goto",
    "rr_last_write",
    "rr_locals",
    "rr_next",
    "rr_origin",
    "rr_output",
    "rr_record",
    "rr_replay_start",
    "rr_trace",
];
/// The tools whose results are described with their parts.
const DETAILED: [&str; 7] =
    ["rr_backtrace", "rr_breakpoint_list", "rr_breakpoint_set", "rr_continue", "rr_locals", "rr_ps", "rr_thread_list"];
/// Fields of results that are described though they are not always there, if they are described at all.
const ORIGINAL: [&str; 20] = [
    "address",
    "args",
    "breakpoint_number",
    "cmd",
    "condition",
    "exit_code",
    "file",
    "frame",
    "function",
    "line",
    "name",
    "ppid",
    "reason",
    "signal_meaning",
    "signal_name",
    "state",
    "target_id",
    "truncated",
    "type",
    "value",
];
/// The attribute of a parameter with its text in the list: `#[schemars(extend("short" = "…"))]`.
const SHORT: &str = "short";
/// Keywords that the list omits.
const BOUNDS: [&str; 5] = ["minimum", "maximum", "minLength", "maxLength", "minItems"];

/// Returns a tool as clients see it.
pub(crate) fn listed(mut tool: Tool) -> Tool {
    tool.description = tool.description.as_deref().map(first_paragraph).map(Cow::Owned);
    let input = Arc::make_mut(&mut tool.input_schema);
    input.shift_remove("additionalProperties");
    let parameters = input.get_mut("properties").and_then(Value::as_object_mut);
    parameters.into_iter().flat_map(|p| p.values_mut()).filter_map(Value::as_object_mut).for_each(shorten_parameter);
    if let Some(output) = tool.output_schema.as_mut().map(Arc::make_mut) {
        if DETAILED.contains(&tool.name.as_ref()) {
            leave_out_additions(output);
            leave_out_unreferenced(output);
        } else {
            leave_out_details(output);
        }
    }
    tool
}

/// Returns a description as the documentation has it, in one line.
#[cfg(test)]
pub(crate) fn documented(description: &str) -> String {
    in_one_line(&description.replace("\n* ", "\n"))
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the first paragraph of a description, without its final period.
fn first_paragraph(description: &str) -> String {
    let end = ["\n\n", "\n* "].into_iter().filter_map(|end| description.find(end)).min();
    let paragraph = description.get(..end.unwrap_or(description.len())).unwrap_or_default();
    in_one_line(paragraph).trim_end_matches('.').to_owned()
}

fn shorten_parameter(parameter: &mut Object) {
    BOUNDS.iter().for_each(|bound| drop(parameter.shift_remove(*bound)));
    if let Some(items) = parameter.get_mut("items").and_then(Value::as_object_mut) {
        BOUNDS.iter().for_each(|bound| drop(items.shift_remove(*bound)));
        // The description of the list applies to its elements.
        items.shift_remove("description");
    }
    let is_nothing = |default: &Value| default.as_u64() == Some(0) || default.as_array().is_some_and(Vec::is_empty);
    if parameter.get("default").is_some_and(is_nothing) {
        parameter.shift_remove("default");
    }
    let short = parameter.shift_remove(SHORT);
    let text = short.as_ref().or_else(|| parameter.get("description")).and_then(Value::as_str).map(first_paragraph);
    match text {
        Some(text) => drop(parameter.insert("description".to_owned(), text.into())),
        None => drop(parameter.shift_remove("description")),
    }
}

/// Leaves out the fields that the original's results do not have, at every level, unless they are always there.
fn leave_out_additions(schema: &mut Object) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        let is_required = |name: &String| required.iter().any(|needed| needed == name);
        properties.retain(|name, _| is_required(name) || ORIGINAL.contains(&name.as_str()));
    }
    let definitions = schema.get_mut("$defs").and_then(Value::as_object_mut);
    definitions.into_iter().flat_map(|d| d.values_mut()).filter_map(Value::as_object_mut).for_each(leave_out_additions);
}

/// Leaves out the definitions that no reference names any more.
fn leave_out_unreferenced(schema: &mut Object) {
    let text = serde_json::to_string(schema).unwrap_or_default();
    let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) else { return };
    definitions.retain(|name, _| text.contains(&format!("\"#/$defs/{name}\"")));
    if definitions.is_empty() {
        schema.shift_remove("$defs");
    }
}

/// Leaves out the fields that may be left out of an answer, and what the others are made of: only that they have parts
/// is said.
fn leave_out_details(schema: &mut Object) {
    schema.shift_remove("$defs");
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    properties.retain(|name, _| required.iter().any(|needed| needed == name));
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        if property.contains_key("$ref") {
            property.clear();
            property.insert("type".to_owned(), "object".into());
        }
        property.shift_remove("items");
        property.shift_remove("properties");
        property.shift_remove("required");
    }
    if properties.is_empty() {
        schema.shift_remove("properties");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Object {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn the_documentation_has_more_than_the_list() {
        let text = "Do it,\nat once.\n\nIn both directions.";
        assert_eq!(first_paragraph(text), "Do it, at once");
        assert_eq!(documented(text), "Do it, at once. In both directions.");
        let listed = "Do it.\n* In both\ndirections.";
        assert_eq!(first_paragraph(listed), "Do it");
        assert_eq!(documented(listed), "Do it. In both directions.");
    }

    #[test]
    fn the_list_has_the_short_text_of_a_parameter() {
        let shortened = |value| {
            let mut parameter = object(value);
            shorten_parameter(&mut parameter);
            Value::Object(parameter)
        };
        let limit = json!({
            "description": "Maximum number of rows.", "short": false,
            "type": "integer", "minimum": 1, "maximum": 9, "default": 20
        });
        assert_eq!(shortened(limit), json!({"type": "integer", "default": 20}));
        let from = json!({
            "description": "First event. Default: the first of the recording.", "short": "First event",
            "type": "integer", "minimum": 0, "default": 0
        });
        assert_eq!(shortened(from), json!({"description": "First event", "type": "integer"}));
        let address = json!({"description": "HOST:PORT, or a port\nof this machine.", "type": "string"});
        assert_eq!(
            shortened(address),
            json!({"description": "HOST:PORT, or a port of this machine", "type": "string"})
        );
        let names = json!({"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "default": []});
        assert_eq!(shortened(names), json!({"type": "array", "items": {"type": "string"}}));
    }

    #[test]
    fn of_results_only_what_is_always_there_is_named() {
        let mut schema = object(json!({
            "type": "object",
            "properties": {
                "frame": {"$ref": "#/$defs/F"},
                "rows": {"type": "array", "items": {"$ref": "#/$defs/F"}},
                "more": {"type": "string"},
                "count": {"type": "integer"}
            },
            "required": ["frame", "rows", "count"],
            "$defs": {"F": {"type": "object"}}
        }));
        leave_out_details(&mut schema);
        let expected = json!({
            "type": "object",
            "properties": {"frame": {"type": "object"}, "rows": {"type": "array"}, "count": {"type": "integer"}},
            "required": ["frame", "rows", "count"]
        });
        assert_eq!(Value::Object(schema), expected);
    }
}
