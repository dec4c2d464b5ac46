//! Values: a type, and where its bytes are or why they are not to be had.

use super::{Meaning, Record, TypeRef};
use std::fmt;

/// In which width a bit-field computes that is wider than an `int`: the standards of C leave that to the compiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FieldWidth {
    /// In that of its declared type.
    #[default]
    Declared,
    /// In its own, as GCC has it in C.
    Own,
    /// In that of its declared type, but what unary `-` and `~` make of it is cut to its own, as GCC has it in C++.
    OwnAfterSigns,
}

/// The bits of a bit-field within the bytes that hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// First bit, 0–7: whole bytes are in the member's offset.
    pub offset: u8,
    /// Number of bits, 1–128.
    pub size: u8,
    /// Whether they are counted from the most significant bit of the first byte, and a number has its high bits first:
    /// big-endian. Else they are counted from the least significant bit.
    pub from_top: bool,
    /// In which width a field that is wider than an `int` computes.
    pub computes: FieldWidth,
}

impl Bits {
    /// Makes the bits of a little-endian bit-field.
    pub const fn new(offset: u8, size: u8) -> Self {
        Self { offset, size, from_top: false, computes: FieldWidth::Declared }
    }

    /// Returns how many bytes hold some of its bits.
    pub fn bytes(self) -> u64 {
        (u64::from(self.offset) + u64::from(self.size)).div_ceil(8)
    }

    /// Returns which bits of a byte are of the bit-field, where the byte of this number holds some.
    pub fn mask(self, byte: u64) -> u8 {
        let own = u64::from(self.offset)..u64::from(self.offset) + u64::from(self.size);
        let is_own = |bit: &u64| own.contains(&byte.saturating_mul(8).saturating_add(*bit));
        (0..8).filter(is_own).fold(0, |mask, bit| mask | if self.from_top { 0x80 >> bit } else { 1 << bit })
    }
}

/// Why a value is not there. Not an error: the answer to "what is x" can be "optimized out".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// The compiler kept it nowhere at this pc.
    OptimizedOut,
    /// It lives in memory that cannot be read; the address of the first unreadable byte.
    Memory(u64),
    /// It is a pointer to an object that is not in memory: it has no address.
    SyntheticPointer,
    /// It lives in a register that was not preserved in this frame; the register's name.
    Register(String),
    /// It is an array that there is none of: `allocated`, `associated` is what it is not.
    Absent(&'static str),
    /// It is of a moment of which only some of the memory was collected, and not this.
    NotCollected,
    /// Anything else, in words.
    Other(String),
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OptimizedOut => f.write_str("<optimized out>"),
            Self::SyntheticPointer => f.write_str("<synthetic pointer>"),
            Self::Memory(address) => write!(f, "<error: Cannot access memory at address {address:#x}>"),
            Self::Register(name) => write!(f, "<not saved: {name}>"),
            Self::Absent(what) => write!(f, "<not {what}>"),
            Self::NotCollected => f.write_str("<unavailable: not collected>"),
            Self::Other(reason) => write!(f, "<unavailable: {reason}>"),
        }
    }
}

/// Where the bytes of a value are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the program's memory, read when needed: an lvalue with an address.
    Memory(u64),
    /// In a register, whole: an lvalue without an address. The bytes are the register's, in target order.
    Register {
        /// The target's name of the register.
        name: String,
        /// At least as many bytes as the value has.
        bytes: Vec<u8>,
    },
    /// Computed, constant, or put together from pieces; `None` for a byte that is optimized out or unreadable.
    Bytes(Vec<Option<u8>>),
    /// The same, where some of the missing bytes are pointers to objects that are not in memory (DWARF's implicit
    /// pointers): they have no value, but what they point to may have one. Or some of their bits are there. Or some of
    /// the bytes are in memory or in a register.
    Synthetic {
        /// As of [`Place::Bytes`].
        bytes: Vec<Option<u8>>,
        /// The pointers in it.
        pointers: Vec<SyntheticPointer>,
        /// Missing bytes of which some bits are there.
        partial: Vec<PartialByte>,
        /// Runs of bytes that are in one place.
        homes: Vec<Home>,
    },
    /// Nowhere.
    Unavailable(Unavailable),
}

/// A byte of which only some bits are there: the others are of bit-fields that are optimized out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialByte {
    /// Which byte of the value it is.
    pub at: usize,
    /// The bits that are there.
    pub bits: u8,
    /// Which these are.
    pub mask: u8,
}

/// Bytes of a value in pieces that are in one place: a member that lies among them is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// Where in the value they begin.
    pub at: usize,
    /// How many they are.
    pub length: usize,
    /// Memory, or a register from its low byte on.
    pub place: Place,
}

impl Home {
    /// Returns what is left of it in the value that starts so many bytes later.
    fn moved(&self, start: usize) -> Option<Self> {
        let skipped = start.saturating_sub(self.at);
        let length = self.length.checked_sub(skipped).filter(|length| *length > 0)?;
        let place = match &self.place {
            Place::Memory(address) => Place::Memory(address.wrapping_add(skipped as u64)),
            place => Some(place.clone()).filter(|_| skipped == 0)?,
        };
        Some(Self { at: self.at.saturating_sub(start), length, place })
    }
}

/// A pointer that the compiler has replaced by what it points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntheticPointer {
    /// Where in the value the pointer would be, in bytes.
    pub at: usize,
    /// Where the object is.
    pub object: Place,
    /// How many bytes into the object it points.
    pub offset: i64,
}

impl Place {
    /// Creates a place of bytes, some of which are pointers to objects that are not in memory.
    pub fn of_pieces(bytes: Vec<Option<u8>>, pointers: Vec<SyntheticPointer>) -> Self {
        Self::of_parts(bytes, pointers, Vec::new())
    }

