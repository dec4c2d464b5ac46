//! How a tool answers: an object for programs, the same in a few lines for readers, and errors that both can read.

use crate::engine;
use crate::rr;
use rmcp::ErrorData;
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use rmcp::schemars::JsonSchema;
use serde::Serialize;

/// The text form of a result. It is complete on its own: some clients show nothing else.
pub(crate) trait Render {
    /// Appends the text to `out`, without a newline at the end.
    fn render(&self, out: &mut String);
}

/// A tool's result.
///
/// Has this name because `#[tool]` derives an output schema only for a return type that is spelled `Json<…>`.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize + JsonSchema + Render + 'static> IntoCallToolResult for Json<T> {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let mut text = String::new();
        self.0.render(&mut text);
        let value = serde_json::to_value(&self.0).map_err(|e| ErrorData::internal_error(e.to_string(), None))?;
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(value);
        Ok(result.into())
    }
}

/// Why a tool has no result. Reaches the client as text with `isError`, so that the model sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolError(pub(crate) String);

impl ToolError {
    /// The same as an in-band result. Of a long message, which quotes a long argument, the beginning and the end are
    /// given.
    pub(crate) fn into_result(self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(shortened(self.0))])
    }
}

/// Characters that an error keeps of its beginning and of its end.
const BEGINNING: usize = 1600;
const END: usize = 800;

fn shortened(message: String) -> String {
    let count = message.chars().count();
    if count <= BEGINNING + END {
        return message;
    }
    let beginning: String = message.chars().take(BEGINNING).collect();
    let end: String = message.chars().skip(count - END).collect();
    format!("{beginning} [… {} characters …] {end}", count - BEGINNING - END)
}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self(message)
    }
}

impl From<engine::Error> for ToolError {
    fn from(error: engine::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<rr::Error> for ToolError {
    fn from(error: rr::Error) -> Self {
        Self(error.to_string())
    }
}

impl IntoCallToolResult for ToolError {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(self.into_result().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_error_keeps_its_beginning_and_its_end() {
        let message = format!("{}: no function `{}` is known", "nowhere", "\u{e9}".repeat(5000));
        let count = message.chars().count();
        let error = ToolError(message).into_result();
        let said = &error.content[0].as_text().unwrap().text;
        assert!(said.starts_with("nowhere: no function `\u{e9}"), "{said}");
        assert!(said.ends_with("\u{e9}` is known"), "{said}");
        assert!(said.contains(&format!(" [… {} characters …] ", count - 2400)), "{said}");
        let short = "x".repeat(2400);
        assert_eq!(ToolError(short.clone()).into_result().content[0].as_text().unwrap().text, short);
    }
}
