//! The events of a trace in their order, each with what happened to threads as a whole.

use super::frame::Frame;
use super::messages::Messages;
use super::task::{Change, Task};
use crate::error::Error;
use std::iter::Peekable;
use std::path::Path;
use std::vec::IntoIter;

/// Readers of events check for cancellation at each event whose number is a multiple of this.
pub(super) const ASKED: u64 = 1024;

/// The events of a trace that are still to come.
pub(super) struct Steps {
    frames: Messages,
    changes: Peekable<IntoIter<Task>>,
    /// The number of the event that was read last.
    event: u64,
}

impl Steps {
    /// Opens those of a trace directory.
    pub(super) fn open(directory: &Path) -> Result<Self, Error> {
        let changes = tasks(directory)?.into_iter().peekable();
        Ok(Self { frames: Messages::open(directory, "events")?, changes, event: 0 })
    }

    /// Reads the next event: its number, and what rr wrote down. `None`: that was all.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Frame)>, Error> {
        let Some(message) = self.frames.next()? else { return Ok(None) };
        let frame =
            Frame::read(&message).ok_or_else(|| self.frames.damage("contains something other than an event"))?;
        self.event += 1;
        Ok(Some((self.event, frame)))
    }

    /// Takes note that so many bytes of what was read are kept. Fails if that is more than any recording has.
    pub(super) fn keep(&mut self, bytes: usize) -> Result<(), Error> {
        self.frames.keep(bytes)
    }

    /// Takes what happened to threads up to this event and was not taken before.
    pub(super) fn changes(&mut self) -> impl Iterator<Item = Task> + '_ {
        std::iter::from_fn(|| self.changes.next_if(|change| change.event <= self.event))
    }

    /// Iterates over what happened to threads behind this event.
    pub(super) fn later_changes(self) -> impl Iterator<Item = Task> {
        self.changes
    }
}

/// Reads what happened to the threads of a trace directory.
pub(crate) fn tasks(directory: &Path) -> Result<Vec<Task>, Error> {
    let mut messages = Messages::open(directory, "tasks")?;
    let mut tasks = Vec::new();
    while let Some(message) = messages.next()? {
        let Some(task) = Task::read(&message) else { continue };
        if let Change::Exec { program, command } = &task.what {
            messages
                .keep(program.len() + command.iter().map(|word| word.len() + size_of::<String>()).sum::<usize>())?;
        }
        tasks.push(task);
    }
    Ok(tasks)
}
