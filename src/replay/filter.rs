//! Which hits a question is about.

use questions::Filter;
use std::ops::{Bound, RangeBounds};

/// Restricts a filter to moments between events of the recording.
pub(super) fn between(filter: Filter, events: &impl RangeBounds<u64>) -> Filter {
    let from = match events.start_bound() {
        Bound::Included(from) => Some(Some(*from)),
        Bound::Excluded(before) => Some(before.checked_add(1)),
        Bound::Unbounded => None,
    };
    let to = match events.end_bound() {
        Bound::Included(to) => Some(Some(*to)),
        Bound::Excluded(behind) => Some(behind.checked_sub(1)),
        Bound::Unbounded => None,
    };
    if from == Some(None) || to == Some(None) {
        // Nothing is between these: such a range is refused when it is asked about.
        return Filter { from: Some(1), to: Some(0), ..filter };
    }
    let (from, to) = (from.flatten(), to.flatten());
    Filter { from, to, ..filter }
}

/// Gives a builder with a field `query.filter` the methods that restrict it.
macro_rules! filtered {
    ($builder:ident) => {
        impl $builder {
            /// Asks about one process only, by the number that it had when it was recorded.
            pub fn process(mut self, number: u32) -> Self {
                self.query.filter.pid = Some(number);
                self
            }

            /// Asks about one thread only, by the number that it had when it was recorded.
            pub fn thread(mut self, number: u32) -> Self {
                self.query.filter.tid = Some(number);
                self
            }

            /// Asks about a stretch of the recording only, by the numbers of its events
            /// ([`Position::event`](crate::Position::event)).
            pub fn between(mut self, events: impl std::ops::RangeBounds<u64>) -> Self {
                self.query.filter = crate::replay::filter::between(self.query.filter, &events);
                self
            }
        }
    };
}

pub(super) use filtered;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_rust() {
        let bounds = |filter: Filter| (filter.from, filter.to);
        let of = |events: (Bound<u64>, Bound<u64>)| bounds(between(Filter::default(), &events));
        assert_eq!(bounds(between(Filter::default(), &(2..5))), (Some(2), Some(4)));
        assert_eq!(bounds(between(Filter::default(), &(2..=5))), (Some(2), Some(5)));
        assert_eq!(bounds(between(Filter::default(), &..)), (None, None));
        for empty in [(Bound::Unbounded, Bound::Excluded(0)), (Bound::Excluded(u64::MAX), Bound::Unbounded)] {
            let (from, to) = of(empty);
            assert!(from > to, "{from:?} {to:?}");
        }
    }
}
