//! Movements: what each of them is made of, and jumps to events and checkpoints.

use crate::api::error::Error;
use crate::api::{CALL_NOT_REACHED, Motion, Reason, Stop};
use crate::run::exact_position::ExactPosition;
use crate::run::mover::Mover;
use crate::run::session::Session;
use crate::run::step::{Calls, IntoCall, Machine, instruction, into_call, line};
use crate::run::stop_state::StopState;
use crate::run::time_limit::{for_restart, of_movement, verdict};
use crate::run::timeout_report::TimeSpent;
use crate::target::signals::SIGKILL;
use arch::Direction;
use base::cancel::Cancel;
use rsp::{Restart, StopReply};
use std::time::{Duration, Instant};

/// Most lines of log points that a stop tells.
const LOGGED: usize = 50;

/// A movement that takes longer says what took so long.
const SLOW: Duration = Duration::from_secs(10);

impl Session {
    /// Moves, and tells where that led.
    pub(crate) fn go(&mut self, motion: Motion) -> Result<Stop, Error> {
        let limit = of_movement(&self.limits, motion.direction());
        let (begun, cancel) = (Instant::now(), self.cancel.with_deadline(limit));
        self.notes.clear();
        self.time_spent = TimeSpent::default();
        self.hint = None;
        self.debuggee.inferior.variables.returned = None;
        self.debuggee.inferior.variables.exception = None;
        self.debuggee.inferior.process.take_passed_children();
        let logged = self.debuggee.log.count();
        let (state, place) = (self.state.clone(), self.last_place.clone());
        let before = self.debuggee.inferior.process.epoch();
        let moved = self.under(&cancel, |s| s.perform_to_end(motion, &cancel)).or_else(|error| self.broken_off(error));
        // A function that a condition has called did not return, and rr could not be stopped: it would not the next time.
        let lost = self.debuggee.inferior.process.take_lost();
        let is_lost = lost.is_some();
        if let Some(error) = &lost {
            let words = format!("a function that was called did not return: {error}");
            if !self.notes.iter().any(|note| note.contains(&words)) {
                self.notes.push(words);
            }
        }
        let moved = lost.map_or(moved, Err);
        if is_lost || matches!(moved, Err(Error::Rsp(rsp::Error::Cancelled { .. }))) {
            self.cancelled = verdict(&cancel).or(Some(Reason::Cancelled));
        } else {
            self.cancelled = cancel.seen().map(Reason::from);
        }
        if matches!(motion, Motion::Continue(_)) {
            self.note_passed_children();
        }
        let elapsed = begun.elapsed();
        let overrun = elapsed.saturating_sub(limit);
        if matches!(self.cancelled, Some(Reason::TimedOut { .. })) || elapsed >= SLOW {
            self.notes.extend(self.time_spent.words(elapsed).map(|words| format!("what took so long: {words}")));
        }
        if self.cancelled.is_some() && overrun >= Duration::from_secs(1) {
            self.notes.push(format!("rr stopped only after {:.1} s", elapsed.as_secs_f64()));
        }
        let has_moved = self.debuggee.inferior.process.epoch() != before;
        if has_moved || moved.is_ok() {
            self.debuggee.level = 0;
        }
        if !has_moved {
            (self.state.touch, self.state.stores, self.state.crossed, self.state.is_gone_to) =
                (state.touch.clone(), state.stores, state.crossed, state.is_gone_to);
        }
        match &moved {
            // In another replay there are none.
            Err(error) if error.ends_replay() => self.marks.clear(),
            _ => self.drop_marks(),
        }
        // Where nothing has come of it, what is known of the last stop is as true as before.
        let came_to_nothing = matches!(moved, Err(_) | Ok(Reason::TimedOut { .. } | Reason::Cancelled));
        let is_back = came_to_nothing && (!has_moved || place.is_some_and(|place| self.is_at(&place)));
        if is_back {
            self.state = state;
        }
        let reason = match moved {
            Ok(reason) => reason,
            Err(error) => {
                if has_moved && !is_back {
                    // What is not known in time is asked for again.
                    let _ = self.attempt(self.limits.eval, |s| {
                        s.stranded();
                        Ok(())
                    });
                }
                return Err(error);
            }
        };
        // A step into an inlined function that begins here does not move: the signal is still the last thing that
        // happened. A checkpoint brings back what was so when it was made.
        if has_moved && !is_back && !matches!(reason, Reason::Signal { .. }) && !matches!(motion, Motion::Restore(_)) {
            self.state.signal = None;
        }
        let is_jump_back = matches!(motion, Motion::Restore(_) | Motion::GoTo(_));
        let is_arrival = match reason {
            Reason::Arrived | Reason::Exec { .. } => true,
            Reason::Signal { .. } => motion.is_by_name(),
            _ => false,
        };
        if has_moved && is_arrival && !is_jump_back {
            self.note_arrival();
        }
        self.reason = reason;
        let told = self.attempt(self.limits.eval, |s| {
            s.show_calls(motion)?;
            if !motion.is_by_name() {
                s.note_unreported(motion.direction());
            }
            s.note_owners_at_the_end();
            s.whole_stop()
        });
        let stop = told.or_else(|error| self.bare_stop(error))?;
        Ok(Stop { logged: self.debuggee.log.last_from(logged + 1, LOGGED), ..stop })
    }

