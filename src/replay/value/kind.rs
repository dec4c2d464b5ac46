//! What sort of thing a value is.

use super::Value;
use ctype::layout::strip;
use ctype::{Body, Encoding, Memory, PointerKind, Record, RecordKind, Style, Type};

/// What sort of thing a [`Value`] is, which says what can be asked of it.
///
/// Objects of the C++ and Rust standard libraries are what they mean: a `std::vector` is a
/// [`Sequence`](Kind::Sequence), a `Box<T>` a [`Pointer`](Kind::Pointer). An object that is damaged, or not constructed
/// yet, is the [`Structure`](Kind::Structure) that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// `void`
    Void,
    /// A truth value.
    Bool,
    /// An integer.
    Integer,
    /// A character: an integer as well.
    Character,
    /// A floating-point number.
    Float,
    /// A complex number.
    Complex,
    /// An enumeration of C and C++: an integer as well.
    Enumeration,
    /// A pointer, also a smart one. It can be [followed](Value::pointee).
    Pointer,
    /// A reference that cannot be followed. Others are what they refer to.
    Reference,
    /// C++: a pointer to a member.
    MemberPointer,
    /// An array. It has [elements](Value::elements).
    Array,
    /// A structure or class. It has [fields](Value::fields).
    Structure,
    /// A union. It has [fields](Value::fields), in the same place.
    Union,
    /// An enum of Rust with data, or one of its kind. It has the [fields](Value::fields) of its
    /// [variant](Value::variant).
    Variant,
    /// A string object, or a string slice. It is a [text](Value::as_str).
    Text,
    /// A container of elements one after the other, or a set. It has [elements](Value::elements).
    Sequence,
    /// A container of values that are found by keys. It has [entries](Value::entries).
    Map,
    /// A function.
    Function,
    /// Of a type that is not known, or that nothing can be done with but to show it.
    Opaque,
}

impl Value<'_> {
    /// Returns what sort of thing it is.
    pub fn kind(&self) -> Kind {
        self.ask(kind_of)
    }

    /// Returns the name of the variant that an enum of Rust is: `Some`. `None` for what has no variants.
    pub fn variant(&self) -> Option<String> {
        self.ask(|value, memory| value.variant(memory).ok().flatten()).map(|(name, _)| name)
    }
}

fn kind_of(value: &ctype::Value, memory: &mut dyn Memory) -> Kind {
    match &*strip(&value.ty) {
        Type::Void => Kind::Void,
        Type::Base { encoding, .. } => match encoding {
            Encoding::Bool => Kind::Bool,
            Encoding::Signed | Encoding::Unsigned => Kind::Integer,
            Encoding::SignedChar | Encoding::UnsignedChar | Encoding::Utf => Kind::Character,
            Encoding::Float => Kind::Float,
            Encoding::ComplexFloat => Kind::Complex,
            Encoding::ComplexSigned | Encoding::Decimal | Encoding::Other => Kind::Opaque,
        },
        Type::Pointer { kind: PointerKind::Pointer, .. } => Kind::Pointer,
        Type::Pointer { .. } => Kind::Reference,
        Type::MemberPointer { .. } => Kind::MemberPointer,
        Type::Array { .. } | Type::Described { .. } => Kind::Array,
        Type::Record(record) => of_record(value, record, memory),
        Type::Enumeration(_) => Kind::Enumeration,
        Type::Function { .. } => Kind::Function,
        Type::Typedef { .. } | Type::Qualified { .. } | Type::Opaque(_) | Type::Indirect => Kind::Opaque,
    }
}

fn of_record(value: &ctype::Value, record: &Record, memory: &mut dyn Memory) -> Kind {
    if let Some(meaning) = memory.meaning(value) {
        match meaning.body {
            Body::Text(_) => return Kind::Text,
            Body::Items(Style::Map, _) => return Kind::Map,
            Body::Items(Style::Sequence | Style::Indexed, _) => return Kind::Sequence,
            Body::Items(Style::Fields | Style::Tuple, _) | Body::Nothing if meaning.target.is_some() => {
                return Kind::Pointer;
            }
            Body::Items(Style::Fields | Style::Tuple, _) | Body::Nothing => {}
        }
    }
    match (&record.variants, record.kind) {
        (Some(_), _) => Kind::Variant,
        (None, RecordKind::Union) => Kind::Union,
        (None, RecordKind::Struct | RecordKind::Class) => Kind::Structure,
    }
}
