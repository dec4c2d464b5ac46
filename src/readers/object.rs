//! Looking into objects: members by path, pointers, numbers, template arguments.
//!
//! Everything answers `None` where a member is missing, is of another kind than expected, or cannot be read.

use base::qualified::template_arguments;
use ctype::arith::{Integer, IntegerType, Number, Rank};
use ctype::layout::{array_of, pointer_target, pointer_to, strip};
use ctype::{Argument, Encoding, Memory, Place, Record, Type, TypeRef, Unavailable, Value};
use std::sync::Arc;

/// More elements than this are no container but damage: 2^40 of one byte are a terabyte.
pub(super) const MAX_COUNT: u64 = 1 << 40;

/// Finds a member of a member of …: `_M_impl._M_start`.
pub(super) fn member(value: &Value, path: &str) -> Option<Value> {
    path.split('.').try_fold(value.clone(), |value, name| value.member(name))
}

/// Finds the first of several paths that there is: the same thing in several versions of a library.
pub(super) fn first_member(value: &Value, paths: &[&str]) -> Option<Value> {
    paths.iter().find_map(|path| member(value, path))
}

/// Reads an unsigned number of at most eight bytes, whatever it means: an integer, a pointer, an enumeration, a
/// bit-field.
pub(super) fn number(value: &Value, memory: &mut dyn Memory) -> Option<u64> {
    if let Some(bits) = value.bits {
        return u64::try_from(value.field_bits(memory, bits).ok()?).ok();
    }
    if !matches!(&*strip(&value.ty), Type::Base { .. } | Type::Pointer { .. } | Type::Enumeration(_)) {
        return None;
    }
    let bytes = value.scalar_bytes(memory).ok()?.filter(|bytes| (1..=8).contains(&bytes.len()))?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Reads the number that a member is.
pub(super) fn number_at(value: &Value, path: &str, memory: &mut dyn Memory) -> Option<u64> {
    number(&member(value, path)?, memory)
}

/// Follows a pointer to what it points to; `None` for null.
pub(super) fn pointee(pointer: &Value, memory: &mut dyn Memory) -> Option<Value> {
    let target = pointer_target(&pointer.ty)?;
    let address = number(pointer, memory).filter(|address| *address != 0)?;
    Some(at(target, address))
}

/// Makes an object in memory.
pub(super) fn at(ty: TypeRef, address: u64) -> Value {
    Value::new(ty, Place::Memory(address))
}

/// Returns whether a stretch of memory is there.
pub(super) fn is_readable(address: u64, len: u64, memory: &mut dyn Memory) -> bool {
    let last = len.checked_sub(1).and_then(|len| address.checked_add(len));
    len == 0 || is_byte(address, memory) && last.is_some_and(|last| is_byte(last, memory))
}

fn is_byte(address: u64, memory: &mut dyn Memory) -> bool {
    matches!(memory.read(address, &mut [0]), Ok(()) | Err(Unavailable::NotCollected))
}

/// Applies a function to the record that a type is behind its names.
pub(super) fn with_record<R>(ty: &TypeRef, f: impl FnOnce(&Record) -> Option<R>) -> Option<R> {
    match &*strip(ty) {
        Type::Record(record) => f(record),
        _ => None,
    }
}

/// Returns the template argument so many arguments in, if it is a type. GCC describes those of some classes not at all,
/// and those of a pack once; then their names are in the name of the class.
pub(super) fn type_argument(record: &Record, index: usize, memory: &mut dyn Memory) -> Option<TypeRef> {
    match record.arguments.get(index) {
        Some(Argument::Type(link)) => Some(link.get()),
        Some(Argument::Value { .. }) => None,
        None => {
            let (_, list) = template_arguments(record.name.as_deref()?)?;
            type_of_name(list.get(index)?, memory)
        }
    }
}

/// Finds the type that a template argument's name means: a type of the program, or a pointer to one.
fn type_of_name(name: &str, memory: &mut dyn Memory) -> Option<TypeRef> {
    let mut name = name.trim();
    let mut pointers = 0;
    loop {
        let shorter = name.strip_suffix('*').or_else(|| name.strip_suffix("const")).map(str::trim_end);
        match shorter.filter(|shorter| !shorter.is_empty()) {
            Some(shorter) => {
                pointers += usize::from(name.ends_with('*'));
                name = shorter;
            }
            None => break,
        }
    }
    let ty = memory.named_type(name.strip_prefix("const ").unwrap_or(name))?;
    Some((0..pointers.min(8)).fold(ty, |ty, _| pointer_to(ty, 8)))
}

/// Returns the template argument so many arguments in, if it is a number.
pub(super) fn value_argument(record: &Record, index: usize) -> Option<i128> {
    match record.arguments.get(index) {
        Some(Argument::Value { value, .. }) => *value,
        Some(Argument::Type(_)) => None,
        None => {
            let (_, list) = template_arguments(record.name.as_deref()?)?;
            list.get(index)?.trim_end_matches(['u', 'l', 'U', 'L']).parse().ok()
        }
    }
}

/// Returns the template argument of a type that is a class: `T` of `allocator<T>`.
pub(super) fn argument_of(ty: &TypeRef, index: usize, memory: &mut dyn Memory) -> Option<TypeRef> {
    with_record(ty, |record| type_argument(record, index, memory))
}

/// Makes a number a value of the program's `size_t`.
pub(super) fn size_value(size: u64) -> Value {
    integer_value(IntegerType::UNSIGNED_LONG, size)
}

/// Makes a number of owners, which C++ has as a `long`.
pub(super) fn count_value(count: u64) -> Value {
    integer_value(IntegerType { rank: Rank::Long, signed: true }, count)
}

fn integer_value(ty: IntegerType, value: u64) -> Value {
    Value::from_number(Number::Integer(Integer::new(ty, u128::from(value))))
}

/// Makes a truth value.
pub(super) fn bool_value(truth: bool) -> Value {
    Value::computed(base("bool", Encoding::Bool, 1), &[u8::from(truth)])
}

/// Makes a pointer to an object in memory.
pub(super) fn pointer_value(target: TypeRef, address: u64) -> Value {
    Value::computed(pointer_to(target, 8), &address.to_le_bytes())
}

pub(super) fn base(name: &str, encoding: Encoding, size: u64) -> TypeRef {
    Arc::new(Type::Base { name: name.to_owned(), encoding, size })
}

/// Makes an array of `count` characters at an address.
pub(super) fn characters(element: TypeRef, address: u64, count: u64) -> Value {
    at(array_of(element, count), address)
}

/// Computes the whole number of elements between two addresses, if there can be so many.
pub(super) fn count_between(start: u64, end: u64, size: u64) -> Option<u64> {
    let bytes = end.checked_sub(start)?;
    (size != 0 && bytes.is_multiple_of(size)).then(|| bytes / size).filter(|count| *count <= MAX_COUNT)
}