    /// Notes which children the run has come by that breakpoints do not stop, though their code is in the same memory.
    fn note_passed_children(&mut self) {
        let passed = self.debuggee.inferior.process.take_passed_children();
        let is_to_note = self.debuggee.breakpoints.any_in_code() && !self.has_noted_children;
        let Some(first) = passed.first().filter(|_| is_to_note) else { return };
        self.has_noted_children = true;
        let others = match passed.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        self.notes.push(format!(
            "process {}{others} shares this memory while its parent waits (`vfork`, event {}), and breakpoints do not \
             stop in it: replay that process, or ask for all calls of a function",
            first.child, first.from
        ));
    }

    /// Returns whether the process is at a place, whatever thread is selected.
    pub(crate) fn is_at(&mut self, place: &ExactPosition) -> bool {
        let thread = place.position.thread;
        self.debuggee.inferior.position(thread).is_ok_and(|now| now == place.position)
            && place.fits(thread, &mut self.debuggee.inferior.process).unwrap_or(false)
    }

    /// Deletes the checkpoints that were only made for the movement, however that has ended.
    fn drop_marks(&mut self) {
        for mark in std::mem::take(&mut self.marks) {
            // One that is not there any more is what is wanted.
            let _ = self.debuggee.inferior.process.delete_checkpoint(mark);
        }
    }

    /// Records that the session is elsewhere than at the last stop, and not by a movement that has ended: what was
    /// known there is not true here. As far as nothing can be known here, the next request will tell why.
    pub(crate) fn stranded(&mut self) {
        self.state = StopState { at_end: self.state.at_end, ..StopState::default() };
        self.reason = Reason::Arrived;
        if self.debuggee.catch_up().is_ok()
            && let Ok(place) = self.exact_position(self.debuggee.thread)
        {
            self.last_event = place.position.event().unwrap_or(self.last_event);
            self.last_place = Some(place);
            self.debuggee.remember_watched_values();
        }
    }

    /// Shows the thread that stopped outside of the inlined functions that begin where it is, unless the user looks at
    /// instructions, or the instruction itself is what it stopped for: it has faulted, or is about to write.
    /// Breakpoints and steps have their own say in it; who comes back to a moment sees it as before.
    fn show_calls(&mut self, motion: Motion) -> Result<(), Error> {
        let most = match (motion, &self.reason) {
            (_, Reason::Breakpoint { .. } | Reason::Catch { .. })
            | (Motion::Step(..) | Motion::Next(..) | Motion::IntoCall(_), Reason::StepDone) => return Ok(()),
            (Motion::StepInstruction(..) | Motion::NextInstruction(..), _) => return Ok(()),
            (_, Reason::Signal { .. }) => 0,
            (Motion::GoTo(moment), Reason::Arrived) => self.shown_calls.hidden_at(&moment),
            (Motion::Restore(id), Reason::Arrived) => {
                let moment = self.checkpoints.find(id)?.shown.waypoint;
                moment.map_or(0, |moment| self.shown_calls.hidden_at(&moment))
            }
            (_, Reason::Watchpoint { .. }) if motion.direction() == Direction::Reverse => 0,
            _ => usize::MAX,
        };
        self.debuggee.inferior.hide_inlined(self.debuggee.thread, most)
    }

    fn perform_to_end(&mut self, motion: Motion, cancel: &Cancel) -> Result<Reason, Error> {
        let reason = self.perform(motion, cancel)?;
        if matches!(reason, Reason::EndOfRecording { .. }) {
            self.leave_lost_stack()?;
        }
        Ok(reason)
    }

