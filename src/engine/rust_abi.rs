//! Where the value of a Rust function is when it has just returned.
//!
//! Rust promises nothing about how its functions are called. What is relied on here is what its compiler has done since
//! 1.49: a scalar is returned as in C; of a value of at most sixteen bytes, either its image in memory is in rax and
//! rdx, or it is taken for two scalars, each of which has a register of its own. Debug info does not tell the one from
//! the other (nor from `extern "C"`), so a value is known only where both mean the same.

use super::abi::return_place;
use crate::arch::{Arch, Registers};
use crate::ctype::layout::{size_of, strip};
use crate::ctype::{Encoding, Place, Type, TypeRef};

/// Nesting of records in a value of at most sixteen bytes.
const MAX_DEPTH: u32 = 16;
/// Fields looked at, of all variants.
const MAX_FIELDS: u32 = 1000;

/// Whether the compiler has rewritten the code of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    AsWritten,
    Optimised,
}

/// Where the value of type `ty` is, now that a Rust function has just returned it; or in words why that is not known.
pub(super) fn rust_return_place(ty: &TypeRef, code: Code, registers: &Registers) -> Result<Place, String> {
    let size = size_of(ty).ok_or("the size of its type is not known")?;
    let is_compound = matches!(*strip(ty), Type::Record(_) | Type::Array { .. });
    if !is_compound || registers.layout().arch != Arch::X86_64 {
        return return_place(ty, registers);
    }
    match size {
        0 => Ok(Place::Bytes(Vec::new())),
        1..=16 if is_in_integer_registers(ty, size) => {
            let bytes = ["rax", "rdx"].into_iter().take(size.div_ceil(8) as usize).map(|name| registers.bytes(name));
            let bytes: Option<Vec<&[u8]>> = bytes.collect();
            let bytes = bytes.ok_or("rax or rdx is not known")?.concat();
            Ok(Place::Bytes(bytes.into_iter().take(size as usize).map(Some).collect()))
        }
        1..=16 => Err("Rust does not say which registers its type is returned in".to_owned()),
        // LLVM returns the address that it was given, unless it knows all callers and that none of them looks.
        _ if code == Code::AsWritten => registers.value("rax").map(Place::Memory).ok_or("rax is not known".to_owned()),
        _ => Err("its place is not known after the return: this is optimised Rust code".to_owned()),
    }
}

/// Whether rax, and rdx for what is behind eight bytes, hold the image of a value, whichever way it is returned.
fn is_in_integer_registers(ty: &TypeRef, size: u64) -> bool {
    let mut fields = Vec::new();
    let mut budget = MAX_FIELDS;
    if integers(ty, 0, &mut fields, 0, &mut budget).is_none() {
        return false;
    }
    let covered = |from: u64, to: u64| fields.iter().any(|(at, size)| *at < to && from < at + size);
    match size {
        // With no room for a second scalar.
        ..=8 => fields.contains(&(0, size)),
        // The second scalar can only be at 8: before that, it and all would be smaller.
        _ => covered(0, 8) && covered(8, 16),
    }
}

