//! `std::optional`, `variant`, `any`: objects that hold one of several things, or nothing.

use super::Object;
use crate::contiguous::Few;
use crate::names::{in_std, shortened};
use crate::object::{at, bool_value, first_member, number, size_value, type_argument, with_record};
use ctype::layout::size_of;
use ctype::{Body, Dialect, Item, Key, Meaning, Memory, Place, Style, Unavailable, Value, Word, type_name};

/// Makes a meaning that wraps what is held: if that has elements itself, they are the wrapper's, as in GDB.
fn wrapping(title: String, held: Option<Value>, name: Option<&'static str>, memory: &mut dyn Memory) -> Meaning {
    let Some(held) = held else {
        return Meaning::empty(false)
            .says(format!("{title} [no contained value]"))
            .fact("has_value", bool_value(false));
    };
    let inner = crate::meaning(&held, memory).filter(|inner| matches!(inner.body, Body::Items(..)));
    let meaning = match inner {
        Some(Meaning { title: words, body, .. }) if !words.is_empty() => {
            let mut meaning = Meaning::empty(false).says(format!("{title} containing "));
            meaning.title.extend(words);
            Meaning { body, ..meaning }
        }
        _ => {
            let key = name.map_or(Key::Place, |name| Key::Name(name.into()));
            let style = if name.is_some() { Style::Fields } else { Style::Sequence };
            let item = Item { key, value: held.clone() };
            Meaning::empty(false).says(title).holds(style, Few::of(vec![item]))
        }
    };
    Meaning { target: Some(held), ..meaning }.fact("has_value", bool_value(true))
}

/// What GDB calls the value in an optional.
const CONTAINED: &str = "[contained value]";

pub(super) fn optional(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let engaged = number(&first_member(object.value, &["_M_payload._M_engaged", "__engaged_"])?, memory)?;
    let held = first_member(object.value, &["_M_payload._M_payload._M_value", "__val_"])?;
    let title = object.title_with(1);
    match engaged {
        0 => Some(Meaning { target: nothing(object, memory), ..wrapping(title, None, None, memory) }),
        1 => Some(wrapping(title, Some(held.clone()), Some(CONTAINED), memory).fact("value", held)),
        _ => None,
    }
}

/// Makes what `*` of an empty optional reaches: nothing, and it says so.
fn nothing(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Value> {
    let reason = Unavailable::Other("the optional is empty".to_owned());
    Some(Value::new(object.argument(0, memory)?, Place::Unavailable(reason)))
}

/// What a variant says of whether it has no value.
const VALUELESS: &str = "valueless_by_exception";

pub(super) fn variant(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let index = first_member(object.value, &["_M_index", "__impl_.__index", "__impl.__index"])?;
    let start = first_member(object.value, &["_M_u", "__impl_.__data", "__impl.__data"])?;
    let size = size_of(&index.ty)?;
    let at = number(&index, memory)?;
    let title = object.title_with(usize::MAX);
    // All ones, in whatever size the index has: without a value, because an assignment has failed.
    if at == u64::MAX >> (64 - 8 * size.clamp(1, 8)) {
        return Some(wrapping(title, None, None, memory).fact(VALUELESS, bool_value(true)));
    }
    let number = usize::try_from(at).ok().filter(|number| *number < object.argument_names().len())?;
    let held = start.part(object.argument(number, memory)?, 0, None);
    let mut meaning = wrapping(format!("{title} [index {at}]"), Some(held), None, memory);
    // `*` is no operator of it.
    meaning.facts.clear();
    Some(meaning.fact("index", size_value(at)).fact(VALUELESS, bool_value(false)))
}

pub(super) fn any(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let handler = number(&first_member(object.value, &["_M_manager", "__h_", "__h"])?, memory)?;
    if handler == 0 {
        return Some(wrapping(object.title(), None, None, memory));
    }
    // `std::any::_Manager_internal<int>::_S_manage`: the manager knows what it manages.
    let manager = memory.class_of_function(handler)?;
    let (class, ty) = with_record(&manager, |record| Some((record.name.clone()?, type_argument(record, 0, memory)?)))?;
    let name = shortened(&type_name(&ty, Dialect::Cxx));
    let storage = first_member(object.value, &["_M_storage", "__s_", "__s"])?;
    let held = match in_std(&class)?.as_str() {
        "any::_Manager_internal" | "__any_imp::_SmallHandler" => storage.part(ty, 0, None),
        "any::_Manager_external" | "__any_imp::_LargeHandler" => {
            let pointer = first_member(&storage, &["_M_ptr", "__ptr_", "__ptr"])?;
            at(ty, number(&pointer, memory).filter(|address| *address != 0)?)
        }
        _ => return None,
    };
    Some(any_of(object, held, &name, memory))
}

/// Makes the meaning of an `any` that holds a value of a type of that name.
fn any_of(object: &Object<'_>, held: Value, name: &str, memory: &mut dyn Memory) -> Meaning {
    let title = object.title();
    let mut meaning = wrapping(title.clone(), Some(held), Some(CONTAINED), memory);
    if let [Word::Text(words)] = meaning.title.as_mut_slice()
        && *words == title
    {
        *words = format!("{title} containing {name}").into();
    }
    meaning
}
