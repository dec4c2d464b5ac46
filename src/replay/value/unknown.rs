//! Whether a value is known.

use ctype::detached::own_size;
use ctype::layout::strip;
use ctype::{Memory, Place, Type, Unavailable, Value};

/// Bytes at the beginning of an object by which it is told whether it is known.
const LOOKED_AT: u64 = 16;

/// Returns whether some of a value may be known, and some not.
fn is_in_parts(value: &Value) -> bool {
    matches!(&*strip(&value.ty), Type::Record(_) | Type::Array { .. })
}

/// Returns why a value is not known; `None` if it is, at least in part.
pub(super) fn unknown(value: &Value, memory: &mut dyn Memory) -> Option<Unavailable> {
    match &value.place {
        Place::Unavailable(reason) => Some(reason.clone()),
        // Of what has no byte at all, none is known.
        place
            if place.plain_bytes().is_some_and(|bytes| bytes.iter().all(Option::is_none))
                && own_size(value) != Some(0) =>
        {
            Some(Unavailable::OptimizedOut)
        }
        Place::Bytes(_) | Place::Synthetic { .. } if !is_in_parts(value) => {
            if let Some(bits) = value.bits {
                return value.field_bits(memory, bits).err();
            }
            let length = own_size(value).unwrap_or(0);
            value.read(memory, 0, usize::try_from(length).unwrap_or_default()).err()
        }
        Place::Memory(_) if !value.is_function() => {
            let length = own_size(value).unwrap_or(0).min(LOOKED_AT);
            value.read(memory, 0, usize::try_from(length).unwrap_or_default()).err()
        }
        _ => None,
    }
}
