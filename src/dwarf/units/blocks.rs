//! The blocks of a function: lexical blocks and inlined copies of other functions (DWARF 5 sections 3.3.8 and 3.5).

use super::entry::UnitEntry;
use super::ranges::{Ranges, ranges};
use crate::model::die::{DEEPEST, DieId};
use crate::sections::slice::{Die, UnitRef};
use arch::LinkAddr;
use gimli::UnitOffset;

/// Blocks of one function that are looked at; a function with more is cut short.
const MAX_BLOCKS: usize = 1 << 20;
/// Most blocks within each other that are followed. rustc makes one of each `let`, up to the end of the function.
const DEEPEST_BLOCK: usize = 1 << 13;

/// What makes a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// DW_TAG_subprogram.
    Function,
    /// DW_TAG_inlined_subroutine.
    Inlined,
    /// DW_TAG_lexical_block (and C++'s try and catch blocks) that declares something.
    Lexical,
    /// One that declares nothing.
    EmptyLexical,
}

/// A function, an inlined copy of one, or a lexical block.
pub(crate) struct Block {
    pub(crate) die: DieId,
    pub(crate) kind: BlockKind,
    /// Its code. Empty if the debug info does not say: then it is taken to be where its children are.
    pub(crate) ranges: Ranges,
    /// Index of the first block after it that is not inside it.
    end: usize,
}

impl Block {
    /// Returns whether a piece of its code is at this address that does not go on from the code before it.
    pub(crate) fn begins_piece(&self, address: LinkAddr) -> bool {
        let starts = self.ranges.iter().any(|(start, _)| *start == address);
        starts && !address.0.checked_sub(1).is_some_and(|before| contains(&self.ranges, LinkAddr(before)))
    }
}

/// All blocks of a function, outer ones before inner ones, the function itself first.
pub(crate) struct BlockTree {
    blocks: Vec<Block>,
}

impl BlockTree {
    /// Returns the first block that is within the function.
    pub(crate) fn first_within(&self) -> Option<DieId> {
        self.blocks.get(1).map(|block| block.die)
    }

    /// Finds the blocks around an address, outermost (the function) first.
    pub(crate) fn around(&self, address: LinkAddr) -> Vec<&Block> {
        let mut chain = Vec::new();
        // What is left to look through, the innermost last.
        let mut left = vec![Step::Through(0, self.blocks.len())];
        while let Some(step) = left.pop() {
            match step {
                Step::Into(block) => chain.push(block),
                Step::Through(start, end) => {
                    for (number, block) in self.beside(start, end, address).into_iter().rev() {
                        left.push(Step::Through(number + 1, block.end));
                        left.push(Step::Into(block));
                    }
                }
            }
        }
        chain
    }

    /// Finds those of some blocks beside each other that have code at an address. With link-time optimisation GCC puts
    /// blocks beside each other that are within each other: the larger one is the outer one.
    fn beside(&self, start: usize, end: usize, address: LinkAddr) -> Vec<(usize, &Block)> {
        let mut around = Vec::new();
        let mut next = start;
        while next < end
            && let Some(block) = self.blocks.get(next)
        {
            if block.ranges.is_empty() {
                next += 1;
                continue;
            }
            if contains(&block.ranges, address) {
                around.push((next, block));
            }
            next = block.end.max(next + 1);
        }
        let size = |block: &Block| block.ranges.iter().map(|(start, end)| end.0.saturating_sub(start.0)).sum::<u64>();
        if around.len() > 1 {
            around.sort_by_key(|(_, block)| std::cmp::Reverse(size(block)));
        }
        around
    }
}

impl BlockTree {
    /// Returns whether there are blocks within the function itself.
    pub(crate) fn has_inner(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block.kind, BlockKind::Lexical | BlockKind::EmptyLexical))
    }
}

/// A step of the way through blocks.
enum Step<'t> {
    /// The block is around the address.
    Into(&'t Block),
    /// Those from this number up to that one may be.
    Through(usize, usize),
}

