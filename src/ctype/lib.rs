//! The C type and value model: what `dwarf` produces, `expr` computes with and `render` prints.
//!
//! Layer 0. Knows neither DWARF nor a process. Types refer to each other through [`Link`]s, which are resolved on
//! demand, so that looking at one `struct task *` does not load a kernel's worth of types.

mod access;
pub mod arith;
mod array;
mod bid;
mod bit_precise;
mod class;
mod class_declaration;
mod completion;
mod decimal;
mod definition;
pub mod detached;
pub mod float;
mod format;
pub mod layout;
mod meaning;
mod render;
mod rust_text;
mod scalar;
mod special_members;
mod spelling;
mod text;
mod value;

pub use array::{Descriptor, Indexing, Stride, indexing, nested, size_without_gaps};
pub use bid::Decimal;
pub use bit_precise::{BIT_PRECISE, bit_precise_width};
pub use class::{Argument, Passing, StaticMember, Variant, Variants, VirtualBase};
pub use class_declaration::{Access, Manner, Method, Parts, PartsLink, Role, Special};
pub use completion::completed;
pub use decimal::{format_float, parse_float, parse_hexadecimal_float};
pub use definition::{Contents, definition, is_record, unrolled};
pub use format::{Format, Limits, Options};
pub use layout::{Dialect, Target};
pub use meaning::{Body, END_OF, ITERATOR_OF, Item, Items, Key, MAX_STEPS, Meaning, Position, Style, Word};
pub use render::{Answer, Rendered, render, render_member};
pub use special_members::{is_returned_by_address, is_trivially_copyable};
pub use spelling::{canonical_base_name, declaration, type_name};
pub use value::{Bits, FieldWidth, Home, Memory, PartialByte, Place, SyntheticPointer, Unavailable, Value};

use std::fmt;
use std::sync::{Arc, Weak};

/// A shared type.
pub type TypeRef = Arc<Type>;

/// How the bits of a base type are to be read (DW_AT_encoding, DWARF 5 table 5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// `_Bool`, `bool`.
    Bool,
    /// Two's complement.
    Signed,
    /// Unsigned binary.
    Unsigned,
    /// `char` where it is signed, `signed char`.
    SignedChar,
    /// `char` where it is unsigned, `unsigned char`.
    UnsignedChar,
    /// A Unicode code unit: `char8_t`, `char16_t`, `char32_t`, Rust `char`.
    Utf,
    /// IEEE 754 (4, 8, 16 bytes of storage; 16 with 80 significant bits is x87 extended on x86-64).
    Float,
    /// A pair of floats: `_Complex`.
    ComplexFloat,
    /// GNU C: a pair of signed integers, `_Complex int`.
    ComplexSigned,
    /// IEEE 754 decimal floats in the binary encoding: `_Decimal64`.
    Decimal,
    /// Anything else (fixed point, a complex number of nobody knows what …): shown as bytes.
    Other,
}

/// A pointer or one of C++'s references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerKind {
    /// `T *`
    Pointer,
    /// `T &`
    Reference,
    /// `T &&`
    RvalueReference,
}

/// Which keyword declares a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// `struct`
    #[default]
    Struct,
    /// `union`
    Union,
    /// `class`
    Class,
}

/// A type qualifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Qualifier {
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Restrict,
    /// `_Atomic`
    Atomic,
    /// Of an array: `__attribute__((vector_size(16)))`, which makes a vector of it that is one value.
    Vector,
    /// Of a number: its bytes are in the other order, `__attribute__((scalar_storage_order("big-endian")))`. It is the
    /// storage that has this: what is computed of it has not.
    BigEndian,
    /// It takes so many bytes, more than what it consists of: a vector of three numbers that is as large as one of four.
    Padded(u64),
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Count {
    /// Exactly so many.
    Known(u64),
    /// The type does not say: `int a[]`, a flexible array member.
    Unknown,
    /// A variable-length array whose bound has not been evaluated yet. The number identifies the bound to the
    /// [`TypeLoader`]; whoever knows the frame replaces it by [`Count::Known`] before the type is used.
    Dynamic(u64),
}

