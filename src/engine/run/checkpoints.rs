//! The table of checkpoints.

use crate::engine::api::Checkpoint;
use crate::engine::api::error::Error;
use crate::engine::run::exact_position::ExactPosition;
use crate::engine::run::stop_state::StopState;

/// A checkpoint, and what it takes to make it anew.
#[derive(Clone, Debug)]
pub(in crate::engine) struct SavedCheckpoint {
    pub(in crate::engine) shown: Checkpoint,
    /// rr's own number of it, which is another one in another replay; `None` where rr has none, as it would take minutes to
    /// make.
    pub(in crate::engine) number: Option<u64>,
    pub(in crate::engine) place: ExactPosition,
    /// What was remembered of the stop at which it was made.
    pub(in crate::engine) state: StopState,
}

/// The table.
#[derive(Default)]
pub(in crate::engine) struct Checkpoints {
    list: Vec<SavedCheckpoint>,
    /// The number of the last one that was made.
    last: u32,
}

impl Checkpoints {
    /// Adds one under a new number: not rr's, since in a replay that has taken the place of another, rr counts anew.
    pub(in crate::engine) fn add(&mut self, make: impl FnOnce(u32) -> SavedCheckpoint) -> Checkpoint {
        self.last += 1;
        let made = make(self.last);
        let shown = made.shown.clone();
        self.list.push(made);
        shown
    }

    /// Finds the checkpoint of this id.
    pub(in crate::engine) fn find(&self, id: u32) -> Result<&SavedCheckpoint, Error> {
        let known = || self.list.iter().map(|c| c.shown.id).collect();
        self.list.iter().find(|c| c.shown.id == id).ok_or_else(|| Error::NoCheckpoint { asked: id, known: known() })
    }

    /// Forgets one.
    pub(in crate::engine) fn remove(&mut self, id: u32) {
        self.list.retain(|c| c.shown.id != id);
    }

    /// Returns all checkpoints, as users see them.
    pub(in crate::engine) fn shown(&self) -> Vec<Checkpoint> {
        self.list.iter().map(|c| c.shown.clone()).collect()
    }

    /// Returns all checkpoints.
    pub(in crate::engine) fn all(&self) -> Vec<SavedCheckpoint> {
        self.list.clone()
    }

    /// Has these instead, under the numbers that they have.
    pub(in crate::engine) fn replace(&mut self, list: Vec<SavedCheckpoint>) {
        self.list = list;
    }
}
