//! Decimal floating-point numbers, `_Decimal64` and its kin, in the binary encoding of IEEE 754-2008 (section 3.5.2) that
//! the psABIs of x86-64 and AArch64 prescribe: a coefficient in binary, and a power of ten.

/// Writes a number of 4, 8 or 16 bytes, the least significant first, as the standard's `to-scientific-string` does;
/// `None` for other sizes.
pub(super) fn decimal_text(bytes: &[u8]) -> Option<String> {
    let format = Format::of(bytes.len())?;
    let mut wide = [0u8; 16];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u128::from_le_bytes(wide);
    let sign = if bits >> (format.bits - 1) & 1 != 0 { "-" } else { "" };
    let text = match bits >> (format.bits - 6) & 0x1f {
        0x1f => nan(bits, &format),
        0x1e => "Infinity".to_owned(),
        _ => finite(bits, &format),
    };
    Some(format!("{sign}{text}"))
}

/// How the numbers of one size are encoded.
struct Format {
    /// Size in bits.
    bits: u32,
    /// Bits of the exponent.
    exponent: u32,
    bias: i32,
    /// Decimal digits of the coefficient.
    digits: u32,
}

impl Format {
    fn of(size: usize) -> Option<Self> {
        match size {
            4 => Some(Self { bits: 32, exponent: 8, bias: 101, digits: 7 }),
            8 => Some(Self { bits: 64, exponent: 10, bias: 398, digits: 16 }),
            16 => Some(Self { bits: 128, exponent: 14, bias: 6176, digits: 34 }),
            _ => None,
        }
    }

    /// Returns a coefficient; one of more digits than there can be is zero.
    fn canonical(&self, coefficient: u128) -> u128 {
        if coefficient < 10u128.pow(self.digits) { coefficient } else { 0 }
    }
}

const fn low(bits: u128, count: u32) -> u128 {
    bits & ((1 << count) - 1)
}

fn nan(bits: u128, format: &Format) -> String {
    let signals = bits >> (format.bits - 7) & 1 != 0;
    // What the number says of its origin has one digit less than a coefficient.
    let payload = low(bits, format.bits - format.exponent - 4);
    let payload = if payload < 10u128.pow(format.digits - 1) { payload } else { 0 };
    let digits = if payload == 0 { String::new() } else { payload.to_string() };
    format!("{}NaN{digits}", if signals { "s" } else { "" })
}

fn finite(bits: u128, format: &Format) -> String {
    // Two set bits behind the sign: the coefficient has three leading bits, 100, that are not stored.
    let is_large = bits >> (format.bits - 3) & 3 == 3;
    let stored = format.bits - 1 - format.exponent - if is_large { 2 } else { 0 };
    let implied = if is_large { 1 << (stored + 2) } else { 0 };
    let exponent = low(bits >> stored, format.exponent) as i32 - format.bias;
    let digits = format.canonical(low(bits, stored) | implied).to_string();
    let after_first = exponent + digits.len() as i32 - 1;
    if exponent > 0 || after_first < -6 {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{first}{point}{rest}E{after_first:+}");
    }
    let fraction = exponent.unsigned_abs() as usize;
    if fraction == 0 {
        return digits;
    }
    let digits = format!("{digits:0>width$}", width = fraction + 1);
    let (whole, fraction) = digits.split_at(digits.len() - fraction);
    format!("{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::decimal_text;

    fn single(bits: u32) -> String {
        decimal_text(&bits.to_le_bytes()).unwrap()
    }

    fn double(bits: u64) -> String {
        decimal_text(&bits.to_le_bytes()).unwrap()
    }

    #[test]
    fn numbers_are_written_as_the_standard_has_it() {
        let one = 398u64 << 53;
        assert_eq!(double(one | 1), "1");
        assert_eq!(double(one), "0");
        assert_eq!(double((395 << 53) | 7500), "7.500");
        assert_eq!(double(1 << 63 | 396 << 53 | 750), "-7.50");
        assert_eq!(double(395 << 53), "0.000");
        assert_eq!(double(391 << 53 | 1), "1E-7");
        assert_eq!(double(392 << 53 | 1), "0.000001");
        assert_eq!(double(400 << 53 | 123), "1.23E+4");
        assert_eq!(double(1), "1E-398");
        assert_eq!(double(0b11 << 61 | 403 << 51 | (9_999_999_999_999_999 & ((1 << 51) - 1))), "9.999999999999999E+20");
        assert_eq!(single(101 << 23 | 125), "125");
        assert_eq!(single(0b11 << 29 | 191 << 21 | (9_999_999 & ((1 << 21) - 1))), "9.999999E+96");
        let quad = (6176 - 33) << 113 | 1_234_567_890_123_456_789_012_345_678_901_234u128;
        assert_eq!(decimal_text(&quad.to_le_bytes()).unwrap(), "1.234567890123456789012345678901234");
    }

    #[test]
    fn what_is_no_number_says_so() {
        assert_eq!(double(0x78 << 56), "Infinity");
        assert_eq!(double(0xf8 << 56), "-Infinity");
        assert_eq!(double(0x7c << 56), "NaN");
        assert_eq!(double(0x7e << 56 | 12), "sNaN12");
        // A coefficient of too many digits.
        assert_eq!(double(0b11 << 61 | 398 << 51 | ((1 << 51) - 1)), "0");
        assert_eq!(decimal_text(&[0; 3]), None);
        for bits in [u128::MAX, u128::MAX >> 1, 0b11 << 125] {
            assert!(decimal_text(&bits.to_le_bytes()).is_some());
        }
    }
}
