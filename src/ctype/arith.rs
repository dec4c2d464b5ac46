//! Arithmetic on C's arithmetic types, in the widths and with the conversions of the C standard (C17 6.3.1, 6.5) on
//! LP64 targets. Signed overflow wraps, as it does in GDB and in the processor.

use super::bit_precise::bit_precise_width;
use super::float::{self, Float, FloatFormat, FloatOp};
use super::layout::{Dialect, Target, strip};
use super::{Bits, Encoding, FieldWidth, Memory, Type, TypeRef, Unavailable, Value};
use std::cmp::Ordering;
use std::sync::Arc;

/// Integer conversion ranks (C17 6.3.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rank {
    /// `_Bool`
    Bool,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// A bit-field of so many bits that is wider than an `int` and narrower than a `long`, in C as GCC has it.
    Field(u8),
    /// `long`
    Long,
    /// `long long`
    LongLong,
    /// A bit-field that is wider than a `long long`, in the same way.
    WideField(u8),
    /// `__int128`
    Int128,
}

/// An integer type, as far as arithmetic is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntegerType {
    /// Decides the width and which of two types wins.
    pub rank: Rank,
    /// Whether it has negative values.
    pub signed: bool,
}

impl IntegerType {
    /// `int`
    pub const INT: Self = Self { rank: Rank::Int, signed: true };
    /// `long`
    pub const LONG: Self = Self { rank: Rank::Long, signed: true };
    /// `unsigned long`
    pub const UNSIGNED_LONG: Self = Self { rank: Rank::Long, signed: false };

    /// Returns the type that a bit-field of so many bits, more than an `int` has, computes as in its own width.
    fn of_field(bits: u8, signed: bool) -> Option<Self> {
        let rank = match bits {
            33..64 => Rank::Field(bits),
            64 => Rank::Long,
            65..128 => Rank::WideField(bits),
            _ => return None,
        };
        Some(Self { rank, signed })
    }

    /// Returns the width in bits; of `_Bool`, of its storage.
    pub const fn bits(self) -> u32 {
        match self.rank {
            Rank::Bool | Rank::Char => 8,
            Rank::Short => 16,
            Rank::Int => 32,
            Rank::Field(bits) | Rank::WideField(bits) => bits as u32,
            Rank::Long | Rank::LongLong => 64,
            Rank::Int128 => 128,
        }
    }

    /// Returns the size in bytes.
    pub const fn size(self) -> u64 {
        self.bits().next_power_of_two() as u64 / 8
    }

    /// Returns the type that C's integer promotions make of it.
    pub fn promoted(self) -> Self {
        if self.rank < Rank::Int { Self::INT } else { self }
    }

    /// Returns the type that an integer of `size` bytes computes as; `None` if there is none.
    pub fn of_size(size: u64, signed: bool) -> Option<Self> {
        let rank = match size {
            1 => Rank::Char,
            2 => Rank::Short,
            3..=4 => Rank::Int,
            5..=8 => Rank::Long,
            9..=16 => Rank::Int128,
            _ => return None,
        };
        Some(Self { rank, signed })
    }

    /// Cuts a number to the width and extends it again, by sign or by zeros.
    fn wrap(self, bits: u128) -> u128 {
        if self.rank == Rank::Bool {
            return u128::from(bits != 0);
        }
        let unused = 128 - self.bits();
        if self.signed { ((bits << unused) as i128 >> unused) as u128 } else { bits << unused >> unused }
    }

    /// Returns the name of the type, as GDB writes it.
    pub const fn name(self) -> &'static str {
        match (self.rank, self.signed) {
            (Rank::Bool, _) => "_Bool",
            (Rank::Char, true) => "signed char",
            (Rank::Char, false) => "unsigned char",
            (Rank::Short, true) => "short",
            (Rank::Short, false) => "unsigned short",
            (Rank::Int, true) => "int",
            (Rank::Int, false) => "unsigned int",
            (Rank::Field(_) | Rank::Long, true) => "long",
            (Rank::Field(_) | Rank::Long, false) => "unsigned long",
            (Rank::LongLong, true) => "long long",
            (Rank::LongLong, false) => "unsigned long long",
            (Rank::WideField(_) | Rank::Int128, true) => "__int128",
            (Rank::WideField(_) | Rank::Int128, false) => "unsigned __int128",
        }
    }
}

