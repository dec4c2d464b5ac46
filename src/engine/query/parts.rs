//! What in a type is at an offset.

use crate::ctype::layout::{array_parts, size_of, strip};
use crate::ctype::{Type, TypeRef};

/// Deepest nesting of members that is named.
const DEEPEST: usize = 8;

/// Returns the path of the member or element of a type at an offset: `.slots[2].lock`, empty for the type itself.
/// `None` if the offset is not in the type. What `is_whole` of a type has no parts that are named.
pub(super) fn part_at(ty: &TypeRef, offset: u64, is_whole: &dyn Fn(&TypeRef) -> bool) -> Option<String> {
    part_within(ty, offset, is_whole, 0)
}

fn part_within(ty: &TypeRef, offset: u64, is_whole: &dyn Fn(&TypeRef) -> bool, depth: usize) -> Option<String> {
    if offset >= size_of(ty)? {
        return None;
    }
    if depth == DEEPEST || is_whole(ty) {
        return Some(String::new());
    }
    if let Some((element, _)) = array_parts(ty) {
        let size = size_of(&element).filter(|size| *size != 0)?;
        let rest = part_within(&element, offset % size, is_whole, depth + 1)?;
        return Some(format!("[{}]{rest}", offset / size));
    }
    let Type::Record(record) = &*strip(ty) else { return Some(String::new()) };
    let part = record.members.iter().find_map(|member| {
        let inner = offset.checked_sub(member.offset)?;
        let rest = part_within(&member.ty.get(), inner, is_whole, depth + 1)?;
        Some(match &member.name {
            Some(name) if !member.is_base => format!(".{name}{rest}"),
            _ => rest,
        })
    });
    // Bytes between members are the record's own.
    Some(part.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctype::layout::array_of;
    use crate::ctype::{Encoding, Link, Member, Record};
    use std::sync::Arc;

    fn record(size: u64, members: &[(&str, TypeRef, u64)]) -> TypeRef {
        let member = |(name, ty, offset): &(&str, TypeRef, u64)| Member {
            name: (!name.is_empty()).then(|| (*name).to_owned()),
            ty: Link::from(ty.clone()),
            offset: *offset,
            bits: None,
            is_base: false,
        };
        let members = members.iter().map(member).collect();
        Arc::new(Type::Record(Record { size: Some(size), members, ..Record::default() }))
    }

    #[test]
    fn members_and_elements_are_named() {
        let int: TypeRef = Arc::new(Type::Base { name: "int".to_owned(), size: 4, encoding: Encoding::Signed });
        let lock =
            Arc::new(Type::Typedef { name: "lock_t".to_owned(), target: Link::from(record(4, &[("v", int, 0)])) });
        let slot = record(8, &[("", record(4, &[("inner", lock.clone(), 0)]), 0), ("lock", lock, 4)]);
        let table = record(32, &[("slots", array_of(slot, 3), 0)]);
        let whole = |ty: &TypeRef| matches!(&**ty, Type::Typedef { .. });
        assert_eq!(part_at(&table, 12, &whole).as_deref(), Some(".slots[1].lock"));
        assert_eq!(part_at(&table, 12, &|_| false).as_deref(), Some(".slots[1].lock.v"));
        assert_eq!(part_at(&table, 16, &|_| false).as_deref(), Some(".slots[2].inner.v"));
        assert_eq!(part_at(&table, 30, &whole).as_deref(), Some(""));
        assert_eq!(part_at(&table, 32, &whole), None);
    }
}
