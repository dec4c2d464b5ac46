//! A validator of JSON Schema, of as much as the schemas of the tools use. Clients validate each answer likewise, and throw
//! away what does not fit.

use engine::model::Timeouts;
use rmcp::ServiceExt;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::OnceLock;

type Object = Map<String, Value>;

/// The output schemas of all tools, from a server in this process.
fn output_schemas() -> &'static BTreeMap<String, Object> {
    static SCHEMAS: OnceLock<BTreeMap<String, Object>> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        // Whoever asks may be in a runtime of its own.
        let asking = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let (ours, theirs) = tokio::io::duplex(1 << 16);
                let server = retrograde::mcp::Server::new(Timeouts::default());
                let serving = tokio::spawn(async move { server.serve(theirs).await.unwrap().waiting().await.unwrap() });
                let client = ().serve(ours).await.unwrap();
                let tools = client.list_all_tools().await.unwrap();
                client.cancel().await.unwrap();
                serving.await.unwrap();
                let schema = |tool: &rmcp::model::Tool| tool.output_schema.as_deref().cloned();
                tools.iter().filter_map(|tool| Some((tool.name.to_string(), schema(tool)?))).collect()
            })
        };
        std::thread::spawn(asking).join().unwrap()
    })
}

/// Checks a structured answer of a tool against its output schema.
#[track_caller]
pub fn check(tool: &str, answer: &Value) {
    let schema = output_schemas().get(tool).unwrap_or_else(|| panic!("{tool} has no output schema"));
    if let Err(why) = valid("answer", schema, schema, answer) {
        panic!("{tool}: {why}\n{answer}");
    }
}

fn valid(path: &str, whole: &Object, schema: &Object, value: &Value) -> Result<(), String> {
    for (keyword, with) in schema {
        match keyword.as_str() {
            "type" => {
                let kinds = with.as_array().map_or_else(|| std::slice::from_ref(with), Vec::as_slice);
                if !kinds.iter().any(|kind| is_kind(kind.as_str().unwrap(), value)) {
                    return Err(format!("{path} is {value}, not {with}"));
                }
            }
            "enum" => {
                if !with.as_array().unwrap().contains(value) {
                    return Err(format!("{path} is {value}, not one of {with}"));
                }
            }
            "required" => {
                let names = with.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                if let (Some(object), mut names) = (value.as_object(), names)
                    && let Some(name) = names.find(|name| !object.contains_key(*name))
                {
                    return Err(format!("{path} lacks {name}"));
                }
            }
            "properties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    if let Some(property) = with.get(name) {
                        valid(&format!("{path}.{name}"), whole, property.as_object().unwrap(), value)?;
                    }
                }
            }
            "additionalProperties" => {
                let named = schema.get("properties").and_then(Value::as_object);
                for (name, value) in value.as_object().into_iter().flatten() {
                    match with {
                        _ if named.is_some_and(|named| named.contains_key(name)) => {}
                        Value::Bool(true) => {}
                        Value::Bool(false) => return Err(format!("{path} has {name}")),
                        with => valid(&format!("{path}.{name}"), whole, with.as_object().unwrap(), value)?,
                    }
                }
            }
            "items" => {
                for (i, value) in value.as_array().into_iter().flatten().enumerate() {
                    valid(&format!("{path}[{i}]"), whole, with.as_object().unwrap(), value)?;
                }
            }
            "anyOf" => {
                let mut choices = with.as_array().unwrap().iter().map(|choice| choice.as_object().unwrap());
                if !choices.any(|choice| valid(path, whole, choice, value).is_ok()) {
                    return Err(format!("{path} is {value}, none of {with}"));
                }
            }
            "$ref" => {
                let name = with.as_str().unwrap().strip_prefix("#/$defs/").expect("a definition of this schema");
                let definition = whole["$defs"][name].as_object().expect("it is defined");
                valid(path, whole, definition, value)?;
            }
            "minimum" | "maximum" => {
                if let (Some(value), Some(bound)) = (value.as_f64(), with.as_f64())
                    && (keyword == "minimum" && value < bound || keyword == "maximum" && value > bound)
                {
                    return Err(format!("{path} is {value}, and the {keyword} is {bound}"));
                }
            }
            "$defs" | "description" | "default" => {}
            other => panic!("the validator does not know {other}"),
        }
    }
    Ok(())
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
        other => panic!("{other} is not a type of JSON Schema"),
    }
}