/// A member of a record, or a base class.
#[derive(Clone, Debug)]
pub struct Member {
    /// `None` for an anonymous struct or union member, and for an unnamed bit-field.
    pub name: Option<String>,
    /// Its type.
    pub ty: Link,
    /// Offset in bytes from the start of the record; for a bit-field, of the byte that holds its first bit.
    pub offset: u64,
    /// Where the bits of a bit-field are.
    pub bits: Option<Bits>,
    /// C++: a base class rather than a data member.
    pub is_base: bool,
    /// DW_AT_alignment: an alignment in bytes that was asked for.
    pub alignment: Option<u64>,
}

impl Member {
    /// Makes a data member that is no bit-field; `None` names an anonymous one.
    pub fn new(name: Option<&str>, ty: impl Into<Link>, offset: u64) -> Self {
        Self { name: name.map(str::to_owned), ty: ty.into(), offset, bits: None, is_base: false, alignment: None }
    }
}

/// A struct, union or class.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Which keyword.
    pub kind: RecordKind,
    /// The tag, qualified with its namespaces; `None` if anonymous.
    pub name: Option<String>,
    /// Size in bytes; `None` for an incomplete type, and where objects or the frame decide it (Ada, GNU C).
    pub size: Option<u64>,
    /// Members in declaration order; base classes first. Empty for an incomplete type.
    pub members: Vec<Member>,
    /// C++: how its objects are passed and returned (DW_AT_calling_convention), if the compiler says so: GCC does not.
    pub passing: Option<Passing>,
    /// Arguments of the template or generic type that it is made from, packs included, in order.
    pub arguments: Vec<Argument>,
    /// C++: static data members, which are no part of an object.
    pub statics: Vec<StaticMember>,
    /// C++: virtual base classes.
    pub virtual_bases: Vec<VirtualBase>,
    /// C++: names that a using-declaration makes those of a base's members, and the base (DW_TAG_imported_declaration).
    pub usings: Vec<(String, Link)>,
    /// Rust: what an enum is one of.
    pub variants: Option<Variants>,
    /// DW_AT_alignment: an alignment in bytes that was asked for; of a packed type, the one that it has.
    pub alignment: Option<u64>,
    /// C++: what else the class declares.
    pub parts: Option<PartsLink>,
    /// GNU C: it has a member of variable length, on which its size and the places of those behind depend. The number
    /// identifies it to the [`TypeLoader`]; whoever knows the frame replaces it by what it is there.
    pub dynamic: Option<u64>,
}

/// An enumeration.
#[derive(Clone, Debug, Default)]
pub struct Enumeration {
    /// The tag, qualified with its namespaces; `None` if anonymous.
    pub name: Option<String>,
    /// Size in bytes.
    pub size: u64,
    /// Whether its values are signed.
    pub signed: bool,
    /// Names and values in declaration order.
    pub enumerators: Vec<(String, i128)>,
    /// C++: what is written before an enumerator's name: `ns::`, `ns::Enum::`.
    pub scope: String,
    /// C++: `enum class`.
    pub is_class: bool,
    /// The name of the type that it is kept in, if the compiler tells.
    pub base: Option<String>,
    /// Whether it was declared with the name of another type for that one (a `typedef`): then the compiler has not chosen
    /// the type.
    pub is_declared: bool,
}