/// An arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// An integer, `_Bool` or an enumeration.
    Integer(IntegerType),
    /// A floating-point type.
    Float(FloatFormat),
    /// A complex type.
    Complex(FloatFormat),
}

impl Arithmetic {
    /// Returns how a type computes; `None` if it is not arithmetic.
    pub fn of(ty: &TypeRef, target: Target) -> Option<Self> {
        match &*strip(ty) {
            Type::Base { name, encoding, size } => match encoding {
                Encoding::Bool => Some(Self::Integer(IntegerType { rank: Rank::Bool, signed: false })),
                Encoding::Float => FloatFormat::of(name, *size, target.arch).map(Self::Float),
                Encoding::ComplexFloat => FloatFormat::of(name, *size / 2, target.arch).map(Self::Complex),
                Encoding::Signed | Encoding::SignedChar => integer_named(name, *size, true),
                Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Utf => integer_named(name, *size, false),
                Encoding::ComplexSigned | Encoding::Decimal | Encoding::Other => None,
            },
            Type::Enumeration(e) => IntegerType::of_size(e.size, e.signed).map(Self::Integer),
            _ => None,
        }
    }

    /// Returns the type that a value is promoted to where that does not follow from its type alone; `None` elsewhere.
    ///
    /// C++ promotes an enumeration to the first of `int`, `unsigned int`, `long`, `unsigned long` that holds all
    /// enumerators (C++17 7.6 [conv.prom]), while its debug info has the unsigned type of that size. One that was declared
    /// with that very type, `enum : unsigned long`, looks the same. Any other
    /// bit-field is promoted by its width, whatever its declared type (C17 6.3.1.1): `unsigned long x : 3` is an `int`,
    /// and with [`FieldWidth::Own`] `unsigned long x : 40` has 40 bits.
    pub fn promotion(ty: &TypeRef, bits: Option<Bits>, target: Target) -> Option<IntegerType> {
        match &*strip(ty) {
            Type::Enumeration(e) if target.dialect == Dialect::Cxx => {
                if e.is_declared {
                    return None;
                }
                let largest = e.enumerators.iter().map(|(_, value)| *value).max()?;
                let int = IntegerType::INT;
                let long = IntegerType::LONG;
                match (e.signed, e.size) {
                    (false, size) if size == int.size() => (largest <= i128::from(i32::MAX)).then_some(int),
                    (false, size) if size == long.size() => {
                        let is_long = (i128::from(u32::MAX) + 1..=i128::from(i64::MAX)).contains(&largest);
                        is_long.then_some(long)
                    }
                    _ => None,
                }
            }
            _ => match (bits?.size, Self::of(ty, target)?) {
                (..32, Self::Integer(_)) => Some(IntegerType::INT),
                (size @ 33.., Self::Integer(declared))
                    if u32::from(size) < declared.bits()
                        && bits.is_some_and(|bits| bits.computes == FieldWidth::Own) =>
                {
                    IntegerType::of_field(size, declared.signed)
                }
                (32, Self::Integer(declared)) => Some(IntegerType { signed: declared.signed, ..IntegerType::INT }),
                _ => None,
            },
        }
    }

    /// Returns the base type of that kind under its usual name.
    pub fn base_type(self) -> TypeRef {
        let (name, encoding, size) = match self {
            Self::Integer(ty) => {
                let encoding = match (ty.rank, ty.signed) {
                    (Rank::Bool, _) => Encoding::Bool,
                    (Rank::Char, true) => Encoding::SignedChar,
                    (Rank::Char, false) => Encoding::UnsignedChar,
                    (_, true) => Encoding::Signed,
                    (_, false) => Encoding::Unsigned,
                };
                (ty.name(), encoding, ty.size())
            }
            Self::Float(format) => (float_name(format), Encoding::Float, format.size() as u64),
            Self::Complex(format) => (complex_name(format), Encoding::ComplexFloat, 2 * format.size() as u64),
        };
        Arc::new(Type::Base { name: name.to_owned(), encoding, size })
    }
}

