//! How long a movement may take, and whether anybody still wants it.

use crate::engine::api::{Observer, Reason};
use crate::rsp::{Patience, Wanted};
use std::time::{Duration, Instant};

/// How often the observer is asked, so that a run is interrupted within a tenth of a second of its wish.
const GLANCE: Duration = Duration::from_millis(10);
/// The least time that a restart gets.
pub(in crate::engine) const RESTART: Duration = Duration::from_secs(60);

/// The limit of one movement, over all the runs that it is made of.
pub(in crate::engine) struct Limit<'a> {
    observer: &'a mut dyn Observer,
    started: Instant,
    after: Duration,
    asked: Instant,
    verdict: Option<Reason>,
}

impl<'a> Limit<'a> {
    pub(in crate::engine) fn new(observer: &'a mut dyn Observer, after: Duration) -> Self {
        let now = Instant::now();
        Self { observer, started: now, after, asked: now, verdict: None }
    }

    /// Why the movement is to be given up, if it is.
    pub(in crate::engine) fn verdict(&mut self) -> Option<Reason> {
        if self.verdict.is_none() {
            let elapsed = self.started.elapsed();
            if elapsed >= self.after {
                self.verdict = Some(Reason::TimedOut { after: self.after });
            } else if self.asked.elapsed() >= GLANCE {
                self.asked = Instant::now();
                if !self.observer.running(elapsed) {
                    self.verdict = Some(Reason::Cancelled);
                }
            }
        }
        self.verdict.clone()
    }

    /// How long it may take in all.
    pub(in crate::engine) fn allowed(&self) -> Duration {
        self.after
    }

    /// How much of that is left.
    pub(in crate::engine) fn left(&self) -> Duration {
        self.after.saturating_sub(self.started.elapsed())
    }

    /// How much longer than allowed the movement has taken, and how long in all.
    pub(in crate::engine) fn overrun(&self) -> (Duration, Duration) {
        let elapsed = self.started.elapsed();
        (elapsed.saturating_sub(self.after), elapsed)
    }

    /// The verdict that has been given, if one has.
    pub(in crate::engine) fn given(&self) -> Option<Reason> {
        self.verdict.clone()
    }

    /// How long a restart may take, which rr cannot be interrupted in: giving up on one is giving up the replay, so it
    /// may overrun what is left of the time. `least`: what each gets.
    pub(in crate::engine) fn for_restart(&self, least: Duration) -> Duration {
        self.left().max(least)
    }
}

impl Patience for Limit<'_> {
    fn go_on(&mut self) -> bool {
        self.verdict().is_none()
    }
}

/// Patience up to a moment, as long as somebody wants it.
pub(in crate::engine) struct Until(pub(in crate::engine) Instant, pub(in crate::engine) Wanted);

impl Patience for Until {
    fn go_on(&mut self) -> bool {
        Instant::now() < self.0 && (self.1)()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Never;
    impl Observer for Never {
        fn running(&mut self, _elapsed: Duration) -> bool {
            false
        }
    }

    #[test]
    fn the_time_limit_comes_before_the_observer() {
        let mut never = Never;
        let mut limit = Limit::new(&mut never, Duration::ZERO);
        assert!(!limit.go_on());
        assert_eq!(limit.verdict(), Some(Reason::TimedOut { after: Duration::ZERO }));
        assert_eq!(limit.for_restart(RESTART), RESTART);
    }

    #[test]
    fn an_observer_is_not_asked_all_the_time() {
        let mut never = Never;
        let mut limit = Limit::new(&mut never, Duration::from_secs(1000));
        assert!(limit.go_on());
        limit.asked = Instant::now().checked_sub(GLANCE).unwrap();
        assert!(!limit.go_on());
        assert_eq!(limit.verdict(), Some(Reason::Cancelled));
    }
}
