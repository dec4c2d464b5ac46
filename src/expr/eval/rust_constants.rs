//! Constants of Rust's own types, which are in no debug info: `u8::MAX`.

use super::*;
use ctype::Encoding;

/// Returns the constant that a path means; `None` of any other.
pub(super) fn constant(path: &[String]) -> Option<Value> {
    // The modules of the library that are called as the types are have some of the constants, too.
    let (ty, name) = match path {
        [ty, name] => (ty, name),
        [library, ty, name] if matches!(library.as_str(), "std" | "core") => (ty, name),
        _ => return None,
    };
    let ty = is_rust_primitive(ty).then(|| rust_primitive(ty))?;
    let Type::Base { encoding, size, .. } = &*ty else { return None };
    let size = usize::try_from(*size).ok()?;
    let bits = u32::try_from(8 * size).ok()?;
    let all = u128::MAX.checked_shr(128 - bits)?;
    let integer = |bits: u128| Some(Value::computed(ty.clone(), bits.to_le_bytes().get(..size)?));
    match (encoding, name.as_str()) {
        (Encoding::Signed | Encoding::Unsigned, "BITS") => {
            Some(Value::computed(rust_primitive("u32"), &bits.to_le_bytes()))
        }
        (Encoding::Unsigned, "MIN") => integer(0),
        (Encoding::Unsigned, "MAX") => integer(all),
        (Encoding::Signed, "MIN") => integer(all ^ all >> 1),
        (Encoding::Signed, "MAX") => integer(all >> 1),
        (Encoding::Utf, "MAX") => integer(u128::from(u32::from(char::MAX))),
        (Encoding::Float, _) if size == 4 => {
            let value = match name.as_str() {
                "MIN" => f32::MIN,
                "MAX" => f32::MAX,
                "EPSILON" => f32::EPSILON,
                "MIN_POSITIVE" => f32::MIN_POSITIVE,
                "INFINITY" => f32::INFINITY,
                "NEG_INFINITY" => f32::NEG_INFINITY,
                "NAN" => f32::NAN,
                _ => return None,
            };
            Some(Value::computed(ty, &value.to_le_bytes()))
        }
        (Encoding::Float, _) => {
            let value = match name.as_str() {
                "MIN" => f64::MIN,
                "MAX" => f64::MAX,
                "EPSILON" => f64::EPSILON,
                "MIN_POSITIVE" => f64::MIN_POSITIVE,
                "INFINITY" => f64::INFINITY,
                "NEG_INFINITY" => f64::NEG_INFINITY,
                "NAN" => f64::NAN,
                _ => return None,
            };
            Some(Value::computed(ty, &value.to_le_bytes()))
        }
        _ => None,
    }
}
