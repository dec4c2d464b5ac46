//! What a command is carried out with: the conversation, the engine, and who is spoken to.

use super::error::Error;
use super::host::Host;
use super::inquiry::Inquiry;
use super::state::ConversationState;
use engine::Engine;
use engine::model::Reason;
use std::fmt::Display;

/// What is answered to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes.
    Yes,
    /// No.
    No,
    /// The question was interrupted, and the command with it.
    Cancelled,
}

/// Who a conversation is held with.
pub trait Terminal {
    /// Takes text as it is made.
    fn say(&mut self, text: &str);

    /// Returns whether somebody is there to be asked.
    fn asks(&self) -> bool {
        false
    }

    /// Asks a question of yes or no. `default`: what an empty line means; without one, it is asked again.
    fn ask(&mut self, question: &str, default: Option<Answer>) -> Answer {
        let _ = question;
        default.unwrap_or(Answer::Yes)
    }

    /// Returns whether more text would be of no use.
    fn is_full(&self) -> bool {
        false
    }

    /// Returns whether strings of the program may go on in lines of their own, as GDB prints them at a terminal. Elsewhere
    /// such a line could pass for one of the answer.
    fn shows_lines(&self) -> bool {
        false
    }

    /// Answers a question about the whole recording: about what an expression means in the selected frame. `None`: not
    /// here.
    fn inquire(&mut self, engine: &mut Engine, inquiry: Inquiry, expression: &str) -> Option<Result<String, String>> {
        let _ = (engine, inquiry, expression);
        None
    }

    /// Returns the machine that files and a shell are on, if commands may use them.
    fn host(&mut self) -> Option<&mut dyn Host> {
        None
    }
}

/// Hears nothing.
pub(super) struct Nobody;

impl Terminal for Nobody {
    fn say(&mut self, _: &str) {}
}

/// A command being carried out.
pub(super) struct Execution<'t> {
    pub(super) state: &'t mut ConversationState,
    pub(super) engine: &'t mut Engine,
    pub(super) terminal: &'t mut dyn Terminal,
}

impl Execution<'_> {
    /// Prints a line of output.
    pub(super) fn say(&mut self, line: impl Display) {
        self.terminal.say(&format!("{line}\n"));
    }

    /// Fails if the process has been seen to end.
    pub(super) fn running(&mut self) -> Result<(), Error> {
        self.alive("The program is not being run.")
    }

    /// Fails if the process has been seen to end, in the words of the command.
    pub(super) fn alive(&mut self, otherwise: &str) -> Result<(), Error> {
        // Other tools of the session may have gone back since.
        if self.state.exited && matches!(self.engine.reason(), Reason::EndOfRecording { .. }) {
            return Err(Error::said(otherwise));
        }
        self.state.exited = false;
        Ok(())
    }
}
