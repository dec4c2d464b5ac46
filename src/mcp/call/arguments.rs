//! Checks a call's arguments against the tool's own input schema, before the tool sees them.
//!
//! JSON Schema is advice to the client and nothing more, so the server enforces it itself, and says in words that a
//! model can act on what it would have taken. Only what the arguments of the tools use is understood: `type`, `enum`,
//! `minimum`, `maximum`, `minLength`, `minItems`, `items`, `additionalProperties`, `required`.

use super::synonyms::by_own_names;
use base::qualified::question_about;
use serde_json::{Map, Number, Value};
use std::fmt::Write as _;

type Object = Map<String, Value>;

/// Checks and returns the arguments of `tool`, without those that are `null`; or what is wrong with them.
pub(crate) fn checked_arguments(tool: &str, schema: &Object, given: Object) -> Result<Object, String> {
    let empty = Object::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let required = required.iter().filter_map(Value::as_str);
    let mut accepted = Object::new();
    for (name, value) in by_own_names(given, properties) {
        let Some(property) = properties.get(&name).and_then(Value::as_object) else {
            return Err(unknown(tool, &name, properties));
        };
        // What is left out may as well be null, which its schema need not say.
        if !value.is_null() || required.clone().any(|needed| needed == name) {
            accepted.insert(name.clone(), checked(&format!("`{name}`"), property, value)?);
        }
    }
    for name in required {
        if !accepted.contains_key(name) {
            let kind = properties.get(name).and_then(Value::as_object).map(expected).unwrap_or_default();
            return Err(format!("{tool} needs the parameter `{name}`: {kind}"));
        }
    }
    Ok(accepted)
}

/// Most characters of an unknown name that an error repeats.
const LONGEST_NAME: usize = 100;

fn unknown(tool: &str, name: &str, properties: &Object) -> String {
    // Each of its characters may be shown escaped.
    let name: String = name.chars().take(LONGEST_NAME).collect();
    if properties.is_empty() {
        return format!("unknown parameter `{name}`: {tool} takes no parameters");
    }
    let valid: Vec<&str> = properties.keys().map(String::as_str).collect();
    let question = question_about(&name, valid.iter().copied());
    format!("unknown parameter `{name}`{question}: {tool} takes {}", valid.join(", "))
}

/// Returns `value` as the schema wants it, or an error that calls it `path`.
fn checked(path: &str, schema: &Object, value: Value) -> Result<Value, String> {
    let wrong = |value: &Value| format!("{path} must be {}, not {}", expected(schema), shown(value));
    let value = whole_number(value);
    if !kinds(schema).any(|kind| is_kind(kind, &value)) {
        return Err(wrong(&value));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array)
        && !words.contains(&value)
    {
        return Err(wrong(&value));
    }
    let least = |word: &str| schema.get(word).and_then(Value::as_u64).unwrap_or(0);
    match value {
        // Longer least lengths than 1 are not used.
        Value::String(text) if text.is_empty() && least("minLength") > 0 => Err(format!("{path} must not be empty")),
        Value::Number(number) if !in_range(schema, &number) => Err(wrong(&Value::Number(number))),
        Value::Array(list) => {
            if u64::try_from(list.len()).is_ok_and(|length| length < least("minItems")) {
                return Err(format!("{path} must not be empty"));
            }
            let Some(items) = schema.get("items").and_then(Value::as_object) else {
                return Ok(Value::Array(list));
            };
            let checked = |(i, item)| checked(&format!("{path}[{i}]"), items, item);
            Ok(Value::Array(list.into_iter().enumerate().map(checked).collect::<Result<_, _>>()?))
        }
        Value::Object(map) => {
            let Some(values) = schema.get("additionalProperties").and_then(Value::as_object) else {
                return Ok(Value::Object(map));
            };
            let checked = |(key, value)| {
                let value = checked(&format!("{path}[{key:?}]"), values, value)?;
                Ok::<_, String>((key, value))
            };
            Ok(Value::Object(map.into_iter().map(checked).collect::<Result<_, _>>()?))
        }
        other => Ok(other),
    }
}

