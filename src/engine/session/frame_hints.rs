//! Questions to frames: another one than the selected, and one that knows what the selected does not.

use crate::api::Frame;
use crate::api::error::Error;
use crate::run::session::Session;
use crate::session::engine::Engine;
use crate::stack::physical::Level;
use base::qualified::nearest;
use base::qualified::question;
use std::time::Duration;

/// A crash in a library is a few frames away from the user's code.
const LOOKED_AT: usize = 32;

/// Most names that are told for one that means nothing.
const MOST_SIMILAR: usize = 5;

/// No longer is looked for who knows what was asked.
const LOOKING_AROUND: Duration = Duration::from_secs(2);

impl Session {
    /// Notes, if the selected frame is of code without debug info, which has no variables to show, that this is so, and
    /// which frame has.
    pub(crate) fn note_bare_frame(&mut self) -> Result<(), Error> {
        let level = self.debuggee.selected()?;
        if self.is_described(level)? {
            return Ok(());
        }
        let mut note = format!("frame {} has no debug info", self.debuggee.level);
        let (levels, _) =
            self.debuggee.inferior.levels(self.debuggee.thread, 0, self.debuggee.level as usize + LOOKED_AT)?;
        for (number, level) in (0..).zip(levels).skip(self.debuggee.level as usize + 1) {
            if self.is_described(level)? {
                note += &format!("; frame {number} ({}) has: select it", self.function_shown(number, level)?);
                break;
            }
        }
        self.hint = Some(note);
        Ok(())
    }

    /// Notes which frame has a variable of a name that means nothing in the selected frame, the callers first.
    fn note_owner(&mut self, name: &str) -> Result<bool, Error> {
        let (levels, _) =
            self.debuggee.inferior.levels(self.debuggee.thread, 0, self.debuggee.level as usize + LOOKED_AT)?;
        let numbered: Vec<(u32, Level)> = (0..).zip(levels).collect();
        let (inner, outer) = numbered.split_at(numbered.len().min(self.debuggee.level as usize));
        for &(number, level) in outer.iter().skip(1).chain(inner.iter().rev()) {
            let frame = self.debuggee.inferior.physical(self.debuggee.thread, level.physical)?;
            let Some(module) = &frame.module else { continue };
            let visible = module.image.variables_at(module.link(frame.address.for_lookup()), level.inline);
            if visible.iter().any(|variable| variable.name == name) {
                let function = self.function_shown(number, level)?;
                self.hint = Some(format!("frame {number} ({function}) has `{name}`: select it"));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Notes which variables, functions and types have nearly this name, those of the selected frame first.
    fn note_similar(&mut self, name: &str) -> Result<bool, Error> {
        let level = self.debuggee.selected()?;
        let locals = self.debuggee.inferior.variables(self.debuggee.thread, level)?;
        let locals = nearest(name, locals.iter().map(|local| local.variable.name.as_str()));
        let mut names: Vec<String> = locals.into_iter().map(str::to_owned).collect();
        let modules = &self.debuggee.inferior.modules;
        let program = [modules.variables_near(name), modules.functions_near(name, false), modules.types_near(name)];
        for found in program.into_iter().flatten() {
            if names.len() < MOST_SIMILAR && !names.contains(&found) {
                names.push(found);
            }
        }
        if names.is_empty() {
            names = modules.functions_near(name, true);
        }
        self.hint = question(&names);
        Ok(self.hint.is_some())
    }

    /// Notes, after a question that failed, which frame may have the answer.
    pub(crate) fn note_hint(&mut self, error: &Error) -> Result<(), Error> {
        match error {
            Error::NoSymbol { name, .. } if self.note_owner(name)? || self.note_similar(name)? => Ok(()),
            Error::NoSymbol { .. } | Error::Expression(_) | Error::NeedsCall { .. } => self.note_bare_frame(),
            Error::NoType { name, .. } => match question(&self.debuggee.inferior.modules.types_near(name)) {
                None => self.note_bare_frame(),
                found => {
                    self.hint = found;
                    Ok(())
                }
            },
            _ => Ok(()),
        }
    }

    fn is_described(&mut self, level: Level) -> Result<bool, Error> {
        Ok(self.debuggee.inferior.physical(self.debuggee.thread, level.physical)?.function(level.inline).is_some())
    }

    fn function_shown(&mut self, number: u32, level: Level) -> Result<String, Error> {
        let frame = self.debuggee.inferior.frame(self.debuggee.thread, number, level, false)?;
        Ok(frame.function.unwrap_or_else(|| frame.address.to_string()))
    }
}

impl Engine {
    /// Asks something of a frame of the selected thread, which is selected only for that; `None`: of the selected one.
    pub fn in_frame<R>(
        &mut self,
        level: Option<u32>,
        question: impl FnOnce(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let Some(level) = level else { return question(self) };
        let before = self.session.debuggee.level;
        self.select_frame(level)?;
        let answer = question(self);
        self.session.debuggee.level = before;
        answer
    }

    /// Asks something of the selected frame. If that is the innermost one and a name means nothing there, as in a
    /// library's code where a program ends, the innermost frame of the user's code is asked, and that is noted.
    pub fn in_frame_that_knows<R>(
        &mut self,
        mut question: impl FnMut(&mut Self) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let error = match question(self) {
            Err(error @ (Error::NoSymbol { .. } | Error::NoType { .. })) if self.session.debuggee.level == 0 => error,
            // Without debug info, a name may seem to mean something that is out of scope.
            Err(error) if self.session.debuggee.level == 0 && !error.ends_replay() && !self.is_described()? => error,
            other => return other,
        };
        let hint = self.session.hint.take();
        let Some(frame) = self.user_frame()?.filter(|frame| frame.level != 0) else {
            self.session.hint = hint;
            return Err(error);
        };
        match self.in_frame(Some(frame.level), question) {
            Ok(answer) => {
                let function = frame.function.unwrap_or_else(|| frame.address.to_string());
                self.session.hint =
                    Some(format!("asked of frame {} ({function}): the innermost does not know this", frame.level));
                Ok(answer)
            }
            Err(other) if other.ends_replay() => Err(other),
            Err(_) => {
                self.session.hint = hint;
                Err(error)
            }
        }
    }

    /// Returns the innermost frame of the selected thread whose source can be read, one of the user's own code before
    /// those of libraries.
    pub fn user_frame(&mut self) -> Result<Option<Frame>, Error> {
        let user = self.with(|s| s.debuggee.user_frame(s.debuggee.thread, 1))?;
        Ok(user.map(|user| user.frame))
    }

    /// Returns whether debug info describes the code of the innermost frame.
    fn is_described(&mut self) -> Result<bool, Error> {
        Ok(self.backtrace(0, 1, false)?.frames.first().is_some_and(|frame| frame.file.is_some()))
    }

    /// Asks something of the selected frame; if it cannot answer, notes which frame may.
    pub(crate) fn ask<R>(&mut self, question: impl FnMut(&mut Session) -> Result<R, Error>) -> Result<R, Error> {
        self.ask_within(self.session.limits.eval, question)
    }

    /// Asks as [`Self::ask`] does; debug info may be read for so long in the course of the question.
    pub(crate) fn ask_within<R>(
        &mut self,
        limit: Duration,
        mut question: impl FnMut(&mut Session) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.within(limit, |s| {
            let answer = question(s);
            if let Err(error) = &answer {
                // The answer is that error, whatever comes of looking around.
                let _ = s.attempt(LOOKING_AROUND, |s| s.note_hint(error));
            }
            answer
        })
    }
}
