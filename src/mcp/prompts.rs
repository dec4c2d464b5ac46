//! Prompts: how to go about the kinds of failure that one debugs backward, for clients that offer them to their users.
//!
//! A prompt is the text of the plugin's skill for the same kind, with what its user filled in stated before it.

use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

/// One kind of failure.
struct Recipe {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// What its user may fill in, besides what all have.
    own: &'static [Blank],
    /// A skill: Markdown behind front matter.
    skill: &'static str,
}

/// Something to be filled in.
struct Blank {
    name: &'static str,
    description: &'static str,
    /// How it is stated.
    label: &'static str,
}

/// What any of them may be told.
const COMMON: [Blank; 3] = [
    Blank { name: "command", description: "The command that fails, if it is still to be recorded", label: "Command" },
    Blank { name: "trace_dir", description: "The recording, if there is one", label: "Recording" },
    Blank { name: "pid", description: "The process in the recording, if it is not the first", label: "Process" },
];

const FUNCTION: Blank =
    Blank { name: "function", description: "A function in which it can be seen", label: "Function" };

const RECIPES: [Recipe; 5] = [
    Recipe {
        name: "crash",
        title: "Find the cause of a crash",
        description: "From a fatal signal or an abort back to the line that made it inevitable",
        own: &[],
        skill: include_str!("../../.claude-plugin/retrograde/skills/debug-crash/SKILL.md"),
    },
    Recipe {
        name: "wrong_value",
        title: "Find where a wrong value comes from",
        description: "From a wrong value back to where it was made",
        own: &[
            Blank { name: "expression", description: "The variable or expression that is wrong", label: "Expression" },
            FUNCTION,
            Blank { name: "file", description: "The source file in which it can be seen", label: "File" },
        ],
        skill: include_str!("../../.claude-plugin/retrograde/skills/debug-wrong-value/SKILL.md"),
    },
    Recipe {
        name: "hang",
        title: "Find why a program hangs",
        description: "Deadlocks, lost wake-ups and endless loops",
        own: &[],
        skill: include_str!("../../.claude-plugin/retrograde/skills/debug-hang/SKILL.md"),
    },
    Recipe {
        name: "data_race",
        title: "Find a data race",
        description: "Which threads touched a value, in which order, without a lock",
        own: &[Blank { name: "expression", description: "The value that is damaged", label: "Expression" }, FUNCTION],
        skill: include_str!("../../.claude-plugin/retrograde/skills/debug-data-race/SKILL.md"),
    },
    Recipe {
        name: "flaky_test",
        title: "Find why a test fails sometimes",
        description: "Record until it fails once, then debug that one failure",
        own: &[FUNCTION],
        skill: include_str!("../../.claude-plugin/retrograde/skills/debug-failing-test/SKILL.md"),
    },
];

impl Recipe {
    fn blanks(&self) -> impl Iterator<Item = &Blank> {
        COMMON.iter().chain(self.own)
    }

    /// Returns the skill without its front matter, which is for whoever chooses among skills.
    fn text(&self) -> &'static str {
        let behind = self.skill.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
        behind.map_or(self.skill, |(_, text)| text).trim_start()
    }
}

/// Lists all prompts.
pub(crate) fn list() -> Vec<Prompt> {
    let prompt = |recipe: &Recipe| {
        let argument =
            |blank: &Blank| PromptArgument::new(blank.name).with_description(blank.description).with_required(false);
        let arguments = recipe.blanks().map(argument).collect();
        Prompt::new(recipe.name, Some(recipe.description), Some(arguments)).with_title(recipe.title)
    };
    RECIPES.iter().map(prompt).collect()
}

/// Returns the prompt of this name, with what was filled in. What is empty counts as left out.
///
/// # Errors
/// If there is no such prompt, or nothing of that name to be filled in; it says what there is.
pub(crate) fn get(name: &str, arguments: &JsonObject) -> Result<GetPromptResult, ErrorData> {
    let Some(recipe) = RECIPES.iter().find(|recipe| recipe.name == name) else {
        let names = RECIPES.map(|recipe| recipe.name).join(", ");
        return Err(ErrorData::invalid_params(format!("no prompt {name:?}: there are {names}"), None));
    };
    if let Some(unknown) = arguments.keys().find(|key| !recipe.blanks().any(|blank| blank.name == *key)) {
        let names: Vec<_> = recipe.blanks().map(|blank| blank.name).collect();
        let known = names.join(", ");
        let told = format!("prompt {name} has no argument {unknown:?}: it has {known}");
        return Err(ErrorData::invalid_params(told, None));
    }
    let mut text = String::new();
    for blank in recipe.blanks() {
        let given = match arguments.get(blank.name) {
            Some(Value::String(given)) => given.trim().to_owned(),
            Some(Value::Null) | None => continue,
            Some(other) => other.to_string(),
        };
        if !given.is_empty() {
            text.push_str(&format!("{}: {given}\n", blank.label));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(recipe.text());
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(recipe.description))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, arguments: Value) -> Result<String, String> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let prompt = get(name, &arguments).map_err(|error| error.message.into_owned())?;
        let message = prompt.messages.first().expect("a prompt has a message");
        Ok(message.content.as_text().expect("it is text").text.clone())
    }

    #[test]
    fn what_is_filled_in_comes_first() {
        let given =
            serde_json::json!({ "trace_dir": "/traces/shop-0", "pid": 4711, "command": " ", "expression": null });
        let text = text("wrong_value", given).expect("a prompt");
        assert!(text.starts_with("Recording: /traces/shop-0\nProcess: 4711\n\nFind "), "{text}");
    }

    #[test]
    fn what_there_is_not_is_told_what_there_is() {
        assert_eq!(
            text("bug", serde_json::json!({})),
            Err(r#"no prompt "bug": there are crash, wrong_value, hang, data_race, flaky_test"#.to_owned())
        );
        assert_eq!(
            text("crash", serde_json::json!({ "trace": "x" })),
            Err(r#"prompt crash has no argument "trace": it has command, trace_dir, pid"#.to_owned())
        );
    }

    #[test]
    fn each_can_be_asked_for_as_listed() {
        for prompt in list() {
            let arguments = prompt.arguments.unwrap_or_default();
            let filled: JsonObject = arguments.into_iter().map(|a| (a.name.clone(), Value::from(a.name))).collect();
            assert!(get(&prompt.name, &filled).is_ok(), "{}", prompt.name);
        }
    }
}
