//! A replay: opening it, and what every movement has in common.

use super::checkpoint::Checkpoint;
use super::core::Core;
use super::error::{Error, ErrorKind, Result};
use super::frame::Frame;
use super::location::SourceLine;
use super::options::{Options, until};
use super::output::{Listener, Output};
use super::position::Position;
use super::stop::{LogLine, Stop, StopReason};
use super::value::Value;
use base::cancel::Cancel;
use engine::model::{self, ReplayOptions, Timeouts};
use engine::{Bookmark, Engine};
use rr::Rr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is told.
const TOLD_EVERY: Duration = Duration::from_millis(10);

/// Is told how long a movement has been running.
type Progress = Box<dyn FnMut(Duration) -> ControlFlow<()> + Send>;

/// One process of a recording, replayed: stopped somewhere, looked at, and moved in both directions of time.
///
/// * [`open`](Replay::open), [`latest`](Replay::latest) and [`options`](Replay::options) begin one, at the start of the
///   process. Dropping it ends its rr.
/// * Movements take `&mut self` and give a [`Stop`]; questions take `&self`. So a [`Value`] or
///   [`Variable`](crate::Variable) of one moment cannot be looked at in another: the compiler refuses it.
/// * A movement that fails leaves the replay where it was.
/// * A replay can be given to another thread, but is used by one at a time. [`Cancel`] ends what it does from any.
///
/// Everything about rr itself is taken care of: if it ends unexpectedly, the replay goes on in another one, at the same
/// instruction, and [notes](Stop::notes) say so.
pub struct Replay {
    pub(super) core: Core,
    pub(super) stop: Stop,
    pub(super) sources: Vec<PathBuf>,
    pub(super) checkpoints: Vec<Checkpoint>,
    pub(super) listener: Option<Listener>,
    /// For questions that are asked beside the session.
    pub(super) rr: Rr,
    trace: PathBuf,
    process: u32,
    /// What a call is cancelled by, deadline included.
    cancel: Cancel,
    deadline: Option<Instant>,
    progress: Option<Progress>,
}

impl Replay {
    /// Opens a recording, at its beginning: a directory, or the name of one among rr's recordings.
    ///
    /// # Errors
    /// There is no rr, no such recording, or it cannot be replayed here.
    pub fn open(recording: impl AsRef<Path>) -> Result<Self> {
        Self::options().open(recording)
    }

    /// Opens the recording that was made last.
    ///
    /// # Errors
    /// As [`open`](Replay::open).
    pub fn latest() -> Result<Self> {
        Self::options().latest()
    }

    /// Returns the default options of a replay, from which to choose: which rr, which process, time limits, where
    /// sources are.
    pub fn options() -> Options {
        Options::default()
    }

    pub(super) fn begin(options: Options, recording: Option<&Path>) -> Result<Self> {
        let limits: Timeouts = options.timeouts();
        let cancel = options.effective(&options.cancel);
        // What is opened quickly waits for nothing that would notice it.
        if cancel.is_cancelled() {
            return Err(rr::Error::Cancelled { command: "replay" }.into());
        }
        let chosen = ReplayOptions { trace: recording.map(Path::to_owned), pid: options.chosen_process() };
        let rr = options.find_rr()?;
        let mut engine = Engine::start_with(options.switch.clone().unwrap_or_default(), &rr, &chosen, limits)?;
        engine.set_cancel(&cancel);
        let trace = engine.recording()?.to_owned();
        let process = engine.pid();
        let here = engine.here()?;
        let stop = stop_of(&mut engine, here, 0)?;
        Ok(Self {
            core: Core::new(engine),
            stop,
            sources: options.sources,
            checkpoints: Vec::new(),
            listener: None,
            rr,
            trace,
            process,
            cancel,
            deadline: options.deadline,
            progress: None,
        })
    }

    /// Returns the directory of the recording.
    pub fn recording(&self) -> &Path {
        &self.trace
    }

    /// Returns the process that is debugged, by the number that it had when it was recorded.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Returns the last stop: where the replay is, and why.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Returns where in the recording the replay is.
    pub fn position(&self) -> &Position {
        &self.stop.position
    }

