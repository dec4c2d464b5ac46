//! A signal as one moment: that of its delivery, in both directions of time.
//!
//! rr shows a signal as several places, before its event and after it, all with the same registers. Forward, it stops
//! at the last of them. Backward, it takes the thread one step back from one of them, which is the place before if it
//! came from later, but in front of what the thread did last if it started from the last place: in front of the system
//! call, if that blocked until the signal came, or where the thread last had its turn. What other threads did
//! meanwhile would be undone, and they are what a hang is about. So a movement that starts at a signal first goes to
//! the place before its event; and one that meets a signal goes on to its delivery.

use crate::api::error::Error;
use crate::api::{Moment, Reason, Waypoint};
use crate::breakpoints::table::same_registers;
use crate::breakpoints::temporary::Temporary;
use crate::run::mover::Mover;
use crate::run::reexecute::MAX_SIGNALS;
use crate::run::seek::SearchOutcome;
use crate::run::stop_state::SignalStop;
use crate::run::time_limit::verdict;
use crate::target::signals::{SIGTRAP, is_signal};
use arch::{Arch, Direction, RunAddr, ThreadId};
use rsp::{Break, BreakKind, Outcome, PASSED_SIGNALS, Resume, StopCause, StopReply};
use std::collections::BTreeSet;

/// The instruction that raises SIGTRAP.
const INT3: u8 = 0xcc;

/// Where the search for a delivery has led.
pub(crate) enum Delivery {
    /// There.
    Found(SignalStop),
    /// It was not found.
    Unknown,
    /// It was cut short on the way.
    Cancelled(Reason),
}

impl Mover<'_, '_> {
    /// Goes from where rr has told of a signal, going back, on to its delivery.
    pub(crate) fn run_to_delivery(&mut self, stop: &SignalStop) -> Result<Delivery, Error> {
        let thread = stop.position.thread;
        let from = self.place(thread)?;
        let process = &mut self.session.debuggee.inferior.process;
        let passed: Vec<u8> = PASSED_SIGNALS.into_iter().filter(|number| *number != stop.signal).collect();
        process.pass_signals(&passed)?;
        process.set_breaks(&[])?;
        for _ in 0..MAX_SIGNALS {
            match self.session.debuggee.inferior.process.resume(Resume::Continue, self.cancel)? {
                Outcome::Interrupted(_) => {
                    return Ok(Delivery::Cancelled(verdict(self.cancel).unwrap_or(Reason::Cancelled)));
                }
                Outcome::Stopped(StopReply::Stopped { signal, thread: stopped, .. })
                    if is_signal(signal) || signal == SIGTRAP =>
                {
                    if (signal, stopped) == (stop.signal, thread) {
                        let position = self.session.debuggee.inferior.position(thread)?;
                        return Ok(Delivery::Found(SignalStop { signal, position }));
                    }
                }
                Outcome::Stopped(_) => break,
            }
        }
        self.arrive(thread, &from)?;
        Ok(Delivery::Unknown)
    }

    /// Goes from the delivery of a signal to the last moment before its event. Without success it stays where it is.
    pub(crate) fn leave_delivery(&mut self, stop: &SignalStop) -> Result<bool, Error> {
        let selected = self.session.debuggee.thread;
        let left = self.leave(stop);
        self.in_front = Some(stop.position.thread).filter(|_| matches!(left, Ok(true)));
        self.select_again(selected);
        left
    }

    /// Selects the thread that was selected before a look elsewhere, however that ended. It may not exist here.
    pub(crate) fn select_again(&mut self, selected: ThreadId) {
        let s = &mut *self.session;
        if s.debuggee.thread != selected
            && s.debuggee.inferior.process.threads().is_ok_and(|threads| threads.contains(&selected))
        {
            s.debuggee.thread = selected;
        }
    }

    fn leave(&mut self, stop: &SignalStop) -> Result<bool, Error> {
        let thread = stop.position.thread;
        let Some(event) = stop.position.event() else { return Ok(false) };
        if !self.session.debuggee.inferior.process.threads()?.contains(&thread) {
            return Ok(false);
        }
        let here = self.place(thread)?;
        if here.position != stop.position {
            return Ok(false);
        }
        // A thread that was blocked has done nothing since the event before. What was running has: one step back is
        // not farther than to the same place.
        let pc = here.position.pc;
        let was_blocked = self.is_behind_system_call(pc) || self.is_system_call(pc);
        let mut is_found = was_blocked && {
            let is_there = self.go_to_event_of(thread, event.saturating_sub(1))?;
            is_there && self.session.debuggee.inferior.process.registers(thread)? == here.registers || {
                self.arrive(thread, &here)?;
                false
            }
        };
        if !is_found {
            is_found = self.step_before(stop.signal, thread)?;
            if !is_found {
                self.arrive(thread, &here)?;
            }
        }
        Ok(is_found)
    }

