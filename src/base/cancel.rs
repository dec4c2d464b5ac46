//! Cancellation: one flag for a call, which everything that works or waits under it asks.
//!
//! What works for long says under the same handle how far it is, for whoever waits for the call.
//!
//! Who begins a call hands in one [`Cancel`], once. What the call does in turn takes a [child](Cancel::child) of it, or
//! a [deadline](Cancel::with_deadline) of its own; all of them are cancelled with it. Whoever waits asks several times
//! a second, and so cheaply that there is no reason to ask less.
//!
//! The first reason that is seen stays the reason: what was cancelled has not run out of time later.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A handle that says whether a call is to come to an end. Clones are the same; the default is cancelled by
/// [`Cancel::cancel`] only.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Node>);

/// Says how far something is; `None` once it is over.
pub type Report = Box<dyn Fn() -> Option<String> + Send + Sync>;

/// What works says how far it is, what began first first.
#[derive(Default)]
struct Telling(Mutex<Vec<Report>>);

impl Telling {
    fn all(&self) -> MutexGuard<'_, Vec<Report>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Telling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Telling").field(&self.all().len()).finish()
    }
}

#[derive(Debug, Default)]
struct Node {
    /// Why it is cancelled, once that was seen.
    cancelled: OnceLock<Cancelled>,
    deadline: Option<Deadline>,
    flag: Option<&'static AtomicBool>,
    parents: Vec<Cancel>,
    telling: Telling,
}

#[derive(Clone, Copy, Debug)]
struct Deadline {
    at: Instant,
    /// How long it was away at first.
    limit: Duration,
}

/// Why something is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cancelled {
    /// Somebody has asked for it.
    #[error("cancelled")]
    Requested,
    /// Its time limit has passed.
    #[error("the time limit of {limit:?} has passed")]
    DeadlineExceeded {
        /// How long it was allowed to take.
        limit: Duration,
    },
}

impl Cancel {
    /// Creates a `Cancel` that nobody has cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a `Cancel` that is cancelled with this one, and by itself.
    #[must_use]
    pub fn child(&self) -> Self {
        Self::of(Node { parents: vec![self.clone()], ..Node::default() })
    }

    /// Returns a `Cancel` that is cancelled with this one, and with that.
    #[must_use]
    pub fn child_of_both(&self, other: &Self) -> Self {
        Self::of(Node { parents: vec![self.clone(), other.clone()], ..Node::default() })
    }

    /// Returns a `Cancel` that is cancelled with this one, and when so much time has passed from now on.
    #[must_use]
    pub fn with_deadline(&self, limit: Duration) -> Self {
        // What is farther away than the clock can tell never comes.
        let deadline = Instant::now().checked_add(limit).map(|at| Deadline { at, limit });
        Self::of(Node { deadline, parents: vec![self.clone()], ..Node::default() })
    }

    /// Creates a `Cancel` that is cancelled when it sees this flag set: the handler of a signal can do no more than set
    /// one.
    #[must_use]
    pub fn on_flag(flag: &'static AtomicBool) -> Self {
        Self::of(Node { flag: Some(flag), ..Node::default() })
    }

    fn of(node: Node) -> Self {
        Self(Arc::new(node))
    }

    /// Cancels it, and all that is under it.
    pub fn cancel(&self) {
        self.0.cancelled.get_or_init(|| Cancelled::Requested);
    }

