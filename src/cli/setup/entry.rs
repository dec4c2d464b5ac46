//! An entry in a JSON configuration file.

use serde_json::{Map, Value};

/// A configuration with an entry.
#[derive(Debug, PartialEq)]
pub(super) struct Entered {
    /// The entry.
    pub(super) entry: Value,
    /// The whole text; `None`: the entry is there as it should be.
    pub(super) text: Option<String>,
}

/// Enters this among the servers of a configuration. All else is kept, in its order; of an entry that is there
/// already, too: the arguments, the variables and what else the user has given it. An empty file is an empty object.
///
/// # Errors
/// In words why the text cannot be kept: it has comments, as some clients allow, or is no object.
pub(super) fn with(text: &str, servers: &str, name: &str, entry: &Value) -> Result<Entered, String> {
    let mut whole: Map<String, Value> = match text.trim() {
        "" => Map::new(),
        text => serde_json::from_str(text).map_err(|error| format!("it is no plain JSON object ({error})"))?,
    };
    let all = whole.entry(servers).or_insert_with(|| Value::Object(Map::new()));
    let all = all.as_object_mut().ok_or_else(|| format!("`{servers}` in it is no object"))?;
    let before = all.get(name).cloned();
    let entry = match &before {
        Some(Value::Object(own)) => kept(own, entry),
        _ => entry.clone(),
    };
    if before.as_ref() == Some(&entry) {
        return Ok(Entered { entry, text: None });
    }
    all.insert(name.to_owned(), entry.clone());
    Ok(Entered { entry, text: Some(format!("{:#}\n", Value::Object(whole))) })
}

/// Returns the user's own entry with what has to be so: how we are started, and which rr is used.
fn kept(own: &Map<String, Value>, entry: &Value) -> Value {
    let mut kept = own.clone();
    for (member, value) in entry.as_object().into_iter().flatten() {
        match (kept.get_mut(member), value) {
            (Some(Value::Object(variables)), Value::Object(new)) if member == "env" => {
                variables.extend(new.clone());
            }
            (Some(Value::Array(_)), _) if member == "args" => {}
            _ => drop(kept.insert(member.clone(), value.clone())),
        }
    }
    Value::Object(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_is_added_once_and_all_else_is_kept() {
        let entry = json!({"command": "/bin/retrograde"});
        let before = r#"{"z": 1, "mcpServers": {"other": {"command": "x"}}, "a": [1.50, "é"]}"#;
        let entered = |text: &str, entry: &Value| with(text, "mcpServers", "retrograde", entry).unwrap();
        let after = entered(before, &entry).text.unwrap();
        let expected = json!({
            "z": 1,
            "mcpServers": {"other": {"command": "x"}, "retrograde": {"command": "/bin/retrograde"}},
            "a": [1.50, "é"],
        });
        assert_eq!(after, format!("{expected:#}\n"));
        assert_eq!(entered(&after, &entry), Entered { entry: entry.clone(), text: None });
        let moved = entered(&after, &json!({"command": "/new"})).text.unwrap();
        assert_eq!(moved, after.replace("/bin/retrograde", "/new"));
        let new = with("\n", "servers", "retrograde", &entry).unwrap().text.unwrap();
        assert_eq!(new, format!("{:#}\n", json!({"servers": {"retrograde": entry}})));
    }

    #[test]
    fn what_the_user_has_given_an_entry_is_kept() {
        let own = json!({"command": "/old", "args": ["--tools", "core"], "env": {"A": "1", "RETROGRADE_RR": "/x"},
            "disabled": true});
        let text = json!({"servers": {"retrograde": own}}).to_string();
        let entry = json!({"command": "/new", "args": [], "env": {"RETROGRADE_RR": "/y"}});
        let entered = with(&text, "servers", "retrograde", &entry).unwrap();
        let expected = json!({"command": "/new", "args": ["--tools", "core"], "env": {"A": "1", "RETROGRADE_RR": "/y"},
            "disabled": true});
        assert_eq!(entered.entry, expected);
        let again = with(&entered.text.unwrap(), "servers", "retrograde", &json!({"command": "/new", "args": []}));
        assert_eq!(again.unwrap(), Entered { entry: expected, text: None });
        // What is no entry at all is replaced.
        let odd = with(r#"{"servers": {"retrograde": 3}}"#, "servers", "retrograde", &entry).unwrap();
        assert_eq!(odd.entry, entry);
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        let refused = |text| with(text, "servers", "retrograde", &json!({})).unwrap_err();
        assert!(refused("// mine\n{}").starts_with("it is no plain JSON object (expected value at line 1 column 1"));
        assert!(refused("[]").starts_with("it is no plain JSON object"));
        assert_eq!(refused(r#"{"servers": 3}"#), "`servers` in it is no object");
    }
}
