//! Going to a moment, to the instruction, from anywhere: also to one that another session on the same recording has
//! named.
//!
//! What has no such place, takes too long or is cancelled leaves the session where it was: it comes back by a
//! checkpoint of rr's that is made before, or else by the way that a new replay takes.

use crate::api::error::Error;
use crate::api::{Fingerprint, Reason, Waypoint, hash_of_registers};
use crate::run::earlier_events::events_backward;
use crate::run::exact_position::{ExactPosition, fingerprint};
use crate::run::seek::{SearchLimit, SearchOutcome};
use crate::run::session::Session;
use crate::run::time_limit::{for_restart, verdict};
use arch::ThreadId;
use base::cancel::Cancel;
use rsp::{Restart, Resume};

/// So many events, the one that is named and those before it, are searched.
const SEARCHED: usize = 9;
/// No program has anything below.
const LOWEST: u64 = 0x1000;

/// Where a journey began, and how to come back.
struct Origin {
    place: Option<ExactPosition>,
    was_at_end: bool,
    /// rr's number of a checkpoint there.
    mark: Option<u64>,
}

impl Session {
    /// Returns the moment where the replay is, so that it can be found again: that of the thread whose turn it is,
    /// whichever is selected.
    pub(crate) fn waypoint(&mut self) -> Result<Waypoint, Error> {
        let found = self.named_moment()?;
        found.ok_or(Error::Incomplete("count of events in what it says"))
    }

    /// Returns the moment as [`Self::waypoint`] does; `None` for a server that does not count events.
    pub(crate) fn named_moment(&mut self) -> Result<Option<Waypoint>, Error> {
        let thread = self.last_place.as_ref().map_or(self.debuggee.thread, |place| place.position.thread);
        let position = self.debuggee.inferior.position(thread)?;
        let Some(moment) = position.moment else { return Ok(None) };
        let fingerprint = Some(Fingerprint::Stop(self.fingerprint(thread)?));
        let is_end = self.state.at_end;
        let moment = Waypoint { moment, thread, pc: position.pc, fingerprint, visit: None, is_end, entry: None };
        // A signal is an event of its own.
        let visit = if self.state.signal.is_some() { None } else { self.visit_of(&moment)? };
        let moment = Waypoint { visit, ..moment };
        let entry = self.keep_deep_place(&moment)?;
        Ok(Some(Waypoint { entry, ..moment }))
    }

    /// Goes to a moment. If the recording has no such place, if the time is up or if it is cancelled, the session is
    /// where it was.
    pub(crate) fn go_to(&mut self, to: &Waypoint, cancel: &Cancel) -> Result<Reason, Error> {
        let here = self.debuggee.thread.pid;
        if to.thread.pid != here {
            return Err(Error::OtherProcess { to: *to, here });
        }
        let from = self.set_out();
        let found = match self.go_to_deep_place(to, cancel)? {
            true => SearchOutcome::Found,
            false => self.find_waypoint(to, cancel)?,
        };
        if found == SearchOutcome::Found {
            self.state.is_gone_to = true;
            if self.debuggee.inferior.outside_of_rr(self.debuggee.thread)?.is_some() {
                let why =
                    "in rr's own code, which does something for the program: the frame that it comes back to is shown";
                self.notes.push(format!("{} is {why}", to.pc));
            }
            return Ok(if self.state.at_end { self.ending.reason() } else { Reason::Arrived });
        }
        self.turn_back(from)?;
        match verdict(cancel).filter(|_| found == SearchOutcome::Cancelled) {
            Some(reason) => {
                self.notes.push("the place was not found meanwhile; this is where the movement began".to_owned());
                Ok(reason)
            }
            None => {
                let is_code = found != SearchOutcome::Nowhere;
                Err(Error::NoSuchPlace { event: to.moment.event, ticks: to.moment.ticks, pc: to.pc.0, is_code })
            }
        }
    }

    /// Goes to where the thread whose turn it is comes by a tick first.
    pub(crate) fn run_to_ticks(&mut self, ticks: u64, cancel: &Cancel) -> Result<Reason, Error> {
        let thread = self.debuggee.thread;
        let process = &mut self.debuggee.inferior.process;
        let is_present = process.moment(thread)?.ticks == ticks && !self.state.at_end;
        if is_present {
            // From where the tick begins, rr would go nowhere, although others of its events may be meant from elsewhere.
            process.set_breaks(&[])?;
            process.resume(Resume::Step(thread), cancel)?;
        }
        match self.restart(if is_present { Restart::PresentTick(ticks) } else { Restart::Ticks(ticks) }, cancel) {
            Err(Error::Rsp(rsp::Error::NoSuchTick { ticks })) => Err(Error::NoSuchTicks { thread, ticks }),
            other => other,
        }
    }

    fn set_out(&mut self) -> Origin {
        let was_at_end = self.state.at_end;
        // Where rr refuses one, there is the longer way.
        let mark = if was_at_end { None } else { self.quick_checkpoint("set out") };
        self.marks.extend(mark);
        Origin { place: self.last_place.clone(), was_at_end, mark }
    }

    /// Comes back from a journey that has led nowhere, also from one that was cancelled.
    fn turn_back(&mut self, from: Origin) -> Result<(), Error> {
        let process = &mut self.debuggee.inferior.process;
        let limit = self.limits.forward.max(self.restart_limit);
        let back = Cancel::new().with_deadline(limit);
        process.set_cancel(&back);
        let returned = self.return_from(from, &back);
        self.debuggee.inferior.process.set_cancel(&self.cancel);
        returned
    }

