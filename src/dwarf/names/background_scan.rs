//! The one pass over a large `.debug_info` that makes its directory of names, in the background, and while it is
//! decompressed if it has to be: what can be answered without is not kept waiting.

use crate::cache::disk::Cache;
use crate::compressed::background_decompression::BackgroundDecompression;
use crate::elf::file::ElfFile;
use crate::names::directory::{Directory, follow, read};
use crate::sections::set::SectionSet;
use crate::tasks::work::READING;
use crate::tasks::work::{Measure, Work, Workplace};
use base::cancel::Cancel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A pass, and what comes of it.
#[derive(Default)]
pub(crate) struct BackgroundScan {
    state: Mutex<ScanResult>,
    changed: Condvar,
    /// Over a section that can be had: how far it is.
    work: Work,
    cancel: Cancel,
}

/// Passes over the sections of many images take turns: each of them uses all processors.
static TURN: Mutex<()> = Mutex::new(());

#[derive(Default)]
struct ScanResult {
    ended: bool,
    /// `None` if the section is damaged; once.
    made: Option<Directory>,
}

impl BackgroundScan {
    /// Creates a `BackgroundScan` that has ended before.
    pub(crate) fn ended(made: Directory) -> Arc<Self> {
        let scan = Self { state: Mutex::new(ScanResult { ended: true, made: Some(made) }), ..Self::default() };
        Arc::new(scan)
    }

    /// Begins one over a section that can be had. `sections` has it, and what its names need besides.
    pub(crate) fn over(sections: SectionSet, file: &Arc<ElfFile>, cache: &Cache) -> Arc<Self> {
        let scan = Arc::<Self>::default();
        let (ending, file, cache) = (Ending(scan.clone()), file.clone(), cache.clone());
        let work = move || {
            #[cfg(test)]
            cache.gate.iter().for_each(|gate| gate.wait());
            let scan = &ending.0;
            let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
            if scan.cancel.is_cancelled() {
                return;
            }
            let reading = || Some(read(&sections, &Workplace::new(&scan.work, "")));
            let made = scan.work.attempt(&scan.cancel, || scan.work.answer(reading, || None));
            scan.lock().made = made.ok().flatten().map(|made| Directory::keep(made, &file, &cache));
        };
        // Without a thread for it, it has ended, and whoever needs the directory makes it.
        let _ = std::thread::Builder::new().spawn(work);
        scan
    }

    /// Begins one over the units of a section that is being decompressed. `names` has what their names need besides.
    pub(crate) fn following(
        names: SectionSet,
        decompression: &Arc<BackgroundDecompression>,
        file: &Arc<ElfFile>,
        cache: &Cache,
    ) -> Arc<Self> {
        let scan = Arc::<Self>::default();
        let (ending, decompression, file, cache) =
            (Ending(scan.clone()), decompression.clone(), file.clone(), cache.clone());
        let queue = decompression.clone();
        let read = move || {
            // Of nobody's: who waits tells how far it is, and what nobody waits for any more is done all the same.
            let place = Workplace::default();
            let task = place.begin(READING, Measure::Bytes, 0);
            let made = follow(&names.dwarf(), decompression.queue(), &task);
            // Who ended it early wants nothing of it.
            let whole = made.filter(|made| decompression.heads().is_ok_and(|heads| heads.len() == made.units));
            let directory = whole.map(|made| Directory::keep(made, &file, &cache));
            ending.0.lock().made = directory;
        };
        // Without a thread for it, nobody reads the units, and it has ended.
        if std::thread::Builder::new().spawn(read).is_err() {
            queue.queue().close();
        }
        scan
    }

    fn lock(&self) -> MutexGuard<'_, ScanResult> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, at most for so long, until it has ended; returns whether it has.
    pub(crate) fn has_ended(&self, patience: Duration) -> bool {
        let wait = |state: &mut ScanResult| !state.ended;
        self.changed.wait_timeout_while(self.lock(), patience, wait).unwrap_or_else(PoisonError::into_inner).0.ended
    }

    /// Returns how many bytes of the section have been read, if it is one that can be had.
    pub(crate) fn bytes(&self) -> u64 {
        self.work.progress().map_or(0, |progress| progress.done)
    }

    /// Cancels the rest.
    pub(crate) fn stop(&self) {
        self.cancel.cancel();
    }

    /// Takes the directory, once the pass has ended. `None` if the section is damaged.
    pub(crate) fn take(&self) -> Option<Directory> {
        self.lock().made.take()
    }
}

/// A guard that says that a pass has ended, however it does.
struct Ending(Arc<BackgroundScan>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.changed.notify_all();
    }
}
