//! What a stop of rr comes to: something to tell, or nothing.

use crate::api::Reason;
use crate::api::error::Error;
use crate::breakpoints::set_catchpoint::OnSignal;
use crate::run::exec::Crossed;
use crate::run::mover::{Mover, Settled};
use crate::run::signal_delivery::Delivery;
use crate::run::step::Machine;
use crate::run::stop_state::SignalStop;
use crate::run::time_limit::{for_restart, verdict};
use crate::target::signals::{self, SIGKILL, SIGTRAP};
use arch::{Direction, Registers, RunAddr, ThreadId};
use rsp::{Outcome, Restart, Resume, StopCause, StopReply};

/// A handler of a signal, at whose first instruction a thread may be.
pub(crate) struct HandlerBegun {
    /// In the protocol's numbering.
    signal: u8,
    event: u64,
    sp: Option<u64>,
}

impl Mover<'_, '_> {
    /// Decides what an outcome comes to. `stepping`: the thread that was to execute one instruction. What does not stop
    /// leaves the selected thread selected, wherever it took to look.
    pub(crate) fn settle(
        &mut self,
        outcome: Outcome,
        direction: Direction,
        stepping: Option<ThreadId>,
    ) -> Result<Settled, Error> {
        let selected = self.session.debuggee.thread;
        let cause = match &outcome {
            Outcome::Stopped(StopReply::Stopped { cause, .. }) => Some(cause),
            _ => None,
        };
        let is_report = matches!(cause, Some(StopCause::Watch { .. }));
        let settled = self.settled(outcome, direction, stepping);
        self.reported = is_report;
        if !matches!(settled, Ok(Settled::Stop(_))) {
            self.select_again(selected);
        }
        settled
    }

    fn settled(
        &mut self,
        outcome: Outcome,
        direction: Direction,
        stepping: Option<ThreadId>,
    ) -> Result<Settled, Error> {
        let reply = match outcome {
            Outcome::Stopped(reply) => reply,
            Outcome::Interrupted(reply @ (StopReply::Exited(_) | StopReply::Killed(_))) => reply,
            Outcome::Interrupted(reply) => {
                if let StopReply::Stopped { thread, .. } = reply {
                    self.session.debuggee.thread = thread;
                }
                return Ok(Settled::Stop(verdict(self.cancel).unwrap_or(Reason::Cancelled)));
            }
        };
        let has_time = self.session.debuggee.inferior.process.abilities().time;
        let (signal, thread, cause) = match reply {
            StopReply::Stopped { signal, thread, cause } => (signal, thread, cause),
            _ if has_time => return self.gone(direction),
            StopReply::Exited(code) => return Err(Error::Exited { exit_code: Some(code), signal: None }),
            StopReply::Killed(signal) => {
                return Err(Error::Exited { exit_code: None, signal: Some(signals::describe(signal).0) });
            }
        };
        match (signal, cause) {
            (0 | SIGKILL, _) if !has_time => Ok(self.stop(thread, signal_reason(signal, None))),
            (_, StopCause::Beginning) => Ok(self.stop(thread, Reason::StartOfRecording)),
            (0, _) if direction == Direction::Reverse => Ok(self.stop(thread, Reason::StartOfRecording)),
            (0, _) => match self.cross_exec(thread)? {
                Crossed::Stop(reason) => Ok(Settled::Stop(reason)),
                Crossed::GoOn(thread) => Ok(Settled::At(thread)),
                Crossed::Nothing => self.gone(Direction::Forward),
            },
            (SIGKILL, _) if direction == Direction::Forward => {
                self.session.state.at_end = true;
                let reason = self.session.ending.reason();
                Ok(self.stop(thread, reason))
            }
            (SIGTRAP, StopCause::Watch { address, .. }) => self.watch_hit(thread, address, direction, stepping),
            (SIGTRAP, StopCause::Plain) if stepping.is_some() => Ok(Settled::At(thread)),
            (SIGTRAP, StopCause::Plain) => self.signalled(thread, signal, direction),
            (SIGTRAP, _) => Ok(Settled::At(thread)),
            _ => self.signalled(thread, signal, direction),
        }
    }

    pub(crate) fn stop(&mut self, thread: ThreadId, reason: Reason) -> Settled {
        self.session.debuggee.thread = thread;
        Settled::Stop(reason)
    }

    /// Recognises the dead end behind the last state. A thread that has not run yet ends there too when it is stepped
    /// back; its first moment is the event of the last known position.
    fn gone(&mut self, direction: Direction) -> Result<Settled, Error> {
        let s = &mut *self.session;
        let event = match direction {
            Direction::Forward => i64::MAX as u64,
            Direction::Reverse => s.last_event,
        };
        let reply =
            s.debuggee.inferior.process.restart(Restart::Event(event), for_restart(self.cancel, s.restart_limit))?;
        let StopReply::Stopped { thread, .. } = reply else {
            return Err(Error::Incomplete("living process"));
        };
        Ok(match direction {
            Direction::Forward => {
                s.state.at_end = true;
                let reason = s.ending.reason();
                self.stop(thread, reason)
            }
            Direction::Reverse => self.stop(thread, Reason::StartOfRecording),
        })
    }

