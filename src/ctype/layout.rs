//! Sizes, alignments and members of types.

use super::{Bits, Count, Encoding, Link, Member, PointerKind, Qualifier, Record, Stride, Type, TypeRef};
use arch::Arch;
use std::collections::{HashMap, HashSet};
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
    /// Rust: `Some(3)`, `[1, 2]`; otherwise as C++.
    Rust,
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

    /// Returns the size of a pointer in bytes.
    pub const fn pointer_size(self) -> u64 {
        match self.arch {
            Arch::X86_64 | Arch::Aarch64 => 8,
        }
    }

    /// Returns how plain `char` is read (signed in the x86-64 psABI, unsigned in AAPCS64).
    pub const fn char_encoding(self) -> Encoding {
        match self.arch {
            Arch::X86_64 => Encoding::SignedChar,
            Arch::Aarch64 => Encoding::UnsignedChar,
        }
    }
}

/// Returns the type behind typedefs and qualifiers.
pub fn strip(ty: &TypeRef) -> TypeRef {
    strip_to(ty, |_| false)
}

/// Returns the type behind typedefs and qualifiers, or the first one with a qualifier that is looked for.
fn strip_to(ty: &TypeRef, is_it: impl Fn(Qualifier) -> bool) -> TypeRef {
    let mut ty = ty.clone();
    for _ in 0..MAX_CHAIN {
        let next = match &*ty {
            Type::Qualified { qualifier, .. } if is_it(*qualifier) => return ty,
            Type::Typedef { target, .. } | Type::Qualified { target, .. } => target.get(),
            _ => return ty,
        };
        ty = next;
    }
    Arc::new(Type::Opaque("typedef that does not end".to_owned()))
}

/// Returns the type behind typedefs and qualifiers, up to the qualifier that tells how large it is.
pub(super) fn storage(ty: &TypeRef) -> TypeRef {
    strip_to(ty, |qualifier| matches!(qualifier, Qualifier::Padded(_)))
}

/// Names the result type of a function that has a symbol but no debug info, as GDB does.
pub const UNDESCRIBED: &str = "text variable, no debug info";
/// What stands for a type of which debug info says only that there is one: a DW_TAG_unspecified_type without a name, as
/// what functions return that are written in assembler.
pub const UNSPECIFIED: &str = "an unspecified type";

/// Returns whether a type is a vector, which an array behind [`Qualifier::Vector`] is.
pub fn is_vector(ty: &TypeRef) -> bool {
    is_qualified(ty, Qualifier::Vector)
}

/// Returns whether numbers of a type are stored with the most significant byte first.
pub fn is_big_endian(ty: &TypeRef) -> bool {
    is_qualified(ty, Qualifier::BigEndian)
}

/// Returns whether a type, or what it is a name for, is qualified so.
pub fn is_qualified(ty: &TypeRef, of: Qualifier) -> bool {
    let mut ty = ty.clone();
    for _ in 0..MAX_CHAIN {
        let next = match &*ty {
            Type::Qualified { qualifier, .. } if *qualifier == of => return true,
            Type::Typedef { target, .. } | Type::Qualified { target, .. } => target.get(),
            _ => return false,
        };
        ty = next;
    }
    false
}

/// Returns the size of a type in bytes; `None` for `void`, functions, incomplete types and arrays of unknown length.
pub fn size_of(ty: &TypeRef) -> Option<u64> {
    size_at(ty, MAX_DEPTH)
}

fn size_at(ty: &TypeRef, depth: usize) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let mut count = 1u64;
    let mut ty = storage(ty);
    for _ in 0..MAX_DEPTH {
        let next = match &*ty {
            Type::Qualified { qualifier: Qualifier::Padded(size), .. } => return count.checked_mul(*size),
            Type::Base { size, .. } | Type::Pointer { size, .. } | Type::MemberPointer { size, .. } => {
                return count.checked_mul(*size);
            }
            Type::Enumeration(e) => return count.checked_mul(e.size),
            Type::Record(record) => return count.checked_mul(record.size?),
            Type::Array { element, count: Count::Known(n), indexing } => match indexing.stride {
                Stride::Element => {
                    count = count.checked_mul(*n)?;
                    storage(&element.get())
                }
                stride => return count.checked_mul(stride.extent(*n, size_at(&element.get(), depth))?),
            },
            _ => return None,
        };
        ty = next;
    }
    None
}

