//! Where the System V ABI for AMD64 returns values: section 3.2.3, "Classification" and "Returning of Values"; which
//! classes it knows nothing of, the Itanium C++ ABI says.

use arch::Registers;
use ctype::layout::{align_of, is_vector, size_of, strip};
use ctype::{Count, Encoding, Place, RecordKind, Stride, Type, TypeRef, is_returned_by_address};
use dwarf::ReturnRules;

/// Nesting of records and arrays in a value that is in registers.
const MAX_DEPTH: u32 = 16;
/// Fields looked at: no type of so few bytes has more, however its debug info nests it.
const MAX_FIELDS: u32 = 1000;
/// The largest vector has so many bytes; nothing larger is in registers.
const MAX_SIZE: u64 = 64;

/// The class of an eightbyte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Nothing but padding.
    Padding,
    Integer,
    Sse,
    /// The upper part of a vector register.
    SseUp,
    /// On the x87 stack.
    X87,
    /// The upper part of what is there.
    X87Up,
    /// Two numbers on the x87 stack.
    ComplexX87,
    /// In memory, at an address that is returned.
    Memory,
}

use Class::{ComplexX87, Integer, Memory, Padding, Sse, SseUp, X87, X87Up};

/// The classes of a vector that fills the largest register.
const WHOLE_REGISTER: [Class; 8] = [Sse, SseUp, SseUp, SseUp, SseUp, SseUp, SseUp, SseUp];

/// Returns where the value of a type of that size is, now that a function has just returned it; the error says why that
/// is not known.
pub(super) fn return_place(
    ty: &TypeRef,
    size: u64,
    rules: &ReturnRules,
    registers: &Registers,
) -> Result<Place, String> {
    let mut classes = classify(ty, size);
    let is_record = || matches!(*strip(ty), Type::Record(_));
    if !classes.contains(&Memory) && (is_returned_by_address(ty)? || rules.records_in_memory && is_record()) {
        classes = vec![Memory];
    }
    if rules.is_gcc && !classes.contains(&Memory) && decided_by_gaps(ty, &classes) {
        let why = "GCC returns it in another register if a gap of its type is an unnamed bit-field, which debug info \
                   does not tell";
        return Err(why.to_owned());
    }
    if classes.contains(&Memory) {
        let address = registers.value("rax").ok_or("rax is not known")?;
        return Ok(Place::Memory(address));
    }
    if classes.len() > 2 && classes.contains(&SseUp) {
        let why = "whether a vector of its size is in a register depends on how the function was compiled";
        return Err(why.to_owned());
    }
    let mut bytes = in_registers(&classes, registers)?;
    bytes.truncate(usize::try_from(size).unwrap_or(0));
    if classes.iter().all(|class| *class == Padding) {
        // An object without data has bytes, but nothing in them.
        bytes.fill(Some(0));
    }
    Ok(Place::Bytes(bytes))
}

/// Reads the bytes of a value of which each eightbyte takes the next register of its class.
fn in_registers(classes: &[Class], registers: &Registers) -> Result<Vec<Option<u8>>, String> {
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
            Integer => take(integers.next())?,
            Sse => {
                let whole = take(vectors.next())?;
                upper = whole.get(8..).unwrap_or_default().to_vec();
                whole
            }
            X87 | ComplexX87 => {
                let whole = take(floats.next())?;
                upper = whole.get(8..).unwrap_or_default().to_vec();
                upper.resize(8, 0);
                whole
            }
            SseUp | X87Up => std::mem::take(&mut upper),
            Padding | Memory => Vec::new(),
        };
        bytes.extend((0..8).map(|i| part.get(i).copied()));
    }
    Ok(bytes)
}

/// Classifies the eightbytes of a type; of one that is in memory as a whole, `Memory`.
fn classify(ty: &TypeRef, size: u64) -> Vec<Class> {
    if let Type::Base { encoding: Encoding::ComplexFloat, size: 32, name } = &*strip(ty)
        && !is_quad(name)
    {
        return vec![ComplexX87, X87Up, ComplexX87, X87Up];
    }
    if size > MAX_SIZE {
        return vec![Memory];
    }
    let mut classes = vec![Padding; size.div_ceil(8) as usize];
    let mut budget = MAX_FIELDS;
    let known = classify_at(ty, 0, &mut classes, 0, &mut budget);
    if known.is_none() || is_in_memory(&classes) {
        return vec![Memory];
    }
    for at in 0..classes.len() {
        if classes[at] == SseUp && (at == 0 || !matches!(classes[at - 1], Sse | SseUp)) {
            classes[at] = Sse;
        }
    }
    classes
}

