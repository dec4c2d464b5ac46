//! The engine of a replay, as values borrow it.

use ctype::{Memory, Unavailable};
use engine::Engine;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An engine that is asked one question at a time. Values hold on to it, so that none outlives a movement, which needs
/// it alone.
pub(super) struct Core(Mutex<Engine>);

impl Core {
    pub(super) fn new(engine: Engine) -> Self {
        Self(Mutex::new(engine))
    }

    /// Returns the engine, for a question that moves nothing. A panic elsewhere leaves nothing half done in it that
    /// matters here.
    pub(super) fn ask(&self) -> MutexGuard<'_, Engine> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the engine, for a movement.
    pub(super) fn engine(&mut self) -> &mut Engine {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks something of the process's memory; where there is none to be had, everything in it is unavailable.
    pub(super) fn with_memory<R>(core: Option<&Self>, mut ask: impl FnMut(&mut dyn Memory) -> R) -> R {
        let Some(core) = core else { return ask(&mut NoMemory("the value was taken out of its replay".to_owned())) };
        let asked = core.ask().with_memory(&mut ask);
        asked.unwrap_or_else(|error| ask(&mut NoMemory(error.to_string())))
    }
}

/// Memory of which nothing can be read, and why.
struct NoMemory(String);

impl Memory for NoMemory {
    fn read(&mut self, _address: u64, buffer: &mut [u8]) -> Result<(), Unavailable> {
        match buffer {
            [] => Ok(()),
            _ => Err(Unavailable::Other(self.0.clone())),
        }
    }

    fn symbol(&mut self, _address: u64) -> Option<String> {
        None
    }
}
