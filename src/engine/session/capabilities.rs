//! What the server can do: a movement or question that needs more fails before it begins.

use crate::api::Motion;
use crate::api::error::Error;
use crate::session::engine::Engine;
use crate::session::server::{REVERSE, in_words};
use arch::Direction;
use std::path::Path;

/// What places in time need.
const TIME: &str = "rr's commands (qRRCmd), by which events, ticks and checkpoints are asked for";
/// What the output of the program needs.
const RECORDING: &str = "recording";

impl Engine {
    fn lacks(&self, feature: &'static str) -> Error {
        Error::Lacks { address: self.server.address(), feature }
    }

    /// Fails if the server cannot say where in time it is.
    pub(crate) fn require_time(&self) -> Result<(), Error> {
        if self.session.debuggee.inferior.process.abilities().time { Ok(()) } else { Err(self.lacks(TIME)) }
    }

    /// Fails if the server cannot do such a movement.
    pub(crate) fn require(&self, motion: Motion) -> Result<(), Error> {
        let abilities = self.session.debuggee.inferior.process.abilities();
        match motion {
            Motion::RunToEvent(_) | Motion::RunToTicks(_) | Motion::Restore(_) | Motion::GoTo(_) => self.require_time(),
            _ if motion.direction() == Direction::Reverse && !abilities.reverse => Err(self.lacks(REVERSE)),
            // Behind a backward run rr is asked where it is.
            _ if motion.direction() == Direction::Reverse => self.require_time(),
            _ => Ok(()),
        }
    }

    /// Puts the error of a session on a server that is no rr, in words that fit it.
    pub(crate) fn fitting(&self, error: Error) -> Error {
        match error {
            _ if self.session.debuggee.inferior.process.abilities().time => error,
            Error::Rsp(error) => Error::Server(in_words(&error)),
            Error::Ended(words) => Error::Over(words),
            other => other,
        }
    }

    /// Returns why nothing can be asked any more, if that is so.
    pub fn end(&self) -> Option<String> {
        let words = self.ended.as_ref()?;
        let is_rr = self.session.debuggee.inferior.process.abilities().time;
        // Whose recording is no more, that rr cannot go on is no news.
        let is_removed = self.server.trace().is_some_and(|trace| !trace.exists());
        Some(if is_rr && !is_removed { format!("rr ended: {words}") } else { words.clone() })
    }

    /// Asks for the number of completed events. Fails if the server does not count them.
    pub fn event(&mut self) -> Result<u64, Error> {
        let position = self.position()?;
        position.event().ok_or_else(|| self.lacks(TIME))
    }

    /// Returns the recording. Fails if there is none.
    pub fn recording(&self) -> Result<&Path, Error> {
        self.server.trace().ok_or_else(|| self.lacks(RECORDING))
    }
}
