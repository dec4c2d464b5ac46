//! `std::unique_ptr`, `shared_ptr`, `weak_ptr`.

use super::Object;
use crate::contiguous::Few;
use crate::object::{at, bool_value, count_value, first_member, is_readable, member, number, number_at, pointee};
use ctype::layout::{pointer_target, strip};
use ctype::{Meaning, Memory, Place, Style, Type, Unavailable, Value};

/// More owners than this are garbage.
const MAX_OWNERS: u64 = i32::MAX as u64;

/// Reads a smart pointer: what `get()` gives, and what is there.
fn smart(title: String, pointer: Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let address = number(&pointer, memory)?;
    let target = pointer_target(&pointer.ty).filter(|target| !matches!(&*strip(target), Type::Void));
    let target = target.map(|target| match address {
        0 => Value::new(target, Place::Unavailable(Unavailable::Memory(0))),
        address => at(target, address),
    });
    let meaning = Meaning { target, ..Meaning::empty(false) }.says(title).fact("get", pointer.clone());
    Some(meaning.holds(Style::Fields, Few::named([("get()", pointer)])))
}

pub(super) fn unique(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    smart(object.title_with(1), owned(object.value)?, memory)
}

/// Returns the pointer of a `std::unique_ptr`.
pub(super) fn owned(value: &Value) -> Option<Value> {
    let gnu = || {
        let pair = member(value, "_M_t._M_t").or_else(|| member(value, "_M_t"))?;
        // The pointer is the first element of a tuple; base classes nearer to it come first.
        pair.member("_M_head_impl")
    };
    gnu().or_else(|| first_member(value, &["__ptr_.__value_", "__ptr_"]))
}

/// Reads `std::reference_wrapper`: what it refers to.
pub(super) fn wrapper(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let target = pointee(&first_member(object.value, &["_M_data", "__f_"])?, memory)?;
    if !is_readable(target.address()?, 1, memory) {
        return None;
    }
    let meaning = Meaning { target: Some(target.clone()), ..Meaning::empty(false) }.says(object.title_with(1));
    Some(meaning.fact("get", target.clone()).holds(Style::Fields, Few::named([("get()", target)])))
}

pub(super) fn shared(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let pointer = first_member(object.value, &["_M_ptr", "__ptr_"])?;
    let block = first_member(object.value, &["_M_refcount._M_pi", "__cntrl_"])?;
    let counts = if number(&block, memory)? == 0 { None } else { Some(counts(&pointee(&block, memory)?, memory)?) };
    let state = match counts {
        None => "empty".to_owned(),
        Some((0, watchers)) => format!("expired, weak count {watchers}"),
        Some((owners, watchers)) => format!("use count {owners}, weak count {}", watchers.checked_sub(1)?),
    };
    let address = number(&pointer, memory)?;
    let owners = counts.map_or(0, |(owners, _)| owners);
    if owners > 0 && address != 0 && !is_readable(address, 1, memory) {
        return None;
    }
    let is_weak = object.bare == "weak_ptr";
    let mut meaning = smart(format!("{} ({state})", object.title_with(1)), pointer.clone(), memory)?;
    if is_weak {
        // What nobody owns any more cannot be had.
        let (gone, null) = (owners == 0, Value::computed(pointer.ty.clone(), &[0; 8]));
        meaning.target = meaning.target.filter(|_| !gone);
        meaning = meaning.fact("expired", bool_value(gone)).fact("lock", if gone { null } else { pointer });
    }
    Some(meaning.fact("use_count", count_value(owners)))
}

/// Reads how many own what a block is about, and how many watch it; all owners together are one of the latter.
fn counts(block: &Value, memory: &mut dyn Memory) -> Option<(u64, u64)> {
    let (owners, watchers) = match block.member("_M_use_count") {
        Some(owners) => (number(&owners, memory)?, number_at(block, "_M_weak_count", memory)?),
        None => {
            let (owners, watchers) = llvm_counts(block, memory)?;
            // LLVM counts those beyond the first one: -1 is none.
            (owners.wrapping_add(1), watchers.wrapping_add(1))
        }
    };
    (owners <= MAX_OWNERS && watchers <= MAX_OWNERS).then_some((owners, watchers))
}

fn llvm_counts(block: &Value, memory: &mut dyn Memory) -> Option<(u64, u64)> {
    if let Some(owners) = block.member("__shared_owners_") {
        return Some((number(&owners, memory)?, number_at(block, "__shared_weak_owners_", memory)?));
    }
    // The class is declared only where nobody compiled its virtual functions. It has the counts behind the pointer to
    // the table, by whose name such a block is known.
    let table = block.word(0, memory).ok()?;
    let table = memory.symbol(table)?;
    let is_block = ["<vtable for std::__1::__shared_ptr", "<vtable for std::__ndk1::__shared_ptr"];
    if !is_block.iter().any(|name| table.starts_with(name)) {
        return None;
    }
    Some((block.word(8, memory).ok()?, block.word(16, memory).ok()?))
}
