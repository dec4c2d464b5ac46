//! The way back to an instruction of which event, ticks and thread are known.
//!
//! rr goes to the first instruction of a tick by itself, however far that is from the event. Behind that, few
//! instructions are left as a rule: they are stepped over, and looked at where the pc is the one that is searched. A
//! tick of unrolled code or of long copies has many: in such a one it is run to the pc first.

use crate::api::error::Error;
use crate::api::{Moment, Position};
use crate::eval::inferior::Inferior;
use crate::run::exact_position::ExactPosition;
use crate::run::session::Session;
use crate::target::signals::SIGKILL;
use arch::{RunAddr, ThreadId};
use base::cancel::Cancel;
use rsp::{Break, BreakKind, Outcome, Restart, Resume, StopReply};
use std::time::Duration;

/// How many instructions are tried from the first one of a tick: as many as may lie between two conditional branches.
const BETWEEN_TICKS: u32 = 1000;
/// How long that may take.
const SEARCH: Duration = Duration::from_secs(10);

/// After so many steps it is worth while to run.
const FEW: u32 = 40;
/// How often it is asked whether the steps are still in the tick.
const ASKED_EVERY: u32 = 16;
/// Most visits of the pc that are looked at in a run.
const VISITS: u32 = 1000;

/// How long one instruction of a tick is searched for.
#[derive(Clone, Copy)]
pub(crate) struct SearchLimit {
    /// So many instructions. With none, only a stop that the event itself is for is found.
    pub(crate) steps: u32,
    /// In this time.
    pub(crate) time: Duration,
    /// Later events are as good as the one that is named: a thread comes by a tick once, but how many events rr has
    /// completed by then is not always known.
    pub(crate) or_later: bool,
}

/// What came of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchOutcome {
    /// The thread is there, and selected.
    Found,
    /// The recording has no such place, as far as was searched.
    Absent,
    /// The recording has no such place, as nothing can be executed there.
    Nowhere,
    /// It was cancelled on the way.
    Cancelled,
}

/// What is searched: an instruction of a tick of a thread.
struct Sought {
    thread: ThreadId,
    moment: Moment,
    pc: RunAddr,
    /// The event is the least that it can be: which it is, ticks alone do not tell.
    is_loose: bool,
}

impl Sought {
    fn is_at(&self, now: Moment) -> bool {
        now == self.moment || self.is_loose && now.ticks == self.moment.ticks && now.event >= self.moment.event
    }

    fn is_behind(&self, now: Moment) -> bool {
        now.ticks > self.moment.ticks || !self.is_loose && now.event > self.moment.event
    }
}

/// The question which visit of the pc is the one that is searched.
type IsIt<'a> = &'a mut dyn FnMut(&mut Session, ThreadId) -> Result<bool, Error>;

impl Session {
    /// Goes to a place from anywhere. Whether that was found; if not, it is at the start of its event.
    pub(crate) fn go_to_place(&mut self, place: &ExactPosition, cancel: &Cancel) -> Result<bool, Error> {
        let Some(event) = place.position.event() else { return Ok(false) };
        self.go_to_event(event)?;
        if self.return_to(place, cancel)? {
            return Ok(true);
        }
        // rr goes past events that it makes itself (its buffer, a stack that grows): the place may be in front of where it
        // has stopped.
        let now = self.debuggee.inferior.process.moment(self.debuggee.thread)?;
        if let Some(moment) = place.waypoint().filter(|moment| now.event > moment.moment.event) {
            if self.find_first(&moment, cancel)? == SearchOutcome::Found {
                return Ok(true);
            }
            self.go_to_event(event)?;
        }
        Ok(false)
    }

    /// Goes to where an event has been completed.
    pub(crate) fn go_to_event(&mut self, event: u64) -> Result<(), Error> {
        let reply = self
            .debuggee
            .inferior
            .process
            .restart(Restart::Event(event), self.limits.forward.max(self.restart_limit))?;
        let StopReply::Stopped { thread, signal, .. } = reply else { return Err(Error::Incomplete("living process")) };
        self.debuggee.thread = thread;
        self.state.at_end = signal == SIGKILL;
        Ok(())
    }