/// A type.
#[derive(Clone, Debug)]
pub enum Type {
    /// `void`
    Void,
    /// An arithmetic type.
    Base {
        /// As the compiler spelled it: `long unsigned int`.
        name: String,
        /// How to read it.
        encoding: Encoding,
        /// Size in bytes.
        size: u64,
    },
    /// A pointer or reference.
    Pointer {
        /// Which of them.
        kind: PointerKind,
        /// What it points to.
        target: Link,
        /// Size in bytes.
        size: u64,
    },
    /// C++: a pointer to a member. To a data member it is an offset, of which -1 is null; to a member function, the
    /// function's address, or one more than its place in the virtual table, and what to add to the object's address.
    MemberPointer {
        /// The class.
        class: Link,
        /// What the member is.
        target: Link,
        /// Size in bytes.
        size: u64,
    },
    /// An array; one with several dimensions is an array of arrays.
    Array {
        /// Element type.
        element: Link,
        /// How many.
        count: Count,
        /// How they are numbered, and where they are.
        indexing: Indexing,
    },
    /// An array whose place and bounds a descriptor in memory tells (Fortran's allocatable ones and pointers):
    /// [`Value::described`] makes it an array.
    Described {
        /// Element type.
        element: Link,
        /// The number of dimensions.
        rank: usize,
        /// What reads the descriptor.
        descriptor: Descriptor,
    },
    /// A struct, union or class.
    Record(Record),
    /// An enumeration.
    Enumeration(Enumeration),
    /// A typedef (or alias).
    Typedef {
        /// Its name.
        name: String,
        /// What it stands for.
        target: Link,
        /// DW_AT_alignment: an alignment in bytes that was asked for.
        alignment: Option<u64>,
    },
    /// A qualified type.
    Qualified {
        /// The qualifier.
        qualifier: Qualifier,
        /// What is qualified.
        target: Link,
    },
    /// A function.
    Function {
        /// What it returns.
        result: Link,
        /// Parameter types.
        parameters: Vec<Link>,
        /// Whether it ends in `...`.
        variadic: bool,
        /// Whether it was declared with a parameter list (`int f()` in C is not).
        prototyped: bool,
    },
    /// A type that has a name but no structure known to us (`decltype(nullptr)`, a missing debug file), or one that
    /// could not be read: the text says what it is or why.
    Opaque(String),
    /// What an indirect function gives (STT_GNU_IFUNC): its code returns the address of the function that is called by
    /// its name. No debug info says so, symbols do.
    Indirect,
}

/// Loads types on demand. Implemented where debug info is read; `key` is whatever that place made of it.
pub trait TypeLoader: Send + Sync {
    /// Loads the type that `key` stands for. Must not fail: an unreadable one is [`Type::Opaque`].
    fn load(&self, key: u64) -> TypeRef;

    /// Loads what else the class that `key` stands for declares; `None` if that cannot be read.
    fn parts(&self, _key: u64) -> Option<Arc<Parts>> {
        None
    }

    /// Reads the array that the descriptor at an address describes, whose type `key` stands for.
    fn described(&self, _key: u64, _address: u64, _memory: &mut dyn Memory) -> Result<Value, Unavailable> {
        Err(Unavailable::Other("nobody reads its descriptor".to_owned()))
    }
}

/// A reference from one type to another that is resolved when it is followed.
///
/// A lazy link holds its loader weakly: the loader caches the types it made, so a strong one would be a cycle.
#[derive(Clone)]
pub struct Link(LinkState);

#[derive(Clone)]
enum LinkState {
    Ready(TypeRef),
    Lazy { loader: Weak<dyn TypeLoader>, key: u64 },
}

impl Link {
    /// Creates a link to a type that is at hand.
    pub fn ready(ty: TypeRef) -> Self {
        Self(LinkState::Ready(ty))
    }

    /// Creates a link that asks `loader` when it is followed.
    pub fn lazy(loader: Weak<dyn TypeLoader>, key: u64) -> Self {
        Self(LinkState::Lazy { loader, key })
    }

    /// Follows the link.
    pub fn get(&self) -> TypeRef {
        match &self.0 {
            LinkState::Ready(ty) => ty.clone(),
            LinkState::Lazy { loader, key } => match loader.upgrade() {
                Some(loader) => loader.load(*key),
                None => Arc::new(Type::Opaque("type of an unloaded module".to_owned())),
            },
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Never follows a lazy link: types are cyclic.
        match &self.0 {
            LinkState::Ready(ty) => ty.fmt(f),
            LinkState::Lazy { key, .. } => write!(f, "Lazy({key:#x})"),
        }
    }
}

impl From<TypeRef> for Link {
    fn from(ty: TypeRef) -> Self {
        Self::ready(ty)
    }
}