    /// Stops for a signal, unless the movement started from it.
    fn signalled(&mut self, thread: ThreadId, signal: u8, direction: Direction) -> Result<Settled, Error> {
        let position = self.session.debuggee.inferior.position(thread)?;
        let mut stop = SignalStop { signal, position };
        let mut known = self.session.state.signal.is_some_and(|last| last.is_same(&stop));
        if direction == Direction::Reverse {
            if self.stuck_at.is_some_and(|last| last.is_same(&stop)) {
                return Ok(Settled::GoOn);
            }
            let told_at = self.place(thread)?;
            match self.run_to_delivery(&stop)? {
                // The place before it did not help: from there, it is told of once more.
                Delivery::Found(delivered) if self.left == Some(delivered) => {
                    self.arrive(thread, &told_at)?;
                    self.stuck_at = Some(stop);
                    return Ok(Settled::GoOn);
                }
                Delivery::Found(delivered) => {
                    known = self.session.state.signal == Some(delivered) || self.began_at == Some(delivered.position);
                    stop = delivered;
                }
                Delivery::Unknown => {}
                Delivery::Cancelled(reason) => return Ok(self.stop(thread, reason)),
            }
        }
        if known {
            return self.pass_signal(&stop, direction);
        }
        match self.stop_for_signal(&stop)? {
            Some(reason) => Ok(self.stop(thread, reason)),
            None => self.pass_signal(&stop, direction),
        }
    }

    /// Takes note of a signal. Returns the reason to stop for it, if it stops.
    fn stop_for_signal(&mut self, stop: &SignalStop) -> Result<Option<Reason>, Error> {
        let (signal, thread) = (stop.signal, stop.position.thread);
        self.session.state.signal = Some(*stop);
        let (name, _) = signals::describe(signal);
        let number = match self.session.debuggee.on_signal(thread, &name) {
            OnSignal::Stop(number) => {
                self.session.debuggee.remove_if_temporary(number)?;
                Some(number)
            }
            OnSignal::PassBy => return Ok(None),
            OnSignal::Uncaught if self.session.debuggee.passes(signal) => return Ok(None),
            OnSignal::Uncaught => None,
        };
        Ok(Some(signal_reason(signal, number)))
    }

    /// Returns the signal for which a thread is about to begin a handler, and the event where it is, if the registers are
    /// those that the kernel sets for that: it returns to the code that ends handlers.
    pub(crate) fn handler_begun(&mut self, thread: ThreadId, now: &Registers) -> Result<Option<HandlerBegun>, Error> {
        // Within a function, nothing is asked of rr.
        let at = now.pc().unwrap_or_default();
        if self.body(at).is_some_and(|body| body.entry != at) {
            return Ok(None);
        }
        let inferior = &mut self.session.debuggee.inferior;
        let ends_in = now.sp().and_then(|sp| inferior.process.read_u64(sp));
        if !ends_in.is_some_and(|at| inferior.modules.is_sigreturn(RunAddr(at))) {
            return Ok(None);
        }
        let signal = now.value("rdi").and_then(signals::of_kernel);
        let event = inferior.position(thread)?.event();
        Ok(signal.zip(event).map(|(signal, event)| HandlerBegun { signal, event, sp: now.sp() }))
    }

    /// Stops for a signal whose handler a thread has just left backward, which leads to the delivery.
    pub(crate) fn left_handler(&mut self, thread: ThreadId, begun: &HandlerBegun) -> Result<Option<Reason>, Error> {
        let landed = self.place(thread)?;
        if landed.position.event() == Some(begun.event) || landed.registers.sp() == begun.sp {
            return Ok(None);
        }
        // Other events may lie between the delivery and the handler.
        let process = &mut self.session.debuggee.inferior.process;
        process.pass_signals(&[])?;
        process.set_breaks(&[])?;
        let outcome = process.resume(Resume::ReverseStep(thread), self.cancel)?;
        let is_met = matches!(outcome, Outcome::Stopped(StopReply::Stopped { signal, thread: stopped, .. })
            if (signal, stopped) == (begun.signal, thread));
        let mut stop = SignalStop { signal: begun.signal, position: landed.position };
        match is_met.then(|| self.run_to_delivery(&stop)).transpose()? {
            Some(Delivery::Found(delivered)) => stop = delivered,
            Some(Delivery::Cancelled(reason)) => return Ok(Some(reason)),
            Some(Delivery::Unknown) | None => self.arrive(thread, &landed)?,
        }
        let reason = self.stop_for_signal(&stop)?;
        if reason.is_none() {
            self.session.state.signal = None;
        }
        Ok(reason)
    }

    /// Goes on from a signal that does not stop.
    fn pass_signal(&mut self, stop: &SignalStop, direction: Direction) -> Result<Settled, Error> {
        if direction == Direction::Reverse {
            match self.leave_delivery(stop)? {
                true => self.left = Some(*stop),
                false => self.stuck_at = Some(*stop),
            }
        }
        Ok(Settled::GoOn)
    }
}

pub(crate) fn signal_reason(signal: u8, number: Option<u32>) -> Reason {
    let (name, meaning) = signals::describe(signal);
    Reason::Signal { name, meaning, number }
}
