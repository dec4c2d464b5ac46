//! A section that somebody reads while it is being unpacked.

use super::cache::Entry;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// How much there is of a section.
#[derive(Default)]
pub(super) struct Growth {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// All of the section; what is not there yet is zero.
    section: Option<Arc<Entry>>,
    available: usize,
    ended: bool,
}

/// Whoever unpacks has it, and with it gone, it has ended.
pub(super) struct Grower<'g>(&'g Growth);

impl Growth {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic of who unpacks leaves what there is.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// For the one who unpacks.
    pub(super) fn begin(&self) -> Grower<'_> {
        Grower(self)
    }

    /// The section, as soon as there is some of it; `None` if it is not unpacked to where it can be read meanwhile.
    pub(super) fn section(&self) -> Option<Arc<Entry>> {
        let begun = |state: &mut State| state.section.is_none() && !state.ended;
        let state = self.changed.wait_while(self.lock(), begun);
        state.unwrap_or_else(|poisoned| poisoned.into_inner()).section.clone()
    }

    /// Waits until so many bytes are there; `false` if there never will be.
    pub(super) fn wait_for(&self, bytes: usize) -> bool {
        let missing = |state: &mut State| state.available < bytes && !state.ended;
        let state = self.changed.wait_while(self.lock(), missing);
        state.unwrap_or_else(|poisoned| poisoned.into_inner()).available >= bytes
    }
}

impl Grower<'_> {
    /// Here is the section.
    pub(super) fn start(&self, section: Entry) {
        self.0.lock().section = Some(Arc::new(section));
        self.0.changed.notify_all();
    }

    /// So much of it is there.
    pub(super) fn reach(&self, bytes: usize) {
        self.0.lock().available = bytes;
        self.0.changed.notify_all();
    }
}

impl Drop for Grower<'_> {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dwarf::cache::{Cache, Key};

    #[test]
    fn readers_wait_for_what_they_need_and_no_longer_than_it_can_come() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::at(&directory.path().join("cache"), 1 << 20, 0);
        let entry = cache.put(&Key { name: "a".to_owned(), source: Vec::new() }, b"section").unwrap();
        let growth = Growth::default();
        let grower = growth.begin();
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let section = growth.section().unwrap();
                (section.to_vec(), growth.wait_for(3), growth.wait_for(7), growth.wait_for(8))
            });
            grower.start(entry);
            grower.reach(3);
            grower.reach(7);
            drop(grower);
            assert_eq!(reader.join().unwrap(), (b"section".to_vec(), true, true, false));
        });
    }

    #[test]
    fn what_is_not_begun_is_not_waited_for() {
        let growth = Growth::default();
        drop(growth.begin());
        assert!(growth.section().is_none());
        assert!(!growth.wait_for(1));
        assert!(growth.wait_for(0));
    }
}
