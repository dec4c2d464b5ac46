//! Made-up values that say which register they were made of.
//!
//! Debug info that is asked about a frame with such values answers where a thing is in terms of registers. It is asked
//! twice, with both looks: what depends on a value instead of a place (an index, an address that is rounded down) differs
//! between them, and nothing but the sum of a place and a constant is recognised in both.

/// How the values look: number `n` is `base + (n << shift) + salt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    base: u64,
    shift: u32,
    /// Bits by which a value that was rounded down shows.
    salt: u64,
}

/// Two looks in which nothing but a place is the same.
pub const LOOKS: [Look; 2] = [
    Look { base: 0x0100_0000_0000_0000, shift: 33, salt: 0x2a43 },
    Look { base: 0x0230_0000_0000_0000, shift: 35, salt: 0x1775 },
];

impl Look {
    /// Returns the value of a number below 2^20.
    pub const fn value(self, number: usize) -> u64 {
        self.base + ((number as u64) << self.shift) + self.salt
    }

    /// Returns the low byte of the bits that are the same in all values.
    pub const fn low_byte(self) -> u8 {
        self.salt.to_le_bytes()[0]
    }

    /// Returns the number and the offset (of less than 2^32 either way) that an address was made of.
    ///
    /// A number may be one that nobody has given out: the caller knows how many there are.
    pub fn recognise(self, address: u64) -> Option<(usize, i64)> {
        let from_first = i128::from(address) - i128::from(self.base) - i128::from(self.salt);
        let half = 1i128 << (self.shift - 1);
        let number = (from_first + half) >> self.shift;
        let offset = i64::try_from(from_first - (number << self.shift)).ok()?;
        Some((usize::try_from(number).ok()?, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_and_offsets_are_recognised(number in 0usize..=127, offset in -(1i64 << 31)..(1i64 << 31)) {
            for look in LOOKS {
                let address = look.value(number).wrapping_add_signed(offset);
                prop_assert_eq!(look.recognise(address), Some((number, offset)));
            }
        }

        #[test]
        fn any_address(address: u64) {
            let _ = LOOKS.map(|look| look.recognise(address));
        }

        #[test]
        fn a_value_that_is_rounded_down_differs(number in 0usize..=127, bits in 4u32..=12) {
            let [first, second] = LOOKS.map(|look| look.recognise(look.value(number) & (u64::MAX << bits)));
            prop_assert_ne!(first, second);
        }
    }

    #[test]
    fn an_ordinary_address_is_no_number() {
        for look in LOOKS {
            assert_eq!(look.recognise(0x5555_5555_8010), None);
            assert_eq!(look.recognise(0), None);
        }
    }
}
