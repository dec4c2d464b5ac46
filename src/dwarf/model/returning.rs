//! How a function returns its value, where that is not the way of its machine alone.

/// What debug info tells about the way that a function returns its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReturnRules {
    /// Whose rules it follows.
    pub convention: Convention,
    /// Every struct and union is returned in memory (`-fpcc-struct-return`).
    pub records_in_memory: bool,
    /// Why nothing of this is known.
    pub unknown: Option<String>,
    /// GCC has compiled it, for which an unnamed bit-field is an integer.
    pub is_gcc: bool,
}

/// A calling convention.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Convention {
    /// The one of the platform, as far as it concerns results.
    #[default]
    Platform,
    /// Microsoft's for x86-64.
    Win64,
    /// The one of the platform, but the call preserves the register that says where an object in memory is: its name.
    Preserving(&'static str),
    /// Another one; its name.
    Other(String),
}