/// Returns whether the whole is in memory, by its classes ("post merger cleanup").
fn is_in_memory(classes: &[Class]) -> bool {
    let is_broken = |at: usize| classes[at] == X87Up && (at == 0 || classes[at - 1] != X87);
    let is_one_vector = || classes[0] == Sse && classes[1..].iter().all(|class| *class == SseUp);
    classes.contains(&Memory) || (0..classes.len()).any(is_broken) || classes.len() > 2 && !is_one_vector()
}

/// Returns whether an eightbyte of floats has a gap that alignment does not explain. An unnamed bit-field may be there,
/// of which debug info tells nothing, and for GCC the eightbyte is then of integers.
fn decided_by_gaps(ty: &TypeRef, classes: &[Class]) -> bool {
    let mut gaps = Vec::new();
    find_gaps(ty, 0, 0, &mut { MAX_FIELDS }, &mut gaps);
    let is_of_floats = |at: u64| classes.get(at as usize).is_some_and(|class| *class == Sse);
    gaps.iter().any(|(start, end)| (start / 8..=(end - 1) / 8).take(classes.len()).any(is_of_floats))
}

/// Finds the gaps of the records in a type at an offset that are no padding of the next member.
fn find_gaps(ty: &TypeRef, offset: u64, depth: u32, budget: &mut u32, gaps: &mut Vec<(u64, u64)>) {
    *budget = budget.saturating_sub(1);
    if *budget == 0 || depth > MAX_DEPTH {
        return;
    }
    let stripped = strip(ty);
    let Type::Record(record) = &*stripped else {
        if let Type::Array { element, count: Count::Known(count), .. } = &*stripped
            && !is_vector(ty)
        {
            let element = element.get();
            let step = size_of(&element).unwrap_or(0);
            for i in 0..(*count).min(MAX_SIZE) {
                find_gaps(&element, offset.saturating_add(i.saturating_mul(step)), depth + 1, budget, gaps);
            }
        }
        return;
    };
    let mut parts = Vec::new();
    for member in &record.members {
        let ty = member.ty.get();
        match member.bits {
            Some(bits) => {
                let last = u64::from(bits.offset).saturating_add(u64::from(bits.size)).div_ceil(8);
                parts.push((member.offset, member.offset.saturating_add(last), 1));
            }
            None => {
                find_gaps(&ty, offset.saturating_add(member.offset), depth + 1, budget, gaps);
                let end = member.offset.saturating_add(size_of(&ty).unwrap_or(0));
                parts.push((member.offset, end, align_of(&ty).unwrap_or(1)));
            }
        }
    }
    let Some(size) = record.size.filter(|_| record.kind != RecordKind::Union) else { return };
    // The one byte of an empty class is not a gap.
    if parts.is_empty() && size == 1 {
        return;
    }
    parts.sort_unstable();
    let tail = (size, size, align_of(ty).unwrap_or(1));
    let mut end = 0u64;
    for (start, next_end, align) in parts.into_iter().chain([tail]) {
        if start > end && end.checked_next_multiple_of(align.max(1)) != Some(start) {
            gaps.push((offset.saturating_add(end), offset.saturating_add(start)));
        }
        end = end.max(next_end);
    }
}

/// Returns whether a floating-point type of 16 bytes, by its name, is `__float128`; otherwise it is `long double`.
fn is_quad(name: &str) -> bool {
    name.contains("128")
}

/// Merges the classes of the fields of a type at an offset; `None` if the whole goes to memory.
fn classify_at(ty: &TypeRef, offset: u64, classes: &mut [Class], depth: u32, budget: &mut u32) -> Option<()> {
    *budget = budget.checked_sub(1)?;
    if depth > MAX_DEPTH {
        return None;
    }
    let stripped = strip(ty);
    match &*stripped {
        Type::Record(record) => {
            for member in &record.members {
                if let Some(bits) = member.bits {
                    let first = offset.checked_add(member.offset)?.checked_mul(8)?;
                    let last = first.checked_add(u64::from(bits.offset) + u64::from(bits.size.max(1)) - 1)?;
                    let first = first.checked_add(u64::from(bits.offset))?;
                    for eightbyte in first / 64..=last / 64 {
                        merge(classes, eightbyte, Integer)?;
                    }
                    continue;
                }
                classify_at(&member.ty.get(), offset.checked_add(member.offset)?, classes, depth + 1, budget)?;
            }
            Some(())
        }
        Type::Array { .. } if is_vector(ty) => {
            let size = size_of(&stripped)?;
            let parts: &[Class] = if size < 8 { &[Integer] } else { &WHOLE_REGISTER };
            place(parts, size, size.next_power_of_two(), offset, classes)
        }
        // Nobody passes those by value.
        Type::Array { indexing, .. } if indexing.stride != Stride::Element => None,
        Type::Array { element, count: Count::Known(count), .. } => {
            let element = element.get();
            let step = size_of(&element)?;
            for i in 0..(*count).min(MAX_SIZE) {
                classify_at(&element, offset.checked_add(i.checked_mul(step)?)?, classes, depth + 1, budget)?;
            }
            Some(())
        }
        Type::Array { .. } => Some(()),
        scalar => classify_scalar(scalar, size_of(&stripped)?, offset, classes),
    }
}

