//! The plugin for Claude Code: what its files say about each other and about the server.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(".claude-plugin")
}

fn json(path: &str) -> Value {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The front matter's fields, and the text behind it.
fn markdown(path: &Path) -> (Vec<(String, String)>, String) {
    let text = fs::read_to_string(path).unwrap();
    let (front, body) = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).expect("front matter");
    let field = |line: &str| {
        let (key, value) = line.split_once(": ").unwrap_or_else(|| panic!("{}: {line:?}", path.display()));
        // What would make it something else than plain text in YAML.
        assert!(!value.contains(": ") && !value.contains(" #"), "{}: {value:?}", path.display());
        (key.to_owned(), value.to_owned())
    };
    (front.lines().map(field).collect(), body.to_owned())
}

fn tools_named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("rr_")).map(str::to_owned).collect()
}

/// The parameters that are given a value, as in `reverse: true`.
fn parameters_named(text: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let names = quoted.filter_map(|piece| piece.split_once(": ")).map(|(name, _)| name.to_owned());
    names.filter(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')).collect()
}

fn parameters_of_tools() -> BTreeSet<String> {
    let tools = super::mcp_surface::tools();
    let properties = tools.iter().filter_map(|tool| tool.input_schema.get("properties")?.as_object());
    properties.flat_map(|properties| properties.keys().cloned()).collect()
}

#[test]
fn the_marketplace_leads_to_the_plugin_of_this_version() {
    let market = json("marketplace.json");
    let plugin = &market["plugins"][0];
    assert_eq!(plugin["source"], "./.claude-plugin/retrograde");
    let manifest = json("retrograde/.claude-plugin/plugin.json");
    assert_eq!(manifest["name"], plugin["name"]);
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(json("retrograde/.mcp.json")["mcpServers"]["retrograde"]["command"], "retrograde");
}

#[test]
fn every_hook_is_answered_by_the_program() {
    let hooks = json("retrograde/hooks/hooks.json");
    let events: Vec<_> = hooks["hooks"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(events, ["SessionStart", "PostToolUse", "PostToolUseFailure"]);
    for event in events {
        let command = hooks["hooks"][&event][0]["hooks"][0]["command"].as_str().unwrap();
        assert!(command.contains("exec retrograde hook"), "{event}: {command}");
        assert!(!command.contains('\n'), "{event}: {command}");
    }
}

#[test]
fn skills_and_agent_name_themselves_and_only_tools_that_exist() {
    let known = super::mcp_surface::tools().iter().map(|tool| tool.name.to_string()).collect::<BTreeSet<_>>();
    let parameters = parameters_of_tools();
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("retrograde/skills")).unwrap() {
        let directory = entry.unwrap().path();
        names.push((directory.file_name().unwrap().to_str().unwrap().to_owned(), directory.join("SKILL.md")));
    }
    assert_eq!(names.len(), 5);
    names.push(("investigator".to_owned(), root().join("retrograde/agents/investigator.md")));
    for (name, path) in names {
        let (front, body) = markdown(&path);
        let keys: Vec<_> = front.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["name", "description"], "{name}");
        assert_eq!(front[0].1, name);
        assert!((60..1024).contains(&front[1].1.len()), "{name}: {}", front[1].1);
        let named = tools_named(&body);
        assert!(["rr_replay_start", "rr_explain"].iter().any(|tool| named.contains(*tool)), "{name}");
        assert!(named.is_subset(&known), "{name}: {:?}", named.difference(&known));
        for parameter in parameters_named(&body) {
            assert!(parameters.contains(&parameter), "{name}: no tool takes `{parameter}`");
        }
        // What explains a failure by itself comes before what is done by hand.
        let at = |tool: &str| body.find(&format!("`{tool}`")).unwrap_or_else(|| panic!("{name} leads to no {tool}"));
        assert!(["rr_origin", "rr_heap", "rr_races"].iter().any(|tool| body.contains(&format!("`{tool}`"))), "{name}");
        let by_hand = body.find("`rr_watchpoint_set`").unwrap_or(usize::MAX);
        assert!(at("rr_explain") < by_hand, "{name}");
    }
}
