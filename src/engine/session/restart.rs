//! Going on in another replay, because the one there was has ended, or could not be stopped.
//!
//! A replay is a function of its recording: whatever ends an rr, another one can be brought to the same instruction,
//! with the same breakpoints, watchpoints and checkpoints. What was being done is then done again, once; if that ends
//! rr again, the recording itself does so, and the call fails while the session goes on where it was before.

use crate::api::error::Error;
use crate::api::{Reason, Stop};
use crate::breakpoints::table::Breakpoints;
use crate::run::exact_position::ExactPosition;
use crate::run::session::Session;
use crate::run::stop_state::StopState;
use crate::session::engine::{Engine, STOPPED, connect};
use crate::session::server::{Server, in_words};
use crate::target::interface::RemoteTarget;
use arch::ThreadId;
use base::cancel::{Cancel, Cancelled};
use base::untrusted::PathText as _;
use rr::divergence;
use std::path::Path;
use std::time::{Duration, Instant};

/// What rr says where it gives up, as opposed to what it says when it is killed.
const GIVEN_UP: &str = "[FATAL";

/// How long rr may take to end after its connection broke.
const ENDING: Duration = Duration::from_millis(500);
const GLANCE: Duration = Duration::from_millis(10);

/// How a session was before a call: what the call finds if it is done again.
#[derive(Clone)]
pub(crate) struct Snapshot {
    thread: ThreadId,
    level: u32,
    pub(crate) state: StopState,
    reason: Reason,
    last_event: u64,
    pub(crate) last_place: Option<ExactPosition>,
    pub(crate) breakpoints: Breakpoints,
    /// How many lines log points had written.
    logged: u64,
}

/// What of a session could be brought back.
pub(crate) struct Returned {
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

impl Engine {
    /// Does something with the session. If rr ends meanwhile, it is done again in a new replay; if that is impossible,
    /// this and every later call says so.
    pub(crate) fn with<R>(&mut self, f: impl FnMut(&mut Session) -> Result<R, Error>) -> Result<R, Error> {
        self.within(self.session.limits.eval, f)
    }

    /// Does what [`Self::with`] does; debug info may be read for so long in its course.
    pub(crate) fn within<R>(
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
            let before = self.begin_attempt()?;
            let ended = match self.session.attempt(limit, &mut f) {
                Ok(done) => match self.session.debuggee.inferior.process.take_failure() {
                    Some(failed) => failed.into(),
                    None => return Ok(done),
                },
                Err(error) => self.end_of_replay(error, &before)?,
            };
            self.go_on(&ended, before, is_second)?;
            is_second = true;
        }
    }

    /// Returns how the session is before something is done with it.
    fn begin_attempt(&mut self) -> Result<Snapshot, Error> {
        if let Some(words) = &self.ended {
            return Err(Error::Ended(words.clone()));
        }
        self.come_back()?;
        self.session.hint = None;
        Ok(self.session.before())
    }

    /// Returns what has ended the replay in the course of what has failed; as an error what failed, if nothing has.
    fn end_of_replay(&mut self, error: Error, before: &Snapshot) -> Result<Error, Error> {
        let failed = self.session.debuggee.inferior.process.take_failure();
        match (error, failed) {
            (error, _) if error.ends_replay() => Ok(error),
            (error @ Error::Exited { .. }, _) => {
                self.ended = Some(error.to_string());
                Err(error)
            }
            (_, Some(failed)) => Ok(failed.into()),
            (error @ Error::ReadingCancelled { .. }, None) => {
                self.session.left_as(before);
                Err(error)
            }
            (error, None) => {
                self.session.blame_missing_debug_info(&error);
                Err(error)
            }
        }
    }

    /// Begins a new replay in place of one that has `ended`. Err: what was being done is not to be done again there.
    fn go_on(&mut self, ended: &Error, before: Snapshot, is_second: bool) -> Result<(), Error> {
        let words = self.last_words(ended);
        let has_run_out = self.session.has_run_out(&words);
        let has_given_up = self.session.has_given_up;
        let returned = self.replace(&words, before)?;
        self.revived = None;
        let gone = returned.checkpoints().map(|gone| format!("; {gone}")).unwrap_or_default();
        let event = self.session.last_event;
        if !returned.exact {
            let now = format!("continues in a new replay, at event {event} but not at the same instruction{gone}");
            return Err(Error::Revived { words, now });
        }
        if has_run_out && !is_second {
            self.session.has_given_up = has_given_up;
            return Ok(());
        }
        if is_second {
            let now = format!("continues in a new replay, at the same position as before{gone}");
            return Err(Error::Revived { words: format!("twice: {words}"), now });
        }
        let note = format!(
            "rr had to be started again ({words}): the session continues in a new replay, at the same position{gone}"
        );
        self.revived = Some(note);
        Ok(())
    }

