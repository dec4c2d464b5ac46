//! The text of an answer, as a reader sees it.

use crate::untrusted::shown;
use rmcp::model::{CallToolResult, ContentBlock};
use std::borrow::Cow;

/// Escapes in the texts of an answer what a terminal or a reader could take for something else than text. The fields of
/// its structure are what was read; JSON has its own escapes.
pub(crate) fn show(result: &mut CallToolResult) {
    for block in &mut result.content {
        let Some(text) = block.as_text() else { continue };
        if let Cow::Owned(escaped) = shown(&text.text) {
            *block = ContentBlock::text(escaped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_fields_are_exact() {
        let mut result = CallToolResult::success(vec![ContentBlock::text("a\x1b[2J\u{202e}b\nc")]);
        result.structured_content = Some(serde_json::json!({"value": "a\x1b[2J\u{202e}b"}));
        show(&mut result);
        assert_eq!(result.content[0].as_text().unwrap().text, "a\\x1b[2J\\u{202e}b\nc");
        assert_eq!(result.structured_content, Some(serde_json::json!({"value": "a\x1b[2J\u{202e}b"})));
    }
}