    fn return_from(&mut self, from: Origin, cancel: &Cancel) -> Result<(), Error> {
        if let (Some(mark), Some(place)) = (from.mark, &from.place) {
            return self.go_to_mark(mark, place, cancel)?.then_some(()).ok_or(Error::Strayed);
        }
        if let Some(mark) = from.mark {
            let reply = self
                .debuggee
                .inferior
                .process
                .restart(Restart::Checkpoint(mark), for_restart(cancel, self.restart_limit))?;
            if let rsp::StopReply::Stopped { thread, .. } = reply {
                self.debuggee.thread = thread;
                self.state.at_end = false;
            }
            return Ok(());
        }
        match from.place {
            Some(_) if from.was_at_end => {
                self.go_to_end()?;
                Ok(())
            }
            Some(place) => match self.go_to_place(&place, cancel)? {
                true => Ok(()),
                false => Err(Error::Strayed),
            },
            None => self.go_to_event(self.beginning),
        }
    }

    fn find_waypoint(&mut self, to: &Waypoint, cancel: &Cancel) -> Result<SearchOutcome, Error> {
        self.go_to_event(if to.is_end { i64::MAX as u64 } else { to.moment.event })?;
        if to.is_end {
            self.leave_lost_stack()?;
            let is_there = self.state.at_end && self.debuggee.inferior.position(self.debuggee.thread)? == to.position();
            return Ok(if is_there { SearchOutcome::Found } else { SearchOutcome::Absent });
        }
        if self.is_nowhere(to) {
            return self.find_first(to, cancel);
        }
        if let Some(number) = to.visit {
            return self.find_visit(to, number, cancel);
        }
        let found = self.find_first(to, cancel)?;
        if found == SearchOutcome::Found && !self.is_at_signal(to)? && self.may_fit_again(to)? {
            return self.note_others(to, cancel);
        }
        Ok(found)
    }

    /// Notes how many moments a position fits that does not say which of them it is, and stays at the first.
    fn note_others(&mut self, to: &Waypoint, cancel: &Cancel) -> Result<SearchOutcome, Error> {
        let visits = self.visits_from_here(to, cancel)?;
        let words = match visits {
            Some(1) => None,
            Some(visits) => Some(format!("{visits} moments of the tick fit the position: this is the first of them")),
            None => Some("more than one moment of the tick may fit the position: this is the first of them".to_owned()),
        };
        let found = self.find_visit(to, 1, cancel)?;
        self.notes.extend(words.filter(|_| found == SearchOutcome::Found));
        Ok(found)
    }

    /// Returns whether other moments of the tick may fit a position where it is now.
    fn may_fit_again(&mut self, to: &Waypoint) -> Result<bool, Error> {
        Ok(to.is_loose() || self.may_recur(to.thread)?)
    }

    /// Goes to the first moment that a position fits.
    pub(crate) fn find_first(&mut self, to: &Waypoint, cancel: &Cancel) -> Result<SearchOutcome, Error> {
        // A tick of unrolled code, or with long copies in it, has any number of instructions.
        let or_later = to.is_loose();
        // Where nothing can be executed there may be the signal of a wild jump, which is an event.
        let is_nowhere = self.is_nowhere(to);
        let steps = if is_nowhere { 0 } else { u32::MAX };
        let limit = SearchLimit { steps, time: self.limits.forward, or_later };
        let is_it = &mut |s: &mut Session, thread: ThreadId| s.fits(to, thread);
        let begun = self.debuggee.inferior.position(self.debuggee.thread)?;
        let found = self.find_in_event(&to.position(), limit, cancel, is_it)?;
        if found == SearchOutcome::Absent && is_nowhere {
            return Ok(SearchOutcome::Nowhere);
        }
        // All of the event was searched, if rr has stopped where it begins.
        if found != SearchOutcome::Absent || !or_later && begun.event() == Some(to.moment.event) {
            return Ok(found);
        }
        for event in events_backward(to.moment.event, self.beginning).take(SEARCHED) {
            self.go_to_event(event)?;
            if let Some(found) = self.find_behind(&to.position(), limit, cancel, is_it)? {
                return Ok(found);
            }
        }
        Ok(SearchOutcome::Absent)
    }

    /// Returns whether nothing can be executed at the pc of a place: it is too low, or not executable where its
    /// event begins, and so until the next one.
    fn is_nowhere(&mut self, to: &Waypoint) -> bool {
        if to.pc.0 < LOWEST {
            return true;
        }
        if !matches!(to.fingerprint, Some(Fingerprint::Stop(_))) {
            return false;
        }
        let Ok(mapped) = self.debuggee.inferior.process.mappings() else { return false };
        !mapped.is_empty() && !mapped.iter().any(|mapping| mapping.contains(to.pc.0) && mapping.allows('x'))
    }

    /// Returns whether a thread is as the fingerprint of a position says.
    pub(crate) fn fits(&mut self, to: &Waypoint, thread: ThreadId) -> Result<bool, Error> {
        Ok(match to.fingerprint {
            Some(Fingerprint::Stop(hash)) => self.fingerprint(thread)? == hash,
            Some(Fingerprint::Registers(hash)) => self.hash_of_registers(thread)? == Some(hash),
            None => true,
        })
    }

    /// Hashes the registers. `None`: not all of them are known.
    fn hash_of_registers(&mut self, thread: ThreadId) -> Result<Option<u64>, Error> {
        let registers = self.debuggee.inferior.process.registers(thread)?;
        let values: Vec<u64> = (0..16).map_while(|number| registers.dwarf(number)).collect();
        Ok(values.first_chunk().map(hash_of_registers))
    }

    pub(crate) fn fingerprint(&mut self, thread: ThreadId) -> Result<u64, Error> {
        let process = &mut self.debuggee.inferior.process;
        let registers = process.registers(thread)?;
        Ok(fingerprint(&registers, process))
    }
}
