//! Iterators: what they point to.

mod reverse;

use super::{Object, hash, tree};
use crate::chain::{Held, element_offset, word};
use crate::names;
use crate::object::{
    MAX_COUNT, argument_of, at, bool_value, first_member, is_readable, member, number, number_at, pointee,
};
use ctype::layout::{pointer_target, strip};
use ctype::{Dialect, END_OF, ITERATOR_OF, Meaning, Memory, Position, Type, Value, type_name};

/// Bytes of a list's node before its element: two pointers.
const LIST_OWN: u64 = 16;
/// Nodes of a list that are gone through in search of its end.
const MAX_RING: u64 = 4096;
/// Classes of a debug mode's iterator, one the base of the next.
const MAX_SAFE: usize = 5;

/// Returns the meaning of an iterator, which shows as what it points to.
fn pointing_to(value: Value) -> Meaning {
    let meaning = Meaning::empty(false).shows(value.clone());
    Meaning { target: Some(value), ..meaning }
}

/// Returns the meaning of an iterator that points nowhere.
fn nowhere(container: &str) -> Meaning {
    Meaning::empty(false).says(format!("non-dereferenceable iterator for {container}")).stands(0)
}

/// Returns the meaning of an iterator to an element, which is where the iterator stands.
fn at_element(element: Value) -> Option<Meaning> {
    let address = element.address()?;
    Some(pointing_to(element).stands(address))
}

pub(super) fn iterator(object: &Object<'_>, bare: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    match bare {
        "__normal_iterator" | "__wrap_iter" => {
            let pointer = plain_pointer(object.value)?;
            let meaning = self::pointer(&pointer, "std::vector", memory)?;
            let at = number(&pointer, memory)?;
            Some(Meaning { position: Some(Position { at, pointer: Some(pointer) }), ..meaning })
        }
        "_Safe_iterator" => safe(object, memory),
        "_Deque_iterator" => pointer(&object.value.member("_M_cur")?, "std::deque", memory),
        "__deque_iterator" => pointer(&object.value.member("__ptr_")?, "std::deque", memory),
        "reverse_iterator" => reverse::reverse(object.value, memory),
        "_List_iterator" | "_List_const_iterator" => list(object, "_M_node", has_size(memory), memory),
        "__list_iterator" | "__list_const_iterator" => list(object, "__ptr_", true, memory),
        "_Fwd_list_iterator" | "_Fwd_list_const_iterator" => node(object, "_M_node", 8, "std::forward_list", memory),
        "__forward_list_iterator" | "__forward_list_const_iterator" => llvm_forward(object, memory),
        "__detail::_Node_iterator" | "__detail::_Node_const_iterator" => {
            node(object, "_M_cur", hash::GNU_OWN, UNORDERED, memory)
        }
        "_Rb_tree_iterator" | "_Rb_tree_const_iterator" => gnu_tree(object, memory),
        "__tree_iterator" | "__tree_const_iterator" => llvm_tree(object.value, memory),
        "__hash_iterator" | "__hash_const_iterator" => llvm_hash(object.value, memory),
        "__map_iterator" | "__map_const_iterator" => llvm_tree(&object.value.member("__i_")?, memory),
        "__hash_map_iterator" | "__hash_map_const_iterator" => llvm_hash(&object.value.member("__i_")?, memory),
        "_Bit_iterator" | "_Bit_const_iterator" | "_Bit_reference" | "__bit_iterator" | "__bit_reference" => {
            bit(object.value, memory)
        }
        _ => None,
    }
}

const UNORDERED: &str = "unordered container";
const ORDERED: &str = "associative container";

/// Reads what expressions make of `begin()`, `find()` and `end()`: a pointer of a type with a name of its own.
pub(crate) fn of_pointer(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let Type::Typedef { name, .. } = &*value.ty else { return None };
    if let Some(container) = name.strip_prefix(END_OF) {
        return Some(Meaning::empty(false).says(format!("past-the-end iterator for {}", names::title(container))));
    }
    let element = name.starts_with(ITERATOR_OF).then(|| pointee(value, memory))??;
    is_readable(element.address()?, 1, memory).then(|| pointing_to(element))
}

