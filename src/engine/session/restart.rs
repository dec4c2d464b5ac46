//! Going on in another replay, because the one there was has ended, or could not be stopped.
//!
//! A replay is a function of its recording: whatever ends an rr, another one can be brought to the same instruction,
//! with the same breakpoints, watchpoints and checkpoints. What was being done is then done again, once; if that ends
//! rr again, the recording itself does so, and the call fails while the session goes on where it was before.

use crate::arch::{Direction, Registers, ThreadId};
use crate::engine::api::error::Error;
use crate::engine::api::{Checkpoint, Moment, Position, Reason, Stop};
use crate::engine::breakpoints::table::Breakpoints;
use crate::engine::run::arrival::Arrival;
use crate::engine::run::watch_hit::Touch;
use crate::engine::session::server::{Server, in_words};
use crate::engine::session::state::{Session, SignalStop};
use crate::engine::target::interface::Target;
use crate::engine::{Engine, STOPPED, connect};
use crate::rsp::{self, Outcome, Patience, Restart, Resume, StopReply, Wanted};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct ExactPosition {
    pub(in crate::engine) position: Position,
    pub(in crate::engine) registers: Arc<Registers>,
}

/// A checkpoint, and what it takes to make it anew.
#[derive(Clone, Debug)]
pub(in crate::engine) struct SavedCheckpoint {
    pub(in crate::engine) shown: Checkpoint,
    /// rr's own number of it, which is another one in another replay.
    pub(in crate::engine) number: u64,
    pub(in crate::engine) place: ExactPosition,
    /// If it was made at a stop for a signal.
    pub(in crate::engine) signal: Option<SignalStop>,
    /// If it was made at a stop for a watchpoint.
    pub(in crate::engine) touch: Option<Touch>,
    /// If it was made at a stop for an `exec`.
    pub(in crate::engine) crossed: Option<Direction>,
    /// If it was made at breakpoints that nothing had told of.
    pub(in crate::engine) arrival: Option<Arrival>,
}

/// How a session was before a call: what the call finds if it is done again.
#[derive(Clone)]
pub(in crate::engine) struct Snapshot {
    thread: ThreadId,
    level: u32,
    at_end: bool,
    signal: Option<SignalStop>,
    touch: Option<Touch>,
    crossed: Option<Direction>,
    arrival: Option<Arrival>,
    reason: Reason,
    last_event: u64,
    last_place: Option<ExactPosition>,
    breakpoints: Breakpoints,
    /// How many lines log points had written.
    logged: u64,
}

/// What of a session could be brought back.
pub(in crate::engine) struct Returned {
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
pub(in crate::engine) fn is_fatal(error: &Error) -> bool {
    matches!(error, Error::Rsp(error) if error.is_fatal())
}

impl Engine {
    /// Does something with the session. If rr ends meanwhile, it is done again in a new replay; if that is impossible,
    /// this and every later call says so.
    pub(in crate::engine) fn with<R>(&mut self, f: impl FnMut(&mut Session) -> Result<R, Error>) -> Result<R, Error> {
        self.within(self.session.limits.eval, f)
    }

    /// The same; debug info may be read for so long in its course.
    pub(in crate::engine) fn within<R>(
        &mut self,
        limit: Duration,
        f: impl FnMut(&mut Session) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.try_within(limit, f).map_err(|error| self.fitting(error))
    }

