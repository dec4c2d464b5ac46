//! How a tool answers: an object for programs, the same in a few lines for readers, and errors that both can read.
//!
//! The fields are the original's with the original's names and meanings, and more. A view is a type with those fields,
//! whose `Display` is the text form: it is complete on its own, since some clients show nothing else. Views that
//! several families of tools have are here, one file each; the others are with their tools.
//!
//! * Addresses are strings, `0x` and 16 digits: JSON numbers lose bits above 2⁵³.
//! * A field that has nothing to say is left out ([`omit`]); `trace_dir` and `exit_code` of a recording are those that
//!   may be `null`.
//! * Lists are wrapped: `{"result": […]}`.
//! * What was left out of a list or a value is said in `truncated`, with the way to get the rest.

mod breakpoint;
mod checkpoint;
mod frame;
mod kept;
mod log;
mod notes;
mod omit;
mod position;
mod quoted;
mod replay;
mod show;
mod source;
mod stop;
mod surroundings;
mod text;
mod time;

pub(crate) use self::breakpoint::BreakpointView;
pub(crate) use self::checkpoint::CheckpointView;
pub(crate) use self::frame::FrameView;
pub(crate) use self::kept::CachedAnswer;
pub(crate) use self::log::LoggedView;
pub(crate) use self::notes::Notes;
pub(crate) use self::omit::{NULLABLE, is_default, structured};
pub(crate) use self::position::{PositionView, address};
pub(crate) use self::quoted::{Quoted, mark};
pub(crate) use self::replay::{Moment, ReplayView};
pub(crate) use self::show::{LineEnds, show};
pub(crate) use self::source::source_text;
pub(crate) use self::stop::{StopView, reason_word};
pub(crate) use self::surroundings::SurroundingsView;
pub(crate) use self::text::{NumberView, TextView, lines};
pub(crate) use self::time::utc;
use base::untrusted::shown;
use rmcp::ErrorData;
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use rmcp::schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Display;

/// A tool's result.
///
/// Has this name because `#[tool]` derives an output schema only for a return type that is spelled `Json<…>`.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize + JsonSchema + Display + 'static> IntoCallToolResult for Json<T> {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let value = structured(&self.0).map_err(|e| ErrorData::internal_error(e.to_string(), None))?;
        let mut result = CallToolResult::success(vec![ContentBlock::text(self.0.to_string())]);
        result.structured_content = Some(value);
        Ok(result.into())
    }
}

/// Why a tool has no result. Reaches the client as text with `isError`, so that the model sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolError(pub(crate) String);

impl ToolError {
    /// Converts the error into an in-band result. Of a long message, which quotes a long argument, the beginning and
    /// the end are given, as they are shown: what is spelled counts as long as that is.
    pub(crate) fn into_result(self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(shortened(&shown(&self.0)))])
    }
}

/// Characters that an error keeps of its beginning and of its end.
const BEGINNING: usize = 1600;
const END: usize = 800;

fn shortened(message: &str) -> String {
    let count = message.chars().count();
    if count <= BEGINNING + END {
        return message.to_owned();
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

impl From<questions::Error> for ToolError {
    fn from(error: questions::Error) -> Self {
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

    #[test]
    fn what_is_spelled_in_an_error_counts_as_long_as_that_is() {
        let error = ToolError("\u{1}".repeat(2400)).into_result();
        let said = &error.content[0].as_text().unwrap().text;
        assert!(said.starts_with(r"\x01\x01") && said.ends_with(r"\x01\x01"), "{said}");
        assert!(said.contains(&format!(" [… {} characters …] ", 4 * 2400 - 2400)), "{said}");
    }
}
