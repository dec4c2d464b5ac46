//! Both sides of what a thread has done: the last moment before, and the moment after.
//!
//! Going back, rr finds the last stop there was, and then takes back what its thread did for it. That may have been a
//! system call which blocked, or an instruction that had to wait for its thread's turn: what other threads did
//! meanwhile would be undone with it, and a run from there would never meet it. The last moment before is at the event
//! that the thread went on with, and nobody has done anything between that and what it did.

use crate::api::error::Error;
use crate::run::debug_info_work::cut_short;
use crate::run::exact_position::ExactPosition;
use crate::run::mover::Mover;
use crate::run::step::Machine;
use crate::run::time_limit::for_restart;
use crate::target::signals::{SIGKILL, SIGTRAP, is_signal};
use arch::{Direction, Flow, RunAddr, ThreadId};
use base::cancel::Cancel;
use rsp::{Outcome, Restart, Resume, StopReply};
use std::time::Duration;

/// Signals that may be met while a thread does one thing.
pub(crate) const MAX_SIGNALS: usize = 64;

/// How long one instruction or system call may take on the way to the other side.
const AWAY: Duration = Duration::from_secs(30);

/// The other side of what a thread has done.
pub(crate) struct Beyond<R> {
    /// What was seen there.
    pub(crate) seen: R,
    /// Where the thread is in front of what it does.
    pub(crate) before: ExactPosition,
    /// Where the thread is after what it does.
    pub(crate) after: ExactPosition,
    /// Whether it was not at the last moment before, but is now.
    pub(crate) has_waited: bool,
}

impl Mover<'_, '_> {
    /// Returns where a thread is.
    pub(crate) fn place(&mut self, thread: ThreadId) -> Result<ExactPosition, Error> {
        self.session.exact_position(thread)
    }

    /// Restarts at a moment, selects the thread that is current there, and catches up. `None`: nothing lives on there.
    pub(crate) fn restart_at(&mut self, to: Restart) -> Result<Option<ThreadId>, Error> {
        let s = &mut *self.session;
        let reply = s.debuggee.inferior.process.restart(to, for_restart(self.cancel, s.restart_limit))?;
        let StopReply::Stopped { thread, signal, .. } = reply else { return Ok(None) };
        s.debuggee.thread = thread;
        s.debuggee.catch_up()?;
        Ok((signal != SIGKILL).then_some(thread))
    }

    /// Does something in the course of which reading debug info may be cut short: here that ends, and the way back
    /// begins.
    pub(crate) fn guarded<R>(&mut self, look: impl FnOnce(&mut Self) -> R) -> Result<R, Error> {
        let (work, cancel) = (self.session.debuggee.inferior.work().clone(), self.cancel);
        work.attempt(cancel, || look(self)).map_err(|cancelled| cut_short(cancelled, cancel))
    }

    /// Looks at the other side of what the thread has done (forward) or is about to do, and comes back; if it is before
    /// that, to the last moment before. `None` if that did not lead back here.
    pub(crate) fn beyond<R>(
        &mut self,
        thread: ThreadId,
        direction: Direction,
        look: impl FnOnce(&mut Self) -> R,
    ) -> Result<Option<Beyond<R>>, Error> {
        if !self.session.debuggee.inferior.process.abilities().reverse {
            return Ok(None);
        }
        let here = self.place(thread)?;
        let left = self.session.debuggee.inferior.process.leave();
        match direction {
            Direction::Reverse => {
                if !self.alone(thread, Direction::Forward)? {
                    self.arrive(thread, &here)?;
                    return Ok(None);
                }
                let after = self.place(thread)?;
                let seen = self.guarded(look);
                let has_waited = after.position.event() != here.position.event();
                let is_back = self.last_moment(thread, &here, &after)?;
                if is_back && !has_waited {
                    self.session.debuggee.inferior.process.come_back(left);
                }
                let seen = seen?;
                Ok(is_back.then_some(Beyond { seen, before: here, after, has_waited }))
            }
            Direction::Forward => {
                let is_before = self.alone(thread, Direction::Reverse)?;
                let before = self.place(thread)?;
                let has_waited = here.position.event() != before.position.event();
                if !is_before || has_waited && !self.between_events(thread, &before, &here)? {
                    self.arrive(thread, &here)?;
                    return Ok(None);
                }
                let seen = self.guarded(look);
                let is_back = self.alone(thread, Direction::Forward)? && self.is_at(thread, &here)?;
                if is_back {
                    self.session.debuggee.inferior.process.come_back(left);
                } else {
                    self.arrive(thread, &here)?;
                    if !has_waited {
                        // That was before something else.
                        return Ok(None);
                    }
                }
                let seen = seen?;
                Ok(Some(Beyond { seen, before, after: here, has_waited: false }))
            }
        }
    }

