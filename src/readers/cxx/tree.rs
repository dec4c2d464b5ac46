//! `std::map`, `multimap`, `set`, `multiset`: binary trees.

use super::Object;
use crate::chain::{Node, Tree, element_offset, is_word};
use crate::object::{MAX_COUNT, argument_of, first_member, number, number_at, type_argument, with_record};
use ctype::layout::find_member;
use ctype::{Meaning, Memory, TypeRef, Value};

/// Layout of GNU's `_Rb_tree_node_base`: a colour and three pointers.
pub(super) const GNU: Node = Node { parent: 8, left: 16, right: 24, element: 32 };
/// Layout of LLVM's `__tree_node_base`: three pointers and a colour, right behind which the element may be.
pub(super) const LLVM: Node = Node { left: 0, right: 8, parent: 16, element: 25 };

pub(super) fn tree(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    match object.value.member("_M_t") {
        Some(tree) => gnu(object, &tree, memory),
        None => llvm(object, &object.value.member("__tree_")?, memory),
    }
}

fn gnu(object: &Object<'_>, tree: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let implementation = tree.member("_M_impl")?;
    let count = number_at(&implementation, "_M_node_count", memory).filter(|count| *count <= MAX_COUNT)?;
    let header = implementation.member("_M_header")?;
    let (root, first) = (number_at(&header, "_M_parent", memory)?, number_at(&header, "_M_left", memory)?);
    let is_whole = is_whole(root, first, count, header.address()?, GNU, memory)?;
    // `_Rb_tree<Key, Element, …>`
    let held = object.held(argument_of(&tree.ty, 1, memory)?)?;
    let node = Node { element: element_offset(GNU.element, &held)?, ..GNU };
    let end = header.address()?.checked_add(node.element);
    is_whole.then(|| object.associative(count, end, Tree { at: first, node, held, left: count }))
}

/// Returns whether a tree hangs together: it is empty and says so, or its root's parent is the node that is no element.
fn is_whole(root: u64, first: u64, count: u64, end: u64, node: Node, memory: &mut dyn Memory) -> Option<bool> {
    Some(match root {
        0 => count == 0 && first == end,
        root => count > 0 && is_word(root.checked_add(node.parent)?, end, memory),
    })
}

fn llvm(object: &Object<'_>, tree: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let size = first_member(tree, &["__pair3_.__value_", "__size_"])?;
    let count = number(&size, memory).filter(|count| *count <= MAX_COUNT)?;
    let end = first_member(tree, &["__pair1_.__value_", "__end_node_"])?;
    let (root, first) = (number_at(&end, "__left_", memory)?, number_at(tree, "__begin_node_", memory)?);
    let is_whole = is_whole(root, first, count, end.address()?, LLVM, memory)?;
    let node_type = llvm_node(tree, memory)?;
    let (element, place) = llvm_element(&node_type)?;
    let held = object.held(element)?;
    let node = Node { element: place, ..LLVM };
    let past = end.address()?.checked_add(place);
    is_whole.then(|| object.associative(count, past, Tree { at: first, node, held, left: count }))
}

/// Finds the type of a tree's nodes: its allocator is made for them.
fn llvm_node(tree: &Value, memory: &mut dyn Memory) -> Option<TypeRef> {
    let allocator = match tree.member("__node_alloc_") {
        Some(allocator) => allocator.ty,
        None => {
            let pair = tree.member("__pair1_")?;
            with_record(&pair.ty, |record| type_argument(record, 1, memory))?
        }
    };
    argument_of(&allocator, 0, memory)
}

/// Finds the type of a node's element, and where it is in the node. The pair in a map's node is wrapped once more.
pub(super) fn llvm_element(node: &TypeRef) -> Option<(TypeRef, u64)> {
    let value = find_member(node, "__value_")?;
    let wrapped = ["__cc_", "__cc"].iter().find_map(|name| find_member(&value.ty, name));
    match wrapped {
        Some(pair) => Some((pair.ty, value.offset.checked_add(pair.offset)?)),
        None => Some((value.ty, value.offset)),
    }
}
