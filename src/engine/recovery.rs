//! Going on in another replay, because the one there was could not be stopped.

use super::error::Error;
use super::model::{Checkpoint, Position, Reason, Stop};
use super::patience::RESTART;
use super::session::Session;
use super::target::Target;
use crate::arch::Registers;
use crate::rsp::{self, Outcome, Patience, Restart, Resume, StopReply};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many instructions are tried from the first one of a tick: as many as may lie between two conditional branches.
const BETWEEN_TICKS: u32 = 1000;
/// How long that may take.
const SEARCH: Duration = Duration::from_secs(10);
/// How long it may take to make all checkpoints anew.
const REMAKING: Duration = Duration::from_secs(30);

/// Where a stop was, exactly: within one tick, the registers tell one instruction from another.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) position: Position,
    pub(super) registers: Arc<Registers>,
}

/// A checkpoint, and what it takes to make it anew.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) shown: Checkpoint,
    /// rr's own number of it, which is another one in another replay.
    pub(super) number: u64,
    pub(super) place: Place,
}

impl Session {
    /// Goes on in another replay of the same process, where the last stop was.
    pub(super) fn begin_again(&mut self, target: Box<dyn Target>, reason: Reason) -> Result<Stop, Error> {
        self.scene.process.replace(target);
        self.scene.process.set_request_timeout(self.limits.eval.max(Duration::from_secs(1)));
        let lost = self.remake_checkpoints()?;
        self.go_to_event(self.last_event)?;
        let exact = match self.last_place.clone() {
            Some(place) => self.return_to(&place)?,
            None => false,
        };
        self.at_end = false;
        self.signal = None;
        self.catch_up()?;
        self.remember_watched_values();
        let event = self.last_event;
        self.notes.push(if exact {
            "rr could not be stopped between two events of the recording; this is where the movement began".to_owned()
        } else {
            format!(
                "rr could not be stopped between two events of the recording; this is event {event} again, where the \
                 movement began"
            )
        });
        if !lost.is_empty() {
            let lost = lost.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            self.notes.push(format!("these checkpoints are gone, because their places were not found again: {lost}"));
        }
        self.reason = reason;
        self.stop()
    }

    /// Makes the checkpoints anew, in a replay that has none, and forgets those of which the place is not found in time.
    fn remake_checkpoints(&mut self) -> Result<Vec<u32>, Error> {
        let (until, mut lost) = (Instant::now() + REMAKING, Vec::new());
        for mut kept in std::mem::take(&mut self.checkpoints) {
            match Instant::now() < until && self.is_found(&kept.place)? {
                true => match self.scene.process.checkpoint(&kept.shown.place) {
                    Ok(number) => {
                        kept.number = number;
                        self.checkpoints.push(kept);
                    }
                    Err(Error::Rsp(rsp::Error::Command { .. })) => lost.push(kept.shown.id),
                    Err(other) => return Err(other),
                },
                false => lost.push(kept.shown.id),
            }
        }
        Ok(lost)
    }

    fn is_found(&mut self, place: &Place) -> Result<bool, Error> {
        self.go_to_event(place.position.event)?;
        self.return_to(place)
    }

    fn go_to_event(&mut self, event: u64) -> Result<(), Error> {
        let reply = self.scene.process.restart(Restart::Event(event), RESTART)?;
        let StopReply::Stopped { thread, .. } = reply else { return Err(Error::Incomplete("living process")) };
        self.thread = thread;
        Ok(())
    }

    /// From the start of a place's event to the place itself. If that is not found, back to the start of the event.
    fn return_to(&mut self, place: &Place) -> Result<bool, Error> {
        let Position { event, ticks, thread, .. } = place.position;
        if thread != self.thread {
            return Ok(false);
        }
        match self.scene.process.restart(Restart::Ticks(ticks), RESTART) {
            Ok(StopReply::Stopped { thread: there, .. }) if there == thread => {}
            Ok(_) | Err(Error::Rsp(rsp::Error::NoSuchTick { .. })) => {
                self.go_to_event(event)?;
                return Ok(false);
            }
            Err(other) => return Err(other),
        }
        self.scene.process.set_breaks(&[])?;
        let mut until = Until(Instant::now() + SEARCH);
        for _ in 0..BETWEEN_TICKS {
            let now = self.scene.process.moment(thread)?;
            if (now.event, now.ticks) != (event, ticks) {
                break;
            }
            if *self.scene.process.registers(thread)? == *place.registers {
                return Ok(true);
            }
            let step = self.scene.process.resume(Resume::Step(thread), &mut until)?;
            if !matches!(step, Outcome::Stopped(StopReply::Stopped { thread: there, .. }) if there == thread) {
                break;
            }
        }
        self.go_to_event(event)?;
        Ok(false)
    }
}

struct Until(Instant);

impl Patience for Until {
    fn go_on(&mut self) -> bool {
        Instant::now() < self.0
    }
}
