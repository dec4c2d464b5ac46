//! Entering a member in a configuration file without touching the rest of its text: comments, order, spaces and trailing
//! commas stay as they are.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Table, TableLike};

/// The language of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// JSON; where its client takes comments and trailing commas, they are taken here.
    Json,
    Toml,
}

impl Language {
    /// Enters what `make` makes of the entry that is there among the `servers`, if one is. Returns the entry, and the new
    /// text unless nothing changes. An empty text is an empty configuration.
    ///
    /// # Errors
    /// Why the text cannot be edited: it is not in this language, or another value than a table of servers is there.
    pub(super) fn enter(
        self,
        text: &str,
        (servers, name): (&str, &str),
        make: impl FnOnce(Option<&Map<String, Value>>) -> Map<String, Value>,
    ) -> Result<(Map<String, Value>, Option<String>), String> {
        match self {
            Self::Json => in_json(text, (servers, name), make),
            Self::Toml => in_toml(text, (servers, name), make),
        }
    }
}

/// JSON with comments and trailing commas, and nothing else that JSON does not have.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn in_json(
    text: &str,
    (servers, name): (&str, &str),
    make: impl FnOnce(Option<&Map<String, Value>>) -> Map<String, Value>,
) -> Result<(Map<String, Value>, Option<String>), String> {
    let is_empty = text.trim().is_empty();
    let text = if is_empty { "{\n}\n" } else { text };
    let root = CstRootNode::parse(text, &OPTIONS).map_err(|error| format!("it is not a JSON object ({error})"))?;
    let whole = root.object_value_or_create().ok_or("it is not a JSON object")?;
    let not_a_table = || format!("`{servers}` in it is not an object");
    let all = whole.object_value_or_create(servers).ok_or_else(not_a_table)?;
    let own = all.object_value(name);
    let before = own.as_ref().and_then(CstObject::to_serde_value);
    let entry = make(before.as_ref().and_then(Value::as_object));
    if before.as_ref().and_then(Value::as_object) == Some(&entry) {
        return Ok((entry, None));
    }
    match own {
        Some(own) => set_members(&own, &entry),
        None => match all.get(name) {
            Some(other) => other.set_value(input(&Value::Object(entry.clone()))),
            None => drop(all.append(name, input(&Value::Object(entry.clone())))),
        },
    }
    Ok((entry, Some(root.to_string())))
}

