//! Everything the object remembers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cache::{MOST_LENT, Spaces, Store, keep};
use super::log::Statistics;
use super::perf::Counters;
use super::probe::Pass;
use super::slice::Slice;
use super::sys::{self, SigInfo};
use super::tracee::Tracee;

/// The one instance is only ever used by rr's main thread, the tracer; the lock satisfies the language.
static STATE: Mutex<State> = Mutex::new(State {
    counters: Counters::new(),
    tracees: BTreeMap::new(),
    spaces: Spaces::new(),
    store: Store::new(),
    store_file: None,
    is_store_open: false,
    step_only: false,
    by_branch: false,
    batch: 16,
    lending: MOST_LENT,
    slice: Slice::new(),
    own_filters: None,
    refused: BTreeSet::new(),
    pass: None,
    kept: Vec::new(),
    deadline: None,
    statistics: Statistics::new(),
});

/// All state of the object.
pub struct State {
    /// The counters rr has open.
    pub counters: Counters,
    tracees: BTreeMap<i32, Tracee>,
    /// The tracees' address spaces with their translations.
    pub spaces: Spaces,
    /// What earlier runs translated.
    pub store: Store,
    /// Where that is kept, if anywhere.
    pub store_file: Option<PathBuf>,
    is_store_open: bool,
    /// No translations at all.
    pub step_only: bool,
    /// Each branch is counted by itself.
    pub by_branch: bool,
    /// How many blocks are translated at once.
    pub batch: usize,
    /// How many branches are lent to a thread at once, at most.
    pub lending: u64,
    /// How many while a debugger is connected.
    pub slice: Slice,
    /// How many seccomp filters the tracer has, once it was asked.
    pub own_filters: Option<u32>,
    /// Numbers of the system calls that are answered `ENOSYS`, in a recording.
    pub refused: BTreeSet<u64>,
    /// The probe pass this is, if it is one.
    pub pass: Option<Pass>,
    /// Stops that rr was shown with `WNOWAIT` and has yet to consume, or that came while we did something of our own.
    pub kept: Vec<SigInfo>,
    /// When rr's interval timer runs out, in nanoseconds of the monotonic clock.
    pub deadline: Option<u64>,
    /// What was done so far.
    pub statistics: Statistics,
}

/// Locks the state.
pub fn state() -> MutexGuard<'static, State> {
    // A panic aborts, so no state can be left half changed.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Returns what is known of a thread; nothing yet, for a new one.
    pub fn tracee(&mut self, tid: i32) -> &mut Tracee {
        self.tracees.entry(tid).or_default()
    }

    /// Returns whether a resume of rr is in progress that is carried out here.
    pub fn is_driven(&self, tid: i32) -> bool {
        self.tracees.get(&tid).is_some_and(Tracee::is_driven)
    }

    /// Reads what earlier runs translated, the first time it is called.
    pub fn open_store(&mut self) {
        if !self.is_store_open {
            self.is_store_open = true;
            if let Some(path) = &self.store_file {
                sys::keeping_errno(|| keep::load(&mut self.store, path));
            }
        }
    }

    /// Keeps what was translated for later runs, if it is worth while: at least `least` blocks.
    pub fn save_store(&mut self, least: usize) {
        if self.store.learned >= least
            && let Some(path) = &self.store_file
        {
            sys::keeping_errno(|| keep::save(&mut self.store, path));
        }
    }

    /// Returns what is known of a thread, if anything.
    pub fn known(&self, tid: i32) -> Option<&Tracee> {
        self.tracees.get(&tid)
    }

    /// Forgets how many seccomp filters threads have: any may have any number.
    pub fn know_no_filters(&mut self) {
        self.tracees.values_mut().for_each(|tracee| tracee.filters = Some(u32::MAX));
    }

    /// Forgets a thread that is gone.
    pub fn forget(&mut self, tid: i32) {
        self.leave_space(tid);
        self.keep_busy(tid);
        self.tracees.remove(&tid);
    }
}