    /// Returns a handle by which any thread can end what this replay does.
    pub fn canceller(&self) -> super::Cancel {
        self.cancel.clone().into()
    }

    /// Returns when the time of the replay is up.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Uses `cancel` for all later calls, instead of the handle before it. The [deadline](Options::deadline) stays.
    pub fn set_cancel(&mut self, cancel: &super::Cancel) {
        self.cancel = until(self.deadline, &cancel.0);
        self.core.engine().set_cancel(&self.cancel);
    }

    /// Calls a closure up to a hundred times a second with the time that a movement has been running. If it breaks, the
    /// movement ends where it is, with [`StopReason::Cancelled`].
    pub fn on_progress(&mut self, tell: impl FnMut(Duration) -> ControlFlow<()> + Send + 'static) {
        self.progress = Some(Box::new(tell));
    }

    /// Calls a closure after each forward movement, with each piece of output that all processes of the recording wrote
    /// on the way. The first time this takes a replay of its own.
    pub fn on_output(&mut self, tell: impl FnMut(&Output) + Send + 'static) {
        self.listener = Some(Box::new(tell));
    }

    /// Has the engine do something, of which progress is told meanwhile, by a thread of its own.
    pub(super) fn told<R>(&mut self, work: impl FnOnce(&mut Engine) -> R) -> R {
        let (engine, cancel, begun) = (self.core.engine(), self.cancel.child(), Instant::now());
        let Some(progress) = self.progress.as_mut() else { return work(engine) };
        engine.set_cancel(&cancel);
        let done = thread::scope(|scope| {
            let (ended, end) = mpsc::channel::<()>();
            scope.spawn(move || {
                while end.recv_timeout(TOLD_EVERY) == Err(RecvTimeoutError::Timeout) {
                    if progress(begun.elapsed()).is_break() {
                        cancel.cancel();
                    }
                }
            });
            let done = work(engine);
            drop(ended);
            done
        });
        self.core.engine().set_cancel(&self.cancel);
        done
    }

    /// Moves. If that fails, the replay is where it was.
    pub(super) fn travel(
        &mut self,
        motion: impl FnOnce(&mut Engine) -> Result<model::Stop, engine::Error>,
    ) -> Result<Stop> {
        if self.cancel.is_cancelled() {
            self.stop = Stop { reason: StopReason::Cancelled, log: Vec::new(), notes: Vec::new(), ..self.stop.clone() };
            return Ok(self.stop.clone());
        }
        let before = self.stop.position.event();
        let engine = self.core.engine();
        let bookmark = engine.bookmark();
        let logged = engine.logged(u64::MAX, 0, None).count;
        let moved = self.told(motion).map_err(Error::from);
        let engine = self.core.engine();
        if let Ok(stop) = &moved
            && engine.is_absent()
        {
            // It was cancelled, and cost the replay's rr: the next call goes on in another one, from here.
            let (reason, notes) = (StopReason::new(stop.reason.clone(), None), stop.notes.clone());
            self.stop = Stop { reason, log: Vec::new(), notes, ..self.stop.clone() };
            return Ok(self.stop.clone());
        }
        match moved.and_then(|stop| stop_of(engine, stop, logged)) {
            Ok(stop) => {
                self.stop = stop;
                self.tell_output(before);
                Ok(self.stop.clone())
            }
            Err(error) => {
                if !error.is_fatal() {
                    self.return_to(bookmark)?;
                }
                Err(error)
            }
        }
    }

    /// Has the engine do what is said in its own words, as a console does. Afterwards the replay is where that led.
    pub(crate) fn with_engine<R>(&mut self, work: impl FnOnce(&mut Engine) -> R) -> Result<R> {
        let engine = self.core.engine();
        let (before, logged) = (engine.epoch(), engine.logged(u64::MAX, 0, None).count);
        let done = work(engine);
        if engine.epoch() != before && !engine.is_absent() {
            let here = engine.here()?;
            self.stop = stop_of(engine, here, logged)?;
        }
        Ok(done)
    }

