//! Values of the program: structured, read when they are looked at.

mod convert;
mod elements;
mod kind;
mod members;
mod unknown;

pub use elements::{Elements, Entries};
pub use kind::Kind;

use super::core::Core;
use super::error::{Error, ErrorKind, Result};
use ctype::detached::{detached, resolved};
use ctype::layout::size_of;
use ctype::{Format, Memory, Options, Unavailable, render};
use engine::{Engine, Typed};
use questions::Shown;
use std::fmt;
use std::sync::Arc;

/// Most bytes of one value.
const MAX_BYTES: u64 = 16 << 20;

/// A value of the program, with its type.
///
/// It borrows the [`Replay`](crate::Replay) that it was asked of, and is read from the program's memory when it is
/// looked at: a `Value` of a list of a million elements costs nothing until one goes through them. A movement needs the
/// replay exclusively, so that no value is looked at in another moment than its own. To keep a value for longer,
/// [detach](Value::detach) it.
///
/// [`Display`](fmt::Display) writes it as GDB's `print` does, with `{:x}`, `{:o}` and `{:b}` in other bases. Numbers,
/// truth values and texts come out with [`TryFrom`], or with the `as_…` methods where something else is no error.
/// Structures have [fields](Value::field), arrays and the containers of the C++ and Rust libraries
/// [elements](Value::elements), maps [entries](Value::entries), pointers and smart pointers
/// [something that they point to](Value::pointee). A C++ reference is what it refers to.
///
/// A value that is not known (optimized out, in memory that cannot be read) is a value as well:
/// [`unknown`](Value::unknown) says why, and it shows as the reason.
///
/// ```
/// # fn main() -> retrograde::Result<()> {
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/example.rs"));
/// # let mut replay = retrograde::Replay::open("app-0")?;
/// replay.run()?; // to the crash
/// let station = replay.eval("*station")?;
/// assert_eq!(station.type_name(), "const struct station");
/// assert_eq!(station.field("name")?.as_str().as_deref(), Some("valley"));
/// let readings: Vec<i32> = station.field("readings")?.elements()?.map(i32::try_from).collect::<Result<_, _>>()?;
/// assert_eq!(readings.len(), 8);
/// // The program has crashed since this pointer is none.
/// let calibration = station.field("calibration")?;
/// assert_eq!(calibration.to_string(), "(struct calibration *) 0x3e8");
/// let percent = calibration.pointee()?.field("percent")?;
/// assert_eq!(percent.unknown().unwrap().to_string(), "<error: Cannot access memory at address 0x3ec>");
/// assert!(i32::try_from(percent).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Value<'r> {
    core: Option<&'r Core>,
    typed: Typed,
    /// How it was shown where it was taken out of its replay.
    text: Option<Arc<str>>,
}

/// Why a value is not known.
///
/// Shown as GDB shows such a value: `<optimized out>`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unknown {
    /// The compiler kept it nowhere at this instruction.
    OptimizedOut,
    /// It is in memory that cannot be read: the address of the first such byte.
    Memory(u64),
    /// It was in a register that is not preserved in this frame: the register's name.
    Register(String),
    /// It is a pointer that the compiler has replaced by what it points to, which may be known.
    SyntheticPointer,
    /// Anything else, in words.
    Other(String),
}

impl From<Unavailable> for Unknown {
    fn from(reason: Unavailable) -> Self {
        match reason {
            Unavailable::OptimizedOut => Self::OptimizedOut,
            Unavailable::Memory(address) => Self::Memory(address),
            Unavailable::Register(name) => Self::Register(name),
            Unavailable::SyntheticPointer => Self::SyntheticPointer,
            Unavailable::Absent(what) => Self::Other(format!("not {what}")),
            Unavailable::NotCollected => Self::Other("not collected".to_owned()),
            Unavailable::Other(words) => Self::Other(words),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OptimizedOut => f.write_str("<optimized out>"),
            Self::Memory(address) => write!(f, "<error: Cannot access memory at address {address:#x}>"),
            Self::Register(name) => write!(f, "<not saved: {name}>"),
            Self::SyntheticPointer => f.write_str("<synthetic pointer>"),
            Self::Other(words) => write!(f, "<unavailable: {words}>"),
        }
    }
}

impl<'r> Value<'r> {
    pub(super) fn new(core: &'r Core, typed: Typed) -> Self {
        Self { core: Some(core), typed, text: None }
    }

    /// Returns what the value is made of, which outlives the borrow: [`Replay::revived`](crate::Replay::revived) makes
    /// a value of it again, until the next movement.
    pub(crate) fn kept(&self) -> Typed {
        self.typed.clone()
    }

    /// Returns another value of the same place and time.
    fn sibling(&self, value: ctype::Value) -> Self {
        Self { core: self.core, typed: Typed { value, target: self.typed.target }, text: None }
    }

