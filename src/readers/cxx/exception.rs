//! `std::exception_ptr`: the exception that it keeps. `std::runtime_error`, `std::logic_error` and what derives from
//! them: their messages.

use super::Object;
use crate::chain::word;
use crate::contiguous::Few;
use crate::names::in_std;
use crate::object::{at, base, characters, first_member, is_readable, number, pointer_value};
use ctype::layout::strip;
use ctype::{Encoding, Meaning, Memory, Style, Type, TypeRef};

/// How far before an exception the pointer to its type's description is (`__cxa_exception::exceptionType`): the same in
/// GNU's and in LLVM's runtime on machines of 64 bits.
const TYPE_INFO: u64 = 0x70;

pub(super) fn exception_pointer(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let title = "std::exception_ptr";
    let address = number(&first_member(object.value, &["_M_exception_object", "__ptr_"])?, memory)?;
    if address == 0 {
        return Some(Meaning::empty(false).says(format!("{title} [no exception]")));
    }
    let information = word(address.checked_sub(TYPE_INFO)?, memory).ok()?;
    let symbol = memory.symbol(information)?;
    let information = symbol.strip_prefix("<typeinfo for ")?.strip_suffix('>')?.to_owned();
    let meaning = Meaning::empty(false);
    let Some(ty) = memory.named_type(&information).filter(|_| is_readable(address, 1, memory)) else {
        return Some(meaning.says(format!("{title} containing {information} at {address:#x}")));
    };
    let exception = at(ty, address);
    let meaning =
        Meaning { target: Some(exception.clone()), ..meaning }.says(format!("{title} containing {information}"));
    Some(meaning.holds(Style::Fields, Few::named([("exception", exception)])))
}

/// The classes of the library that keep a message, as a pointer right behind the one to the virtual table. (Debug info
/// seldom has their members: nobody but the library compiles their virtual functions.)
const WITH_MESSAGE: [&str; 14] = [
    "runtime_error",
    "range_error",
    "overflow_error",
    "underflow_error",
    "system_error",
    "regex_error",
    "format_error",
    "ios_base::failure",
    "logic_error",
    "domain_error",
    "invalid_argument",
    "length_error",
    "out_of_range",
    "future_error",
];
/// Where in an exception the pointer to its message is.
const MESSAGE: u64 = 8;
/// Bytes before a message, which both libraries keep as a shared string: length, capacity, a reference count.
const HEADER: u64 = 24;
/// A message that is longer than that is none.
const MAX_MESSAGE: u64 = 1 << 20;
/// Classes between an exception's and the library's.
const MAX_BASES: usize = 32;

/// Reads an exception of the library: `std::runtime_error "what"`.
pub(super) fn exception(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let address = object.value.address()?;
    let keeps = WITH_MESSAGE.contains(&object.bare.as_str());
    let class = class_at(address, memory)?;
    let chain = Chain::of(&class, memory);
    if !keeps && !chain.keeps {
        return None;
    }
    let (start, length) = message(address, memory)?;
    let char_type = base("char", Encoding::SignedChar, 1);
    let title = format!("std::{} ", object.bare);
    let meaning = Meaning::empty(false).says(title).shows(characters(char_type.clone(), start, length));
    Some(match chain.overrides {
        true => meaning,
        false => meaning.fact("what", pointer_value(char_type, start)),
    })
}

/// Finds the class whose virtual table an object has: the whole object's, which starts where the object does.
fn class_at(address: u64, memory: &mut dyn Memory) -> Option<String> {
    let table = word(address, memory).ok()?;
    let symbol = memory.symbol(table)?;
    let name = symbol.strip_prefix("<vtable for ")?.strip_suffix("+16>")?.to_owned();
    (word(table.checked_sub(16)?, memory).ok()? == 0).then_some(name)
}

/// From an exception's class to the library's.
#[derive(Default)]
struct Chain {
    /// It ends in a class that keeps a message.
    keeps: bool,
    /// A class on the way has a `what` of its own.
    overrides: bool,
}

impl Chain {
    fn of(class: &str, memory: &mut dyn Memory) -> Self {
        let mut chain = Self::default();
        let keeps = |name: &str| in_std(name).is_some_and(|bare| WITH_MESSAGE.contains(&bare.as_str()));
        if keeps(class) {
            return Self { keeps: true, overrides: false };
        }
        let mut next: Option<TypeRef> = memory.named_type(class);
        for _ in 0..MAX_BASES {
            let Some(ty) = next.take() else { break };
            let Type::Record(record) = &*strip(&ty) else { break };
            if record.name.as_deref().is_some_and(keeps) {
                chain.keeps = true;
                break;
            }
            chain.overrides |= record.parts().methods.iter().any(|method| method.name == "what");
            next = record.members.iter().find(|m| m.is_base && m.offset == 0).map(|m| m.ty.get());
        }
        chain
    }
}

/// Finds where a message is, and how long it is.
fn message(exception: u64, memory: &mut dyn Memory) -> Option<(u64, u64)> {
    let start = word(exception.checked_add(MESSAGE)?, memory).ok()?;
    let length = word(start.checked_sub(HEADER)?, memory).ok().filter(|length| *length <= MAX_MESSAGE)?;
    let mut end = [1];
    memory.read(start.checked_add(length)?, &mut end).ok()?;
    (end == [0] && is_readable(start, length, memory)).then_some((start, length))
}
