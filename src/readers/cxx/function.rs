//! `std::function`: what it calls.

use super::Object;
use crate::chain::word;
use crate::contiguous::Few;
use crate::names::in_std;
use crate::object::{at, bool_value, first_member, member, number, type_argument, with_record};
use ctype::layout::{align_of, size_of};
use ctype::{Meaning, Memory, Style, TypeRef, Value, is_trivially_copyable};

/// Bytes and alignment of the buffer in which GNU's library keeps small functors.
const OWN_BUFFER: u64 = 16;
const OWN_ALIGNMENT: u64 = 8;

/// Which virtual function of LLVM's `__func` copies it: that one is never inherited.
const CLONE: u64 = 2;

pub(super) fn function(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let manager = object.value.member("_M_manager");
    let pointer = match &manager {
        Some(manager) => number(manager, memory)?,
        None => number(&member(object.value, "__f_.__f_")?, memory)?,
    };
    let title = object.title_with(1);
    if pointer == 0 {
        let meaning = Meaning::empty(false).says(format!("{title} [empty]"));
        return Some(meaning.fact("operator bool", bool_value(false)));
    }
    let target = match manager {
        Some(_) => gnu(object.value, pointer, memory)?,
        None => llvm(pointer, memory)?,
    };
    let meaning = Meaning::empty(false).says(title).fact("target", target.clone());
    let meaning = meaning.fact("operator bool", bool_value(true));
    Some(meaning.holds(Style::Fields, Few::named([("target", target)])))
}

/// Reads a functor of GNU's, `std::_Function_handler<int (int), F>::_M_manager`: the manager knows what it manages.
fn gnu(function: &Value, manager: u64, memory: &mut dyn Memory) -> Option<Value> {
    let handler = memory.class_of_function(manager)?;
    let functor = with_record(&handler, |record| {
        let is_handler = in_std(record.name.as_deref()?)? == "_Function_handler";
        is_handler.then(|| type_argument(record, 1, memory))?
    })?;
    let storage = function.member("_M_functor")?;
    if says_inside(&handler).or_else(|| is_kept_inside(&functor))? {
        return Some(storage.part(functor, 0, None));
    }
    Some(at(functor, storage.word(0, memory).ok().filter(|address| *address != 0)?))
}

/// Returns whether the functor is inside the function, as `_Base_manager`, which the handler is derived from, says.
fn says_inside(handler: &TypeRef) -> Option<bool> {
    with_record(handler, |record| {
        let manager = record.members.iter().find(|member| member.is_base)?.ty.get();
        with_record(&manager, |manager| {
            let said = manager.statics.iter().find(|member| member.name == "__stored_locally")?;
            said.constant.as_ref()?.first().map(|byte| *byte != 0)
        })
    })
}

/// Returns whether a functor is inside the function, where the debug info does not say: GNU's library keeps a functor
/// inside if it is small and may be moved byte by byte.
fn is_kept_inside(functor: &TypeRef) -> Option<bool> {
    if size_of(functor)? > OWN_BUFFER || align_of(functor)? > OWN_ALIGNMENT {
        return Some(false);
    }
    is_trivially_copyable(functor)
}

/// Returns whether a value is LLVM's pair of which what has no data takes no place.
fn is_compressed_pair(value: &Value) -> bool {
    let is_it = |name: &str| in_std(name).is_some_and(|name| name == "__compressed_pair");
    with_record(&value.ty, |record| record.name.as_deref().map(is_it)).unwrap_or(false)
}

/// Reads a functor of LLVM's, which is in an object of a class made for it, `__func<F, …>`, inside or elsewhere.
fn llvm(address: u64, memory: &mut dyn Memory) -> Option<Value> {
    let table = word(address, memory).ok()?;
    let clone = word(table.checked_add(CLONE * 8)?, memory).ok()?;
    let class = memory.class_of_function(clone)?;
    let is_func = with_record(&class, |record| Some(in_std(record.name.as_deref()?)? == "__function::__func"))?;
    let functor = with_record(&class, |record| type_argument(record, 0, memory));
    let object = at(class, address);
    if !is_func {
        return None;
    }
    let Some(pair) = member(&object, "__f_.__f_").filter(is_compressed_pair) else {
        return first_member(&object, &["__f_.__f_", "__func_"]);
    };
    // A functor without data is a base class of its part of the pair, which then has no value.
    let first = with_record(&pair.ty, |record| record.members.first().map(|part| (part.ty.get(), part.offset)))?;
    let part = pair.part(first.0, first.1, None);
    part.member("__value_").or_else(|| Some(part.part(functor?, 0, None)))
}
