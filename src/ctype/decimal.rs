//! Between floating-point numbers and decimal text, exactly.

use super::float::{Float, FloatFormat, Unpacked, normalized};

/// Digits of a literal that are looked at; the rest cannot change a number of 113 bits in practice.
const MAX_LITERAL_DIGITS: usize = 200;

/// Formats a number as C's `%.<digits>g` prints it, with as many digits as tell the format's numbers apart; infinities
/// and NaNs as GDB names them: `-inf`, `nan(0x8000000000000)`.
pub fn format_float(value: Float) -> String {
    let minus = |negative: bool| if negative { "-" } else { "" };
    match value.unpack() {
        Unpacked::Invalid => "<invalid float value>".to_owned(),
        Unpacked::Infinity { negative } => format!("{}inf", minus(negative)),
        Unpacked::Nan { negative, .. } => format!("{}nan({:#x})", minus(negative), value.stored_significand()),
        Unpacked::Zero { negative } => format!("{}0", minus(negative)),
        Unpacked::Finite { negative, exponent, significand } => {
            let (digits, point) = significant_digits(exponent, significand, value.format.digits());
            format!("{}{}", minus(negative), general(&digits, point, value.format.digits()))
        }
    }
}

/// Formats a number as C's `%g` does: `digits` are the significant ones, the first of which is worth 10^`exponent`.
fn general(digits: &str, exponent: i32, precision: usize) -> String {
    let trimmed = digits.trim_end_matches('0');
    let (first, rest) = trimmed.split_at(trimmed.len().min(1));
    if exponent < -4 || exponent >= precision as i32 {
        let point = if rest.is_empty() { "" } else { "." };
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{first}{point}{rest}e{sign}{:02}", exponent.unsigned_abs());
    }
    if exponent < 0 {
        return format!("0.{}{trimmed}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    }
    let whole = exponent as usize + 1;
    match trimmed.len() > whole {
        true => format!("{}.{}", &trimmed[..whole], &trimmed[whole..]),
        false => format!("{trimmed}{}", "0".repeat(whole - trimmed.len())),
    }
}

/// Computes the first `count` decimal digits of `significand * 2^exponent`, rounded to nearest even, and the power of
/// ten of the first.
fn significant_digits(exponent: i32, significand: u128, count: usize) -> (String, i32) {
    // Without trailing zero bits the numbers stay small: 1.5 is 3 * 2^-1.
    let zeros = significand.trailing_zeros();
    let (mut number, exponent) = (Big::from(significand >> zeros), exponent + zeros as i32);
    // m / 2^k = m * 5^k / 10^k: every binary fraction is a decimal fraction.
    let shifted = if exponent < 0 {
        number.multiply_power(5, exponent.unsigned_abs());
        exponent
    } else {
        number.multiply_power(2, exponent.unsigned_abs());
        0
    };
    let mut digits = number.into_decimal().into_bytes();
    let mut power = digits.len() as i32 - 1 + shifted;
    if digits.len() > count {
        let rest = digits.split_off(count);
        let above_half = rest[0] > b'5' || (rest[0] == b'5' && rest[1..].iter().any(|d| *d != b'0'));
        let tie = rest[0] == b'5' && !above_half;
        let odd = digits.last().is_some_and(|d| d & 1 == 1);
        if above_half || (tie && odd) {
            let nines = digits.iter().rev().take_while(|d| **d == b'9').count();
            let kept = digits.len() - nines;
            digits.truncate(kept);
            match digits.last_mut() {
                Some(last) => *last += 1,
                None => {
                    digits.push(b'1');
                    power += 1;
                }
            }
        }
    }
    (String::from_utf8(digits).unwrap_or_default(), power)
}

/// Reads a decimal literal: digits with at most one point, and an optional exponent. `None` if it is not one.
pub fn parse_float(format: FloatFormat, text: &str) -> Option<Float> {
    let (number, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], parse_exponent(&text[at + 1..])?),
        None => (text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all = || whole.bytes().chain(fraction.bytes());
    if all().next().is_none() || !all().all(|d| d.is_ascii_digit()) {
        return None;
    }
    let significant: Vec<u8> = all().skip_while(|d| *d == b'0').collect();
    if significant.is_empty() {
        return Some(Float::pack(format, Unpacked::Zero { negative: false }));
    }
    let kept = &significant[..significant.len().min(MAX_LITERAL_DIGITS)];
    let dropped = (significant.len() - kept.len()) as i64;
    let power = exponent.saturating_sub(fraction.len() as i64).saturating_add(dropped);
    let magnitude = power.saturating_add(kept.len() as i64);
    // Beyond what the widest format holds (10^-4966 to 10^4932) the answer needs no arithmetic.
    if magnitude > 5000 {
        return Some(Float::pack(format, Unpacked::Infinity { negative: false }));
    }
    if magnitude < -5100 {
        return Some(Float::pack(format, Unpacked::Zero { negative: false }));
    }
    let mut numerator = Big::from_decimal(kept);
    let mut denominator = Big::from(1);
    let power = power as i32;
    if power >= 0 {
        numerator.multiply_power(5, power.unsigned_abs());
    } else {
        denominator.multiply_power(5, power.unsigned_abs());
    }
    let (quotient, exponent) = quotient(numerator, denominator);
    Some(Float::pack(format, normalized(false, exponent + power, quotient)))
}

/// Reads what follows the `0x` of C's hexadecimal floating-point literal: digits with at most one point, and a power of
/// two. `None` if it is not one, or has more digits than anybody writes.
pub fn parse_hexadecimal_float(format: FloatFormat, text: &str) -> Option<Float> {
    let (number, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let significand = u128::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    if significand == 0 {
        return Some(Float::pack(format, Unpacked::Zero { negative: false }));
    }
    let exponent = parse_exponent(exponent)? - 4 * fraction.len() as i64;
    // No format reaches as far as that.
    let exponent = exponent.clamp(-20_000, 20_000);
    Some(Float::pack(format, normalized(false, exponent as i32, significand)))
}

fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|d| d.is_ascii_digit()) {
        return None;
    }
    let value = digits.parse::<i64>().unwrap_or(1_000_000).min(1_000_000);
    Some(if text.starts_with('-') { -value } else { value })
}

/// Computes `a / b` as 127 or 128 bits and a power of two; the last bit is set if anything was lost.
fn quotient(mut a: Big, mut b: Big) -> (u128, i32) {
    // Scaled so that the quotient lies in (2^126, 2^128).
    let shift = 127 + b.bits() as i32 - a.bits() as i32;
    if shift > 0 {
        a.multiply_power(2, shift.unsigned_abs());
    } else {
        b.multiply_power(2, shift.unsigned_abs());
    }
    b.multiply_power(2, 127);
    let mut result = 0u128;
    for _ in 0..128 {
        result <<= 1;
        if a.not_less(&b) {
            a.subtract(&b);
            result |= 1;
        }
        b.halve();
    }
    (result | u128::from(!a.0.is_empty()), -shift)
}

/// An unsigned integer of any size, least significant limb first.
struct Big(Vec<u32>);

impl From<u128> for Big {
    fn from(value: u128) -> Self {
        let mut limbs: Vec<u32> = (0..4).map(|i| (value >> (32 * i)) as u32).collect();
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self(limbs)
    }
}

impl Big {
    fn from_decimal(digits: &[u8]) -> Self {
        let mut number = Self(Vec::new());
        for digit in digits {
            number.multiply_add(10, u32::from(digit - b'0'));
        }
        number
    }

    fn bits(&self) -> usize {
        self.0.last().map_or(0, |top| self.0.len() * 32 - top.leading_zeros() as usize)
    }

    fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for limb in &mut self.0 {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    /// Multiplies by `base^power`, in steps as large as a limb allows.
    fn multiply_power(&mut self, base: u32, power: u32) {
        let step = match base {
            2 => 31,
            _ => 13,
        };
        for _ in 0..power / step {
            self.multiply_add(base.pow(step), 0);
        }
        self.multiply_add(base.pow(power % step), 0);
    }

    /// Divides by `divisor` and returns the remainder.
    fn divide_small(&mut self, divisor: u32) -> u32 {
        let mut rest = 0u64;
        for limb in self.0.iter_mut().rev() {
            let value = rest << 32 | u64::from(*limb);
            *limb = (value / u64::from(divisor)) as u32;
            rest = value % u64::from(divisor);
        }
        self.trim();
        rest as u32
    }

    fn into_decimal(mut self) -> String {
        let mut groups = Vec::new();
        while !self.0.is_empty() {
            groups.push(self.divide_small(1_000_000_000));
        }
        let mut text = groups.pop().unwrap_or(0).to_string();
        for group in groups.iter().rev() {
            text.push_str(&format!("{group:09}"));
        }
        text
    }

    fn not_less(&self, other: &Self) -> bool {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev())).is_ge()
    }

    /// Subtracts what is not greater.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = 0i64;
        for (i, limb) in self.0.iter_mut().enumerate() {
            let value = i64::from(*limb) - i64::from(other.0.get(i).copied().unwrap_or(0)) + borrow;
            *limb = value as u32;
            borrow = value >> 32;
        }
        self.trim();
    }

    fn halve(&mut self) {
        self.divide_small(2);
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn double(value: f64) -> String {
        format_float(Float::from_f64(value))
    }

    #[test]
    fn doubles_are_printed_as_gdb_prints_them() {
        for (value, text) in [
            (0.1, "0.10000000000000001"),
            (1.0, "1"),
            (1e100, "1e+100"),
            (1.0 / 3.0, "0.33333333333333331"),
            (123456789.123, "123456789.123"),
            (1e16, "10000000000000000"),
            (1e17, "1e+17"),
            (100000.0, "100000"),
            (0.0001, "0.0001"),
            (0.00001, "1.0000000000000001e-05"),
            (1e-320, "9.9998886718268301e-321"),
            (0.1 + 0.2, "0.30000000000000004"),
            (-2.5, "-2.5"),
            (0.0, "0"),
            (-0.0, "-0"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (1e23, "9.9999999999999992e+22"),
        ] {
            assert_eq!(double(value), text);
        }
        assert_eq!(double(f64::from_bits(0x7ff8_0000_0000_0000)), "nan(0x8000000000000)");
    }

    #[test]
    fn other_formats_are_printed_with_their_own_digits() {
        let printed = |format, text: &str| format_float(parse_float(format, text).unwrap());
        for (format, literal, text) in [
            (FloatFormat::Single, "0.1", "0.100000001"),
            (FloatFormat::Single, "1e30", "1.00000002e+30"),
            (FloatFormat::Single, "1e-45", "1.40129846e-45"),
            (FloatFormat::Single, "123456789.0", "123456792"),
            (FloatFormat::Single, "1e39", "inf"),
            (FloatFormat::X87, "0.1", "0.100000000000000000001"),
            (FloatFormat::X87, "1e4000", "9.99999999999999999997e+3999"),
            (FloatFormat::X87, "1e-4940", "9.99999999996053252001e-4941"),
            (FloatFormat::X87, "123456789012345678901234567890.0", "1.234567890123456789e+29"),
            (FloatFormat::X87, "1e5000", "inf"),
            (FloatFormat::Quad, "0.1", "0.100000000000000000000000000000000005"),
            (FloatFormat::Half, "0.1", "0.099976"),
            (FloatFormat::Double, "1e9999999999", "inf"),
            (FloatFormat::Double, "1e-9999999999", "0"),
        ] {
            assert_eq!(printed(format, literal), text);
        }
    }

    #[test]
    fn what_is_not_a_literal_is_refused() {
        for text in ["", ".", "e5", "1e", "1e+", "1.2.3", "0x1", "1_000", "-1"] {
            assert_eq!(parse_float(FloatFormat::Double, text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_printed_double_reads_back(bits in any::<u64>()) {
            let value = f64::from_bits(bits).abs();
            prop_assume!(value.is_finite());
            let text = double(value);
            prop_assert_eq!(parse_float(FloatFormat::Double, &text).map(|f| f.bits), Some(u128::from(value.to_bits())));
        }

        #[test]
        fn literals_are_read_as_rust_reads_them(text in "[0-9]{1,25}(\\.[0-9]{0,25})?(e-?[0-9]{1,3})?") {
            let expected = text.parse::<f64>().unwrap().to_bits();
            prop_assert_eq!(parse_float(FloatFormat::Double, &text).unwrap().bits, u128::from(expected));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*") {
            let _ = parse_float(FloatFormat::X87, &text);
        }
    }
}
