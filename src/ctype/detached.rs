//! Values that outlive their moment: references followed, descriptors read, and the bytes taken along.

use super::layout::size_of;
use super::{Memory, Place, Unavailable, Value};

/// References to references that are followed.
const MAX_REFERENCES: usize = 8;
/// Most bytes of a value that is detached.
const MAX_DETACHED: u64 = 64 << 10;
/// Bytes of a value that are read at once, if all of it cannot be: first so many, then so few.
const LONG_STEP: usize = 4096;
const SHORT_STEP: usize = 8;

/// Returns the object that references lead to, or the array that a descriptor describes.
pub fn resolved(value: &Value, memory: &mut dyn Memory) -> Value {
    let mut value = value.described(memory).unwrap_or_else(|| value.clone());
    for _ in 0..MAX_REFERENCES {
        match value.referent(memory) {
            Some(object) => value = object,
            None => break,
        }
    }
    value.described(memory).unwrap_or(value)
}

/// Returns a value with its own bytes.
pub fn detached(value: &Value, memory: &mut dyn Memory) -> Value {
    let place = match (&value.place, own_size(value)) {
        (Place::Memory(_), Some(size)) if size <= MAX_DETACHED => {
            let size = usize::try_from(size).unwrap_or_default();
            match value.read(memory, 0, size) {
                Ok(bytes) => Place::Bytes(bytes.into_iter().map(Some).collect()),
                Err(reason) => beginning(value, memory, size).unwrap_or(Place::Unavailable(reason)),
            }
        }
        (Place::Memory(_), Some(size)) => {
            let words = format!("{size} bytes are more than {MAX_DETACHED}, which are taken out of a replay");
            Place::Unavailable(Unavailable::Other(words))
        }
        (place, _) => place.clone(),
    };
    Value { place, ..value.clone() }
}

/// Returns the beginning of a value that cannot be read as a whole, as far as it can; `None` if nothing of it can.
fn beginning(value: &Value, memory: &mut dyn Memory, size: usize) -> Option<Place> {
    let (mut bytes, mut step) = (Vec::new(), LONG_STEP);
    while bytes.len() < size {
        match value.read(memory, bytes.len() as u64, step.min(size - bytes.len())) {
            Ok(part) if !part.is_empty() => bytes.extend(part.into_iter().map(Some)),
            _ if step == LONG_STEP => step = SHORT_STEP,
            _ => break,
        }
    }
    let is_known = !bytes.is_empty();
    bytes.resize(size, None);
    is_known.then_some(Place::Bytes(bytes))
}

/// Returns how many bytes a value is in: of a bit-field those that hold it.
pub fn own_size(value: &Value) -> Option<u64> {
    match value.bits {
        Some(bits) => Some((u64::from(bits.offset & 7) + u64::from(bits.size)).div_ceil(8)),
        None => size_of(&value.ty),
    }
}
