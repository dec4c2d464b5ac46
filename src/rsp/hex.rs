//! Hexadecimal spelling, the alphabet of every textual packet.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Encodes bytes as two lower-case digits for each byte.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// Decodes the value of one digit, either case.
pub(super) fn digit(c: u8) -> Option<u8> {
    match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        b'A'..=b'F' => Some(c - b'A' + 10),
        _ => None,
    }
}

/// Decodes the value of exactly two digits.
pub(super) fn byte(high: u8, low: u8) -> Option<u8> {
    Some((digit(high)? << 4) | digit(low)?)
}

/// Decodes the bytes spelled by pairs of digits; `None` for an odd length or anything that is not a digit.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) {
        return None;
    }
    text.chunks_exact(2).map(|pair| byte(pair[0], pair[1])).collect()
}

/// Parses a number of 1 to 16 digits, most significant first.
pub(super) fn number(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 16 {
        return None;
    }
    text.iter().try_fold(0u64, |n, c| Some((n << 4) | u64::from(digit(*c)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spells_bytes_in_lower_case() {
        assert_eq!(encode(&[0x00, 0x9f, 0xff]), "009fff");
        assert_eq!(decode(b"009fFF"), Some(vec![0x00, 0x9f, 0xff]));
    }

    #[test]
    fn rejects_what_is_not_hex() {
        assert_eq!(decode(b"0"), None);
        assert_eq!(decode(b"0g"), None);
        assert_eq!(number(b""), None);
        assert_eq!(number(b"-1"), None);
        assert_eq!(number(b"10000000000000000"), None);
    }

    #[test]
    fn reads_numbers_up_to_64_bits() {
        assert_eq!(number(b"ffffffffffffffff"), Some(u64::MAX));
        assert_eq!(number(b"7ffe10"), Some(0x7f_fe10));
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(decode(encode(&bytes).as_bytes()), Some(bytes));
        }
    }
}
