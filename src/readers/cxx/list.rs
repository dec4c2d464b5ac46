//! `std::list` and `std::forward_list`.

use super::{Object, nothing_in};
use crate::chain::{Held, Linked, element_offset, is_word};
use crate::object::{MAX_COUNT, first_member, is_readable, number, number_at};
use ctype::layout::{find_member, size_of};
use ctype::{Meaning, Memory, Style};

pub(super) fn list(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    // A list is a ring with a node that is no element.
    let sentinel = first_member(object.value, &["_M_impl._M_node", "__end_"])?;
    let end = sentinel.address()?;
    let (next, previous) = match sentinel.member("_M_next") {
        Some(_) => ("_M_next", "_M_prev"),
        None => ("__next_", "__prev_"),
    };
    let (link, back) = (find_member(&sentinel.ty, next)?.offset, find_member(&sentinel.ty, previous)?.offset);
    let (first, last) = (number_at(&sentinel, next, memory)?, number_at(&sentinel, previous, memory)?);
    let size =
        sentinel.member("_M_size").or_else(|| first_member(object.value, &["__size_alloc_.__value_", "__size_"]));
    let count = match size {
        Some(size) => Some(number(&size, memory)?),
        // GNU's old lists count their elements when they are asked.
        None => None,
    };
    let empty = first == end;
    let is_ring = is_word(first.checked_add(back)?, end, memory) && is_word(last.checked_add(link)?, end, memory);
    if !is_ring || count.is_some_and(|count| count > MAX_COUNT || (count == 0) != empty) {
        return None;
    }
    let held = Held::Element(object.argument(0, memory)?);
    let Some(element) = element_offset(16, &held) else {
        return empty.then(|| nothing_in(title(object, empty), Style::Indexed));
    };
    let items = Linked { node: first, end, link, element, held, left: count.unwrap_or(MAX_COUNT) };
    let length = if empty { Some(0) } else { count };
    let past = end.checked_add(element);
    let meaning = Meaning { length, end: past, ..Meaning::empty(false) };
    Some(meaning.says(title(object, empty)).holds(Style::Indexed, items))
}

fn title(object: &Object<'_>, empty: bool) -> String {
    format!("{}{}", if empty { "empty " } else { "" }, object.title())
}

pub(super) fn forward_list(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let paths = ["_M_impl._M_head._M_next", "__before_begin_.__value_.__next_", "__before_begin_.__next_"];
    let first = number(&first_member(object.value, &paths)?, memory)?;
    let held = Held::Element(object.argument(0, memory)?);
    let empty = first == 0;
    let Some(element) = element_offset(8, &held) else {
        return empty.then(|| nothing_in(title(object, empty), Style::Indexed));
    };
    if !empty && !is_readable(first, element.checked_add(size_of(held.ty())?)?, memory) {
        return None;
    }
    let items = Linked { node: first, end: 0, link: 0, element, held, left: MAX_COUNT };
    let meaning = Meaning { length: empty.then_some(0), end: Some(0), ..Meaning::empty(false) };
    Some(meaning.says(title(object, empty)).holds(Style::Indexed, items))
}