/// Adds the places and sizes of the integers and pointers in a type, of all its variants; `None` if it has other parts:
/// floating-point numbers, or arrays, which vectors look like.
fn integers(ty: &TypeRef, offset: u64, found: &mut Vec<(u64, u64)>, depth: u32, budget: &mut u32) -> Option<()> {
    *budget = budget.checked_sub(1)?;
    if depth > MAX_DEPTH {
        return None;
    }
    let ty = strip(ty);
    let size = size_of(&ty)?;
    if size == 0 {
        return Some(());
    }
    match &*ty {
        Type::Record(record) => {
            let variants = record.variants.as_ref();
            let told_by = variants.and_then(|variants| variants.discriminant.as_deref());
            let held = variants.into_iter().flat_map(|variants| variants.list.iter().map(|variant| &variant.member));
            for member in record.members.iter().chain(told_by).chain(held) {
                if member.bits.is_some() {
                    return None;
                }
                integers(&member.ty.get(), offset.checked_add(member.offset)?, found, depth + 1, budget)?;
            }
            Some(())
        }
        Type::Base { encoding: Encoding::Float | Encoding::ComplexFloat, .. } | Type::Array { .. } => None,
        // In a packed record, which C returns in memory.
        _ if !offset.is_multiple_of(size.min(8).next_power_of_two()) => None,
        _ => {
            found.push((offset, size));
            Some(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::{Register, RegisterKind, RegisterLayout};
    use crate::ctype::{Count, Link, Member, Record, Variant, Variants};
    use std::sync::Arc;

    fn base(encoding: Encoding, size: u64) -> TypeRef {
        Arc::new(Type::Base { name: "t".into(), encoding, size })
    }

    fn int(size: u64) -> TypeRef {
        base(Encoding::Unsigned, size)
    }

    fn member(offset: u64, ty: TypeRef) -> Member {
        Member { name: None, ty: Link::ready(ty), offset, bits: None, is_base: false }
    }

    fn record(size: u64, members: &[(u64, TypeRef)]) -> TypeRef {
        let members = members.iter().map(|(offset, ty)| member(*offset, ty.clone())).collect();
        Arc::new(Type::Record(Record { size: Some(size), members, ..Record::default() }))
    }

    /// `Option` of a type, with a discriminant of this size.
    fn option(size: u64, tag: u64, payload_at: u64, payload: TypeRef) -> TypeRef {
        let variant =
            |fields: &[(u64, TypeRef)]| Variant { values: Vec::new(), member: member(0, record(size, fields)) };
        let list = vec![variant(&[]), variant(&[(payload_at, payload)])];
        let variants = Some(Variants { discriminant: Some(Box::new(member(0, int(tag)))), list });
        Arc::new(Type::Record(Record { size: Some(size), variants, ..Record::default() }))
    }

    /// rax holds the bytes from 0, rdx those from 8.
    fn place(ty: &TypeRef, code: Code) -> Result<Place, String> {
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
        rust_return_place(ty, code, &Registers::new(layout, &(0..32).map(Some).collect::<Vec<_>>()))
    }

    fn bytes(from: u8, to: u8) -> Result<Place, String> {
        Ok(Place::Bytes((from..to).map(Some).collect()))
    }

    #[test]
    fn the_place_of_a_large_value_is_returned_by_code_as_written_only() {
        let large = record(24, &[(0, int(8)), (8, int(8)), (16, int(8))]);
        assert_eq!(place(&large, Code::AsWritten), Ok(Place::Memory(0x0706_0504_0302_0100)));
        assert!(place(&large, Code::Optimised).is_err());
    }

    #[test]
    fn scalars_and_pairs_of_eight_bytes_each_are_in_registers() {
        for code in [Code::AsWritten, Code::Optimised] {
            assert_eq!(place(&int(4), code), bytes(0, 4));
            assert_eq!(place(&base(Encoding::Float, 8), code), bytes(16, 24));
            assert_eq!(place(&record(4, &[(0, int(4))]), code), bytes(0, 4));
            assert_eq!(place(&record(16, &[(0, int(8)), (8, int(8))]), code), bytes(0, 16));
            assert_eq!(place(&option(16, 8, 8, int(8)), code), bytes(0, 16));
            assert_eq!(place(&option(8, 8, 0, int(8)), code), bytes(0, 8));
            assert_eq!(place(&record(0, &[]), code), bytes(0, 0));
        }
    }

    /// `Option<u32>` is in eax and edx, `[u32; 2]` in rax; `Option<f64>` is in rax and xmm0, `[f64; 2]` in rax and rdx.
    #[test]
    fn what_may_be_in_either_place_is_not_known() {
        let float = base(Encoding::Float, 8);
        let array: TypeRef = Arc::new(Type::Array { element: Link::ready(int(8)), count: Count::Known(2) });
        let packed = record(9, &[(0, int(1)), (1, int(8))]);
        for ty in [
            option(8, 4, 4, int(4)),
            option(16, 8, 8, float.clone()),
            record(8, &[(0, int(4)), (4, int(4))]),
            record(8, &[(0, float)]),
            record(16, &[(0, array)]),
            packed,
        ] {
            assert!(place(&ty, Code::AsWritten).is_err(), "{ty:?}");
        }
    }
}
