//! Asking a call to come to an end.

use crate::engine::model::Observer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A flag that asks a call to come to an end, and the flag of what the call belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cancel {
    own: Arc<AtomicBool>,
    outer: Arc<AtomicBool>,
}

impl Cancel {
    /// A flag for one call of something that can be ended as a whole by `outer`.
    pub(crate) fn within(outer: &Arc<AtomicBool>) -> Self {
        Self { own: Arc::default(), outer: outer.clone() }
    }

    /// Asks for the end.
    pub(crate) fn set(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// The end was asked for.
    pub(crate) fn is_set(&self) -> bool {
        self.own.load(Ordering::Relaxed) || self.belongs_to_an_end()
    }

    /// What the call belongs to is being ended as a whole.
    pub(crate) fn belongs_to_an_end(&self) -> bool {
        self.outer.load(Ordering::Relaxed)
    }
}

impl Observer for Cancel {
    fn running(&mut self, _elapsed: Duration) -> bool {
        !self.is_set()
    }
}
