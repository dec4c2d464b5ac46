//! Where a function's value is when it has just returned.
//!
//! System V ABI for AMD64, section 3.2.3 ("Returning of Values"); Procedure Call Standard for the Arm 64-bit
//! Architecture, section 6.9. Classes of C++ that are returned by reference because of their constructors are not
//! told apart here.

use crate::arch::{Arch, Registers};
use crate::ctype::layout::{size_of, strip};
use crate::ctype::{Count, Encoding, Place, Type, TypeRef};

/// Nesting of records and arrays in a value of at most 16 bytes.
const MAX_DEPTH: u32 = 16;
/// Fields looked at: no type of at most 16 bytes has more, however its debug info nests it.
const MAX_FIELDS: u32 = 1000;

/// The class of an eightbyte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Nothing but padding.
    Padding,
    Integer,
    Sse,
    /// The upper half of a vector register.
    SseUp,
    /// On the x87 stack.
    X87,
    /// In memory, at an address that is returned.
    Memory,
}

/// Where the value of type `ty` is, now that a function has just returned it; or in words why that is not known.
pub(super) fn return_place(ty: &TypeRef, registers: &Registers) -> Result<Place, String> {
    let size = size_of(ty).ok_or("the size of its type is not known")?;
    match registers.layout().arch {
        Arch::X86_64 => x86_64(ty, size, registers),
        Arch::Aarch64 => aarch64(ty, size, registers),
    }
}

fn x86_64(ty: &TypeRef, size: u64, registers: &Registers) -> Result<Place, String> {
    let classes = classify(ty, size);
    if classes.contains(&Class::Memory) {
        let address = registers.value("rax").ok_or("rax is not known")?;
        return Ok(Place::Memory(address));
    }
    let mut integers = ["rax", "rdx"].into_iter();
    let mut vectors = ["xmm0", "xmm1"].into_iter();
    let mut floats = ["st0", "st1"].into_iter();
    let mut bytes: Vec<Option<u8>> = Vec::new();
    let mut upper: Vec<u8> = Vec::new();
    let take = |name: Option<&str>| -> Result<Vec<u8>, String> {
        let name = name.ok_or("it does not fit its registers")?;
        Ok(registers.bytes(name).ok_or_else(|| format!("{name} is not known"))?.to_vec())
    };
    for class in classes {
        let part = match class {
            Class::Integer => take(integers.next())?,
            Class::Sse => {
                let whole = take(vectors.next())?;
                upper = whole.get(8..).unwrap_or_default().to_vec();
                whole
            }
            Class::SseUp => std::mem::take(&mut upper),
            Class::X87 => {
                let mut ten = take(floats.next())?;
                ten.resize(16, 0);
                bytes.extend(ten.into_iter().map(Some));
                continue;
            }
            Class::Padding | Class::Memory => Vec::new(),
        };
        bytes.extend((0..8).map(|i| part.get(i).copied()));
    }
    bytes.truncate(usize::try_from(size).unwrap_or(0));
    Ok(Place::Bytes(bytes))
}

/// Classes of the eightbytes of a type; one entry of class `X87` stands for sixteen bytes.
fn classify(ty: &TypeRef, size: u64) -> Vec<Class> {
    match &*strip(ty) {
        Type::Base { encoding: Encoding::ComplexFloat, .. } => {
            return match size {
                8 => vec![Class::Sse],
                16 => vec![Class::Sse, Class::Sse],
                32 => vec![Class::X87, Class::X87],
                _ => vec![Class::Memory],
            };
        }
        Type::Base { encoding: Encoding::Float, name, .. } if size == 16 => {
            let quad = name.contains("128");
            return if quad { vec![Class::Sse, Class::SseUp] } else { vec![Class::X87] };
        }
        _ => {}
    }
    if size == 0 {
        return Vec::new();
    }
    if size > 16 {
        return vec![Class::Memory];
    }
    let mut classes = vec![Class::Padding; size.div_ceil(8) as usize];
    let mut budget = MAX_FIELDS;
    match classify_at(ty, 0, &mut classes, 0, &mut budget) {
        Some(()) => classes,
        None => vec![Class::Memory],
    }
}

