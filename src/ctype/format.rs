//! How values are to be shown, and how much of them.

use super::layout::Target;

/// An output format: the letter after the slash in `print/x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `x`: the bits in hexadecimal.
    Hex,
    /// `d`: the bits as a signed number.
    Decimal,
    /// `u`: the bits as an unsigned number.
    Unsigned,
    /// `o`: the bits in octal.
    Octal,
    /// `t`: the bits in binary, without a prefix.
    Binary,
    /// `z`: as `x`, padded with zeros to the size of the type.
    ZeroHex,
    /// `a`: an address with the symbol it lies in.
    Address,
    /// `c`: a character with its code.
    Char,
    /// `f`: the bits as a floating-point number.
    Float,
    /// `s`: text where that makes sense, everything else as without a format.
    String,
    /// `r`: objects of library types as the structures that they are.
    Raw,
}

impl Format {
    /// Every letter with its meaning, for messages.
    pub const LETTERS: &'static str = "x d u o t z a c f s r";

    /// Returns the format that a letter names.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'x' => Self::Hex,
            'd' => Self::Decimal,
            'u' => Self::Unsigned,
            'o' => Self::Octal,
            't' => Self::Binary,
            'z' => Self::ZeroHex,
            'a' => Self::Address,
            'c' => Self::Char,
            'f' => Self::Float,
            's' => Self::String,
            'r' => Self::Raw,
            _ => return None,
        })
    }
}

/// How much of a value is shown. The defaults are GDB's where GDB has a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Elements of one array or container.
    pub elements: usize,
    /// Keys with their values of one container.
    pub pairs: usize,
    /// Characters of one string.
    pub string: usize,
    /// Levels of structures and arrays in each other; what is deeper is shown as `{...}`.
    pub depth: usize,
    /// More equal elements in a row than this are shown once, `<repeats N times>`.
    pub repeats: usize,
    /// Bytes of text in all.
    pub text: usize,
    /// Bytes of one array that are looked at for its elements' repetitions.
    pub array_bytes: usize,
    /// Elements or characters at the beginning of the value itself that are skipped.
    pub first: u64,
    /// Elements, pairs or characters of the value itself; `None`: as of those within it.
    pub own: Option<usize>,
}

impl Limits {
    /// Returns the limits of what is so deep inside the value.
    pub fn at(self, depth: usize) -> Self {
        match self.own.filter(|_| depth == 0) {
            Some(own) => Self { elements: own, pairs: own, string: own, ..self },
            None => self,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            elements: 200,
            pairs: 100,
            string: 200,
            depth: 20,
            repeats: 10,
            text: 32 * 1024,
            array_bytes: 64 * 1024,
            first: 0,
            own: None,
        }
    }
}

/// What a value is rendered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The target whose value it is.
    pub target: Target,
    /// `None`: as the type suggests.
    pub format: Option<Format>,
    /// How much.
    pub limits: Limits,
    /// Each member of a structure is on a line of its own.
    pub pretty: bool,
    /// C++: objects are shown as what they really are, by their virtual tables.
    pub objects: bool,
}

impl Options {
    /// Creates the options that are GDB's defaults.
    pub fn new(target: Target) -> Self {
        Self { target, format: None, limits: Limits::default(), pretty: false, objects: false }
    }

    /// Returns the options with a format.
    pub fn with_format(self, format: Option<Format>) -> Self {
        Self { format, ..self }
    }
}
