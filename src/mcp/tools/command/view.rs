//! What GDB commands print.

use rmcp::schemars::{self, JsonSchema};
use serde::Serialize;
use std::fmt;

/// Result of `rr_command`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CommandView {
    /// As GDB would print it.
    pub(crate) output: String,
    pub(crate) truncated: Option<String>,
    pub(crate) note: Option<String>,
}

impl fmt::Display for CommandView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.output.trim_matches('\n');
        f.write_str(if text.is_empty() && self.note.is_none() { "(no output)" } else { text })?;
        if let Some(why) = &self.truncated {
            write!(f, "\ntruncated: {why}")?;
        }
        if let Some(note) = &self.note {
            let separator = if text.is_empty() && self.truncated.is_none() { "" } else { "\n" };
            write!(f, "{separator}note: {note}")?;
        }
        Ok(())
    }
}
