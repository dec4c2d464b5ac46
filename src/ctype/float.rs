//! Floating-point numbers in the target's formats, computed exactly as the target would: IEEE 754 binary16, 32, 64,
//! 128 and the x87's 80-bit format, rounding to nearest, ties to even.
//!
//! Everything goes through [`Unpacked`]: a number whose 128-bit significand has its top bit set. That is more than
//! any format holds, so each operation rounds once, at the end.
//!
//! Why not rustc_apfloat: it rounds ties up where it prints (`32.0625` in binary16 is `32.062` in GDB, `32.063` there),
//! takes the patterns that the x87 refuses for NaN, and its NaN of an invalid operation is positive, x86's is not.

use arch::Arch;
use std::cmp::Ordering;

/// A binary floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatFormat {
    /// IEEE 754 binary16: `_Float16`.
    Half,
    /// IEEE 754 binary32: `float`.
    Single,
    /// IEEE 754 binary64: `double`.
    Double,
    /// x87 extended precision: `long double` on x86-64; 80 bits in 16 bytes of storage.
    X87,
    /// IEEE 754 binary128: `_Float128`, and `long double` on AArch64.
    Quad,
}

impl FloatFormat {
    /// Returns the format of a floating-point base type; `None` for sizes that have none.
    pub fn of(name: &str, size: u64, arch: Arch) -> Option<Self> {
        // (`real(kind=16)` and `real*16` are Fortran's.)
        let is_quad = ["128", "kind=16", "KIND=16", "real*16", "REAL(16)", "complex*32", "COMPLEX(16)"];
        match size {
            2 if name.contains("bf16") || name.contains("bfloat16") => None,
            2 => Some(Self::Half),
            4 => Some(Self::Single),
            8 => Some(Self::Double),
            10 | 12 => Some(Self::X87),
            16 if arch == Arch::X86_64 && !is_quad.iter().any(|sign| name.contains(sign)) => Some(Self::X87),
            16 => Some(Self::Quad),
            _ => None,
        }
    }

    /// Returns the size of a stored number in bytes, padding included.
    pub const fn size(self) -> usize {
        match self {
            Self::Half => 2,
            Self::Single => 4,
            Self::Double => 8,
            Self::X87 | Self::Quad => 16,
        }
    }

    /// Returns how many bytes carry information: 10 of the x87's 16.
    pub const fn significant_bytes(self) -> usize {
        match self {
            Self::X87 => 10,
            _ => self.size(),
        }
    }

    /// Returns how many bits the significand has, the leading one included.
    pub const fn precision(self) -> u32 {
        match self {
            Self::Half => 11,
            Self::Single => 24,
            Self::Double => 53,
            Self::X87 => 64,
            Self::Quad => 113,
        }
    }

    const fn exponent_bits(self) -> u32 {
        match self {
            Self::Half => 5,
            Self::Single => 8,
            Self::Double => 11,
            Self::X87 | Self::Quad => 15,
        }
    }

    const fn bias(self) -> i32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// Returns how many bits of the significand are stored: the x87 stores the leading one.
    const fn stored_bits(self) -> u32 {
        match self {
            Self::X87 => 64,
            _ => self.precision() - 1,
        }
    }

    /// Returns how many decimal digits tell every two numbers of the format apart.
    pub const fn digits(self) -> usize {
        match self {
            Self::Half => 5,
            Self::Single => 9,
            Self::Double => 17,
            Self::X87 => 21,
            Self::Quad => 36,
        }
    }
}

/// A number as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float {
    /// The format.
    pub format: FloatFormat,
    /// Its bits, from the least significant.
    pub bits: u128,
}

