//! The one pass over a large `.debug_info` that makes its directory of names while it is unpacked, in the background:
//! what can be answered without is not kept waiting.

use super::cache::Cache;
use super::directory::{Directory, follow};
use super::growing::Growing;
use super::object::ElfFile;
use super::sections::SectionSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A pass, and what comes of it.
#[derive(Default)]
pub(super) struct Pass {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    ended: bool,
    /// `None` if the section is damaged; once.
    made: Option<Directory>,
}

impl Pass {
    /// Begins one over the units of a section that is being unpacked. `names` has what their names need besides.
    pub(super) fn begin(names: SectionSet, growing: &Arc<Growing>, file: &Arc<ElfFile>, cache: &Cache) -> Arc<Self> {
        let pass = Arc::<Self>::default();
        let (ending, growing, file, cache) = (Ending(pass.clone()), growing.clone(), file.clone(), cache.clone());
        std::thread::spawn(move || {
            let made = follow(&names.dwarf(), growing.queue());
            // Who ended it early wants nothing of it.
            let whole = made.filter(|made| growing.heads().is_ok_and(|heads| heads.len() == made.units));
            let directory = whole.map(|made| Directory::keep(made, &file, &cache));
            ending.0.lock().made = directory;
        });
        pass
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nobody would have to wait.
    pub(super) fn has_ended(&self) -> bool {
        self.lock().ended
    }

    /// Waits for the directory; once. `None` if the section is damaged.
    pub(super) fn wait(&self) -> Option<Directory> {
        let state = self.changed.wait_while(self.lock(), |state| !state.ended);
        state.unwrap_or_else(PoisonError::into_inner).made.take()
    }
}

/// Says that a pass has ended, however it does.
struct Ending(Arc<Pass>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.changed.notify_all();
    }
}
