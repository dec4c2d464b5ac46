//! Who still wants an answer, and what is being done for it.

use crate::dwarf::Work;
use crate::engine::session::engine::Engine;
use std::sync::Arc;

impl Engine {
    /// From now on, what an [`Observer`](crate::engine::api::Observer) is not asked about is given up as soon as it is not
    /// `wanted` any more, which other threads may ask, too: reading debug info, the way to an event or checkpoint, and
    /// the way back in a new replay. A call that needs debug info fails with [`Error::GivenUp`](crate::engine::Error::GivenUp), and the next one that
    /// does begins anew. A movement ends where it is, or where it began; the way back ([`Error::OnTheWay`](crate::engine::Error::OnTheWay)) is taken
    /// anew by the next call.
    pub fn while_wanted(&mut self, wanted: impl Fn() -> bool + Send + Sync + 'static) {
        let switch = self.switch.clone();
        self.session.wanted = Arc::new(move || wanted() && !switch.is_pulled());
        self.session.debuggee.inferior.process.while_wanted(self.session.wanted.clone());
    }

    /// What is being read of debug info, and how far that is: for another thread to look at while a call takes long.
    pub fn work(&self) -> Work {
        self.session.debuggee.inferior.work().clone()
    }
}
