//! `std::basic_string` (GNU's two kinds and LLVM's) and `std::basic_string_view`.

use super::Object;
use crate::chain::word;
use crate::object::{
    MAX_COUNT, base, characters, first_member, is_readable, member, number, number_at, pointer_value, size_value,
};
use ctype::layout::{qualified, size_of, strip};
use ctype::{Body, Encoding, Meaning, Memory, Qualifier, Type, TypeRef, Value};

/// Bytes before the characters of GNU's old strings: length, capacity and a reference count.
const OLD_HEADER: u64 = 24;
/// Bytes of the buffer in GNU's new strings.
const OWN_BUFFER: u64 = 16;

/// Where the characters of a string are, how many, and how many there is room for.
struct Characters {
    address: u64,
    count: u64,
    capacity: u64,
}

/// Makes a meaning that is a text.
fn text(element: TypeRef, address: u64, count: u64) -> Meaning {
    let element = match &*strip(&element) {
        // GCC calls its `char8_t` a number.
        Type::Base { name, encoding: Encoding::Unsigned, size } if name == "char8_t" => {
            base(name, Encoding::Utf, *size)
        }
        _ => element,
    };
    let pointer = pointer_value(element.clone(), address);
    let to_const = pointer_value(qualified(Qualifier::Const, element.clone()), address);
    Meaning {
        body: Body::Text(characters(element, address, count)),
        length: Some(count),
        facts: vec![("data", pointer), ("c_str", to_const)],
        ..Meaning::empty(false)
    }
}

pub(super) fn string(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let element = object.argument(0, memory)?;
    let width = size_of(&element).filter(|width| matches!(width, 1 | 2 | 4))?;
    let Characters { address, count, capacity } = match member(object.value, "_M_dataplus._M_p") {
        Some(pointer) => gnu(object.value, number(&pointer, memory)?, width, memory)?,
        None => llvm(object.value, width, memory)?,
    };
    let whole = count <= capacity && is_terminated(address, count, width, memory);
    whole.then(|| text(element, address, count).fact("capacity", size_value(capacity)))
}

fn gnu(string: &Value, address: u64, width: u64, memory: &mut dyn Memory) -> Option<Characters> {
    let Some(length) = string.member("_M_string_length") else {
        let header = address.checked_sub(OLD_HEADER)?;
        let (count, capacity) = (word(header, memory).ok()?, word(header + 8, memory).ok()?);
        return Some(Characters { address, count, capacity });
    };
    let is_inside = string.member("_M_local_buf")?.address() == Some(address);
    let capacity = match is_inside {
        true => (OWN_BUFFER / width).checked_sub(1)?,
        false => number_at(string, "_M_allocated_capacity", memory)?,
    };
    Some(Characters { address, count: number(&length, memory)?, capacity })
}

/// Reads LLVM's strings, which are either a pointer with length and capacity, or the characters themselves with their
/// number. A bit tells which, once hidden in the lowest of the number or of the capacity, now a bit-field of its own.
fn llvm(string: &Value, width: u64, memory: &mut dyn Memory) -> Option<Characters> {
    let representation = first_member(string, &["__r_.__value_", "__rep_"])?;
    let (long, short) = (representation.member("__l")?, representation.member("__s")?);
    let flag = short.member("__is_long_");
    let size = number_at(&short, "__size_", memory)?;
    let is_long = match &flag {
        Some(flag) => number(flag, memory)? != 0,
        None => size & 1 != 0,
    };
    if !is_long {
        let data = short.member("__data_")?;
        let capacity = (size_of(&data.ty)? / width).checked_sub(1)?;
        let count = if flag.is_some() { size } else { size >> 1 };
        return Some(Characters { address: data.address()?, count, capacity });
    }
    let room = number_at(&long, "__cap_", memory)?;
    let room = if flag.is_some() { room.checked_mul(2)? } else { room & !1 };
    let (address, count) = (number_at(&long, "__data_", memory)?, number_at(&long, "__size_", memory)?);
    Some(Characters { address, count, capacity: room.checked_sub(1)? })
}

/// Returns whether memory holds so many characters and then a NUL, as every string does.
fn is_terminated(address: u64, count: u64, width: u64, memory: &mut dyn Memory) -> bool {
    let Some(bytes) = count.checked_mul(width).filter(|_| count <= MAX_COUNT) else { return false };
    let mut nul = [1; 4];
    let Some(nul) = nul.get_mut(..width as usize) else { return false };
    is_readable(address, bytes, memory)
        && memory.read(address.wrapping_add(bytes), nul).is_ok()
        && nul.iter().all(|byte| *byte == 0)
}

pub(super) fn view(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let element = object.argument(0, memory)?;
    let width = size_of(&element).filter(|width| matches!(width, 1 | 2 | 4))?;
    let address = number(&first_member(object.value, &["_M_str", "__data_", "__data"])?, memory)?;
    let count = number(&first_member(object.value, &["_M_len", "__size_", "__size"])?, memory)?;
    let bytes = count.checked_mul(width).filter(|_| count <= MAX_COUNT)?;
    // What is seen through a view is not changed.
    is_readable(address, bytes, memory).then(|| text(qualified(Qualifier::Const, element), address, count))
}
