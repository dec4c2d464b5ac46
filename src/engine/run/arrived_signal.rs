//! The signal at a moment that a session was sent to by its name: an event, a position, a checkpoint.
//!
//! rr says nothing of it there and has no `siginfo_t`; the recording says that there is one, and a run from the event
//! before stops for it.

use crate::api::Reason;
use crate::api::error::Error;
use crate::run::mover::Mover;
use crate::run::session::Session;
use crate::run::signal_delivery::Delivery;
use crate::run::stop_outcome::signal_reason;
use crate::run::stop_state::{SignalStop, StopState};
use crate::target::signals::{describe, of_kernel};
use base::cancel::Cancel;

impl Session {
    /// Returns the reason for an arrival: the signal that is delivered at that moment, as a run to it would, or else
    /// what is given. `asked`: the event that was asked for, if one was.
    pub(crate) fn reason_on_arrival(
        &mut self,
        given: Reason,
        asked: Option<u64>,
        cancel: &Cancel,
    ) -> Result<Reason, Error> {
        if given != Reason::Arrived {
            return Ok(given);
        }
        let Some((stop, event)) = self.delivered_here(cancel) else { return Ok(given) };
        if asked.is_some_and(|asked| asked != event && Some(asked) == stop.position.event()) {
            let (name, meaning) = describe(stop.signal);
            self.notes.push(format!("{name} ({meaning}) is delivered here; a run to event {event} stops for it"));
            return Ok(given);
        }
        let state = self.state.clone();
        let met = self.meet_signal(&stop, event, cancel)?;
        self.state = StopState { signal: met, ..state };
        Ok(met.map_or(given, |met| signal_reason(met.signal, None)))
    }

    /// Runs to a signal from the event before it; without success it comes back.
    fn meet_signal(&mut self, stop: &SignalStop, event: u64, cancel: &Cancel) -> Result<Option<SignalStop>, Error> {
        let thread = stop.position.thread;
        let mut mover = Mover::new(self, cancel);
        let here = mover.place(thread)?;
        mover.session.go_to_event(event.saturating_sub(1))?;
        // "Run to event" may lead to an event of rr's own behind it.
        let met = match mover.run_to_delivery(stop)? {
            Delivery::Found(met) if met.is_same(stop) => Some(met),
            _ => None,
        };
        if met.is_none() {
            mover.arrive(thread, &here)?;
        }
        mover.session.debuggee.thread = thread;
        Ok(met)
    }

    /// Finds the signal that is delivered to the selected thread where it is, and the event at which that has arrived. A
    /// recording that cannot be read says of none.
    pub(super) fn delivered_here(&mut self, cancel: &Cancel) -> Option<(SignalStop, u64)> {
        let position = self.debuggee.inferior.position(self.debuggee.thread).ok()?;
        let moment = position.moment?;
        let at = (position.thread.tid, moment.ticks, position.pc.0);
        let deliveries = self.debuggee.inferior.process.deliveries(cancel);
        let delivery = deliveries.iter().find(|delivery| delivery.is_at(moment.event, at))?;
        let signal = of_kernel(u64::try_from(delivery.signal.number).ok()?)?;
        Some((SignalStop { signal, position }, delivery.event))
    }
}