/// Returns what `_Alignof` says of a type: of a reference, the alignment of the type referred to (C++17 8.3.6).
pub fn alignof(ty: &TypeRef) -> Option<u64> {
    align_of(&reference_target(ty).unwrap_or_else(|| ty.clone()))
}

/// Returns the alignment in bytes as the psABIs of x86-64 and AArch64 define it: a scalar's is its size (at most 16),
/// an aggregate's is that of its most demanding member, or what was asked for. Of a packed type it is what its layout
/// allows.
pub fn align_of(ty: &TypeRef) -> Option<u64> {
    align_at(ty, MAX_DEPTH / 2, &mut { MAX_VISITED })
}

fn align_at(ty: &TypeRef, depth: usize, budget: &mut usize) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let align = |ty: &TypeRef, budget: &mut usize| align_at(ty, depth, budget);
    match &**ty {
        Type::Typedef { alignment: Some(asked), .. } => Some(*asked),
        // Vectors and atomic records are made so large that they can be aligned by their sizes.
        Type::Qualified { qualifier: Qualifier::Vector, .. } if is_aligned_by_size(ty) => size_of(ty),
        Type::Qualified { qualifier: Qualifier::Padded(size), target }
            if size.is_power_of_two()
                && matches!(
                    &*target.get(),
                    Type::Qualified { qualifier: Qualifier::Vector | Qualifier::Atomic, .. }
                ) =>
        {
            Some(*size)
        }
        Type::Typedef { target, .. } | Type::Qualified { target, .. } => align(&target.get(), budget),
        Type::Base { encoding: Encoding::ComplexFloat | Encoding::ComplexSigned, size, .. } => {
            Some((size / 2).clamp(1, 16))
        }
        Type::Base { size, .. } | Type::Pointer { size, .. } => Some((*size).clamp(1, 16)),
        Type::MemberPointer { size, .. } => Some((*size).clamp(1, 8)),
        Type::Enumeration(e) => Some(e.size.clamp(1, 16)),
        Type::Array { element, .. } => align(&element.get(), budget),
        Type::Record(record) => {
            let size = record.size?;
            // What the members' types have, and what the members themselves do.
            let (mut natural, mut asked) = (1, 1);
            let discriminant = record.variants.iter().filter_map(|v| v.discriminant.as_deref());
            let variants = record.variants.iter().flat_map(|v| &v.list).map(|v| &v.member);
            for member in record.members.iter().chain(discriminant).chain(variants) {
                *budget = budget.checked_sub(1)?;
                let ty = member.ty.get();
                // Clang only declares what it takes to be described elsewhere: allocators and the like, for instance.
                if member.is_base && size_of(&ty).is_none() && is_empty_base(record, member) {
                    continue;
                }
                let own = member.alignment.map_or_else(|| align(&ty, budget), Some)?;
                let is_aligned = || match member.bits {
                    // A bit-field is within one unit of its declared type, wherever in it that is. (In a packed record it
                    // may be by chance.) One may be wider than its type.
                    Some(bits) => {
                        member.offset.checked_rem(own).is_some_and(|into| into + bits.bytes().min(own) <= own)
                    }
                    None => member.offset.is_multiple_of(own),
                };
                if own != 0 && is_aligned() {
                    natural = own.max(natural);
                    asked = member.alignment.unwrap_or(1).max(asked);
                }
            }
            Some(match record.alignment {
                // It is packed.
                Some(own) if own < natural => own.max(asked),
                Some(own) => own,
                // The size of a type is a multiple of its alignment.
                None if size.is_multiple_of(natural) => natural,
                None => asked,
            })
        }
        _ => None,
    }
}

fn is_aligned_by_size(vector: &TypeRef) -> bool {
    size_of(vector).is_some_and(u64::is_power_of_two)
}

/// Returns whether the layout around a base of which nothing is known proves that it has no data: it is all that its
/// record has, or shares its place with data.
fn is_empty_base(record: &Record, base: &Member) -> bool {
    let has_data = |m: &Member| !m.is_base || size_of(&m.ty.get()).is_some_and(|size| size > 1);
    record.size == Some(1) || record.members.iter().any(|m| m.offset == base.offset && has_data(m))
}

