//! The lives of blocks at one place, from the calls that allocated and freed them.

use std::collections::BTreeMap;

/// A call that allocated or freed a block; both, if it gave it another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// When, by the number of a hit: when an allocation has returned, when a free begins.
    pub(super) order: u64,
    /// The number of the call.
    pub(super) call: usize,
    pub(super) what: What,
    /// It was before the moment that is asked about.
    pub(super) is_past: bool,
    /// It was before the pointer was set, if that is known.
    pub(super) is_before_pointer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A block from an address on, of so many bytes.
    Made {
        base: u64,
        size: u64,
    },
    Freed {
        base: u64,
    },
}

/// A block, from the call that allocated it to the one that freed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) base: u64,
    pub(super) size: u64,
    pub(super) made: usize,
    pub(super) freed: Option<usize>,
    /// It lived when the pointer was set.
    pub(super) is_meant: bool,
}

/// The blocks that were at an address up to a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lives {
    /// In the order in which they were allocated.
    pub(super) all: Vec<Span>,
    /// The last call that freed what was free already: the start of the block that had been there, if there was one.
    pub(super) again: Option<(u64, usize)>,
}

impl Lives {
    /// Finds the lives of the blocks that these calls are of.
    pub(super) fn of(mut events: Vec<Event>) -> Self {
        events.sort_by_key(|event| event.order);
        let mut lives = Self::default();
        // Those that live, by their start: which of all it is.
        let mut open: BTreeMap<u64, usize> = BTreeMap::new();
        for event in events {
            match event.what {
                What::Made { base, size } if event.is_past => {
                    open.insert(base, lives.all.len());
                    let is_meant = event.is_before_pointer;
                    lives.all.push(Span { base, size, made: event.call, freed: None, is_meant });
                }
                What::Freed { base } if event.is_past => {
                    match open.remove(&base).and_then(|at| lives.all.get_mut(at)) {
                        Some(span) => {
                            span.freed = Some(event.call);
                            span.is_meant &= !event.is_before_pointer;
                            lives.again = None;
                        }
                        None => lives.again = Some((base, event.call)),
                    }
                }
                What::Made { .. } | What::Freed { .. } => {}
            }
        }
        lives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(order: u64, base: u64, size: u64) -> Event {
        Event {
            order,
            call: order as usize,
            what: What::Made { base, size },
            is_past: order < 100,
            is_before_pointer: order < 4,
        }
    }

    fn freed(order: u64, base: u64) -> Event {
        Event {
            order,
            call: order as usize,
            what: What::Freed { base },
            is_past: order < 100,
            is_before_pointer: order < 4,
        }
    }

    #[test]
    fn a_block_lives_from_its_allocation_to_its_free_and_its_address_is_given_again() {
        let lives = Lives::of(vec![freed(3, 16), made(1, 16, 8), made(5, 16, 4), made(101, 16, 9), freed(102, 16)]);
        let spans: Vec<_> = lives.all.iter().map(|span| (span.size, span.made, span.freed)).collect();
        assert_eq!(spans, [(8, 1, Some(3)), (4, 5, None)]);
        assert_eq!(lives.again, None);
    }

    #[test]
    fn a_pointer_means_the_block_that_lived_when_it_was_set() {
        let meant = |events| Lives::of(events).all.iter().map(|span| span.is_meant).collect::<Vec<_>>();
        assert_eq!(
            meant(vec![made(1, 16, 8), freed(2, 16), made(3, 16, 4), freed(5, 16), made(6, 16, 2)]),
            [false, true, false]
        );
    }

    #[test]
    fn what_is_free_is_freed_again() {
        assert_eq!(Lives::of(vec![made(1, 16, 8), freed(2, 16), freed(4, 16)]).again, Some((16, 4)));
        // A block that was given again since then is another one.
        assert_eq!(Lives::of(vec![freed(2, 16), made(3, 16, 8), freed(4, 16)]).again, None);
    }
}
