//! Hashing of names.

/// Mixes a word into a hash.
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let wide = u128::from(hash ^ 0x9e37_79b9_7f4a_7c15) * u128::from(word ^ 0xd6e8_feb8_6659_fd93 | 1);
    (wide as u64 ^ (wide >> 64) as u64).rotate_left(23).wrapping_add(word)
}
