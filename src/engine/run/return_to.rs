//! The way back to an instruction where the replay has been before.

use crate::arch::ThreadId;
use crate::cancel::Cancel;
use crate::engine::api::error::Error;
use crate::engine::api::{Moment, Position};
use crate::engine::run::exact_position::ExactPosition;
use crate::engine::run::session::Session;
use crate::engine::target::signals::SIGKILL;
use crate::rsp::{self, Outcome, Restart, Resume, StopReply};
use std::time::Duration;

/// How many instructions are tried from the first one of a tick: as many as may lie between two conditional branches.
const BETWEEN_TICKS: u32 = 1000;
/// How long that may take.
const SEARCH: Duration = Duration::from_secs(10);

/// How long one instruction of a tick is searched for.
#[derive(Clone, Copy)]
pub(in crate::engine) struct SearchLimit {
    /// So many instructions.
    pub(in crate::engine) steps: u32,
    /// In this time.
    pub(in crate::engine) time: Duration,
}

impl Session {
    /// Goes to a place from anywhere. Whether that was found; if not, it is at the start of its event.
    pub(in crate::engine) fn go_to_place(&mut self, place: &ExactPosition, cancel: &Cancel) -> Result<bool, Error> {
        let Some(event) = place.position.event() else { return Ok(false) };
        self.go_to_event(event)?;
        self.return_to(place, cancel)
    }

    /// Goes to where an event has been completed.
    pub(in crate::engine) fn go_to_event(&mut self, event: u64) -> Result<(), Error> {
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

    /// From the start of a place's event to the place itself. If that is not found, back to the start of the event.
    pub(in crate::engine) fn return_to(&mut self, place: &ExactPosition, cancel: &Cancel) -> Result<bool, Error> {
        let registers = place.registers.clone();
        let limit = SearchLimit { steps: BETWEEN_TICKS, time: SEARCH };
        self.find_in_event(&place.position, limit, cancel, &mut |s, thread| {
            Ok(s.debuggee.inferior.process.registers(thread)? == registers)
        })
    }

    /// From the start of a position's event to the position, where `is_it` tells which instruction of the tick it is. If
    /// that is not found, back to the start of the event.
    pub(in crate::engine) fn find_in_event(
        &mut self,
        position: &Position,
        limit: SearchLimit,
        cancel: &Cancel,
        is_it: &mut dyn FnMut(&mut Self, ThreadId) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let Position { moment: Some(Moment { event, ticks }), thread, .. } = *position else { return Ok(false) };
        if thread != self.debuggee.thread {
            return Ok(false);
        }
        // A signal is an event of its own, that begins where the one before it ends.
        let now = self.debuggee.inferior.process.moment(thread)?;
        if (now.event, now.ticks) == (event, ticks) && is_it(self, thread)? {
            return Ok(true);
        }
        match self.debuggee.inferior.process.restart(Restart::Ticks(ticks), self.restart_limit) {
            Ok(StopReply::Stopped { thread: there, .. }) if there == thread => {}
            Ok(_) | Err(Error::Rsp(rsp::Error::NoSuchTick { .. })) => {
                self.go_to_event(event)?;
                return Ok(false);
            }
            Err(other) => return Err(other),
        }
        self.debuggee.inferior.process.set_breaks(&[])?;
        let search = cancel.with_deadline(limit.time);
        for _ in 0..limit.steps {
            let now = self.debuggee.inferior.process.moment(thread)?;
            if now.ticks != ticks || now.event > event {
                break;
            }
            if now.event == event && is_it(self, thread)? {
                return Ok(true);
            }
            let step = self.debuggee.inferior.process.resume(Resume::Step(thread), &search)?;
            if cancel.is_cancelled() {
                return Err(rsp::Error::Cancelled { request: "s".to_owned() }.into());
            }
            if !matches!(step, Outcome::Stopped(StopReply::Stopped { thread: there, .. }) if there == thread) {
                break;
            }
        }
        self.go_to_event(event)?;
        Ok(false)
    }
}
