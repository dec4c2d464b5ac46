//! Values: variables, expressions, memory, registers.

use arch::RunAddr;

/// A named value, rendered.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// In GDB's notation.
    pub value: String,
    /// C spelling of the type.
    pub ty: Option<String>,
    /// A parameter rather than a local.
    pub is_argument: bool,
    /// Declared here.
    pub line: Option<u32>,
    /// A variable of an inner block hides this one.
    pub shadowed: bool,
    /// Something was left out of `value`.
    pub truncated: bool,
    /// C++: the class of the object that it is, or points to, if that is derived from the one that its type says.
    pub dynamic_type: Option<String>,
    /// Why it has no value, if it has none.
    pub missing: Option<Missing>,
}

/// Why a variable has no value here, and where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// In words: `no location at this pc; last known at 0x401136, 12 bytes back`.
    pub why: String,
    /// An instruction of the function at which it is known: the last such one before here, or else the first after.
    pub known_at: Option<RunAddr>,
    /// The file of that line, if it is not the frame's.
    pub file: Option<String>,
    /// The line of that instruction.
    pub line: Option<u32>,
    /// Whether one gets to that instruction by going on, or by going back; `None`: it is in another part of the
    /// function, and nothing tells which of them was first.
    pub is_ahead: Option<bool>,
}

/// How a value is to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Show {
    /// GDB's letter, as in `/x`.
    pub format: Option<char>,
    /// Elements or characters of the value itself that are skipped.
    pub from: u64,
    /// Most elements or characters; default: as GDB.
    pub count: Option<u32>,
}

/// An evaluated expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The expression as given.
    pub expression: String,
    /// In GDB's notation.
    pub value: String,
    /// C spelling of the type.
    pub ty: String,
    /// Where it is in memory, if it is an lvalue that is.
    pub address: Option<RunAddr>,
    /// Something was left out of `value`.
    pub truncated: bool,
    /// The element or character to go on from ([`Show::from`]), if elements of the value itself were left out.
    pub next: Option<u64>,
    /// C++: the class of the object that it is, or points to, if that is derived from the one that its type says.
    pub dynamic_type: Option<String>,
    /// Why it has no value, if it is a variable that has none.
    pub missing: Option<Missing>,
}

/// Bytes of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryBlock {
    /// First address.
    pub address: RunAddr,
    /// As many as could be read, up to the count asked for.
    pub bytes: Vec<u8>,
    /// Set if fewer than asked: the first unreadable address, or the limit.
    pub truncated: Option<String>,
}

/// A register's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterValue {
    /// Target's name.
    pub name: String,
    /// `0x…`; `<unavailable>`, or in an outer frame `<not saved>`, if it is not known.
    pub value: String,
}
