//! Where the value of a Rust function is when it has just returned.
//!
//! Rust promises nothing about how its functions are called. What is relied on here is what its compiler does, as the
//! code that it makes shows (1.95). It takes a type for one scalar, for a pair of them, or for bytes in memory. Each
//! scalar has a register of its own; bytes are returned in rax if there are at most eight, and else put where the
//! caller says. Debug info does not tell a function that is `extern "C"`, nor a `#[repr(C)]` type: of types that can be
//! such, a value is known only where that is the same.

use super::return_place;
use arch::{Arch, Registers};
use ctype::layout::{align_of, array_parts, size_of, strip};
use ctype::{Encoding, Place, Record, RecordKind, Type, TypeRef, Variants};
use dwarf::ReturnRules;

/// Nesting of records in a value of at most sixteen bytes.
const MAX_DEPTH: u32 = 16;
/// Fields looked at, of all variants.
const MAX_FIELDS: u32 = 1000;

/// What a function's code tells of the value that it returns.
pub trait Evidence {
    /// Returns whether it returns the address that it was given for its value.
    fn gives_address(&mut self) -> bool;

    /// Returns whether it is certain to return something in each of these registers.
    fn returns_in(&mut self, registers: &[&str]) -> bool;

    /// Returns the registers in which its callers are certain to use what it returns.
    fn used_in(&mut self) -> Vec<&'static str>;
}

/// Returns where the value of type `ty` is, now that a Rust function has just returned it; the error says why that is
/// not known.
pub fn rust_return_place(ty: &TypeRef, registers: &Registers, evidence: &mut dyn Evidence) -> Result<Place, String> {
    let size = size_of(ty).ok_or("the size of its type is not known")?;
    let is_compound = matches!(*strip(ty), Type::Record(_) | Type::Array { .. });
    if !is_compound || registers.layout().arch != Arch::X86_64 {
        let place = return_place(ty, &ReturnRules::default(), registers)?;
        let names: &[&str] = match &*strip(ty) {
            Type::Base { encoding: Encoding::Float, .. } => &["xmm0"],
            _ if size <= 8 => &["rax"],
            _ => &["rax", "rdx"],
        };
        return certain(place, names, evidence);
    }
    let shape = || shape(ty, 0, &mut { MAX_FIELDS }).ok_or("how Rust takes its type is not known".to_owned());
    let scalars = match size {
        0 => return Ok(Place::Bytes(Vec::new())),
        17.. => Shape::Bytes,
        _ => shape()?,
    };
    match scalars {
        Shape::Nothing => Ok(Place::Bytes(vec![None; size as usize])),
        // C has what is of floats in xmm0, and what has more than eight bytes in two registers.
        Shape::Bytes if size <= 16 && !is_rusts_own(ty) && (size > 8 || has_float(ty, 0, &mut { MAX_FIELDS })) => {
            Err(unclear())
        }
        Shape::Bytes if size <= 8 => {
            scalars_of(&[Scalar { at: 0, size, kind: Kind::Integer }], size, registers, evidence)
        }
        // LLVM has the address returned, unless it knows all callers and that none of them looks.
        Shape::Bytes if evidence.gives_address() => {
            registers.value("rax").map(Place::Memory).ok_or("rax is not known".to_owned())
        }
        Shape::Bytes => Err("the function's code does not show that it returns the address where it has put it".into()),
        Shape::One(scalar) if scalar.kind == Kind::Float && !is_rusts_own(ty) => Err(unclear()),
        Shape::One(scalar) => scalars_of(&[scalar], size, registers, evidence),
        Shape::Pair(_, second) if second.at != 8 && !is_rusts_own(ty) => Err(unclear()),
        Shape::Pair(first, second) => scalars_of(&[first, second], size, registers, evidence),
    }
}

/// Returns the place in these registers, if the function is certain to return something in each.
fn certain(place: Place, names: &[&str], evidence: &mut dyn Evidence) -> Result<Place, String> {
    let why = "the code is optimised, or may be: LLVM may leave out parts of what a function returns";
    evidence.returns_in(names).then_some(place).ok_or(why.to_owned())
}

fn unclear() -> String {
    "`extern \"C\"` functions and `repr(C)` types have it in other registers, and debug info does not tell".to_owned()
}

