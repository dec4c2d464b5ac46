//! The last moment before the kernel wrote at the end of a thread.
//!
//! At the end of a thread, the kernel writes to where `set_tid_address` says, which `pthread_join` waits for. Nobody is
//! stopped for that: rr reports it in the thread of the process that goes on next, an event later or more, and no run
//! stops between what the ended thread did last and the write. So the moment before is found from earlier: what the
//! run stopped for last is counted, and then met again.

use crate::api::error::Error;
use crate::run::mover::Mover;
use crate::run::reexecute::MAX_SIGNALS;
use crate::target::signals::SIGKILL;
use arch::{Direction, ThreadId};
use rsp::{BreakKind, Outcome, PASSED_SIGNALS, Resume, StopCause, StopReply};
use std::collections::BTreeSet;

/// What rr calls a checkpoint of ours.
const MARK: &str = "before a late write";
/// How many events the write may be back: those of other processes, and of other threads that end, are in between.
const MAX_EVENTS: u64 = 16;

/// A moment before a late write, and how to get there.
pub(crate) struct BeforeWrite<R> {
    /// What was seen there.
    pub(crate) seen: R,
    /// An event before.
    event: u64,
    /// Stops from there on.
    stops: usize,
}

/// A stop on the way forward.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landing {
    pub(crate) thread: ThreadId,
    /// It was a breakpoint, whose instruction has been executed.
    is_at_break: bool,
}

impl Landing {
    /// Returns how many instructions back the one is that came before the stop.
    pub(crate) const fn instructions_back(self) -> usize {
        if self.is_at_break { 2 } else { 1 }
    }
}

impl Mover<'_, '_> {
    /// Looks for the last moment at which there was something else to see than at the event where the thread is, and
    /// comes back. `None` if there is none near.
    pub(crate) fn before_late_write<R: PartialEq>(
        &mut self,
        thread: ThreadId,
        seen: &R,
        look: impl Fn(&mut Self) -> R,
    ) -> Result<Option<BeforeWrite<R>>, Error> {
        let Some(end) = self.place(thread)?.position.event() else { return Ok(None) };
        let mut found = None;
        for event in (end.saturating_sub(MAX_EVENTS)..end).rev() {
            if !self.go_to_event_of(thread, event)? {
                break;
            }
            // Where the ended thread is the current one, there may be no moment at that event.
            if self.place(thread)?.position.event() < Some(end) && look(self) != *seen {
                found = self.last_stop_before(event, end, &look)?;
                break;
            }
        }
        self.go_to_event_of(thread, end)?;
        Ok(found)
    }

    /// Goes to such a moment.
    pub(crate) fn go_to_before<R>(&mut self, thread: ThreadId, before: &BeforeWrite<R>) -> Result<bool, Error> {
        let mut is_there = self.go_to_event_of(thread, before.event)?;
        for _ in 0..before.stops {
            is_there &= self.run_on()?.is_some();
        }
        self.session.debuggee.thread = thread;
        Ok(is_there)
    }

    /// Runs from an event up to another one, and counts the stops.
    fn last_stop_before<R>(
        &mut self,
        event: u64,
        end: u64,
        look: &impl Fn(&mut Self) -> R,
    ) -> Result<Option<BeforeWrite<R>>, Error> {
        let mut before = BeforeWrite { seen: look(self), event, stops: 0 };
        while before.stops < MAX_SIGNALS {
            let Some(Landing { thread: stopped, .. }) = self.run_on()? else { return Ok(None) };
            if self.session.debuggee.inferior.position(stopped)?.event() >= Some(end) {
                return Ok(Some(before));
            }
            before = BeforeWrite { seen: look(self), event, stops: before.stops + 1 };
        }
        Ok(None)
    }

    /// Looks from behind what a thread is about to do for the next stop, and comes back to there; without success, to
    /// where it was. rr does not report a late write backward if it once was between that and its report.
    pub(crate) fn next_stop<R>(
        &mut self,
        thread: ThreadId,
        look: impl FnOnce(&mut Self, Landing) -> Result<Option<R>, Error>,
    ) -> Result<Option<R>, Error> {
        if !self.alone(thread, Direction::Forward)? {
            return Ok(None);
        }
        let Ok(mark) = self.session.debuggee.inferior.process.checkpoint(MARK) else {
            self.alone(thread, Direction::Reverse)?;
            return Ok(None);
        };
        let behind = self.place(thread)?;
        let stopped = self.run_on()?;
        let found =
            stopped.map(|stopped| self.guarded(|mover| look(mover, stopped)).and_then(|looked| looked)).transpose();
        let s = &mut *self.session;
        let is_back = s.go_to_mark(mark, &behind, self.cancel)?;
        s.debuggee.inferior.process.delete_checkpoint(mark)?;
        if !is_back {
            return Err(Error::Strayed);
        }
        s.debuggee.thread = thread;
        if !matches!(found, Ok(Some(Some(_)))) {
            self.alone(thread, Direction::Reverse)?;
        }
        Ok(found?.flatten())
    }

    /// Runs on to what the user waits for, and past it: going back, a breakpoint is hit from behind. Of changes, all
    /// are waited for. Returns where that is, if there is something.
    fn run_on(&mut self) -> Result<Option<Landing>, Error> {
        let mut wanted = self.session.debuggee.wanted(Direction::Forward, &[], &BTreeSet::new());
        for entry in wanted.iter_mut().filter(|entry| entry.kind == BreakKind::WatchWrite) {
            entry.conditions.clear();
        }
        let process = &mut self.session.debuggee.inferior.process;
        process.pass_signals(&PASSED_SIGNALS)?;
        process.set_breaks(&wanted)?;
        let outcome = process.resume(Resume::Continue, self.cancel)?;
        let Outcome::Stopped(StopReply::Stopped { signal, thread, cause }) = outcome else { return Ok(None) };
        let is_at_break = matches!(cause, StopCause::SoftwareBreak | StopCause::HardwareBreak);
        let is_past = !is_at_break || self.alone(thread, Direction::Forward)?;
        Ok((is_past && !matches!(signal, 0 | SIGKILL)).then_some(Landing { thread, is_at_break }))
    }
}
