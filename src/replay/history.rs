//! Questions about the whole execution: who wrote a value last, how a function was called.

use super::error::{Error, ErrorKind, Result};
use super::frame::Frame;
use super::position::Position;
use super::session::{Replay, stop_of};
use super::stop::{Stop, StopReason};
use super::value::Value;
use crate::arch::Direction;
use crate::ctype::{self, Place};
use crate::engine::Typed;
use crate::engine::model::{self, BreakpointSpec, Motion, Reason};
use std::fmt;

/// A change of a value. It is kept by itself, whatever the replay does later.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Write {
    /// The value before.
    pub old: Value<'static>,
    /// The value after.
    pub new: Value<'static>,
    /// Where in the recording: just before it is written.
    pub at: Position,
    /// Who wrote it.
    pub frame: Frame,
    /// What else there is to know, in words.
    pub notes: Vec<String>,
}

/// `(struct calibration *) 0x4a50d8 <valley> -> (struct calibration *) 0x3e8 in store () at table.c:33`
impl fmt::Display for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} in {}", self.old, self.new, self.frame)
    }
}

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
    /// Finds the last change of what an expression names in memory, before where the replay is; `None` if it has not
    /// changed since the process began.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let crash = replay.run()?;
    /// let write = replay.last_write("station->calibration")?.expect("it has changed");
    /// assert_eq!(write.new.as_pointer(), Some(1000));
    /// assert_eq!(write.frame.function.as_deref(), Some("store"));
    /// assert_eq!(replay.position(), &crash.position);
    /// replay.goto(&write.at)?;
    /// let hour: u32 = replay.eval("hour")?.try_into()?;
    /// assert_eq!(hour, 24);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Unwatchable`] for what is not in memory or larger than eight bytes.
    /// That the time is up, or that it is [cancelled](crate::Cancel), is an error, too: what was not found need not be
    /// missing.
    pub fn last_write(&mut self, expression: &str) -> Result<Option<Write>> {
        let watched = self.core.engine().typed(expression)?;
        let new = Value::taken(self.core.engine(), watched.clone(), None)?;
        self.journey(|replay| {
            replay.disable_all()?;
            let info = replay.core.engine().set_watchpoint(expression, model::Access::Write, None, None)?;
            let found =
                replay.run_to(Direction::Reverse, info.number, |reason| matches!(reason, Reason::Exec { .. }))?;
            let Some(stop) = found else { return Ok(None) };
            let StopReason::Watchpoint { old, writer, .. } = &stop.reason else { return Ok(None) };
            let old = replay.before_write(&watched, old.as_deref())?;
            let frame = writer.clone().unwrap_or_else(|| stop.frame.clone());
            Ok(Some(Write { old, new, at: stop.position, frame, notes: stop.notes }))
        })
    }

    /// Reads what is now where a value was. `shown`: how that was told.
    fn before_write(&mut self, watched: &Typed, shown: Option<&str>) -> Result<Value<'static>> {
        let engine = self.core.engine();
        let Some(address) = engine.with_memory(|memory| super::value::resolved(&watched.value, memory).address())?
        else {
            return Err(Error::new(ErrorKind::Unwatchable, "it is not in memory"));
        };
        let value = ctype::Value::new(watched.value.ty.clone(), Place::Memory(address));
        Value::taken(engine, Typed { value, target: watched.target }, shown)
    }

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
    /// [`ErrorKind::NoLocation`] if there is no such function. That the time is up, or that
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

    /// Runs forward to the next hit of a breakpoint, past other stops; `None` if the process ends before.
    pub(super) fn run_to_hit(&mut self, number: u32) -> Result<Option<Stop>> {
        self.run_to(Direction::Forward, number, |_| false)
    }

    /// Runs to a hit of a breakpoint in a direction. `ends`: which other stops there is nothing behind.
    fn run_to(&mut self, direction: Direction, number: u32, ends: impl Fn(&Reason) -> bool) -> Result<Option<Stop>> {
        loop {
            self.check_cancel()?;
            let before = self.stop.position.event();
            let stop = self.told(|engine| engine.go(Motion::Continue(direction)))?;
            in_time(&stop.reason)?;
            let is_end = matches!(stop.reason, Reason::StartOfRecording | Reason::EndOfRecording { .. });
            let is_over = is_end || ends(&stop.reason);
            self.stop = stop_of(self.core.engine(), stop, u64::MAX)?;
            self.tell_output(before);
            if self.stop.reason.is_hit_of(number) {
                return Ok(Some(self.stop.clone()));
            }
            if is_over {
                return Ok(None);
            }
        }
    }

    fn arrive(&mut self, motion: Motion) -> Result<()> {
        in_time(&self.told(|engine| engine.go(motion))?.reason)
    }

    fn disable_all(&mut self) -> Result<()> {
        let engine = self.core.engine();
        for breakpoint in engine.breakpoints() {
            engine.set_enabled(breakpoint.number, false)?;
        }
        Ok(())
    }
}

/// Fails if a stop says that the time was up, or that the question was cancelled: it has not been answered then.
fn in_time(reason: &Reason) -> Result<()> {
    match reason {
        Reason::TimedOut { after } => {
            Err(Error::new(ErrorKind::TimedOut, format!("the time was up after {} s", after.as_secs_f64())))
        }
        Reason::Cancelled => Err(Error::new(ErrorKind::Cancelled, "it was cancelled")),
        _ => Ok(()),
    }
}
