//! What the editor holds of a stop: frames, scopes and values, by numbers.

use super::message::Refusal;
use engine::Typed;
use std::collections::HashMap;

/// Most things that are held of one stop.
const MOST: usize = 200_000;

/// A frame of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FramePlace {
    /// The thread's number when it was recorded.
    pub(super) thread: u32,
    pub(super) level: u32,
}

/// What a scope lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Arguments,
    Locals,
    Globals,
    Registers,
}

/// Something that can be looked at while the replay stands still.
#[derive(Clone, Debug)]
pub(super) enum Look {
    Frame(FramePlace),
    Scope(FramePlace, Part),
    /// A value that has parts, and the expression that names it.
    Value(Typed, Option<String>),
}

/// All that can be looked at now. Numbers are never used again, so that those of an earlier stop are refused.
#[derive(Debug, Default)]
pub(super) struct Looks {
    last: u64,
    held: HashMap<u64, Look>,
}

impl Looks {
    /// Holds something; 0 if it is too much.
    pub(super) fn hold(&mut self, look: Look) -> u64 {
        if self.held.len() >= MOST {
            return 0;
        }
        self.last += 1;
        self.held.insert(self.last, look);
        self.last
    }

    pub(super) fn get(&self, number: u64) -> Result<Look, Refusal> {
        let gone = || Refusal::new(format!("{number} is nothing of this stop: the replay has moved since"));
        self.held.get(&number).cloned().ok_or_else(gone)
    }

    /// Returns the frame of a number.
    pub(super) fn frame(&self, number: u64) -> Result<FramePlace, Refusal> {
        match self.get(number)? {
            Look::Frame(place) | Look::Scope(place, _) => Ok(place),
            Look::Value(..) => Err(Refusal::new(format!("{number} is not a frame"))),
        }
    }

    /// Forgets all, because the replay moves.
    pub(super) fn clear(&mut self) {
        self.held.clear();
    }
}
