//! What the declaration of a C++ class says besides what its objects consist of: nobody but a reader of the declaration
//! asks.

use super::{Link, Record, TypeLoader};
use std::fmt;
use std::sync::{Arc, Weak};

/// Who may use a member (DW_AT_accessibility).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// `public`
    #[default]
    Public,
    /// `protected`
    Protected,
    /// `private`
    Private,
}

impl Access {
    /// Returns the keyword.
    pub fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Protected => "protected",
            Self::Private => "private",
        }
    }
}

/// A member function.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name, without the class.
    pub name: String,
    /// A function: `this` is its first parameter, if it has one.
    pub ty: Link,
    /// How many of its parameters, the first ones, are the compiler's: `this` and what constructors of classes with
    /// virtual bases are told.
    pub hidden: usize,
    /// Who may call it.
    pub access: Access,
    /// Which place it has in the class's virtual table, if it has one and the compiler tells.
    pub slot: Option<u64>,
    /// Whether it is virtual.
    pub is_virtual: bool,
    /// Whether it has an object to work on.
    pub is_static: bool,
    /// What may be said behind the parameters: `&`, `&&`, or nothing.
    pub reference: &'static str,
}

/// What a special member function is for (C++20, section `special`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Copies an object into a new one.
    Copy,
    /// Moves an object into a new one.
    Move,
    /// Copies an object over another one.
    CopyAssignment,
    /// Moves an object over another one.
    MoveAssignment,
    /// Ends an object.
    Destructor,
}

/// How a special member function that a class declares is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Manner {
    /// By the programmer, or it is a virtual destructor: it is not trivial.
    Provided,
    /// `= default` in the class: as if it were not declared.
    Defaulted,
    /// `= delete`
    Deleted,
    /// The debug info does not tell.
    Unknown,
}

/// A special member function that a programmer has declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Special {
    /// What it is for.
    pub role: Role,
    /// How it is made.
    pub manner: Manner,
}

/// What a class declares.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Of each of [`Record::members`], base classes too.
    pub members: Vec<Access>,
    /// Of each of [`Record::statics`].
    pub statics: Vec<Access>,
    /// Of each of [`Record::virtual_bases`].
    pub virtual_bases: Vec<Access>,
    /// Those that the programmer has declared, in order.
    pub methods: Vec<Method>,
    /// Those of them that copy, move and destroy objects.
    pub specials: Vec<Special>,
    /// Types that are given a name in it.
    pub typedefs: Vec<(Access, Link)>,
    /// Classes, unions and enumerations that it has, with their names; those of enumerations may be empty.
    pub types: Vec<(String, Link)>,
}

/// Where the parts of a class are read when somebody asks.
#[derive(Clone)]
pub struct PartsLink {
    loader: Weak<dyn TypeLoader>,
    key: u64,
}

impl PartsLink {
    /// Creates a link to what `loader` makes of a key.
    pub fn new(loader: Weak<dyn TypeLoader>, key: u64) -> Self {
        Self { loader, key }
    }
}

impl fmt::Debug for PartsLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Parts({:#x})", self.key)
    }
}

impl Record {
    /// Returns what the class declares besides its data; nothing if it is no class of C++, or cannot be read.
    pub fn parts(&self) -> Arc<Parts> {
        self.known_parts().unwrap_or_default()
    }

    /// Returns what the class declares besides its data; `None` if that cannot be read.
    pub fn known_parts(&self) -> Option<Arc<Parts>> {
        match &self.parts {
            Some(link) => link.loader.upgrade()?.parts(link.key),
            None => Some(Arc::default()),
        }
    }
}