fn classify_scalar(ty: &Type, size: u64, offset: u64, classes: &mut [Class]) -> Option<()> {
    let float: &[Class] = match ty {
        Type::Base { encoding: Encoding::Float, name, .. } if size == 16 && !is_quad(name) => &[X87, X87Up],
        Type::Base { encoding: Encoding::Float, .. } => &[Sse, SseUp],
        Type::Base { encoding: Encoding::Decimal, .. } => &[Sse, SseUp],
        Type::Base { encoding: Encoding::ComplexFloat, .. } if size <= 16 => {
            place(&[Sse], size / 2, size / 2, offset, classes)?;
            return place(&[Sse], size / 2, size / 2, offset.checked_add(size / 2)?, classes);
        }
        Type::Base { encoding: Encoding::ComplexFloat, .. } => return None,
        _ => return place(&[Integer, Integer], size, size.next_power_of_two().min(8), offset, classes),
    };
    place(float, size, size, offset, classes)
}

/// Merges the classes of a value into those of the eightbytes that it is in; `None` if it is not aligned.
fn place(parts: &[Class], size: u64, alignment: u64, offset: u64, classes: &mut [Class]) -> Option<()> {
    if size == 0 || !offset.is_multiple_of(alignment) || size.div_ceil(8) > parts.len() as u64 {
        return None;
    }
    for (eightbyte, class) in (offset / 8..=offset.checked_add(size - 1)? / 8).zip(parts) {
        merge(classes, eightbyte, *class)?;
    }
    Some(())
}