    fn perform(&mut self, motion: Motion, cancel: &Cancel) -> Result<Reason, Error> {
        self.debuggee.resolve_completely()?;
        if let Some(reason) = self.go_to_cut(motion, cancel)? {
            return Ok(reason);
        }
        let after_signal = self.state.signal.is_some_and(|s| s.position.thread == self.debuggee.thread);
        let undecided = self.undecided.take().filter(|_| motion.runs());
        let crossed = self.state.crossed.take();
        let mut mover = Mover::new(self, cancel);
        // What leaves the program does not go on elsewhere, unless it only runs.
        mover.told_exec = matches!(motion, Motion::Continue(to) if crossed.is_some_and(|met| met != to));
        if let Some(thread) = undecided
            && let Some(reason) = mover.user_breakpoint(thread)?
        {
            self.notes.push("nothing has moved: that it stops here was not known before".to_owned());
            return Ok(reason);
        }
        if let Some(reason) = mover.report_arrival(motion)? {
            mover.session.notes.push("nothing has moved: the session was here already".to_owned());
            return Ok(reason);
        }
        let lines = |mover: &mut Mover<'_, '_>, direction, calls, count| {
            let mut after_signal = after_signal;
            repeat(count, || {
                let moved = line(mover, direction, calls, after_signal);
                after_signal = false;
                moved
            })
        };
        if let Motion::Step(..) | Motion::Next(..) = motion {
            mover.note_missing_lines()?;
        }
        match motion {
            Motion::Continue(direction) => loop {
                if let Some(reason) = mover.run_to(direction, &[])? {
                    return Ok(reason);
                }
            },
            Motion::Step(direction, count) => lines(&mut mover, direction, Calls::Into, count),
            Motion::Next(direction, count) => lines(&mut mover, direction, Calls::Over, count),
            Motion::StepInstruction(direction, count) => {
                repeat(count, || instruction(&mut mover, direction, Calls::Into))
            }
            Motion::NextInstruction(direction, count) => {
                repeat(count, || instruction(&mut mover, direction, Calls::Over))
            }
            Motion::Finish(Direction::Forward) => mover.finish(),
            Motion::Finish(Direction::Reverse) => mover.finish_backward(),
            Motion::Until => Ok(mover.until_later(after_signal)?.unwrap_or(Reason::StepDone)),
            Motion::IntoCall(call) => match into_call(&mut mover, call, after_signal)? {
                IntoCall::Made => Ok(Reason::StepDone),
                IntoCall::NotReached => {
                    mover.session.notes.push(CALL_NOT_REACHED.to_owned());
                    Ok(Reason::StepDone)
                }
                IntoCall::Stopped(reason) => Ok(reason),
            },
            Motion::Advance => mover.advance(),
            Motion::RunToEvent(event) => self.run_to_event(event, cancel),
            Motion::Restore(id) => {
                let saved = self.checkpoints.find(id)?.place.position.event();
                let reason = self.restore(id, cancel)?;
                self.reason_on_arrival(reason, saved, cancel)
            }
            Motion::RunToTicks(ticks) => {
                let reason = self.run_to_ticks(ticks, cancel)?;
                self.reason_on_arrival(reason, None, cancel)
            }
            Motion::GoTo(moment) => {
                let reason = self.go_to(&moment, cancel)?;
                self.reason_on_arrival(reason, Some(moment.moment.event), cancel)
            }
        }
    }

    fn run_to_event(&mut self, event: u64, cancel: &Cancel) -> Result<Reason, Error> {
        if let Some(reason) = self.go_before_cut(event, cancel)? {
            return Ok(reason);
        }
        let reason = self.restart(Restart::Event(event), cancel)?;
        let has_ended = reason != Reason::Arrived;
        let reason = self.reason_on_arrival(reason, Some(event), cancel)?;
        let there = self.debuggee.inferior.process.moment(self.debuggee.thread)?.event;
        if has_ended && there < event {
            self.notes.push(format!("event {event} was asked for; the recording of the process ends at event {there}"));
        } else if there != event {
            self.notes.push(format!("event {event} was asked for; the process is first there at event {there}"));
        }
        Ok(reason)
    }

    pub(crate) fn restart(&mut self, to: Restart, cancel: &Cancel) -> Result<Reason, Error> {
        let reply = self.debuggee.inferior.process.restart(to, for_restart(cancel, self.restart_limit))?;
        let StopReply::Stopped { signal, thread, .. } = reply else {
            return Err(Error::Incomplete("living process"));
        };
        self.debuggee.thread = thread;
        self.state.signal = None;
        self.state.at_end = signal == SIGKILL;
        Ok(if self.state.at_end { self.ending.reason() } else { Reason::Arrived })
    }
}

impl Mover<'_, '_> {
    /// Notes that a step by lines from where there are none goes farther than one may expect.
    fn note_missing_lines(&mut self) -> Result<(), Error> {
        let here = self.spot()?.pc;
        if self.row(here).is_none() {
            let level = self.session.debuggee.inferior.level(self.session.debuggee.thread, 0)?;
            let frame = self.session.debuggee.inferior.frame(self.session.debuggee.thread, 0, level, false)?;
            let function = frame.function.unwrap_or_else(|| here.to_string());
            self.session.notes.push(format!("`{function}` has no line information: stepped until there was some"));
        }
        Ok(())
    }
}

/// Makes so many steps, at least one, unless one of them ends in something to tell.
fn repeat(count: u32, mut step: impl FnMut() -> crate::run::step::Moved) -> Result<Reason, Error> {
    for _ in 0..count.max(1) {
        if let Some(reason) = step()? {
            return Ok(reason);
        }
    }
    Ok(Reason::StepDone)
}

#[cfg(test)]
mod tests;
