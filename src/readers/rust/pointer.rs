//! `Box`, `Rc`, `Arc`, `Weak`; slices, `str`, and trait objects: pointers with a length or a vtable.

use super::{Object, address_in, in_library, text, usize_value, vec};
use crate::chain::word;
use crate::contiguous::{Contiguous, Few};
use crate::object::{MAX_COUNT, at, is_readable, member, number, number_at, pointer_value, with_record};
use base::qualified::template_arguments;
use ctype::layout::{align_of, array_of, array_parts, find_member, pointer_target, size_of};
use ctype::{Meaning, Memory, Place, Style, TypeRef, Unavailable, Value};

/// More owners than this are garbage.
const MAX_OWNERS: u64 = 1 << 48;
/// Bytes of the two counts before the value of an `Rc`.
const COUNTS: u64 = 16;

/// Reads a box, which is a pointer that is never null.
pub(super) fn boxed(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let address = value.word(0, memory).ok().filter(|address| *address != 0)?;
    let target = pointer_target(&value.ty)?;
    owning("Box", at(target, address), memory)
}

/// Reads `Box(…)`, if what it owns is there.
fn owning(title: &'static str, target: Value, memory: &mut dyn Memory) -> Option<Meaning> {
    if let Place::Memory(address) = target.place
        && !is_readable(address, size_of(&target.ty)?, memory)
    {
        return None;
    }
    let meaning = Meaning { target: Some(target.clone()), ..Meaning::empty(true) }.says(title);
    Some(meaning.holds(Style::Tuple, Few::named([("0", target)])))
}

/// Reads `&str`, `&[T]`, `Box<[T]>`, `*const [T]`, and the same of wrappers of them, `&Path`.
pub(super) fn slice(object: &Object<'_>, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    let pointer = member(object.value, "data_ptr")?;
    let count = number_at(object.value, "length", memory)?;
    if name == "&str"
        && let Some(characters) = pointer.synthetic_target(&text::array(count))
    {
        return text::outside(characters, count, memory);
    }
    let address = number(&pointer, memory)?;
    let target = pointer_target(&pointer.ty)?;
    let bare = name.trim_start_matches('&').trim_start_matches("mut ");
    if bare == "str" || bare.ends_with("boxed::Box<str, alloc::alloc::Global>") || is_text(bare) {
        return text::text(address, count, memory);
    }
    if bare == "core::ffi::c_str::CStr" {
        // Its NUL counts.
        return text::text(address, count.checked_sub(1)?, memory);
    }
    if unsized_part(name) != Some(Unsized::Elements) {
        return None;
    }
    let size = size_of(&target)?;
    if count > MAX_COUNT || !is_readable(address, count.checked_mul(size)?, memory) {
        return None;
    }
    let is_box = in_library(name) == Some("Box");
    let items = Contiguous { element: target.clone(), next: address, size, left: count };
    let title = if is_box {
        "Box"
    } else if name.starts_with('&') {
        "&"
    } else {
        ""
    };
    Some(vec::sequence(title, count).holds(Style::Sequence, items).fact("as_ptr", pointer_value(target, address)))
}

/// Why the value of a counted pointer is not shown.
const UNSIZED: &str = "an unsized structure, whose size the debug info does not have";

/// What makes the target of a pointer unsized, if it is nothing but that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unsized {
    Elements,
    Text,
    Object,
}

/// Tells what a pointer like `&[T]`, `*const dyn T` or `Rc<str>` leads to. `None` if that only ends with something
/// unsized, as in `&Wrapper<[T]>` or `Arc<Mutex<dyn T>>`: the debug info has the fields in front of it, but not where
/// it begins.
fn unsized_part(name: &str) -> Option<Unsized> {
    let signs = ["&mut ", "&", "*const ", "*mut "];
    let target = signs.iter().find_map(|sign| name.strip_prefix(sign)).or_else(|| {
        in_library(name)?;
        template_arguments(name)?.1.first().copied()
    })?;
    match target {
        "str" => Some(Unsized::Text),
        _ if target.starts_with('[') => Some(Unsized::Elements),
        _ if target.starts_with("dyn ") || target.starts_with("(dyn ") => Some(Unsized::Object),
        _ => None,
    }
}

/// Returns whether the unsized type behind a pointer is text.
fn is_text(name: &str) -> bool {
    ["std::path::Path", "std::ffi::os_str::OsStr"].contains(&name)
}

/// Reads `&dyn Trait`, `Box<dyn Trait>`: what is there is of the type whose vtable this is.
pub(super) fn dynamic(value: &Value, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    if unsized_part(name) != Some(Unsized::Object) {
        return None;
    }
    let address = number_at(value, "pointer", memory)?;
    let table = number_at(value, "vtable", memory)?;
    let target = at(memory.vtable_owner(table)?, address);
    match in_library(name) {
        Some("Box") => owning("Box", target, memory),
        _ => {
            if !is_readable(address, size_of(&target.ty)?, memory) {
                return None;
            }
            let sign = if name.starts_with('*') { "*" } else { "&" };
            Some(Meaning { target: Some(target.clone()), ..Meaning::empty(true) }.says(sign).shows(target))
        }
    }
}

