//! The events from which a moment can be reached forward.

/// So many events before the first one are tried one by one.
const NEAR: u64 = 8;

/// Yields an event, and then earlier ones: the eight before it, then those that are 16, 32, 64 … before it, and at last
/// the first one.
///
/// The nearest event from which a moment is reached is the cheapest one to begin at. But a tick can hold any number of
/// events: rr records one for each growth of the stack, and a recursion may have no conditional branch in it.
pub(crate) fn events_backward(event: u64, first: u64) -> impl Iterator<Item = u64> {
    let near = (0..=NEAR).map_while(move |back| event.checked_sub(back));
    let far = std::iter::successors(Some(NEAR * 2), |back| back.checked_mul(2))
        .map_while(move |back| event.checked_sub(back));
    let mut is_done = event < first;
    near.chain(far).chain(std::iter::once(first)).map_while(move |event| {
        if is_done {
            return None;
        }
        is_done = event <= first;
        Some(event.max(first))
    })
}

#[cfg(test)]
mod tests {
    use super::events_backward;

    fn all(event: u64, first: u64) -> Vec<u64> {
        events_backward(event, first).collect()
    }

    #[test]
    fn it_goes_back_faster_and_faster_and_ends_at_the_first_event() {
        assert_eq!(all(100, 1), [100, 99, 98, 97, 96, 95, 94, 93, 92, 84, 68, 36, 1]);
        assert_eq!(all(10, 3), [10, 9, 8, 7, 6, 5, 4, 3]);
        assert_eq!(all(5, 0), [5, 4, 3, 2, 1, 0]);
        assert_eq!(all(16, 0), [16, 15, 14, 13, 12, 11, 10, 9, 8, 0]);
        assert_eq!(all(7, 7), [7]);
        assert!(all(6, 7).is_empty());
        assert_eq!(all(u64::MAX, u64::MAX - 1), [u64::MAX, u64::MAX - 1]);
        assert_eq!(all(u64::MAX, 0).len(), 70);
    }
}
