//! C++'s standard library, as GNU (libstdc++ since GCC 5, with both kinds of strings and the containers of its debug
//! mode, which wrap the others) and as LLVM (libc++) write it.
//!
//! A reader knows the members of both: GNU's begin with `_M_`, LLVM's with two underscores.

mod array;
mod coroutine;
mod deque;
mod error_code;
mod exception;
mod function;
mod hash;
mod iterator;
mod list;
mod ordering;
mod path;
mod pointer;
mod string;
mod sum;
mod tree;
mod tuple;
mod various;
mod vector;

pub(super) use iterator::of_pointer;

use super::chain::Held;
use super::contiguous::Few;
use super::names;
use super::object::{at, first_member, type_argument};
use base::qualified::{bare_path, last, template_arguments};
use ctype::{Argument, Dialect, Items, Meaning, Memory, Record, Style, TypeRef, Value, type_name};

/// Arguments of a template that are named.
const MAX_ARGUMENTS: usize = 256;

/// An object of a class in `std`.
pub(super) struct Object<'a> {
    pub(super) value: &'a Value,
    pub(super) record: &'a Record,
    /// Name of the class, as debug info has it.
    pub(super) name: &'a str,
    /// The name without namespaces that nobody writes, and without arguments: `vector`.
    pub(super) bare: String,
}

impl Object<'_> {
    /// Returns the class's template argument so many arguments in, if it is a type.
    fn argument(&self, index: usize, memory: &mut dyn Memory) -> Option<TypeRef> {
        type_argument(self.record, index, memory)
    }

    /// Returns the name of the template as GDB shows it.
    fn title(&self) -> String {
        names::title(self.name)
    }

    /// Returns the names of the template's arguments, as people write them. If the name of the class leaves them out
    /// (`-gsimple-template-names`), they are made of the arguments themselves.
    fn argument_names(&self) -> Vec<String> {
        if let Some((_, list)) = template_arguments(self.name) {
            return list.iter().map(|argument| names::shortened(argument)).collect();
        }
        let arguments = self.record.arguments.iter().take(MAX_ARGUMENTS);
        let name = |argument: &Argument| match argument {
            Argument::Type(ty) => names::shortened(&type_name(&ty.get(), Dialect::Cxx)),
            Argument::Value { value, .. } => value.map_or_else(|| "?".to_owned(), |value| value.to_string()),
        };
        arguments.map(name).collect()
    }

    /// Returns the template's name with its first arguments, as people write them: `std::optional<int>`.
    fn title_with(&self, arguments: usize) -> String {
        let mut list = self.argument_names();
        list.truncate(arguments);
        format!("{}<{}>", self.title(), list.join(", "))
    }

    /// Returns whether the object is a container that has values beside its keys.
    fn is_map(&self) -> bool {
        self.bare.ends_with("map")
    }

    /// Returns what the nodes of an associative container hold, whose elements are of this type.
    fn held(&self, element: TypeRef) -> Option<Held> {
        if !self.is_map() {
            return Some(Held::Element(element));
        }
        let probe = at(element.clone(), 0);
        (probe.member("first").is_some() && probe.member("second").is_some()).then_some(Held::Pair(element))
    }

    /// Returns the meaning of an associative container of so many elements, whose `end()` stands at `end`.
    fn associative(&self, count: u64, end: Option<u64>, items: impl Items + 'static) -> Meaning {
        let style = if self.is_map() { Style::Map } else { Style::Indexed };
        let title = format!("{} with {}", self.title(), counted(count));
        let keys_by = self.own_keys();
        Meaning { length: Some(count), end, keys_by, ..Meaning::empty(false) }.says(title).holds(style, items)
    }

    /// Returns what says which keys of an associative container are the same, if it is no function of the library.
    fn own_keys(&self) -> Option<String> {
        // Of a tree, the order behind the key and the value; of a table, what comes behind the hash function.
        let at = 1 + usize::from(self.is_map()) + usize::from(self.bare.starts_with("unordered_"));
        let name = self.argument_names().into_iter().nth(at)?;
        let is_plain = name.starts_with("std::") && ["less", "greater", "equal_to"].contains(&last(bare_path(&name)));
        (!is_plain).then_some(name)
    }
}

/// Makes the meaning of a container without elements, of whose type the debug info may have only the name.
fn nothing_in(title: String, style: Style) -> Meaning {
    let meaning = Meaning { length: Some(0), ..Meaning::empty(false) }.says(title);
    meaning.holds(style, Few::of(Vec::new()))
}

/// Counts as GDB does: `1 element`, `2 elements`.
fn counted(count: u64) -> String {
    format!("{count} element{}", if count == 1 { "" } else { "s" })
}

/// Returns the pointer to the first element of a container that keeps its elements side by side, or to the object of a
/// smart pointer.
pub(super) fn first_element(value: &Value, bare: &str) -> Option<Value> {
    match bare {
        "vector" => first_member(value, &["_M_impl._M_start._M_p", "_M_impl._M_start", "__begin_"]),
        "span" => first_member(value, &["_M_ptr", "__data_", "__data"]),
        "initializer_list" => first_member(value, &["_M_array", "__begin_"]),
        "unique_ptr" => pointer::owned(value),
        "shared_ptr" => first_member(value, &["_M_ptr", "__ptr_"]),
        _ => None,
    }
}

pub(super) fn meaning(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    match object.bare.as_str() {
        "basic_string" => string::string(object, memory),
        "basic_string_view" => string::view(object, memory),
        "vector" => vector::vector(object, memory),
        "array" => array::array(object, memory),
        "span" => array::span(object, memory),
        "initializer_list" => array::initializer_list(object, memory),
        "deque" => deque::deque(object, memory),
        "list" => list::list(object, memory),
        "forward_list" => list::forward_list(object, memory),
        "map" | "multimap" | "set" | "multiset" => tree::tree(object, memory),
        "unordered_map" | "unordered_multimap" | "unordered_set" | "unordered_multiset" => {
            hash::hash_table(object, memory)
        }
        "stack" | "queue" | "priority_queue" => various::adaptor(object, memory),
        "pair" => tuple::pair(object),
        "tuple" => tuple::tuple(object),
        "bitset" => various::bitset(object, memory),
        "atomic" => various::atomic(object),
        "chrono::duration" => various::duration(object, memory),
        "coroutine_handle" => coroutine::handle(object, memory),
        "optional" => sum::optional(object, memory),
        "variant" => sum::variant(object, memory),
        "any" => sum::any(object, memory),
        "unique_ptr" => pointer::unique(object, memory),
        "shared_ptr" | "weak_ptr" => pointer::shared(object, memory),
        "reference_wrapper" => pointer::wrapper(object, memory),
        "function" => function::function(object, memory),
        "error_code" | "error_condition" => error_code::error_code(object, memory),
        "strong_ordering" | "weak_ordering" | "partial_ordering" => ordering::ordering(object, memory),
        "filesystem::path" => path::path(object, memory),
        "exception_ptr" | "__exception_ptr::exception_ptr" => exception::exception_pointer(object, memory),
        bare if bare.ends_with("_error")
            || matches!(bare, "exception" | "invalid_argument" | "out_of_range" | "ios_base::failure") =>
        {
            exception::exception(object, memory)
        }
        bare => iterator::iterator(object, bare, memory),
    }
}