/// Returns the element type and number of elements of an array; the number is `None` where the type does not say.
pub fn array_parts(ty: &TypeRef) -> Option<(TypeRef, Option<u64>)> {
    match &*strip(ty) {
        Type::Array { element, count, .. } => {
            // A `const` array is one of `const` elements (C17 6.7.3).
            let outer = [Qualifier::Volatile, Qualifier::Const].into_iter().filter(|of| is_qualified(ty, *of));
            let count = match count {
                Count::Known(n) => Some(*n),
                Count::Unknown | Count::Dynamic(_) => None,
            };
            let own = |element: TypeRef, of: Qualifier| match is_qualified(&element, of) {
                true => element,
                false => qualified(of, element),
            };
            Some((outer.fold(element.get(), own), count))
        }
        _ => None,
    }
}

/// Returns what a pointer points to; not for references.
pub fn pointer_target(ty: &TypeRef) -> Option<TypeRef> {
    match &*strip(ty) {
        Type::Pointer { kind: PointerKind::Pointer, target, .. } => Some(target.get()),
        _ => None,
    }
}

/// Returns what a reference refers to.
pub fn reference_target(ty: &TypeRef) -> Option<TypeRef> {
    match &*strip(ty) {
        Type::Pointer { kind: PointerKind::Reference | PointerKind::RvalueReference, target, .. } => Some(target.get()),
        _ => None,
    }
}

/// Makes the type of a pointer to `target`.
pub fn pointer_to(target: TypeRef, size: u64) -> TypeRef {
    Arc::new(Type::Pointer { kind: PointerKind::Pointer, target: Link::ready(target), size })
}

/// Makes the type of an array of `count` elements.
pub fn array_of(element: TypeRef, count: u64) -> TypeRef {
    Arc::new(Type::Array { element: Link::ready(element), count: Count::Known(count), indexing: Default::default() })
}

/// Makes a type with a qualifier added.
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
    find_used_member(ty, name, 0)
}

/// Looks a member up behind so many using-declarations.
fn find_used_member(ty: &TypeRef, name: &str, depth: usize) -> Option<FoundMember> {
    if depth > MAX_DEPTH {
        return None;
    }
    // Breadth first, so that a member hides those of the same name further inside.
    let mut level = vec![(strip(ty), 0u64)];
    let mut visited = 0usize;
    let mut searched = Searched::default();
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        for (ty, base) in &level {
            let Type::Record(record) = &**ty else { continue };
            if !searched.is_first(ty) {
                continue;
            }
            visited += record.members.len();
            if visited > MAX_VISITED {
                return None;
            }
            if let Some((class, offset)) = used_base(ty, record, name) {
                let found = find_used_member(&class, name, depth + 1)?;
                return Some(FoundMember { offset: base.wrapping_add(offset).wrapping_add(found.offset), ..found });
            }
            let is_it =
                |m: &&Member| !m.is_base && m.name.as_deref().is_some_and(|own| own == name || is_field(own, name));
            let variants = record.variants.iter().flat_map(|v| &v.list).map(|v| &v.member);
            if let Some(m) = record.members.iter().chain(variants).find(is_it) {
                return Some(FoundMember { ty: m.ty.get(), offset: base.wrapping_add(m.offset), bits: m.bits });
            }
            // A static member is in no object, and hides what bases have.
            let is_static = record.statics.iter().any(|member| member.name == name);
            let inner = record.members.iter().filter(|m| m.name.is_none() && !m.is_base || m.is_base && !is_static);
            next.extend(inner.map(|m| (strip(&m.ty.get()), base.wrapping_add(m.offset))));
        }
        if next.is_empty() {
            return None;
        }
        level = next;
    }
    None
}

/// Returns the base whose member of this name a using-declaration of a record means, and where that is.
fn used_base(ty: &TypeRef, record: &Record, name: &str) -> Option<(TypeRef, u64)> {
    let (_, class) = record.usings.iter().find(|(own, _)| own == name)?;
    let class = strip(&class.get());
    let offset = base_offset(ty, &class).filter(|_| !Arc::ptr_eq(ty, &class))?;
    Some((class, offset))
}

