//! Visits of one instruction in one tick, which are told apart by their number.
//!
//! Between two conditional branches a thread may execute the same instruction any number of times: calls in a row, the
//! turns of an unrolled loop, jumps through tables. What a position says of a visit (registers, the top of the stack) may
//! be so of several. So a position may say, too, which of those that fit it is, from 1 on, as they follow each other from
//! where the tick begins:
//!
//! - A visit is that the thread comes to the instruction. A repeated string instruction is come to once, however often
//!   it is repeated, unless the position tells its rounds apart.
//! - With the fingerprint of a stop, visits of that event count. Others tell the least that the event can be, and what
//!   comes behind it in the tick counts, too.
//!
//! A pass over the whole recording counts while it goes by, for nothing. To find a visit by its number, this goes to
//! before the tick and runs from visit to visit. A stop does not count as a rule, since the code says that there is no
//! other moment like it: see [`recurrence`](super::recurrence).

use crate::api::error::Error;
use crate::api::{Fingerprint, Position, Waypoint, hash_of_registers};
use crate::eval::inferior::Inferior;
use crate::run::earlier_events::events_backward;
use crate::run::exact_position::ExactPosition;
use crate::run::seek::SearchOutcome;
use crate::run::session::Session;
use crate::target::signals::{SIGKILL, SIGTRAP};
use arch::{RunAddr, ThreadId, repeated};
use base::cancel::Cancel;
use rsp::{Break, BreakKind, Moment, Outcome, Restart, Resume, StopCause, StopReply};
use std::time::Duration;

/// Prefixes that have a string instruction be repeated, and how far in they may stand.
const REPEATED: [u8; 2] = [0xf2, 0xf3];
const MOST_PREFIXES: usize = 4;
/// Stops on the way to a visit, at most.
const STOPS: u32 = 1 << 20;
/// How long it may take to find out which visit it is where a stop is.
const COUNTING: Duration = Duration::from_secs(10);
/// Instructions from the beginning of a tick, or to its end, that are looked at one by one, at most.
const STEPS: u32 = 4096;
/// Rounds of a repeated instruction that are looked at for one that is named, at most.
const ROUNDS: u64 = 1 << 20;

impl Waypoint {
    /// Returns whether its event is the least that it can be: who has only heard of a moment from a replay without a
    /// debugger knows no more.
    pub(crate) const fn is_loose(&self) -> bool {
        !matches!(self.fingerprint, Some(Fingerprint::Stop(_)))
    }

    fn is_in_tick(&self, now: Moment) -> bool {
        now == self.moment || self.is_loose() && now.ticks == self.moment.ticks && now.event >= self.moment.event
    }

    /// Returns whether nothing at or after a moment can be one that it names.
    fn is_before(&self, now: Moment) -> bool {
        now.ticks > self.moment.ticks || !self.is_loose() && now.event > self.moment.event
    }
}

impl Session {
    /// Goes to the visit of this number, from 1 on, of those in its tick that fit a position. If there is none, it is
    /// anywhere.
    pub(crate) fn find_visit(&mut self, to: &Waypoint, number: u32, cancel: &Cancel) -> Result<SearchOutcome, Error> {
        let search = cancel.with_deadline(self.limits.forward);
        let found = match self.go_before_tick(to)? {
            true => self.run_to_visit_of(to, number, &search)?,
            false => SearchOutcome::Absent,
        };
        // There is one stop for all rounds of a repeated instruction.
        let found = match found {
            SearchOutcome::Absent if to.fingerprint.is_some() && self.is_repeated(to.pc) => {
                match self.go_before_tick(to)? {
                    true => self.step_to_visit_of(to, number, &search)?,
                    false => found,
                }
            }
            found => found,
        };
        // What a pass has seen may be shown in another way to a debugger, as code of rr's is.
        let found = match found {
            SearchOutcome::Absent if number == 1 && !search.is_cancelled() => {
                self.go_to_event(to.moment.event)?;
                self.find_first(to, cancel)?
            }
            found => found,
        };
        Ok(match found {
            SearchOutcome::Found => {
                self.debuggee.thread = to.thread;
                found
            }
            _ if cancel.is_cancelled() => SearchOutcome::Cancelled,
            _ => found,
        })
    }

