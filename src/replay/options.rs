//! How a recording is opened.

use super::error::Result;
use super::session::Replay;
use base::cancel::Cancel;
use engine::KillSwitch;
use engine::model::Timeouts;
use rr::Rr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What takes longer takes for ever.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// How a recording is opened, and what its replay may take. Made by [`Replay::options`].
///
/// ```
/// # fn main() -> retrograde::Result<()> {
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
/// use retrograde::{Cancel, Replay, StopReason};
/// use std::time::Duration;
///
/// let cancel = Cancel::new(); // any other thread may call `cancel.cancel()`
/// let replay = Replay::options().time_limit(Duration::from_secs(20)).cancel(&cancel).open("app-0")?;
/// assert!(matches!(replay.stop().reason, StopReason::Start));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is opened before `open` or `latest`"]
pub struct Options {
    rr: Option<PathBuf>,
    process: Option<u32>,
    pub(super) sources: Vec<PathBuf>,
    limits: Limits,
    pub(super) deadline: Option<Instant>,
    pub(super) cancel: Cancel,
    /// What ends the replay from any thread, whatever it does.
    pub(super) switch: Option<KillSwitch>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Limits {
    forward: Option<Duration>,
    reverse: Option<Duration>,
    question: Option<Duration>,
}

/// Returns a `Cancel` that is cancelled with `cancel`, and at the deadline if there is one.
pub(super) fn until(deadline: Option<Instant>, cancel: &Cancel) -> Cancel {
    match deadline {
        Some(deadline) => cancel.with_deadline(deadline.saturating_duration_since(Instant::now())),
        None => cancel.child(),
    }
}

impl Options {
    /// Uses this rr, rather than the one that the environment variable `RETROGRADE_RR` names, or the first on `PATH`.
    pub fn rr(self, program: impl Into<PathBuf>) -> Self {
        Self { rr: Some(program.into()), ..self }
    }

    /// Debugs this process of the recording, by the number that it had when it was recorded, rather than the first.
    pub fn process(self, process: u32) -> Self {
        Self { process: Some(process), ..self }
    }

    /// Looks for source files below this directory, too, if they are not where the program was compiled.
    pub fn source_path(mut self, directory: impl Into<PathBuf>) -> Self {
        self.sources.push(directory.into());
        self
    }

    /// Stops movements that take longer, with [`StopReason::TimedOut`](crate::StopReason::TimedOut). The default is two
    /// minutes forward, and five backward.
    pub fn time_limit(self, limit: Duration) -> Self {
        Self {
            limits: Limits { forward: Some(limit.min(LONGEST)), reverse: Some(limit.min(LONGEST)), ..self.limits },
            ..self
        }
    }

    /// Gives up questions at a stop that take longer, as those that read much debug info. The default is half a minute.
    pub fn question_limit(self, limit: Duration) -> Self {
        Self { limits: Limits { question: Some(limit.min(LONGEST)), ..self.limits }, ..self }
    }

    /// Ends whatever is being done then, as a [`Cancel`] does. What is begun later is cancelled at once.
    pub fn deadline(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// Ends what is being done when `cancel` is cancelled, opening included. What is begun later is cancelled at once,
    /// until the replay is given [another one](Replay::set_cancel).
    pub fn cancel(self, cancel: &super::Cancel) -> Self {
        Self { cancel: cancel.0.clone(), ..self }
    }

    /// Has the replay end when this switch is pulled, opening included.
    pub(crate) fn kill_switch(self, switch: &KillSwitch) -> Self {
        Self { switch: Some(switch.clone()), ..self }
    }

    /// Opens a recording, at its beginning: a directory, or the name of one among rr's recordings.
    ///
    /// Its counters are chosen as they are needed: those that it was recorded with if this machine has them, else those
    /// that count the same.
    ///
    /// # Errors
    /// There is no rr, no such recording or process, or it cannot be replayed here.
    pub fn open(self, recording: impl AsRef<Path>) -> Result<Replay> {
        Replay::begin(self, Some(recording.as_ref()))
    }

    /// Opens the recording that was made last.
    ///
    /// # Errors
    /// As [`open`](Options::open).
    pub fn latest(self) -> Result<Replay> {
        Replay::begin(self, None)
    }

    pub(super) fn find_rr(&self) -> Result<Rr> {
        let rr = match &self.rr {
            Some(program) => Rr::at(program)?,
            None => Rr::find()?,
        };
        Ok(rr.with_cancel(&self.effective(&self.cancel)))
    }

    pub(super) fn chosen_process(&self) -> Option<u32> {
        self.process
    }

    /// Returns a `Cancel` that is cancelled with `cancel`, and at the deadline.
    pub(super) fn effective(&self, cancel: &Cancel) -> Cancel {
        until(self.deadline, cancel)
    }

    pub(super) fn timeouts(&self) -> Timeouts {
        let usual = Timeouts::default();
        let Limits { forward, reverse, question } = self.limits;
        Timeouts {
            forward: forward.unwrap_or(usual.forward),
            reverse: reverse.unwrap_or(usual.reverse),
            eval: question.unwrap_or(usual.eval),
            breakpoint: question.unwrap_or(usual.breakpoint),
            ..usual
        }
    }
}
