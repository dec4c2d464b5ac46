//! The recordings that this server has made.

use super::sessions::locked;
use crate::rr::Recorded;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Their real paths. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made(Arc<Mutex<BTreeSet<PathBuf>>>);

impl Made {
    /// One more, whole or not.
    pub(crate) fn add(&self, recorded: &Recorded) {
        let paths = recorded.trace_dir.iter().chain(&recorded.incomplete);
        locked(&self.0).extend(paths.filter_map(|path| path.canonicalize().ok()));
    }

    /// It has been removed: what is there later is somebody else's.
    pub(crate) fn forget(&self, path: &Path) {
        locked(&self.0).remove(path);
    }

    /// It is one of them.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        locked(&self.0).contains(path)
    }
}
