//! Everything the object remembers.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::log::Statistics;
use super::perf::Counters;
use super::sys::SigInfo;
use super::tracee::Tracee;

/// The one instance is only ever used by rr's main thread, the tracer; the lock satisfies the language.
static STATE: Mutex<State> = Mutex::new(State {
    counters: Counters::new(),
    tracees: BTreeMap::new(),
    kept: Vec::new(),
    deadline: None,
    statistics: Statistics::new(),
});

/// All state of the object.
pub struct State {
    /// The counters rr has open.
    pub counters: Counters,
    tracees: BTreeMap<i32, Tracee>,
    /// Stops that rr was shown with `WNOWAIT` and has yet to consume.
    pub kept: Vec<SigInfo>,
    /// When rr's interval timer runs out, in nanoseconds of the monotonic clock.
    pub deadline: Option<u64>,
    /// What was done so far.
    pub statistics: Statistics,
}

/// The state, locked.
pub fn state() -> MutexGuard<'static, State> {
    // A panic aborts, so no state can be left half changed.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// What is known of a thread; nothing yet, for a new one.
    pub fn tracee(&mut self, tid: i32) -> &mut Tracee {
        self.tracees.entry(tid).or_default()
    }

    /// Whether a resume of rr is in progress that is carried out here.
    pub fn is_driven(&self, tid: i32) -> bool {
        self.tracees.get(&tid).is_some_and(Tracee::is_driven)
    }

    /// The thread is gone.
    pub fn forget(&mut self, tid: i32) {
        self.tracees.remove(&tid);
    }
}