/// A member in a part of an object that is of a class.
struct Declared {
    /// The virtual base class that the part is in, of which there is one in the whole object.
    shared: Option<String>,
    /// Where the member is in that, or in the object.
    offset: u64,
    class: TypeRef,
}

/// Returns the bases that have a member of this name, if there are several and none of them hides the others'.
pub fn ambiguous_member(ty: &TypeRef, name: &str) -> Option<Vec<String>> {
    let mut found: Vec<Declared> = Vec::new();
    let mut open = vec![(strip(ty), None, 0u64)];
    let mut shared_ones: HashSet<String> = HashSet::new();
    let mut visited = 0usize;
    while let Some((ty, shared, base)) = open.pop() {
        let Type::Record(record) = &*ty else { continue };
        visited += record.members.len() + record.virtual_bases.len() + 1;
        if visited > MAX_VISITED {
            return None;
        }
        if let Some((class, offset)) = used_base(&ty, record, name) {
            found.push(Declared { shared, offset: base.wrapping_add(offset), class });
            continue;
        }
        let own = record.members.iter().filter(|member| !member.is_base);
        let mut own = own.filter_map(|member| match &member.name {
            Some(own) => (own == name).then_some(member.offset),
            None => Some(member.offset.wrapping_add(find_member(&member.ty.get(), name)?.offset)),
        });
        if let Some(offset) = own.next() {
            found.push(Declared { shared, offset: base.wrapping_add(offset), class: ty.clone() });
            continue;
        }
        if record.statics.iter().any(|member| member.name == name) {
            // There is one, however often the class is a part.
            let class = record.name.as_deref().unwrap_or_default();
            found.push(Declared { shared: Some(format!("static {class}")), offset: 0, class: ty.clone() });
            continue;
        }
        let bases = record.members.iter().filter(|member| member.is_base);
        open.extend(bases.map(|member| (strip(&member.ty.get()), shared.clone(), base.wrapping_add(member.offset))));
        for class in record.virtual_bases.iter().map(|base| strip(&base.ty.get())) {
            if let Some(name) = class_name(&class)
                && shared_ones.insert(name.to_owned())
            {
                open.push((class.clone(), Some(name.to_owned()), 0));
            }
        }
    }
    // A class hides the members of its virtual bases also from those who reach them another way.
    let is_hidden = |one: &Declared| {
        let shared = one.shared.as_deref();
        shared.is_some_and(|shared| found.iter().any(|other| has_virtual_base(&other.class, shared)))
    };
    let mut seen: Vec<(Option<&str>, u64, &str)> = found
        .iter()
        .filter(|one| !is_hidden(one))
        .map(|one| (one.shared.as_deref(), one.offset, class_name(&one.class).unwrap_or_default()))
        .collect();
    seen.sort_unstable();
    seen.dedup_by_key(|(shared, offset, _)| (*shared, *offset));
    (seen.len() > 1).then(|| seen.into_iter().map(|(_, _, class)| class.to_owned()).collect())
}

fn class_name(ty: &TypeRef) -> Option<&str> {
    match &**ty {
        Type::Record(record) => record.name.as_deref(),
        _ => None,
    }
}

/// Returns whether a class, or a base of it, has a virtual base class of that name.
fn has_virtual_base(class: &TypeRef, name: &str) -> bool {
    let mut searched = Searched::default();
    let mut open = vec![class.clone()];
    let mut visited = 0;
    while let Some(ty) = open.pop().filter(|_| visited < MAX_VISITED) {
        visited += 1;
        let Type::Record(record) = &*ty else { continue };
        if !searched.is_first(&ty) {
            continue;
        }
        let shared = record.virtual_bases.iter().map(|base| strip(&base.ty.get()));
        for base in shared {
            if class_name(&base) == Some(name) {
                return true;
            }
            open.push(base);
        }
        open.extend(record.members.iter().filter(|member| member.is_base).map(|member| strip(&member.ty.get())));
    }
    false
}

/// Types that a search has gone through. A second object of one of them holds nothing that the first does not, and is
/// as far away or further. So a search ends soon in a class that is a base of its bases many times over.
#[derive(Default)]
struct Searched(HashMap<*const Type, TypeRef>);

