//! How the remaining count is represented in its slot.

/// The most branches that are lent to a thread at once. By more the upper 16 bits of the slot would not be zero, which
/// is what an unrolled loop takes for too few (see [`unroll`](super::unroll)).
pub const MOST: u64 = (1 << 48) - 1;

/// Returns the value of the slot if `remaining` branches are to be executed before the overflow; at least 1.
pub fn slot_from_remaining(remaining: u64) -> u64 {
    remaining
}

/// Returns the inverse of [`slot_from_remaining`]: what the counting code has left.
pub fn remaining_from_slot(slot: u64) -> u64 {
    slot
}
