//! `std::unordered_map` and its relatives: all nodes are in one list, and the table points into it.

use super::Object;
use crate::chain::{Linked, element_offset};
use crate::object::{MAX_COUNT, argument_of, first_member, is_readable, member, number, number_at};
use ctype::layout::size_of;
use ctype::{Meaning, Memory, Place, TypeRef, Value};

/// Bytes of a node before its element: GNU has the next node's address there, LLVM the hash too.
pub(super) const GNU_OWN: u64 = 8;
pub(super) const LLVM_OWN: u64 = 16;

pub(super) fn hash_table(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let (first, count, element, own) = match object.value.member("_M_h") {
        Some(table) => {
            let buckets =
                number_at(&table, "_M_bucket_count", memory).filter(|count| (1..=MAX_COUNT).contains(count))?;
            if !is_readable(number_at(&table, "_M_buckets", memory)?, buckets.checked_mul(8)?, memory) {
                return None;
            }
            let first = member(&table, "_M_before_begin._M_nxt")?;
            // `_Hashtable<Key, Element, …>`
            (first, table.member("_M_element_count")?, argument_of(&table.ty, 1, memory)?, GNU_OWN)
        }
        None => {
            let table = object.value.member("__table_")?;
            let first = first_member(&table, &["__p1_.__value_.__next_", "__first_node_.__next_"])?;
            let count = first_member(&table, &["__p2_.__value_", "__size_"])?;
            (first, count, llvm_element(&table.ty, memory)?, LLVM_OWN)
        }
    };
    let (first, count) = (number(&first, memory)?, number(&count, memory).filter(|count| *count <= MAX_COUNT)?);
    let held = object.held(element)?;
    let element = element_offset(own, &held)?;
    let items = Linked { node: first, end: 0, link: 0, element, held, left: count };
    ((count == 0) == (first == 0)).then(|| object.associative(count, Some(0), items))
}

/// Returns what the nodes of a `__hash_table<Element, Hasher, Equal, Allocator>` hold. A map's pair is wrapped once
/// more; since LLVM 21 the wrapper is a name only, and the pair is what the allocator allocates.
fn llvm_element(table: &TypeRef, memory: &mut dyn Memory) -> Option<TypeRef> {
    let element = argument_of(table, 0, memory)?;
    let wrapper = Value::new(element.clone(), Place::Memory(0));
    if let Some(pair) = first_member(&wrapper, &["__cc_", "__cc"]) {
        return Some(pair.ty);
    }
    match size_of(&element) {
        Some(_) => Some(element),
        None => argument_of(&argument_of(table, 3, memory)?, 0, memory),
    }
}
