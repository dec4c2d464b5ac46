//! One frame of a stack, asked without selecting it.

use super::core::Core;
use super::error::Result;
use super::frame::Frame;
use super::inspect::{Register, Variable};
use super::session::Replay;
use super::value::Value;
use engine::{Engine, Error};
use std::ops::Deref;

/// A frame of the selected thread at this moment: a [`Frame`], and the questions that it can answer. It does not change
/// what is selected. See [`Replay::frame`].
pub struct FrameView<'r> {
    core: &'r Core,
    frame: Frame,
}

impl Replay {
    /// Returns a frame of the selected thread, 0 being the innermost, to ask about it.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.run()?;
    /// let caller = replay.frame(1)?;
    /// assert_eq!(caller.function.as_deref(), Some("mean"));
    /// assert_eq!(caller.eval("sum")?.as_i128(), Some(0));
    /// assert_eq!(replay.eval("slot")?.as_i128(), Some(0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NoFrame`](crate::ErrorKind::NoFrame) if there is no such frame; its text says how many there are.
    pub fn frame(&self, level: u32) -> Result<FrameView<'_>> {
        let frame = self.core.ask().in_frame(Some(level), |engine| engine.select_frame(level))?;
        Ok(FrameView { core: &self.core, frame: frame.into() })
    }

    /// Returns the innermost frame whose source can be read, one of the user's own code before those of libraries; `None` if
    /// no frame of the stack has any.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.run()?;
    /// let frame = replay.user_frame()?.expect("the program has source");
    /// assert_eq!(frame.function.as_deref(), Some("corrected"));
    /// assert_eq!(frame.arguments()?[0].name, "station");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The replay has ended.
    pub fn user_frame(&self) -> Result<Option<FrameView<'_>>> {
        let found = self.core.ask().user_frame()?;
        Ok(found.map(|frame| FrameView { core: &self.core, frame: frame.into() }))
    }
}

impl<'r> FrameView<'r> {
    /// Evaluates an expression there, as [`Replay::eval`] does in the selected frame.
    ///
    /// # Errors
    /// As [`Replay::eval`].
    pub fn eval(&self, expression: &str) -> Result<Value<'r>> {
        let typed = self.ask(|engine| engine.typed(expression))?;
        Ok(Value::new(self.core, typed))
    }

    /// Returns the arguments and local variables that are visible there, the innermost block last.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn variables(&self) -> Result<Vec<Variable<'r>>> {
        let found = self.ask(Engine::typed_variables)?;
        Ok(found.into_iter().map(|variable| Variable::of(self.core, variable)).collect())
    }

    /// Returns the arguments of the call.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn arguments(&self) -> Result<Vec<Variable<'r>>> {
        Ok(self.variables()?.into_iter().filter(|variable| variable.is_argument).collect())
    }

    /// Returns the registers as they were there, in the processor's order; those that its callees have not preserved are
    /// unavailable.
    ///
    /// # Errors
    /// The replay has ended.
    pub fn registers(&self) -> Result<Vec<Register<'r>>> {
        let found = self.ask(Engine::typed_registers)?;
        let register = |(name, typed)| Register { name, value: Value::new(self.core, typed) };
        Ok(found.into_iter().map(register).collect())
    }

    fn ask<R>(&self, question: impl FnOnce(&mut Engine) -> std::result::Result<R, Error>) -> Result<R> {
        Ok(self.core.ask().in_frame(Some(self.frame.level), question)?)
    }
}

impl Deref for FrameView<'_> {
    type Target = Frame;

    fn deref(&self) -> &Frame {
        &self.frame
    }
}
