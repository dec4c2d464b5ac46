//! C23's integers of any number of bits, `_BitInt(17)`. What is stored with them is padding.

use super::layout::strip;
use super::{Encoding, Type, TypeRef, Unavailable};

/// What the name of C23's integers ends with that have any number of bits, where no number follows: clang 14 leaves it
/// out.
pub const BIT_PRECISE: &str = "_BitInt";

/// Returns how many bits an integer of such a type has, `_BitInt(17)`; `Err` if debug info does not tell, and `Ok(None)`
/// for all other types.
pub fn bit_precise_width(ty: &TypeRef) -> Result<Option<u8>, Unavailable> {
    let Type::Base { name, encoding: Encoding::Signed | Encoding::Unsigned, size } = &*strip(ty) else {
        return Ok(None);
    };
    let Some((before, width)) = name.split_once(BIT_PRECISE).filter(|_| *size <= 16) else { return Ok(None) };
    if !matches!(before, "" | "unsigned " | "signed ") {
        return Ok(None);
    }
    let width = width.trim().strip_prefix('(').and_then(|width| width.strip_suffix(')')?.parse::<u8>().ok());
    match width.filter(|bits| (1..=8 * size).contains(&u64::from(*bits))) {
        Some(bits) => Ok(Some(bits)),
        None => Err(Unavailable::Other(format!("debug info does not tell how many bits this {name} has"))),
    }
}
