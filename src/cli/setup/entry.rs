//! An entry in a JSON configuration file.

use serde_json::{Map, Value};

/// Returns the text of a configuration with this entry among its servers; `None` if it is there as it should be. All
/// else is kept, in its order. An empty file is an empty object.
///
/// # Errors
/// In words why the text cannot be kept: it has comments, as some clients allow, or is no object.
pub(super) fn with(text: &str, servers: &str, name: &str, entry: &Value) -> Result<Option<String>, String> {
    let mut whole: Map<String, Value> = match text.trim() {
        "" => Map::new(),
        text => serde_json::from_str(text).map_err(|error| format!("it is no plain JSON object ({error})"))?,
    };
    let all = whole.entry(servers).or_insert_with(|| Value::Object(Map::new()));
    let all = all.as_object_mut().ok_or_else(|| format!("`{servers}` in it is no object"))?;
    if all.get(name) == Some(entry) {
        return Ok(None);
    }
    all.insert(name.to_owned(), entry.clone());
    Ok(Some(format!("{:#}\n", Value::Object(whole))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_is_added_once_and_all_else_is_kept() {
        let entry = json!({"command": "/bin/retrograde"});
        let before = r#"{"z": 1, "mcpServers": {"other": {"command": "x"}}, "a": [1.50, "é"]}"#;
        let after = with(before, "mcpServers", "retrograde", &entry).unwrap().unwrap();
        let expected = json!({
            "z": 1,
            "mcpServers": {"other": {"command": "x"}, "retrograde": {"command": "/bin/retrograde"}},
            "a": [1.50, "é"],
        });
        assert_eq!(after, format!("{expected:#}\n"));
        assert_eq!(with(&after, "mcpServers", "retrograde", &entry), Ok(None));
        let moved = with(&after, "mcpServers", "retrograde", &json!({"command": "/new"})).unwrap().unwrap();
        assert_eq!(moved, after.replace("/bin/retrograde", "/new"));
        let new = with("\n", "servers", "retrograde", &entry).unwrap().unwrap();
        assert_eq!(new, format!("{:#}\n", json!({"servers": {"retrograde": entry}})));
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        let refused = |text| with(text, "servers", "retrograde", &json!({})).unwrap_err();
        assert!(refused("// mine\n{}").starts_with("it is no plain JSON object (expected value at line 1 column 1"));
        assert!(refused("[]").starts_with("it is no plain JSON object"));
        assert_eq!(refused(r#"{"servers": 3}"#), "`servers` in it is no object");
    }
}