    /// Goes from the start of a place's event to the place itself. If that is not found, back to the start of the
    /// event.
    fn return_to(&mut self, place: &ExactPosition, cancel: &Cancel) -> Result<bool, Error> {
        if let Some(moment) = place.waypoint()
            && let Some(number) = moment.visit
        {
            return Ok(self.find_visit(&moment, number, cancel)? == SearchOutcome::Found);
        }
        let limit = SearchLimit { steps: BETWEEN_TICKS, time: SEARCH, or_later: false };
        let found = self.find_in_event(&place.position, limit, cancel, &mut |s, thread| {
            place.fits(thread, &mut s.debuggee.inferior.process)
        })?;
        match found {
            SearchOutcome::Found => Ok(true),
            SearchOutcome::Absent | SearchOutcome::Nowhere => {
                let event = place.position.event();
                event.map_or(Ok(()), |event| self.go_to_event(event))?;
                Ok(false)
            }
            SearchOutcome::Cancelled => Err(rsp::Error::Cancelled { request: "s".to_owned() }.into()),
        }
    }

    /// Goes from the start of a position's event to the position, where `is_it` tells which visit of its pc it is. If
    /// that is not found, it is anywhere.
    pub(crate) fn find_in_event(
        &mut self,
        position: &Position,
        limit: SearchLimit,
        cancel: &Cancel,
        is_it: IsIt<'_>,
    ) -> Result<SearchOutcome, Error> {
        let Position { moment: Some(moment), thread, pc } = *position else { return Ok(SearchOutcome::Absent) };
        let mut sought = Sought { thread, moment, pc, is_loose: false };
        if !self.debuggee.inferior.process.threads()?.contains(&thread) {
            return Ok(SearchOutcome::Absent);
        }
        // It has stopped for something that comes to the thread while others have their turn.
        if self.is_sought(&sought, is_it)? || self.run_to_passed_delivery(&sought, is_it, cancel)? {
            self.debuggee.thread = thread;
            return Ok(SearchOutcome::Found);
        }
        if limit.steps == 0 {
            return Ok(SearchOutcome::Absent);
        }
        if !self.go_to_tick(&mut sought, limit.or_later)? {
            return Ok(SearchOutcome::Absent);
        }
        let search = cancel.with_deadline(limit.time);
        let few = SearchLimit { steps: limit.steps.min(FEW), ..limit };
        let mut found = self.step_to(&sought, few, &search, is_it)?;
        if found.is_none() && limit.steps > FEW {
            found = self.run_to_visit(&sought, &search, is_it)?;
            if found.is_none() && !search.is_cancelled() {
                self.go_to_event(moment.event)?;
                found = match self.go_to_tick(&mut sought, limit.or_later)? {
                    true => self.step_to(&sought, limit, &search, is_it)?,
                    false => Some(SearchOutcome::Absent),
                };
            }
        }
        Ok(match found {
            Some(SearchOutcome::Found) => SearchOutcome::Found,
            _ if cancel.is_cancelled() => SearchOutcome::Cancelled,
            other => other.unwrap_or(SearchOutcome::Absent),
        })
    }

    /// Goes to where the tick of a position begins, or its event if that is later, or to the tick before. Returns whether
    /// it is there; it is the same place each time.
    pub(crate) fn go_to_beginning(&mut self, position: &Position) -> Result<bool, Error> {
        let Position { moment: Some(moment), thread, pc } = *position else { return Ok(false) };
        self.go_to_event(moment.event)?;
        if !self.debuggee.inferior.process.threads()?.contains(&thread) {
            return Ok(false);
        }
        self.go_to_tick(&mut Sought { thread, moment, pc, is_loose: false }, false)
    }

    /// Goes from the start of its event to the first instruction of a tick, or of the one before, if it is not there
    /// already. A signal is an event of its own, that begins where the one before it ends.
    ///
    /// Where several events end in the same tick, rr goes to the last of them. The tick before does not have that. And
    /// where calls are buffered that the next event empties, it goes past the event to the last of these calls: from
    /// there it goes back to the tick.
    fn go_to_tick(&mut self, sought: &mut Sought, or_later: bool) -> Result<bool, Error> {
        let Moment { event, ticks } = sought.moment;
        let begun = self.debuggee.inferior.process.moment(sought.thread)?;
        let is_before = begun.event == event && begun.ticks <= ticks;
        if self.debuggee.thread != sought.thread || !is_before && begun.event <= event {
            return Ok(false);
        }
        for first in [Some(ticks), ticks.checked_sub(1)].into_iter().flatten() {
            if begun.ticks == first && begun.event == event {
                return Ok(true);
            }
            match self.debuggee.inferior.process.restart(Restart::Ticks(first), self.restart_limit) {
                Ok(StopReply::Stopped { thread, .. }) if thread == sought.thread => {
                    let reached = self.debuggee.inferior.process.moment(thread)?.event;
                    if reached == event || or_later && reached > event {
                        sought.moment.event = reached;
                        return Ok(true);
                    }
                }
                Ok(_) | Err(Error::Rsp(rsp::Error::NoSuchTick { .. })) => {}
                Err(other) => return Err(other),
            }
            self.go_to_event(event)?;
        }
        Ok(false)
    }