/// A number taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpacked {
    /// `significand * 2^exponent`, negated if `negative`; the top bit of the significand is set.
    Finite {
        /// Sign.
        negative: bool,
        /// Power of two.
        exponent: i32,
        /// Magnitude.
        significand: u128,
    },
    /// Zero with a sign.
    Zero {
        /// Sign.
        negative: bool,
    },
    /// Infinity with a sign.
    Infinity {
        /// Sign.
        negative: bool,
    },
    /// Not a number.
    Nan {
        /// Sign.
        negative: bool,
        /// The bits of the significand below the leading one, the first of them at the top.
        payload: u128,
    },
    /// A pattern that the x87 refuses: the leading bit contradicts the exponent.
    Invalid,
}

const TOP: u128 = 1 << 127;

const fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

impl Float {
    /// Creates a `Float` from stored bytes, least significant first; missing ones are zero, padding is ignored.
    pub fn from_bytes(format: FloatFormat, bytes: &[u8]) -> Self {
        let mut wide = [0u8; 16];
        for (to, from) in wide.iter_mut().zip(bytes.iter().take(format.significant_bytes())) {
            *to = *from;
        }
        Self { format, bits: u128::from_le_bytes(wide) }
    }

    /// Returns the stored bytes, least significant first, padding zero.
    pub fn to_bytes(self) -> Vec<u8> {
        self.bits.to_le_bytes()[..self.format.size()].to_vec()
    }

    /// Creates a `Float` from an `f64`.
    pub fn from_f64(value: f64) -> Self {
        Self { format: FloatFormat::Double, bits: u128::from(value.to_bits()) }
    }

    /// Creates a `Float` from a whole number, rounded.
    pub fn from_integer(format: FloatFormat, negative: bool, magnitude: u128) -> Self {
        let value = match magnitude {
            0 => Unpacked::Zero { negative: false },
            m => normalized(negative, 0, m),
        };
        Self::pack(format, value)
    }

    /// Converts the number to another format, rounded.
    pub fn convert(self, format: FloatFormat) -> Self {
        if format == self.format { self } else { Self::pack(format, self.unpack()) }
    }

