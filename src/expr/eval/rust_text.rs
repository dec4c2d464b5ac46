//! Rust's literals of text: references to what is not in memory.

use super::*;
use ctype::{Argument, Encoding as BaseEncoding, Link, Member, Record, SyntheticPointer};

/// Bytes of an address, and of the length behind it.
const WORD: u64 = 8;

/// Makes the `&str` that a literal is, or of `b"text"` a reference to an array of bytes.
pub(super) fn rust_text(encoding: Encoding, units: &[u32]) -> Value {
    let count = units.len() as u64;
    let text = Place::Bytes(units.iter().map(|unit| Some(*unit as u8)).collect());
    let pointers = vec![SyntheticPointer { at: 0, object: text, offset: 0 }];
    let address = vec![None; WORD as usize];
    if encoding != Encoding::Utf8 {
        let target = Link::ready(pointer_to(array_of(rust_primitive("u8"), count), WORD));
        let reference = Type::Typedef { name: format!("&[u8; {count}]"), target, alignment: None };
        return Value::new(Arc::new(reference), Place::of_pieces(address, pointers));
    }
    let character = Arc::new(Type::Base { name: "char".to_owned(), encoding: BaseEncoding::UnsignedChar, size: 1 });
    let bytes = address.into_iter().chain(count.to_le_bytes().map(Some)).collect();
    Value::new(wide_reference("&str".to_owned(), character), Place::of_pieces(bytes, pointers))
}

/// Makes the reference to the bytes of a text that is a literal; `None` for any other value.
pub(super) fn literal_bytes(text: &Value) -> Option<Value> {
    let is_text = matches!(&*strip(&text.ty), Type::Record(record) if record.name.as_deref() == Some("&str"));
    let Place::Synthetic { bytes, pointers, .. } = &text.place else { return None };
    let [SyntheticPointer { at: 0, object: Place::Bytes(characters), offset: 0 }] = pointers.as_slice() else {
        return None;
    };
    let count = characters.len() as u64;
    if !is_text || bytes.get(WORD as usize..)? != count.to_le_bytes().map(Some) {
        return None;
    }
    let target = Link::ready(pointer_to(array_of(rust_primitive("u8"), count), WORD));
    let ty = Arc::new(Type::Typedef { name: "&[u8]".to_owned(), target, alignment: None });
    Some(Value::new(ty, Place::of_pieces(vec![None; WORD as usize], pointers.clone())))
}

/// Makes the type of a reference to elements or bytes, with their number behind the address.
pub(super) fn wide_reference(name: String, element: TypeRef) -> TypeRef {
    let member = |name, ty: TypeRef, offset| Member::new(Some(name), ty, offset);
    let members =
        vec![member("data_ptr", pointer_to(element.clone(), WORD), 0), member("length", rust_primitive("usize"), WORD)];
    let arguments = vec![Argument::Type(Link::ready(element))];
    Arc::new(Type::Record(Record { name: Some(name), size: Some(2 * WORD), members, arguments, ..Record::default() }))
}
