//! Types that a file of the program only declares, and another one defines: C's structures behind pointers, and classes
//! that GCC describes only where their key function is.

use super::layout::strip;
use super::{Link, Memory, Record, Type, TypeRef};
use std::sync::Arc;

/// Base classes within each other that are completed.
const DEEPEST: usize = 16;

/// Returns the type with what it only declares of itself and of its base classes completed, as far as other files of the
/// program define that; `None` if there is nothing to complete.
pub fn completed(ty: &TypeRef, memory: &mut dyn Memory) -> Option<TypeRef> {
    complete(ty, DEEPEST, memory)
}

fn complete(ty: &TypeRef, depth: usize, memory: &mut dyn Memory) -> Option<TypeRef> {
    let depth = depth.checked_sub(1)?;
    let stripped = strip(ty);
    let Type::Record(record) = &*stripped else { return None };
    if record.is_incomplete() {
        let whole = memory.defined_type(record)?;
        return Some(complete(&whole, depth, memory).unwrap_or(whole));
    }
    let mut changed = None;
    for (number, base) in record.members.iter().enumerate().filter(|(_, member)| member.is_base) {
        if let Some(whole) = complete(&base.ty.get(), depth, memory) {
            let copy: &mut Record = changed.get_or_insert_with(|| record.clone());
            if let Some(member) = copy.members.get_mut(number) {
                member.ty = Link::ready(whole);
            }
        }
    }
    changed.map(|record| Arc::new(Type::Record(record)))
}