/// Returns whether it is an `Rc` or an `Arc`.
pub(super) fn is_counted(value: &Value) -> bool {
    let is_counted = |name: &str| ["alloc::rc::Rc<", "alloc::sync::Arc<"].iter().any(|owner| name.starts_with(owner));
    with_record(&value.ty, |record| record.name.as_deref().map(is_counted)).unwrap_or(false)
}

/// Reads `Rc`, `Arc` and their `Weak`.
pub(super) fn counted(value: &Value, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    let title = in_library(name)?;
    let pointer = value.member("ptr")?;
    let address = address_in(&pointer, memory)?;
    let is_weak = title == "Weak";
    if is_weak && address == u64::MAX {
        return Some(counts(Meaning::empty(true).says("(Weak)"), 0, 0));
    }
    let (strong, weak) = (word(address, memory).ok()?, word(address.checked_add(8)?, memory).ok()?);
    // All owners together are one that watches.
    if strong > MAX_OWNERS || weak > MAX_OWNERS || (strong == 0 && !is_weak) || (strong > 0 && weak == 0) {
        return None;
    }
    let watchers = if strong > 0 { weak - 1 } else { weak };
    let held = match held(&pointer, name, address, memory).filter(|_| strong > 0) {
        // The length or the table that leads to it may be lost where the address is not.
        None if strong > 0 => {
            let reason = match is_lost(&pointer, memory) {
                true => Some(Unavailable::OptimizedOut),
                false => ends_unsized(&pointer, name).then(|| Unavailable::Other(UNSIZED.to_owned())),
            };
            reason.map(|reason| Value::new(pointer.ty.clone(), Place::Unavailable(reason)))
        }
        held => held,
    };
    let mut meaning = Meaning::empty(true);
    meaning = if is_weak {
        meaning.says("(Weak)")
    } else {
        let mut fields = Vec::new();
        fields.extend(held.clone().map(|held| ("value", held)));
        fields.extend([("strong", usize_value(strong)), ("weak", usize_value(watchers))]);
        let title = if title == "Arc" { "Arc" } else { "Rc" };
        meaning.says(title).holds(Style::Fields, Few::named(fields))
    };
    // What a `Weak` watches must be asked for, and may be gone.
    meaning.target = held;
    Some(counts(meaning, strong, watchers))
}

fn counts(meaning: Meaning, strong: u64, weak: u64) -> Meaning {
    meaning.fact("strong_count", usize_value(strong)).fact("weak_count", usize_value(weak))
}

/// Returns whether a counted pointer, which has a length or a table, leads to a structure of which only the end is
/// unsized.
fn ends_unsized(pointer: &Value, name: &str) -> bool {
    size_of(&pointer.ty).is_some_and(|size| size > 8) && unsized_part(name).is_none()
}

/// Returns whether a part of a pointer is not to be had: its length, or its table.
fn is_lost(pointer: &Value, memory: &mut dyn Memory) -> bool {
    let Some(size) = size_of(&pointer.ty).filter(|size| *size <= 16) else { return false };
    pointer.read(memory, 0, size as usize).is_err()
}

/// Finds the value behind the counts at an address.
fn held(pointer: &Value, name: &str, address: u64, memory: &mut dyn Memory) -> Option<Value> {
    let mut inner = pointer.clone();
    for _ in 0..3 {
        match inner.member("pointer").filter(|_| inner.member("vtable").is_none()) {
            Some(deeper) => inner = deeper,
            None => break,
        }
    }
    if let Some(block) = pointer_target(&inner.ty) {
        let found = ["value", "data"].iter().find_map(|name| find_member(&block, name))?;
        return Some(at(found.ty, address.checked_add(found.offset)?));
    }
    if ends_unsized(pointer, name) {
        return None;
    }
    // The block's own type is unsized: its value is where its type's alignment puts it.
    let place = |ty: &TypeRef| address.checked_add(COUNTS.checked_next_multiple_of(align_of(ty)?)?);
    if let Some(table) = inner.member("vtable") {
        let table = number(&table, memory)?;
        let ty = memory.vtable_owner(table)?;
        let place = place(&ty)?;
        return Some(at(ty, place));
    }
    let count = number_at(&inner, "length", memory).filter(|count| *count <= MAX_COUNT)?;
    let block = pointer_target(&member(&inner, "data_ptr")?.ty)?;
    let found = ["value", "data"].iter().find_map(|name| find_member(&block, name));
    let element = found.map_or(block, |found| array_parts(&found.ty).map_or(found.ty, |(element, _)| element));
    let place = place(&element)?;
    let is_text = with_record(&inner.ty, |record| Some(record.name.as_deref()?.ends_with("Inner<str>")))?;
    Some(if is_text { text::reference(place, count) } else { at(array_of(element, count), place) })
}
