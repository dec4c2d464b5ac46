//! Values as numbers, truth values and texts of Rust.

use super::elements::text_bytes;
use super::{Error, ErrorKind, Result, Value};
use ctype::arith::{NotANumber, Number};
use ctype::layout::{array_parts, pointer_target, strip};
use ctype::{Encoding, Memory, PointerKind, Target, Type, TypeRef, Unavailable};

/// Longest text in bytes.
const MAX_TEXT: u64 = 1 << 20;
/// Bytes of a text that are read at a time, where its end is to be found.
const CHUNK: u64 = 256;

/// An integer of any type: beyond the middle of 128 bits it is not negative.
#[derive(Clone, Copy)]
enum Integer {
    Signed(i128),
    Unsigned(u128),
}

impl Value<'_> {
    /// Returns the number that an integer, character, enumerator, truth value or pointer is; `None` for anything else,
    /// for what is not known, and above the range.
    pub fn as_i128(&self) -> Option<i128> {
        match self.integer()? {
            Integer::Signed(number) => Some(number),
            Integer::Unsigned(number) => i128::try_from(number).ok(),
        }
    }

    /// Returns the number as [`Self::as_i128`] does; `None` for what is negative or does not fit, too.
    pub fn as_u64(&self) -> Option<u64> {
        match self.integer()? {
            Integer::Signed(number) => u64::try_from(number).ok(),
            Integer::Unsigned(number) => u64::try_from(number).ok(),
        }
    }

    /// Returns the number that a floating-point value is, the nearest one if it has more digits; `None` for anything
    /// else.
    pub fn as_f64(&self) -> Option<f64> {
        match self.number()? {
            Number::Float(float) => Some(float.to_f64()),
            Number::Integer(_) | Number::Complex(..) => None,
        }
    }

    /// Returns the truth value that a `bool` is; `None` for anything else, and for one that is neither true nor false.
    pub fn as_bool(&self) -> Option<bool> {
        if !self.ask(|value, _| is_bool(&value.ty)) {
            return None;
        }
        match self.ask(|value, memory| value.scalar_bytes(memory).ok().flatten())?.as_slice() {
            [0, rest @ ..] if rest.iter().all(|byte| *byte == 0) => Some(false),
            [1, rest @ ..] if rest.iter().all(|byte| *byte == 0) => Some(true),
            _ => None,
        }
    }

    /// Returns the address that a pointer holds; of a smart pointer the one of what it points to. `None` for anything
    /// else.
    pub fn as_pointer(&self) -> Option<u64> {
        self.ask(|value, memory| match &*strip(&value.ty) {
            Type::Pointer { .. } => value.word(0, memory).ok(),
            Type::Record(_) => memory.meaning(value)?.target?.address(),
            _ => None,
        })
    }

    /// Returns the text that a string object, a string slice, an array of characters or a pointer to characters is: of
    /// the last two, up to the first NUL. `None` for anything else, for what cannot be read or is longer than 1 MiB,
    /// and for bytes that are not UTF-8 (wide characters: UTF-16 or UTF-32).
    pub fn as_str(&self) -> Option<String> {
        let (bytes, width) = self.ask(text_of)?;
        match width {
            1 => String::from_utf8(bytes).ok(),
            2 => {
                let units: Vec<u16> =
                    bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
                String::from_utf16(&units).ok()
            }
            4 => {
                let code = |unit: &[u8]| u32::from_le_bytes([unit[0], unit[1], unit[2], unit[3]]);
                bytes.chunks_exact(4).map(|unit| char::from_u32(code(unit))).collect()
            }
            _ => None,
        }
    }

    fn number(&self) -> Option<Number> {
        self.ask(|value, memory| number_of(value, memory, self.typed.target))
    }

    fn integer(&self) -> Option<Integer> {
        match self.number() {
            Some(Number::Integer(number)) if number.ty().signed => Some(Integer::Signed(number.value())),
            Some(Number::Integer(number)) => Some(Integer::Unsigned(number.bits())),
            Some(Number::Float(_) | Number::Complex(..)) => None,
            None => self.as_pointer().map(|address| Integer::Unsigned(u128::from(address))),
        }
    }
}

/// Returns the number that a value holds, or that a library's object stands for: an atomic's.
fn number_of(value: &ctype::Value, memory: &mut dyn Memory, target: Target) -> Option<Number> {
    match value.number(memory, target) {
        Ok(number) => Some(number),
        Err(NotANumber::Unavailable(_)) => None,
        Err(NotANumber::Type) => {
            let facts = memory.meaning(value)?.facts;
            let held = facts.into_iter().find(|(name, _)| matches!(*name, "load"))?.1;
            held.number(memory, target).ok()
        }
    }
}

