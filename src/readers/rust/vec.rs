//! `Vec` and `VecDeque`.

use super::{Object, address_in};
use crate::ctype::layout::size_of;
use crate::ctype::{Meaning, Memory, Style, Value};
use crate::readers::contiguous::{Contiguous, Ring};
use crate::readers::object::{
    MAX_COUNT, bool_value, first_member, is_readable, member, number, number_at, pointer_value, size_value,
};

/// Where the elements of a growable buffer are, and for how many of `size` bytes there is room.
pub(super) fn buffer(vec: &Value, size: u64, memory: &mut dyn Memory) -> Option<(u64, u64)> {
    let pointer = first_member(vec, &["buf.inner.ptr", "buf.ptr"])?;
    let address = address_in(&pointer, memory)?;
    // The capacity is a number in a wrapper, or, before 1.77, a plain one.
    let capacity = first_member(vec, &["buf.inner.cap.__0", "buf.inner.cap", "buf.cap.__0", "buf.cap"])?;
    let capacity = number(&capacity, memory)?;
    let capacity = if size == 0 { MAX_COUNT } else { capacity };
    (capacity <= MAX_COUNT).then_some((address, capacity))
}

pub(super) fn vec(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let element = object.argument(0, memory)?;
    let size = size_of(&element)?;
    let (start, capacity) = buffer(object.value, size, memory)?;
    let count = number_at(object.value, "len", memory).filter(|count| *count <= capacity)?;
    if !is_readable(start, count.checked_mul(size)?, memory) {
        return None;
    }
    let items = Contiguous { element: element.clone(), next: start, size, left: count };
    let meaning = sequence("vec!", count).holds(Style::Sequence, items);
    Some(meaning.fact("capacity", size_value(capacity)).fact("as_ptr", pointer_value(element, start)))
}

/// A sequence of so many elements.
pub(super) fn sequence(title: &'static str, count: u64) -> Meaning {
    let meaning = Meaning { length: Some(count), ..Meaning::empty(true) }.fact("is_empty", bool_value(count == 0));
    if title.is_empty() { meaning } else { meaning.says(title) }
}

pub(super) fn deque(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let element = object.argument(0, memory)?;
    let size = size_of(&element)?;
    let (start, capacity) = buffer(object.value, size, memory)?;
    let count = number_at(object.value, "len", memory).filter(|count| *count <= capacity)?;
    let first = number(&member(object.value, "head")?, memory).filter(|first| *first < capacity || count == 0)?;
    if !is_readable(start, if count == 0 { 0 } else { capacity.checked_mul(size)? }, memory) {
        return None;
    }
    let items = Ring { element, size, start, capacity: capacity.max(1), index: first, left: count };
    Some(sequence("VecDeque", count).holds(Style::Sequence, items).fact("capacity", size_value(capacity)))
}
