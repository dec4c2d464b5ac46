//! Movements in time.

use super::error::Result;
use super::position::Position;
use super::session::Replay;
use super::stop::Stop;
use arch::{Direction, RunAddr};
use engine::model::Motion;

/// An event that no recording has.
const LAST_EVENT: u64 = i64::MAX as u64;

/// # Movements
///
/// Each returns the [`Stop`] at which it ended. A movement that runs out of time or is cancelled ends in a stop as
/// well, where it was interrupted. If a movement fails, the replay stays where it was before.
///
/// Afterwards the thread that stopped is selected, and its innermost frame.
impl Replay {
    /// Runs forward to the next breakpoint, watchpoint, catchpoint or signal, or to the end of the process.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// use retrograde::{Replay, StopReason};
    ///
    /// let mut replay = Replay::open("app-0")?;
    /// let stop = replay.run()?;
    /// assert!(matches!(&stop.reason, StopReason::Signal { name, .. } if name == "SIGSEGV"));
    /// assert_eq!(stop.frame.function.as_deref(), Some("corrected"));
    /// let end = replay.run()?;
    /// assert!(matches!(&end.reason, StopReason::End { signal: Some(name), .. } if name == "SIGSEGV"));
    /// let again = replay.reverse_run()?;
    /// assert_eq!(again.position, stop.position);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The replay has ended, or rr fails.
    pub fn run(&mut self) -> Result<Stop> {
        self.go(Motion::Continue(Direction::Forward))
    }

    /// Runs backward to the previous breakpoint, watchpoint, catchpoint or signal, or to the start of the process.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn reverse_run(&mut self) -> Result<Stop> {
        self.go(Motion::Continue(Direction::Reverse))
    }

    /// Goes to the next source line, over calls.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    #[expect(clippy::should_implement_trait, reason = "every debugger calls it so; a replay is not an iterator")]
    pub fn next(&mut self) -> Result<Stop> {
        self.go(Motion::Next(Direction::Forward, 1))
    }

    /// Goes to the previous source line, over calls.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.breakpoint("report").set()?;
    /// let here = replay.run()?;
    /// let line = |stop: &retrograde::Stop| stop.frame.location.as_ref().map(|location| location.line);
    /// let next = replay.next()?;
    /// assert!(line(&next) > line(&here));
    /// let back = replay.reverse_next()?;
    /// assert_eq!(line(&back), line(&here));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn reverse_next(&mut self) -> Result<Stop> {
        self.go(Motion::Next(Direction::Reverse, 1))
    }

    /// Goes to the next source line, into calls.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn step(&mut self) -> Result<Stop> {
        self.go(Motion::Step(Direction::Forward, 1))
    }

    /// Goes to the previous source line, into calls.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn reverse_step(&mut self) -> Result<Stop> {
        self.go(Motion::Step(Direction::Reverse, 1))
    }

    /// Steps over what comes before the call at this address in the line, and into that. If the line is left before, so
    /// far; [`CALL_NOT_REACHED`](engine::model::CALL_NOT_REACHED) is noted then.
    pub(crate) fn step_into_call(&mut self, call: u64) -> Result<Stop> {
        self.go(Motion::IntoCall(RunAddr(call)))
    }

    /// Executes one instruction.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn step_instruction(&mut self) -> Result<Stop> {
        self.go(Motion::StepInstruction(Direction::Forward, 1))
    }

    /// Takes back one instruction.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn reverse_step_instruction(&mut self) -> Result<Stop> {
        self.go(Motion::StepInstruction(Direction::Reverse, 1))
    }

    /// Executes one instruction, over calls.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn next_instruction(&mut self) -> Result<Stop> {
        self.go(Motion::NextInstruction(Direction::Forward, 1))
    }

    /// Takes back one instruction, over calls.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn reverse_next_instruction(&mut self) -> Result<Stop> {
        self.go(Motion::NextInstruction(Direction::Reverse, 1))
    }

    /// Runs until the selected frame returns; the stop's reason has [what it returned](crate::StopReason::Returned).
    ///
    /// # Errors
    /// [`ErrorKind::CannotMove`](crate::ErrorKind::CannotMove) in the outermost frame.
    pub fn finish(&mut self) -> Result<Stop> {
        self.go(Motion::Finish(Direction::Forward))
    }

    /// Goes back to the call of the selected frame's function.
    ///
    /// # Errors
    /// As [`finish`](Replay::finish).
    pub fn reverse_finish(&mut self) -> Result<Stop> {
        self.go(Motion::Finish(Direction::Reverse))
    }

    /// Goes on to a later line of the function, over calls: out of a loop.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn until(&mut self) -> Result<Stop> {
        self.go(Motion::Until)
    }

    /// Runs forward to a location, in any frame, or until the selected frame returns.
    ///
    /// # Errors
    /// [`ErrorKind::NoLocation`](crate::ErrorKind::NoLocation) if there is no such location.
    pub fn advance(&mut self, location: &str) -> Result<Stop> {
        self.travel(|engine| engine.advance(location))
    }

    /// Goes to a position, earlier or later, to the instruction.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # use retrograde::{Position, Replay};
    /// # let mut replay = Replay::open("app-0")?;
    /// replay.breakpoint("store").condition("hour == 24").set()?;
    /// let stored = replay.run()?.position;
    /// let crashed = replay.run()?.position;
    /// assert!(stored < crashed);
    /// let kept: String = stored.to_string(); // in a file, in a message to a colleague
    /// let kept: Position = kept.parse()?;
    /// assert_eq!(replay.goto(&kept)?.position, stored);
    /// assert_eq!(replay.goto(&crashed)?.position, crashed);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::NoPosition`](crate::ErrorKind::NoPosition) if the recording has no such position, or it is one of
    /// another process.
    pub fn goto(&mut self, position: &Position) -> Result<Stop> {
        self.go(Motion::GoTo(position.waypoint()))
    }

    /// Goes to where so many events of the recording have been completed, or to the end of the process if there are
    /// fewer.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn goto_event(&mut self, event: u64) -> Result<Stop> {
        self.go(Motion::RunToEvent(event))
    }

    /// Goes to the beginning of the process.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn goto_start(&mut self) -> Result<Stop> {
        let beginning = self.core.engine().beginning();
        self.go(Motion::RunToEvent(beginning))
    }

    /// Goes to the end of the process, past all breakpoints.
    ///
    /// # Errors
    /// As [`run`](Replay::run).
    pub fn goto_end(&mut self) -> Result<Stop> {
        self.go(Motion::RunToEvent(LAST_EVENT))
    }

    pub(super) fn go(&mut self, motion: Motion) -> Result<Stop> {
        self.travel(|engine| engine.go(motion))
    }
}
