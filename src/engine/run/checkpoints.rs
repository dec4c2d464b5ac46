//! The table of checkpoints.

use crate::api::Checkpoint;
use crate::api::error::Error;
use crate::run::exact_position::ExactPosition;
use crate::run::stop_state::StopState;

/// A checkpoint, and what it takes to make it anew.
#[derive(Clone, Debug)]
pub(crate) struct SavedCheckpoint {
    pub(crate) shown: Checkpoint,
    /// rr's own number of it, which is another one in another replay; `None` where rr has none, as it would take minutes to
    /// make.
    pub(crate) number: Option<u64>,
    pub(crate) place: ExactPosition,
    /// What was remembered of the stop at which it was made.
    pub(crate) state: StopState,
}

/// The table.
#[derive(Default)]
pub(crate) struct Checkpoints {
    list: Vec<SavedCheckpoint>,
    /// The number of the last one that was made.
    last: u32,
}

impl Checkpoints {
    /// Adds one under a new number: not rr's, since in a replay that has taken the place of another, rr counts anew.
    pub(crate) fn add(&mut self, make: impl FnOnce(u32) -> SavedCheckpoint) -> Checkpoint {
        self.last += 1;
        let made = make(self.last);
        let shown = made.shown.clone();
        self.list.push(made);
        shown
    }

    /// Finds the checkpoint of this id.
    pub(crate) fn find(&self, id: u32) -> Result<&SavedCheckpoint, Error> {
        let known = || self.list.iter().map(|c| c.shown.id).collect();
        self.list.iter().find(|c| c.shown.id == id).ok_or_else(|| Error::NoCheckpoint { asked: id, known: known() })
    }

    /// Forgets one.
    pub(crate) fn remove(&mut self, id: u32) {
        self.list.retain(|c| c.shown.id != id);
    }

    /// Returns all checkpoints, as users see them.
    pub(crate) fn shown(&self) -> Vec<Checkpoint> {
        self.list.iter().map(|c| c.shown.clone()).collect()
    }

    /// Returns all checkpoints.
    pub(crate) fn all(&self) -> Vec<SavedCheckpoint> {
        self.list.clone()
    }

    /// Has these instead, under the numbers that they have.
    pub(crate) fn replace(&mut self, list: Vec<SavedCheckpoint>) {
        self.list = list;
    }
}
