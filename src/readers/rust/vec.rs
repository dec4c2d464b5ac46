//! `Vec`, `VecDeque`, `BinaryHeap` and `LinkedList`.

use super::{Object, address_in, usize_value};
use crate::chain::{Held, Linked};
use crate::contiguous::{Contiguous, Ring};
use crate::object::{MAX_COUNT, bool_value, first_member, is_readable, member, number, number_at, pointer_value};
use ctype::layout::{find_member, pointer_target, size_of};
use ctype::{Meaning, Memory, Style, Value, Word};

/// Finds where the elements of a growable buffer are, and for how many of `size` bytes there is room.
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
    Some(meaning.fact("capacity", usize_value(capacity)).fact("as_ptr", pointer_value(element, start)))
}

/// Makes the meaning of a sequence of so many elements.
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
    Some(sequence("VecDeque", count).holds(Style::Sequence, items).fact("capacity", usize_value(capacity)))
}

/// Reads a vector whose largest element comes first.
pub(super) fn heap(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let mut meaning = crate::meaning(&value.member("data")?, memory)?;
    meaning.title = vec![Word::Text("BinaryHeap".into())];
    Some(meaning)
}

/// Reads nodes that point to the next one: `next`, where 0 is `None`.
pub(super) fn list(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let element = object.argument(0, memory)?;
    let count = number_at(object.value, "len", memory).filter(|count| *count <= MAX_COUNT)?;
    let (first, last) = (object.value.member("head")?, object.value.member("tail")?);
    let (first_node, last_node) = (first.word(0, memory).ok()?, last.word(0, memory).ok()?);
    if (first_node == 0) != (count == 0) || (last_node == 0) != (count == 0) {
        return None;
    }
    let mut items = Linked { node: 0, end: 0, link: 0, element: 0, held: Held::Element(element), left: count };
    if let Some((_, some)) = first.variant(memory).ok()?.filter(|_| count > 0) {
        let pointer = member(&some, "__0.pointer")?;
        let node = pointer_target(&pointer.ty)?;
        items.node = first_node;
        items.link = find_member(&node, "next")?.offset;
        items.element = find_member(&node, "element")?.offset;
    }
    Some(sequence("LinkedList", count).holds(Style::Sequence, items))
}
