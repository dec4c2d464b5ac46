//! Writes the topic `tools` from the descriptions that the server has, and checks what README says of them.
//!
//! `RETROGRADE_WRITE_DOCS=1 cargo test --lib reference` writes the topic.

use super::listing::{CORE, documented};
use rmcp::model::Tool;
use serde_json::{Map, Value};
use std::fmt::Write;
use std::path::Path;

/// The longest cell of a table that is still read.
const CELL: usize = 160;
fn tools() -> Vec<Tool> {
    let mut tools = super::router().list_all();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    tools
}

fn described(tool: &Tool) -> String {
    documented(tool.description.as_deref().unwrap_or_default())
}

/// Describes the type of a parameter: `integer from 1 to 500, default 10`.
fn kind(schema: &Map<String, Value>) -> String {
    let names: Vec<&str> = match &schema["type"] {
        Value::Array(names) => names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect(),
        name => name.as_str().into_iter().collect(),
    };
    let mut text = match schema.get("enum").and_then(Value::as_array) {
        Some(words) => {
            words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
        }
        None => names.join(" or "),
    };
    // Limits that only say how large a number is in the server are none that anybody meets.
    let limit = |key: &str| schema.get(key).and_then(Value::as_u64).filter(|limit| *limit < u64::from(u32::MAX / 2));
    match (limit("minimum").filter(|least| *least > 0), limit("maximum")) {
        (Some(least), Some(most)) => write!(text, " from {least} to {most}").unwrap(),
        (None, Some(most)) => write!(text, " up to {most}").unwrap(),
        (Some(_) | None, None) => {}
    }
    match schema.get("default").filter(|value| !value.is_null()) {
        Some(Value::String(word)) => write!(text, ", default `{word}`").unwrap(),
        Some(value) => write!(text, ", default {value}").unwrap(),
        None => {}
    }
    text
}

/// Writes the topic `tools`.
fn reference(tools: &[Tool]) -> String {
    let mut text = "# The tools and their parameters\n\nParameters in **bold** are required. `session` (string, a session id) is omitted below: every tool \
                    that works on an\nopen session accepts it; the default is the session used last. `--tools core` lists \
                    only the tools marked (core).\n"
        .to_owned();
    for tool in tools {
        let mark = if CORE.contains(&tool.name.as_ref()) { " (core)" } else { "" };
        write!(text, "\n## `{}`{mark}\n\n{}\n", tool.name, described(tool)).unwrap();
        let required: Vec<&str> = tool
            .input_schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let parameters = tool.input_schema.get("properties").and_then(Value::as_object);
        let mut lines = String::new();
        for (name, schema) in parameters.into_iter().flatten().filter(|(name, _)| *name != "session") {
            let schema = schema.as_object().unwrap();
            let meaning = documented(schema["description"].as_str().unwrap());
            let name = if required.contains(&name.as_str()) { format!("**`{name}`**") } else { format!("`{name}`") };
            writeln!(lines, "* {name} ({}): {meaning}", kind(schema)).unwrap();
        }
        if !lines.is_empty() {
            write!(text, "\n{lines}").unwrap();
        }
    }
    text
}

/// Compares a file with its generated text, or writes it.
fn keep(path: &str, generated: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("RETROGRADE_WRITE_DOCS").is_some() {
        std::fs::write(&path, generated).unwrap();
    } else {
        assert_eq!(text, generated, "{}: RETROGRADE_WRITE_DOCS=1 cargo test --lib reference", path.display());
    }
}

#[test]
fn the_topic_on_tools_is_what_the_server_says() {
    keep("src/mcp/docs/tools.md", &reference(&tools()));
}

#[test]
fn the_readme_stays_short() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert!(readme.lines().count() <= 180, "{} lines", readme.lines().count());
    assert!(readme.contains(&format!("all {} tools", tools().len())), "{} tools", tools().len());
    let names: Vec<String> = tools().iter().map(|tool| tool.name.to_string()).collect();
    for name in readme.split(|c: char| !(c.is_ascii_lowercase() || c == '_')).filter(|word| word.starts_with("rr_")) {
        assert!(names.iter().any(|tool| tool == name), "README names {name}");
    }
    for row in readme.lines().filter(|line| line.starts_with('|')) {
        for cell in row.split('|') {
            assert!(cell.trim().chars().count() <= CELL, "{cell}");
        }
    }
}