impl Searched {
    /// Adds a type, and returns whether it was not there yet.
    fn is_first(&mut self, ty: &TypeRef) -> bool {
        // The type is kept, so that its address is not given to another.
        self.0.insert(Arc::as_ptr(ty), ty.clone()).is_none()
    }
}

/// Returns whether a member is what Rust calls `.0`: debug info names it `__0`.
fn is_field(member: &str, name: &str) -> bool {
    member.strip_prefix("__") == Some(name) && name.bytes().all(|b| b.is_ascii_digit())
}

/// Lists the names that [`find_member`] would find, in declaration order, at most `limit`.
pub fn member_names(ty: &TypeRef, limit: usize) -> Vec<String> {
    let mut names = Vec::new();
    collect_names(&strip(ty), limit, MAX_DEPTH / 2, &mut { MAX_VISITED }, &mut names);
    names
}

fn collect_names(ty: &TypeRef, limit: usize, depth: usize, budget: &mut usize, names: &mut Vec<String>) {
    let (Type::Record(Record { members, .. }), Some(depth)) = (&**ty, depth.checked_sub(1)) else {
        return;
    };
    for member in members {
        if names.len() >= limit || *budget == 0 {
            return;
        }
        *budget -= 1;
        match &member.name {
            Some(name) if !member.is_base => names.push(name.clone()),
            _ => collect_names(&strip(&member.ty.get()), limit, depth, budget, names),
        }
    }
}