fn integer_named(name: &str, size: u64, signed: bool) -> Option<Arithmetic> {
    let mut ty = IntegerType::of_size(size, signed)?;
    if ty.rank == Rank::Long && name.contains("long long") {
        ty.rank = Rank::LongLong;
    }
    Some(Arithmetic::Integer(ty))
}

const fn float_name(format: FloatFormat) -> &'static str {
    match format {
        FloatFormat::Half => "_Float16",
        FloatFormat::Single => "float",
        FloatFormat::Double => "double",
        FloatFormat::X87 => "long double",
        FloatFormat::Quad => "_Float128",
    }
}

const fn complex_name(format: FloatFormat) -> &'static str {
    match format {
        FloatFormat::Half => "complex _Float16",
        FloatFormat::Single => "complex float",
        FloatFormat::Double => "complex double",
        FloatFormat::X87 => "complex long double",
        FloatFormat::Quad => "complex _Float128",
    }
}

/// An integer with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    ty: IntegerType,
    /// Extended to 128 bits as the type's signedness demands.
    bits: u128,
}

impl Integer {
    /// Creates an integer of `value`, wrapped to the type.
    pub fn new(ty: IntegerType, value: u128) -> Self {
        Self { ty, bits: ty.wrap(value) }
    }

    /// Creates an `int`.
    pub fn int(value: i32) -> Self {
        Self::new(IntegerType::INT, i128::from(value) as u128)
    }

    /// Returns its type.
    pub fn ty(self) -> IntegerType {
        self.ty
    }

    /// Returns its value modulo 2^128.
    pub fn bits(self) -> u128 {
        self.bits
    }

    /// Returns its value; of an `unsigned __int128` beyond the middle, modulo 2^128.
    pub fn value(self) -> i128 {
        self.bits as i128
    }

    /// Returns whether it is below zero.
    pub fn is_negative(self) -> bool {
        self.ty.signed && self.value() < 0
    }

    /// Converts a number to another type, wrapped (C17 6.3.1.3).
    pub fn convert(self, ty: IntegerType) -> Self {
        Self::new(ty, self.bits)
    }

    fn compare(self, other: Self) -> Ordering {
        if self.ty.signed { self.value().cmp(&other.value()) } else { self.bits.cmp(&other.bits) }
    }
}

/// A number with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer.
    Integer(Integer),
    /// A floating-point number.
    Float(Float),
    /// Real and imaginary part.
    Complex(Float, Float),
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArithmeticError {
    /// `/` or `%` by an integer zero.
    #[error("division by zero")]
    DivisionByZero,
    /// An operation on bits, given something else.
    #[error("operator {0} needs integers")]
    IntegerOnly(&'static str),
    /// C leaves the result undefined.
    #[error("shift count {count} is not in 0..={}, the bits of {}", .ty.bits() - 1, .ty.name())]
    ShiftCount {
        /// What was asked for.
        count: i128,
        /// Type of what is shifted.
        ty: IntegerType,
    },
    /// Complex numbers have no order.
    #[error("complex numbers have no order; compare them with == or !=")]
    Unordered,
    /// A floating-point number that no integer is near to.
    #[error("{0} cannot be converted to an integer")]
    NotAnInteger(String),
}

/// A binary operator on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

impl NumberOp {
    /// Returns how it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
        }
    }
}

impl Number {
    /// Creates an `int`.
    pub fn int(value: i32) -> Self {
        Self::Integer(Integer::int(value))
    }

    /// Creates a `Number` from its stored bytes, least significant first.
    pub fn from_bytes(ty: Arithmetic, bytes: &[u8]) -> Self {
        match ty {
            Arithmetic::Integer(ty) => {
                let mut wide = [0u8; 16];
                for (to, from) in wide.iter_mut().zip(bytes) {
                    *to = *from;
                }
                Self::Integer(Integer::new(ty, u128::from_le_bytes(wide)))
            }
            Arithmetic::Float(format) => Self::Float(Float::from_bytes(format, bytes)),
            Arithmetic::Complex(format) => {
                let (real, imaginary) = bytes.split_at(format.size().min(bytes.len()));
                Self::Complex(Float::from_bytes(format, real), Float::from_bytes(format, imaginary))
            }
        }
    }

