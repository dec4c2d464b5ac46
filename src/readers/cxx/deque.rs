//! `std::deque`: blocks of elements, and a table of the blocks.

use super::{Object, counted, nothing_in};
use crate::chain::{is_word, word};
use crate::contiguous::Blocks;
use crate::object::{count_between, first_member, member, number, number_at};
use ctype::layout::size_of;
use ctype::{Meaning, Memory, Style, Value};

/// Bytes of GNU's block, unless one element is larger.
const GNU_BLOCK: u64 = 512;
/// Bytes of LLVM's block, and how many elements it has at least.
const LLVM_BLOCK: u64 = 4096;
const LLVM_ELEMENTS: u64 = 16;

/// Elements of a block, the table's address, the place of the first element, and how many elements there are.
struct DequeLayout {
    per_block: u64,
    table: u64,
    first: u64,
    count: u64,
}

pub(super) fn deque(object: &Object<'_>, memory: &mut dyn Memory) -> Option<Meaning> {
    let element = object.argument(0, memory)?;
    let Some(size) = size_of(&element).filter(|size| *size != 0) else {
        let title = format!("{} with {}", object.title(), counted(0));
        return is_empty(object.value, memory)?.then(|| nothing_in(title, Style::Sequence));
    };
    let DequeLayout { per_block, table, first, count } = match member(object.value, "_M_impl") {
        Some(implementation) => gnu(&implementation, size, memory)?,
        None => llvm(object.value, size, memory)?,
    };
    let end = address_of(table, per_block, size, first.checked_add(count)?, memory);
    let items = Blocks { element, size, per_block, table, index: first, left: count };
    let title = format!("{} with {}", object.title(), counted(count));
    Some(Meaning { length: Some(count), end, ..Meaning::empty(false) }.says(title).holds(Style::Sequence, items))
}

/// Returns whether there are no elements, of whatever size they would be.
fn is_empty(deque: &Value, memory: &mut dyn Memory) -> Option<bool> {
    match member(deque, "_M_impl") {
        Some(implementation) => {
            let mut at = |path: &str| number_at(&implementation, path, memory);
            Some(at("_M_start._M_cur")? == at("_M_finish._M_cur")?)
        }
        None => Some(number(&first_member(deque, &["__size_.__value_", "__size_"])?, memory)? == 0),
    }
}

/// Returns where the element of this number is, or would be, counted from the beginning of the first block; 0 where no
/// block is.
fn address_of(table: u64, per_block: u64, size: u64, number: u64, memory: &mut dyn Memory) -> Option<u64> {
    if table == 0 {
        return Some(0);
    }
    let block = word(table.checked_add(number.checked_div(per_block)?.checked_mul(8)?)?, memory).ok()?;
    block.checked_add((number % per_block).checked_mul(size)?)
}

fn gnu(implementation: &Value, size: u64, memory: &mut dyn Memory) -> Option<DequeLayout> {
    let per_block = (GNU_BLOCK / size).max(1);
    let block_bytes = per_block.checked_mul(size)?;
    let mut end = |name: &str| {
        let iterator = implementation.member(name)?;
        let mut part = |part: &str| number_at(&iterator, part, memory);
        let (cur, first, last, node) = (part("_M_cur")?, part("_M_first")?, part("_M_last")?, part("_M_node")?);
        // Each end is in a block, and the block's entry of the table says so too.
        let hangs_together = last == first.checked_add(block_bytes)? && is_word(node, first, memory);
        let index = count_between(first, cur, size)?;
        (hangs_together && index < per_block).then_some((node, index))
    };
    let ((first_node, first), (last_node, last)) = (end("_M_start")?, end("_M_finish")?);
    let blocks = count_between(first_node, last_node, 8)?;
    let count = blocks.checked_mul(per_block)?.checked_add(last)?.checked_sub(first)?;
    Some(DequeLayout { per_block, table: first_node, first, count })
}

/// Returns how many elements of a size are in one of LLVM's blocks.
pub(super) fn llvm_block(size: u64) -> u64 {
    LLVM_BLOCK.checked_div(size).unwrap_or(0).max(LLVM_ELEMENTS)
}

fn llvm(deque: &Value, size: u64, memory: &mut dyn Memory) -> Option<DequeLayout> {
    let per_block = llvm_block(size);
    let (table, end) = (number_at(deque, "__map_.__begin_", memory)?, number_at(deque, "__map_.__end_", memory)?);
    let first = number_at(deque, "__start_", memory)?;
    let count = number(&first_member(deque, &["__size_.__value_", "__size_"])?, memory)?;
    let room = count_between(table, end, 8)?.checked_mul(per_block)?;
    (first.checked_add(count)? <= room).then_some(DequeLayout { per_block, table, first, count })
}