    /// Returns where a thread is.
    pub(crate) fn exact_position(&mut self, thread: ThreadId) -> Result<ExactPosition, Error> {
        let inferior = &mut self.debuggee.inferior;
        let (position, registers) = (inferior.position(thread)?, inferior.process.registers(thread)?);
        let place = ExactPosition::new(position, registers, &mut inferior.process);
        let visit = match place.waypoint() {
            Some(moment) if !self.state.at_end => self.visit_of(&moment)?,
            _ => None,
        };
        Ok(place.with_visit(visit))
    }

    /// Returns which of the visits that fit a position the one is where its thread is, if there may be others. `None`:
    /// there is no other, or that is not found out.
    pub(crate) fn visit_of(&mut self, here: &Waypoint) -> Result<Option<u32>, Error> {
        let epoch = self.debuggee.inferior.process.epoch();
        if let Some((.., visit)) = self.counted.filter(|(known, thread, _)| (*known, *thread) == (epoch, here.thread)) {
            return Ok(visit);
        }
        let is_signal = self.is_at_signal(here)?;
        let can_be_counted = !here.is_end && !is_signal && self.debuggee.inferior.process.abilities().time;
        // The calls of a long tick have stack pointers of their own, and counting them would take too long.
        if !can_be_counted || !self.may_recur(here.thread)? || self.is_in_long_tick(here.thread)? {
            return Ok(None);
        }
        if self.deep_places.are_in_tick_of(here) {
            return Ok(None);
        }
        // A request that is given up costs the connection: only what moves is.
        let (back, selected) = (Cancel::new().with_deadline(COUNTING), self.debuggee.thread);
        self.debuggee.inferior.process.set_cancel(&Cancel::new().with_deadline(self.limits.forward));
        let counted = self.count_and_return(here, &back);
        self.debuggee.inferior.process.set_cancel(&self.cancel);
        self.debuggee.thread = selected;
        let visit = counted?;
        self.counted = Some((self.debuggee.inferior.process.epoch(), here.thread, visit));
        Ok(visit)
    }

    /// Returns whether the thread is at the arrival of a signal: that is an event of its own, and what comes with it is
    /// there as long as nothing moves.
    pub(crate) fn is_at_signal(&mut self, here: &Waypoint) -> Result<bool, Error> {
        let stopped = self.debuggee.inferior.process.last_stop()?;
        let is_here = |position: &Position| {
            (position.moment, position.thread, position.pc) == (Some(here.moment), here.thread, here.pc)
        };
        Ok(self.state.signal.as_ref().is_some_and(|signal| is_here(&signal.position))
            || matches!(stopped, StopReply::Stopped { signal, .. } if !matches!(signal, 0 | SIGTRAP)))
    }

    /// Counts the visits from here to where the tick ends, and those from where it begins: the difference is how many are
    /// before this one. Nothing else tells it from the others on the way back.
    fn count_and_return(&mut self, here: &Waypoint, cancel: &Cancel) -> Result<Option<u32>, Error> {
        let mark = self.debuggee.inferior.process.checkpoint("count").ok();
        self.marks.extend(mark);
        let later = self.visits_from_here(here, cancel)?;
        let all = match later {
            Some(_) if self.find_visit(here, 1, cancel)? == SearchOutcome::Found => {
                self.visits_from_here(here, cancel)?
            }
            _ => None,
        };
        let number = all.zip(later).and_then(|(all, later)| (all + 1).checked_sub(later)).filter(|number| *number > 0);
        if let Some(number) = number
            && self.find_visit(here, number, cancel)? == SearchOutcome::Found
        {
            return Ok(Some(number).filter(|_| all != Some(1)));
        }
        let mark = mark.ok_or(Error::Strayed)?;
        self.debuggee.inferior.process.restart(Restart::Checkpoint(mark), self.restart_limit)?;
        Ok(None)
    }

