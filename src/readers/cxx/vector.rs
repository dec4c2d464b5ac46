//! `std::vector`, of bits too.

use super::{Object, nothing_in};
use crate::contiguous::{Bits, Contiguous};
use crate::object::{
    MAX_COUNT, at, count_between, first_member, is_readable, member, number, number_at, pointer_value, size_value,
};
use ctype::layout::{size_of, strip};
use ctype::{Encoding, Meaning, Memory, Style, Type, TypeRef};

/// Returns whether a type is C++'s `bool`.
fn is_bool(ty: &TypeRef) -> bool {
    matches!(&*strip(ty), Type::Base { encoding: Encoding::Bool, .. })
}

pub(super) fn vector(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let element = object.argument(0, memory)?;
    if is_bool(&element) {
        return bits(object, element, memory);
    }
    let mut pointer = |paths: &[&str]| number(&first_member(object.value, paths)?, memory);
    let start = pointer(&["_M_impl._M_start", "__begin_"])?;
    let finish = pointer(&["_M_impl._M_finish", "__end_"])?;
    let end = pointer(&["_M_impl._M_end_of_storage", "__end_cap_.__value_", "__cap_"])?;
    let Some(size) = size_of(&element) else {
        // Of elements that are only declared, none are as many as of any.
        let capacity = if start == end { ", capacity 0" } else { "" };
        let title = format!("{} of length 0{capacity}", object.title());
        return (start == finish && finish <= end).then(|| nothing_in(title, Style::Sequence));
    };
    let count = count_between(start, finish, size)?;
    let capacity = count_between(start, end, size).filter(|capacity| *capacity >= count)?;
    let items = Contiguous::at(&element, start, count, memory)?;
    let title = format!("{} of length {count}, capacity {capacity}", object.title());
    let meaning = Meaning { length: Some(count), ..Meaning::empty(false) }.says(title).holds(Style::Sequence, items);
    Some(meaning.fact("capacity", size_value(capacity)).fact("data", pointer_value(element, start)))
}

fn bits(object: &Object<'_>, element: TypeRef, memory: &mut dyn Memory) -> Option<Meaning> {
    let (start, count, capacity) = match member(object.value, "_M_impl") {
        Some(implementation) => {
            let mut part = |path: &str| number_at(&implementation, path, memory);
            let (start, finish) = (part("_M_start._M_p")?, part("_M_finish._M_p")?);
            let (offset, end) = (part("_M_finish._M_offset").filter(|o| *o < 64)?, part("_M_end_of_storage")?);
            let bits = |from: u64, to: u64| count_between(from, to, 8).map(|words| words * 64);
            (start, bits(start, finish)? + offset, bits(start, end)?)
        }
        None => {
            let words = number(&first_member(object.value, &["__cap_alloc_.__value_", "__cap_"])?, memory)?;
            let capacity = words.checked_mul(64)?;
            (number_at(object.value, "__begin_", memory)?, number_at(object.value, "__size_", memory)?, capacity)
        }
    };
    if count > capacity || capacity > MAX_COUNT || !is_readable(start, count.div_ceil(8), memory) {
        return None;
    }
    let bits = Bits { place: at(element, start), index: 0, end: count, only_set: false };
    let title = format!("{}<bool> of length {count}, capacity {capacity}", object.title());
    let meaning = Meaning { length: Some(count), ..Meaning::empty(false) }.says(title);
    Some(meaning.holds(Style::Sequence, bits).fact("capacity", size_value(capacity)))
}
