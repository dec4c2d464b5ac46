//! Sizes of types.

use super::reader::MAX_DEPTH;
use crate::ctype::{Count, Stride, Type, TypeRef};

/// Returns the size of a type's objects in bytes; `None` if it is incomplete, or a function.
pub(in crate::dwarf) fn size_of(ty: &TypeRef) -> Option<u64> {
    let mut ty = ty.clone();
    let mut elements = 1u64;
    for _ in 0..MAX_DEPTH {
        let next = match &*ty {
            Type::Base { size, .. } | Type::Pointer { size, .. } | Type::MemberPointer { size, .. } => {
                return elements.checked_mul(*size);
            }
            Type::Record(record) => return elements.checked_mul(record.size?),
            Type::Enumeration(enumeration) => return elements.checked_mul(enumeration.size),
            Type::Array { element, count: Count::Known(count), indexing } if indexing.stride == Stride::Element => {
                elements = elements.checked_mul(*count)?;
                element.get()
            }
            Type::Typedef { target, .. } | Type::Qualified { target, .. } => target.get(),
            Type::Array { .. }
            | Type::Described { .. }
            | Type::Function { .. }
            | Type::Void
            | Type::Opaque(_)
            | Type::Indirect => return None,
        };
        ty = next;
    }
    None
}
