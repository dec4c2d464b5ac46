//! Which hits a question is about.

use crate::questions::Filter;
use std::ops::{Bound, RangeBounds};

/// Restricts a filter to moments between events of the recording.
pub(super) fn between(filter: Filter, events: &impl RangeBounds<u64>) -> Filter {
    let from = match events.start_bound() {
        Bound::Included(from) => Some(*from),
        Bound::Excluded(before) => Some(before.saturating_add(1)),
        Bound::Unbounded => None,
    };
    let to = match events.end_bound() {
        Bound::Included(to) => Some(*to),
        Bound::Excluded(behind) => Some(behind.saturating_sub(1)),
        Bound::Unbounded => None,
    };
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