fn merge(classes: &mut [Class], eightbyte: u64, class: Class) -> Option<()> {
    let slot = classes.get_mut(usize::try_from(eightbyte).ok()?)?;
    *slot = match (*slot, class) {
        (old, new) if old == new => old,
        (Padding, one) | (one, Padding) => one,
        (Memory, _) | (_, Memory) => Memory,
        (Integer, _) | (_, Integer) => Integer,
        (X87 | X87Up | ComplexX87, _) | (_, X87 | X87Up | ComplexX87) => Memory,
        _ => Sse,
    };
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arch::{Arch, Register, RegisterKind, RegisterLayout};
    use ctype::{Bits, Link, Member, Qualifier, Record, RecordKind};
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
        let members = members.iter().map(|(offset, ty)| Member::new(None, ty.clone(), *offset)).collect();
        Arc::new(Type::Record(Record {
            kind: RecordKind::Struct,
            name: None,
            size: Some(size),
            members,
            ..Record::default()
        }))
    }

    fn classes(ty: &TypeRef) -> Vec<Class> {
        classify(ty, size_of(ty).unwrap())
    }

    #[test]
    fn scalars() {
        assert_eq!(classes(&int(4)), [Integer]);
        assert_eq!(classes(&int(16)), [Integer, Integer]);
        assert_eq!(classes(&float(4)), [Sse]);
        assert_eq!(classes(&float(8)), [Sse]);
        assert_eq!(classes(&float(16)), [X87, X87Up]);
        assert_eq!(classes(&base(Encoding::ComplexFloat, 16)), [Sse, Sse]);
        assert_eq!(classes(&base(Encoding::ComplexFloat, 32)), [ComplexX87, X87Up, ComplexX87, X87Up]);
    }

    #[test]
    fn records_of_up_to_sixteen_bytes() {
        assert_eq!(classes(&record(8, &[(0, int(4)), (4, int(4))])), [Integer]);
        assert_eq!(classes(&record(16, &[(0, float(8)), (8, int(4))])), [Sse, Integer]);
        assert_eq!(classes(&record(16, &[(0, int(8)), (8, float(8))])), [Integer, Sse]);
        assert_eq!(classes(&record(8, &[(0, float(4)), (4, int(4))])), [Integer]);
        assert_eq!(classes(&record(12, &[(0, float(4)), (4, float(4)), (8, float(4))])), [Sse, Sse]);
        assert_eq!(classes(&record(16, &[(0, record(8, &[(0, float(8))])), (8, float(8))])), [Sse, Sse]);
    }

    #[test]
    fn larger_and_packed_records_are_in_memory() {
        assert_eq!(classes(&record(24, &[(0, int(8)), (8, int(8)), (16, int(8))])), [Memory]);
        assert_eq!(classes(&record(5, &[(0, int(1)), (1, int(4))])), [Memory]);
        assert_eq!(classes(&record(32, &[(0, float(16)), (16, int(4))])), [Memory]);
        assert_eq!(classes(&record(32, &[(0, base(Encoding::ComplexFloat, 32))])), [Memory]);
    }

    #[test]
    fn a_union_has_the_classes_of_all_its_members() {
        let union =
            |size, members: &[TypeRef]| record(size, &members.iter().map(|m| (0, m.clone())).collect::<Vec<_>>());
        assert_eq!(classes(&union(8, &[float(4), int(4)])), [Integer]);
        assert_eq!(classes(&union(8, &[float(4), float(8)])), [Sse]);
        assert_eq!(classes(&union(16, &[float(16)])), [X87, X87Up]);
        // The upper part of a number without its lower part.
        assert_eq!(classes(&union(16, &[float(16), int(4)])), [Memory]);
        assert_eq!(classes(&union(16, &[float(16), float(8)])), [Memory]);
    }

    #[test]
    fn vectors_and_complex_numbers_inside_records() {
        let vector = |element, count| -> TypeRef {
            let array = Arc::new(Type::Array {
                element: Link::ready(element),
                count: Count::Known(count),
                indexing: Default::default(),
            });
            Arc::new(Type::Qualified { qualifier: Qualifier::Vector, target: Link::ready(array) })
        };
        assert_eq!(classes(&vector(float(4), 4)), [Sse, SseUp]);
        assert_eq!(classes(&vector(int(4), 2)), [Sse]);
        assert_eq!(classes(&vector(int(1), 4)), [Integer]);
        assert_eq!(classes(&vector(float(4), 8)), [Sse, SseUp, SseUp, SseUp]);
        assert_eq!(classes(&record(16, &[(0, vector(float(4), 4))])), [Sse, SseUp]);
        assert_eq!(classes(&record(32, &[(0, vector(float(4), 4)), (16, vector(float(4), 4))])), [Memory]);
        let complex = |size| base(Encoding::ComplexFloat, size);
        assert_eq!(classes(&record(12, &[(0, float(4)), (4, complex(8))])), [Sse, Sse]);
        assert_eq!(classes(&record(16, &[(0, complex(16))])), [Sse, Sse]);
    }

    #[test]
    fn arrays_and_bit_fields_inside_records() {
        let array = Arc::new(Type::Array {
            element: Link::ready(float(4)),
            count: Count::Known(3),
            indexing: Default::default(),
        });
        assert_eq!(classes(&record(12, &[(0, array)])), [Sse, Sse]);
        let bits = Member { bits: Some(Bits::new(3, 5)), ..Member::new(None, int(4), 8) };
        let first = Member::new(None, float(8), 0);
        let ty: TypeRef = Arc::new(Type::Record(Record {
            kind: RecordKind::Struct,
            name: None,
            size: Some(16),
            members: vec![first, bits],
            ..Record::default()
        }));
        assert_eq!(classes(&ty), [Sse, Integer]);
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
        match return_place(ty, size_of(ty).unwrap(), &ReturnRules::default(), &registers()).unwrap() {
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
        assert_eq!(
            return_place(&large, 24, &ReturnRules::default(), &registers()),
            Ok(Place::Memory(0x0706_0504_0302_0100))
        );
    }

    #[test]
    fn what_an_option_or_an_unseen_bit_field_changes() {
        let in_memory = ReturnRules { records_in_memory: true, ..ReturnRules::default() };
        let pair = record(16, &[(0, int(8)), (8, int(8))]);
        assert_eq!(return_place(&pair, 16, &in_memory, &registers()), Ok(Place::Memory(0x0706_0504_0302_0100)));
        assert!(matches!(return_place(&int(8), 8, &in_memory, &registers()), Ok(Place::Bytes(_))));
        let gcc = ReturnRules { is_gcc: true, ..ReturnRules::default() };
        let has_place =
            |ty: &TypeRef, rules: &ReturnRules| return_place(ty, size_of(ty).unwrap(), rules, &registers()).is_ok();
        let gap = record(12, &[(0, float(4)), (8, int(4))]);
        assert!(!has_place(&gap, &gcc));
        assert!(has_place(&gap, &ReturnRules::default()));
        // At the end of the type, and in a part of it.
        assert!(!has_place(&record(8, &[(0, float(4))]), &gcc));
        assert!(!has_place(&record(16, &[(0, gap), (12, int(4))]), &gcc));
        // An empty part.
        assert!(has_place(&record(8, &[(0, record(1, &[])), (4, float(4))]), &gcc));
        // Padding, and a gap beside integers.
        assert!(has_place(&record(16, &[(0, float(4)), (8, float(8))]), &gcc));
        assert!(has_place(&record(16, &[(0, float(8)), (8, int(1))]), &gcc));
        assert!(has_place(&record(12, &[(0, int(4)), (8, float(4))]), &gcc));
    }
}
