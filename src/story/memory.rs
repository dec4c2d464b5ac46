//! The blocks of the heap that a failure is about: freed ones that are still pointed to, one that is freed again, and one
//! whose place was another one's.

use base::cancel::Cancel;
use engine::Engine;
use engine::model::{Explanation, Kind};
use questions::{Heap, HeapCalls, HeapOf, HeapQuery};
use rr::Rr;
use std::path::Path;

/// What the C library says when it finds its heap damaged, or is given what is no block (glibc 2.36, `malloc.c`).
const COMPLAINTS: [&str; 8] = [
    "free()",
    "malloc()",
    "malloc assertion",
    "realloc()",
    "munmap_chunk()",
    "double free",
    "corrupted",
    "invalid pointer",
];
/// Addresses below this are of no block.
const LOWEST: u64 = 0x1_0000;
/// Most pointers that are asked about.
const MOST_POINTERS: usize = 8;
/// Most blocks of an answer.
const MOST_BLOCKS: usize = 3;

/// A pointer, and the block that it means.
pub(crate) struct Block {
    pub(crate) expression: String,
    pub(crate) heap: Heap,
}

/// Finds the blocks that a failure is about, where an engine is, which stays there. Nothing if there is none.
///
/// # Errors
/// If the replay has ended.
pub(crate) fn memory(
    rr: &Rr,
    engine: &mut Engine,
    trace: &Path,
    explanation: &Explanation,
    cancel: &Cancel,
) -> Result<Vec<Block>, engine::Error> {
    let (names, of) = match explanation.kind {
        Kind::Abort if is_complaint(explanation) => (vec!["the block that is freed".to_owned()], vec![HeapOf::Freeing]),
        Kind::Fault if !explanation.fault.as_ref().is_some_and(|fault| fault.is_stack_overflow()) => {
            pointers(engine, explanation)?
        }
        _ => return Ok(Vec::new()),
    };
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let query = HeapQuery::at(&engine.position()?, of);
    let blocks = HeapCalls::ask(rr, trace, cancel).and_then(|calls| calls.blocks(rr, trace, &query, cancel));
    let all = names.into_iter().zip(blocks.unwrap_or_default());
    let blocks = all.map(|(expression, heap)| Block { expression, heap });
    let mut blocks: Vec<Block> =
        blocks.filter(|block| is_wrong(&block.heap) || is_in_doubt(block, explanation)).collect();
    blocks.dedup_by(|one, earlier| one.expression == earlier.expression);
    blocks.truncate(MOST_BLOCKS);
    Ok(blocks)
}

/// Returns whether the C library has ended the process because of its heap.
pub(super) fn is_complaint(explanation: &Explanation) -> bool {
    explanation.kind == Kind::Abort && COMPLAINTS.iter().any(|complaint| explanation.summary.contains(complaint))
}

/// Returns the pointers among the variables of the frame that failed.
fn pointers(engine: &mut Engine, explanation: &Explanation) -> Result<(Vec<String>, Vec<HeapOf>), engine::Error> {
    let (mut names, mut of) = (Vec::new(), Vec::new());
    let is_pointer = |ty: &Option<String>| ty.as_deref().is_some_and(|ty| ty.contains(['*', '&']));
    for variable in explanation.locals.iter().filter(|variable| is_pointer(&variable.ty)).take(MOST_POINTERS) {
        match engine.in_frame_that_knows(|engine| engine.pointer(&variable.name)) {
            Ok(pointer) if pointer.address >= LOWEST => {
                names.push(variable.name.clone());
                of.push(HeapOf::Address { address: pointer.address, held_at: pointer.held_at });
                // What it was copied from may have been set before.
                if pointer.held_at.is_some() {
                    names.push(variable.name.clone());
                    of.push(HeapOf::Address { address: pointer.address, held_at: None });
                }
            }
            Err(error @ engine::Error::Ended(_)) => return Err(error),
            Ok(_) | Err(_) => {}
        }
    }
    Ok((names, of))
}

/// Returns whether nobody may use what a pointer means.
fn is_wrong(heap: &Heap) -> bool {
    heap.block.as_ref().is_some_and(|block| block.freed.is_some()) && heap.behind().is_none()
}

/// Returns whether the line that failed uses a pointer of which it is not known whether it was set when the block was
/// there that is there now, or for one that was freed before.
fn is_in_doubt(block: &Block, explanation: &Explanation) -> bool {
    let number = explanation.frame.as_ref().and_then(|frame| frame.line);
    let line = explanation.source.iter().find(|line| Some(line.number) == number);
    let mut names = line.into_iter().flat_map(|line| line.text.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    block.heap.before.is_some() && names.any(|name| name == block.expression)
}
