//! Iterators over what lies side by side: what they have still to give.

use super::{Object, address_in, in_library};
use crate::contiguous::Contiguous;
use crate::object::{MAX_COUNT, count_between, first_member, is_readable, pointer_value};
use ctype::layout::{pointer_target, size_of};
use ctype::{Meaning, Memory, Style, Value};

/// Reads `slice::Iter`, `slice::IterMut` and `vec::IntoIter`.
pub(super) fn iterator(object: &Object<'_>, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    let title = match in_library(name)? {
        "Iter" => "Iter",
        "IterMut" => "IterMut",
        "IntoIter" => "IntoIter",
        _ => return None,
    };
    let element = object.argument(0, memory)?;
    // Of elements without a size, the end is a number.
    let size = size_of(&element).filter(|size| *size != 0)?;
    let start = address_in(&object.value.member("ptr")?, memory)?;
    let end = address_of_end(object.value, memory)?;
    let count = count_between(start, end, size).filter(|count| *count <= MAX_COUNT)?;
    if !is_readable(start, count.checked_mul(size)?, memory) {
        return None;
    }
    let items = Contiguous { element: element.clone(), next: start, size, left: count };
    let meaning = Meaning { length: Some(count), ..Meaning::empty(true) }.says(title);
    Some(meaning.holds(Style::Sequence, items).fact("as_ptr", pointer_value(element, start)))
}

fn address_of_end(value: &Value, memory: &mut dyn Memory) -> Option<u64> {
    let end = first_member(value, &["end_or_len", "end"])?;
    pointer_target(&end.ty)?;
    address_in(&end, memory)
}
