//! How a function was called, in the whole execution.

use super::error::Result;
use super::excursion::in_time;
use super::frame::Frame;
use super::position::Position;
use super::session::{Replay, stop_of};
use super::stop::{Stop, StopReason};
use super::value::Value;
use crate::arch::Direction;
use crate::engine::model::{BreakpointSpec, Motion};
use std::fmt;

/// A call of a function. It is kept by itself, whatever the replay does later.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The function, behind its prologue.
    pub frame: Frame,
    /// Its parameters, by name.
    pub arguments: Vec<(String, Value<'static>)>,
    /// What it returned; `None` if that is nothing, cannot be found, or if the function did not return.
    pub result: Option<Value<'static>>,
    /// Who called it; `None` if that is not known.
    pub caller: Option<Frame>,
    /// Where in the recording it begins.
    pub at: Position,
}

impl Call {
    /// Returns the parameter of this name.
    pub fn argument(&self, name: &str) -> Option<&Value<'static>> {
        self.arguments.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}

/// `store (slot=8, value=1000) at table.c:33 = 7`
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.frame)?;
        match &self.result {
            Some(result) => write!(f, " = {result}"),
            None => Ok(()),
        }
    }
}

/// # The whole execution
///
/// These look elsewhere in the recording, and come back: afterwards the replay is where it was, with the breakpoints
/// that it had.
impl Replay {
    /// Finds the calls of a function in the whole process, in the order of time, at most so many, with their arguments
    /// and results.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let calls = replay.calls("pressure", 3)?;
    /// let results: Vec<i32> = calls.iter().filter_map(|call| call.result.as_ref()?.try_into().ok()).collect();
    /// assert_eq!(results, [1000, 1000, 999]);
    /// let hours: Vec<String> = calls.iter().filter_map(|call| Some(call.argument("hour")?.to_string())).collect();
    /// assert_eq!(hours, ["0", "3", "6"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NoLocation`](crate::ErrorKind::NoLocation) if there is no such function. That the time is up, or that
    /// it is [cancelled](crate::Cancel), is an error, too.
    pub fn calls(&mut self, function: &str, limit: usize) -> Result<Vec<Call>> {
        self.journey(|replay| {
            replay.disable_all()?;
            let spec = BreakpointSpec { location: function.to_owned(), ..BreakpointSpec::default() };
            let number = replay.core.engine().set_breakpoint(&spec)?.number;
            let beginning = replay.core.engine().beginning();
            replay.arrive(Motion::RunToEvent(beginning))?;
            let mut calls = Vec::new();
            while calls.len() < limit
                && let Some(stop) = replay.run_to_hit(number)?
            {
                calls.push(replay.call(&stop, number)?);
            }
            Ok(calls)
        })
    }

    /// Reads the call that has just begun, with its arguments and its result.
    fn call(&mut self, stop: &Stop, breakpoint: u32) -> Result<Call> {
        let engine = self.core.engine();
        let mut arguments = Vec::new();
        for variable in engine.typed_variables()?.into_iter().filter(|variable| variable.is_argument) {
            arguments.push((variable.name, Value::taken(engine, variable.value, None)?));
        }
        // In the outermost frame there is no caller.
        let caller = engine.backtrace(1, 1, true).ok().and_then(|found| found.frames.into_iter().next());
        let result = self.result(breakpoint)?;
        let (frame, at) = (stop.frame.clone(), stop.position.clone());
        Ok(Call { frame, arguments, result, caller: caller.map(Frame::from), at })
    }

    /// Finds out what the function returns that has just begun. Afterwards the replay is at its beginning.
    fn result(&mut self, breakpoint: u32) -> Result<Option<Value<'static>>> {
        let engine = self.core.engine();
        // Where rr makes no checkpoint, there is no quick way back.
        let Ok(begun) = engine.save_checkpoint(None) else { return Ok(None) };
        let finished = self.leave_without(breakpoint);
        let back = self.arrive(Motion::Restore(begun.id));
        // Whatever has failed, it is not the user's.
        let deleted = self.core.engine().delete_checkpoint(begun.id);
        let result = finished?;
        back?;
        deleted?;
        Ok(result)
    }

    /// Runs to the end of the function, without stopping at this breakpoint.
    fn leave_without(&mut self, breakpoint: u32) -> Result<Option<Value<'static>>> {
        self.core.engine().set_enabled(breakpoint, false)?;
        let finished = self.leave();
        self.core.engine().set_enabled(breakpoint, true)?;
        finished
    }

    /// Runs to the return of the innermost function, whatever signals come in between.
    fn leave(&mut self) -> Result<Option<Value<'static>>> {
        // The outermost function has nobody to return to.
        let Ok(stop) = self.told(|engine| engine.go(Motion::Finish(Direction::Forward))) else { return Ok(None) };
        in_time(&stop.reason)?;
        match stop_of(self.core.engine(), stop, u64::MAX)?.reason {
            StopReason::Returned { value } => Ok(value),
            _ => Ok(None),
        }
    }
}