/// Reads an iterator of GNU's debug mode: a plain one, as its first base, and the container that it belongs to.
fn safe(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    if number_at(object.value, "_M_sequence", memory)? == 0 {
        return Some(nowhere(&names::title(&type_name(&object.argument(1, memory)?, Dialect::Cxx))));
    }
    let mut part = object.value.clone();
    for _ in 0..MAX_SAFE {
        let ty = strip(&part.ty);
        let Type::Record(record) = &*ty else { return None };
        let name = record.name.as_deref()?;
        if names::in_std(name).is_none_or(|bare| bare != "_Safe_iterator") {
            return crate::meaning(&part, memory);
        }
        let base = record.members.iter().find(|member| member.is_base)?;
        part = part.part(base.ty.get(), base.offset, None);
    }
    None
}

/// Returns the pointer that an iterator of elements side by side is.
fn plain_pointer(iterator: &Value) -> Option<Value> {
    first_member(iterator, &["_M_current", "__i_", "__i"])
}

/// Reads an iterator that is a pointer.
fn pointer(pointer: &Value, container: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    match number(pointer, memory)? {
        0 => Some(nowhere(container)),
        address if is_readable(address, 1, memory) => at_element(pointee(pointer, memory)?),
        _ => None,
    }
}

/// Reads an iterator that points to a node whose own part takes so many bytes.
fn node(object: &Object<'_>, name: &str, own: u64, container: &str, memory: &mut dyn Memory) -> Option<Meaning> {
    let node = number_at(object.value, name, memory)?;
    if node == 0 {
        return Some(nowhere(container));
    }
    let held = Held::Element(object.argument(0, memory)?);
    let address = node.checked_add(element_offset(own, &held)?)?;
    if is_readable(address, 1, memory) { at_element(at(held.ty().clone(), address)) } else { None }
}

/// Reads an iterator of a list: a ring of nodes, of which one is no element but has the number of elements in its
/// place.
fn list(object: &Object<'_>, name: &str, has_size: bool, memory: &mut dyn Memory) -> Option<Meaning> {
    let end = "past-the-end iterator for std::list";
    let shown = node(object, name, LIST_OWN, "std::list", memory);
    let at = number_at(object.value, name, memory)?;
    if at == 0 || !has_size {
        return shown;
    }
    match end_of_ring(at, memory) {
        Some(true) => Some(Meaning { position: shown?.position, ..Meaning::empty(false).says(end) }),
        Some(false) => shown,
        None => shown.map(|meaning| meaning.says(format!(", or {end}"))),
    }
}

/// Returns whether GNU's lists keep how many elements they have, in the node that is none: those of the older ABI do
/// not.
fn has_size(memory: &mut dyn Memory) -> bool {
    let header = memory.named_type("std::__detail::_List_node_header");
    header.is_some_and(|header| at(header, 0).member("_M_size").is_some())
}

/// Returns whether a node of a list is the one that is no element; `None` if an element holds the same number.
fn end_of_ring(node: u64, memory: &mut dyn Memory) -> Option<bool> {
    let count = word(node.checked_add(LIST_OWN)?, memory).ok().filter(|count| *count <= MAX_COUNT);
    let Some(count) = count else { return Some(false) };
    let mut next = word(node, memory).ok()?;
    let mut is_alone = true;
    for _ in 0..count.min(MAX_RING) {
        if next == node {
            return Some(false);
        }
        is_alone &= word(next.checked_add(LIST_OWN)?, memory).ok() != Some(count);
        next = word(next, memory).ok()?;
    }
    match next == node {
        true => is_alone.then_some(true),
        false => (count <= MAX_RING).then_some(false),
    }
}