    /// Returns its stored bytes, least significant first.
    pub fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::Integer(i) => i.bits.to_le_bytes()[..i.ty.size() as usize].to_vec(),
            Self::Float(f) => f.to_bytes(),
            Self::Complex(real, imaginary) => [real.to_bytes(), imaginary.to_bytes()].concat(),
        }
    }

    /// Returns its type.
    pub fn ty(self) -> Arithmetic {
        match self {
            Self::Integer(i) => Arithmetic::Integer(i.ty),
            Self::Float(f) => Arithmetic::Float(f.format),
            Self::Complex(real, _) => Arithmetic::Complex(real.format),
        }
    }

    /// Returns whether it counts as true.
    pub fn is_nonzero(self) -> bool {
        match self {
            Self::Integer(i) => i.bits != 0,
            Self::Float(f) => f.is_nonzero(),
            Self::Complex(real, imaginary) => real.is_nonzero() || imaginary.is_nonzero(),
        }
    }

    /// Converts as a C cast does. A float becomes the integer of its whole part, wrapped.
    pub fn convert(self, ty: Arithmetic) -> Result<Self, ArithmeticError> {
        match ty {
            Arithmetic::Integer(IntegerType { rank: Rank::Bool, .. }) => {
                let ty = IntegerType { rank: Rank::Bool, signed: false };
                Ok(Self::Integer(Integer::new(ty, u128::from(self.is_nonzero()))))
            }
            Arithmetic::Integer(ty) => match self {
                Self::Integer(i) => Ok(Self::Integer(i.convert(ty))),
                Self::Float(f) | Self::Complex(f, _) => {
                    let (negative, magnitude) =
                        f.to_integer().ok_or_else(|| ArithmeticError::NotAnInteger(super::decimal::format_float(f)))?;
                    let bits = if negative { magnitude.wrapping_neg() } else { magnitude };
                    Ok(Self::Integer(Integer::new(ty, bits)))
                }
            },
            Arithmetic::Float(format) => Ok(Self::Float(self.real(format))),
            Arithmetic::Complex(format) => {
                let imaginary = match self {
                    Self::Complex(_, imaginary) => imaginary.convert(format),
                    _ => Float::from_integer(format, false, 0),
                };
                Ok(Self::Complex(self.real(format), imaginary))
            }
        }
    }

    fn real(self, format: FloatFormat) -> Float {
        match self {
            Self::Integer(i) => match i.is_negative() {
                true => Float::from_integer(format, true, i.value().unsigned_abs()),
                false => Float::from_integer(format, false, i.bits),
            },
            Self::Float(f) | Self::Complex(f, _) => f.convert(format),
        }
    }

    /// Applies C's integer promotions (6.3.1.1); other numbers stay as they are.
    pub fn promoted(self) -> Self {
        match self {
            Self::Integer(i) => Self::Integer(i.convert(i.ty.promoted())),
            other => other,
        }
    }

    /// Computes unary `-`.
    pub fn negated(self) -> Self {
        match self.promoted() {
            Self::Integer(i) => Self::Integer(Integer::new(i.ty, i.bits.wrapping_neg())),
            Self::Float(f) => Self::Float(f.negate()),
            Self::Complex(real, imaginary) => Self::Complex(real.negate(), imaginary.negate()),
        }
    }

    /// Cuts what unary `-` or `~` has made of a bit-field to its width, where the compiler does.
    pub fn after_sign(self, field: Option<Bits>) -> Self {
        match (self, field) {
            (Self::Integer(i), Some(Bits { size, computes: FieldWidth::OwnAfterSigns, .. })) => {
                match IntegerType::of_field(size, i.ty.signed) {
                    Some(own) => Self::Integer(i.convert(own).convert(i.ty)),
                    None => self,
                }
            }
            _ => self,
        }
    }

    /// Computes unary `~`; of a complex number its conjugate, a GNU extension.
    pub fn complemented(self) -> Result<Self, ArithmeticError> {
        match self.promoted() {
            Self::Integer(i) => Ok(Self::Integer(Integer::new(i.ty, !i.bits))),
            Self::Float(_) => Err(ArithmeticError::IntegerOnly("~")),
            Self::Complex(real, imaginary) => Ok(Self::Complex(real, imaginary.negate())),
        }
    }
}

