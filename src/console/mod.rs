//! GDB's command language over the engine: `break`, `reverse-continue`, `info locals`, `print/x`, answered in GDB's
//! words.
//!
//! Layer 3. Text in, text out: what the command tool of [`mcp`](crate::mcp) and the prompt of [`cli`](crate::cli)
//! share. Nothing is passed on to a GDB; a command is parsed here, carried out by the [`engine`], and
//! what comes back is told the way GDB 13 with rr would tell it, so that people, models and scripts that know GDB need
//! not learn anything.
//!
//! ```text
//! line ── parse ──▶ Command ── Execution (run, breakpoints, stack, values, …) ──▶ Engine
//!           │                    │
//!    command_names,            stops, frames, ──▶ Terminal
//!    format_letters            breakpoint_table
//! ```
//!
//! * `command_names` knows the commands, their abbreviations, and what to say about those of GDB's that do not exist
//!   here.
//! * `command` is what a line means; `parse` makes it, without knowing a program.
//! * An `Execution` is one command being carried out. Its methods are spread over one file for each family of commands.
//!
//! Where a recording differs from a live program, so do the answers: assignments, calls and jumps are refused, and from
//! the end of the recording one can still go back.

mod absent;
mod alias;
mod breakpoint_edit;
mod breakpoint_table;
mod breakpoints;
mod catchpoints;
mod command;
mod command_names;
mod complete;
mod count_argument;
mod display;
mod error;
mod examine;
mod examples;
mod execute;
mod execution;
mod find;
mod flow;
mod format_letters;
mod frame_apply;
mod frames;
mod help;
mod history;
mod host;
mod info;
mod inquiry;
mod list;
mod location_spec;
mod machine_code;
mod macros;
mod movement;
mod names;
mod number_list;
mod parse;
mod print_options;
mod printf;
mod process_facts;
mod save;
mod script;
mod settings;
mod skip;
mod stack;
mod state;
mod stops;
mod symbols;
mod threads;
mod time_travel;
mod topic_names;
mod values;
mod virtual_table;

pub use error::{Elsewhere, Error};
pub use execution::{Answer, Terminal};
pub use flow::Flow;
pub use host::{Host, Log};
pub use inquiry::Inquiry;
pub use time_travel::Opening;

use engine::Engine;
use execution::Execution;
use state::{Calls, ConversationState};
use std::str::Lines;

/// The state of a conversation about one replay: what GDB remembers between two commands.
///
/// Breakpoints, the position, and values that were printed belong to the engine, and may be changed in between by
/// others.
#[derive(Debug, Default)]
pub struct Console {
    state: ConversationState,
}

impl Console {
    /// Creates a fresh conversation.
    pub fn new() -> Self {
        Self::default()
    }

    /// Has functions of the program called where an expression to be printed says so: in a copy, which is thrown away.
    pub fn allow_calls(&mut self) {
        self.state.calls = Calls::Allowed;
    }

    /// Has it said, where an expression calls a function, how to have functions called.
    pub fn explain_calls(&mut self, how: &'static str) {
        self.state.calls = Calls::Refused(how);
    }

    /// Goes to where a conversation is to begin, which is also what `run` goes back to.
    pub fn open_at(&mut self, engine: &mut Engine, opening: Opening) -> Result<(), Error> {
        let mut nobody = execution::Nobody;
        Execution { state: &mut self.state, engine, terminal: &mut nobody }.open_at(opening)
    }

    /// Tells where the replay is, as GDB does when it has connected to one.
    pub fn greet(&mut self, engine: &mut Engine, terminal: &mut dyn Terminal) -> Result<(), Error> {
        Execution { state: &mut self.state, engine, terminal }.greet()
    }

    /// Carries out one line, until the engine's call is [cancelled](Engine::set_cancel). What it prints ends with a
    /// newline, unless it is to go on (`echo`, `output`).
    pub fn execute(&mut self, engine: &mut Engine, line: &str, terminal: &mut dyn Terminal) -> Result<Flow, Error> {
        // What was meant before is of no interest any more.
        self.take_hint(engine);
        Execution { state: &mut self.state, engine, terminal }.execute(line)
    }

    /// Carries out a line of a file that is read before the first command, as [`execute`](Self::execute) does: but none
    /// that moves, or takes a replay.
    pub fn start_up(&mut self, engine: &mut Engine, line: &str, terminal: &mut dyn Terminal) -> Result<Flow, Error> {
        self.state.stays = true;
        let done = self.execute(engine, line, terminal);
        self.state.stays = false;
        done
    }

    /// Gives up lines that are being collected; returns whether there were some.
    pub fn end_collecting(&mut self) -> bool {
        self.state.collecting.take().is_some()
    }

    /// Carries out lines until one fails, leaves or is interrupted; `lines` then has those that are left.
    pub fn script(
        &mut self,
        engine: &mut Engine,
        lines: &mut Lines<'_>,
        terminal: &mut dyn Terminal,
    ) -> Result<Flow, Error> {
        for line in lines.by_ref() {
            match self.execute(engine, line, terminal)? {
                Flow::GoOn => {}
                other => return Ok(other),
            }
        }
        match self.state.collecting.take() {
            Some(_) => Err(Error::said("the last lines have no `end`")),
            None => Ok(Flow::GoOn),
        }
    }

    /// Returns what may follow what was typed, from which place of it on. `None`: names of files.
    pub fn complete(&mut self, engine: &mut Engine, typed: &str) -> Option<(usize, Vec<String>)> {
        // What cannot be found out now has no completions.
        complete::complete(&self.state, engine, typed).unwrap_or_else(|_| Some((typed.len(), Vec::new())))
    }

    /// Takes what may have been meant by a name in the line that has failed, or which frame has it: once. GDB has no
    /// such words, and scripts may compare its own.
    pub fn take_hint(&mut self, engine: &mut Engine) -> Option<String> {
        let of_engine = engine.take_hint();
        self.state.hint.take().or(of_engine)
    }

    /// Returns the line that an empty one repeats, at a prompt.
    pub fn repeated(&self) -> &str {
        &self.state.repeated
    }

    /// Returns whether lines are being collected, as the commands of a breakpoint.
    pub fn is_collecting(&self) -> bool {
        self.state.collecting.is_some()
    }
}
