//! D's dynamic arrays and strings: a length and a pointer, as GDB shows them.

use super::contiguous::Contiguous;
use super::object::{base, characters, number, number_at, pointer_value, size_value};
use ctype::layout::{pointer_target, strip};
use ctype::{Body, Encoding, Meaning, Memory, Record, Style, Type, TypeRef, Value};

/// Reads `int[]`, `string`, `const(char)[]`: a record of two members, with a name that no other language has.
pub(super) fn array(value: &Value, record: &Record, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    let names = record.members.iter().map(|member| member.name.as_deref());
    if !names.eq([Some("length"), Some("ptr")]) {
        return None;
    }
    let pointer = value.member("ptr")?;
    let element = pointer_target(&pointer.ty)?;
    let character = character(&element);
    let is_text = matches!(name, "string" | "wstring" | "dstring") && character.is_some();
    if !is_text && !name.ends_with("[]") {
        return None;
    }
    let (count, address) = (number_at(value, "length", memory)?, number(&pointer, memory)?);
    let elements = Contiguous::at(&element, address, count, memory)?;
    let meaning = Meaning { length: Some(count), ..Meaning::empty(false) };
    let meaning = meaning.fact("length", size_value(count));
    let meaning = meaning.fact("ptr", pointer_value(element, address));
    Some(match character {
        Some(character) => Meaning { body: Body::Text(characters(character, address, count)), ..meaning },
        None => meaning.holds(Style::Sequence, elements),
    })
}

/// Returns the type that stands for D's `char`, `wchar` or `dchar`, which are code units of UTF-8, 16 and 32.
fn character(element: &TypeRef) -> Option<TypeRef> {
    match &*strip(element) {
        Type::Base { name, encoding: Encoding::UnsignedChar | Encoding::Utf, size } => match (name.as_str(), size) {
            ("char", 1) => Some(base("char", Encoding::UnsignedChar, 1)),
            ("wchar", 2) => Some(base("char16_t", Encoding::Utf, 2)),
            ("dchar", 4) => Some(base("char32_t", Encoding::Utf, 4)),
            _ => None,
        },
        _ => None,
    }
}