    /// Creates a place of bytes, of some of which there are only some bits.
    pub fn of_parts(bytes: Vec<Option<u8>>, pointers: Vec<SyntheticPointer>, partial: Vec<PartialByte>) -> Self {
        Self::with_homes(bytes, pointers, partial, Vec::new())
    }

    /// Creates a place of bytes, of which some are in one place.
    pub fn with_homes(
        bytes: Vec<Option<u8>>,
        pointers: Vec<SyntheticPointer>,
        partial: Vec<PartialByte>,
        homes: Vec<Home>,
    ) -> Self {
        match pointers.is_empty() && partial.is_empty() && homes.is_empty() {
            true => Self::Bytes(bytes),
            false => Self::Synthetic { bytes, pointers, partial, homes },
        }
    }

    /// Returns the one place that the first bytes are in, if they are in one.
    pub fn home(&self, length: u64) -> Option<&Self> {
        let Self::Synthetic { homes, .. } = self else { return None };
        let is_it = |home: &&Home| home.at == 0 && length > 0 && length <= home.length as u64;
        homes.iter().find(is_it).map(|home| &home.place)
    }

    /// Returns the place of the bytes as they are now, whatever becomes of the memory that some are in.
    pub fn without_homes(self) -> Self {
        match self {
            Self::Synthetic { bytes, pointers, partial, .. } => Self::of_parts(bytes, pointers, partial),
            other => other,
        }
    }

    /// Returns the place that starts so many bytes after this one; before it only in memory.
    pub fn moved(&self, offset: i64) -> Self {
        let tail = |len: usize| usize::try_from(offset).map_or(len, |o| o.min(len));
        match self {
            Self::Memory(address) => Self::Memory(address.wrapping_add_signed(offset)),
            Self::Register { bytes, .. } => Self::Bytes(bytes[tail(bytes.len())..].iter().copied().map(Some).collect()),
            Self::Bytes(bytes) => Self::Bytes(bytes[tail(bytes.len())..].to_vec()),
            Self::Synthetic { bytes, pointers, partial, homes } => {
                let start = tail(bytes.len());
                let moved = |p: &SyntheticPointer| Some(SyntheticPointer { at: p.at.checked_sub(start)?, ..p.clone() });
                let pointers = pointers.iter().filter(|p| p.at < bytes.len()).filter_map(moved).collect();
                let moved = |p: &PartialByte| Some(PartialByte { at: p.at.checked_sub(start)?, ..*p });
                let partial = partial.iter().filter_map(moved).collect();
                let homes = homes.iter().filter_map(|home| home.moved(start)).collect();
                Self::with_homes(bytes[start..].to_vec(), pointers, partial, homes)
            }
            Self::Unavailable(reason) => Self::Unavailable(reason.clone()),
        }
    }

    /// Returns the bytes of a value that was computed or put together, if each is there or not and nothing else is to
    /// be said of it.
    pub fn plain_bytes(&self) -> Option<&[Option<u8>]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Synthetic { bytes, pointers, partial, .. } if pointers.is_empty() && partial.is_empty() => {
                Some(bytes)
            }
            _ => None,
        }
    }

    /// Returns whether all of it is lost.
    pub fn is_lost(&self) -> bool {
        match self {
            Self::Unavailable(Unavailable::Memory(_)) => false,
            Self::Unavailable(_) => true,
            _ => self.plain_bytes().is_some_and(|bytes| !bytes.is_empty() && bytes.iter().all(Option::is_none)),
        }
    }
}

/// A typed value.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its type.
    pub ty: TypeRef,
    /// Its bytes.
    pub place: Place,
    /// Set for a bit-field: which bits of the bytes.
    pub bits: Option<Bits>,
}

/// The program's memory, as values are read from it, and what is known of the program besides.
///
/// What is not known is `None`; the values are then shown as far as they can be without.
pub trait Memory {
    /// Fills `buffer` from `address`, or says which byte could not be read first.
    fn read(&mut self, address: u64, buffer: &mut [u8]) -> Result<(), Unavailable>;

    /// Names the symbol that an address lies in, `<main+4>` or `<table+16>`, for printing pointers as GDB does.
    fn symbol(&mut self, address: u64) -> Option<String>;

    /// Finds the class that the function whose code is at this address is a member of.
    fn class_of_function(&mut self, address: u64) -> Option<TypeRef> {
        let _ = address;
        None
    }

    /// Finds the class, enumeration, typedef or base type of that qualified name.
    fn named_type(&mut self, name: &str) -> Option<TypeRef> {
        let _ = name;
        None
    }

    /// Finds the definition of a record of which this is only a declaration, in any file of the program.
    fn defined_type(&mut self, declared: &Record) -> Option<TypeRef> {
        let _ = declared;
        None
    }

    /// Finds the static member of that qualified name; of several, the one that completes this declaration.
    fn static_member(&mut self, name: &str, declared: u64) -> Option<Value> {
        let _ = (name, declared);
        None
    }

    /// Finds the Rust type whose virtual table for some trait starts at this address.
    fn vtable_owner(&mut self, table: u64) -> Option<TypeRef> {
        let _ = table;
        None
    }

    /// Finds the whole object that an object of a C++ class with virtual functions is part of.
    fn whole_object(&mut self, value: &Value) -> Option<Value> {
        let _ = value;
        None
    }

    /// Returns whether whoever asks does not wait for the answer any more, so that values are written no further.
    fn is_cancelled(&mut self) -> bool {
        false
    }

    /// Finds out what an object of a library type means; `None` if it is not of such a type, or damaged.
    fn meaning(&mut self, value: &Value) -> Option<Meaning> {
        let _ = value;
        None
    }
}
