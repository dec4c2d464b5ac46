//! What a DIE is known by, and the kinds of types that are asked for by name.

use ctype::TypeRef;

/// Most DIEs within each other that are followed: inlined copies of functions, scopes of a name. No compiler is known
/// that comes near. What is deeper is left out.
pub(crate) const DEEPEST: usize = 256;

/// Identifies a DIE of an image: a file that has debug info of it, and an offset into that file's `.debug_info`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DieId(pub u64);

/// Which name space of C a type's tag is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeTag {
    /// `struct` or `class`
    Struct,
    /// `union`
    Union,
    /// `enum`
    Enum,
}

/// A type that has a name if something is left out of its own.
#[derive(Clone, Debug)]
pub struct LikeType {
    /// The whole name.
    pub name: String,
    /// The type.
    pub ty: TypeRef,
    /// A function has it for itself.
    pub is_of_function: bool,
}

/// What names are listed of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSort {
    /// Variables that are not local, and static ones of functions.
    Variable,
    /// Types.
    Type,
}
