//! Moments that rr takes for one, on the way back.
//!
//! Going back, rr runs forward from an earlier moment and remembers what it met last: by its event and ticks, the
//! registers, the two words at the stack pointer and the return addresses that a chain of frame pointers leads to. Of
//! several moments of a tick of which all of this is the same it takes the first for each of them. That is so of calls
//! in a row whose return addresses it does not see: it goes back over several writes at once, or it steps to before the
//! first of the calls.
//!
//! Forward, rr is exact. So where the code says that this may be, the way back is made of instructions that are counted
//! from where the tick begins: these are few as a rule.

use crate::api::error::Error;
use crate::api::{Moment, Position};
use crate::breakpoints::temporary::Temporary;
use crate::run::counted::{Counted, CountedTo};
use crate::run::exact_position::ExactPosition;
use crate::run::mover::Mover;
use crate::run::session::Session;
use crate::target::signals::SIGTRAP;
use arch::ThreadId;
use base::cancel::Cancel;
use rsp::{Break, BreakKind, Outcome, Restart, Resume, StopCause, StopReply};
use std::time::Duration;

/// Most instructions of a tick that are counted.
const MOST: u32 = 4096;
/// How often it is asked whether the tick is over.
const ASKED_EVERY: u32 = 16;
/// What rr calls a checkpoint of ours.
const MARK: &str = "before counting";
/// How long that may take.
const COUNTING: Duration = Duration::from_secs(30);

impl Session {
    /// Counts the instructions from the beginning of its tick to a place, and goes there. `None`: it is not found.
    fn count_to(&mut self, place: &ExactPosition) -> Result<Option<Counted>, Error> {
        let (thread, pc, visit) = (place.position.thread, place.position.pc, place.visit());
        if !self.go_to_beginning(&place.position)? {
            return Ok(None);
        }
        let (mut visits, cancel) = (0, Cancel::new().with_deadline(COUNTING));
        self.debuggee.inferior.process.set_breaks(&[])?;
        for steps in 0..MOST {
            let process = &mut self.debuggee.inferior.process;
            let is_at = process.registers(thread)?.pc() == Some(pc);
            if is_at || steps % ASKED_EVERY == 0 {
                let (now, then) = (Some(process.moment(thread)?), place.position.moment);
                if now.zip(then).is_some_and(|(now, then)| now.ticks > then.ticks || now.event > then.event) {
                    return Ok(None);
                }
                visits += u32::from(is_at && now == then && place.looks_alike(thread, process)?);
                if visits == visit.unwrap_or(1) {
                    return Ok(Some(Counted { place: place.clone(), anchor: None, steps }));
                }
            }
            if !self.step_in(thread, &cancel)? {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Goes to the last instruction before a place that begins a tick. `None`: it is not found.
    fn last_of_tick_before(&mut self, here: &ExactPosition) -> Result<Option<Counted>, Error> {
        let thread = here.position.thread;
        let Some(now) = here.position.moment else { return Ok(None) };
        let Some(ticks) = now.ticks.checked_sub(1) else { return Ok(None) };
        let before = Position { moment: Some(Moment { ticks, ..now }), ..here.position };
        if !self.go_to_beginning(&before)? {
            return Ok(None);
        }
        let place = self.exact_position(thread)?;
        let cancel = Cancel::new().with_deadline(COUNTING);
        self.debuggee.inferior.process.set_breaks(&[])?;
        for steps in 0..MOST {
            if !self.step_in(thread, &cancel)? {
                return Ok(None);
            }
            let process = &mut self.debuggee.inferior.process;
            if process.moment(thread)? == now && here.looks_alike(thread, process)? {
                let counted = Counted { place, anchor: None, steps };
                self.go_to_counted(&counted)?;
                return Ok(Some(counted));
            }
        }
        Ok(None)
    }

    /// Goes to a moment by the instructions before it.
    fn go_to_counted(&mut self, counted: &Counted) -> Result<(), Error> {
        let Counted { place, steps, .. } = counted;
        let (thread, cancel) = (place.position.thread, Cancel::new().with_deadline(COUNTING));
        let mark = self.begin_counting(counted, &cancel)?;
        self.debuggee.inferior.process.set_breaks(&[])?;
        for _ in 0..*steps {
            if !self.step_in(thread, &cancel)? {
                return Err(Error::Strayed);
            }
        }
        let epoch = self.debuggee.inferior.process.epoch();
        self.counted_to = Some(CountedTo { epoch, counted: counted.clone(), mark });
        Ok(())
    }

    /// Goes to where the instructions before a moment are counted from. The way to a visit in a long tick is not gone
    /// again for each of them: rr keeps that under the number that is returned.
    fn begin_counting(&mut self, counted: &Counted, cancel: &Cancel) -> Result<Option<u64>, Error> {
        let kept = self.counted_to.take().and_then(|last| Some((last.mark?, last.counted)));
        if let Some((mark, last)) = kept {
            if last.has_origin_of(counted)
                && self.debuggee.inferior.process.restart(Restart::Checkpoint(mark), self.restart_limit).is_ok()
            {
                return Ok(Some(mark));
            }
            // Another rr may have taken the place of the one that has it.
            self.debuggee.inferior.process.delete_checkpoint(mark).ok();
        }
        if !self.go_to_beginning(&counted.place.position)? {
            return Err(Error::Strayed);
        }
        let Some(anchor) = &counted.anchor else { return Ok(None) };
        self.run_to_anchor(anchor, counted.place.position.thread, cancel)?;
        Ok(self.debuggee.inferior.process.checkpoint(MARK).ok())
    }

    /// Returns whether a step back from where a thread is has to be counted.
    fn is_to_be_counted(&mut self, thread: ThreadId) -> Result<bool, Error> {
        Ok(self.is_in_long_tick(thread)? || self.rr_may_confuse(thread)?)
    }

    pub(crate) fn step_in(&mut self, thread: ThreadId, cancel: &Cancel) -> Result<bool, Error> {
        let stepped = self.debuggee.inferior.process.resume(Resume::Step(thread), cancel)?;
        Ok(matches!(stepped, Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread: stopped, .. })
            if stopped == thread))
    }
}

/// Returns whether it is a watchpoint.
pub(super) fn is_data(entry: &Break) -> bool {
    !matches!(entry.kind, BreakKind::Software | BreakKind::Hardware)
}

impl Mover<'_, '_> {
    /// Takes back one instruction of a thread, if rr may go elsewhere. `None`: it does not, and nothing has moved.
    pub(crate) fn back_by_counting(&mut self, thread: ThreadId) -> Result<Option<bool>, Error> {
        match self.session.is_to_be_counted(thread)? {
            true => Ok(self.before_last_instruction(thread)?.map(|_| true)),
            false => Ok(None),
        }
    }