impl BlockTree {
    /// Reads the blocks of a function of a unit.
    pub(super) fn read<'a>(entry: &UnitEntry<'a>, unit: UnitRef<'_, 'a>, function: UnitOffset) -> Option<Self> {
        let mut tree = Self { blocks: Vec::new() };
        // A malformed function yields what comes before the damage.
        let _ = tree.walk(entry, unit, function);
        (!tree.blocks.is_empty()).then_some(tree)
    }

    fn walk<'a>(&mut self, entry: &UnitEntry<'a>, unit: UnitRef<'_, 'a>, function: UnitOffset) -> gimli::Result<()> {
        let mut cursor = unit.entries_at_offset(function)?;
        // The open blocks: depth of the DIE, index of the block, how many of them are functions.
        let mut open: Vec<(isize, usize, usize)> = Vec::new();
        let functions = |open: &[(isize, usize, usize)]| open.last().map_or(0, |(.., functions)| *functions);
        let mut more = cursor.next_dfs()?.is_some();
        let top = cursor.current().map_or(0, Die::depth);
        while more && self.blocks.len() < MAX_BLOCKS {
            let Some(die) = cursor.current() else { break };
            let depth = die.depth();
            if depth <= top && !open.is_empty() {
                break;
            }
            self.close(&mut open, depth);
            let kind = match die.tag() {
                gimli::DW_TAG_subprogram if open.is_empty() => Some(BlockKind::Function),
                gimli::DW_TAG_inlined_subroutine => Some(BlockKind::Inlined),
                gimli::DW_TAG_lexical_block | gimli::DW_TAG_try_block | gimli::DW_TAG_catch_block => {
                    Some(BlockKind::EmptyLexical)
                }
                tag => {
                    if declares(tag)
                        && let Some((parent_depth, parent, _)) = open.last()
                        && *parent_depth == depth - 1
                        && let Some(parent) = self.blocks.get_mut(*parent)
                        && parent.kind == BlockKind::EmptyLexical
                    {
                        parent.kind = BlockKind::Lexical;
                    }
                    None
                }
            };
            if let Some(kind) = kind
                && open.len() < DEEPEST_BLOCK
                && (kind != BlockKind::Inlined || functions(&open) < DEEPEST)
                && let Some(id) = entry.id_of(die.offset())
            {
                let functions =
                    functions(&open) + usize::from(matches!(kind, BlockKind::Function | BlockKind::Inlined));
                open.push((depth, self.blocks.len(), functions));
                self.blocks.push(Block { die: id, kind, ranges: ranges(unit, die), end: 0 });
                more = cursor.next_dfs()?.is_some();
            } else {
                // Neither a type, a call site, nor a nested function contains blocks of this function.
                more = cursor.next_sibling()?.is_some() || cursor.next_dfs()?.is_some();
            }
        }
        self.close(&mut open, isize::MIN);
        Ok(())
    }

    /// Closes the blocks that a DIE at this depth is not inside of.
    fn close(&mut self, open: &mut Vec<(isize, usize, usize)>, depth: isize) {
        let end = self.blocks.len();
        while let Some((_, index, _)) = open.pop_if(|(d, ..)| *d >= depth) {
            if let Some(block) = self.blocks.get_mut(index) {
                block.end = end;
            }
        }
    }
}

/// Returns whether a child with this tag makes its lexical block one that declares something.
fn declares(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_variable
            | gimli::DW_TAG_formal_parameter
            | gimli::DW_TAG_label
            | gimli::DW_TAG_typedef
            | gimli::DW_TAG_structure_type
            | gimli::DW_TAG_union_type
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_enumeration_type
    )
}

/// Returns whether an address is in one of the ranges.
pub(crate) fn contains(ranges: &[(LinkAddr, LinkAddr)], a: LinkAddr) -> bool {
    ranges.iter().any(|(start, end)| *start <= a && a < *end)
}
