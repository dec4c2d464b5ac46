//! The recordings that this server has made.

use crate::mcp::lock::locked;
use rr::Recorded;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A recording that was made here.
#[derive(Debug)]
struct Recording {
    /// Its real path.
    path: PathBuf,
    /// It can be replayed.
    is_whole: bool,
}

/// All of them, in the order in which they were made. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnRecordings(Arc<Mutex<Vec<Recording>>>);

impl OwnRecordings {
    /// Adds one more recording, whole or not.
    pub(crate) fn add(&self, recorded: &Recorded) {
        let whole = recorded.trace_dir.iter().map(|path| (path, true));
        let paths = whole.chain(recorded.incomplete.iter().map(|path| (path, false)));
        let real = paths.filter_map(|(path, is_whole)| Some(Recording { path: path.canonicalize().ok()?, is_whole }));
        locked(&self.0).extend(real);
    }

    /// Forgets a recording that has been removed: what is there later is somebody else's.
    pub(crate) fn forget(&self, path: &Path) {
        locked(&self.0).retain(|recording| recording.path != path);
    }

    /// Returns whether it is one of them.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        locked(&self.0).iter().any(|recording| recording.path == path)
    }

    /// Returns the last one that can be replayed and is still there.
    pub(crate) fn last(&self) -> Option<PathBuf> {
        let made = locked(&self.0);
        let mut whole = made.iter().rev().filter(|recording| recording.is_whole);
        whole.find(|recording| recording.path.is_dir()).map(|recording| recording.path.clone())
    }
}
