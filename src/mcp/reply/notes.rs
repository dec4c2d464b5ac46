//! What an answer has to say besides what was asked for: that debug info is missing, for whatever tool suffers from it.

use crate::mcp::lock::locked;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use serde_json::Value;
use std::sync::{Arc, Mutex};

/// The notes of one call. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    pub(crate) fn add(&self, notes: Vec<String>) {
        locked(&self.0).extend(notes);
    }

    /// Takes all that there are, for who has no answer of a call to append them to.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *locked(&self.0))
    }

    /// Appends them to an answer: to its text, and to `notes` of its structured content if it has some. Gives them.
    pub(crate) fn append_to(&self, response: &mut CallToolResponse) -> Vec<String> {
        let notes = self.take();
        if let CallToolResponse::Complete(result) = response
            && !notes.is_empty()
        {
            append(result, &notes);
        }
        notes
    }
}

fn append(result: &mut CallToolResult, notes: &[String]) {
    if let Some(block) = result.content.first_mut()
        && let Some(text) = block.as_text()
    {
        let mut text = text.text.clone();
        for note in notes {
            text.push_str("\nnote: ");
            text.push_str(note);
        }
        *block = ContentBlock::text(text);
    }
    if let Some(Value::Object(content)) = &mut result.structured_content {
        let list = content.entry(FIELD).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(list) = list {
            list.extend(notes.iter().cloned().map(Value::String));
        }
    }
}

const FIELD: &str = "notes";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn noted(result: CallToolResult, notes: &[&str]) -> CallToolResult {
        let all = Notes::default();
        all.add(notes.iter().map(|&note| note.to_owned()).collect());
        let mut response = CallToolResponse::from(result);
        all.append_to(&mut response);
        all.append_to(&mut response);
        let CallToolResponse::Complete(result) = response else { panic!("{response:?}") };
        result
    }

    fn text(result: &CallToolResult) -> &str {
        &result.content[0].as_text().unwrap().text
    }

    #[test]
    fn notes_are_in_the_text_and_in_the_structure() {
        let mut plain = CallToolResult::success(vec![ContentBlock::text("x = 1")]);
        plain.structured_content = Some(json!({ "value": "1" }));
        let result = noted(plain.clone(), &["a", "b"]);
        assert_eq!(text(&result), "x = 1\nnote: a\nnote: b");
        assert_eq!(result.structured_content, Some(json!({ "value": "1", "notes": ["a", "b"] })));
        assert_eq!(noted(plain.clone(), &[]), plain);
        plain.structured_content = Some(json!({ "notes": ["first"] }));
        assert_eq!(noted(plain, &["a"]).structured_content, Some(json!({ "notes": ["first", "a"] })));
    }

    #[test]
    fn an_error_has_them_in_its_text() {
        let result = noted(CallToolResult::error(vec![ContentBlock::text("no such name")]), &["a"]);
        assert_eq!(text(&result), "no such name\nnote: a");
        assert_eq!(result.structured_content, None);
    }
}