    /// Returns the nearest `f64`.
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.convert(FloatFormat::Double).bits as u64)
    }

    /// Returns the whole part as sign and magnitude; `None` for what is not finite or does not fit 127 bits.
    pub fn to_integer(self) -> Option<(bool, u128)> {
        match self.unpack() {
            Unpacked::Zero { .. } => Some((false, 0)),
            Unpacked::Finite { negative, exponent, significand } => match exponent {
                ..=-128 => Some((false, 0)),
                -127..=-1 => Some((negative, significand >> exponent.unsigned_abs())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether the number is neither zero: NaN and infinity count as true in C.
    pub fn is_nonzero(self) -> bool {
        !matches!(self.unpack(), Unpacked::Zero { .. })
    }

    /// Returns the bits of the significand as they are stored.
    pub fn stored_significand(self) -> u128 {
        self.bits & mask(self.format.stored_bits())
    }

    /// Returns the number with the other sign.
    pub fn negate(self) -> Self {
        let sign = self.format.exponent_bits() + self.format.stored_bits();
        Self { format: self.format, bits: self.bits ^ (1 << sign) }
    }

    /// Takes the number apart.
    pub fn unpack(self) -> Unpacked {
        let format = self.format;
        let stored = format.stored_bits();
        let payload = self.stored_significand();
        let biased = (self.bits >> stored & mask(format.exponent_bits())) as i32;
        let negative = self.bits >> (stored + format.exponent_bits()) & 1 != 0;
        let explicit = format == FloatFormat::X87;
        let leading = if explicit { payload >> 63 & 1 } else { u128::from(biased != 0) };
        let fraction = payload & mask(format.precision() - 1);
        if biased == mask(format.exponent_bits()) as i32 {
            return match (fraction, leading) {
                (_, 0) => Unpacked::Invalid,
                (0, _) => Unpacked::Infinity { negative },
                _ => Unpacked::Nan { negative, payload: fraction << (129 - format.precision()) },
            };
        }
        if explicit && biased != 0 && leading == 0 {
            return Unpacked::Invalid;
        }
        let significand = fraction | leading << (format.precision() - 1);
        if significand == 0 {
            return Unpacked::Zero { negative };
        }
        normalized(negative, biased.max(1) - format.bias() - (format.precision() as i32 - 1), significand)
    }

    /// Rounds a number to a format.
    pub fn pack(format: FloatFormat, value: Unpacked) -> Self {
        let stored = format.stored_bits();
        let max = mask(format.exponent_bits());
        let leading = if format == FloatFormat::X87 { 1u128 << 63 } else { 0 };
        let assemble = |negative: bool, biased: u128, payload: u128| Self {
            format,
            bits: u128::from(negative) << (stored + format.exponent_bits()) | biased << stored | payload,
        };
        match value {
            Unpacked::Zero { negative } => assemble(negative, 0, 0),
            Unpacked::Infinity { negative } => assemble(negative, max, leading),
            // The processor keeps the top bits that there is room for, and makes the number quiet.
            Unpacked::Nan { negative, payload } => {
                let kept = (payload | TOP) >> (129 - format.precision());
                assemble(negative, max, leading | kept)
            }
            Unpacked::Invalid => assemble(true, max, leading | 1 << (format.precision() - 2)),
            Unpacked::Finite { negative, exponent, significand } => {
                let precision = format.precision() as i32;
                // The exponent field that the number would have if it were normal: its top bit is worth 2^(e+127).
                let biased = exponent + 127 + format.bias();
                let lost = (128 - precision) + (1 - biased).max(0);
                let rounded = round_shift(significand, lost);
                let carried = rounded >> (precision.min(127) as u32) != 0;
                let (rounded, biased) = match carried {
                    true => (rounded >> 1, biased.max(1) + 1),
                    false if rounded >> (precision - 1) as u32 == 0 => (rounded, 0),
                    false => (rounded, biased.max(1)),
                };
                if biased as u128 >= max {
                    return assemble(negative, max, leading);
                }
                assemble(negative, biased as u128, rounded & mask(stored))
            }
        }
    }
}

/// Drops the low `bits` bits, rounding to nearest, ties to even.
fn round_shift(value: u128, bits: i32) -> u128 {
    match bits {
        ..=0 => value,
        1..=127 => {
            let kept = value >> bits;
            let half = 1u128 << (bits - 1);
            let rest = value & mask(bits as u32);
            kept + u128::from(rest > half || (rest == half && kept & 1 == 1))
        }
        128 => u128::from(value > TOP),
        _ => 0,
    }
}

/// Makes a finite number of any non-zero significand.
pub(super) fn normalized(negative: bool, exponent: i32, significand: u128) -> Unpacked {
    let shift = significand.leading_zeros();
    Unpacked::Finite { negative, exponent: exponent - shift as i32, significand: significand << shift }
}

/// An operation on two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
}

/// Computes in the wider of the two formats.
pub fn compute(op: FloatOp, a: Float, b: Float) -> Float {
    let format = a.format.max(b.format);
    let (a, b) = (a.unpack(), b.unpack());
    let value = match op {
        FloatOp::Add => add(a, b),
        FloatOp::Sub => add(a, negated(b)),
        FloatOp::Mul => multiply(a, b),
        FloatOp::Div => divide(a, b),
    };
    Float::pack(format, value)
}

/// Orders two floats; `None` if one is not a number.
pub fn compare(a: Float, b: Float) -> Option<Ordering> {
    use Unpacked::{Finite, Infinity, Zero};
    let key = |value: Unpacked| match value {
        Zero { .. } => Some((0, 0, 0)),
        Infinity { negative } => Some((sign(negative), i32::MAX, 0)),
        Finite { negative, exponent, significand } => Some((sign(negative), exponent, significand)),
        Unpacked::Nan { .. } | Unpacked::Invalid => None,
    };
    let ((sa, ea, ma), (sb, eb, mb)) = (key(a.unpack())?, key(b.unpack())?);
    let magnitude = ea.cmp(&eb).then(ma.cmp(&mb));
    Some(sa.cmp(&sb).then(if sa < 0 { magnitude.reverse() } else { magnitude }))
}

const fn sign(negative: bool) -> i32 {
    if negative { -1 } else { 1 }
}

fn negated(value: Unpacked) -> Unpacked {
    match value {
        Unpacked::Finite { negative, exponent, significand } => {
            Unpacked::Finite { negative: !negative, exponent, significand }
        }
        Unpacked::Zero { negative } => Unpacked::Zero { negative: !negative },
        Unpacked::Infinity { negative } => Unpacked::Infinity { negative: !negative },
        other => other,
    }
}

/// What an operation without an answer gives: a quiet NaN, negative as x86's default one is.
const NO_NUMBER: Unpacked = Unpacked::Nan { negative: true, payload: 0 };

/// Returns the operand that is not a number, if there is one.
///
/// Of two, the first, as most instructions have it.
fn not_a_number(a: Unpacked, b: Unpacked) -> Option<Unpacked> {
    [a, b].into_iter().find(|v| matches!(v, Unpacked::Nan { .. } | Unpacked::Invalid))
}

fn add(a: Unpacked, b: Unpacked) -> Unpacked {
    use Unpacked::{Finite, Infinity, Zero};
    if let Some(nan) = not_a_number(a, b) {
        return nan;
    }
    let (
        Finite { negative: na, exponent: ea, significand: ma },
        Finite { negative: nb, exponent: eb, significand: mb },
    ) = (a, b)
    else {
        return match (a, b) {
            (Infinity { negative: x }, Infinity { negative: y }) if x != y => NO_NUMBER,
            (Infinity { .. }, _) => a,
            (_, Infinity { .. }) => b,
            (Zero { negative: x }, Zero { negative: y }) => Zero { negative: x && y },
            (Zero { .. }, _) => b,
            _ => a,
        };
    };
    let ((nl, el, ml), (ns, es, ms)) = match (ea, ma) >= (eb, mb) {
        true => ((na, ea, ma), (nb, eb, mb)),
        false => ((nb, eb, mb), (na, ea, ma)),
    };
    // Two bits of room above for the carry; bits shifted out below are remembered in the last bit, far below any
    // rounding position. (No format needs the two bits that go: the widest has 113.)
    let large = ml >> 2;
    let small = shift_sticky(ms >> 2, (el - es) as u32);
    let sum = if nl == ns { large + small } else { large - small };
    match sum {
        0 => Zero { negative: false },
        _ => normalized(nl, el + 2, sum),
    }
}

fn shift_sticky(value: u128, shift: u32) -> u128 {
    match shift {
        0 => value,
        1..=127 => value >> shift | u128::from(value & mask(shift) != 0),
        _ => u128::from(value != 0),
    }
}

fn multiply(a: Unpacked, b: Unpacked) -> Unpacked {
    use Unpacked::{Finite, Infinity, Zero};
    if let Some(nan) = not_a_number(a, b) {
        return nan;
    }
    match (a, b) {
        (
            Finite { negative: na, exponent: ea, significand: ma },
            Finite { negative: nb, exponent: eb, significand: mb },
        ) => {
            let (high, low) = wide_product(ma, mb);
            // The product has its top bit at 255 or 254, so one bit of `low` at most would have been kept.
            let sticky = high | u128::from(low != 0);
            normalized(na != nb, ea + eb + 128, sticky)
        }
        (Infinity { .. }, Zero { .. }) | (Zero { .. }, Infinity { .. }) => NO_NUMBER,
        (Infinity { .. }, _) | (_, Infinity { .. }) => Infinity { negative: is_negative(a) != is_negative(b) },
        _ => Zero { negative: is_negative(a) != is_negative(b) },
    }
}

fn divide(a: Unpacked, b: Unpacked) -> Unpacked {
    use Unpacked::{Finite, Infinity, Zero};
    if let Some(nan) = not_a_number(a, b) {
        return nan;
    }
    let negative = is_negative(a) != is_negative(b);
    match (a, b) {
        (Finite { exponent: ea, significand: ma, .. }, Finite { exponent: eb, significand: mb, .. }) => {
            // Long division, one bit at a time: 126 bits of quotient and the rest as a sticky bit.
            let mut quotient = u128::from(ma >= mb);
            let mut rest = if ma >= mb { ma - mb } else { ma };
            for _ in 0..126 {
                let over = rest & TOP != 0;
                rest <<= 1;
                quotient <<= 1;
                if over || rest >= mb {
                    rest = rest.wrapping_sub(mb);
                    quotient |= 1;
                }
            }
            normalized(negative, ea - eb - 126, quotient | u128::from(rest != 0))
        }
        (Infinity { .. }, Infinity { .. }) | (Zero { .. }, Zero { .. }) => NO_NUMBER,
        (Infinity { .. }, _) | (_, Zero { .. }) => Infinity { negative },
        _ => Zero { negative },
    }
}

fn is_negative(value: Unpacked) -> bool {
    match value {
        Unpacked::Finite { negative, .. }
        | Unpacked::Zero { negative }
        | Unpacked::Infinity { negative }
        | Unpacked::Nan { negative, .. } => negative,
        Unpacked::Invalid => false,
    }
}

/// Computes the 256-bit product as (high, low).
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (ah, al, bh, bl) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let (low, middle1, middle2, high) = (al * bl, ah * bl, al * bh, ah * bh);
    let carry = (low >> 64) + (middle1 & LOW) + (middle2 & LOW);
    (high + (middle1 >> 64) + (middle2 >> 64) + (carry >> 64), low & LOW | carry << 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_tells_formats_of_one_size_apart() {
        let of = |name, size| FloatFormat::of(name, size, Arch::X86_64);
        for quad in ["_Float128", "__float128", "f128", "real(kind=16)", "complex(kind=16)"] {
            assert_eq!(of(quad, 16), Some(FloatFormat::Quad), "{quad}");
        }
        for extended in ["long double", "real(kind=10)", "_Float64x"] {
            assert_eq!(of(extended, 16), Some(FloatFormat::X87), "{extended}");
        }
        assert_eq!(of("_Float16", 2), Some(FloatFormat::Half));
        assert_eq!((of("__bf16", 2), of("std::bfloat16_t", 2)), (None, None));
    }

    fn double(value: f64) -> Float {
        Float::from_f64(value)
    }

    fn single(value: f32) -> Float {
        Float { format: FloatFormat::Single, bits: u128::from(value.to_bits()) }
    }

    fn same(ours: Float, native: f64) -> bool {
        let ours = f64::from_bits(ours.bits as u64);
        ours.to_bits() == native.to_bits() || (ours.is_nan() && native.is_nan())
    }

    fn any_double() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            // Close exponents, where cancellation and ties happen.
            (any::<u64>(), 1020u64..1028).prop_map(|(m, e)| f64::from_bits((m & 0x800f_ffff_ffff_ffff) | (e << 52))),
            (any::<u64>()).prop_map(|m| f64::from_bits(m & 0x801f_ffff_ffff_ffff)),
        ]
    }

    proptest! {
        #[test]
        fn double_arithmetic_is_the_machines(a in any_double(), b in any_double()) {
            for (op, native) in
                [(FloatOp::Add, a + b), (FloatOp::Sub, a - b), (FloatOp::Mul, a * b), (FloatOp::Div, a / b)]
            {
                let ours = compute(op, double(a), double(b));
                prop_assert!(same(ours, native), "{op:?} {a:e} {b:e}: {:x} is not {:x}", ours.bits, native.to_bits());
            }
            prop_assert_eq!(compare(double(a), double(b)), a.partial_cmp(&b));
        }

        #[test]
        fn conversion_to_single_is_the_machines(a in any_double()) {
            let ours = double(a).convert(FloatFormat::Single);
            let native = a as f32;
            prop_assert_eq!(ours.bits, u128::from(native.to_bits()));
            prop_assert!(same(single(native).convert(FloatFormat::Double), f64::from(native)));
        }

        #[test]
        fn wider_formats_hold_a_double(a in any_double()) {
            for format in [FloatFormat::X87, FloatFormat::Quad] {
                prop_assert!(same(double(a).convert(format).convert(FloatFormat::Double), a));
            }
        }

        #[test]
        fn integers_convert_as_the_machines(a in any::<i128>()) {
            let ours = Float::from_integer(FloatFormat::Double, a < 0, a.unsigned_abs());
            prop_assert!(same(ours, a as f64));
        }

        #[test]
        fn whole_parts_are_the_machines(a in any::<i64>(), scale in 0i32..80) {
            let value = a as f64 / 2f64.powi(scale);
            let (negative, magnitude) = double(value).to_integer().unwrap();
            let ours = if negative { -(magnitude as i128) } else { magnitude as i128 };
            prop_assert_eq!(ours, value as i128);
        }
    }

    #[test]
    fn a_nan_keeps_its_sign_and_as_much_of_its_payload_as_fits() {
        let converted = |from, bits, to| Float { format: from, bits }.convert(to).bits;
        use FloatFormat::{Double, Half, Quad, Single, X87};
        assert_eq!(converted(X87, 0x7fff_e000_0000_0000_0123, Double), 0x7ffc_0000_0000_0000);
        assert_eq!(converted(X87, 0x7fff_8000_0000_0123_0800, Double), 0x7ff8_0000_0000_2461);
        assert_eq!(converted(X87, 0xffff_e000_1200_0000_0123, Single), 0xffe0_0012);
        assert_eq!(converted(Single, 0x7fe0_0123, Double), 0x7ffc_0024_6000_0000);
        assert_eq!(converted(Single, 0xff80_0001, X87), 0xffff_c000_0100_0000_0000, "a signaling one");
        assert_eq!(converted(Double, 0x7ff0_0000_0000_0001, Single), 0x7fc0_0000, "nothing of it fits");
        assert_eq!(converted(Double, 0x7ffc_0000_0000_0001, Half), 0x7f00);
        assert_eq!(converted(Double, 0x7ff0_0000_0000_0001, Quad), 0x7fff_8000_0000_0000_1000_0000_0000_0000);
        assert_eq!(converted(Double, 0x7ff0_0000_0000_0001, Double), 0x7ff0_0000_0000_0001, "nothing is converted");
        let sum = compute(FloatOp::Add, Float { format: Single, bits: 0x7fe0_0123 }, double(1.0));
        assert_eq!((sum.format, sum.bits), (Double, 0x7ffc_0024_6000_0000));
    }

    #[test]
    fn x87_thirds_are_rounded_to_64_bits() {
        let one = Float::from_integer(FloatFormat::X87, false, 1);
        let three = Float::from_integer(FloatFormat::X87, false, 3);
        assert_eq!(compute(FloatOp::Div, one, three).bits, 0x3ffd_aaaa_aaaa_aaaa_aaab);
        assert_eq!(compute(FloatOp::Mul, three, three).bits, 0x4002_9000_0000_0000_0000);
    }

    #[test]
    fn x87_patterns_that_the_processor_refuses_are_invalid() {
        let unnormal = Float { format: FloatFormat::X87, bits: 0x3fff_0000_0000_0000_0001 };
        assert_eq!(unnormal.unpack(), Unpacked::Invalid);
    }
}
