//! What GDB commands print.

use crate::mcp::reply::Render;
use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

/// Result of `rr_command`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CommandView {
    /// As GDB would print it.
    pub(crate) output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) truncated: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

impl Render for CommandView {
    fn render(&self, out: &mut String) {
        let text = self.output.trim_matches('\n');
        out.push_str(if text.is_empty() && self.note.is_none() { "(no output)" } else { text });
        if let Some(why) = &self.truncated {
            out.push_str("\ntruncated: ");
            out.push_str(why);
        }
        if let Some(note) = &self.note {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str("note: ");
            out.push_str(note);
        }
    }
}
