//! `std::array`, and what only refers to elements: `std::span`, `std::initializer_list`.

use super::Object;
use crate::contiguous::{Array, Contiguous};
use crate::object::{first_member, number, pointer_value, value_argument};
use ctype::layout::array_parts;
use ctype::{Meaning, Memory, Style};

pub(super) fn array(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let count = u64::try_from(value_argument(object.record, 1)?).ok()?;
    let array = first_member(object.value, &["_M_elems", "__elems_"])?;
    let (element, held) = array_parts(&array.ty).unzip();
    if count > 0 && held != Some(Some(count)) {
        return None;
    }
    let address = array.address();
    let mut meaning = Meaning { length: Some(count), ..Meaning::empty(false) };
    if let Some((element, address)) = element.or_else(|| object.argument(0, memory)).zip(address) {
        meaning = meaning.fact("data", pointer_value(element, address));
    }
    Some(meaning.holds(Style::Sequence, Array { array, index: 0, count }))
}

pub(super) fn span(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let start = number(&first_member(object.value, &["_M_ptr", "__data_", "__data"])?, memory)?;
    // The second argument says how many, or, if that is not fixed, a member.
    let count = match value_argument(object.record, 1).and_then(|n| u64::try_from(n).ok()).filter(|n| *n != u64::MAX) {
        Some(count) => count,
        None => number(&first_member(object.value, &["_M_extent._M_extent_value", "__size_", "__size"])?, memory)?,
    };
    range(object, start, count, memory)
}

pub(super) fn initializer_list(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let start = number(&first_member(object.value, &["_M_array", "__begin_"])?, memory)?;
    let count = number(&first_member(object.value, &["_M_len", "__size_"])?, memory)?;
    range(object, start, count, memory)
}

/// Reads so many elements at an address that belong to somebody else.
fn range(object: &Object<'_>, start: u64, count: u64, memory: &mut dyn Memory) -> Option<Meaning> {
    let element = object.argument(0, memory)?;
    let items = Contiguous::at(&element, start, count, memory)?;
    let title = format!("{} of length {count}", object.title());
    let meaning = Meaning { length: Some(count), ..Meaning::empty(false) }.says(title);
    Some(meaning.holds(Style::Sequence, items).fact("data", pointer_value(element, start)))
}