/// Returns whether a type is none that C has, too.
fn is_rusts_own(ty: &TypeRef) -> bool {
    match &*strip(ty) {
        Type::Record(Record { name: Some(name), .. }) => {
            ["(", "&", "core::", "alloc::", "std::"].iter().any(|start| name.starts_with(start))
        }
        Type::Array { .. } => true,
        _ => false,
    }
}

/// Returns whether there is a float in a type, or may be.
fn has_float(ty: &TypeRef, depth: u32, budget: &mut u32) -> bool {
    let Some(left) = budget.checked_sub(1).filter(|_| depth <= MAX_DEPTH) else { return true };
    *budget = left;
    match &*strip(ty) {
        Type::Base { encoding: Encoding::Float | Encoding::ComplexFloat | Encoding::Other, .. } => true,
        Type::Array { element, .. } => has_float(&element.get(), depth + 1, budget),
        Type::Record(record) => {
            let variants = record.variants.iter().flat_map(|variants| variants.list.iter().map(|v| &v.member));
            record.members.iter().chain(variants).any(|member| has_float(&member.ty.get(), depth + 1, budget))
        }
        _ => false,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Integer,
    /// Only its lowest bit counts.
    Bool,
    Float,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scalar {
    at: u64,
    size: u64,
    kind: Kind,
}

/// What the compiler takes a type for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Nothing,
    One(Scalar),
    Pair(Scalar, Scalar),
    Bytes,
}

/// Finds a value of these scalars, each in the next register of its kind.
fn scalars_of(
    scalars: &[Scalar],
    size: u64,
    registers: &Registers,
    evidence: &mut dyn Evidence,
) -> Result<Place, String> {
    let mut names = Vec::new();
    let mut bytes = vec![None; size as usize];
    let (mut integers, mut floats) = (["rax", "rdx"].into_iter(), ["xmm0", "xmm1"].into_iter());
    for scalar in scalars {
        let mut held = Vec::new();
        while (held.len() as u64) < scalar.size {
            let name = if scalar.kind == Kind::Float { floats.next() } else { integers.next() };
            let part = name.and_then(|name| registers.bytes(name));
            held.extend_from_slice(part.ok_or("a register that it is in is not known")?);
            names.extend(name);
        }
        if let (Kind::Bool, Some(byte)) = (scalar.kind, held.first_mut()) {
            *byte &= 1;
        }
        for (to, from) in bytes.iter_mut().skip(scalar.at as usize).zip(held.iter().take(scalar.size as usize)) {
            *to = Some(*from);
        }
    }
    certain(Place::Bytes(bytes), &names, evidence)
}

/// Returns the shape of a type; `None` for what is not known: unions, vectors, and what is too large to look at.
fn shape(ty: &TypeRef, depth: u32, budget: &mut u32) -> Option<Shape> {
    *budget = budget.checked_sub(1)?;
    let size = size_of(ty)?;
    if depth > MAX_DEPTH {
        return None;
    }
    let scalar = |kind| Some(Shape::One(Scalar { at: 0, size, kind }));
    match &*strip(ty) {
        _ if size == 0 => Some(Shape::Nothing),
        Type::Record(record) if record.kind == RecordKind::Union => None,
        Type::Record(record) => match &record.variants {
            Some(variants) => variants_shape(variants, record, ty, depth, budget),
            None => fields_shape(record, ty, depth, budget),
        },
        Type::Array { .. } => array_parts(ty).map(|_| Shape::Bytes),
        Type::Base { encoding: Encoding::Float, .. } => scalar(Kind::Float),
        Type::Base { encoding: Encoding::ComplexFloat, .. } => None,
        Type::Base { encoding: Encoding::Bool, .. } => scalar(Kind::Bool),
        Type::Base { .. } | Type::Enumeration(_) | Type::Pointer { .. } => scalar(Kind::Integer),
        _ => None,
    }
}

/// Returns the shape of a structure: one scalar or pair alone, two scalars, or bytes.
fn fields_shape(record: &Record, ty: &TypeRef, depth: u32, budget: &mut u32) -> Option<Shape> {
    let size = size_of(ty)?;
    let mut fields = Vec::new();
    for member in &record.members {
        let field = member.ty.get();
        if member.bits.is_some() {
            return None;
        }
        match shape(&field, depth + 1, budget)? {
            Shape::Nothing => {}
            found => fields.push((member.offset, size_of(&field)?, found)),
        }
    }
    fields.sort_by_key(|(at, ..)| *at);
    Some(match fields.as_slice() {
        [] => Shape::Nothing,
        // A vector looks like this: an array in a structure of its own.
        [(.., Shape::Bytes)] if is_vector(record) => return None,
        [(0, whole, found)] if *whole == size => *found,
        [(at, _, Shape::One(first)), (then, _, Shape::One(second))] => {
            pair(first.moved(*at), second.moved(*then), ty).unwrap_or(Shape::Bytes)
        }
        _ => Shape::Bytes,
    })
}

fn is_vector(record: &Record) -> bool {
    let name = record.name.as_deref().unwrap_or_default();
    let is_plain = ["(", "alloc::", "core::net::", "std::"].iter().any(|start| name.starts_with(start));
    !is_plain && record.members.len() == 1
}

/// Returns the shape of an enum with a tag, or one whose only variant with fields has values that mean the others.
fn variants_shape(variants: &Variants, record: &Record, ty: &TypeRef, depth: u32, budget: &mut u32) -> Option<Shape> {
    let mut held = Vec::new();
    for variant in &variants.list {
        let fields = variant.member.ty.get();
        let found = match &*strip(&fields) {
            Type::Record(fields_of) => fields_shape(fields_of, &fields, depth + 1, budget)?,
            _ => return None,
        };
        if found != Shape::Nothing {
            let fields = strip(&fields);
            let Type::Record(only) = &*fields else { return None };
            held.push((found, lone_scalar(only, depth, budget)?));
        }
    }
    let Some(tag) = variants.discriminant.as_deref() else {
        return held.first().map(|(found, _)| *found).filter(|_| variants.list.len() == 1);
    };
    if !record.members.is_empty() {
        return None;
    }
    let tag_size = size_of(&tag.ty.get())?;
    let tag = Scalar { at: tag.offset, size: tag_size, kind: Kind::Integer };
    let overlaps = |other: &Scalar| other.at < tag.end() && tag.at < other.end();
    // Where a truth value has room for other variants, too, all its bits count.
    let shared = |scalar: &Scalar| match scalar.kind {
        Kind::Bool if overlaps(scalar) => Scalar { kind: Kind::Integer, ..*scalar },
        _ => *scalar,
    };
    Some(match held.as_slice() {
        [] => Shape::One(tag),
        [(Shape::One(scalar), _)] if overlaps(scalar) => Shape::One(shared(scalar)),
        [(Shape::Pair(first, second), _)] if overlaps(first) || overlaps(second) => {
            Shape::Pair(shared(first), shared(second))
        }
        all => {
            let first = all.first().and_then(|(_, lone)| *lone);
            let is_alike = |lone: &Option<Scalar>| {
                let both = lone.zip(first);
                both.is_some_and(|(a, b)| {
                    (a.at, a.size, a.kind == Kind::Float) == (b.at, b.size, b.kind == Kind::Float)
                })
            };
            match first.filter(|first| all.iter().all(|(_, lone)| is_alike(lone)) && !overlaps(first)) {
                // A truth value beside a number is a number.
                Some(first) => {
                    let is_one_kind = all.iter().all(|(_, lone)| lone.is_some_and(|lone| lone.kind == first.kind));
                    let kind = if is_one_kind { first.kind } else { Kind::Integer };
                    pair(tag, Scalar { kind, ..first }, ty).unwrap_or(Shape::Bytes)
                }
                None => Shape::Bytes,
            }
        }
    })
}

/// Finds the only field of a variant, if it is a scalar, at its place in the enum.
fn lone_scalar(record: &Record, depth: u32, budget: &mut u32) -> Option<Option<Scalar>> {
    let mut found = Vec::new();
    for member in &record.members {
        match shape(&member.ty.get(), depth + 1, budget)? {
            Shape::Nothing => {}
            Shape::One(scalar) => found.push(Some(scalar.moved(member.offset))),
            _ => found.push(None),
        }
    }
    Some(if let [only] = found.as_slice() { *only } else { None })
}

/// Returns the shape of two scalars that are where the compiler would put them.
fn pair(first: Scalar, second: Scalar, ty: &TypeRef) -> Option<Shape> {
    let align = |scalar: &Scalar| scalar.size.max(1).next_power_of_two().min(16);
    let at = first.size.checked_next_multiple_of(align(&second))?;
    let size = at.checked_add(second.size)?.checked_next_multiple_of(align(&first).max(align(&second)))?;
    let fits = first.at == 0 && second.at == at && size_of(ty)? == size && align_of(ty)? <= size;
    fits.then_some(Shape::Pair(first, second))
}

impl Scalar {
    fn moved(self, by: u64) -> Self {
        Self { at: self.at.saturating_add(by), ..self }
    }

    /// Returns the offset one past its last byte.
    fn end(self) -> u64 {
        self.at.saturating_add(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arch::{Register, RegisterKind, RegisterLayout};
    use ctype::{Count, Link, Member, Record, Variant, Variants};
    use std::sync::Arc;

    fn base(encoding: Encoding, size: u64) -> TypeRef {
        Arc::new(Type::Base { name: "t".into(), encoding, size })
    }

    fn int(size: u64) -> TypeRef {
        base(Encoding::Unsigned, size)
    }

    fn record(size: u64, members: &[(u64, TypeRef)]) -> TypeRef {
        let members = members.iter().map(|(offset, ty)| Member::new(None, ty.clone(), *offset)).collect();
        Arc::new(Type::Record(Record { size: Some(size), members, ..Record::default() }))
    }

    /// Makes an `Option` of a type, with a discriminant of this size.
    fn option(size: u64, tag: u64, payload_at: u64, payload: TypeRef) -> TypeRef {
        let variant = |fields: &[(u64, TypeRef)]| Variant {
            values: Default::default(),
            member: Member::new(None, record(size, fields), 0),
        };
        let list = vec![variant(&[]), variant(&[(payload_at, payload)])];
        let variants = Some(Variants { discriminant: Some(Box::new(Member::new(None, int(tag), 0))), list });
        Arc::new(Type::Record(Record { size: Some(size), variants, ..Record::default() }))
    }

    /// Finds the registers of a result: rax holds the bytes from 0, rdx those from 8.
    fn place(ty: &TypeRef, gives_address: bool) -> Result<Place, String> {
        place_by(ty, Fixed { gives_address, returns_in: &["rax", "rdx", "xmm0", "xmm1"] })
    }

    struct Fixed {
        gives_address: bool,
        returns_in: &'static [&'static str],
    }

    impl Evidence for Fixed {
        fn gives_address(&mut self) -> bool {
            self.gives_address
        }

        fn returns_in(&mut self, registers: &[&str]) -> bool {
            registers.iter().all(|name| self.returns_in.contains(name))
        }

        fn used_in(&mut self) -> Vec<&'static str> {
            self.returns_in.to_vec()
        }
    }

    #[test]
    fn what_the_code_does_not_show_to_be_returned_is_not_known() {
        let rax = || Fixed { gives_address: false, returns_in: &["rax"] };
        assert_eq!(place_by(&int(4), rax()), bytes(0, 4));
        assert_eq!(place_by(&option(8, 8, 0, int(8)), rax()), bytes(0, 8));
        for ty in [base(Encoding::Float, 8), int(16), option(16, 8, 8, int(8)), record(16, &[(0, int(8)), (8, int(8))])]
        {
            let why = place_by(&ty, rax()).unwrap_err();
            assert!(why.contains("LLVM may leave out"), "{ty:?}: {why}");
        }
    }

    fn place_by(ty: &TypeRef, mut code: Fixed) -> Result<Place, String> {
        let named = [("rax", 8, 0), ("rdx", 8, 8), ("xmm0", 16, 16)];
        let register = |(i, (name, size, offset)): (usize, (&str, usize, usize))| Register {
            name: name.into(),
            number: i as u32,
            size,
            offset,
            kind: RegisterKind::Integer,
        };
        let registers = named.into_iter().enumerate().map(register).collect();
        let layout = Arc::new(RegisterLayout { arch: Arch::X86_64, registers });
        rust_return_place(ty, &Registers::new(layout, &(0..32).map(Some).collect::<Vec<_>>()), &mut code)
    }

    fn bytes(from: u8, to: u8) -> Result<Place, String> {
        Ok(Place::Bytes((from..to).map(Some).collect()))
    }

    #[test]
    fn the_place_of_a_large_value_is_known_if_the_function_returns_it() {
        let large = record(24, &[(0, int(8)), (8, int(8)), (16, int(8))]);
        assert_eq!(place(&large, true), Ok(Place::Memory(0x0706_0504_0302_0100)));
        assert!(place(&large, false).is_err());
    }

    fn known(ty: &TypeRef, expected: &[(usize, Result<Place, String>)]) {
        let Ok(Place::Bytes(bytes)) = place(ty, false) else { panic!("{ty:?}") };
        for (at, part) in expected {
            let Ok(Place::Bytes(part)) = part else { panic!("{ty:?}") };
            assert_eq!(bytes.get(*at..*at + part.len()), Some(&part[..]), "{ty:?}");
        }
    }

    #[test]
    fn scalars_and_pairs_of_eight_bytes_each_are_in_registers() {
        assert_eq!(place(&int(4), false), bytes(0, 4));
        assert_eq!(place(&base(Encoding::Float, 8), false), bytes(16, 24));
        assert_eq!(place(&record(4, &[(0, int(4))]), false), bytes(0, 4));
        assert_eq!(place(&record(16, &[(0, int(8)), (8, int(8))]), false), bytes(0, 16));
        assert_eq!(place(&option(16, 8, 8, int(8)), false), bytes(0, 16));
        assert_eq!(place(&option(8, 8, 0, int(8)), false), bytes(0, 8));
        assert_eq!(place(&record(0, &[]), false), bytes(0, 0));
        // Of a pair, each kind has its own registers.
        let float = base(Encoding::Float, 8);
        known(&record(16, &[(0, int(4)), (8, float.clone())]), &[(0, bytes(0, 4)), (8, bytes(16, 24))]);
        known(&option(16, 8, 8, float), &[(0, bytes(0, 8)), (8, bytes(16, 24))]);
        known(&named("(u32, u32)", record(8, &[(0, int(4)), (4, int(4))])), &[(0, bytes(0, 4)), (4, bytes(8, 12))]);
        known(&named("core::option::Option<u32>", option(8, 4, 4, int(4))), &[(0, bytes(0, 4)), (4, bytes(8, 12))]);
    }

    #[test]
    fn other_values_are_in_rax_or_where_the_caller_says() {
        let shorts = record(6, &[(0, int(2)), (2, int(2)), (4, int(2))]);
        assert_eq!(place(&shorts, false), bytes(0, 6));
        let array: TypeRef = Arc::new(Type::Array {
            element: Link::ready(int(8)),
            count: Count::Known(2),
            indexing: Default::default(),
        });
        let two = record(8, &[(0, int(4)), (4, int(4))]);
        for ty in [array, named("(Two, Two)", record(16, &[(0, two.clone()), (8, two)]))] {
            assert_eq!(place(&ty, true), Ok(Place::Memory(0x0706_0504_0302_0100)), "{ty:?}");
            assert!(place(&ty, false).is_err(), "{ty:?}");
        }
    }

    fn named(name: &str, ty: TypeRef) -> TypeRef {
        let Type::Record(record) = &*ty else { panic!("{ty:?}") };
        Arc::new(Type::Record(Record { name: Some(name.to_owned()), ..record.clone() }))
    }

    /// A Rust function has `(u32, u32)` in eax and edx, one that is `extern "C"` has it in rax.
    #[test]
    fn what_may_be_in_either_place_is_not_known() {
        let float = base(Encoding::Float, 8);
        let (two, shorts) =
            (record(8, &[(0, int(4)), (4, int(4))]), record(6, &[(0, int(2)), (2, int(2)), (4, int(2))]));
        let array = |element: TypeRef, count: u64| -> TypeRef {
            let count = Count::Known(count);
            Arc::new(Type::Array { element: Link::ready(element), count, indexing: Default::default() })
        };
        let (single, vector) = (array(base(Encoding::Float, 4), 1), array(int(8), 2));
        for ty in [
            option(8, 4, 4, int(4)),
            record(8, &[(0, int(4)), (4, int(4))]),
            record(8, &[(0, float)]),
            record(16, &[(0, vector)]),
            record(16, &[(0, two.clone()), (8, two)]),
            record(12, &[(0, shorts), (8, int(4))]),
            record(8, &[(0, base(Encoding::Float, 4)), (4, single)]),
        ] {
            assert!(place(&ty, true).is_err(), "{ty:?}");
        }
    }
}