/// Makes `3.0`, an integer to JSON Schema, one for serde too.
fn whole_number(value: Value) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53
    match value.as_f64() {
        Some(f) if value.is_f64() && f.fract() == 0.0 && f.abs() <= EXACT => Value::Number(Number::from(f as i64)),
        _ => value,
    }
}

fn kinds(schema: &Object) -> impl Iterator<Item = &str> {
    let kinds = schema.get("type").map(|kind| match kind {
        Value::Array(kinds) => kinds.as_slice(),
        kind => std::slice::from_ref(kind),
    });
    kinds.unwrap_or_default().iter().filter_map(Value::as_str)
}

fn is_kind(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

fn in_range(schema: &Object, number: &Number) -> bool {
    let bound = |name: &str| schema.get(name).and_then(integer);
    let Some(value) = integer(&Value::Number(number.clone())) else {
        return true;
    };
    bound("minimum").is_none_or(|least| value >= least) && bound("maximum").is_none_or(|most| value <= most)
}

fn integer(value: &Value) -> Option<i128> {
    value.as_u64().map(i128::from).or_else(|| value.as_i64().map(i128::from))
}

/// Returns what a schema wants, in words: `an integer from 1 to 10000`.
fn expected(schema: &Object) -> String {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        return format!("one of {}", words.join(", "));
    }
    let mut text = String::new();
    for kind in kinds(schema).filter(|kind| *kind != "null") {
        if !text.is_empty() {
            text.push_str(" or ");
        }
        text.push_str(match kind {
            "boolean" => "true or false",
            "integer" => "an integer",
            "number" => "a number",
            "string" => "a string",
            "array" => "an array of strings",
            _ => "an object of strings",
        });
    }
    match (schema.get("minimum").and_then(integer), schema.get("maximum").and_then(integer)) {
        (Some(least), Some(most)) => drop(write!(text, " from {least} to {most}")),
        (Some(least), None) => drop(write!(text, " from {least}")),
        (None, Some(most)) => drop(write!(text, " up to {most}")),
        (None, None) => {}
    }
    text
}