    /// Asks something about the value, a reference being what it refers to.
    fn ask<R>(&self, mut question: impl FnMut(&ctype::Value, &mut dyn Memory) -> R) -> R {
        Core::with_memory(self.core, |memory| {
            let value = resolved(&self.typed.value, memory);
            question(&value, memory)
        })
    }

    /// Returns the type, as its language spells it: `struct station`, `std::vector<int>`.
    pub fn type_name(&self) -> String {
        self.typed.type_name()
    }

    /// Returns the size of its type in bytes; `None` for what has none, as functions and incomplete types.
    pub fn size(&self) -> Option<u64> {
        size_of(&self.typed.value.ty)
    }

    /// Returns where it is in memory; `None` for what is in registers, is part of a byte, or was computed.
    pub fn address(&self) -> Option<u64> {
        self.ask(|value, _| value.address())
    }

    /// Returns why it is not known; `None` if it is, at least in part.
    ///
    /// Of a large object in memory its beginning is looked at.
    pub fn unknown(&self) -> Option<Unknown> {
        self.ask(|value, memory| unknown::unknown(value, memory)).map(Unknown::from)
    }

    /// Returns its bytes, in the order of memory.
    ///
    /// # Errors
    /// [`ErrorKind::Unknown`] if one of them is not known, [`ErrorKind::Type`] if the type has no size, and
    /// [`ErrorKind::OutOfRange`] above 16 MiB.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        let size = self.ask(|value, _| size_of(&value.ty)).ok_or_else(|| self.no("a size"))?;
        let length = usize::try_from(size).ok().filter(|_| size <= MAX_BYTES).ok_or_else(|| {
            Error::new(ErrorKind::OutOfRange, format!("{size} bytes are more than {MAX_BYTES}, which are read at once"))
        })?;
        let read = self.ask(|value, memory| match value.bits {
            Some(bits) => value.field_bits(memory, bits).map(|field| field.to_le_bytes()[..length.min(16)].to_vec()),
            None => value.read(memory, 0, length),
        });
        read.map_err(|reason| self.not_known(&reason.into()))
    }

    /// Returns the same value detached from the replay: as it is now, with its own bytes, whatever the replay does
    /// later. What it points to stays behind.
    #[must_use]
    pub fn detach(&self) -> Value<'static> {
        let text = self.to_string();
        let value = self.ask(detached);
        Value { core: None, typed: Typed { value, target: self.typed.target }, text: Some(text.into()) }
    }

    /// Formats the value, in one of GDB's formats.
    fn shown(&self, format: Option<Format>) -> String {
        if let (Some(text), None) = (&self.text, format) {
            return text.as_ref().to_owned();
        }
        let options = Options::new(self.typed.target).with_format(format);
        Core::with_memory(self.core, |memory| render(&self.typed.value, memory, &options).text)
    }

    /// Returns the error of a value that has not what is asked of it.
    fn no(&self, what: &str) -> Error {
        Error::new(ErrorKind::Type, format!("a value of type `{}` has no {what}", self.type_name()))
    }

    fn not_known(&self, reason: &Unknown) -> Error {
        Error::new(ErrorKind::Unknown, format!("a value of type `{}` is not known: {reason}", self.type_name()))
    }

    /// Returns the error of a value that is not of a type; or that it is not known.
    fn not_of_type(&self, what: &str) -> Error {
        match self.unknown() {
            Some(reason) => self.not_known(&reason),
            None => {
                let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                Error::new(ErrorKind::Type, format!("`{self}` of type `{}` is not {article} {what}", self.type_name()))
            }
        }
    }
}

impl Value<'static> {
    /// Creates the value that a row of an answer has.
    pub(super) fn of_row(Shown { text, value, target }: Shown) -> Self {
        Self { core: None, typed: Typed { value, target }, text: Some(text.into()) }
    }

    /// Creates a value taken out of a replay, by who has the engine to itself. `shown`: how it is shown, if that is
    /// known.
    pub(super) fn taken(engine: &mut Engine, typed: Typed, shown: Option<&str>) -> Result<Self> {
        let target = typed.target;
        let (value, text) = engine.with_memory(|memory| {
            let value = detached(&resolved(&typed.value, memory), memory);
            let shown = shown.map(str::to_owned);
            let text = shown.unwrap_or_else(|| render(&typed.value, memory, &Options::new(target)).text);
            (value, text)
        })?;
        Ok(Self { core: None, typed: Typed { value, target }, text: Some(text.into()) })
    }
}

/// As GDB's `print` writes it.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.shown(None))
    }
}

/// With the bits in hexadecimal, as `print/x` writes it.
impl fmt::LowerHex for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.shown(Some(Format::Hex)))
    }
}

/// With the bits in octal, as `print/o` writes it.
impl fmt::Octal for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.shown(Some(Format::Octal)))
    }
}

/// With the bits in binary, as `print/t` writes it.
impl fmt::Binary for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.shown(Some(Format::Binary)))
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}) {}", self.type_name(), self.shown(None))
    }
}
