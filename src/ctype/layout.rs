//! Sizes, alignments and members of types.

use super::{Bits, Count, Encoding, Link, PointerKind, Qualifier, Record, Type, TypeRef};
use crate::arch::Arch;
use std::sync::Arc;

/// Links of typedefs and qualifiers that are followed before a type counts as defined by itself.
const MAX_CHAIN: usize = 64;
/// How deep types may be nested in each other (arrays of arrays, anonymous members of anonymous members).
const MAX_DEPTH: usize = 64;
/// Members that one look-up visits at most, anonymous members and base classes included.
const MAX_VISITED: usize = 100_000;

/// The language whose notation is spoken: it decides how records are named and what type a comparison has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// C: `struct node *`, `1 == 1` is `1`.
    #[default]
    C,
    /// C++ (and other languages without tag keywords): `node *`, `1 == 1` is `true`.
    Cxx,
}

/// What values depend on besides their types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Decides what `long double` and `char` are.
    pub arch: Arch,
    /// Decides about notation.
    pub dialect: Dialect,
}

impl Target {
    /// A C program on x86-64.
    pub const X86_64: Self = Self { arch: Arch::X86_64, dialect: Dialect::C };

    /// Size of a pointer in bytes.
    pub const fn pointer_size(self) -> u64 {
        match self.arch {
            Arch::X86_64 | Arch::Aarch64 => 8,
        }
    }

    /// How plain `char` is read (signed in the x86-64 psABI, unsigned in AAPCS64).
    pub const fn char_encoding(self) -> Encoding {
        match self.arch {
            Arch::X86_64 => Encoding::SignedChar,
            Arch::Aarch64 => Encoding::UnsignedChar,
        }
    }
}

/// The type behind typedefs and qualifiers.
pub fn strip(ty: &TypeRef) -> TypeRef {
    let mut ty = ty.clone();
    for _ in 0..MAX_CHAIN {
        let next = match &*ty {
            Type::Typedef { target, .. } | Type::Qualified { target, .. } => target.get(),
            _ => return ty,
        };
        ty = next;
    }
    Arc::new(Type::Opaque("typedef that does not end".to_owned()))
}

/// Size in bytes; `None` for `void`, functions, incomplete types and arrays of unknown length.
pub fn size_of(ty: &TypeRef) -> Option<u64> {
    let mut count = 1u64;
    let mut ty = strip(ty);
    for _ in 0..MAX_DEPTH {
        let next = match &*ty {
            Type::Base { size, .. } | Type::Pointer { size, .. } => return count.checked_mul(*size),
            Type::Enumeration(e) => return count.checked_mul(e.size),
            Type::Record(record) => return count.checked_mul(record.size?),
            Type::Array { element, count: Count::Known(n) } => {
                count = count.checked_mul(*n)?;
                strip(&element.get())
            }
            _ => return None,
        };
        ty = next;
    }
    None
}

/// Alignment in bytes as the psABIs of x86-64 and AArch64 define it: a scalar's is its size (at most 16), an
/// aggregate's is that of its most demanding member. Packed and over-aligned types are not known as such.
pub fn align_of(ty: &TypeRef) -> Option<u64> {
    align_at(ty, MAX_DEPTH / 2)
}

fn align_at(ty: &TypeRef, depth: usize) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    match &*strip(ty) {
        Type::Base { encoding: Encoding::ComplexFloat, size, .. } => Some((size / 2).clamp(1, 16)),
        Type::Base { size, .. } | Type::Pointer { size, .. } => Some((*size).clamp(1, 16)),
        Type::Enumeration(e) => Some(e.size.clamp(1, 16)),
        Type::Array { element, .. } => align_at(&element.get(), depth),
        Type::Record(record) => {
            record.size?;
            let mut align = 1;
            for member in record.members.iter().take(MAX_VISITED) {
                align = align.max(align_at(&member.ty.get(), depth)?);
            }
            Some(align)
        }
        _ => None,
    }
}

/// Element type and number of elements of an array; the number is `None` where the type does not say.
pub fn array_parts(ty: &TypeRef) -> Option<(TypeRef, Option<u64>)> {
    match &*strip(ty) {
        Type::Array { element, count } => {
            let count = match count {
                Count::Known(n) => Some(*n),
                Count::Unknown | Count::Dynamic(_) => None,
            };
            Some((element.get(), count))
        }
        _ => None,
    }
}

