//! Questions about the whole recording: `origin`, `races`, `heap`, `why`. Each takes a replay of its own, beside the
//! session's, which stays where it is and says what the expression means. The layer above answers them.

use super::error::{Elsewhere, Error};
use super::execution::Execution;

/// A question about the whole recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inquiry {
    /// Where a value comes from.
    Origin,
    /// Which threads access a variable without a common lock.
    Races,
    /// Which heap block a pointer leads into, who allocated it and who freed it.
    Heap,
    /// Why code at a location ran, or why it never ran.
    Why,
}

impl Inquiry {
    /// Returns the name of the command.
    pub fn name(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Races => "races",
            Self::Heap => "heap",
            Self::Why => "why",
        }
    }
}

impl Execution<'_> {
    /// Prints the answer to a question about what an expression means here, or about a location.
    pub(super) fn inquire(&mut self, inquiry: Inquiry, expression: &str) -> Result<(), Error> {
        self.running()?;
        match self.terminal.inquire(self.engine, inquiry, expression) {
            Some(answer) => {
                self.say(answer.map_err(Error::said)?.trim_end());
                Ok(())
            }
            None => {
                Err(Error::Absent { command: inquiry.name().to_owned(), elsewhere: Elsewhere::WholeRecording(inquiry) })
            }
        }
    }
}