/// Returns the type that C's usual arithmetic conversions (6.3.1.8) bring both operands to.
pub fn common_type(a: Arithmetic, b: Arithmetic) -> Arithmetic {
    use Arithmetic::{Complex, Float, Integer};
    match (a, b) {
        (Complex(x), Complex(y) | Float(y)) | (Float(y), Complex(x)) => Complex(x.max(y)),
        (Complex(x), Integer(_)) | (Integer(_), Complex(x)) => Complex(x),
        (Float(x), Float(y)) => Float(x.max(y)),
        (Float(x), Integer(_)) | (Integer(_), Float(x)) => Float(x),
        (Integer(x), Integer(y)) => Integer(common_integer(x.promoted(), y.promoted())),
    }
}

fn common_integer(a: IntegerType, b: IntegerType) -> IntegerType {
    let (low, high) = if a.rank <= b.rank { (a, b) } else { (b, a) };
    match (low.signed, high.signed) {
        (x, y) if x == y => high,
        _ if low.rank == high.rank => IntegerType { rank: high.rank, signed: false },
        (true, false) => high,
        // An unsigned type of lower rank: fits if the higher one is wider.
        _ if high.bits() > low.bits() => high,
        _ => IntegerType { rank: high.rank, signed: false },
    }
}

/// Computes `a op b`.
pub fn binary(op: NumberOp, a: Number, b: Number) -> Result<Number, ArithmeticError> {
    if matches!(op, NumberOp::Shl | NumberOp::Shr) {
        return shift(op, a, b);
    }
    let ty = common_type(a.ty(), b.ty());
    match (a.convert(ty)?, b.convert(ty)?) {
        (Number::Integer(x), Number::Integer(y)) => integer_binary(op, x, y).map(Number::Integer),
        (Number::Float(x), Number::Float(y)) => Ok(Number::Float(float::compute(float_op(op)?, x, y))),
        (Number::Complex(ar, ai), Number::Complex(br, bi)) => {
            let (real, imaginary) = complex_binary(float_op(op)?, (ar, ai), (br, bi));
            Ok(Number::Complex(real, imaginary))
        }
        _ => Err(ArithmeticError::IntegerOnly(op.symbol())),
    }
}

fn integer_binary(op: NumberOp, a: Integer, b: Integer) -> Result<Integer, ArithmeticError> {
    let ty = a.ty;
    let divisor_is_zero = b.bits == 0;
    let bits = match op {
        NumberOp::Add => a.bits.wrapping_add(b.bits),
        NumberOp::Sub => a.bits.wrapping_sub(b.bits),
        NumberOp::Mul => a.bits.wrapping_mul(b.bits),
        NumberOp::Div | NumberOp::Rem if divisor_is_zero => return Err(ArithmeticError::DivisionByZero),
        NumberOp::Div if ty.signed => a.value().wrapping_div(b.value()) as u128,
        NumberOp::Rem if ty.signed => a.value().wrapping_rem(b.value()) as u128,
        NumberOp::Div => a.bits / b.bits,
        NumberOp::Rem => a.bits % b.bits,
        NumberOp::And => a.bits & b.bits,
        NumberOp::Or => a.bits | b.bits,
        NumberOp::Xor => a.bits ^ b.bits,
        NumberOp::Shl | NumberOp::Shr => return Err(ArithmeticError::IntegerOnly(op.symbol())),
    };
    Ok(Integer::new(ty, bits))
}

fn shift(op: NumberOp, a: Number, b: Number) -> Result<Number, ArithmeticError> {
    let (Number::Integer(value), Number::Integer(count)) = (a.promoted(), b.promoted()) else {
        return Err(ArithmeticError::IntegerOnly(op.symbol()));
    };
    let ty = value.ty;
    if count.bits >= u128::from(ty.bits()) {
        return Err(ArithmeticError::ShiftCount { count: count.value(), ty });
    }
    let count = count.bits as u32;
    let bits = match (op, ty.signed) {
        (NumberOp::Shl, _) => value.bits << count,
        (_, true) => (value.value() >> count) as u128,
        (_, false) => value.bits >> count,
    };
    Ok(Number::Integer(Integer::new(ty, bits)))
}

