//! `std::reverse_iterator`: the element before the one that the iterator in it points to.

use super::{LIST_OWN, at_element, plain_pointer};
use crate::chain::{Held, Node, element_offset, predecessor, word};
use crate::cxx::deque::llvm_block;
use crate::cxx::tree;
use crate::names;
use crate::object::{argument_of, at, is_readable, member, number, number_at, with_record};
use ctype::layout::{pointer_target, size_of, strip};
use ctype::{Meaning, Memory, Type, TypeRef, Value};

pub(super) fn reverse(value: &Value, memory: &mut dyn Memory) -> Option<Meaning> {
    let current = value.member("current")?;
    let element = before(&current, memory)?;
    if !is_readable(element.address()?, 1, memory) {
        return None;
    }
    // Two are equal if what they are made of is; for that, where the element is will do.
    Some(at_element(element)?.fact("base", current))
}

/// Finds the element before the one that an iterator points to.
fn before(iterator: &Value, memory: &mut dyn Memory) -> Option<Value> {
    if matches!(&*strip(&iterator.ty), Type::Pointer { .. }) {
        return before_pointer(iterator, memory);
    }
    let name = with_record(&iterator.ty, |record| record.name.clone())?;
    match names::in_std(&name)?.as_str() {
        "__normal_iterator" | "__wrap_iter" => before_pointer(&plain_pointer(iterator)?, memory),
        "_Deque_iterator" => before_in_blocks(iterator, memory),
        "__deque_iterator" => before_in_llvm_blocks(iterator, memory),
        "_List_iterator" | "_List_const_iterator" => {
            let held = Held::Element(argument_of(&iterator.ty, 0, memory)?);
            // The pointer to the one before comes behind that to the next one.
            let node = word(number_at(iterator, "_M_node", memory)?.checked_add(8)?, memory).ok()?;
            in_node(node, LIST_OWN, held.ty().clone())
        }
        "__list_iterator" | "__list_const_iterator" => {
            let node = word(number_at(iterator, "__ptr_", memory)?, memory).ok()?;
            in_node(node, LIST_OWN, argument_of(&iterator.ty, 0, memory)?)
        }
        "_Rb_tree_iterator" | "_Rb_tree_const_iterator" => {
            let node = number_at(iterator, "_M_node", memory)?;
            let last = if super::is_header(node, memory)? {
                word(node.checked_add(tree::GNU.right)?, memory).ok()
            } else {
                None
            };
            let node = last.or_else(|| predecessor(node, tree::GNU, memory))?;
            in_node(node, tree::GNU.element, argument_of(&iterator.ty, 0, memory)?)
        }
        "__tree_iterator" | "__tree_const_iterator" => before_in_tree(iterator, memory),
        "__map_iterator" | "__map_const_iterator" => before_in_tree(&iterator.member("__i_")?, memory),
        _ => None,
    }
}

fn before_pointer(pointer: &Value, memory: &mut dyn Memory) -> Option<Value> {
    let element = pointer_target(&pointer.ty)?;
    let address = number(pointer, memory)?.checked_sub(size_of(&element)?)?;
    Some(at(element, address))
}

/// Finds the element before an iterator of GNU's deque.
fn before_in_blocks(iterator: &Value, memory: &mut dyn Memory) -> Option<Value> {
    let current = iterator.member("_M_cur")?;
    if number(&current, memory)? != number_at(iterator, "_M_first", memory)? {
        return before_pointer(&current, memory);
    }
    let block = word(number_at(iterator, "_M_node", memory)?.checked_sub(8)?, memory).ok()?;
    let bytes = number_at(iterator, "_M_last", memory)?.checked_sub(number_at(iterator, "_M_first", memory)?)?;
    let element = pointer_target(&current.ty)?;
    let address = block.checked_add(bytes)?.checked_sub(size_of(&element)?)?;
    Some(at(element, address))
}

/// Finds the element before an iterator of LLVM's deque.
fn before_in_llvm_blocks(iterator: &Value, memory: &mut dyn Memory) -> Option<Value> {
    let current = iterator.member("__ptr_")?;
    let entry = number_at(iterator, "__m_iter_", memory)?;
    if word(entry, memory).ok()? != number(&current, memory)? {
        return before_pointer(&current, memory);
    }
    let element = pointer_target(&current.ty)?;
    let size = size_of(&element)?;
    let last = llvm_block(size).checked_sub(1)?.checked_mul(size)?;
    Some(at(element, word(entry.checked_sub(8)?, memory).ok()?.checked_add(last)?))
}

/// Finds the element before an iterator of LLVM's trees.
fn before_in_tree(iterator: &Value, memory: &mut dyn Memory) -> Option<Value> {
    let node = number(&member(iterator, "__ptr_")?, memory)?;
    let node_type = argument_of(&iterator.ty, 1, memory)?;
    let (element, place) = tree::llvm_element(&pointer_target(&node_type)?)?;
    let layout = Node { element: place, ..tree::LLVM };
    Some(at(element, predecessor(node, layout, memory)?.checked_add(place)?))
}

/// Returns the element in a node whose own part takes so many bytes.
fn in_node(node: u64, own: u64, element: TypeRef) -> Option<Value> {
    let held = Held::Element(element);
    Some(at(held.ty().clone(), node.checked_add(element_offset(own, &held)?)?))
}
