//! Log points: breakpoints that write a line down instead of stopping.

use crate::api::error::Error;
use crate::api::{Frame, LogLine, Show};
use crate::breakpoints::debuggee::Debuggee;
use crate::breakpoints::log_fields::{Here, NAMES};
use crate::breakpoints::log_text::{LogText, Piece};
use crate::eval::expression::Scope;
use crate::eval::inferior::Inferior;
use crate::stack::physical::Level;
use arch::ThreadId;
use readers::shortened_function;

/// Most bytes of one line.
const MAX_LINE: usize = 4096;
impl Inferior {
    /// Fails unless all expressions of a text mean something where they will be evaluated.
    pub(crate) fn check_log(&mut self, scope: Scope, log: &LogText) -> Result<(), Error> {
        for expression in log.expressions() {
            let bad = |reason: String| Error::BadLog { text: log.text.clone(), reason };
            let (_, plain) = expr::split_format(expression).map_err(|e| bad(e.render(expression)))?;
            self.check(scope, plain).map_err(|error| match error {
                Error::BadCondition { reason, .. } => bad(reason),
                other => other,
            })?;
        }
        Ok(())
    }

    /// Writes what a text says now, in the innermost frame of a thread, and the values in it. What has no value says why.
    fn written(&mut self, thread: ThreadId, log: &LogText, here: &Here) -> Result<(String, Vec<String>), Error> {
        let level = self.level(thread, 0)?;
        let (mut line, mut values) = (String::new(), Vec::new());
        for piece in &log.pieces {
            let mut value = match piece {
                Piece::Text(text) => {
                    line += text;
                    continue;
                }
                // A variable that the user has set means here what it means everywhere else.
                Piece::Place(shown) if self.variables.get(shown.name()).is_some() => {
                    self.said(thread, level, &format!("${}", shown.name()))
                }
                Piece::Place(shown) => here.say(*shown),
                Piece::Expression(expression) => self.said(thread, level, expression),
            };
            line += &value;
            cut(&mut value, MAX_LINE);
            values.push(value);
            if line.len() > MAX_LINE {
                break;
            }
        }
        if line.len() > MAX_LINE {
            cut(&mut line, MAX_LINE);
            line.push('…');
        }
        Ok((line, values))
    }
}

impl Inferior {
    /// Evaluates an expression and returns its value, or why it has none.
    fn said(&mut self, thread: ThreadId, level: Level, expression: &str) -> String {
        match self.evaluate(thread, level, expression, Show::default()) {
            Ok(found) => found.value,
            Err(error) => format!("<{}>", error.to_string().lines().next().unwrap_or_default()),
        }
    }
}

/// Shortens a text to at most so many bytes.
fn cut(text: &mut String, most: usize) {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.truncate(end.unwrap_or(0));
}

/// What a log point says of a watched value, and of the code that has touched it, which forward is behind the thread.
pub(crate) struct Touched {
    pub(crate) old: Option<String>,
    pub(crate) new: Option<String>,
    pub(crate) by: Option<Frame>,
}

impl Debuggee {
    /// Writes down what a log point has to say where a thread is. `touched`: what touched a watched value there.
    pub(crate) fn write_down(
        &mut self,
        thread: ThreadId,
        number: u32,
        log: &LogText,
        touched: Option<Touched>,
    ) -> Result<(), Error> {
        let mut here = self.here(thread, log.names_caller())?;
        let (mut old, mut new) = (None, None);
        if let Some(touched) = touched {
            (old, new) = (touched.old, touched.new);
            here.frame = touched.by.unwrap_or(here.frame);
        }
        let (text, values) = self.inferior.written(thread, log, &here)?;
        let Here { position, thread, frame, .. } = here;
        let (function, file, line) = (frame.function, frame.fullname.or(frame.file), frame.line);
        self.inferior.check_answers()?;
        self.log.add(LogLine { index: 0, number, text, values, position, thread, function, file, line, old, new });
        Ok(())
    }

    /// Finds out where a thread is. Its caller takes unwinding, and is left out if nobody asks.
    pub(crate) fn here(&mut self, thread: ThreadId, with_caller: bool) -> Result<Here, Error> {
        if !self.known_threads.contains(&thread) {
            self.meet_threads()?;
        }
        let level = self.inferior.level(thread, 0)?;
        let frame = self.inferior.frame(thread, 0, level, false)?;
        let position = self.inferior.position(thread)?;
        let caller = if with_caller { self.caller_of(thread) } else { String::new() };
        Ok(Here { position, thread: self.number(thread), frame, caller })
    }

    /// Returns the function around the innermost frame; where that is not known, why.
    fn caller_of(&mut self, thread: ThreadId) -> String {
        let level = self.inferior.level(thread, 1);
        match level.and_then(|level| self.inferior.frame(thread, 1, level, false)) {
            Ok(Frame { function: Some(function), .. }) => shortened_function(&function),
            Ok(frame) => format!("{:#x}", frame.address.0),
            Err(error) => format!("<{}>", error.to_string().lines().next().unwrap_or_default()),
        }
    }

    /// Fails if a text has a name with a `$` that is neither of these nor a register nor a variable of the user's.
    pub(crate) fn check_names(&mut self, log: &LogText) -> Result<(), Error> {
        for expression in log.expressions() {
            let Some(name) = expression.strip_prefix('$') else { continue };
            let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if !is_name || self.inferior.variables.get(name).is_some() || self.is_register(name) {
                continue;
            }
            let names = NAMES.map(|(name, _)| name).join(", ");
            let reason = format!("there is no `{expression}`: there are {names}, and registers such as $rip and $sp");
            return Err(Error::BadLog { text: log.text.clone(), reason });
        }
        Ok(())
    }

    fn is_register(&mut self, name: &str) -> bool {
        self.inferior.register_value(None, name).is_some()
    }
}
