//! Questions about a whole recording: who answers them, and what they have in common.

use super::calls::CallsBuilder;
use super::error::{Error, ErrorKind, Result};
use super::position::Position;
use super::recording::Recording;
use super::session::Replay;
use super::trace::{TraceBuilder, Traced};
use base::cancel::Cancel;
use questions::Moment;
use rr::Rr;
use std::path::{Path, PathBuf};

/// Asks questions about a whole recording: each is answered by a replay of its own, or by none. It needs no [`Replay`],
/// and moves none.
///
/// It is cheap to clone, and several threads may ask at the same time.
///
/// ```
/// # fn main() -> retrograde::Result<()> {
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
/// use retrograde::Recording;
///
/// # let all = Recording::list_in(".")?;
/// # let recording = all.iter().find(|one| one.path.ends_with("app-0")).unwrap().clone();
/// let questions = recording.questions()?;
/// let other = questions.clone();
/// let calls = std::thread::spawn(move || other.calls("store").ask());
/// let hits = questions.trace("store").ask()?.total();
/// assert_eq!(calls.join().unwrap()?.total(), hits);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Questions {
    pub(super) rr: Rr,
    pub(super) recording: PathBuf,
    pub(super) cancel: Cancel,
}

impl Replay {
    /// Returns a [`Questions`] for the whole recording, with all of its processes. It works beside this replay, which
    /// does not move, and is [cancelled](Replay::canceller) with it.
    pub fn questions(&self) -> Questions {
        Questions::new(&self.rr, self.recording(), self.canceller().0)
    }

    /// Asks for the calls of a function in the whole recording: [`Questions::calls`].
    pub fn calls(&self, function: impl Into<String>) -> CallsBuilder {
        self.questions().calls(function)
    }

    /// Asks for the hits of a place in the whole recording, and for values there: [`Questions::trace`].
    pub fn trace(&self, place: impl Into<String>) -> TraceBuilder {
        self.questions().trace(place)
    }

    /// Finds the first hit of a place at which a condition holds, in the whole recording; with its position one goes
    /// there.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// let first = replay.first("store", "hour == 24")?.expect("behind the end");
    /// replay.goto(&first.at.expect("an instruction"))?;
    /// assert_eq!(u32::try_from(replay.eval("hour")?)?, 24);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`TraceBuilder::ask`].
    pub fn first(&self, place: impl Into<String>, condition: impl Into<String>) -> Result<Option<Traced>> {
        self.trace(place).when(condition).first()
    }
}

impl Recording {
    /// Returns what asks questions about this recording, with the rr that is found.
    ///
    /// # Errors
    /// [`ErrorKind::NoRr`] if there is none.
    pub fn questions(&self) -> Result<Questions> {
        Ok(Questions::new(&Rr::find()?, &self.path, Cancel::new()))
    }
}

impl Questions {
    fn new(rr: &Rr, recording: &Path, cancel: Cancel) -> Self {
        Self { rr: rr.clone().with_cancel(&cancel), recording: recording.to_owned(), cancel }
    }

    /// Returns the same questions, cancelled by `cancel`.
    #[must_use]
    pub fn cancelled_by(&self, cancel: &super::Cancel) -> Self {
        Self::new(&self.rr, &self.recording, cancel.0.clone())
    }

    /// Returns the directory of the recording.
    pub fn recording(&self) -> &Path {
        &self.recording
    }

    /// Fails if the questions are cancelled already.
    pub(super) fn check_cancel(&self) -> Result<()> {
        self.cancel.check().map_err(|cancelled| Error::new(ErrorKind::Cancelled, cancelled.to_string()))
    }
}

impl From<questions::Error> for Error {
    fn from(error: questions::Error) -> Self {
        match error {
            questions::Error::Rr(error) => error.into(),
            questions::Error::Cancelled => Self::new(ErrorKind::Cancelled, "it was cancelled"),
            questions::Error::NoPlace(why) => Self::new(ErrorKind::NoLocation, why),
            questions::Error::Question(why) => Self::new(ErrorKind::Unknown, why),
            other => Self::new(ErrorKind::Other, other.to_string()),
        }
    }
}

/// Returns the position of a moment; `None` if it is not known to the instruction.
pub(super) fn position(at: &Moment) -> Option<Position> {
    at.position().map(Position::of)
}
