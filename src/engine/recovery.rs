//! Going on in another replay, because the one there was has ended, or could not be stopped.
//!
//! A replay is a function of its recording: whatever ends an rr, another one can be brought to the same instruction, with
//! the same breakpoints, watchpoints and checkpoints. What was being done is then done again, once; if that ends rr again, the
//! recording itself does so, and the call fails while the session goes on where it was before.

use super::breakpoints::Breakpoints;
use super::error::Error;
use super::model::{Checkpoint, Position, Reason, Stop};
use super::patience::RESTART;
use super::served::Served;
use super::session::{Session, SignalStop};
use super::target::Target;
use super::{Engine, STOPPED, connect};
use crate::arch::{Registers, ThreadId};
use crate::rsp::{self, Outcome, Patience, Restart, Resume, StopReply};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many instructions are tried from the first one of a tick: as many as may lie between two conditional branches.
const BETWEEN_TICKS: u32 = 1000;
/// How long that may take.
const SEARCH: Duration = Duration::from_secs(10);
/// How long it may take to make all checkpoints anew.
const REMAKING: Duration = Duration::from_secs(30);
/// How long rr may take to end after its connection broke.
const ENDING: Duration = Duration::from_millis(500);
const GLANCE: Duration = Duration::from_millis(10);
/// What rr says at the exit of the process.
const SIGKILL: u8 = 9;

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

/// How a session was before a call: what the call finds if it is done again.
#[derive(Clone)]
pub(super) struct Before {
    thread: ThreadId,
    level: u32,
    at_end: bool,
    signal: Option<SignalStop>,
    reason: Reason,
    last_event: u64,
    last_place: Option<Place>,
    breakpoints: Breakpoints,
    /// How many lines log points had written.
    logged: u64,
}

/// What of a session could be brought back.
pub(super) struct Returned {
    /// It is at the same instruction; if not, at the start of the same event.
    exact: bool,
    /// The checkpoints of which the place was not found again.
    lost: Vec<u32>,
}

impl Returned {
    fn checkpoints(&self) -> Option<String> {
        let list = self.lost.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        let gone = format!("these checkpoints are gone, because their places were not found again: {list}");
        (!self.lost.is_empty()).then_some(gone)
    }
}

/// Whether nothing can be asked of rr any more.
pub(super) fn is_fatal(error: &Error) -> bool {
    matches!(error, Error::Rsp(error) if error.is_fatal())
}

impl Engine {
    /// Does something with the session. If rr ends meanwhile, it is done again in a new replay; if that is impossible, this and
    /// every later call says so.
    pub(super) fn with<R>(&mut self, f: impl FnMut(&mut Session) -> Result<R, Error>) -> Result<R, Error> {
        self.within(self.session.limits.eval, f)
    }

    /// The same; debug info may be read for so long in its course.
    pub(super) fn within<R>(
        &mut self,
        limit: Duration,
        mut f: impl FnMut(&mut Session) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut is_second = false;
        loop {
            if let Some(words) = &self.ended {
                return Err(Error::Ended(words.clone()));
            }
            let before = self.session.before();
            let done = self.session.attempt(limit, &mut f);
            let failed = self.session.scene.process.take_failure();
            let error = match (done, failed) {
                (Err(error), _) if is_fatal(&error) => error,
                (Err(Error::Ended(words)), _) => {
                    self.ended = Some(words.clone());
                    return Err(Error::Ended(words));
                }
                (_, Some(failed)) => failed.into(),
                (Ok(done), None) => return Ok(done),
                (Err(error @ Error::GivenUp { .. }), None) => {
                    self.session.left_as(before);
                    return Err(error);
                }
                (Err(error), None) => {
                    self.session.blame_missing_debug_info(&error);
                    return Err(error);
                }
            };
            let words = self.last_words(&error);
            let returned = self.replace(&words, before)?;
            self.revived = None;
            let gone = returned.checkpoints().map(|gone| format!("; {gone}")).unwrap_or_default();
            let event = self.session.last_event;
            if !returned.exact {
                let now = format!("goes on in a new replay, at event {event} but not at the same instruction{gone}");
                return Err(Error::Revived { words, now });
            }
            if is_second {
                let now = format!("goes on in a new replay, where it was before{gone}");
                return Err(Error::Revived { words: format!("twice: {words}"), now });
            }
            let note = format!(
                "rr had to be started again ({words}): the session goes on in a new replay, where it was{gone}"
            );
            self.revived = Some(note);
            is_second = true;
        }
    }

    /// Goes on in a new replay after a movement that was to be given up, as it was `before` that. `error`: how that failed.
    pub(super) fn begin_again(&mut self, error: Option<Error>, before: Before) -> Result<Stop, Error> {
        let reason = self.session.given_up.take().unwrap_or(Reason::Cancelled);
        let (why, words) = match &error {
            Some(error) if !matches!(error, Error::Rsp(rsp::Error::Timeout { .. })) => {
                let words = self.last_words(error);
                (format!("rr ended ({words})"), words)
            }
            _ => {
                let why = "rr could not be stopped between two events of the recording".to_owned();
                (why.clone(), why)
            }
        };
        let returned = self.replace(&words, before)?;
        let s = &mut self.session;
        let event = s.last_event;
        s.notes.push(match returned.exact {
            true => format!("{why}; this is where the movement began"),
            false => format!("{why}; this is event {event} again, where the movement began"),
        });
        s.notes.extend(returned.checkpoints());
        s.reason = reason;
        s.level = 0;
        s.stop()
    }