/// Sets the members that differ.
fn set_members(object: &CstObject, members: &Map<String, Value>) {
    for (name, value) in members {
        match (object.get(name), value) {
            (None, _) => drop(object.append(name, input(value))),
            (Some(property), _) if property.to_serde_value().as_ref() == Some(value) => {}
            (Some(property), Value::Object(inner)) if property.object_value().is_some() => {
                if let Some(own) = property.object_value() {
                    set_members(&own, inner);
                }
            }
            (Some(property), _) => property.set_value(input(value)),
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(bool) => CstInputValue::Bool(*bool),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(all) => CstInputValue::Array(all.iter().map(input).collect()),
        Value::Object(all) => {
            CstInputValue::Object(all.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

fn in_toml(
    text: &str,
    (servers, name): (&str, &str),
    make: impl FnOnce(Option<&Map<String, Value>>) -> Map<String, Value>,
) -> Result<(Map<String, Value>, Option<String>), String> {
    let mut whole: DocumentMut = text.parse().map_err(|error| format!("it is not TOML ({error})"))?;
    let all = whole.entry(servers).or_insert_with(|| {
        let mut table = Table::new();
        // Its own heading would stand above those of the servers.
        table.set_implicit(true);
        Item::Table(table)
    });
    let all = all.as_table_like_mut().ok_or_else(|| format!("`{servers}` in it is not a table"))?;
    let before = all.get(name).and_then(Item::as_table_like).map(members);
    let entry = make(before.as_ref());
    if before.as_ref() == Some(&entry) {
        return Ok((entry, None));
    }
    if before.is_none() {
        all.insert(name, Item::Table(Table::new()));
    }
    if let Some(own) = all.get_mut(name).and_then(Item::as_table_like_mut) {
        set_items(own, &entry);
    }
    Ok((entry, Some(whole.to_string())))
}

/// Returns the members of a table that JSON has, too: a date is a text.
fn members(table: &dyn TableLike) -> Map<String, Value> {
    table.iter().filter_map(|(name, item)| Some((name.to_owned(), json_of(item)?))).collect()
}

fn json_of(item: &Item) -> Option<Value> {
    fn of_value(value: &toml_edit::Value) -> Value {
        match value {
            toml_edit::Value::String(text) => Value::from(text.value().as_str()),
            toml_edit::Value::Integer(number) => Value::from(*number.value()),
            toml_edit::Value::Float(number) => Value::from(*number.value()),
            toml_edit::Value::Boolean(bool) => Value::from(*bool.value()),
            toml_edit::Value::Datetime(time) => Value::from(time.value().to_string()),
            toml_edit::Value::Array(all) => all.iter().map(of_value).collect(),
            toml_edit::Value::InlineTable(table) => Value::Object(members(table)),
        }
    }
    match item {
        Item::None => None,
        Item::Value(value) => Some(of_value(value)),
        Item::Table(table) => Some(Value::Object(members(table))),
        Item::ArrayOfTables(all) => Some(all.iter().map(|table| Value::Object(members(table))).collect()),
    }
}

/// Sets the members that differ.
fn set_items(table: &mut dyn TableLike, entry: &Map<String, Value>) {
    for (name, value) in entry {
        if table.get(name).and_then(json_of).as_ref() == Some(value) {
            continue;
        }
        match (table.get_mut(name).and_then(Item::as_table_like_mut), value) {
            (Some(own), Value::Object(inner)) => set_items(own, inner),
            _ => drop(table.insert(name, Item::Value(toml_of(value)))),
        }
    }
}

/// Returns a value in TOML, which has no null: an empty text stands for it.
fn toml_of(value: &Value) -> toml_edit::Value {
    match value {
        Value::Null => "".into(),
        Value::Bool(bool) => (*bool).into(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64().unwrap_or_default().into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(all) => toml_edit::Value::Array(all.iter().map(toml_of).collect()),
        Value::Object(all) => {
            toml_edit::Value::InlineTable(all.iter().map(|(name, value)| (name.as_str(), toml_of(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(object) => object,
            other => panic!("{other}"),
        }
    }

    /// Enters an entry and returns the text.
    fn entered(language: Language, text: &str, entry: Value) -> String {
        let entry = object(entry);
        let (made, after) = language.enter(text, ("servers", "retrograde"), |_| entry.clone()).unwrap();
        assert_eq!(made, entry);
        let after = after.expect("it changes");
        let again = language.enter(&after, ("servers", "retrograde"), |own| {
            assert_eq!(own, Some(&entry), "{after}");
            entry.clone()
        });
        assert_eq!(again, Ok((entry, None)), "{after}");
        after
    }

    #[test]
    fn comments_order_and_commas_of_json_stay() {
        let entry = json!({"command": "/bin/retrograde", "args": []});
        let text = "// Mine\n{\n  // why\n  \"z\": 1.50, /* é */\n  \"servers\": {\n    \"other\": {\"command\": \"x\"}, // kept\n  },\n  \"a\": [1, 2,],\n}\n";
        let expected = text.replace(
            "// kept\n",
            "// kept\n    \"retrograde\": {\n      \"command\": \"/bin/retrograde\",\n      \"args\": [],\n    },\n",
        );
        assert_eq!(entered(Language::Json, text, entry.clone()), expected);
        assert_eq!(
            entered(Language::Json, "", entry.clone()),
            "{\n  \"servers\": {\n    \"retrograde\": {\n      \"command\": \"/bin/retrograde\",\n      \"args\": []\n    }\n  }\n}\n"
        );
        // In one line, as a program writes it.
        let after = entered(Language::Json, r#"{"theme":"dark"}"#, entry);
        let read: Value = serde_json::from_str(&after).unwrap();
        assert_eq!(read["theme"], "dark");
    }

    #[test]
    fn members_of_an_entry_are_set_one_by_one() {
        let text = "{\n  \"servers\": {\n    \"retrograde\": {\n      // old\n      \"command\": \"/old\", // here\n      \"env\": {\"A\": \"1\"} /* B */\n    }\n  }\n}";
        let after = entered(Language::Json, text, json!({"command": "/new", "env": {"A": "1", "C": "2"}}));
        assert!(after.contains("// old\n      \"command\": \"/new\", // here") && after.contains("/* B */"), "{after}");
        // Another value than an object is replaced.
        let odd = entered(Language::Json, r#"{"servers": {"retrograde": 3}}"#, json!({"command": "/new"}));
        assert_eq!(serde_json::from_str::<Value>(&odd).unwrap()["servers"]["retrograde"]["command"], "/new");
    }

    #[test]
    fn toml_is_edited_in_place() {
        let text = "# Mine\nmodel = \"x\" # this one\n\n[servers.other]\ncommand = 'y'\n";
        let entry = json!({"command": "/bin/retrograde", "args": ["--tools", "core"], "env": {"A": "1"}});
        let added = "\n[servers.retrograde]\ncommand = \"/bin/retrograde\"\nargs = [\"--tools\", \"core\"]\nenv = { A = \"1\" }\n";
        assert_eq!(entered(Language::Toml, text, entry.clone()), format!("{text}{added}"));
        assert_eq!(entered(Language::Toml, "", entry), added.trim_start());
        let own = "[servers.retrograde]\ncommand = \"/old\" # where\nstartup_timeout_sec = 20\n\n[servers.retrograde.env]\nA = \"1\"\n";
        let entry = json!({"command": "/new", "startup_timeout_sec": 20, "env": {"A": "1", "B": "2"}});
        let after = entered(Language::Toml, own, entry);
        assert!(after.contains("command = \"/new\"") && after.contains("startup_timeout_sec = 20"), "{after}");
        assert!(after.ends_with("[servers.retrograde.env]\nA = \"1\"\nB = \"2\"\n"), "{after}");
    }

    #[test]
    fn what_cannot_be_edited_is_refused() {
        let refused = |language: Language, text: &str| {
            language.enter(text, ("servers", "retrograde"), |_| Map::new()).unwrap_err()
        };
        assert_eq!(refused(Language::Json, "[]"), "it is not a JSON object");
        assert!(refused(Language::Json, "{servers: {}}").starts_with("it is not a JSON object ("));
        assert_eq!(refused(Language::Json, r#"{"servers": 3}"#), "`servers` in it is not an object");
        assert_eq!(refused(Language::Toml, "servers = 3"), "`servers` in it is not a table");
        assert!(refused(Language::Toml, "servers = [").starts_with("it is not TOML ("));
    }
}