    /// Has a thread do, or undo, one instruction or system call. Signals do not end that.
    pub(crate) fn alone(&mut self, thread: ThreadId, direction: Direction) -> Result<bool, Error> {
        let how = match direction {
            Direction::Forward => Resume::Step(thread),
            Direction::Reverse => Resume::ReverseStep(thread),
        };
        if direction == Direction::Reverse
            && let Some(is_there) = self.back_by_counting(thread)?
        {
            return Ok(is_there);
        }
        self.session.debuggee.inferior.process.set_breaks(&[])?;
        // Between the two sides nothing is cancelled: what is read there would be taken for what is here.
        let uncancelled = Cancel::default().with_deadline(AWAY);
        for _ in 0..MAX_SIGNALS {
            match self.session.debuggee.inferior.process.resume(how, &uncancelled)? {
                Outcome::Interrupted(_) => return Err(Error::Strayed),
                Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread: stopped, .. }) => {
                    return Ok(stopped == thread);
                }
                Outcome::Stopped(StopReply::Stopped { signal, .. }) if is_signal(signal) => {}
                _ => break,
            }
        }
        Ok(false)
    }

    /// Goes from behind what a thread did to the last moment before it. Returns whether that was found.
    fn last_moment(&mut self, thread: ThreadId, before: &ExactPosition, after: &ExactPosition) -> Result<bool, Error> {
        if before.position.event() == after.position.event() {
            return Ok(self.alone(thread, Direction::Reverse)? && self.is_at(thread, before)?);
        }
        self.between_events(thread, before, after)
    }

    /// Goes to the last moment before what ended in another event than it began in. An instruction that had to wait is
    /// after the last event; a system call ends with it.
    fn between_events(
        &mut self,
        thread: ThreadId,
        before: &ExactPosition,
        after: &ExactPosition,
    ) -> Result<bool, Error> {
        let Some(event) = after.position.event() else { return Ok(false) };
        if !self.is_system_call(before.position.pc) && self.go_to_event_of(thread, event)? {
            let now = self.session.debuggee.inferior.process.registers(thread)?;
            let has_moved = before.position.pc != after.position.pc;
            let is_there = now.pc() == before.registers.pc() && now.sp() == before.registers.sp();
            if is_there && (has_moved || now == before.registers) {
                return Ok(true);
            }
        }
        if self.go_to_event_of(thread, event.saturating_sub(1))? && self.place(thread)?.position.event() < Some(event) {
            return Ok(true);
        }
        self.arrive(thread, before)?;
        Ok(false)
    }

    /// Goes to where an event of the recording has been completed. Whether the thread is there.
    pub(crate) fn go_to_event_of(&mut self, thread: ThreadId, event: u64) -> Result<bool, Error> {
        let s = &mut *self.session;
        let reply =
            s.debuggee.inferior.process.restart(Restart::Event(event), for_restart(self.cancel, s.restart_limit))?;
        let StopReply::Stopped { thread: current, .. } = reply else { return Ok(false) };
        let is_there = s.debuggee.inferior.process.threads()?.contains(&thread);
        s.debuggee.thread = if is_there { thread } else { current };
        Ok(is_there)
    }

    /// Goes to a place where the session was.
    pub(crate) fn arrive(&mut self, thread: ThreadId, place: &ExactPosition) -> Result<(), Error> {
        let event = place.position.event().ok_or(Error::Strayed)?;
        if self.go_to_event_of(thread, event)?
            && (self.is_at(thread, place)? || self.session.go_to_place(place, &Cancel::default())?)
        {
            return Ok(());
        }
        Err(Error::Strayed)
    }

    /// Returns whether a thread is at a place.
    pub(crate) fn is_at(&mut self, thread: ThreadId, place: &ExactPosition) -> Result<bool, Error> {
        let process = &mut self.session.debuggee.inferior.process;
        if *process.registers(thread)? != *place.registers {
            return Ok(false);
        }
        let now = self.place(thread)?;
        Ok(now.position.event() == place.position.event() && now.is_same_visit(place))
    }

    /// Returns whether there is an instruction that makes a system call.
    pub(crate) fn is_system_call(&mut self, at: RunAddr) -> bool {
        self.instruction(at).is_some_and(|instruction| instruction.flow == Flow::Syscall)
    }

    /// Returns whether the instruction in front of an address makes a system call.
    pub(crate) fn is_behind_system_call(&mut self, at: RunAddr) -> bool {
        // `syscall` has two bytes, `svc` four.
        [2, 4].into_iter().any(|length| {
            let before = RunAddr(at.0.wrapping_sub(length));
            self.instruction(before).is_some_and(|i| i.flow == Flow::Syscall && i.length == length)
        })
    }
}