    /// Replaces rr by a new one, and brings the session to its last stop there. `words`: what the old one ended with.
    fn replace(&mut self, words: &str, before: Before) -> Result<Returned, Error> {
        self.served.end();
        let limits = self.session.limits;
        let failed = if self.switch.is_pulled() {
            STOPPED.to_owned()
        } else if let Served::Theirs { address, .. } = &self.served {
            format!("{words}; the server at {address} is not ours to be started again")
        } else {
            let (trace, pid) = (self.served.trace().map(Path::to_owned), self.served.pid());
            let begun = self.rr.replay(trace.as_deref(), Some(pid), limits.startup).map_err(Error::from);
            let begun = begun.and_then(|replay| {
                let client = connect(&replay, limits, &self.switch)?;
                self.served = Served::Ours(replay);
                self.replays += 1;
                self.session.return_in(Box::new(client), before)
            });
            match begun {
                Ok(returned) => return Ok(returned),
                Err(_) if self.switch.is_pulled() => STOPPED.to_owned(),
                Err(error) => format!("{words}; and a new replay could not take its place: {error}"),
            }
        };
        self.served.end();
        self.ended = Some(failed.clone());
        Err(Error::Ended(failed))
    }

    /// What an rr says that has ended; or what went wrong, if it has not.
    fn last_words(&self, error: &Error) -> String {
        // The connection can be seen to break a moment before the process can be seen to end.
        let patience = match error {
            Error::Rsp(rsp::Error::Timeout { .. }) => Duration::ZERO,
            _ => ENDING,
        };
        let since = Instant::now();
        loop {
            match self.served.ended() {
                Some(words) => break words,
                None if since.elapsed() >= patience || self.switch.is_pulled() => break error.to_string(),
                None => std::thread::sleep(GLANCE),
            }
        }
    }
}

impl Session {
    /// What a call finds if it is done again.
    pub(super) fn before(&self) -> Before {
        Before {
            thread: self.thread,
            level: self.level,
            at_end: self.at_end,
            signal: self.signal,
            reason: self.reason.clone(),
            last_event: self.last_event,
            last_place: self.last_place.clone(),
            breakpoints: self.breakpoints.clone(),
            logged: self.log.count(),
        }
    }

    /// What was asked was not done, nor any part of it.
    fn left_as(&mut self, before: Before) {
        (self.thread, self.level, self.breakpoints) = (before.thread, before.level, before.breakpoints);
        self.unbound = true;
    }

    /// Goes on in another replay of the same process, where the last stop was.
    fn return_in(&mut self, target: Box<dyn Target>, before: Before) -> Result<Returned, Error> {
        self.scene.process.replace(target);
        self.scene.process.set_request_timeout(self.limits.eval.max(Duration::from_secs(1)));
        self.last_event = before.last_event;
        self.last_place = before.last_place;
        self.breakpoints = before.breakpoints;
        self.log.forget_after(before.logged);
        let lost = self.remake_checkpoints()?;
        let exact = match self.last_place.clone() {
            // Behind the last event there is nothing to look for.
            Some(place) if before.at_end => {
                self.go_to_event(i64::MAX as u64)?;
                self.at_end && Some(self.scene.process.moment(self.thread)?.event) == place.position.event
            }
            Some(place) => self.is_found(&place)?,
            // It has not moved since its beginning; the making of checkpoints has, but there are none then.
            None => true,
        };
        self.catch_up()?;
        if exact {
            self.at_end = before.at_end;
            self.signal = before.signal;
            self.reason = before.reason;
            if self.scene.process.threads()?.contains(&before.thread) {
                (self.thread, self.level) = (before.thread, before.level);
            }
            self.remember_watched_values();
        } else {
            self.level = 0;
            self.stranded();
        }
        Ok(Returned { exact, lost })
    }

    /// Makes the checkpoints anew, in a replay that has none, and forgets those of which the place is not found in time.
    fn remake_checkpoints(&mut self) -> Result<Vec<u32>, Error> {
        let (until, mut made, mut lost) = (Instant::now() + REMAKING, Vec::new(), Vec::new());
        for mut kept in self.checkpoints.clone() {
            match Instant::now() < until && self.is_found(&kept.place)? {
                true => match self.scene.process.checkpoint(&kept.shown.place) {
                    Ok(number) => {
                        kept.number = number;
                        made.push(kept);
                    }
                    Err(Error::Rsp(rsp::Error::Command { .. })) => lost.push(kept.shown.id),
                    Err(other) => return Err(other),
                },
                false => lost.push(kept.shown.id),
            }
        }
        self.checkpoints = made;
        Ok(lost)
    }

    fn is_found(&mut self, place: &Place) -> Result<bool, Error> {
        self.go_to_event(place.position.event.unwrap_or_default())?;
        self.return_to(place)
    }

    fn go_to_event(&mut self, event: u64) -> Result<(), Error> {
        let reply = self.scene.process.restart(Restart::Event(event), self.limits.forward.max(RESTART))?;
        let StopReply::Stopped { thread, signal, .. } = reply else { return Err(Error::Incomplete("living process")) };
        self.thread = thread;
        self.at_end = signal == SIGKILL;
        Ok(())
    }

    /// From the start of a place's event to the place itself. If that is not found, back to the start of the event.
    fn return_to(&mut self, place: &Place) -> Result<bool, Error> {
        let Position { event: Some(event), ticks: Some(ticks), thread, .. } = place.position else { return Ok(false) };
        if thread != self.thread {
            return Ok(false);
        }
        // A signal is an event of its own, that begins where the one before it ends.
        let now = self.scene.process.moment(thread)?;
        if (now.event, now.ticks) == (event, ticks) && *self.scene.process.registers(thread)? == *place.registers {
            return Ok(true);
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
            if now.ticks != ticks || now.event > event {
                break;
            }
            if now.event == event && *self.scene.process.registers(thread)? == *place.registers {
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
