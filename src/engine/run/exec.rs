//! Passing an `exec` of the debuggee, in both directions.
//!
//! Forward, rr stops before the new image exists and cannot be resumed across it; a restart at the next event can.
//! Backward, a run would pass the start of the image by: the breakpoints of the image before belong to an address
//! space that does not exist yet when the run begins. So the run ends at the image's first instruction, and goes on
//! from the moment before the `exec`.

use crate::api::Reason;
use crate::api::error::Error;
use crate::run::exact_position::ExactPosition;
use crate::run::image_start::NextExec;
use crate::run::mover::Mover;
use crate::run::step::Machine;
use crate::run::time_limit::for_restart;
use arch::{Direction, MAX_INSTRUCTION, RunAddr, ThreadId};
use rsp::{Outcome, Restart, StopReply};

/// What passing an `exec` comes to.
#[expect(clippy::large_enum_variant, reason = "lives on the stack of one movement only")]
pub(crate) enum Crossed {
    /// A stop for the user.
    Stop(Reason),
    /// It is what the movement began at: it goes on from here.
    GoOn(ThreadId),
    /// There is none: nothing lives behind it.
    Nothing,
}

impl Mover<'_, '_> {
    /// Passes the `exec` that the thread is about to complete.
    pub(crate) fn cross_exec(&mut self, thread: ThreadId) -> Result<Crossed, Error> {
        let s = &mut *self.session;
        let before = s.debuggee.inferior.process.moment(thread)?.event;
        let reply = s
            .debuggee
            .inferior
            .process
            .restart(Restart::Event(before + 1), for_restart(self.cancel, s.restart_limit))?;
        let StopReply::Stopped { thread, .. } = reply else { return Ok(Crossed::Nothing) };
        self.add_image(before + 1)?;
        self.cross(thread, Direction::Forward)
    }

    /// Goes back from the first instruction of an image to the moment before its `exec`.
    fn cross_exec_back(&mut self, thread: ThreadId) -> Result<Crossed, Error> {
        let start = self.place(thread)?;
        let event = start.position.event().ok_or(Error::Strayed)?;
        let s = &mut *self.session;
        let before = Restart::Event(event.saturating_sub(1));
        s.debuggee.inferior.process.restart(before, for_restart(self.cancel, s.restart_limit))?;
        // From the last event of the old image it still runs to its `exec`, where rr stops by itself.
        match self.run_to_exec(None)? {
            NextExec::At(_) => self.cross(self.session.debuggee.thread, Direction::Reverse),
            NextExec::None | NextExec::TooLate(_) => {
                self.arrive(thread, &start)?;
                Err(Error::Strayed)
            }
            NextExec::Cancelled(reason) => {
                self.session.debuggee.catch_up()?;
                Ok(Crossed::Stop(reason))
            }
        }
    }

    /// Goes back over the `exec` that has made the present image, if a thread is at its start.
    pub(crate) fn back_over_exec(&mut self, thread: ThreadId) -> Result<Crossed, Error> {
        let s = &mut *self.session;
        let pc = s.debuggee.inferior.process.registers(thread).ok().and_then(|registers| registers.pc());
        if pc.is_none() || pc != s.debuggee.inferior.modules.start() {
            return Ok(Crossed::Nothing);
        }
        match self.image_behind_exec()? {
            Ok(Some(image)) if self.is_at_start_of(image, thread)? => self.cross_exec_back(thread),
            Ok(_) => Ok(Crossed::Nothing),
            Err(reason) => Ok(Crossed::Stop(reason)),
        }
    }

    /// Finds out what is to be told of an `exec` on whose other side a thread is now.
    fn cross(&mut self, thread: ThreadId, direction: Direction) -> Result<Crossed, Error> {
        let began_there = std::mem::take(&mut self.told_exec);
        let s = &mut *self.session;
        s.debuggee.thread = thread;
        s.debuggee.catch_up()?;
        // All is another program's now.
        s.debuggee.remember_watched_values();
        if began_there {
            return Ok(Crossed::GoOn(thread));
        }
        let path = s.debuggee.inferior.process.exec_file()?;
        let number = s.debuggee.on_exec();
        number.map_or(Ok(()), |number| s.debuggee.remove_if_temporary(number))?;
        s.state.crossed = Some(direction);
        Ok(Crossed::Stop(Reason::Exec { path, number }))
    }

    /// Finds the start of the image, if a thread has executed one instruction of it, and where the thread is.
    pub(crate) fn start_just_left(&mut self, thread: ThreadId) -> Result<Option<(RunAddr, ExactPosition)>, Error> {
        let inferior = &self.session.debuggee.inferior;
        let Some(start) = inferior.modules.start().filter(|_| inferior.process.abilities().time) else {
            return Ok(None);
        };
        let pc = self.session.debuggee.inferior.process.registers(thread)?.pc().unwrap_or_default();
        if !(1..=MAX_INSTRUCTION as u64).contains(&pc.0.wrapping_sub(start.0)) {
            return Ok(None);
        }
        let first = self.instruction(start);
        let is_second = first.is_some_and(|first| start.0.wrapping_add(first.length) == pc.0);
        is_second.then(|| Ok((start, self.place(thread)?))).transpose()
    }

    /// Corrects a step back from an image's second instruction, by which rr passes the first one and the `exec`, and
    /// may say that this is the beginning. Returns whether there was anything to correct.
    pub(crate) fn correct_step_back(
        &mut self,
        thread: ThreadId,
        (start, was): &(RunAddr, ExactPosition),
        outcome: &Outcome,
    ) -> Result<bool, Error> {
        if !matches!(outcome, Outcome::Stopped(StopReply::Stopped { .. })) {
            return Ok(false);
        }
        let now = self.place(thread)?;
        // It may also stop at the start, but at the event before the one at which everything else is there.
        let Some(event) = was.position.event().filter(|event| now.position.event() < Some(*event)) else {
            return Ok(false);
        };
        let is_there = self.go_to_event_of(thread, event)? && self.spot()?.pc == *start;
        if !is_there {
            self.arrive(thread, &now)?;
        }
        self.session.debuggee.catch_up()?;
        Ok(is_there)
    }
}
