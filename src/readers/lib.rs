//! What objects of library types mean: C++'s standard library as GNU and LLVM write it, and Rust's; and D's dynamic
//! arrays.
//!
//! A function of a type and of memory. Each reader knows the members of one type, as debug info names them. It checks
//! that what it finds hangs together: an object that is not yet constructed, already destroyed or overwritten has no
//! meaning, and is shown as the structure that it is. Nothing here trusts a length or follows a chain without end.

mod chain;
mod contiguous;
mod cxx;
mod d;
mod dynamic;
mod errno;
mod function_names;
mod names;
mod object;
mod rust;

pub use dynamic::whole_object;
pub use function_names::{shortened_function, shortened_types};
pub use names::shortened;

use ctype::layout::strip;
use ctype::{Meaning, Memory, Record, Type, TypeRef, Value};

/// Reads what an object means; `None` if its type is of no library known here, or if the object is damaged.
pub fn meaning(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let ty = strip(&value.ty);
    match &*ty {
        Type::Record(record) => of_record(value, record, memory),
        Type::Pointer { .. } => cxx::of_pointer(value, memory).or_else(|| rust::of_pointer(value, memory)),
        _ => None,
    }
}

/// Returns the pointer to the first element of a container that keeps its elements side by side, or to the object of a
/// smart pointer.
pub fn first_element(value: &Value) -> Option<Value> {
    let ty = strip(&value.ty);
    let Type::Record(record) = &*ty else { return None };
    match names::in_std(record.name.as_deref()?).and_then(|bare| cxx::first_element(value, &bare)) {
        Some(pointer) => Some(pointer),
        None => rust::first_element(value),
    }
}

/// Returns whether a type has the name of one of a library, whose objects may mean something.
pub fn is_of_library(ty: &TypeRef) -> bool {
    let Type::Record(record) = &*strip(ty) else { return false };
    let name = record.name.as_deref().unwrap_or_default();
    names::in_std(name).is_some()
        || ["alloc::", "core::", "std::", "hashbrown::"].iter().any(|own| name.starts_with(own))
}

fn of_record(value: &Value, record: &Record, memory: &mut dyn Memory) -> Option<Meaning> {
    let name = record.name.as_deref()?;
    // Both languages call a part of their library `std`.
    let cxx = names::in_std(name).and_then(|bare| cxx::meaning(&cxx::Object { value, record, name, bare }, memory));
    cxx.or_else(|| rust::of_record(value, record, name, memory)).or_else(|| d::array(value, record, name, memory))
}