    /// Goes on in a new replay after a movement that was to be abandoned, as it was `before` that. `error`: how that
    /// failed.
    pub(crate) fn begin_again(&mut self, error: Option<Error>, before: Snapshot) -> Result<Stop, Error> {
        let reason = self.session.cancelled.take().unwrap_or(Reason::Cancelled);
        let has_time = self.session.debuggee.inferior.process.abilities().time;
        let (why, words) = match &error {
            _ if !has_time => {
                let why = "the server did not stop when it was asked to".to_owned();
                (why.clone(), why)
            }
            Some(error) if !matches!(error, Error::Rsp(rsp::Error::Timeout { .. } | rsp::Error::Cancelled { .. })) => {
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
            (s.reason, s.debuggee.level) = (reason.clone(), 0);
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
        s.debuggee.level = 0;
        s.stop()
    }

    /// Returns whether its rr is gone, and the next call begins another one.
    pub fn is_absent(&self) -> bool {
        self.absent.is_some()
    }

    /// Begins the replay that is to take the place of one that was abandoned.
    pub(crate) fn come_back(&mut self) -> Result<(), Error> {
        let (Some(words), None) = (self.absent.take(), &self.ended) else { return Ok(()) };
        let returned = self.replace(&words, self.session.before())?;
        self.revived = returned.checkpoints();
        if returned.exact {
            return Ok(());
        }
        let now =
            format!("continues in a new replay, at event {} but not at the same instruction", self.session.last_event);
        Err(Error::Revived { words, now })
    }

    /// Replaces rr by a new one, and brings the session to its last stop there. `words`: what the old one ended with.
    /// If that is cut short, it is left for the next call.
    fn replace(&mut self, words: &str, before: Snapshot) -> Result<Returned, Error> {
        self.server.end();
        self.session.has_given_up |= words.contains(GIVEN_UP);
        let limits = self.session.limits;
        let back = self.session.cancel.with_deadline(limits.forward.max(self.session.restart_limit));
        let failed = if self.switch.is_pulled() {
            STOPPED.to_owned()
        } else if let Server::Theirs { address, .. } = &self.server {
            format!("{words}; the server at {address} is not ours to be started again")
        } else {
            let (trace, pid) = (self.server.trace().map(Path::to_owned), self.server.pid());
            let replay = self
                .rr
                .with_cancel(&back)
                .replay(trace.as_deref(), Some(pid), limits.until_listening())
                .map_err(Error::from);
            let returned = replay.and_then(|replay| {
                let client = connect(&replay, limits, &self.switch, &back)?;
                self.server = Server::Ours(replay);
                self.replays += 1;
                self.session.return_in(Box::new(client), before.clone(), &back)
            });
            match returned {
                Ok(returned) => {
                    self.session.debuggee.inferior.process.set_cancel(&self.session.cancel);
                    return Ok(returned);
                }
                Err(_) if self.switch.is_pulled() => STOPPED.to_owned(),
                Err(_) if back.is_cancelled() => {
                    self.server.end();
                    self.session.restore_snapshot(before);
                    self.absent = Some(words.to_owned());
                    let after = match back.check() {
                        Err(Cancelled::DeadlineExceeded { limit }) => Some(limit),
                        Err(Cancelled::Requested) | Ok(()) => None,
                    };
                    return Err(Error::OnTheWay { words: words.to_owned(), after });
                }
                Err(_) if trace.as_deref().is_some_and(|trace| !trace.exists()) => removed(trace.as_deref()),
                Err(error) => {
                    let why = if error.ends_replay() { self.last_words(&error) } else { error.to_string() };
                    format!("{words}; and a new replay could not take its place: {why}")
                }
            }
        };
        self.server.end();
        self.ended = Some(failed.clone());
        Err(Error::Ended(failed))
    }

    /// Returns what an rr says that has ended; or what went wrong, if it has not.
    fn last_words(&self, error: &Error) -> String {
        // The connection can be seen to break a moment before the process can be seen to end.
        let patience = match error {
            Error::Rsp(rsp::Error::Timeout { .. } | rsp::Error::Cancelled { .. }) => Duration::ZERO,
            _ => ENDING,
        };
        let since = Instant::now();
        loop {
            match self.server.ended() {
                Some(words) => break divergence(&words).unwrap_or(words),
                None if since.elapsed() >= patience || self.switch.is_pulled() => match error {
                    Error::Rsp(error) if !self.session.debuggee.inferior.process.abilities().time => {
                        break in_words(error);
                    }
                    error => break error.to_string(),
                },
                None => std::thread::sleep(GLANCE),
            }
        }
    }
}

/// Returns what ends a session whose recording is no more. What rr says of that is no help.
fn removed(trace: Option<&Path>) -> String {
    let trace = trace.map(|trace| trace.in_text()).unwrap_or_default();
    format!("its recording `{trace}` was removed while it was replayed; open another one, or record again")
}

impl Session {
    /// Takes a snapshot of what a call finds if it is done again.
    pub(crate) fn before(&self) -> Snapshot {
        Snapshot {
            thread: self.debuggee.thread,
            level: self.debuggee.level,
            state: self.state.clone(),
            reason: self.reason.clone(),
            last_event: self.last_event,
            last_place: self.last_place.clone(),
            breakpoints: self.debuggee.breakpoints.clone(),
            logged: self.debuggee.log.count(),
        }
    }

    /// Restores what was remembered: it is, or is to be, where it was.
    pub(crate) fn restore_snapshot(&mut self, before: Snapshot) {
        (self.debuggee.thread, self.debuggee.level) = (before.thread, before.level);
        (self.state, self.reason) = (before.state, before.reason);
        (self.last_event, self.last_place) = (before.last_event, before.last_place);
        self.debuggee.breakpoints = before.breakpoints;
        self.debuggee.log.forget_after(before.logged);
    }

    /// Leaves all as it was: what was asked was not done, nor any part of it.
    fn left_as(&mut self, before: &Snapshot) {
        (self.debuggee.thread, self.debuggee.level) = (before.thread, before.level);
        self.debuggee.breakpoints = before.breakpoints.clone();
        self.debuggee.unbound = true;
    }

    /// Goes on in another replay of the same process, where the last stop was.
    fn return_in(
        &mut self,
        target: Box<dyn RemoteTarget>,
        before: Snapshot,
        cancel: &Cancel,
    ) -> Result<Returned, Error> {
        self.debuggee.inferior.process.replace(target);
        self.debuggee.inferior.process.set_cancel(cancel);
        self.debuggee.inferior.process.set_request_timeout(self.limits.eval.max(Duration::from_secs(1)));
        self.last_event = before.last_event;
        self.last_place = before.last_place;
        self.debuggee.breakpoints = before.breakpoints;
        self.images.forget_kept();
        self.debuggee.log.forget_after(before.logged);
        let lost = self.remake_checkpoints(cancel)?;
        let exact = match self.last_place.clone() {
            // Behind the last event there is nothing to look for.
            Some(place) if before.state.at_end => {
                self.go_to_end()?;
                self.state.at_end
                    && Some(self.debuggee.inferior.process.moment(self.debuggee.thread)?.event)
                        == place.position.event()
            }
            Some(place) => self.go_to_place(&place, cancel)?,
            // It has not moved since its beginning; the making of checkpoints has, but there are none then.
            None => true,
        };
        match self.attempt(self.limits.eval, |s| s.debuggee.catch_up()) {
            // The breakpoints are resolved when the next call begins.
            Ok(()) | Err(Error::ReadingCancelled { .. }) => {}
            Err(error) => return Err(error),
        }
        if exact {
            self.state = before.state;
            self.reason = before.reason;
            if self.debuggee.inferior.process.threads()?.contains(&before.thread) {
                (self.debuggee.thread, self.debuggee.level) = (before.thread, before.level);
            }
            self.debuggee.remember_watched_values();
        } else {
            self.debuggee.level = 0;
            self.stranded();
        }
        Ok(Returned { exact, lost })
    }
}
