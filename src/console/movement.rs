//! Movements: `continue`, `step`, `finish`, `until` and their reverses.

use super::command::Unit;
use super::error::Error;
use super::execution::Execution;
use super::flow::Flow;
use super::stops::{Before, Manner};
use arch::Direction;
use engine::model::{Motion, Reason, Stop};

/// Most steps or ignored hits that one command may ask for.
const MAX_COUNT: u32 = 1_000_000;

impl Execution<'_> {
    /// Fails if a movement in this direction makes no sense. From the end one can go back, although GDB would say that
    /// nothing is being run.
    fn ready(&mut self, direction: Direction) -> Result<(), Error> {
        match direction {
            Direction::Forward => self.running(),
            Direction::Reverse => {
                self.state.exited = false;
                Ok(())
            }
        }
    }

    /// Moves, and tells where that led.
    fn go(&mut self, motion: Motion, manner: Manner) -> Result<Flow, Error> {
        let before = self.before(manner)?;
        let at_end = matches!(self.engine.reason(), Reason::EndOfRecording { .. });
        if at_end && manner.direction == Direction::Forward {
            return self.exit();
        }
        // GDB tells of a change from either side, also where a movement turns back at it.
        self.engine.tell_again();
        // A step is not cut short by a signal that is only to be told.
        let told = if matches!(motion, Motion::Continue(_)) { Vec::new() } else { self.state.signals.told_only() };
        told.iter().for_each(|name| self.engine.set_signal_passed(name, true));
        let done = self.goes(motion, manner, &before);
        told.iter().for_each(|name| self.engine.set_signal_passed(name, false));
        done
    }

    fn goes(&mut self, motion: Motion, manner: Manner, before: &Before) -> Result<Flow, Error> {
        loop {
            let stop = match motion {
                Motion::Step(direction, 1) if !self.state.skips.is_empty() => self.step_skipping(direction)?,
                _ => self.engine.go(motion)?,
            };
            if let Some(passed) = self.passed_by(&stop, motion) {
                if passed {
                    continue;
                }
                if self.state.signals.of("SIGKILL").print {
                    self.signalled("received", 1, 1, "SIGKILL", "Killed");
                }
                return self.exit();
            }
            return self.moved(before, &stop, manner);
        }
    }

    /// Returns whether a stop is one that the user does not want: `true`, go on; `false`, it was the end.
    fn passed_by(&mut self, stop: &Stop, motion: Motion) -> Option<bool> {
        match &stop.reason {
            Reason::EndOfRecording { .. } => (!self.state.signals.of("SIGKILL").stop).then_some(false),
            // Caught is wanted, whatever `handle` says of the rest.
            Reason::Signal { number: Some(_), .. } => None,
            Reason::Signal { name, meaning, .. } => {
                let wish = self.state.signals.of(name);
                if wish.stop || !matches!(motion, Motion::Continue(_)) {
                    return None;
                }
                if wish.print {
                    let (name, meaning) = (name.clone(), meaning.clone());
                    self.signalled("received", 1, 1, &name, &meaning);
                }
                Some(true)
            }
            _ => None,
        }
    }

    /// Tells that the process has ended, and how.
    fn exit(&mut self) -> Result<Flow, Error> {
        self.state.exited = true;
        let pid = self.engine.pid();
        match self.engine.reason().clone() {
            Reason::EndOfRecording { signal: Some(name), .. } => {
                let meaning = engine::signal_meaning(&name).unwrap_or_else(|| "Unknown signal".to_owned());
                self.signalled("terminated with", 1, 1, &name, &meaning);
                self.say("The program no longer exists.");
            }
            Reason::EndOfRecording { exit_code: None, .. } => {
                self.say(format!("[Inferior 1 (process {pid}) has ended; the recording does not tell how]"));
            }
            Reason::EndOfRecording { exit_code: Some(0), .. } => {
                self.engine.set_variable("_exitcode", "0")?;
                self.say(format!("[Inferior 1 (process {pid}) exited normally]"));
            }
            Reason::EndOfRecording { exit_code: Some(code), .. } => {
                self.engine.set_variable("_exitcode", &code.to_string())?;
                self.say(format!("[Inferior 1 (process {pid}) exited with code {code:02o}]"));
            }
            _ => {}
        }
        Ok(Flow::GoOn)
    }

    pub(super) fn resume(&mut self, direction: Direction, count: Option<&str>) -> Result<Flow, Error> {
        self.ready(direction)?;
        let hit = match self.engine.reason() {
            Reason::Breakpoint { number, .. } | Reason::Watchpoint { number, .. } | Reason::Catch { number, .. } => {
                Some(*number)
            }
            _ => None,
        };
        let hit = hit.filter(|n| self.engine.breakpoint(*n).is_some());
        match (self.count(count)?, hit) {
            (Some(count), Some(number)) => {
                let passes = count.saturating_sub(1).clamp(0, i64::from(MAX_COUNT));
                let passes = u32::try_from(passes).unwrap_or(0);
                self.engine.set_ignore_count(number, passes)?;
                let said = super::breakpoint_edit::will_ignore(number, passes);
                if passes > 0 {
                    self.terminal.say(&format!("{said}  "));
                }
            }
            (Some(_), None) => self.say("Not stopped at any breakpoint; argument ignored."),
            (None, _) => {}
        }
        self.say("Continuing.");
        self.go(Motion::Continue(direction), Manner::run(direction))
    }

    pub(super) fn step(
        &mut self,
        unit: Unit,
        over: bool,
        direction: Direction,
        count: Option<&str>,
    ) -> Result<Flow, Error> {
        self.ready(direction)?;
        let count = self.count(count)?.unwrap_or(1);
        if count <= 0 {
            let stop = self.engine.here()?;
            self.location(&stop, true)?;
            return Ok(Flow::GoOn);
        }
        let count = u32::try_from(count).ok().filter(|n| *n <= MAX_COUNT);
        let count = count.ok_or_else(|| Error::said(format!("At most {MAX_COUNT} steps can be made at once.")))?;
        if unit == Unit::Line {
            self.tell_if_unlined()?;
            // Each line by itself: what is skipped is known when it is there.
            if !over && !self.state.skips.is_empty() && count > 1 {
                for _ in 1..count {
                    let stop = self.step_skipping(direction)?;
                    if stop.reason != Reason::StepDone {
                        let before = self.before(Manner::step(direction))?;
                        return self.moved(&before, &stop, Manner::step(direction));
                    }
                }
                return self.go(Motion::Step(direction, 1), Manner::step(direction));
            }
        }
        let motion = match (unit, over) {
            (Unit::Line, false) => Motion::Step(direction, count),
            (Unit::Line, true) => Motion::Next(direction, count),
            (Unit::Instruction, false) => Motion::StepInstruction(direction, count),
            (Unit::Instruction, true) => Motion::NextInstruction(direction, count),
        };
        self.go(motion, Manner::step(direction))
    }

    /// Tells that without lines a step by lines leaves the function, which is to be said before.
    fn tell_if_unlined(&mut self) -> Result<(), Error> {
        let innermost = self.engine.backtrace(0, 1, false)?;
        let Some(frame) = innermost.frames.first().filter(|f| f.line.is_none()) else { return Ok(()) };
        if let Some(function) = &frame.function {
            self.say(format!(
                "Single stepping until exit from function {function},\nwhich has no line number information."
            ));
        }
        Ok(())
    }

    pub(super) fn finish(&mut self, direction: Direction) -> Result<Flow, Error> {
        self.ready(direction)?;
        let level = self.engine.frame_level();
        let detail = self.engine.frame_detail(level)?;
        let has_caller = detail.saved_pc.is_some() && detail.frame.function.as_deref() != Some("main");
        if !has_caller && !detail.frame.inlined {
            return Err(Error::said("\"finish\" not meaningful in the outermost frame."));
        }
        let frame = self.numbered(&detail.frame, detail.is_pc)?;
        self.say(match direction {
            Direction::Forward => format!("Run till exit from {frame}"),
            Direction::Reverse => format!("Run back to call of {frame}"),
        });
        let flow = self.go(Motion::Finish(direction), Manner::run(direction))?;
        if let Some((number, value)) = self.engine.print_returned()? {
            self.say(format!("Value returned is ${number} = {value}"));
        }
        Ok(flow)
    }

    pub(super) fn until(&mut self) -> Result<Flow, Error> {
        self.running()?;
        self.tell_if_unlined()?;
        self.go(Motion::Until, Manner::step(Direction::Forward))
    }

    pub(super) fn advance(&mut self, location: &str) -> Result<Flow, Error> {
        self.running()?;
        let manner = Manner::run(Direction::Forward);
        let before = self.before(manner)?;
        if matches!(self.engine.reason(), Reason::EndOfRecording { .. }) {
            return self.exit();
        }
        let meant = self.meant(location)?;
        let stop = self.engine.advance(&meant).map_err(|error| self.nowhere(location, error))?;
        match self.passed_by(&stop, Motion::Advance) {
            Some(_) => self.exit(),
            None => self.moved(&before, &stop, manner),
        }
    }

    /// Makes a jump in time, reported as rr reports it.
    pub(super) fn jump(&mut self, motion: Motion) -> Result<Flow, Error> {
        let manner = Manner::run(Direction::Forward);
        let before = self.before(manner)?;
        self.state.exited = false;
        let stop = self.engine.go(motion)?;
        self.moved(&before, &stop, manner)
    }
}