/// Returns where in a C++ class the base class of that name starts; `None` if it is not one of its bases.
pub fn base_offset(class: &TypeRef, base: &TypeRef) -> Option<u64> {
    let base = strip(base);
    let Type::Record(Record { name: Some(wanted), .. }) = &*base else {
        return None;
    };
    let mut level = vec![(strip(class), 0u64)];
    let mut visited = 0usize;
    let mut searched = Searched::default();
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        for (ty, offset) in &level {
            let Type::Record(record) = &**ty else { continue };
            if !searched.is_first(ty) {
                continue;
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RecordKind, TypeLoader, type_name};
    use std::sync::Weak;

    fn int() -> TypeRef {
        Arc::new(Type::Base { name: "int".to_owned(), encoding: Encoding::Signed, size: 4 })
    }

    fn record(name: Option<&str>, size: u64, members: Vec<Member>) -> TypeRef {
        let name = name.map(str::to_owned);
        Arc::new(Type::Record(Record {
            kind: RecordKind::Struct,
            name,
            size: Some(size),
            members,
            ..Record::default()
        }))
    }

    #[test]
    fn a_base_that_is_only_declared_counts_for_nothing_only_if_it_is_known_to_be_empty() {
        let declared = || {
            let unknown = Record { kind: RecordKind::Struct, name: Some("B".to_owned()), ..Record::default() };
            Member { is_base: true, ..Member::new(None, Arc::new(Type::Record(unknown)), 0) }
        };
        let align = |size, members| align_of(&record(None, size, members));
        let data = |offset| Member::new(Some("x"), int(), offset);
        assert_eq!(align(8, vec![declared(), data(0), data(4)]), Some(4));
        assert_eq!(align(1, vec![declared()]), Some(1));
        // It may end with something larger than an `int`.
        assert_eq!(align(64, vec![declared(), data(48)]), None);
    }

    /// Makes a class with so many bases of the class before it, many times over.
    fn diamonds(levels: usize, bases: usize) -> TypeRef {
        let base = |ty: &TypeRef| Member { is_base: true, ..Member::new(None, ty.clone(), 0) };
        (0..levels).fold(record(Some("D"), 4, vec![Member::new(Some("m"), int(), 0)]), |below, level| {
            record(Some(&format!("D{level}")), 4, vec![base(&below); bases])
        })
    }

    #[test]
    fn each_class_of_a_diamond_is_searched_once() {
        let class = diamonds(50, 30);
        let start = std::time::Instant::now();
        for _ in 0..1000 {
            assert_eq!(find_member(&class, "m").map(|found| found.offset), Some(0));
            assert!(find_member(&class, "n").is_none());
            assert_eq!(base_offset(&class, &diamonds(0, 0)), Some(0));
        }
        // One visit of all of them takes longer than this.
        assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
    }

    /// Every number is a structure of two anonymous structures of that kind, or a function of two such functions.
    struct Endless;

    impl TypeLoader for Endless {
        fn load(&self, key: u64) -> TypeRef {
            let link = || Link::lazy(endless(), key);
            match key {
                0 => record(None, 8, vec![Member::new(None, link(), 0), Member::new(None, link(), 4)]),
                1 => Arc::new(Type::Function {
                    result: Link::ready(Arc::new(Type::Void)),
                    parameters: vec![link(), link()],
                    variadic: false,
                    prototyped: true,
                }),
                _ => Arc::new(Type::Typedef { name: "t".to_owned(), target: link(), alignment: None }),
            }
        }
    }

    static ENDLESS: std::sync::LazyLock<Arc<Endless>> = std::sync::LazyLock::new(|| Arc::new(Endless));

    fn endless() -> Weak<dyn TypeLoader> {
        let weak: Weak<Endless> = Arc::downgrade(&ENDLESS);
        weak
    }

    #[test]
    fn types_without_end_are_given_up_on() {
        let nested = Endless.load(0);
        assert!(find_member(&nested, "x").is_none());
        assert!(member_names(&nested, 10).is_empty());
        assert_eq!(align_of(&nested), None);
        assert_eq!(size_of(&Endless.load(2)), None);
        let function = type_name(&Endless.load(1), Dialect::C);
        assert!(function.starts_with("void (void (void (") && function.len() < 2000, "{function}");
    }

    #[test]
    fn members_are_found_through_anonymous_ones_and_bases() {
        let union = record(None, 8, vec![Member::new(Some("y"), int(), 0), Member::new(Some("z"), int(), 4)]);
        let mut base = Member::new(None, record(Some("base"), 8, vec![Member::new(Some("b"), int(), 4)]), 16);
        base.is_base = true;
        let all = record(Some("s"), 24, vec![base, Member::new(Some("x"), int(), 0), Member::new(None, union, 8)]);
        let offset = |name: &str| find_member(&all, name).map(|m| m.offset);
        assert_eq!(["x", "y", "z", "b", "nosuch"].map(offset), [Some(0), Some(8), Some(12), Some(20), None]);
        assert_eq!(member_names(&all, 10), ["b", "x", "y", "z"]);
        assert_eq!(base_offset(&all, &record(Some("base"), 8, Vec::new())), Some(16));
        assert_eq!(base_offset(&all, &all), None);
    }

    #[test]
    fn sizes_that_overflow_are_unknown() {
        let huge = array_of(array_of(int(), 1 << 40), 1 << 40);
        assert_eq!(size_of(&huge), None);
        assert_eq!(size_of(&array_of(int(), 3)), Some(12));
        assert_eq!(size_of(&qualified(Qualifier::Const, int())), Some(4));
    }

    #[test]
    fn qualifiers_stand_where_gdb_puts_them() {
        let qualify = |qualifiers: &[Qualifier], ty: TypeRef| qualifiers.iter().fold(ty, |ty, q| qualified(*q, ty));
        let spelled = |ty: TypeRef| type_name(&ty, Dialect::C);
        assert_eq!(spelled(qualify(&[Qualifier::Atomic], int())), "_Atomic int");
        assert_eq!(
            spelled(qualify(&[Qualifier::Restrict, Qualifier::Const], pointer_to(int(), 8))),
            "int * const restrict"
        );
        assert_eq!(spelled(qualify(&[Qualifier::Volatile, Qualifier::Const], int())), "const volatile int");
        assert_eq!(spelled(qualify(&[Qualifier::Const], array_of(int(), 2))), "const int [2]");
    }

    #[test]
    fn arrays_in_the_notation_of_their_language() {
        let matrix = array_of(array_of(int(), 2), 3);
        assert_eq!(type_name(&matrix, Dialect::Cxx), "int [3][2]");
        assert_eq!(type_name(&matrix, Dialect::Rust), "[[int; 2]; 3]");
        assert_eq!(type_name(&pointer_to(array_of(int(), 2), 8), Dialect::Rust), "*mut [int; 2]");
    }
}
