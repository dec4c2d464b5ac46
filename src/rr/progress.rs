//! How far a pass over a recording is.

use super::events::Threads;
use base::cancel::Cancel;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A pass that is under way.
#[derive(Debug)]
pub(super) struct PassProgress {
    /// Where rr's preloaded object says where it is.
    file: PathBuf,
    threads: Arc<Threads>,
}

impl PassProgress {
    /// Tells whoever waits how far the pass is, as long as what is returned is kept.
    pub(super) fn of(file: &Path, threads: &Arc<Threads>, cancel: &Cancel) -> Arc<Self> {
        let progress = Arc::new(Self { file: file.to_owned(), threads: threads.clone() });
        let weak = Arc::downgrade(&progress);
        cancel.tell(Box::new(move || weak.upgrade().map(|progress| progress.now())));
        progress
    }

    /// Returns where it is.
    fn now(&self) -> String {
        let of = self.threads.last_event();
        match self.event() {
            Some(event) if of > 0 => format!("event {} of {of}", event.min(of)),
            _ => format!("replaying {of} events"),
        }
    }

    fn event(&self) -> Option<u64> {
        let mut bytes = [0; 16];
        File::open(&self.file).ok()?.read_exact(&mut bytes).ok()?;
        let (thread, ticks) = bytes.split_at(8);
        let number = |half: &[u8]| half.try_into().map(u64::from_le_bytes).ok();
        let events = &self.threads.get(u32::try_from(number(thread)?).ok()?)?.events;
        let ticks = number(ticks)?;
        let before = events.partition_point(|(executed, _)| *executed <= ticks).checked_sub(1)?;
        events.get(before).map(|(_, event)| *event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::threads_in_tests::thread;

    #[test]
    fn whoever_waits_is_told_where_a_pass_is() {
        let file = std::env::temp_dir().join(format!("retrograde-progress-{}", std::process::id()));
        let threads = Arc::new(thread(7, &[(0, 2), (10, 3), (10, 4), (30, 6)], 2));
        let (cancel, other) = (Cancel::new(), Cancel::new());
        assert_eq!(cancel.told(), None);
        let progress = PassProgress::of(&file, &threads, &cancel.child().child_of_both(&other));
        assert_eq!(cancel.told().as_deref(), Some("replaying 6 events"));
        let at = |thread: u64, ticks: u64| {
            std::fs::write(&file, [thread.to_le_bytes(), ticks.to_le_bytes()].concat()).unwrap();
            other.told()
        };
        assert_eq!(at(1, 15).as_deref(), Some("event 4 of 6"));
        assert_eq!(at(1, 1000).as_deref(), Some("event 6 of 6"));
        assert_eq!(at(9, 15).as_deref(), Some("replaying 6 events"));
        std::fs::remove_file(&file).unwrap();
        drop(progress);
        assert_eq!(cancel.told(), None);
    }
}