    /// Goes from the start of an event at or before a position's to the position, which need not be in that event: rr
    /// does not stop at each (not where its buffer of system calls is emptied), and with `or_later` the position's
    /// event is only the least that it can be. `None`: it begins behind the position, so that an earlier event is to be
    /// tried.
    pub(crate) fn find_behind(
        &mut self,
        position: &Position,
        limit: SearchLimit,
        cancel: &Cancel,
        is_it: IsIt<'_>,
    ) -> Result<Option<SearchOutcome>, Error> {
        let Position { moment: Some(moment), thread, pc } = *position else { return Ok(Some(SearchOutcome::Absent)) };
        let sought = Sought { thread, moment, pc, is_loose: limit.or_later };
        if !self.debuggee.inferior.process.threads()?.contains(&thread) {
            return Ok(Some(SearchOutcome::Absent));
        }
        let begun = self.debuggee.inferior.process.moment(thread)?;
        if sought.is_behind(begun) {
            return Ok(None);
        }
        if self.is_sought(&sought, is_it)? {
            self.debuggee.thread = thread;
            return Ok(Some(SearchOutcome::Found));
        }
        let before = moment.ticks.saturating_sub(1);
        if thread == self.debuggee.thread && begun.ticks < before {
            match self.debuggee.inferior.process.restart(Restart::Ticks(before), self.restart_limit) {
                Ok(_) if !self.is_past(&sought)? => {}
                Ok(_) | Err(Error::Rsp(rsp::Error::NoSuchTick { .. })) => self.go_to_event(begun.event)?,
                Err(other) => return Err(other),
            }
        }
        let search = cancel.with_deadline(limit.time);
        // Where nothing is ever executed, only the end of the recording would end a run; a tick is over soon.
        let is_near = thread == self.debuggee.thread
            && self.debuggee.inferior.process.moment(thread)?.ticks.saturating_add(1) >= moment.ticks;
        if is_near {
            let found = self.step_to(&sought, SearchLimit { steps: BETWEEN_TICKS, ..limit }, &search, is_it)?;
            let is_over = found == Some(SearchOutcome::Found)
                || self.debuggee.inferior.process.moment(thread).is_ok_and(|now| now.ticks > moment.ticks);
            if let Some(found) = found.filter(|_| is_over && !search.is_cancelled()) {
                return Ok(Some(found));
            }
            if found.is_some() {
                self.go_to_event(begun.event)?;
            }
        }
        let found = self.run_to_visit(&sought, &search, is_it)?;
        Ok(Some(match found {
            Some(SearchOutcome::Found) => {
                self.debuggee.thread = thread;
                SearchOutcome::Found
            }
            _ if cancel.is_cancelled() => SearchOutcome::Cancelled,
            _ => SearchOutcome::Absent,
        }))
    }

    /// Goes to the delivery of a signal that is searched, from where rr has gone past it: rr empties its buffer of system
    /// calls between the event of a signal and that of its delivery, and goes to behind that. A run from the event before
    /// stops at the delivery. If what is searched is not one, this stays where it is, or is at the start of the event
    /// again.
    fn run_to_passed_delivery(&mut self, sought: &Sought, is_it: IsIt<'_>, cancel: &Cancel) -> Result<bool, Error> {
        let Sought { thread, moment, pc, .. } = *sought;
        let process = &mut self.debuggee.inferior.process;
        let now = process.moment(thread)?;
        // The thread has done nothing meanwhile.
        let is_past = now.event > moment.event && now.ticks == moment.ticks;
        if !is_past || process.registers(thread)?.pc() != Some(pc) || !is_it(self, thread)? {
            return Ok(false);
        }
        self.go_to_event(moment.event.saturating_sub(1))?;
        let process = &mut self.debuggee.inferior.process;
        process.pass_signals(&[])?;
        process.set_breaks(&[])?;
        let stopped = process.resume(Resume::Continue, &cancel.with_deadline(SEARCH))?;
        let is_signal = matches!(stopped, Outcome::Stopped(StopReply::Stopped { signal, thread: stopped, .. })
            if stopped == thread && !matches!(signal, 0 | SIGKILL));
        if is_signal && self.is_sought(sought, is_it)? {
            return Ok(true);
        }
        self.go_to_event(moment.event)?;
        Ok(false)
    }

