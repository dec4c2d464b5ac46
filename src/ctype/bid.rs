//! Decimal floating-point numbers, `_Decimal64` and its kin, in the binary encoding of IEEE 754-2008 (section 3.5.2) that
//! the psABIs of x86-64 and AArch64 prescribe: a coefficient in binary, and a power of ten.

use std::cmp::Ordering;
use std::fmt;

/// Writes a number of 4, 8 or 16 bytes, the least significant first, as the standard's `to-scientific-string` does;
/// `None` for other sizes.
pub(super) fn decimal_text(bytes: &[u8]) -> Option<String> {
    let format = Format::of(bytes.len())?;
    let bits = bits_of(bytes)?;
    let sign = if format.is_negative(bits) { "-" } else { "" };
    Some(match bits >> (format.bits - 6) & 0x1f {
        0x1f => format!("{sign}{}", nan(bits, &format)),
        0x1e => format!("{sign}Infinity"),
        _ => format.decode(bits).to_string(),
    })
}

fn bits_of(bytes: &[u8]) -> Option<u128> {
    let mut wide = [0u8; 16];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u128::from_le_bytes(wide))
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

    const fn is_negative(&self, bits: u128) -> bool {
        bits >> (self.bits - 1) & 1 != 0
    }

    /// Reads the bits of a finite number.
    fn decode(&self, bits: u128) -> Decimal {
        // Two set bits behind the sign: the coefficient has three leading bits, 100, that are not stored.
        let is_large = bits >> (self.bits - 3) & 3 == 3;
        let stored = self.bits - 1 - self.exponent - if is_large { 2 } else { 0 };
        let implied = if is_large { 1 << (stored + 2) } else { 0 };
        let exponent = low(bits >> stored, self.exponent) as i32 - self.bias;
        let coefficient = self.canonical(low(bits, stored) | implied);
        Decimal { negative: self.is_negative(bits), coefficient, exponent }
    }

    /// Writes a number whose coefficient and exponent are in range as bits.
    fn encode(&self, number: Decimal) -> u128 {
        let sign = u128::from(number.negative) << (self.bits - 1);
        let exponent = number.exponent.saturating_add(self.bias).unsigned_abs();
        let stored = self.bits - 1 - self.exponent;
        match number.coefficient >> stored {
            0 => sign | u128::from(exponent) << stored | number.coefficient,
            _ => {
                sign | 3 << (self.bits - 3) | u128::from(exponent) << (stored - 2) | low(number.coefficient, stored - 2)
            }
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

/// A finite decimal number: a coefficient, and a power of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    coefficient: u128,
    exponent: i32,
}

impl Decimal {
    /// Reads a number of 4, 8 or 16 bytes, the least significant first; `None` for other sizes, and for what is not
    /// finite.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let format = Format::of(bytes.len())?;
        let bits = bits_of(bytes)?;
        let is_finite = bits >> (format.bits - 6) & 0x1e != 0x1e;
        is_finite.then(|| format.decode(bits))
    }

    /// Makes a decimal number of an integer.
    pub const fn from_integer(negative: bool, magnitude: u128) -> Self {
        Self { negative, coefficient: magnitude, exponent: 0 }
    }

    /// Writes it as a number of so many bytes; `None` if it has too many digits for that, or is too large or too small.
    pub fn to_bytes(self, size: usize) -> Option<Vec<u8>> {
        let format = Format::of(size)?;
        let Self { negative, mut coefficient, mut exponent } = self;
        let (least, most) = (-format.bias, (3 << (format.exponent - 2)) - 1 - format.bias);
        let is_full = |coefficient: u128| coefficient >= 10u128.pow(format.digits);
        if coefficient == 0 {
            exponent = exponent.clamp(least, most);
        }
        while (is_full(coefficient) || exponent < least) && coefficient.is_multiple_of(10) {
            (coefficient, exponent) = (coefficient / 10, exponent.checked_add(1)?);
        }
        while exponent > most && !is_full(coefficient) {
            (coefficient, exponent) = (coefficient.checked_mul(10)?, exponent - 1);
        }
        if is_full(coefficient) || !(least..=most).contains(&exponent) {
            return None;
        }
        let bits = format.encode(Self { negative, coefficient, exponent });
        Some(bits.to_le_bytes().get(..size)?.to_vec())
    }

    /// Returns it as a sign and a whole number, without what is behind the point; `None` if it is too large.
    pub fn truncated(self) -> Option<(bool, u128)> {
        let scale = 10u128.checked_pow(self.exponent.unsigned_abs());
        let whole = match (scale, self.exponent < 0) {
            (Some(scale), true) => self.coefficient / scale,
            (Some(scale), false) => self.coefficient.checked_mul(scale)?,
            // There are no digits before the point.
            (None, true) => 0,
            (None, false) if self.coefficient == 0 => 0,
            (None, false) => return None,
        };
        Some((self.negative && whole != 0, whole))
    }

    /// Returns whether it is not zero.
    pub const fn is_nonzero(self) -> bool {
        self.coefficient != 0
    }

    /// Returns the same with the other sign.
    pub const fn negated(self) -> Self {
        Self { negative: !self.negative, ..self }
    }

    /// Computes the exact sum; `None` if it has too many digits.
    pub fn plus(self, other: Self) -> Option<Self> {
        if !self.is_nonzero() || !other.is_nonzero() {
            return match (self.is_nonzero(), other.is_nonzero()) {
                (true, _) => Some(self),
                (_, true) => Some(other),
                _ => Some(Self {
                    negative: self.negative && other.negative,
                    exponent: self.exponent.min(other.exponent),
                    ..self
                }),
            };
        }
        let exponent = self.exponent.min(other.exponent);
        let (a, b) = (self.signed_at(exponent)?, other.signed_at(exponent)?);
        let sum = a.checked_add(b)?;
        Some(Self { negative: sum < 0, coefficient: sum.unsigned_abs(), exponent })
    }

    /// Computes the exact product; `None` if it has too many digits.
    pub fn times(self, other: Self) -> Option<Self> {
        let negative = self.negative != other.negative;
        let exponent = self.exponent.checked_add(other.exponent)?;
        if let Some(coefficient) = self.coefficient.checked_mul(other.coefficient) {
            return Some(Self { negative, coefficient, exponent });
        }
        let (a, b) = (self.without_zeros(), other.without_zeros());
        let coefficient = a.coefficient.checked_mul(b.coefficient)?;
        Some(Self { negative, coefficient, exponent: a.exponent.checked_add(b.exponent)? })
    }

    fn without_zeros(mut self) -> Self {
        while self.coefficient != 0 && self.coefficient.is_multiple_of(10) {
            (self.coefficient, self.exponent) = (self.coefficient / 10, self.exponent + 1);
        }
        self
    }

    /// Returns the coefficient with its sign that it has with another, lower exponent.
    fn signed_at(self, exponent: i32) -> Option<i128> {
        let scale = 10i128.checked_pow(self.exponent.checked_sub(exponent)?.try_into().ok()?)?;
        let whole = i128::try_from(self.coefficient).ok()?.checked_mul(scale)?;
        Some(if self.negative { -whole } else { whole })
    }

    /// Orders two numbers by their values.
    pub fn order(self, other: Self) -> Ordering {
        let sign = |number: Self| match (number.coefficient, number.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        match sign(self).cmp(&sign(other)) {
            Ordering::Equal if self.negative => other.magnitude_order(self),
            Ordering::Equal => self.magnitude_order(other),
            unequal => unequal,
        }
    }

    fn magnitude_order(self, other: Self) -> Ordering {
        if self.exponent < other.exponent {
            return other.magnitude_order(self).reverse();
        }
        if self.coefficient == 0 || other.coefficient == 0 {
            return self.coefficient.cmp(&other.coefficient);
        }
        let scale = u32::try_from(i64::from(self.exponent) - i64::from(other.exponent));
        let scaled = scale.ok().and_then(|scale| 10u128.checked_pow(scale)?.checked_mul(self.coefficient));
        // What no coefficient holds is greater than all of them.
        scaled.map_or(Ordering::Greater, |scaled| scaled.cmp(&other.coefficient))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        let (digits, exponent) = (self.coefficient.to_string(), self.exponent);
        let after_first = exponent + digits.len() as i32 - 1;
        if exponent > 0 || after_first < -6 {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            return write!(f, "{first}{point}{rest}E{after_first:+}");
        }
        let fraction = exponent.unsigned_abs() as usize;
        if fraction == 0 {
            return f.write_str(&digits);
        }
        let digits = format!("{digits:0>width$}", width = fraction + 1);
        let (whole, fraction) = digits.split_at(digits.len() - fraction);
        write!(f, "{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn exact_arithmetic_is_that_of_the_standard() {
        let number = |negative, coefficient, exponent| Decimal { negative, coefficient, exponent };
        let (a, b) = (number(false, 110, -2), number(true, 225, -2));
        let text = |value: Option<Decimal>| value.unwrap().to_string();
        assert_eq!(text(a.plus(Decimal::from_integer(false, 1))), "2.10");
        assert_eq!(text(a.plus(b)), "-1.15");
        assert_eq!(text(a.plus(a.negated())), "0.00");
        assert_eq!(text(a.times(b)), "-2.4750");
        assert_eq!(a.plus(number(false, 1, 385)), None);
        assert_eq!(number(false, 100, 0).order(number(false, 1, 2)), Ordering::Equal);
        assert_eq!(number(true, 1, 385).order(number(true, 9, -398)), Ordering::Less);
        assert_eq!(number(true, 0, 3).order(number(false, 0, -3)), Ordering::Equal);
        assert_eq!(number(true, 1999, -3).truncated(), Some((true, 1)));
        assert_eq!(number(false, 1, -400).truncated(), Some((false, 0)));
        assert_eq!(number(false, 1, 39).truncated(), None);
        for size in [4, 8, 16] {
            let format = Format::of(size).unwrap();
            for value in
                [a, b, number(true, 10u128.pow(format.digits) - 1, 5), number(false, 0, -7), number(false, 3, 0)]
            {
                let bytes = value.to_bytes(size).unwrap();
                assert_eq!(Decimal::from_bytes(&bytes), Some(value));
                assert_eq!(decimal_text(&bytes).unwrap(), value.to_string());
            }
            // Digits behind the last one that there is room for are kept only if they are zeros.
            let full = 10u128.pow(format.digits);
            let wide = number(false, full, 0).to_bytes(size).unwrap();
            assert_eq!(Decimal::from_bytes(&wide), Some(number(false, full / 10, 1)));
            assert_eq!(number(false, full + 1, 0).to_bytes(size), None);
            assert_eq!(number(false, 1, 20_000).to_bytes(size), None);
            assert_eq!(number(false, 1, -20_000).to_bytes(size), None);
        }
        assert_eq!(
            number(false, 1, 96).to_bytes(4).and_then(|b| Decimal::from_bytes(&b)),
            Some(number(false, 1_000_000, 90))
        );
        assert_eq!(Decimal::from_bytes(&(0x1eu32 << 26).to_le_bytes()), None);
    }
}