fn float_op(op: NumberOp) -> Result<FloatOp, ArithmeticError> {
    match op {
        NumberOp::Add => Ok(FloatOp::Add),
        NumberOp::Sub => Ok(FloatOp::Sub),
        NumberOp::Mul => Ok(FloatOp::Mul),
        NumberOp::Div => Ok(FloatOp::Div),
        _ => Err(ArithmeticError::IntegerOnly(op.symbol())),
    }
}

fn complex_binary(op: FloatOp, (ar, ai): (Float, Float), (br, bi): (Float, Float)) -> (Float, Float) {
    use FloatOp::{Add, Div, Mul, Sub};
    let product = |x, y| float::compute(Mul, x, y);
    match op {
        Add | Sub => (float::compute(op, ar, br), float::compute(op, ai, bi)),
        Mul => (
            float::compute(Sub, product(ar, br), product(ai, bi)),
            float::compute(Add, product(ar, bi), product(ai, br)),
        ),
        Div => {
            let scale = float::compute(Add, product(br, br), product(bi, bi));
            let real = float::compute(Add, product(ar, br), product(ai, bi));
            let imaginary = float::compute(Sub, product(ai, br), product(ar, bi));
            (float::compute(Div, real, scale), float::compute(Div, imaginary, scale))
        }
    }
}

/// Orders two numbers after the usual conversions; `None` if one of them is a NaN, or if they are complex and differ.
pub fn compare(a: Number, b: Number) -> Result<Option<Ordering>, ArithmeticError> {
    let ty = common_type(a.ty(), b.ty());
    Ok(match (a.convert(ty)?, b.convert(ty)?) {
        (Number::Integer(x), Number::Integer(y)) => Some(x.compare(y)),
        (Number::Float(x), Number::Float(y)) => float::compare(x, y),
        (Number::Complex(ar, ai), Number::Complex(br, bi)) => {
            let equal =
                float::compare(ar, br) == Some(Ordering::Equal) && float::compare(ai, bi) == Some(Ordering::Equal);
            equal.then_some(Ordering::Equal)
        }
        _ => None,
    })
}

/// Why a value is not a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotANumber {
    /// Its type is not arithmetic.
    Type,
    /// Its bytes are not to be had.
    Unavailable(Unavailable),
}

impl Value {
    /// Reads the number that a value of arithmetic type holds. A bit-field is extended to its declared type.
    pub fn number(&self, memory: &mut dyn Memory, target: Target) -> Result<Number, NotANumber> {
        let ty = Arithmetic::of(&self.ty, target).ok_or(NotANumber::Type)?;
        let bits = match self.bits {
            Some(bits) => Some(bits),
            None => bit_precise_width(&self.ty).map_err(NotANumber::Unavailable)?.map(|bits| Bits::new(0, bits)),
        };
        if let (Some(bits), Arithmetic::Integer(integer)) = (bits, ty) {
            let raw = self.field_bits(memory, bits).map_err(NotANumber::Unavailable)?;
            let unused = 128 - u32::from(bits.size.clamp(1, 128));
            let extended = if integer.signed { ((raw << unused) as i128 >> unused) as u128 } else { raw };
            return Ok(Number::Integer(Integer::new(integer, extended)));
        }
        let bytes = self.scalar_bytes(memory).map_err(NotANumber::Unavailable)?.ok_or(NotANumber::Type)?;
        let number = Number::from_bytes(ty, &bytes);
        // An integer of an odd size is extended from its own sign bit, not from that of the type it computes as.
        Ok(match number {
            Number::Integer(i) if i.ty.signed && bytes.len() < i.ty.size() as usize => {
                let unused = 128 - 8 * bytes.len() as u32;
                Number::Integer(Integer::new(i.ty, ((i.bits << unused) as i128 >> unused) as u128))
            }
            other => other,
        })
    }

    /// Creates a computed value of an arithmetic type.
    pub fn from_number(number: Number) -> Self {
        let value = Self::computed(number.ty().base_type(), &number.to_bytes());
        match number {
            Number::Integer(Integer {
                ty: IntegerType { rank: Rank::Field(size) | Rank::WideField(size), .. },
                ..
            }) => Self { bits: Some(Bits { computes: FieldWidth::Own, ..Bits::new(0, size) }), ..value },
            _ => value,
        }
    }
}

#[cfg(test)]
mod tests;