/// Quotes a value as the client wrote it, cut short if it is long.
fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    let kind = match value {
        Value::String(_) => "the string ",
        _ => "",
    };
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{kind}{}…", text.get(..end).unwrap_or_default()),
        None => format!("{kind}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn schema() -> Object {
        json!({
            "type": "object",
            "properties": {
                "count": {"type": "integer", "minimum": 1, "maximum": 10000},
                "reverse": {"type": "boolean"},
                "access_type": {"type": "string", "enum": ["write", "read", "access"]},
                "command": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "env": {"type": "object", "additionalProperties": {"type": "string"}},
                "thread_id": {"type": ["string", "integer"]},
                "event": {"type": "integer", "minimum": 0}
            },
            "required": ["command"]
        })
        .as_object()
        .unwrap()
        .clone()
    }

    fn check(given: Value) -> Result<Value, String> {
        checked_arguments("rr_x", &schema(), given.as_object().unwrap().clone()).map(Value::Object)
    }

    fn error(name: &str, value: Value) -> String {
        check(json!({"command": ["a"], name: value})).unwrap_err()
    }

    #[test]
    fn null_is_the_same_as_absent() {
        let given = json!({"command": ["a"], "count": null, "reverse": null, "access_type": null, "env": null});
        assert_eq!(check(given), Ok(json!({"command": ["a"]})));
    }

    #[test]
    fn an_unknown_parameter_names_the_valid_ones() {
        let valid = "count, reverse, access_type, command, env, thread_id, event";
        let revers = format!("unknown parameter `revers` (did you mean `reverse`?): rr_x takes {valid}");
        assert_eq!(error("revers", json!(true)), revers);
        assert_eq!(error("nothing", json!(true)), format!("unknown parameter `nothing`: rr_x takes {valid}"));
        let none = checked_arguments("rr_y", &Object::new(), json!({"a": 1}).as_object().unwrap().clone());
        assert_eq!(none, Err("unknown parameter `a`: rr_y takes no parameters".to_owned()));
    }

    #[test]
    fn a_parameter_may_have_the_name_that_another_tool_gives_it() {
        assert_eq!(check(json!({"command": ["a"], "tid": 7})), Ok(json!({"command": ["a"], "thread_id": 7})));
        let both = check(json!({"command": ["a"], "tid": 7, "thread_id": 8})).unwrap_err();
        assert!(both.starts_with("unknown parameter `tid`"), "{both}");
        let twice = check(json!({"command": ["a"], "tid": 7, "thread": 8})).unwrap_err();
        assert!(twice.starts_with("unknown parameter `thread`"), "{twice}");
    }

    #[test]
    fn a_wrong_type_says_what_is_expected() {
        assert_eq!(error("count", json!("3")), "`count` must be an integer from 1 to 10000, not the string \"3\"");
        assert_eq!(error("reverse", json!(1)), "`reverse` must be true or false, not 1");
        assert_eq!(error("thread_id", json!([1])), "`thread_id` must be a string or an integer, not [1]");
        assert_eq!(error("env", json!({"A": 1})), "`env`[\"A\"] must be a string, not 1");
        assert_eq!(
            check(json!({"command": "ls 'a b'"})).unwrap_err(),
            "`command` must be an array of strings, not the string \"ls 'a b'\""
        );
        assert_eq!(check(json!({"command": ["a", 2]})).unwrap_err(), "`command`[1] must be a string, not 2");
        assert_eq!(check(json!({"command": []})).unwrap_err(), "`command` must not be empty");
    }

    #[test]
    fn ranges_and_words_are_enforced() {
        assert_eq!(error("count", json!(0)), "`count` must be an integer from 1 to 10000, not 0");
        assert_eq!(error("count", json!(10_001)), "`count` must be an integer from 1 to 10000, not 10001");
        assert_eq!(error("count", json!(1.5)), "`count` must be an integer from 1 to 10000, not 1.5");
        assert_eq!(error("event", json!(-1)), "`event` must be an integer from 0, not -1");
        let bogus = "`access_type` must be one of write, read, access, not the string \"bogus\"";
        assert_eq!(error("access_type", json!("bogus")), bogus);
        assert_eq!(
            check(json!({"command": ["a"], "event": u64::MAX})),
            Ok(json!({"command": ["a"], "event": u64::MAX}))
        );
    }

    #[test]
    fn a_missing_parameter_is_named_with_its_type() {
        assert_eq!(check(json!({})).unwrap_err(), "rr_x needs the parameter `command`: an array of strings");
        assert_eq!(check(json!({"command": null})).unwrap_err(), "`command` must be an array of strings, not null");
    }

    #[test]
    fn a_whole_float_is_an_integer() {
        assert_eq!(check(json!({"command": ["a"], "count": 3.0})), Ok(json!({"command": ["a"], "count": 3})));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,80}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(".{0,5}", inner, 0..4).prop_map(|m| Value::Object(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_fits_the_schema(name in "count|reverse|access_type|env|thread_id|event|other", value in any_json()) {
            if let Ok(accepted) = check(json!({"command": ["a"], name.clone(): value})) {
                match (name.as_str(), accepted.get(&name)) {
                    (_, None) => {}
                    ("count", Some(v)) => prop_assert!((1..=10_000).contains(&v.as_u64().unwrap())),
                    ("reverse", Some(v)) => prop_assert!(v.is_boolean()),
                    ("access_type", Some(v)) => prop_assert!(["write", "read", "access"].contains(&v.as_str().unwrap())),
                    ("env", Some(v)) => prop_assert!(v.as_object().unwrap().values().all(Value::is_string)),
                    ("thread_id", Some(v)) => prop_assert!(v.is_string() || v.is_i64() || v.is_u64()),
                    ("event", Some(v)) => prop_assert!(v.is_u64()),
                    (other, Some(_)) => prop_assert!(false, "{other} was accepted"),
                }
            }
        }
    }
}
