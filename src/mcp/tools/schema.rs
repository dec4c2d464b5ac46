//! Makes the derived JSON Schemas portable and truthful, once, when the server is built.
//!
//! * `format: "uint32"` and the like are no JSON Schema formats; validators warn about each one.
//! * An optional parameter may be `null`, too; but to leave it out does, so its schema does not say so. Nor does it say
//!   that a switch is off by itself, or that a number is not larger than what its type can hold.
//! * A result field is left out when it has nothing to say and never `null`, so its schema says that; except for the
//!   [few](NULLABLE) that may be.
//! * `title`, `$schema`, and descriptions and lower bounds of result fields are paid for by every client in every
//!   session; the names speak for themselves, and the documentation has the list.
//! * `notes` may be in each answer of a session ([`Notes`](crate::mcp::reply::Notes)). They are declared only where a
//!   result has some of its own: to declare them everywhere would cost a kilobyte, and undeclared properties are
//!   allowed.

use crate::mcp::reply::NULLABLE;
use rmcp::handler::server::tool::ToolRouter;
use serde_json::{Map, Value};
use std::sync::Arc;

type Object = Map<String, Value>;

/// From here on a bound is that of a type.
const ANY_NUMBER: u64 = i32::MAX as u64;

/// Tidies the schemas of all tools of `router`.
pub(crate) fn tidy<S>(mut router: ToolRouter<S>) -> ToolRouter<S> {
    for route in router.map.values_mut() {
        let input = Arc::make_mut(&mut route.attr.input_schema);
        strip_noise(input);
        tidy_parameters(input);
        if let Some(output) = route.attr.output_schema.as_mut() {
            let output = Arc::make_mut(output);
            strip_noise(output);
            tidy_results(output);
        }
    }
    router
}

/// Removes `$schema`, `title` and non-standard number formats, at every level.
fn strip_noise(schema: &mut Object) {
    schema.remove("$schema");
    schema.remove("title");
    if schema.get("type").is_some_and(is_number) {
        schema.remove("format");
    }
    for (key, value) in schema.iter_mut() {
        match (key.as_str(), value) {
            ("properties" | "$defs", Value::Object(named)) => {
                named.values_mut().filter_map(Value::as_object_mut).for_each(strip_noise);
            }
            (_, Value::Object(inner)) => strip_noise(inner),
            (_, Value::Array(list)) => list.iter_mut().filter_map(Value::as_object_mut).for_each(strip_noise),
            _ => {}
        }
    }
}

fn is_number(kind: &Value) -> bool {
    let number = |kind: &Value| kind == "integer" || kind == "number";
    number(kind) || kind.as_array().is_some_and(|kinds| kinds.iter().any(number))
}

/// Tidies parameters: an absent one is `null`, false or a number without a bound; none of that needs words.
fn tidy_parameters(schema: &mut Object) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        without_null(property);
        if let Some(Value::Array(words)) = property.get_mut("enum") {
            words.retain(|word| !word.is_null());
        }
        if property.get("default").is_some_and(|default| default.is_null() || *default == Value::Bool(false)) {
            property.shift_remove("default");
        }
        if property.get("maximum").and_then(Value::as_u64).is_some_and(|most| most >= ANY_NUMBER) {
            property.shift_remove("maximum");
        }
    }
}

fn tidy_results(schema: &mut Object) {
    schema.remove("description");
    schema.remove("minimum");
    let mut required = required(schema);
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        required.retain(|name| NULLABLE.contains(&name.as_str()) || !properties.get(name).is_some_and(may_be_null));
        for (name, property) in properties.iter_mut() {
            let Some(property) = property.as_object_mut() else {
                continue;
            };
            if !required.contains(name) {
                without_null(property);
            }
            tidy_results(property);
        }
    }
    if required.is_empty() {
        schema.shift_remove("required");
    } else {
        schema.insert("required".into(), required.into());
    }
    if let Some(definitions) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        definitions.values_mut().filter_map(Value::as_object_mut).for_each(tidy_results);
    }
    if let Some(items) = schema.get_mut("items").and_then(Value::as_object_mut) {
        tidy_results(items);
    }
}

/// Returns whether `null` is among what a property may be.
fn may_be_null(property: &Value) -> bool {
    let is_null = |kind: &Value| kind == "null";
    let kinds = property.get("type").and_then(Value::as_array).is_some_and(|kinds| kinds.iter().any(is_null));
    let choices = property.get("anyOf").and_then(Value::as_array);
    kinds || choices.is_some_and(|choices| choices.iter().any(|choice| choice.get("type").is_some_and(is_null)))
}

/// Removes null: `["string","null"]` becomes `"string"`; `anyOf [X, null]` becomes X.
fn without_null(property: &mut Object) {
    if let Some(Value::Array(kinds)) = property.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_mut_slice() {
            let only = only.take();
            property.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(choices)) = property.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            property.remove("anyOf");
            property.extend(only);
        }
    }
}

fn required(schema: &Object) -> Vec<String> {
    let names = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    names.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Object {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn integer_formats_go_even_inside_a_union_with_null() {
        let mut schema = object(json!({
            "$schema": "x", "title": "T",
            "properties": {
                "title": {"type": "string", "format": "uri", "title": "gone"},
                "format": {"type": ["integer", "null"], "format": "uint64"},
                "list": {"type": "array", "items": {"type": "number", "format": "double"}}
            },
            "$defs": {"D": {"title": "D", "type": "integer", "format": "uint8"}}
        }));
        strip_noise(&mut schema);
        let expected = json!({
            "properties": {
                "title": {"type": "string", "format": "uri"},
                "format": {"type": ["integer", "null"]},
                "list": {"type": "array", "items": {"type": "number"}}
            },
            "$defs": {"D": {"type": "integer"}}
        });
        assert_eq!(Value::Object(schema), expected);
    }

    #[test]
    fn of_parameters_only_what_is_not_taken_for_granted_is_said() {
        let mut schema = object(json!({
            "properties": {
                "a": {"type": "string"},
                "b": {"type": ["boolean", "null"], "default": false},
                "c": {"type": ["string", "null"], "enum": ["x", null]},
                "d": {"type": ["string", "integer", "null"], "default": null},
                "e": {"type": "integer", "default": 7, "minimum": 0, "maximum": 4294967295_u64},
                "f": {"type": "boolean", "default": true}
            },
            "required": ["a"]
        }));
        tidy_parameters(&mut schema);
        let expected = json!({
            "a": {"type": "string"},
            "b": {"type": "boolean"},
            "c": {"type": "string", "enum": ["x"]},
            "d": {"type": ["string", "integer"]},
            "e": {"type": "integer", "default": 7, "minimum": 0},
            "f": {"type": "boolean", "default": true}
        });
        assert_eq!(schema["properties"], expected);
    }

    #[test]
    fn left_out_result_fields_are_never_null() {
        let mut schema = object(json!({
            "properties": {
                "trace_dir": {"type": ["string", "null"], "description": "gone"},
                "plain": {"type": ["integer", "null"], "minimum": 0},
                "word": {"type": ["string", "null"]},
                "frame": {"anyOf": [{"$ref": "#/$defs/F"}, {"type": "null"}]}
            },
            "required": ["trace_dir", "word"]
        }));
        tidy_results(&mut schema);
        let expected = json!({
            "trace_dir": {"type": ["string", "null"]},
            "plain": {"type": "integer"},
            "word": {"type": "string"},
            "frame": {"$ref": "#/$defs/F"}
        });
        assert_eq!(schema["properties"], expected);
        assert_eq!(schema["required"], json!(["trace_dir"]));
    }
}