    /// Returns whether the thread is where it is searched.
    fn is_sought(&mut self, sought: &Sought, is_it: IsIt<'_>) -> Result<bool, Error> {
        let process = &mut self.debuggee.inferior.process;
        Ok(process.registers(sought.thread)?.pc() == Some(sought.pc)
            && sought.is_at(process.moment(sought.thread)?)
            && is_it(self, sought.thread)?)
    }

    /// Returns whether a tick is over.
    fn is_past(&mut self, sought: &Sought) -> Result<bool, Error> {
        Ok(sought.is_behind(self.debuggee.inferior.process.moment(sought.thread)?))
    }

    /// Steps through a tick. `None`: so many steps are not enough.
    fn step_to(
        &mut self,
        sought: &Sought,
        limit: SearchLimit,
        search: &Cancel,
        is_it: IsIt<'_>,
    ) -> Result<Option<SearchOutcome>, Error> {
        self.debuggee.inferior.process.set_breaks(&[])?;
        for step in 0..limit.steps {
            if self.is_sought(sought, is_it)? {
                return Ok(Some(SearchOutcome::Found));
            }
            if search.is_cancelled() {
                return Ok(Some(SearchOutcome::Absent));
            }
            if step % ASKED_EVERY == 0 && self.is_past(sought)? {
                return Ok(Some(SearchOutcome::Absent));
            }
            let stepped = self.debuggee.inferior.process.resume(Resume::Step(sought.thread), search)?;
            if !matches!(stepped, Outcome::Stopped(StopReply::Stopped { thread, .. }) if thread == sought.thread) {
                return Ok(Some(SearchOutcome::Absent));
            }
        }
        Ok(None)
    }

    /// Runs from visit to visit of the pc. `None`: that does not tell, as there is no stop at each of them.
    fn run_to_visit(
        &mut self,
        sought: &Sought,
        search: &Cancel,
        is_it: IsIt<'_>,
    ) -> Result<Option<SearchOutcome>, Error> {
        // A run does not stop where it begins.
        if self.is_sought(sought, is_it)? {
            return Ok(Some(SearchOutcome::Found));
        }
        // A repeated instruction is a visit each time, but there is one stop for all of them.
        let unclear = if self.is_repeated(sought.pc) { None } else { Some(SearchOutcome::Absent) };
        let Inferior { modules, process, .. } = &mut self.debuggee.inferior;
        let is_kept = modules.at(sought.pc).is_some_and(|module| !module.unloadable);
        // rr dies of a software breakpoint where nothing is mapped any more.
        let kind = if is_kept { BreakKind::Software } else { BreakKind::Hardware };
        let visit = Break { kind, address: sought.pc, length: process.arch().trap_size(), conditions: Vec::new() };
        self.debuggee.inferior.process.set_breaks(&[visit])?;
        for _ in 0..VISITS {
            let ran = self.debuggee.inferior.process.resume(Resume::Continue, search);
            match ran {
                Ok(Outcome::Stopped(StopReply::Stopped { signal, thread, .. }))
                    if thread == sought.thread && signal != SIGKILL => {}
                // Others come by, or have their turn before.
                Ok(Outcome::Stopped(StopReply::Stopped { signal, .. })) if sought.is_loose && signal != SIGKILL => {
                    continue;
                }
                Ok(_) => return Ok(unclear),
                Err(Error::Rsp(rsp::Error::Rejected { .. })) => return Ok(None),
                Err(other) => return Err(other),
            }
            if self.is_sought(sought, is_it)? {
                return Ok(Some(SearchOutcome::Found));
            }
            if self.is_past(sought)? {
                return Ok(unclear);
            }
        }
        Ok(None)
    }
}
