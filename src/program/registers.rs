//! Registers as values, with the types that GDB shows them with.

use arch::{RegisterKind, RegisterPart};
use ctype::layout::array_of;
use ctype::{Encoding, Link, Member, Place, PointerKind, Record, RecordKind, Type, TypeRef, Value};
use std::sync::Arc;

/// Joins a register that the target describes in two halves.
pub fn wide(name: &str, size: u64, low: Value, high: Value) -> Value {
    let place = match (low.place, high.place) {
        (Place::Register { bytes: mut both, .. }, Place::Register { bytes, .. }) => {
            both.extend(bytes);
            Place::Register { name: name.to_owned(), bytes: both }
        }
        (missing @ Place::Unavailable(_), _) | (_, missing) => missing,
    };
    Value { ty: vector(size), place, bits: None }
}

/// Returns a part of a register, as a signed number.
pub fn part_of(whole: Value, part: RegisterPart) -> Value {
    let name = format!("int{}_t", part.size * 8);
    let ty = Arc::new(Type::Base { name, encoding: Encoding::Signed, size: part.size as u64 });
    let place = match whole.place {
        Place::Register { name, bytes } => {
            let bytes = bytes.get(part.offset..).unwrap_or_default().to_vec();
            Place::Register { name, bytes }
        }
        other => other,
    };
    Value { ty, place, bits: None }
}

/// Returns the C type that a register is shown with.
pub fn register_type(name: &str, kind: RegisterKind, size: usize) -> TypeRef {
    let pointer = |target: Type| {
        Arc::new(Type::Pointer { kind: PointerKind::Pointer, target: Link::ready(Arc::new(target)), size: 8 })
    };
    let size = size as u64;
    match kind {
        RegisterKind::CodePointer => pointer(Type::Function {
            result: Link::ready(Arc::new(Type::Void)),
            parameters: Vec::new(),
            variadic: false,
            prototyped: false,
        }),
        RegisterKind::DataPointer => pointer(Type::Void),
        RegisterKind::Float80 => base("long double", Encoding::Float, 16),
        RegisterKind::Vector if ["xmm", "ymm", "zmm"].iter().any(|width| name.starts_with(width)) => vector(size),
        RegisterKind::Integer | RegisterKind::Flags | RegisterKind::Vector => match size {
            4 => base("int", Encoding::Signed, size),
            8 => base("long", Encoding::Signed, size),
            16 => base("unsigned __int128", Encoding::Unsigned, size),
            _ => array_of(base("unsigned char", Encoding::Unsigned, 1), size),
        },
    }
}

/// Returns the type of a vector register of 16 bytes or more: a union of what its bytes may be, with GDB's names.
fn vector(size: u64) -> TypeRef {
    let elements = [
        ("float", "float", Encoding::Float, 4),
        ("double", "double", Encoding::Float, 8),
        ("int8", "int8_t", Encoding::Signed, 1),
        ("int16", "int16_t", Encoding::Signed, 2),
        ("int32", "int", Encoding::Signed, 4),
        ("int64", "long", Encoding::Signed, 8),
    ];
    let member = |name: String, ty: TypeRef| Member::new(Some(&name), ty, 0);
    let mut members: Vec<Member> = elements
        .into_iter()
        .map(|(name, of, encoding, width)| {
            let count = size / width;
            member(format!("v{count}_{name}"), array_of(base(of, encoding, width), count))
        })
        .collect();
    members.push(match size {
        16 => member("uint128".to_owned(), base("uint128_t", Encoding::Unsigned, 16)),
        _ => member(format!("v{}_int128", size / 16), array_of(base("int128_t", Encoding::Signed, 16), size / 16)),
    });
    let name = Some(format!("vec{}", size * 8));
    Arc::new(Type::Record(Record { kind: RecordKind::Union, name, size: Some(size), members, ..Record::default() }))
}

fn base(name: &str, encoding: Encoding, size: u64) -> TypeRef {
    Arc::new(Type::Base { name: name.to_owned(), encoding, size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ctype::Unavailable;
    use ctype::layout::size_of;

    fn register(name: &str, size: u64, byte: u8) -> Value {
        let place = Place::Register { name: name.to_owned(), bytes: vec![byte; size as usize] };
        Value { ty: vector(size), place, bits: None }
    }

    #[test]
    fn a_wide_register_is_its_halves_one_behind_the_other() {
        let ymm = wide("ymm3", 32, register("xmm3", 16, 1), register("ymm3h", 16, 2));
        let zmm = wide("zmm3", 64, ymm, register("zmm3h", 32, 3));
        assert_eq!(size_of(&zmm.ty), Some(64));
        let Place::Register { name, bytes } = &zmm.place else { panic!("{:?}", zmm.place) };
        assert_eq!((name.as_str(), bytes.len()), ("zmm3", 64));
        assert_eq!([bytes[0], bytes[15], bytes[16], bytes[31], bytes[32], bytes[63]], [1, 1, 2, 2, 3, 3]);
        let Type::Record(record) = &*zmm.ty else { panic!("{:?}", zmm.ty) };
        let names: Vec<_> = record.members.iter().filter_map(|member| member.name.as_deref()).collect();
        let expected = ["v16_float", "v8_double", "v64_int8", "v32_int16", "v16_int32", "v8_int64", "v4_int128"];
        assert_eq!(names, expected, "as GDB calls them");
        let missing = Value { place: Place::Unavailable(Unavailable::Register("zmm4h".into())), ..register("", 32, 0) };
        let half = wide("zmm4", 64, register("ymm4", 32, 1), missing);
        assert!(matches!(half.place, Place::Unavailable(_)), "{:?}", half.place);
    }
}
