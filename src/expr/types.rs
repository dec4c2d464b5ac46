//! From the names of types to types.

use super::ast::{Builtin, Derivation, Encoding, Expr, ExprKind, Tag, TypeBase, TypeName};
use super::env::Types;
use super::error::{Error, ErrorKind, Span};
use super::lexer::long_double;
use ctype::arith::{Arithmetic, IntegerType, Rank};
use ctype::layout::{pointer_to, qualified, size_of, strip};
use ctype::{Count, Dialect, Enumeration, Link, PointerKind, Qualifier, Record, Target, Type, TypeRef};
use std::sync::Arc;

/// Returns why there is no type of a name, or none of several is meant.
fn no_type<T: Types + ?Sized>(tag: Option<Tag>, name: &str, types: &mut T, span: &Span) -> Error {
    let whole = tag.map_or_else(|| name.to_owned(), |tag| format!("{} {name}", tag.keyword()));
    let unclear = types.unclear_type(tag, name);
    Error::new(span, unclear.map_or(ErrorKind::NoType(whole), ErrorKind::Lookup))
}

/// Resolves the type that a name means; `span` is where the name is, for the error.
pub fn resolve_type<T: Types + ?Sized>(name: &TypeName, types: &mut T, span: &Span) -> Result<TypeRef, Error> {
    let mut ty = match &name.base {
        TypeBase::Builtin(builtin) => builtin_type(*builtin, types.target()),
        TypeBase::Tagged(tag, tag_name) => match types.type_named(Some(*tag), tag_name) {
            Some(ty) => ty,
            None => return Err(no_type(Some(*tag), tag_name, types, span)),
        },
        TypeBase::Named(type_name) if types.target().dialect == Dialect::Rust && is_rust_primitive(type_name) => {
            rust_primitive(type_name)
        }
        TypeBase::Named(type_name) => match types.type_named(None, type_name) {
            Some(ty) => ty,
            None if type_name.starts_with(['&', '*']) => wide_pointer(type_name, types.target()),
            None => return Err(no_type(None, type_name, types, span)),
        },
    };
    ty = with_qualifiers(ty, &name.qualifiers);
    for derivation in &name.derivations {
        ty = match derivation {
            Derivation::Pointer(kind, qualifiers) => {
                let size = types.target().pointer_size();
                let pointer = match kind {
                    PointerKind::Pointer => pointer_to(ty, size),
                    _ => Arc::new(Type::Pointer { kind: *kind, target: Link::ready(ty), size }),
                };
                with_qualifiers(pointer, qualifiers)
            }
            Derivation::Array(count) => {
                let count = count.map_or(Count::Unknown, Count::Known);
                Arc::new(Type::Array { element: Link::ready(ty), count, indexing: Default::default() })
            }
            Derivation::Function(parameters, variadic) => {
                let mut links = Vec::new();
                for parameter in parameters {
                    links.push(Link::ready(resolve_type(parameter, types, span)?));
                }
                let result = Link::ready(ty);
                Arc::new(Type::Function { result, parameters: links, variadic: *variadic, prototyped: true })
            }
        };
    }
    Ok(ty)
}

/// Returns the type of a pointer of Rust to what has no size, where the program has none of that name: an address, with
/// a length or a table behind it.
fn wide_pointer(name: &str, target: Target) -> TypeRef {
    let size = Some(2 * target.pointer_size());
    Arc::new(Type::Record(Record { name: Some(name.to_owned()), size, ..Record::default() }))
}

fn with_qualifiers(ty: TypeRef, qualifiers: &[Qualifier]) -> TypeRef {
    qualifiers.iter().fold(ty, |ty, qualifier| qualified(*qualifier, ty))
}

fn base(name: &str, encoding: ctype::Encoding, size: u64) -> TypeRef {
    Arc::new(Type::Base { name: name.to_owned(), encoding, size })
}

fn builtin_type(builtin: Builtin, target: Target) -> TypeRef {
    let long = long_double(target.arch);
    match builtin {
        Builtin::Void => Arc::new(Type::Void),
        Builtin::Char => char_type(target),
        Builtin::Bool => bool_type(target),
        Builtin::Integer(ty) => Arithmetic::Integer(ty).base_type(),
        Builtin::Float(format) => Arithmetic::Float(format).base_type(),
        Builtin::Complex(format) => Arithmetic::Complex(format).base_type(),
        Builtin::LongDouble => base("long double", ctype::Encoding::Float, long.size() as u64),
        Builtin::ComplexLongDouble => {
            base("complex long double", ctype::Encoding::ComplexFloat, 2 * long.size() as u64)
        }
    }
}