    /// Counts the visits that fit a position from where the thread is on, this one included, up to where the tick ends.
    /// `None`: it is too long. Afterwards it is elsewhere.
    pub(crate) fn visits_from_here(&mut self, to: &Waypoint, cancel: &Cancel) -> Result<Option<u32>, Error> {
        let (mut visits, mut left) = (0, STEPS);
        let mut is_begun = false;
        loop {
            let now = self.debuggee.inferior.process.moment(to.thread)?;
            if to.is_before(now) {
                return Ok(Some(visits));
            }
            let is_visit = self.is_visit(to, now)?;
            visits += u32::from(is_visit && !(is_begun && to.fingerprint.is_none()));
            is_begun = is_visit && self.is_repeated(to.pc);
            if left == 0 || cancel.is_cancelled() {
                return Ok(None);
            }
            left -= 1;
            if !self.step_alone(to.thread, cancel)? {
                return Ok(Some(visits));
            }
        }
    }

    /// Steps a thread. Returns whether it is there still.
    fn step_alone(&mut self, thread: ThreadId, cancel: &Cancel) -> Result<bool, Error> {
        let process = &mut self.debuggee.inferior.process;
        process.set_breaks(&[])?;
        let stepped = process.resume(Resume::Step(thread), cancel)?;
        let is_there = matches!(stepped, Outcome::Stopped(StopReply::Stopped { signal, .. }) if signal != SIGKILL);
        Ok(is_there && process.threads()?.contains(&thread))
    }

