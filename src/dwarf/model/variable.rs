//! Variables, and where they are.

use super::code::SourcePath;
use super::die::DieId;
use arch::LinkAddr;
use ctype::{PartialByte, TypeRef};
use std::sync::Arc;

/// A variable or parameter.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its DIE.
    pub die: DieId,
    /// Its name; for a global, qualified.
    pub name: String,
    /// Its type.
    pub ty: TypeRef,
    /// DW_TAG_formal_parameter.
    pub is_argument: bool,
    /// How many lexical blocks around it within its function: an inner one shadows an outer one of the same name.
    pub depth: u32,
    /// Declared here.
    pub line: Option<u32>,
    /// Declared in this file.
    pub file: Option<Arc<SourcePath>>,
    /// A global only: it belongs to a function, whose name is part of the qualified one.
    pub of_function: bool,
    /// A global only: it is not where its own file has it, as another file defines it, too.
    pub elsewhere: Option<Elsewhere>,
    /// Of a function around a nested one: the functions whose static links lead from the frame to its own, that of the
    /// frame first.
    pub through: Vec<DieId>,
    /// A local only: whether its name means it at the code that it was found for.
    pub visible: Visible,
}

impl Variable {
    /// Returns whether a name may mean it, if it is a local and no local of an inner block has the name.
    pub fn is_meant_by(&self, name: &str) -> bool {
        self.name == name && self.visible != Visible::Hidden
    }

    /// Returns why it is not known whether its name means it, if that is so.
    pub fn unclear(&self) -> Option<&'static str> {
        match self.visible {
            Visible::Yes | Visible::Hidden => None,
            Visible::PerhapsLater => Some(
                "debug info does not say whether the variable of the namespace, which is defined behind the code, is \
                 declared before it, and something further out has the name, too: write NAMESPACE::NAME or ::NAME",
            ),
            Visible::NotCaptured => Some(
                "it is a local of a function around the class of the code, which knows nothing of that function's frames: \
                 select the frame of one",
            ),
            Visible::Unclear => Some(
                "several blocks of the function have something of that name, and debug info does not say which is in \
                 scope here: their lines are among the locals",
            ),
            Visible::PerhapsLeft => Some(
                "debug info does not say whether the block with the static variable of that name has been left, and a \
                 global has the name, too: write ::NAME for that, or FUNCTION::NAME",
            ),
        }
    }
}

/// Which of the variables of a function a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeantLocal {
    /// Its number among those that are visible.
    pub number: usize,
    /// It is declared on a later line than the code: what is outside of the function comes before it.
    pub is_behind: bool,
    /// The line of the innermost one of the name, if that is declared behind the code.
    pub passed_over: Option<u32>,
}

/// Where a global is that the dynamic linker has given to all files that name it. Addresses are those of the file that
/// it is looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// At this address.
    At(LinkAddr),
    /// At this offset in the thread-local storage of the module that has it.
    Thread(LinkAddr),
    /// Where the word at this address says.
    Word(LinkAddr),
    /// As far from the thread pointer as the word at this address says.
    ThreadWord(LinkAddr),
    /// In the thread-local storage of the module whose number the word at this address says, as far behind its beginning
    /// as the next word says.
    ThreadWords(LinkAddr),
}

/// Whether the name of a local means it, where no local of an inner block has the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visible {
    /// It does.
    Yes,
    /// An enumerator of an inner block has its name, or it is not declared yet.
    Hidden,
    /// Something else may have the name there: debug info does not say which block each is in.
    Unclear,
    /// The block that it is of may have been left, where something outside of the function has the name.
    PerhapsLeft,
    /// It is defined behind the code, and may be declared before that, where something further out has the name.
    PerhapsLater,
    /// It is a local of a function around the class that the code is of, and in a frame of that.
    NotCaptured,
}

/// What a function around a local class declares by a name.
#[derive(Clone, Debug)]
pub enum AroundClass {
    /// A variable.
    Variable(Box<Variable>),
    /// A type or an enumerator.
    Type,
    /// What has this whole name, by a using-declaration.
    Imported(String),
}

/// What a name may mean through a using-directive or a using-declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// How many of the scopes around the code are looked through before it, the innermost first. One more than there
    /// are: only if nothing has the name as it is written.
    pub after: usize,
    /// A directive adds it, along with all names of its namespace; otherwise a declaration of this name does.
    pub is_directive: bool,
    /// The qualified name of what is imported.
    pub name: String,
}

/// What a parameter of a template stands for.
#[derive(Clone, Debug)]
pub enum TemplateParameter {
    /// A type.
    Type(TypeRef),
    /// A value.
    Value(Box<Variable>),
}

/// Why a parameter is not in its slot of the frame.
pub(crate) const NOT_STORED_YET: &str = "the function's prologue may not have stored it yet";

/// Where a variable is in a given frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// At this address of the process.
    Memory(u64),
    /// In the register with this DWARF number.
    Register(u16),
    /// It has no home, but this is its value (DW_OP_stack_value, DW_OP_implicit_value, DW_AT_const_value).
    Bytes(Vec<u8>),
    /// In several places, or partly nowhere: one entry a byte.
    Pieces(Vec<Option<u8>>),
    /// The same, but some of the missing bytes are pointers to objects that are not in memory (DW_OP_implicit_pointer),
    /// or have some of their bits; or some bytes are in memory or in a register.
    Synthetic {
        /// One entry a byte.
        bytes: Vec<Option<u8>>,
        /// The pointers in it.
        pointers: Vec<ImplicitPointer>,
        /// Missing bytes of which some bits are there.
        partial: Vec<PartialByte>,
        /// Runs of bytes that are in memory or in a register.
        homes: Vec<Home>,
    },
    /// Nowhere at this pc.
    OptimizedOut,
    /// It cannot be computed, for this reason.
    Unavailable(String),
}

/// Bytes of a value in pieces that are in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// Where in the value they begin.
    pub at: usize,
    /// How many they are.
    pub length: usize,
    /// Memory, or a register from its low byte on.
    pub location: Location,
}

/// A pointer that the compiler has replaced by what it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImplicitPointer {
    /// Where in the value it would be, in bytes.
    pub at: usize,
    /// The object that it points to: [`Image::object_location`](crate::Image::object_location).
    pub object: DieId,
    /// How many bytes into that object.
    pub offset: i64,
}
