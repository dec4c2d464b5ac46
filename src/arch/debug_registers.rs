//! What watching memory and code costs the processor.

use super::Arch;

/// Debug registers of an x86 processor, shared by all watchpoints and hardware breakpoints.
pub const DEBUG_REGISTERS: u64 = 4;

impl Arch {
    /// Returns the size in bytes of the instruction that a software breakpoint puts into the code.
    pub fn trap_size(self) -> u64 {
        match self {
            Self::X86_64 => 1,
            Self::Aarch64 => 4,
        }
    }
}

/// Returns how many debug registers it takes to watch a range: each covers an aligned word of one, two, four or eight
/// bytes.
pub fn debug_registers(address: u64, size: u64) -> u64 {
    let (mut at, mut left, mut count) = (address, size, 0);
    while left > 0 {
        if at.is_multiple_of(8) && left >= 8 {
            // Whole words at once: a size may be anything that debug info says.
            count += left / 8;
            at = at.wrapping_add(left & !7);
            left %= 8;
            continue;
        }
        let aligned = 1 << at.trailing_zeros().min(3);
        let fits = 1u64 << left.ilog2().min(3);
        let piece = aligned.min(fits);
        at = at.wrapping_add(piece);
        left -= piece;
        count += 1;
    }
    count
}

/// Returns how many debug registers it takes to watch a range for writes alone. rr watches the aligned words around it
/// where that takes fewer, since it looks at what has changed; at what is read it cannot.
pub fn debug_registers_for_writes(address: u64, size: u64) -> u64 {
    let word = size.clamp(1, 8).next_power_of_two();
    let start = address & !(word - 1);
    let around = size.saturating_add(address - start).div_ceil(word).saturating_mul(word);
    debug_registers(address, size).min(debug_registers(start, around))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_watched_in_the_words_around() {
        assert_eq!(debug_registers_for_writes(0x1000, 5), 1);
        assert_eq!(debug_registers_for_writes(0x1001, 7), 1);
        assert_eq!(debug_registers_for_writes(0x1001, 3), 1);
        assert_eq!(debug_registers_for_writes(0x1002, 3), 1);
        // The words around have the size of the range, rounded up: two of two bytes each.
        assert_eq!(debug_registers_for_writes(0x1003, 2), 2);
        assert_eq!(debug_registers_for_writes(0x1007, 2), 2);
        assert_eq!(debug_registers_for_writes(0x1001, 8), 2);
        assert_eq!(debug_registers_for_writes(0x1001, 12), 2);
        assert_eq!(debug_registers_for_writes(0x1001, u64::MAX), 3 + (u64::MAX - 7) / 8);
        assert_eq!([debug_registers_for_writes(0x1001, 1), debug_registers_for_writes(0x1001, 0)], [1, 0]);
    }

    #[test]
    fn ranges_are_covered_by_aligned_words() {
        assert_eq!(debug_registers(0x1000, 8), 1);
        assert_eq!(debug_registers(0x1000, 4), 1);
        assert_eq!(debug_registers(0x1004, 8), 2);
        assert_eq!(debug_registers(0x1000, 32), 4);
        assert_eq!(debug_registers(0x1000, 33), 5);
        assert_eq!(debug_registers(0x1001, u64::MAX), 3 + (u64::MAX - 7) / 8);
        assert_eq!(debug_registers(0x1001, 1), 1);
        assert_eq!(debug_registers(0x1001, 3), 2);
        assert_eq!(debug_registers(0x1000, 12), 2);
        assert_eq!(debug_registers(0x1000, 0), 0);
    }
}