    /// Takes back one instruction of a thread as rr would with these breakpoints and watchpoints, if rr may go elsewhere.
    /// `None`: it does not, and nothing has moved.
    pub(crate) fn step_back_by_counting(
        &mut self,
        thread: ThreadId,
        wanted: &[Break],
    ) -> Result<Option<Outcome>, Error> {
        match self.session.is_to_be_counted(thread)? {
            true => self.step_back_by_counting_always(thread, wanted),
            false => Ok(None),
        }
    }

    /// Takes back one instruction of a thread as rr would with these breakpoints and watchpoints. `None`: the way is not
    /// found, and nothing has moved.
    pub(super) fn step_back_by_counting_always(
        &mut self,
        thread: ThreadId,
        wanted: &[Break],
    ) -> Result<Option<Outcome>, Error> {
        let Some(before) = self.before_last_instruction(thread)? else { return Ok(None) };
        let data: Vec<Break> = wanted.iter().filter(|entry| is_data(entry)).cloned().collect();
        let mut cause = StopCause::Plain;
        if !data.is_empty() {
            let process = &mut self.session.debuggee.inferior.process;
            process.set_breaks(&data)?;
            let stepped = process.resume(Resume::Step(thread), &Cancel::new().with_deadline(COUNTING))?;
            if let Outcome::Stopped(StopReply::Stopped { cause: met @ StopCause::Watch { .. }, .. }) = stepped {
                cause = met;
            }
            self.session.go_to_counted(&before)?;
        }
        Ok(Some(Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread, cause })))
    }

    fn before_last_instruction(&mut self, thread: ThreadId) -> Result<Option<Counted>, Error> {
        let is_long = self.session.is_in_long_tick(thread)?;
        let epoch = self.session.debuggee.inferior.process.epoch();
        if let Some(here) = self.session.counted_to.as_ref().filter(|here| here.epoch == epoch)
            && here.counted.place.position.thread == thread
            && let Some(steps) = here.counted.steps.checked_sub(1)
        {
            let before = Counted { steps, ..here.counted.clone() };
            self.session.go_to_counted(&before)?;
            return Ok(Some(before));
        }
        let here = self.place(thread)?;
        // Where rr makes none, there is the longer way.
        let mark = self.session.debuggee.inferior.process.checkpoint(MARK).ok();
        let near = if is_long { self.session.count_from_visit(&here)? } else { None };
        let counted = match near {
            None => self.session.count_to(&here)?,
            near => near,
        };
        let counted = match counted {
            Some(Counted { place, anchor, steps: behind @ 1.. }) => {
                let before = Counted { place, anchor, steps: behind - 1 };
                self.session.go_to_counted(&before)?;
                Some(before)
            }
            // What was before is in another tick. rr does not take it for this one, but dies where moments of that tick
            // look alike to it.
            Some(_) if self.session.has_given_up => self.session.last_of_tick_before(&here)?,
            Some(_) | None => None,
        };
        self.finish_counting(counted.is_some(), mark, &here)?;
        Ok(counted)
    }

    /// Comes back to where counting began, if it has led nowhere.
    fn finish_counting(&mut self, is_found: bool, mark: Option<u64>, begun: &ExactPosition) -> Result<(), Error> {
        let thread = begun.position.thread;
        if !is_found {
            match mark {
                Some(mark) if self.session.go_to_mark(mark, begun, self.cancel)? => self.session.debuggee.catch_up()?,
                Some(_) => return Err(Error::Strayed),
                None => self.arrive(thread, begun)?,
            }
            self.session.debuggee.thread = thread;
        }
        match mark {
            Some(mark) => self.session.debuggee.inferior.process.delete_checkpoint(mark),
            None => Ok(()),
        }
    }

    /// Returns where a run back begins: the place of the thread whose turn it is, whichever is selected. Any other waits
    /// at one place for as long as the turn takes. `None`: it does not exist here.
    pub(crate) fn origin_of_run(&mut self) -> Result<Option<ExactPosition>, Error> {
        let process = &mut self.session.debuggee.inferior.process;
        let thread = match process.last_stop()? {
            StopReply::Stopped { thread, .. } => thread,
            StopReply::Exited(_) | StopReply::Killed(_) => return Ok(None),
        };
        if !process.threads()?.contains(&thread) {
            return Ok(None);
        }
        self.place(thread).map(Some)
    }

    /// Looks for what a run backward from a place comes to in the same tick, where rr may take that for another one of the
    /// tick. If there is nothing, it goes to where the tick begins: rr goes on from there. `None`: rr knows the place.
    pub(crate) fn within_tick(
        &mut self,
        begun: &ExactPosition,
        wanted: (&[Break], &[Temporary]),
    ) -> Result<Option<Outcome>, Error> {
        let thread = begun.position.thread;
        match self.session.rr_may_confuse(thread)? {
            true => self.last_before(begun, wanted),
            false => Ok(None),
        }
    }

    /// Looks for what a run backward from a place comes to in the same tick, instruction by instruction from where that
    /// begins. If there is nothing, it goes there. `None`: there is nothing, or the beginning is not found.
    fn last_before(
        &mut self,
        begun: &ExactPosition,
        wanted: (&[Break], &[Temporary]),
    ) -> Result<Option<Outcome>, Error> {
        let thread = begun.position.thread;
        let is_there = self.session.go_to_beginning(&begun.position)?
            && self.session.debuggee.inferior.position(thread)?.moment == begun.position.moment;
        if !is_there {
            self.arrive(thread, begun)?;
            return Ok(None);
        }
        let from = Counted { place: self.place(thread)?, anchor: None, steps: 0 };
        match self.hits_behind(&from, wanted, (begun, true))?.0 {
            Some((steps, cause)) => {
                self.session.go_to_counted(&Counted { steps, ..from })?;
                Ok(Some(Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread, cause })))
            }
            None => {
                self.session.go_to_counted(&from)?;
                Ok(None)
            }
        }
    }

    /// Looks from where a run backward has stopped whether it has left out something that it should have stopped for in
    /// the same tick, and goes there. rr may even have gone to behind where it began, in the same tick. `None`: then there
    /// was nothing to stop for, and it is where the tick begins.
    pub(crate) fn last_of_tick(
        &mut self,
        outcome: Outcome,
        wanted: (&[Break], &[Temporary]),
        origin: &ExactPosition,
    ) -> Result<Option<Outcome>, Error> {
        let Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread, cause }) = outcome else {
            return Ok(Some(outcome));
        };
        let is_hit = matches!(cause, StopCause::SoftwareBreak | StopCause::HardwareBreak | StopCause::Watch { .. });
        let position = self.session.debuggee.inferior.position(thread)?;
        let is_same_tick = (position.moment, thread) == (origin.position.moment, origin.position.thread);
        if !is_hit || !is_same_tick && !self.session.rr_may_confuse(thread)? {
            return Ok(Some(outcome));
        }
        let here = self.place(thread)?;
        let selected = std::mem::replace(&mut self.session.debuggee.thread, thread);
        let mark = self.session.debuggee.inferior.process.checkpoint(MARK).ok();
        let counted = self.session.count_to(&here)?;
        self.finish_counting(counted.is_some(), mark, &here)?;
        let found = match counted {
            Some(from) => {
                let (found, is_origin_met) = self.hits_behind(&from, wanted, (origin, false))?;
                if is_same_tick && !is_origin_met {
                    return self.last_before(origin, wanted);
                }
                let found = found.unwrap_or((from.steps, cause));
                self.session.go_to_counted(&Counted { steps: found.0, ..from })?;
                found.1
            }
            None => cause,
        };
        self.session.debuggee.thread = selected;
        Ok(Some(Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread, cause: found })))
    }

    /// Finds the last hit from a moment on to where its tick ends, or where the run has begun: how many instructions
    /// behind the beginning of the tick that is, and what is hit. `None`: there is none. And whether it has come to where
    /// the run has begun. `is_first`: a breakpoint where it begins counts.
    fn hits_behind(
        &mut self,
        from: &Counted,
        (wanted, temporary): (&[Break], &[Temporary]),
        (origin, is_first): (&ExactPosition, bool),
    ) -> Result<(Option<(u32, StopCause)>, bool), Error> {
        let (thread, then) = (from.place.position.thread, from.place.position.moment);
        let data: Vec<Break> = wanted.iter().filter(|entry| is_data(entry)).cloned().collect();
        let cancel = Cancel::new().with_deadline(COUNTING);
        let (mut visits, mut found) = (0, None);
        for steps in from.steps..from.steps + MOST {
            let process = &mut self.session.debuggee.inferior.process;
            let now = Some(process.moment(thread)?);
            if now != then {
                return Ok((found, false));
            }
            if now == origin.position.moment && thread == origin.position.thread {
                visits += u32::from(origin.looks_alike(thread, process)?);
                if visits == origin.visit().unwrap_or(1) {
                    return Ok((found, true));
                }
            }
            let registers = process.registers(thread)?;
            let (pc, sp) = (registers.pc(), registers.sp().unwrap_or_default());
            let is_place = temporary.iter().any(|place| Some(place.address) == pc && place.sp.allows(sp));
            let here = wanted.iter().find(|entry| !is_data(entry) && Some(entry.address) == pc);
            if let Some(entry) = here.filter(|_| is_first || steps > from.steps)
                && (entry.conditions.is_empty() || is_place || self.evaluate_hit(thread)?)
            {
                found = Some((steps, StopCause::SoftwareBreak));
            }
            let process = &mut self.session.debuggee.inferior.process;
            process.set_breaks(&data)?;
            match process.resume(Resume::Step(thread), &cancel)? {
                Outcome::Stopped(StopReply::Stopped { signal: SIGTRAP, thread: stopped, cause })
                    if stopped == thread =>
                {
                    if matches!(cause, StopCause::Watch { .. }) {
                        found = Some((steps, cause));
                    }
                }
                _ => return Ok((found, false)),
            }
        }
        Ok((None, false))
    }
}
