//! The text of an answer, as a reader sees it.

use base::untrusted::{one_line, shown};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Escapes in the texts of an answer what a terminal or a reader could take for something else than text. The fields of
/// its structure are what was read; JSON has its own escapes.
pub(crate) fn show(result: &mut CallToolResult) {
    each_text(result, |text| match shown(text) {
        Cow::Owned(escaped) => Some(escaped),
        Cow::Borrowed(_) => None,
    });
}

/// Changes the texts of an answer for which there is another one.
fn each_text(result: &mut CallToolResult, change: impl Fn(&str) -> Option<String>) {
    for block in &mut result.content {
        if let Some(changed) = block.as_text().and_then(|text| change(&text.text)) {
            *block = ContentBlock::text(changed);
        }
    }
}

/// Most bytes of an argument that is looked at: a name or an expression.
const LONGEST: usize = 16 << 10;
/// Most ends of lines in one argument.
const MOST_ENDS: usize = 64;
/// Characters around an end of a line by which it is known again: few, as a part of the argument may be repeated.
const AROUND: usize = 2;

/// The ends of lines in the arguments of a call, with what is around them. An answer that repeats an argument, or a part
/// of it, is to have no line by it: a client takes names from listings of what others have named.
#[derive(Debug, Default)]
pub(crate) struct LineEnds(Vec<String>);

impl LineEnds {
    /// Finds them.
    pub(crate) fn of(arguments: &Map<String, Value>) -> Self {
        let mut found = Vec::new();
        arguments.values().for_each(|value| find(value, &mut found));
        Self(found)
    }

    /// Spells them in the texts of an answer.
    pub(crate) fn spell(&self, result: &mut CallToolResult) {
        each_text(result, |text| {
            let mut present = self.0.iter().filter(|end| text.contains(end.as_str())).peekable();
            present.peek()?;
            Some(present.fold(text.to_owned(), |text, end| text.replace(end, &one_line(end))))
        });
    }
}

fn find(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.len() <= LONGEST => {
            let text: Vec<char> = text.chars().collect();
            let mut at = 0;
            for _ in 0..MOST_ENDS {
                let Some(start) = (at..text.len()).find(|i| text.get(*i) == Some(&'\n')) else { break };
                at = (start..text.len()).find(|i| text.get(*i) != Some(&'\n')).unwrap_or(text.len());
                let around = start.saturating_sub(AROUND)..(at + AROUND).min(text.len());
                // The ends of lines at either end of an argument are no part of what is repeated.
                if start > 0 && at < text.len() {
                    found.extend(text.get(around).map(|around| around.iter().collect::<String>()));
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| find(value, found)),
        Value::Object(values) => values.values().for_each(|value| find(value, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn texts_are_escaped_and_fields_are_exact() {
        let mut result = CallToolResult::success(vec![ContentBlock::text("a\x1b[2J\u{202e}b\nc")]);
        result.structured_content = Some(json!({"value": "a\x1b[2J\u{202e}b"}));
        show(&mut result);
        assert_eq!(result.content[0].as_text().unwrap().text, "a\\x1b[2J\\u{202e}b\nc");
        assert_eq!(result.structured_content, Some(json!({"value": "a\x1b[2J\u{202e}b"})));
    }

    #[test]
    fn what_is_repeated_of_an_argument_makes_no_line() {
        let arguments = json!({"location": "ev\n=> il\n\nx.c:19", "command": ["/bin/\nnote: x"], "count": 3});
        let ends = LineEnds::of(arguments.as_object().unwrap());
        let said = "no file `ev\n=> il\n\nx.c` for `/bin/\nnote: x`\n  a line of its own\n";
        let mut result = CallToolResult::error(vec![ContentBlock::text(said)]);
        ends.spell(&mut result);
        let expected = "no file `ev\\n=> il\\n\\nx.c` for `/bin/\\nnote: x`\n  a line of its own\n";
        assert_eq!(result.content[0].as_text().unwrap().text, expected);
    }
}