/// Returns whether a name is one of Rust's own types, whose names every module knows.
pub(super) fn is_rust_primitive(name: &str) -> bool {
    let number =
        name.strip_prefix(['i', 'u']).is_some_and(|size| ["8", "16", "32", "64", "128", "size"].contains(&size));
    number || ["bool", "char", "f32", "f64"].contains(&name)
}

/// Returns one of Rust's own types. `usize` is as large as a pointer, on all machines that there are recordings of.
pub(super) fn rust_primitive(name: &str) -> TypeRef {
    use ctype::Encoding;
    let bits = name.trim_start_matches(char::is_alphabetic).parse().unwrap_or(64);
    match name.as_bytes().first() {
        Some(b'b') => base(name, Encoding::Bool, 1),
        Some(b'c') => base(name, Encoding::Utf, 4),
        Some(b'f') => base(name, Encoding::Float, bits / 8),
        Some(b'i') => base(name, Encoding::Signed, bits / 8),
        _ => base(name, Encoding::Unsigned, bits / 8),
    }
}

/// Returns the type plain `char`.
pub(super) fn char_type(target: Target) -> TypeRef {
    base("char", target.char_encoding(), 1)
}

/// Returns the type `_Bool`, or C++'s `bool`.
pub(super) fn bool_type(target: Target) -> TypeRef {
    let name = match target.dialect {
        Dialect::C => "_Bool",
        Dialect::Cxx | Dialect::Rust => "bool",
    };
    base(name, ctype::Encoding::Bool, 1)
}

/// Returns the type of a character literal, and of the elements of a string literal.
pub(super) fn character_type<T: Types + ?Sized>(encoding: Encoding, types: &mut T) -> TypeRef {
    let target = types.target();
    match encoding {
        // A base type since C++20, whose programs alone have it in their debug info. C23's is a typedef.
        Encoding::Utf8 => {
            let own = types.type_named(None, "char8_t").filter(|ty| size_of(ty) == Some(1));
            own.unwrap_or_else(|| char_type(target))
        }
        Encoding::Narrow => char_type(target),
        // On AArch64 it is unsigned; that shows only in arithmetic on codes no character has.
        Encoding::Wide if target.dialect == Dialect::C => {
            let int = base("int", ctype::Encoding::Signed, 4);
            Arc::new(Type::Typedef { name: "wchar_t".to_owned(), target: int.into(), alignment: None })
        }
        Encoding::Wide => base("wchar_t", ctype::Encoding::Signed, 4),
        Encoding::Utf16 => base("char16_t", ctype::Encoding::Utf, 2),
        Encoding::Utf32 if target.dialect == Dialect::Rust => rust_primitive("char"),
        Encoding::Utf32 => base("char32_t", ctype::Encoding::Utf, 4),
    }
}

/// Returns the type of an enumerator of an enumeration: in C an `int` that is shown by its name, if the number is one,
/// whatever the enumeration is kept in.
pub(super) fn enumerator_type(enumeration: TypeRef, value: i128, target: Target) -> TypeRef {
    match &*strip(&enumeration) {
        Type::Enumeration(e) if target.dialect == Dialect::C && i32::try_from(value).is_ok() => {
            let int = IntegerType::INT;
            Arc::new(Type::Enumeration(Enumeration { size: int.size(), signed: int.signed, ..e.clone() }))
        }
        _ => enumeration,
    }
}

/// Returns whether an expression is a character literal of C, whose type is `int`: it is shown as a character all the
/// same.
pub(super) fn is_c_character(expr: &Expr, target: Target) -> bool {
    target.dialect == Dialect::C && matches!(expr.kind, ExprKind::Char(Encoding::Narrow, _))
}

/// Returns what a comparison yields: `int` in C, `bool` in C++.
pub(super) fn truth_type(target: Target) -> (TypeRef, IntegerType) {
    match target.dialect {
        Dialect::C => (Arithmetic::Integer(IntegerType::INT).base_type(), IntegerType::INT),
        Dialect::Cxx | Dialect::Rust => (bool_type(target), IntegerType { rank: Rank::Bool, signed: false }),
    }
}
