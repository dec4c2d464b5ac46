//! Rust's standard library, as rustc 1.70 and later lay it out, and Rust's own pointers with lengths and vtables.
//!
//! Shown as `{:?}` would: `vec![1, 2]`, `"text"`, `HashMap{"key": 42}`, `Box(7)`, and with what a debugger knows
//! besides: `Rc { value: 5, strong: 2, weak: 1 }`.

mod btree;
mod cell;
mod hash;
mod io_error;
mod iter;
mod once;
mod pointer;
mod text;
mod vec;

use super::object::{base, first_member, number, type_argument};
use base::qualified::bare_last;
use ctype::{Encoding, Meaning, Memory, Record, Type, TypeRef, Value};

/// An object of a Rust type.
struct Object<'a> {
    value: &'a Value,
    record: &'a Record,
}

impl Object<'_> {
    fn argument(&self, index: usize, memory: &mut dyn Memory) -> Option<TypeRef> {
        type_argument(self.record, index, memory)
    }
}

/// Returns the last component of a path without its arguments: `Vec` of `alloc::vec::Vec<i32>`. `None` for what is not
/// in the standard library.
fn in_library(name: &str) -> Option<&str> {
    let is_library = ["alloc::", "core::", "std::", "hashbrown::"].iter().any(|root| name.starts_with(root));
    is_library.then(|| bare_last(name))
}

/// Reads what a named pointer means: `alloc::boxed::Box<i32, …>`.
pub(super) fn of_pointer(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let Type::Typedef { name, .. } = &*value.ty else { return None };
    (in_library(name)? == "Box").then(|| pointer::boxed(value, memory))?
}

pub(super) fn of_record(value: &Value, record: &Record, name: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    let object = Object { value, record };
    // Pointers with a length or a vtable, whatever they are called.
    if value.member("data_ptr").is_some() && value.member("length").is_some() {
        return pointer::slice(&object, name, memory);
    }
    if value.member("pointer").is_some() && value.member("vtable").is_some() {
        return pointer::dynamic(value, name, memory);
    }
    match in_library(name)? {
        "String" => text::string(value, memory),
        "OsString" | "PathBuf" | "CString" => text::wrapped(value, memory),
        "Vec" => vec::vec(&object, memory),
        "VecDeque" => vec::deque(&object, memory),
        "BinaryHeap" => vec::heap(value, memory),
        "LinkedList" => vec::list(&object, memory),
        "HashMap" => hash::map(&object, memory),
        "HashSet" => hash::set(&object, memory),
        "BTreeMap" => btree::map(&object, memory),
        "BTreeSet" => btree::set(&object, memory),
        "Rc" | "Arc" | "Weak" => pointer::counted(value, name, memory),
        "Cell" | "RefCell" | "Mutex" | "RwLock" | "UnsafeCell" | "ManuallyDrop" => cell::cell(value, name, memory),
        "OnceCell" | "OnceLock" | "LazyCell" | "LazyLock" => once::once(value, name, memory),
        "Ref" | "RefMut" | "MutexGuard" | "RwLockReadGuard" | "RwLockWriteGuard" => cell::guard(value, name, memory),
        "Pin" => cell::pin(value, memory),
        "AtomicBool" => cell::atomic_bool(value, memory),
        atomic if atomic.starts_with("Atomic") => cell::atomic(value, memory),
        "Error" if name == "std::io::error::Error" || name == "core::io::error::Error" => {
            io_error::error(value, memory)
        }
        "Iter" | "IterMut" | "IntoIter" => iter::iterator(&object, name, memory),
        "Storage" if name.contains("::thread_local::") => once::thread_local(value, memory),
        "NonZero" => cell::transparent(value),
        "Duration" => cell::duration(value, memory),
        _ => None,
    }
}

/// Returns the pointer to the first element of a vector, a deque or a slice, or to the counts in front of what an `Rc`
/// owns.
pub(super) fn first_element(value: &Value) -> Option<Value> {
    let is_slice = || value.member("length").is_some();
    let buffer = first_member(value, &["buf.inner.ptr", "buf.ptr"]);
    let counted = || value.member("ptr").filter(|_| pointer::is_counted(value));
    buffer.or_else(|| value.member("data_ptr").filter(|_| is_slice())).or_else(counted).map(pointer_in)
}

/// Makes a number a `usize`.
fn usize_value(number: u64) -> Value {
    unsigned("usize", 8, u128::from(number))
}

/// Makes a number one of Rust's unsigned types, of at most 16 bytes.
fn unsigned(name: &str, size: usize, number: u128) -> Value {
    let bytes = number.to_le_bytes();
    Value::computed(base(name, Encoding::Unsigned, size as u64), bytes.get(..size).unwrap_or(&bytes))
}

/// Reads the address in a `NonNull` or `Unique`, however they are nested.
fn address_in(value: &Value, memory: &mut dyn Memory) -> Option<u64> {
    number(&pointer_in(value.clone()), memory)
}

fn pointer_in(mut value: Value) -> Value {
    for _ in 0..4 {
        match first_member(&value, &["pointer", "data_ptr"]) {
            Some(inner) => value = inner,
            None => break,
        }
    }
    value
}
