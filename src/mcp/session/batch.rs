//! Batches: which calls of a busy session wait, and which are refused.
//!
//! A session does one thing at a time, in the order in which it was asked. That is what a client wants that sends
//! several calls without waiting for answers (continue, then a backtrace where that stops), and what it does not want
//! that asks something of a session that has been running for a minute: it would wait without a word. So:
//!
//! * Calls that arrive within [`TOGETHER`] of the first of them are a *batch*: they were sent together.
//! * A batch that finds its session idle begins at once. Its calls are carried out in order, however long each takes;
//!   every one of them has a time limit of its own.
//! * A batch that finds its session busy waits for [`PATIENCE`]. If by then none of its calls has been taken up, all of
//!   them are refused, and the answer says what the session is doing, since when, and how to end it.
//!
//! A batch is refused as a whole, so that never a later call is carried out without an earlier one.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Calls that arrive within so long of the first of a batch belong to it. Clients that pipeline do so within
/// milliseconds.
const TOGETHER: Duration = Duration::from_millis(500);
/// How long a batch waits for a session that is busy with another one.
const PATIENCE: Duration = Duration::from_secs(1);

const WAITING: u8 = 0;
const BEGUN: u8 = 1;
const REFUSED: u8 = 2;

/// Calls that were sent together.
#[derive(Debug)]
pub(crate) struct Batch {
    arrived: Instant,
    state: AtomicU8,
}

impl Batch {
    /// Returns the time when its calls are refused, if none of them has been taken up.
    pub(crate) fn deadline(&self) -> Instant {
        self.arrived + PATIENCE
    }

    /// Refuses its calls, unless one of them has been taken up. True: they are refused.
    pub(crate) fn refuse(&self) -> bool {
        self.change(REFUSED)
    }

    /// Returns whether it has been refused.
    pub(crate) fn is_refused(&self) -> bool {
        self.state.load(Ordering::Relaxed) == REFUSED
    }

    /// Begins it: its turn has come. Returns false if it has been refused.
    fn begin(&self) -> bool {
        self.change(BEGUN)
    }

    /// Leaves the waiting state for this one, once and for all. True: that is the state now.
    fn change(&self, to: u8) -> bool {
        match self.state.compare_exchange(WAITING, to, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => true,
            Err(state) => state == to,
        }
    }
}

/// The queue of one session, as far as it concerns who waits for whom.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    latest: Mutex<Option<Arc<Batch>>>,
    unfinished: Arc<AtomicUsize>,
}

/// A call's place in the queue, held until the call is done or dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    batch: Arc<Batch>,
    unfinished: Arc<AtomicUsize>,
}

impl Turns {
    /// Takes a turn for a call that arrives now.
    pub(crate) fn take(&self) -> Turn {
        self.take_at(Instant::now())
    }

    fn take_at(&self, now: Instant) -> Turn {
        // A panic elsewhere cannot leave the batch in a state that matters.
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = self.unfinished.fetch_add(1, Ordering::Relaxed) > 0;
        let joined = latest.as_ref().filter(|batch| {
            let together = now.saturating_duration_since(batch.arrived) <= TOGETHER;
            busy && together && batch.state.load(Ordering::Relaxed) != REFUSED
        });
        let batch = joined.cloned().unwrap_or_else(|| {
            let state = AtomicU8::new(if busy { WAITING } else { BEGUN });
            Arc::new(Batch { arrived: now, state })
        });
        *latest = Some(batch.clone());
        Turn { batch, unfinished: self.unfinished.clone() }
    }

    /// Returns how many calls are being carried out or wait.
    pub(crate) fn unfinished(&self) -> usize {
        self.unfinished.load(Ordering::Relaxed)
    }
}

impl Turn {
    /// Returns the call's batch.
    pub(crate) fn batch(&self) -> Arc<Batch> {
        self.batch.clone()
    }

    /// Begins the call: its turn has come. Returns false if it has been refused, and must not be carried out.
    pub(crate) fn begin(&self) -> bool {
        self.batch.begin()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.unfinished.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn calls_sent_together_to_an_idle_session_are_never_refused() {
        let (turns, start) = (Turns::default(), Instant::now());
        let first = turns.take_at(start);
        let second = turns.take_at(start + 400 * MS);
        assert!(Arc::ptr_eq(&first.batch, &second.batch));
        assert!(!second.batch().refuse());
        assert!(first.begin() && second.begin());
        assert_eq!(turns.unfinished(), 2);
    }

    #[test]
    fn a_later_batch_is_refused_as_a_whole_unless_its_turn_comes_in_time() {
        let (turns, start) = (Turns::default(), Instant::now());
        let running = turns.take_at(start);
        assert!(running.begin());
        let late = [turns.take_at(start + 600 * MS), turns.take_at(start + 700 * MS)];
        assert!(Arc::ptr_eq(&late[0].batch, &late[1].batch));
        assert_eq!(late[1].batch().deadline(), start + 1600 * MS, "the first of them counts");
        assert!(late[0].batch().refuse() && late[1].batch().refuse());
        assert!(!late[0].begin() && !late[1].begin());
        let next = turns.take_at(start + 900 * MS);
        assert!(!Arc::ptr_eq(&next.batch, &late[0].batch), "nobody joins a batch that was refused");
        drop(running);
        assert!(next.begin());
        assert!(!next.batch().refuse(), "its turn has come");
    }

    #[test]
    fn a_session_is_idle_when_its_calls_are_done_or_dropped() {
        let (turns, start) = (Turns::default(), Instant::now());
        drop((turns.take_at(start), turns.take_at(start)));
        assert_eq!(turns.unfinished(), 0);
        assert!(!turns.take_at(start + 600 * MS).batch().refuse(), "it began at once");
    }
}