    /// Runs to the front of a signal to find out whether the place there, where a thread is now, is one of a breakpoint
    /// that a run would have stopped at before the signal: a fault is one of an instruction that has been come to. A
    /// run backward does not look at where it begins, so this runs there from the instruction before.
    pub(crate) fn run_to_front(&mut self, thread: ThreadId, temporary: &[Temporary]) -> Result<bool, Error> {
        let here = self.place(thread)?;
        // Of a function that calls itself, another frame may be meant.
        let is_frame = |place: &&Temporary| here.registers.sp().is_some_and(|sp| place.sp.allows(sp));
        let temporary: Vec<Temporary> = temporary.iter().filter(is_frame).copied().collect();
        let mut wanted = self.session.debuggee.wanted(Direction::Reverse, &temporary, &BTreeSet::new());
        let is_code = |entry: &Break| matches!(entry.kind, BreakKind::Software | BreakKind::Hardware);
        wanted.retain(|entry| is_code(entry) && entry.address == here.position.pc);
        if wanted.is_empty() || self.is_behind_system_call(here.position.pc) {
            return Ok(false);
        }
        if self.alone(thread, Direction::Reverse)? {
            let process = &mut self.session.debuggee.inferior.process;
            process.pass_signals(&PASSED_SIGNALS)?;
            process.set_breaks(&wanted)?;
            let outcome = process.resume(Resume::Continue, self.cancel)?;
            let is_there = matches!(outcome, Outcome::Stopped(StopReply::Stopped { thread: stopped, cause, .. })
                if stopped == thread && matches!(cause, StopCause::SoftwareBreak | StopCause::HardwareBreak));
            if is_there && self.is_at(thread, &here)? {
                return Ok(true);
            }
        }
        self.arrive(thread, &here)?;
        Ok(false)
    }

    /// Returns whether an address is behind an instruction that raises SIGTRAP (`int3`). One step back from the delivery
    /// of that is in front of the instruction, without a place in between.
    pub(crate) fn is_behind_trap(&mut self, at: RunAddr) -> bool {
        let inferior = &mut self.session.debuggee.inferior;
        inferior.process.arch() == Arch::X86_64
            && inferior.modules.code(&mut inferior.process, RunAddr(at.0.wrapping_sub(1))).first() == Some(&INT3)
    }

    /// Goes forward to the place before the delivery of a signal: the thread is there as it is here, one event before.
    fn find_before(&mut self, thread: ThreadId) -> Result<bool, Error> {
        let Some(here) = self.place(thread)?.waypoint() else { return Ok(false) };
        let moment = Moment { event: here.moment.event.saturating_sub(1), ..here.moment };
        let before = Waypoint { moment, visit: None, ..here };
        self.session.go_to_event(moment.event)?;
        let found = self.session.find_first(&before, self.cancel)?;
        self.session.debuggee.thread = thread;
        Ok(found == SearchOutcome::Found)
    }

    /// Goes there in one run, to where the registers are as they are here.
    fn run_to_before(&mut self, thread: ThreadId) -> Result<bool, Error> {
        let here = self.place(thread)?;
        let Some(event) = here.position.event() else { return Ok(false) };
        let entry = self.session.return_slot(thread, 1)?;
        self.session.go_to_event(event.saturating_sub(1))?;
        if let Some(slot) = entry
            && !self.session.run_to_entry(slot, thread, here.position.moment, self.cancel)?
        {
            self.session.go_to_event(event.saturating_sub(1))?;
        }
        let process = &mut self.session.debuggee.inferior.process;
        let breakpoint = Break {
            kind: BreakKind::Software,
            address: here.position.pc,
            length: process.arch().trap_size(),
            conditions: same_registers(&here.registers).into_iter().collect(),
        };
        process.set_breaks(&[breakpoint])?;
        let outcome = process.resume(Resume::Continue, self.cancel)?;
        let is_hit = matches!(outcome, Outcome::Stopped(StopReply::Stopped { thread: stopped, cause, .. })
            if stopped == thread && matches!(cause, StopCause::SoftwareBreak));
        Ok(is_hit && self.session.debuggee.inferior.process.registers(thread)? == here.registers)
    }

    /// Takes one step back from the delivery of a signal: to the place before, where it is told of once more.
    fn step_before(&mut self, signal: u8, thread: ThreadId) -> Result<bool, Error> {
        if self.session.is_in_long_tick(thread)? {
            return self.run_to_before(thread);
        }
        if self.session.has_given_up {
            return self.find_before(thread);
        }
        let process = &mut self.session.debuggee.inferior.process;
        let registers = process.registers(thread)?;
        process.pass_signals(&[])?;
        process.set_breaks(&[])?;
        let outcome = process.resume(Resume::ReverseStep(thread), self.cancel)?;
        let Outcome::Stopped(StopReply::Stopped { signal: told, thread: stopped, .. }) = outcome else {
            return Ok(false);
        };
        let before = self.session.debuggee.inferior.process.registers(thread)?;
        let is_of_trap = signal == SIGTRAP && registers.pc().is_some_and(|pc| self.is_behind_trap(pc));
        Ok((told, stopped) == (signal, thread) && (is_of_trap || before == registers))
    }
}
