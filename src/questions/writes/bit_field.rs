//! Writes to bytes that hold a bit-field, and others beside it.
//!
//! Code that writes to a bit-field reads the bytes, changes some of their bits and writes all of them. So each of these
//! writes is one to all bit-fields there, and which one was meant shows only in the bits that have changed.

use ctype::Bits;
use softcounters::probes::Written;

/// Returns whether a write changed an object that begins at an address, or the bits of it that a bit-field has.
pub(crate) fn is_change(written: &Written, address: u64, bits: Option<Bits>) -> bool {
    let Some(bits) = bits.filter(|_| written.before.len() == written.after.len()) else { return written.is_change() };
    written.is_change()
        && (0..bits.bytes()).any(|own| {
            let byte = address.wrapping_add(own).wrapping_sub(written.address);
            let of = |bytes: &[u8]| {
                let byte = usize::try_from(byte).ok().and_then(|byte| bytes.get(byte).copied())?;
                Some(byte & bits.mask(own))
            };
            // Of what is longer than what is told of it, nobody knows.
            byte < written.length
                && of(&written.before).zip(of(&written.after)).is_none_or(|(before, after)| before != after)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use softcounters::probes::{Access, Values, Writer};

    fn written(address: u64, before: &[u8], after: &[u8]) -> Written {
        Written {
            watch: 0,
            thread: Some(1),
            ticks: 0,
            space: None,
            events: None,
            writer: Writer::System,
            access: Access::Write,
            is_locked: false,
            is_again: false,
            visit: None,
            address,
            length: before.len() as u64,
            before: before.to_vec(),
            after: after.to_vec(),
            values: Values::default(),
        }
    }

    #[test]
    fn only_its_own_bits_make_a_change_of_a_bit_field() {
        let bits = Some(Bits::new(5, 4));
        let is_change = |address, before: &[u8], after: &[u8]| is_change(&written(address, before, after), 0x100, bits);
        assert!(is_change(0x100, &[0x00, 0], &[0x20, 0]) && is_change(0x100, &[0, 0], &[0, 1]));
        assert!(!is_change(0x100, &[0x00, 0], &[0x1f, 2]), "bits before and behind");
        assert!(is_change(0x101, &[0], &[1]) && !is_change(0x101, &[0], &[2]) && !is_change(0x102, &[0], &[1]));
        assert!(is_change(0xff, &[0, 0], &[0, 0x80]) && !is_change(0xff, &[0, 0], &[0x80, 0]));
        assert!(super::is_change(&written(0x100, &[0, 0], &[1, 0]), 0x100, None));
    }
}