/// Merges the classes of the fields of a type at an offset; `None` if the whole goes to memory.
fn classify_at(ty: &TypeRef, offset: u64, classes: &mut [Class], depth: u32, budget: &mut u32) -> Option<()> {
    *budget = budget.checked_sub(1)?;
    if depth > MAX_DEPTH {
        return None;
    }
    let ty = strip(ty);
    match &*ty {
        Type::Record(record) => {
            if record.by_reference {
                return None;
            }
            for member in &record.members {
                if let Some(bits) = member.bits {
                    let first = offset.checked_add(member.offset)?.checked_mul(8)?;
                    let last = first.checked_add(u64::from(bits.offset) + u64::from(bits.size.max(1)) - 1)?;
                    for eightbyte in first / 64..=last / 64 {
                        merge(classes, eightbyte, Class::Integer)?;
                    }
                    continue;
                }
                classify_at(&member.ty.get(), offset.checked_add(member.offset)?, classes, depth + 1, budget)?;
            }
            Some(())
        }
        Type::Array { element, count: Count::Known(count) } => {
            let element = element.get();
            let step = size_of(&element)?;
            for i in 0..(*count).min(16) {
                classify_at(&element, offset.checked_add(i.checked_mul(step)?)?, classes, depth + 1, budget)?;
            }
            Some(())
        }
        Type::Array { .. } => Some(()),
        scalar => {
            let size = size_of(&ty)?;
            let is_float = matches!(scalar, Type::Base { encoding: Encoding::Float | Encoding::ComplexFloat, .. });
            if size == 0 || (is_float && size > 16) || (is_float && size == 16 && depth > 0) {
                return None;
            }
            let alignment = if is_float { size.min(8) } else { size.min(8).next_power_of_two() };
            if !offset.is_multiple_of(alignment) {
                return None;
            }
            let class = if is_float { Class::Sse } else { Class::Integer };
            for eightbyte in offset / 8..=offset.checked_add(size - 1)? / 8 {
                merge(classes, eightbyte, class)?;
            }
            Some(())
        }
    }
}

fn merge(classes: &mut [Class], eightbyte: u64, class: Class) -> Option<()> {
    let slot = classes.get_mut(usize::try_from(eightbyte).ok()?)?;
    *slot = match (*slot, class) {
        (Class::Padding, new) => new,
        (Class::Integer, _) | (_, Class::Integer) => Class::Integer,
        (old, _) => old,
    };
    Some(())
}

