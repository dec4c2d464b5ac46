//! What cancels a call, and what is being done for it.

use crate::session::engine::Engine;
use base::cancel::Cancel;
use dwarf::Work;
use std::time::Duration;

impl Engine {
    /// Sets what cancels calls from now on: this, besides the kill switch. Whoever begins a call gives it one of its
    /// own: what is cancelled stays so.
    ///
    /// A movement that is cancelled ends where it is, or where it began. A call that needs debug info fails with
    /// [`Error::ReadingCancelled`](crate::Error::ReadingCancelled), and the next one that does begins anew. The
    /// way back in a new replay ([`Error::OnTheWay`](crate::Error::OnTheWay)) is taken anew by the next call.
    pub fn set_cancel(&mut self, cancel: &Cancel) {
        self.session.cancel = self.switch.cancel().child_of_both(cancel);
        self.session.debuggee.inferior.process.set_cancel(&self.session.cancel);
    }

    /// Returns what cancels calls.
    pub fn cancel(&self) -> &Cancel {
        &self.session.cancel
    }

    /// Returns how long an evaluation may take.
    pub fn evaluation_limit(&self) -> Duration {
        self.session.limits.eval
    }

    /// Returns what is being read of debug info, and how far that is: for another thread to look at while a call takes
    /// long.
    pub fn work(&self) -> Work {
        self.session.debuggee.inferior.work().clone()
    }
}