/// What a pointer points to; not for references.
pub fn pointer_target(ty: &TypeRef) -> Option<TypeRef> {
    match &*strip(ty) {
        Type::Pointer { kind: PointerKind::Pointer, target, .. } => Some(target.get()),
        _ => None,
    }
}

/// What a reference refers to.
pub fn reference_target(ty: &TypeRef) -> Option<TypeRef> {
    match &*strip(ty) {
        Type::Pointer { kind: PointerKind::Reference | PointerKind::RvalueReference, target, .. } => Some(target.get()),
        _ => None,
    }
}

/// A pointer to `target`.
pub fn pointer_to(target: TypeRef, size: u64) -> TypeRef {
    Arc::new(Type::Pointer { kind: PointerKind::Pointer, target: Link::ready(target), size })
}

/// An array of `count` elements.
pub fn array_of(element: TypeRef, count: u64) -> TypeRef {
    Arc::new(Type::Array { element: Link::ready(element), count: Count::Known(count) })
}

/// A type with a qualifier added.
pub fn qualified(qualifier: Qualifier, target: TypeRef) -> TypeRef {
    Arc::new(Type::Qualified { qualifier, target: Link::ready(target) })
}

/// A member that was found in a record.
#[derive(Clone, Debug)]
pub struct FoundMember {
    /// Its type.
    pub ty: TypeRef,
    /// Offset in bytes from the start of the record that was searched.
    pub offset: u64,
    /// Which bits, for a bit-field.
    pub bits: Option<Bits>,
}

/// Looks a member up as C does (members of anonymous structs and unions count as the record's own) and as C++ does
/// (members of base classes too, hidden by those of derived classes).
pub fn find_member(ty: &TypeRef, name: &str) -> Option<FoundMember> {
    // Breadth first, so that a member hides those of the same name further inside.
    let mut level = vec![(strip(ty), 0u64)];
    let mut visited = 0usize;
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        for (ty, base) in &level {
            let Type::Record(record) = &**ty else { continue };
            visited += record.members.len();
            if visited > MAX_VISITED {
                return None;
            }
            if let Some(m) = record.members.iter().find(|m| !m.is_base && m.name.as_deref() == Some(name)) {
                return Some(FoundMember { ty: m.ty.get(), offset: base.wrapping_add(m.offset), bits: m.bits });
            }
            let inner = record.members.iter().filter(|m| m.is_base || m.name.is_none());
            next.extend(inner.map(|m| (strip(&m.ty.get()), base.wrapping_add(m.offset))));
        }
        if next.is_empty() {
            return None;
        }
        level = next;
    }
    None
}

/// Names that [`find_member`] would find, in declaration order, at most `limit`.
pub fn member_names(ty: &TypeRef, limit: usize) -> Vec<String> {
    let mut names = Vec::new();
    collect_names(&strip(ty), limit, MAX_DEPTH / 2, &mut names);
    names
}

fn collect_names(ty: &TypeRef, limit: usize, depth: usize, names: &mut Vec<String>) {
    let (Type::Record(Record { members, .. }), Some(depth)) = (&**ty, depth.checked_sub(1)) else {
        return;
    };
    for member in members.iter().take(MAX_VISITED) {
        if names.len() >= limit {
            return;
        }
        match &member.name {
            Some(name) if !member.is_base => names.push(name.clone()),
            _ => collect_names(&strip(&member.ty.get()), limit, depth, names),
        }
    }
}

/// C++: where in a class the base class of that name starts; `None` if it is not one of its bases.
pub fn base_offset(class: &TypeRef, base: &TypeRef) -> Option<u64> {
    let base = strip(base);
    let Type::Record(Record { name: Some(wanted), .. }) = &*base else {
        return None;
    };
    let mut level = vec![(strip(class), 0u64)];
    let mut visited = 0usize;
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        for (ty, offset) in &level {
            let Type::Record(record) = &**ty else { continue };
            for member in record.members.iter().take_while(|m| m.is_base) {
                visited += 1;
                let (ty, offset) = (strip(&member.ty.get()), offset.wrapping_add(member.offset));
                if matches!(&*ty, Type::Record(Record { name: Some(name), .. }) if name == wanted) {
                    return Some(offset);
                }
                next.push((ty, offset));
            }
        }
        if next.is_empty() || visited > MAX_VISITED {
            return None;
        }
        level = next;
    }
    None
}
