//! Checkpoints: positions that rr keeps a copy of the process at, so that going back there is quick.

use super::error::{Error, Result};
use super::position::Position;
use super::session::Replay;
use super::stop::Stop;
use engine::model::Motion;
use std::fmt;

/// A position that rr keeps a copy of the process at. A [`Position`] can always be gone to; with a checkpoint that is
/// quick also from far away.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// Its number, which is never used again in the session.
    pub number: u32,
    /// Where in the recording.
    pub position: Position,
    /// `main at crash.c:12`
    pub place: String,
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "checkpoint {} in {}", self.number, self.place)
    }
}

impl Replay {
    /// Makes a checkpoint here.
    ///
    /// ```
    /// # fn main() -> retrograde::Result<()> {
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
    /// # let mut replay = retrograde::Replay::open("app-0")?;
    /// replay.breakpoint("report").set()?;
    /// replay.run()?;
    /// let before = replay.checkpoint()?;
    /// replay.run()?;
    /// assert_eq!(replay.restore(&before)?.position, before.position);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::CheckpointRefused`](crate::ErrorKind::CheckpointRefused) where rr cannot make one, as at the end of
    /// the process.
    pub fn checkpoint(&mut self) -> Result<Checkpoint> {
        let made = self.core.engine().save_checkpoint(None)?;
        let checkpoint = Checkpoint { number: made.id, position: self.stop.position.clone(), place: made.place };
        self.checkpoints.push(checkpoint.clone());
        Ok(checkpoint)
    }

    /// Returns the checkpoints that there are.
    pub fn checkpoints(&self) -> Vec<Checkpoint> {
        let known = self.core.ask().checkpoints();
        let exists = |checkpoint: &&Checkpoint| known.iter().any(|known| known.id == checkpoint.number);
        self.checkpoints.iter().filter(exists).cloned().collect()
    }

    /// Goes to a checkpoint.
    ///
    /// # Errors
    /// [`ErrorKind::NoBreakpoint`](crate::ErrorKind::NoBreakpoint) if it does not exist any more.
    pub fn restore(&mut self, checkpoint: &Checkpoint) -> Result<Stop> {
        self.go(Motion::Restore(checkpoint.number))
    }

    /// Forgets a checkpoint.
    ///
    /// # Errors
    /// [`ErrorKind::NoBreakpoint`](crate::ErrorKind::NoBreakpoint) if it does not exist any more.
    pub fn forget(&mut self, checkpoint: Checkpoint) -> Result<()> {
        self.checkpoints.retain(|known| known.number != checkpoint.number);
        self.core.engine().delete_checkpoint(checkpoint.number).map_err(Error::from)
    }
}