fn is_bool(ty: &TypeRef) -> bool {
    matches!(&*strip(ty), Type::Base { encoding: Encoding::Bool, .. })
}

/// Returns the width in bytes of a character of a text; `None` for what is no character.
fn character_width(ty: &TypeRef) -> Option<u64> {
    let is_wide = matches!(&**ty, Type::Typedef { name, .. } if name == "wchar_t");
    match &*strip(ty) {
        Type::Base { name, size: 1, .. } if matches!(name.as_str(), "char" | "char8_t" | "unsigned char") => Some(1),
        Type::Base { name, size: size @ (2 | 4), .. } => {
            (is_wide || matches!(name.as_str(), "wchar_t" | "char16_t" | "char32_t")).then_some(*size)
        }
        _ => None,
    }
}

fn text_of(value: &ctype::Value, memory: &mut dyn Memory) -> Option<(Vec<u8>, u64)> {
    if let Some(text) = text_bytes(value, memory, MAX_TEXT) {
        return text.ok();
    }
    if let Some((element, Some(count))) = array_parts(&value.ty) {
        let width = character_width(&element)?;
        let length = count.checked_mul(width).filter(|length| *length <= MAX_TEXT)?;
        let bytes = value.read(memory, 0, usize::try_from(length).ok()?).ok()?;
        let end = end_of(&bytes, width).unwrap_or(bytes.len());
        return Some((bytes.get(..end)?.to_vec(), width));
    }
    let Type::Pointer { kind: PointerKind::Pointer, .. } = &*strip(&value.ty) else { return None };
    let width = character_width(&pointer_target(&value.ty)?)?;
    let address = value.word(0, memory).ok()?;
    Some((up_to_nul(address, width, memory)?, width))
}

/// Returns the index of the first code unit that is 0.
fn end_of(bytes: &[u8], width: u64) -> Option<usize> {
    let width = usize::try_from(width).ok()?;
    let at = bytes.chunks_exact(width).position(|unit| unit.iter().all(|byte| *byte == 0))?;
    Some(at * width)
}

fn up_to_nul(address: u64, width: u64, memory: &mut dyn Memory) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    while (text.len() as u64) < MAX_TEXT {
        let at = address.checked_add(text.len() as u64)?;
        // What is left of an aligned chunk is readable as a whole or not at all.
        let length = ((CHUNK - at % CHUNK) / width * width).max(width);
        let mut chunk = vec![0; usize::try_from(length).ok()?];
        let read: Result<(), Unavailable> = memory.read(at, &mut chunk);
        read.ok()?;
        if let Some(end) = end_of(&chunk, width) {
            text.extend_from_slice(chunk.get(..end)?);
            return Some(text);
        }
        text.extend_from_slice(&chunk);
    }
    None
}

macro_rules! from_integers {
    ($($ty:ident)*) => {$(
        /// # Errors
        /// [`ErrorKind::Type`] if it is no integer, or does not fit; [`ErrorKind::Unknown`] if it is not known.
        impl TryFrom<&Value<'_>> for $ty {
            type Error = Error;

            fn try_from(value: &Value<'_>) -> Result<Self> {
                let number = value.integer().ok_or_else(|| value.not_of_type("integer"))?;
                let fits = match number {
                    Integer::Signed(number) => Self::try_from(number).ok(),
                    Integer::Unsigned(number) => Self::try_from(number).ok(),
                };
                fits.ok_or_else(|| {
                    Error::new(ErrorKind::Type, format!("`{value}` does not fit into `{}`", stringify!($ty)))
                })
            }
        }
        by_value!($ty);
    )*};
}

macro_rules! by_value {
    ($ty:ty) => {
        impl TryFrom<Value<'_>> for $ty {
            type Error = Error;

            fn try_from(value: Value<'_>) -> Result<Self> {
                Self::try_from(&value)
            }
        }
    };
}

from_integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
by_value!(f64);
by_value!(bool);
by_value!(String);

/// # Errors
/// [`ErrorKind::Type`] if it is no floating-point number; [`ErrorKind::Unknown`] if it is not known.
impl TryFrom<&Value<'_>> for f64 {
    type Error = Error;

    fn try_from(value: &Value<'_>) -> Result<Self> {
        value.as_f64().ok_or_else(|| value.not_of_type("floating-point number"))
    }
}

