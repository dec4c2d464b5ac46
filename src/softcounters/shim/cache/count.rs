//! How the remaining count is represented in its slot.

/// The most branches that are lent to a thread at once.
pub const MOST: u64 = (1 << 48) - 1;

/// What is in the slot beside the count: so the upper half of the slot is zero if and only if the count is used up, by
/// less than this.
const BESIDE: u64 = (1 << 32) - 1;

/// Returns the value of the slot if `remaining` branches are to be executed before the overflow; at least 1.
pub fn slot_from_remaining(remaining: u64) -> u64 {
    remaining.wrapping_add(BESIDE)
}

/// Returns the inverse of [`slot_from_remaining`]: what the counting code has left. A block that lowers the count where
/// it is left may have made it negative.
pub fn remaining_from_slot(slot: u64) -> u64 {
    slot.wrapping_sub(BESIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_half_tells_that_the_count_is_used_up() {
        for remaining in [1, 2, 47, 1 << 31, 1 << 32, 1 << 40, MOST] {
            assert_ne!(slot_from_remaining(remaining) >> 32, 0, "{remaining}");
        }
        for too_many in [0u64, 1, 2, 47, 1 << 20] {
            assert_eq!(slot_from_remaining(too_many.wrapping_neg()) >> 32, 0, "{too_many}");
        }
        assert_eq!(remaining_from_slot(slot_from_remaining(5) - 7), 2u64.wrapping_neg());
    }
}
