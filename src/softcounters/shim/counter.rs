//! The arithmetic of one ticks counter, as the kernel defines it for a hardware event.

/// A ticks counter of one tracee.
///
/// All quantities are conditional branches. `due` is the value at which the next overflow is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    value: u64,
    period: u64,
    due: u64,
    enabled: bool,
}

impl Counter {
    /// Makes a counter as `perf_event_open` makes it: at zero, its first overflow after `period`.
    pub fn new(period: u64, enabled: bool) -> Counter {
        let period = period.max(1);
        Counter { value: 0, period, due: period, enabled }
    }

    /// Branches counted since the last reset.
    pub fn value(&self) -> u64 {
        self.value
    }

    /// Returns whether branches are to be counted at all.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Does what `PERF_EVENT_IOC_ENABLE` and `PERF_EVENT_IOC_DISABLE` do.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// Does what `PERF_EVENT_IOC_RESET` does: the value becomes zero, the distance to the next overflow stays.
    pub fn reset(&mut self) {
        self.due = self.due.saturating_sub(self.value);
        self.value = 0;
    }

    /// Does what `PERF_EVENT_IOC_PERIOD` does: the next overflow is `period` from now.
    pub fn set_period(&mut self, period: u64) {
        self.period = period.max(1);
        self.due = self.value.saturating_add(self.period);
    }

    /// Counts one branch; true if the overflow is due, which stays so until [`Counter::overflow_reported`].
    pub fn count(&mut self) -> bool {
        self.value += 1;
        self.value >= self.due
    }

    /// Branches until an overflow is due; 1 if it is already, since it is reported after a branch.
    pub fn remaining(&self) -> u64 {
        self.due.saturating_sub(self.value).max(1)
    }

    /// Counts branches that were executed without looking for an overflow.
    pub fn add(&mut self, branches: u64) {
        self.value = self.value.saturating_add(branches);
    }

    /// Starts the next period after an overflow was reported.
    pub fn overflow_reported(&mut self) {
        self.due = self.value.saturating_add(self.period);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflow_is_due_exactly_at_the_period() {
        let mut counter = Counter::new(3, true);
        assert_eq!([counter.count(), counter.count(), counter.count()], [false, false, true]);
        assert_eq!(counter.value(), 3);
    }

    #[test]
    fn an_overflow_not_yet_reported_stays_due() {
        let mut counter = Counter::new(1, true);
        assert!(counter.count());
        assert!(counter.count());
        counter.overflow_reported();
        counter.set_period(2);
        assert!(!counter.count());
        assert!(counter.count());
    }

    #[test]
    fn the_next_period_starts_where_the_overflow_was_reported() {
        let mut counter = Counter::new(2, true);
        assert!(!counter.count());
        assert!(counter.count());
        counter.overflow_reported();
        assert!(!counter.count());
        assert!(counter.count());
    }

    #[test]
    fn reset_keeps_the_distance_to_the_overflow() {
        let mut counter = Counter::new(5, true);
        counter.count();
        counter.count();
        counter.reset();
        assert_eq!(counter.value(), 0);
        assert_eq!([counter.count(), counter.count(), counter.count()], [false, false, true]);
    }

    #[test]
    fn a_period_counts_from_the_value_it_was_set_at() {
        let mut counter = Counter::new(1 << 60, true);
        counter.count();
        counter.set_period(2);
        assert!(!counter.count());
        assert!(counter.count());
    }

    #[test]
    fn no_period_overflows_the_arithmetic() {
        let mut counter = Counter::new(u64::MAX, false);
        assert!(!counter.count());
        counter.set_period(u64::MAX);
        counter.reset();
        assert!(!counter.count());
        assert!(!counter.is_enabled());
        counter.set_enabled(true);
        assert!(counter.is_enabled());
    }

    #[test]
    fn branches_run_at_once_leave_the_rest() {
        let mut counter = Counter::new(10, true);
        assert_eq!(counter.remaining(), 10);
        counter.add(9);
        assert_eq!((counter.value(), counter.remaining()), (9, 1));
        assert!(counter.count());
        // Due already: after the next branch.
        assert_eq!(counter.remaining(), 1);
        counter.overflow_reported();
        assert_eq!(counter.remaining(), 10);
    }

    #[test]
    fn a_period_of_zero_means_one() {
        assert!(Counter::new(0, true).count());
    }
}