    /// Goes to a moment that is before the tick of a position, or where it begins.
    fn go_before_tick(&mut self, to: &Waypoint) -> Result<bool, Error> {
        let Moment { event, ticks } = to.moment;
        for event in events_backward(event, self.beginning) {
            self.go_to_event(event)?;
            let begun = match self.debuggee.inferior.process.threads()?.contains(&to.thread) {
                true => self.debuggee.inferior.process.moment(to.thread)?,
                // It begins later.
                false => return Ok(true),
            };
            // Where nothing is named but the event, what is in earlier events of the tick does not count.
            let is_own = !to.is_loose() && begun.event == to.moment.event && begun.ticks == ticks;
            if begun.ticks >= ticks && ticks > 0 && !is_own {
                continue;
            }
            if begun.ticks.saturating_add(1) < ticks && self.debuggee.thread == to.thread {
                match self.debuggee.inferior.process.restart(Restart::Ticks(ticks - 1), self.restart_limit) {
                    Ok(StopReply::Stopped { .. })
                        if self.debuggee.inferior.process.threads()?.contains(&to.thread)
                            && self.debuggee.inferior.process.moment(to.thread)?.ticks < ticks => {}
                    Ok(_) | Err(Error::Rsp(rsp::Error::NoSuchTick { .. })) => self.go_to_event(event)?,
                    Err(other) => return Err(other),
                }
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Returns whether the thread is at a visit that fits.
    fn is_visit(&mut self, to: &Waypoint, now: Moment) -> Result<bool, Error> {
        let is_at = self.debuggee.inferior.process.registers(to.thread)?.pc() == Some(to.pc);
        Ok(is_at && to.is_in_tick(now) && self.fits(to, to.thread)?)
    }

    fn run_to_visit_of(&mut self, to: &Waypoint, number: u32, search: &Cancel) -> Result<SearchOutcome, Error> {
        let mut visits = 0;
        if self.debuggee.inferior.process.threads()?.contains(&to.thread) {
            let now = self.debuggee.inferior.process.moment(to.thread)?;
            visits += u32::from(self.is_visit(to, now)?);
            if visits == number {
                return Ok(SearchOutcome::Found);
            }
        }
        let Inferior { modules, process, .. } = &mut self.debuggee.inferior;
        // rr dies of a software breakpoint where nothing is mapped any more.
        let is_kept = modules.at(to.pc).is_some_and(|module| !module.unloadable);
        let kind = if is_kept { BreakKind::Software } else { BreakKind::Hardware };
        let visit = Break { kind, address: to.pc, length: process.arch().trap_size(), conditions: Vec::new() };
        process.set_breaks(&[visit])?;
        for _ in 0..STOPS {
            let ran = match self.debuggee.inferior.process.resume(Resume::Continue, search) {
                Ok(ran) => ran,
                Err(Error::Rsp(rsp::Error::Rejected { .. })) => return self.step_to_visit_of(to, number, search),
                Err(other) => return Err(other),
            };
            let Outcome::Stopped(StopReply::Stopped { signal, thread, cause }) = ran else { break };
            if signal == SIGKILL || signal == 0 {
                break;
            }
            if thread != to.thread {
                continue;
            }
            let now = self.debuggee.inferior.process.moment(to.thread)?;
            // A fault stops where the breakpoint has stopped before.
            let is_hit = matches!(cause, StopCause::SoftwareBreak | StopCause::HardwareBreak);
            visits += u32::from(is_hit && self.is_visit(to, now)?);
            if visits == number {
                return Ok(SearchOutcome::Found);
            }
            if to.is_before(now) {
                break;
            }
        }
        Ok(SearchOutcome::Absent)
    }

    /// Goes from before a tick to one of its visits, instruction by instruction.
    fn step_to_visit_of(&mut self, to: &Waypoint, number: u32, search: &Cancel) -> Result<SearchOutcome, Error> {
        let (mut visits, mut left) = (0, STEPS);
        while left > 0 && !search.is_cancelled() {
            let is_there = self.debuggee.inferior.process.threads()?.contains(&to.thread);
            if is_there {
                let now = self.debuggee.inferior.process.moment(to.thread)?;
                if to.is_before(now) {
                    break;
                }
                left -= u32::from(now.ticks == to.moment.ticks);
                visits += u32::from(self.is_visit(to, now)?);
                if visits == number {
                    return Ok(SearchOutcome::Found);
                }
                for _ in 1..self.rounds_to(to, now)? {
                    if search.is_cancelled() || !self.step_alone(to.thread, search)? {
                        return Ok(SearchOutcome::Absent);
                    }
                }
            }
            let thread = if is_there { to.thread } else { self.debuggee.thread };
            if !self.step_alone(thread, search)? {
                break;
            }
        }
        Ok(SearchOutcome::Absent)
    }

    /// Returns how many rounds of a repeated instruction lie in front of the one that a position names by its registers; 0
    /// if the thread is not at that instruction, or none of the rounds that follow is the one.
    fn rounds_to(&mut self, to: &Waypoint, now: Moment) -> Result<u64, Error> {
        let (Some(Fingerprint::Registers(hash)), true) = (to.fingerprint, to.is_in_tick(now)) else { return Ok(0) };
        let registers = self.debuggee.inferior.process.registers(to.thread)?;
        if registers.pc() != Some(to.pc) {
            return Ok(0);
        }
        let values: Vec<u64> = (0..16).map_while(|number| registers.dwarf(number)).collect();
        let Inferior { modules, process, .. } = &mut self.debuggee.inferior;
        let arch = process.arch();
        let repeated = repeated(arch, &modules.code(process, to.pc), to.pc);
        let rounds = repeated.zip(values.first_chunk()).and_then(|(repeated, registers)| {
            repeated.rounds_to(registers, ROUNDS, |registers| hash_of_registers(registers) == hash)
        });
        Ok(rounds.unwrap_or(0))
    }

    /// Returns whether there is a repeated string instruction.
    pub(crate) fn is_repeated(&mut self, at: RunAddr) -> bool {
        let Inferior { modules, process, .. } = &mut self.debuggee.inferior;
        let code = modules.code(process, at);
        code.iter().take(MOST_PREFIXES).any(|byte| REPEATED.contains(byte))
    }
}
