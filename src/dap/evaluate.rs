//! Expressions, and GDB's commands in the editor's console.

use super::arguments::Evaluate;
use super::message::{Refusal, body_of};
use super::session::{Done, Session, Then};
use super::variables::{of_expression, shown};
use crate::console::{Elsewhere, Flow, Terminal};
use crate::replay::{self, ErrorKind};
use serde_json::json;

/// Longest text of a value that was asked for.
const LONGEST: usize = 100_000;
/// Longest answer of a command.
const LONGEST_ANSWER: usize = 256 << 10;
/// What a line in the console begins with that is a command and no expression.
pub(super) const COMMAND: [&str; 2] = ["-exec ", "`"];

/// What a command answers.
#[derive(Debug, Default)]
struct Answer(String);

impl Terminal for Answer {
    fn say(&mut self, text: &str) {
        if !self.is_full() {
            self.0.push_str(text);
        }
    }

    fn is_full(&self) -> bool {
        self.0.len() >= LONGEST_ANSWER
    }
}

/// Returns how an editor does what GDB has a command for.
fn in_an_editor(elsewhere: Elsewhere) -> &'static str {
    match elsewhere {
        Elsewhere::Leaving => "stop debugging in the editor",
        Elsewhere::Memory => "read memory with `x`",
        Elsewhere::SourceSearch => "search in the editor",
        Elsewhere::Recording => "this is a recording already; `launch` makes another",
        Elsewhere::Processes => "`retrograde rr ps TRACE` lists the processes of a recording",
        Elsewhere::Script => "give the lines one after the other",
        Elsewhere::Files => "commands write no files here",
        Elsewhere::Shell => "use the editor's terminal",
        Elsewhere::WholeRecording(_) => "`retrograde gdb` and the MCP server answer it",
    }
}

impl Session {
    pub(super) fn evaluate(&mut self, arguments: &Evaluate) -> Result<Done, Refusal> {
        match arguments.frame_id {
            Some(frame) => {
                let place = self.looks.frame(frame)?;
                self.select(place)?;
            }
            None => {
                self.replay()?;
            }
        }
        let text = arguments.expression.trim();
        if arguments.context.as_deref() != Some("repl") {
            return Ok(self.value_of(arguments, text)?.into());
        }
        if let Some(command) = COMMAND.iter().find_map(|prefix| text.strip_prefix(prefix)) {
            return self.command(command);
        }
        match self.value_of(arguments, text) {
            Ok(body) => Ok(body.into()),
            Err(error) if matches!(error.kind(), ErrorKind::Expression | ErrorKind::NoSymbol) => {
                self.command(text).map_err(|said| match said.words().starts_with("Undefined command") {
                    true => error.into(),
                    false => said,
                })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn value_of(&mut self, arguments: &Evaluate, text: &str) -> replay::Result<serde_json::Value> {
        let Self { replay: Some(replay), looks, .. } = self else { return Ok(serde_json::Value::Null) };
        let part = of_expression(text, replay.eval(text)?);
        let shown = shown(looks, &part, arguments.format, LONGEST);
        let mut body = body_of(shown);
        body["result"] = body["value"].take();
        Ok(body_of(body))
    }

    /// Carries out a command of GDB's.
    fn command(&mut self, line: &str) -> Result<Done, Refusal> {
        let Self { replay: Some(replay), console, .. } = self else { return Err(super::session::nothing()) };
        let (before, mut answer) = (replay.position().clone(), Answer::default());
        let done = replay.with_engine(|engine| console.execute(engine, line, &mut answer));
        // A command may select another frame.
        self.selected = None;
        let flow = done?.map_err(|error| {
            let words = format!("{}{}", answer.0, error.words(in_an_editor));
            Refusal::new(words).fatal(matches!(error, crate::console::Error::Ended(_)))
        })?;
        if flow == Flow::Quit {
            answer.0.push_str(in_an_editor(Elsewhere::Leaving));
        }
        let body = json!({"result": answer.0.trim_end(), "variablesReference": 0});
        let stop = replay.stop();
        let then = if stop.position == before { Then::Nothing } else { Then::Tell(Box::new(stop.clone())) };
        if matches!(then, Then::Nothing) {
            self.tell_changed_breakpoints();
        }
        Ok(Done { body, then })
    }
}