/// Reads `__forward_list_iterator<Node *>`.
fn llvm_forward(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let node = number_at(object.value, "__ptr_", memory)?;
    if node == 0 {
        return Some(nowhere("std::forward_list"));
    }
    let node_type = pointer_target(&object.argument(0, memory)?)?;
    let element = at(node_type, node).member("__value_")?;
    if is_readable(element.address()?, 1, memory) { at_element(element) } else { None }
}

fn gnu_tree(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let node = number_at(object.value, "_M_node", memory)?;
    if node != 0 && is_header(node, memory)? {
        let held = Held::Element(object.argument(0, memory)?);
        let at = node.checked_add(element_offset(tree::GNU.element, &held)?)?;
        return Some(Meaning::empty(false).says(format!("past-the-end iterator for {ORDERED}")).stands(at));
    }
    self::node(object, "_M_node", tree::GNU.element, ORDERED, memory)
}

/// Returns whether a node of GNU's tree is the one that is no element: it is red, and the parent of its parent. So is
/// the root, which is black.
fn is_header(node: u64, memory: &mut dyn Memory) -> Option<bool> {
    let colour = word(node, memory).ok()? as u32;
    match word(node.checked_add(tree::GNU.parent)?, memory).ok()? {
        0 => Some(true),
        parent => Some(colour == 0 && word(parent.checked_add(tree::GNU.parent)?, memory).ok()? == node),
    }
}

/// Reads `__tree_iterator<Element, Node *, …>`.
fn llvm_tree(iterator: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let pointer = iterator.member("__ptr_")?;
    let node = number(&pointer, memory)?;
    if node == 0 {
        return Some(nowhere(ORDERED));
    }
    let node_type = argument_of(&iterator.ty, 1, memory)?;
    let (element, place) = tree::llvm_element(&pointer_target(&node_type)?)?;
    // The node that is no element is no more than a pointer to the root, whose parent it is.
    let root = word(node, memory).ok()?;
    let parent = node.checked_add(tree::LLVM.parent).and_then(|at| word(at, memory).ok());
    if root != 0
        && word(root.checked_add(tree::LLVM.parent)?, memory).ok() == Some(node)
        && parent.is_none_or(|p| p == 0 || !is_child(p, node, memory))
    {
        let at = node.checked_add(place)?;
        return Some(Meaning::empty(false).says(format!("past-the-end iterator for {ORDERED}")).stands(at));
    }
    let address = node.checked_add(place)?;
    if is_readable(address, 1, memory) { at_element(at(element, address)) } else { None }
}

/// Returns whether a node is one of the two below another.
fn is_child(parent: u64, node: u64, memory: &mut dyn Memory) -> bool {
    [tree::LLVM.left, tree::LLVM.right]
        .iter()
        .any(|place| parent.checked_add(*place).and_then(|at| word(at, memory).ok()) == Some(node))
}

/// Reads `__hash_iterator<Node *>`.
fn llvm_hash(iterator: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let node = number(&member(iterator, "__node_")?, memory)?;
    if node == 0 {
        return Some(nowhere(UNORDERED));
    }
    let node_type = pointer_target(&argument_of(&iterator.ty, 0, memory)?)?;
    let (element, place) = tree::llvm_element(&node_type)?;
    let address = node.checked_add(place)?;
    if is_readable(address, 1, memory) { at_element(at(element, address)) } else { None }
}

fn bit(iterator: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let start = number(&first_member(iterator, &["_M_p", "__seg_"])?, memory)?;
    if start == 0 {
        return Some(nowhere("std::vector<bool>"));
    }
    let mask = match first_member(iterator, &["_M_mask", "__mask_"]) {
        Some(mask) => number(&mask, memory)?,
        None => {
            let bit = number(&first_member(iterator, &["_M_offset", "__ctz_"])?, memory)?;
            1u64 << Some(bit).filter(|bit| *bit < 64)?
        }
    };
    Some(pointing_to(bool_value(word(start, memory).ok()? & mask != 0)))
}