    fn try_within<R>(
        &mut self,
        limit: Duration,
        mut f: impl FnMut(&mut Session) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let mut is_second = false;
        loop {
            if let Some(words) = &self.ended {
                return Err(Error::Ended(words.clone()));
            }
            self.come_back()?;
            self.session.hint = None;
            let before = self.session.before();
            let done = self.session.attempt(limit, &mut f);
            let failed = self.session.inferior.process.take_failure();
            let error = match (done, failed) {
                (Err(error), _) if is_fatal(&error) => error,
                (Err(error @ Error::Exited { .. }), _) => {
                    self.ended = Some(error.to_string());
                    return Err(error);
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

    /// Goes on in a new replay after a movement that was to be given up, as it was `before` that. `error`: how that
    /// failed.
    pub(in crate::engine) fn begin_again(&mut self, error: Option<Error>, before: Snapshot) -> Result<Stop, Error> {
        let reason = self.session.given_up.take().unwrap_or(Reason::Cancelled);
        let has_time = self.session.inferior.process.abilities().time;
        let (why, words) = match &error {
            _ if !has_time => {
                let why = "the server did not stop when it was asked to".to_owned();
                (why.clone(), why)
            }
            Some(error) if !matches!(error, Error::Rsp(rsp::Error::Timeout { .. } | rsp::Error::Unwanted { .. })) => {
                let words = self.last_words(error);
                (format!("rr ended ({words})"), words)
            }
            _ => {
                let why = "rr could not be stopped between two events of the recording".to_owned();
                (why.clone(), why)
            }
        };
        if let (Some(stop), Server::Ours(_)) = (self.session.last_stop.clone(), &self.server) {
            // Who gives something up does not wait for the way back.
            self.server.end();
            self.absent = Some(words);
            let s = &mut self.session;
            s.restore_snapshot(before);
            (s.reason, s.level) = (reason.clone(), 0);
            let mut notes = std::mem::take(&mut s.notes);
            notes.push(format!("{why}; this is where the movement began"));
            return Ok(Stop { reason, notes, ..stop });
        }
        let returned = self.replace(&words, before).map_err(|error| self.fitting(error))?;
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

    /// Begins the replay that is to take the place of one that was given up.
    pub(in crate::engine) fn come_back(&mut self) -> Result<(), Error> {
        let (Some(words), None) = (self.absent.take(), &self.ended) else { return Ok(()) };
        let returned = self.replace(&words, self.session.before())?;
        self.revived = returned.checkpoints();
        if returned.exact {
            return Ok(());
        }
        let now =
            format!("goes on in a new replay, at event {} but not at the same instruction", self.session.last_event);
        Err(Error::Revived { words, now })
    }

    /// Replaces rr by a new one, and brings the session to its last stop there. `words`: what the old one ended with.
    /// If that is given up, it is left for the next call.
    fn replace(&mut self, words: &str, before: Snapshot) -> Result<Returned, Error> {
        self.server.end();
        let limits = self.session.limits;
        let (begun, limit) = (Instant::now(), limits.forward.max(self.session.restart_limit));
        let asked = self.session.wanted.clone();
        let wanted: Wanted = Arc::new(move || begun.elapsed() < limit && asked());
        let failed = if self.switch.is_pulled() {
            STOPPED.to_owned()
        } else if let Server::Theirs { address, .. } = &self.server {
            format!("{words}; the server at {address} is not ours to be started again")
        } else {
            let (trace, pid) = (self.server.trace().map(Path::to_owned), self.server.pid());
            let (switch, still) = (self.switch.clone(), wanted.clone());
            let rr = self.rr.while_wanted(move || !switch.is_pulled() && still());
            let replay = rr.replay(trace.as_deref(), Some(pid), limits.until_listening()).map_err(Error::from);
            let returned = replay.and_then(|replay| {
                let client = connect(&replay, limits, &self.switch)?;
                self.server = Server::Ours(replay);
                self.replays += 1;
                self.session.return_in(Box::new(client), before.clone(), &wanted)
            });
            match returned {
                Ok(returned) => {
                    self.session.inferior.process.while_wanted(self.session.wanted.clone());
                    return Ok(returned);
                }
                Err(_) if self.switch.is_pulled() => STOPPED.to_owned(),
                Err(_) if !wanted() => {
                    self.server.end();
                    self.session.restore_snapshot(before);
                    self.absent = Some(words.to_owned());
                    let after = Some(limit).filter(|limit| begun.elapsed() >= *limit);
                    return Err(Error::OnTheWay { words: words.to_owned(), after });
                }
                Err(error) => {
                    let why = if is_fatal(&error) { self.last_words(&error) } else { error.to_string() };
                    format!("{words}; and a new replay could not take its place: {why}")
                }
            }
        };
        self.server.end();
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
            match self.server.ended() {
                Some(words) => break words,
                None if since.elapsed() >= patience || self.switch.is_pulled() => match error {
                    Error::Rsp(error) if !self.session.inferior.process.abilities().time => break in_words(error),
                    error => break error.to_string(),
                },
                None => std::thread::sleep(GLANCE),
            }
        }
    }
}

impl Session {
    /// What a call finds if it is done again.
    pub(in crate::engine) fn before(&self) -> Snapshot {
        Snapshot {
            thread: self.thread,
            level: self.level,
            at_end: self.at_end,
            signal: self.signal,
            touch: self.touch.clone(),
            crossed: self.crossed,
            arrival: self.arrival.clone(),
            reason: self.reason.clone(),
            last_event: self.last_event,
            last_place: self.last_place.clone(),
            breakpoints: self.breakpoints.clone(),
            logged: self.log.count(),
        }
    }

    /// It is, or is to be, where it was.
    fn restore_snapshot(&mut self, before: Snapshot) {
        (self.thread, self.level, self.at_end) = (before.thread, before.level, before.at_end);
        (self.signal, self.touch, self.reason) = (before.signal, before.touch, before.reason);
        (self.crossed, self.arrival) = (before.crossed, before.arrival);
        (self.last_event, self.last_place) = (before.last_event, before.last_place);
        self.breakpoints = before.breakpoints;
        self.log.forget_after(before.logged);
    }

    /// What was asked was not done, nor any part of it.
    fn left_as(&mut self, before: Snapshot) {
        (self.thread, self.level, self.breakpoints) = (before.thread, before.level, before.breakpoints);
        self.unbound = true;
    }

    /// Goes on in another replay of the same process, where the last stop was.
    fn return_in(&mut self, target: Box<dyn Target>, before: Snapshot, wanted: &Wanted) -> Result<Returned, Error> {
        self.inferior.process.replace(target);
        self.inferior.process.while_wanted(wanted.clone());
        self.inferior.process.set_request_timeout(self.limits.eval.max(Duration::from_secs(1)));
        self.last_event = before.last_event;
        self.last_place = before.last_place;
        self.breakpoints = before.breakpoints;
        self.images.forget_kept();
        self.log.forget_after(before.logged);
        let lost = self.remake_checkpoints(wanted)?;
        let exact = match self.last_place.clone() {
            // Behind the last event there is nothing to look for.
            Some(place) if before.at_end => {
                self.go_to_event(i64::MAX as u64)?;
                self.at_end && Some(self.inferior.process.moment(self.thread)?.event) == place.position.event()
            }
            Some(place) => self.go_to_place(&place, wanted)?,
            // It has not moved since its beginning; the making of checkpoints has, but there are none then.
            None => true,
        };
        match self.attempt(self.limits.eval, Self::catch_up) {
            // The breakpoints are bound when the next call begins.
            Ok(()) | Err(Error::GivenUp { .. }) => {}
            Err(error) => return Err(error),
        }
        if exact {
            self.at_end = before.at_end;
            (self.signal, self.touch) = (before.signal, before.touch);
            (self.crossed, self.arrival) = (before.crossed, before.arrival);
            self.reason = before.reason;
            if self.inferior.process.threads()?.contains(&before.thread) {
                (self.thread, self.level) = (before.thread, before.level);
            }
            self.remember_watched_values();
        } else {
            self.level = 0;
            self.stranded();
        }
        Ok(Returned { exact, lost })
    }

    /// Makes the checkpoints anew, in a replay that has none, and forgets those of which the place is not found in
    /// time.
    fn remake_checkpoints(&mut self, wanted: &Wanted) -> Result<Vec<u32>, Error> {
        let (until, mut made, mut lost) = (Instant::now() + REMAKING, Vec::new(), Vec::new());
        for mut kept in self.checkpoints.clone() {
            match Instant::now() < until && self.go_to_place(&kept.place, wanted)? {
                true => match self.inferior.process.checkpoint(&kept.shown.place) {
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

    fn go_to_place(&mut self, place: &ExactPosition, wanted: &Wanted) -> Result<bool, Error> {
        let Some(event) = place.position.event() else { return Ok(false) };
        self.go_to_event(event)?;
        self.return_to(place, wanted)
    }

    fn go_to_event(&mut self, event: u64) -> Result<(), Error> {
        let reply =
            self.inferior.process.restart(Restart::Event(event), self.limits.forward.max(self.restart_limit))?;
        let StopReply::Stopped { thread, signal, .. } = reply else { return Err(Error::Incomplete("living process")) };
        self.thread = thread;
        self.at_end = signal == SIGKILL;
        Ok(())
    }

    /// From the start of a place's event to the place itself. If that is not found, back to the start of the event.
    pub(in crate::engine) fn return_to(&mut self, place: &ExactPosition, wanted: &Wanted) -> Result<bool, Error> {
        let Position { moment: Some(Moment { event, ticks }), thread, .. } = place.position else { return Ok(false) };
        if thread != self.thread {
            return Ok(false);
        }
        // A signal is an event of its own, that begins where the one before it ends.
        let now = self.inferior.process.moment(thread)?;
        if (now.event, now.ticks) == (event, ticks) && *self.inferior.process.registers(thread)? == *place.registers {
            return Ok(true);
        }
        match self.inferior.process.restart(Restart::Ticks(ticks), self.restart_limit) {
            Ok(StopReply::Stopped { thread: there, .. }) if there == thread => {}
            Ok(_) | Err(Error::Rsp(rsp::Error::NoSuchTick { .. })) => {
                self.go_to_event(event)?;
                return Ok(false);
            }
            Err(other) => return Err(other),
        }
        self.inferior.process.set_breaks(&[])?;
        let mut until = Until(Instant::now() + SEARCH, wanted.clone());
        for _ in 0..BETWEEN_TICKS {
            let now = self.inferior.process.moment(thread)?;
            if now.ticks != ticks || now.event > event {
                break;
            }
            if now.event == event && *self.inferior.process.registers(thread)? == *place.registers {
                return Ok(true);
            }
            let step = self.inferior.process.resume(Resume::Step(thread), &mut until)?;
            if !wanted() {
                return Err(rsp::Error::Unwanted { request: "s".to_owned() }.into());
            }
            if !matches!(step, Outcome::Stopped(StopReply::Stopped { thread: there, .. }) if there == thread) {
                break;
            }
        }
        self.go_to_event(event)?;
        Ok(false)
    }
}

/// Patience up to a moment, as long as somebody wants it.
pub(in crate::engine) struct Until(pub(in crate::engine) Instant, pub(in crate::engine) Wanted);

impl Patience for Until {
    fn go_on(&mut self) -> bool {
        Instant::now() < self.0 && (self.1)()
    }
}
