//! What `tools/list` has of a tool: every client pays for each word of it, in every session.
//!
//! A tool's own schema, by which calls are checked, and its documentation have more:
//!
//! * Of a description the list has what comes before a blank line, or a list. What stands in parentheses is for the
//!   documentation alone: the name of the parameter says it already (`documented`).
//! * That there are no other parameters, and bounds, are told to those who miss them.
//! * To begin at 0, or with nothing, is what one does by default.
//! * Of results the list names the fields that are always there. A few are described with their parts ([`DETAILED`]),
//!   for those who build on the answers of karellen-rr-mcp: these have the fields of that ([`ORIGINAL`]).

use rmcp::model::Tool;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;

type Object = Map<String, Value>;

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
/// What is said of a parameter only to those who do not keep to it.
const BOUNDS: [&str; 5] = ["minimum", "maximum", "minLength", "maxLength", "minItems"];

/// Returns a tool as clients see it.
pub(crate) fn listed(mut tool: Tool) -> Tool {
    tool.description = tool.description.as_deref().and_then(first_paragraph).map(Cow::Owned);
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
    let text = description.replace("\n* ", "\n");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    in_parentheses(&text).map(str::to_owned).unwrap_or(text)
}

fn in_parentheses(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let is_one = inner.find(')').is_none_or(|close| inner.find('(').is_some_and(|open| open < close));
    is_one.then_some(inner)
}

/// Returns what the list has of a description, if anything.
fn first_paragraph(description: &str) -> Option<String> {
    let end = ["\n\n", "\n* "].into_iter().filter_map(|end| description.find(end)).min();
    let paragraph = description.get(..end.unwrap_or(description.len())).unwrap_or_default();
    let text = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    in_parentheses(&text).is_none().then(|| text.trim_end_matches('.').to_owned())
}

fn shorten_parameter(parameter: &mut Object) {
    BOUNDS.iter().for_each(|bound| drop(parameter.shift_remove(*bound)));
    if let Some(items) = parameter.get_mut("items").and_then(Value::as_object_mut) {
        BOUNDS.iter().for_each(|bound| drop(items.shift_remove(*bound)));
        // What the list is of says that of each.
        items.shift_remove("description");
    }
    let is_nothing = |default: &Value| default.as_u64() == Some(0) || default.as_array().is_some_and(Vec::is_empty);
    if parameter.get("default").is_some_and(is_nothing) {
        parameter.shift_remove("default");
    }
    match parameter.get("description").and_then(Value::as_str).and_then(first_paragraph) {
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
        assert_eq!(first_paragraph(text).unwrap(), "Do it, at once");
        assert_eq!(documented(text), "Do it, at once. In both directions.");
        let listed = "Do it.\n* In both\ndirections.";
        assert_eq!(first_paragraph(listed).unwrap(), "Do it");
        assert_eq!(documented(listed), "Do it. In both directions.");
        assert_eq!(first_paragraph("(Most\nrows.)"), None);
        assert_eq!(documented("(Most\nrows.)"), "Most rows.");
        assert_eq!(first_paragraph("(a) or (b)").unwrap(), "(a) or (b)");
    }

    #[test]
    fn of_parameters_what_goes_without_saying_is_left_out() {
        let shortened = |value| {
            let mut parameter = object(value);
            shorten_parameter(&mut parameter);
            Value::Object(parameter)
        };
        let limit =
            json!({"description": "(Most rows.)", "type": "integer", "minimum": 1, "maximum": 9, "default": 20});
        assert_eq!(shortened(limit), json!({"type": "integer", "default": 20}));
        let from = json!({"description": "Event.\n\nThe first one.", "type": "integer", "minimum": 0, "default": 0});
        assert_eq!(shortened(from), json!({"description": "Event", "type": "integer"}));
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
