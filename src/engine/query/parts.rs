//! What in a type is at an offset.

use ctype::layout::{array_parts, size_of, strip};
use ctype::{Type, TypeRef, indexing};

/// Deepest nesting of members that is named.
const DEEPEST: usize = 8;

/// What is at an offset in a type.
pub(super) struct Part {
    /// How it is named behind the name of the whole: `.slots[2].lock`, empty for the type itself.
    pub(super) path: String,
    pub(super) ty: TypeRef,
    /// Where it begins in the whole.
    pub(super) start: u64,
}

/// Finds the innermost member or element of a type that is at an offset. `None` if the offset is not in the type. What
/// `is_whole` of a type has no parts that are told.
pub(super) fn part_at(ty: &TypeRef, offset: u64, is_whole: &dyn Fn(&TypeRef) -> bool) -> Option<Part> {
    part_within(ty, offset, is_whole, 0)
}

fn part_within(ty: &TypeRef, offset: u64, is_whole: &dyn Fn(&TypeRef) -> bool, depth: usize) -> Option<Part> {
    if offset >= size_of(ty)? {
        return None;
    }
    let whole = || Some(Part { path: String::new(), ty: ty.clone(), start: 0 });
    if depth == DEEPEST || is_whole(ty) {
        return whole();
    }
    if let Some((element, _)) = array_parts(ty) {
        let size = size_of(&element).filter(|size| *size != 0)?;
        let part = part_within(&element, offset % size, is_whole, depth + 1)?;
        let index = indexing(ty).index_of(offset / size);
        let (path, start) = (format!("[{index}]{}", part.path), offset - offset % size + part.start);
        return Some(Part { path, start, ..part });
    }
    let Type::Record(record) = &*strip(ty) else { return whole() };
    let part = record.members.iter().find_map(|member| {
        let part = part_within(&member.ty.get(), offset.checked_sub(member.offset)?, is_whole, depth + 1)?;
        let path = match &member.name {
            Some(name) if !member.is_base => format!(".{name}{}", part.path),
            _ => part.path,
        };
        Some(Part { path, start: member.offset + part.start, ..part })
    });
    // Bytes between members are the record's own.
    part.or_else(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ctype::layout::array_of;
    use ctype::{Encoding, Link, Member, Record};
    use std::sync::Arc;

    fn record(size: u64, members: &[(&str, TypeRef, u64)]) -> TypeRef {
        let member = |(name, ty, offset): &(&str, TypeRef, u64)| {
            Member::new(Some(*name).filter(|name| !name.is_empty()), ty.clone(), *offset)
        };
        let members = members.iter().map(member).collect();
        Arc::new(Type::Record(Record { size: Some(size), members, ..Record::default() }))
    }

    #[test]
    fn members_and_elements_are_named() {
        let int: TypeRef = Arc::new(Type::Base { name: "int".to_owned(), size: 4, encoding: Encoding::Signed });
        let lock = Arc::new(Type::Typedef {
            name: "lock_t".to_owned(),
            target: Link::from(record(4, &[("v", int, 0)])),
            alignment: None,
        });
        let slot = record(8, &[("", record(4, &[("inner", lock.clone(), 0)]), 0), ("lock", lock, 4)]);
        let table = record(32, &[("slots", array_of(slot, 3), 0)]);
        let whole = |ty: &TypeRef| matches!(&**ty, Type::Typedef { .. });
        let told = |offset, whole: &dyn Fn(&TypeRef) -> bool| {
            part_at(&table, offset, whole).map(|part| (part.path, part.start, size_of(&part.ty).unwrap()))
        };
        assert_eq!(told(12, &whole), Some((".slots[1].lock".to_owned(), 12, 4)));
        assert_eq!(told(14, &|_| false), Some((".slots[1].lock.v".to_owned(), 12, 4)));
        assert_eq!(told(16, &|_| false), Some((".slots[2].inner.v".to_owned(), 16, 4)));
        assert_eq!(told(30, &whole), Some((String::new(), 0, 32)));
        assert_eq!(told(32, &whole), None);
    }
}
