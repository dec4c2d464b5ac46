//! Ending from elsewhere what a replay does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asks a [`Replay`](crate::Replay) from any thread to stop what it does. Clones are the same handle.
///
/// A movement ends within a fraction of a second where it is, as a stop with
/// [`StopReason::Cancelled`](crate::StopReason::Cancelled); what has no stop to give ends in an error of kind
/// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled). The replay stays usable, once [`reset`](Cancel::reset) was
/// called.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A handle that nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the end of what is being done, and of whatever is begun until [`reset`](Cancel::reset).
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lets the next call be carried out again.
    pub fn reset(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