/// Integers and pointers in x0 and x1, floating-point numbers in v0. Other kinds are not known to be anywhere: the
/// register that told where a large value goes need not be preserved.
fn aarch64(ty: &TypeRef, size: u64, registers: &Registers) -> Result<Place, String> {
    let stripped = strip(ty);
    let names: &[&str] = match &*stripped {
        Type::Base { encoding: Encoding::Float, .. } => &["v0"],
        Type::Base { encoding: Encoding::ComplexFloat, .. } | Type::Record(_) => {
            return Err("the registers of its type are not known".to_owned());
        }
        _ if size <= 16 => &["x0", "x1"],
        _ => return Err("its place is not known after the return".to_owned()),
    };
    let mut bytes = Vec::new();
    for name in names {
        bytes.extend(registers.bytes(name).ok_or_else(|| format!("{name} is not known"))?.iter().copied().map(Some));
    }
    bytes.truncate(usize::try_from(size).unwrap_or(0));
    Ok(Place::Bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::{Register, RegisterKind, RegisterLayout};
    use crate::ctype::{Bits, Link, Member, Record, RecordKind};
    use std::sync::Arc;

    fn base(encoding: Encoding, size: u64) -> TypeRef {
        Arc::new(Type::Base { name: "t".into(), encoding, size })
    }

    fn int(size: u64) -> TypeRef {
        base(Encoding::Signed, size)
    }

    fn float(size: u64) -> TypeRef {
        base(Encoding::Float, size)
    }

    fn record(size: u64, members: &[(u64, TypeRef)]) -> TypeRef {
        let members = members
            .iter()
            .map(|(offset, ty)| Member {
                name: None,
                ty: Link::ready(ty.clone()),
                offset: *offset,
                bits: None,
                is_base: false,
            })
            .collect();
        Arc::new(Type::Record(Record {
            kind: RecordKind::Struct,
            name: None,
            size: Some(size),
            members,
            by_reference: false,
            ..Record::default()
        }))
    }

    fn classes(ty: &TypeRef) -> Vec<Class> {
        classify(ty, size_of(ty).unwrap())
    }

    #[test]
    fn scalars() {
        assert_eq!(classes(&int(4)), [Class::Integer]);
        assert_eq!(classes(&int(16)), [Class::Integer, Class::Integer]);
        assert_eq!(classes(&float(4)), [Class::Sse]);
        assert_eq!(classes(&float(8)), [Class::Sse]);
        assert_eq!(classes(&float(16)), [Class::X87]);
        assert_eq!(classes(&base(Encoding::ComplexFloat, 16)), [Class::Sse, Class::Sse]);
        assert_eq!(classes(&base(Encoding::ComplexFloat, 32)), [Class::X87, Class::X87]);
    }

    #[test]
    fn records_of_up_to_sixteen_bytes() {
        assert_eq!(classes(&record(8, &[(0, int(4)), (4, int(4))])), [Class::Integer]);
        assert_eq!(classes(&record(16, &[(0, float(8)), (8, int(4))])), [Class::Sse, Class::Integer]);
        assert_eq!(classes(&record(16, &[(0, int(8)), (8, float(8))])), [Class::Integer, Class::Sse]);
        assert_eq!(classes(&record(8, &[(0, float(4)), (4, int(4))])), [Class::Integer]);
        assert_eq!(classes(&record(12, &[(0, float(4)), (4, float(4)), (8, float(4))])), [Class::Sse, Class::Sse]);
        assert_eq!(classes(&record(16, &[(0, record(8, &[(0, float(8))])), (8, float(8))])), [Class::Sse, Class::Sse]);
    }

    #[test]
    fn larger_and_packed_records_are_in_memory() {
        assert_eq!(classes(&record(24, &[(0, int(8)), (8, int(8)), (16, int(8))])), [Class::Memory]);
        assert_eq!(classes(&record(5, &[(0, int(1)), (1, int(4))])), [Class::Memory]);
        assert_eq!(classes(&record(16, &[(0, float(16))])), [Class::Memory]);
    }

    #[test]
    fn arrays_and_bit_fields_inside_records() {
        let array = Arc::new(Type::Array { element: Link::ready(float(4)), count: Count::Known(3) });
        assert_eq!(classes(&record(12, &[(0, array)])), [Class::Sse, Class::Sse]);
        let bits = Member {
            name: None,
            ty: Link::ready(int(4)),
            offset: 8,
            bits: Some(Bits { offset: 3, size: 5 }),
            is_base: false,
        };
        let first = Member { name: None, ty: Link::ready(float(8)), offset: 0, bits: None, is_base: false };
        let ty: TypeRef = Arc::new(Type::Record(Record {
            kind: RecordKind::Struct,
            name: None,
            size: Some(16),
            members: vec![first, bits],
            by_reference: false,
            ..Record::default()
        }));
        assert_eq!(classes(&ty), [Class::Sse, Class::Integer]);
    }

    fn registers() -> Registers {
        let sizes = [("rax", 8), ("rdx", 8), ("xmm0", 16), ("xmm1", 16), ("st0", 10)];
        let mut at = 0;
        let mut list = Vec::new();
        for (i, (name, size)) in sizes.into_iter().enumerate() {
            list.push(Register { name: name.into(), number: i as u32, size, offset: at, kind: RegisterKind::Integer });
            at += size;
        }
        let layout = Arc::new(RegisterLayout { arch: Arch::X86_64, registers: list });
        let reply: Vec<_> = (0..at as u8).map(Some).collect();
        Registers::new(layout, &reply)
    }

    fn bytes(ty: &TypeRef) -> Vec<u8> {
        match return_place(ty, &registers()).unwrap() {
            Place::Bytes(bytes) => bytes.into_iter().map(Option::unwrap).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_class_takes_its_own_registers_in_order() {
        assert_eq!(bytes(&int(4)), [0, 1, 2, 3]);
        assert_eq!(bytes(&float(4)), [16, 17, 18, 19]);
        assert_eq!(
            bytes(&record(16, &[(0, float(8)), (8, int(8))])),
            [16, 17, 18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5, 6, 7]
        );
        assert_eq!(
            bytes(&record(16, &[(0, int(8)), (8, int(8))])),
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
        );
        assert_eq!(bytes(&float(16))[..10], [48, 49, 50, 51, 52, 53, 54, 55, 56, 57]);
        let large = record(24, &[(0, int(8)), (8, int(8)), (16, int(8))]);
        assert_eq!(return_place(&large, &registers()), Ok(Place::Memory(0x0706_0504_0302_0100)));
    }
}
