//! Ending what a replay does, from another thread.

use base::cancel;

/// A handle by which any thread ends what a replay, a question or a recording does. Clones are the same handle. What is
/// ended says so: a movement stops with [`StopReason::Cancelled`](crate::StopReason::Cancelled), anything else fails with
/// [`ErrorKind::Cancelled`](crate::ErrorKind::Cancelled).
#[derive(Clone, Debug, Default)]
pub struct Cancel(pub(crate) cancel::Cancel);

impl Cancel {
    /// Creates a handle that nobody has cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends what is done under this handle. What is begun under it later ends at once.
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Returns whether it is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Makes a handle out of that of a call.
impl From<cancel::Cancel> for Cancel {
    fn from(cancel: cancel::Cancel) -> Self {
        Self(cancel)
    }
}