    /// Returns whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.check().is_err()
    }

    /// Fails if it is cancelled, saying why.
    ///
    /// # Errors
    /// Why it is cancelled. The deadline is looked at first.
    pub fn check(&self) -> Result<(), Cancelled> {
        let Node { cancelled, deadline, flag, parents, telling: _ } = &*self.0;
        if let Some(reason) = cancelled.get() {
            return Err(*reason);
        }
        let late = deadline.filter(|deadline| Instant::now() >= deadline.at);
        let late = late.map(|Deadline { limit, .. }| Cancelled::DeadlineExceeded { limit });
        let flagged = || flag.filter(|flag| flag.load(Ordering::Relaxed)).map(|_| Cancelled::Requested);
        let inherited = || parents.iter().find_map(|parent| parent.check().err());
        match late.or_else(flagged).or_else(inherited) {
            Some(reason) => Err(*cancelled.get_or_init(|| reason)),
            None => Ok(()),
        }
    }

    /// Returns what somebody has seen of it already, without looking at the clock or the parents: what was not seen has
    /// had no effect.
    pub fn seen(&self) -> Option<Cancelled> {
        self.0.cancelled.get().copied()
    }

    /// Says how far something is that works under it, to whoever asks this one or one above it.
    pub fn tell(&self, told: Report) {
        fn add(to: &Cancel, told: &Arc<dyn Fn() -> Option<String> + Send + Sync>) {
            let mut all = to.0.telling.all();
            all.retain(|told| told().is_some());
            let told_here = told.clone();
            all.push(Box::new(move || told_here()));
            drop(all);
            to.0.parents.iter().for_each(|parent| add(parent, told));
        }
        add(self, &Arc::from(told));
    }

    /// Returns how far what works under it is, if something says so.
    pub fn told(&self) -> Option<String> {
        self.0.telling.all().iter().find_map(|told| told())
    }

    /// Returns the time until the first deadline of this one and those above it.
    pub fn left(&self) -> Option<Duration> {
        let own = self.0.deadline.map(|deadline| deadline.at.saturating_duration_since(Instant::now()));
        own.into_iter().chain(self.0.parents.iter().filter_map(Self::left)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(1000);

    #[test]
    fn what_is_under_it_is_cancelled_with_it_and_not_the_other_way_round() {
        let (root, other) = (Cancel::default(), Cancel::default());
        let (child, both) = (root.child(), root.child_of_both(&other).with_deadline(LONG));
        child.cancel();
        assert!(child.is_cancelled() && child.child().is_cancelled());
        assert_eq!(root.check(), Ok(()));
        assert_eq!(both.check(), Ok(()));
        assert_eq!(root.child().check(), Ok(()));
        other.cancel();
        assert_eq!(both.check(), Err(Cancelled::Requested));
        assert!(!root.is_cancelled());
    }

    #[test]
    fn the_deadline_is_told_from_a_request_and_comes_first() {
        let root = Cancel::default();
        let late = root.with_deadline(Duration::ZERO);
        assert_eq!(late.seen(), None, "nobody has looked");
        root.cancel();
        let exceeded = Cancelled::DeadlineExceeded { limit: Duration::ZERO };
        assert_eq!(late.child().check(), Err(exceeded));
        assert_eq!(late.seen(), Some(exceeded));
        assert_eq!(root.with_deadline(LONG).check(), Err(Cancelled::Requested));
    }

    #[test]
    fn the_first_reason_stays() {
        let late = Cancel::default().with_deadline(Duration::ZERO);
        late.cancel();
        assert_eq!(late.check(), Err(Cancelled::Requested));
    }

    #[test]
    fn the_first_deadline_counts() {
        let endless = Cancel::default().with_deadline(Duration::MAX);
        assert_eq!((endless.left(), endless.check()), (None, Ok(())));
        let left = endless.with_deadline(LONG).with_deadline(2 * LONG).child().left().unwrap();
        assert!(left <= LONG && left > LONG / 2);
        assert_eq!(endless.with_deadline(Duration::ZERO).with_deadline(LONG).left(), Some(Duration::ZERO));
    }

    #[test]
    fn a_flag_cancels_for_good_once_it_was_seen() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let (seen, unseen) = (Cancel::on_flag(&FLAG), Cancel::on_flag(&FLAG));
        assert!(!seen.is_cancelled());
        FLAG.store(true, Ordering::Relaxed);
        assert!(seen.child().is_cancelled());
        FLAG.store(false, Ordering::Relaxed);
        assert_eq!((seen.is_cancelled(), unseen.is_cancelled()), (true, false));
    }

    const _: fn() = || {
        fn shared<T: Send + Sync + Clone>() {}
        shared::<Cancel>();
    };
}