    /// Fails if nothing is to be begun any more.
    pub(super) fn check_cancel(&self) -> Result<()> {
        self.cancel.check().map_err(|cancelled| Error::new(ErrorKind::Cancelled, cancelled.to_string()))
    }

    /// Comes back to where the replay was, whatever was cancelled.
    pub(super) fn return_to(&mut self, bookmark: Bookmark) -> Result<()> {
        let engine = self.core.engine();
        engine.set_cancel(&Cancel::new());
        let returned = engine.return_to(bookmark).map_err(Error::from);
        engine.set_cancel(&self.cancel);
        if returned.is_err()
            && let Ok(here) = engine.here()
            && let Ok(stop) = stop_of(engine, here, u64::MAX)
        {
            self.stop = stop;
        }
        returned
    }

    /// Goes elsewhere; if that fails, comes back to where the replay is.
    pub(super) fn or_back<R>(&mut self, there: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let (stop, bookmark) = (self.stop.clone(), self.core.engine().bookmark());
        let done = there(self);
        if matches!(&done, Err(error) if !error.is_fatal()) {
            self.return_to(bookmark)?;
            self.stop = stop;
        }
        done
    }

    /// Goes to a position, has a closure look at what is there, and comes back, whatever that did: the replay is where it
    /// was, with the breakpoints that it had.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let crash = replay.run()?;
    /// let write = replay.last_write("station->calibration")?.expect("it has changed");
    /// let hour: u32 = replay.at(&write.at, |then| then.eval("hour")?.try_into())?;
    /// assert_eq!(hour, 24);
    /// assert_eq!(replay.position(), &crash.position);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// What the closure fails with; [`ErrorKind::TimedOut`] or [`ErrorKind::Cancelled`] if the position is not reached;
    /// [`ErrorKind::NoPosition`] if it is not one of this process and recording.
    pub fn at<R>(&mut self, position: &Position, look: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        let motion = model::Motion::GoTo(position.waypoint());
        self.journey(|replay| {
            replay.disable_all()?;
            replay.arrive(motion)?;
            let engine = replay.core.engine();
            let here = engine.here()?;
            replay.stop = stop_of(engine, here, u64::MAX)?;
            look(replay)
        })
    }

    /// Goes elsewhere, and comes back to where the replay is, with the breakpoints that there are.
    pub(super) fn journey<R>(&mut self, there: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.check_cancel()?;
        let (stop, listener) = (self.stop.clone(), self.listener.take());
        let begun = self.core.engine().bookmark_for_a_journey().map_err(Error::from);
        let done = begun.and_then(|bookmark| {
            let done = there(self);
            match &done {
                Err(error) if error.is_fatal() => {}
                _ => {
                    self.return_to(bookmark)?;
                    self.stop = stop;
                }
            }
            done
        });
        self.listener = listener;
        done
    }
}

/// Returns a stop with its position, and with the lines that log points have written since there were so many.
pub(super) fn stop_of(engine: &mut Engine, stop: model::Stop, logged: u64) -> Result<Stop> {
    let position = Position::of(engine.waypoint()?);
    let returned = match &stop.reason {
        model::Reason::FunctionFinished { return_value: Some(shown) } => returned(engine, &shown.value)?,
        _ => None,
    };
    let lines = engine.logged(logged.saturating_add(1), usize::MAX, None).lines;
    let mut notes = stop.notes;
    notes.extend(engine.take_notes());
    Ok(Stop {
        reason: StopReason::new(stop.reason, returned),
        position,
        frame: Frame::from(stop.frame),
        source: stop.source.into_iter().map(SourceLine::from).collect(),
        log: lines.into_iter().map(LogLine::from).collect(),
        notes,
    })
}

/// Returns what the last `finish` returned, detached from the replay.
fn returned(engine: &mut Engine, shown: &str) -> Result<Option<Value<'static>>> {
    let Some(typed) = engine.typed_returned()? else { return Ok(None) };
    Ok(Some(Value::taken(engine, typed, Some(shown))?))
}