/// # Errors
/// [`ErrorKind::Type`] if it is not a truth value; [`ErrorKind::Unknown`] if it is not known.
impl TryFrom<&Value<'_>> for bool {
    type Error = Error;

    fn try_from(value: &Value<'_>) -> Result<Self> {
        value.as_bool().ok_or_else(|| value.not_of_type("truth value"))
    }
}

/// # Errors
/// [`ErrorKind::Type`] if it is not text; [`ErrorKind::Unknown`] if it is not known.
impl TryFrom<&Value<'_>> for String {
    type Error = Error;

    fn try_from(value: &Value<'_>) -> Result<Self> {
        value.as_str().ok_or_else(|| value.not_of_type("text"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ctype::layout::array_of;
    use ctype::{Place, Unavailable};
    use engine::Typed;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn base(name: &str, encoding: Encoding, size: u64) -> TypeRef {
        Arc::new(Type::Base { name: name.to_owned(), encoding, size })
    }

    fn value(value: ctype::Value) -> Value<'static> {
        Value { core: None, typed: Typed { value, target: Target::X86_64 }, text: None }
    }

    fn computed(ty: TypeRef, bytes: &[u8]) -> Value<'static> {
        value(ctype::Value::computed(ty, bytes))
    }

    #[test]
    fn what_is_neither_true_nor_false_is_no_truth_value() {
        let bool_of = |byte: u8| computed(base("_Bool", Encoding::Bool, 1), &[byte]);
        assert_eq!([0, 1, 7].map(|byte| bool_of(byte).as_bool()), [Some(false), Some(true), None]);
        assert_eq!(computed(base("int", Encoding::Signed, 4), &[1, 0, 0, 0]).as_bool(), None);
        let error = bool::try_from(bool_of(7)).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::Type, "`7` of type `_Bool` is not a truth value")
        );
    }

    #[test]
    fn what_is_not_known_is_an_error_of_its_own_as_a_number() {
        let lost =
            value(ctype::Value::new(base("int", Encoding::Signed, 4), Place::Unavailable(Unavailable::OptimizedOut)));
        assert_eq!((lost.as_i128(), lost.unknown()), (None, Some(crate::replay::Unknown::OptimizedOut)));
        let error = i32::try_from(&lost).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unknown);
        assert_eq!(error.to_string(), "a value of type `int` is not known: <optimized out>");
        let halved = ctype::Value::new(base("int", Encoding::Signed, 4), Place::Bytes(vec![Some(1), None, None, None]));
        assert_eq!(u8::try_from(value(halved)).unwrap_err().kind(), ErrorKind::Unknown);
    }

    #[test]
    fn texts_end_at_their_nul_and_have_to_be_utf_8() {
        let text = |bytes: &[u8]| {
            computed(array_of(base("char", Encoding::SignedChar, 1), bytes.len() as u64), bytes).as_str()
        };
        assert_eq!(text(b"ab\0c").as_deref(), Some("ab"));
        assert_eq!(text("grün".as_bytes()).as_deref(), Some("grün"));
        assert_eq!(text(&[0xff, 0xfe, 0]), None);
        let wide = |code: u32| computed(array_of(base("char32_t", Encoding::Utf, 4), 1), &code.to_le_bytes()).as_str();
        assert_eq!((wide(0x1f980).as_deref(), wide(0xd800)), (Some("🦀"), None));
        let bytes = computed(array_of(base("short", Encoding::Signed, 2), 1), &[65, 0]);
        assert_eq!(bytes.as_str(), None);
    }

    proptest! {
        #[test]
        fn a_number_comes_out_as_it_is_or_not_at_all(bits: u128, power in 0u32..5, signed: bool) {
            let size = 1u64 << power;
            let encoding = if signed { Encoding::Signed } else { Encoding::Unsigned };
            let value = computed(base("number", encoding, size), &bits.to_le_bytes()[..size as usize]);
            let unused = 128 - 8 * size as u32;
            if signed {
                let number = (bits << unused) as i128 >> unused;
                prop_assert_eq!(value.as_i128(), Some(number));
                prop_assert_eq!(i16::try_from(&value).ok(), i16::try_from(number).ok());
                prop_assert_eq!(u64::try_from(&value).ok(), u64::try_from(number).ok());
            } else {
                let number = bits << unused >> unused;
                prop_assert_eq!(u128::try_from(&value).ok(), Some(number));
                prop_assert_eq!(value.as_i128(), i128::try_from(number).ok());
                prop_assert_eq!(i8::try_from(&value).ok(), i8::try_from(number).ok());
            }
        }
    }
}
