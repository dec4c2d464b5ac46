//! How the remaining count is represented in its slot.

/// The value of the slot if `remaining` branches are to be executed before the overflow; at least 1.
pub fn slot_from_remaining(remaining: u64) -> u64 {
    remaining
}

/// The inverse of [`slot_from_remaining`]: what the counting code has left.
pub fn remaining_from_slot(slot: u64) -> u64 {
    slot
}
