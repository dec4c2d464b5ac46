//! `String`, `OsString`, `PathBuf`, `CString`: bytes that are a text.

use super::{address_in, usize_value};
use crate::object::{MAX_COUNT, base, bool_value, characters, is_readable, number_at, pointer_value, with_record};
use ctype::layout::{array_of, pointer_to};
use ctype::{Body, Encoding, Meaning, Member, Memory, Record, Type, TypeRef, Value};
use std::sync::Arc;

/// Returns the type of the bytes of a text in UTF-8.
fn char_type() -> TypeRef {
    base("char", Encoding::UnsignedChar, 1)
}

/// Reads so many bytes of text at an address.
pub(super) fn text(address: u64, count: u64, memory: &mut dyn Memory) -> Option<Meaning> {
    if count > MAX_COUNT || !is_readable(address, count, memory) {
        return None;
    }
    Some(Meaning {
        body: Body::Text(characters(char_type(), address, count)),
        length: Some(count),
        facts: vec![("as_ptr", pointer_value(char_type(), address)), ("is_empty", bool_value(count == 0))],
        ..Meaning::empty(true)
    })
}

/// Returns the type of so many bytes of text.
pub(super) fn array(count: u64) -> TypeRef {
    array_of(char_type(), count)
}

/// Reads a text that a pointer without an address leads to: a literal, or what the compiler has left of one.
pub(super) fn outside(characters: Value, count: u64, memory: &mut dyn Memory) -> Option<Meaning> {
    if let Some(address) = characters.address() {
        return text(address, count, memory);
    }
    characters.read(memory, 0, usize::try_from(count).ok()?).ok()?;
    let is_empty = bool_value(count == 0);
    let body = Body::Text(characters);
    Some(Meaning { body, length: Some(count), ..Meaning::empty(true) }.fact("is_empty", is_empty))
}

/// Makes a `&str`, for a text that only a longer pointer leads to.
pub(super) fn reference(address: u64, count: u64) -> Value {
    let member = |name, ty: TypeRef, offset| Member::new(Some(name), ty, offset);
    let members = vec![
        member("data_ptr", pointer_to(char_type(), 8), 0),
        member("length", base("usize", Encoding::Unsigned, 8), 8),
    ];
    let record = Record { name: Some("&str".to_owned()), size: Some(16), members, ..Record::default() };
    let bytes: Vec<u8> = [address, count].iter().flat_map(|word| word.to_le_bytes()).collect();
    Value::computed(Arc::new(Type::Record(record)), &bytes)
}

pub(super) fn string(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    of_vec(&value.member("vec")?, memory)
}

/// Reads the text that a `Vec<u8>` holds.
fn of_vec(vec: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let (address, capacity) = super::vec::buffer(vec, 1, memory)?;
    let count = number_at(vec, "len", memory).filter(|count| *count <= capacity)?;
    Some(text(address, count, memory)?.fact("capacity", usize_value(capacity)))
}

/// Reads a text in a wrapper in a wrapper: the only data that there is.
pub(super) fn wrapped(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let mut value = value.clone();
    for _ in 0..4 {
        let Some(inner) = value.member("inner") else { break };
        value = inner;
    }
    match is_vec(&value) {
        true => of_vec(&value, memory),
        // `CString` has a boxed slice, with the NUL at its end.
        false => {
            let count = number_at(&value, "length", memory)?.checked_sub(1)?;
            text(address_in(&value, memory)?, count, memory)
        }
    }
}

fn is_vec(value: &Value) -> bool {
    with_record(&value.ty, |record| Some(record.name.as_deref()?.starts_with("alloc::vec::Vec<"))) == Some(true)
}
