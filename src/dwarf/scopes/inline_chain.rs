//! Which functions, real and inlined, and which blocks an address is in (DWARF 5 section 3.3).
//!
//! The walk is our own rather than `addr2line`'s: its context is not `Sync`, and it gives names where the callers of
//! this module need DIEs (for variables) and entry addresses (for stepping).

use crate::arch::LinkAddr;
use crate::dwarf::image::facade::Image;
use crate::dwarf::model::code::{Function, InlineFrame};
use crate::dwarf::model::die::DieId;
use crate::dwarf::scopes::functions::display_name;
use crate::dwarf::types::is_flag_set;
use crate::dwarf::units::collection::{Debug, Die, Ranges, UnitEntry, UnitRef};
use gimli::UnitOffset;
use std::sync::Arc;

/// Blocks of one function that are looked at; a function with more is cut short.
const MAX_BLOCKS: usize = 1 << 20;

/// The functions of one unit that have code: first address, one past the last, DIE; sorted. A function whose code is
/// in several places (`.text.unlikely`) is there several times.
#[derive(Default)]
pub(in crate::dwarf) struct UnitFunctions {
    ranges: Vec<(LinkAddr, LinkAddr, UnitOffset)>,
}

/// What makes a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dwarf) enum BlockKind {
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
pub(in crate::dwarf) struct Block {
    pub(in crate::dwarf) die: DieId,
    pub(in crate::dwarf) kind: BlockKind,
    /// Its code. Empty if the debug info does not say: then it is taken to be where its children are.
    pub(in crate::dwarf) ranges: Ranges,
    /// Index of the first block after it that is not inside it.
    end: usize,
}

impl Block {
    /// Whether a piece of its code is at this address that does not go on from the code before it.
    fn begins_piece(&self, address: LinkAddr) -> bool {
        let starts = self.ranges.iter().any(|(start, _)| *start == address);
        starts && !address.0.checked_sub(1).is_some_and(|before| contains(&self.ranges, LinkAddr(before)))
    }
}

/// All blocks of a function, outer ones before inner ones, the function itself first.
pub(in crate::dwarf) struct BlockTree {
    blocks: Vec<Block>,
}

impl BlockTree {
    /// The blocks around an address, outermost (the function) first.
    pub(in crate::dwarf) fn around(&self, address: LinkAddr) -> Vec<&Block> {
        let mut chain = Vec::new();
        let mut next = 0;
        let mut limit = self.blocks.len();
        while next < limit
            && let Some(block) = self.blocks.get(next)
        {
            if block.ranges.is_empty() {
                next += 1;
            } else if contains(&block.ranges, address) {
                chain.push(block);
                limit = block.end;
                next += 1;
            } else {
                next = block.end.max(next + 1);
            }
        }
        chain
    }
}

impl Image {
    /// The out-of-line function that contains the address; from the symbol table if there is no DWARF for it.
    pub fn function_at(&self, a: LinkAddr) -> Option<Function> {
        let described = self.with_debug(|d| {
            let (entry, die) = d.function_die_at(a)?;
            self.described_function(d, entry.id_of(die)?)
        });
        described.or_else(|| self.symbol_function_at(a))
    }

    /// Innermost first; the last one is the real function. Empty if nothing is known.
    pub fn inline_chain(&self, a: LinkAddr) -> Vec<InlineFrame> {
        let mut chain = self.with_debug(|d| d.inline_chain(a)).unwrap_or_default();
        if let Some(outermost) = chain.last_mut() {
            if let Some(function) = self.function_at(a).filter(|f| f.die == outermost.die) {
                outermost.name = function.name;
            }
            return chain;
        }
        let line = self.line_at(a);
        let from_symbol = |f: Function| InlineFrame {
            die: None,
            is_main: f.name == "main",
            name: f.name,
            file: line.as_ref().map(|l| l.file.clone()),
            line: line.as_ref().map(|l| l.line),
            column: line.as_ref().map(|l| l.column).filter(|c| *c != 0),
            inlined: false,
            entry: Some(f.entry),
            begins: false,
        };
        let stub = || {
            let stub = self.stub_at(a)?;
            let ranges = vec![(stub.start, stub.end)];
            Some(Function {
                die: None,
                name: stub.name,
                linkage_name: None,
                entry: stub.start,
                ranges,
                file: None,
                line: None,
            })
        };
        self.symbol_function_at(a).or_else(stub).map(from_symbol).into_iter().collect()
    }
}

impl<'a> Debug<'a> {
    /// The subprogram with code at an address.
    pub(in crate::dwarf) fn function_die_at(&self, a: LinkAddr) -> Option<(&UnitEntry<'a>, UnitOffset)> {
        let entry = self.unit_at(a)?;
        Some((entry, entry.functions(self).at(a)?))
    }

    /// The blocks of the function at an address, outermost first; empty if none is known.
    pub(in crate::dwarf) fn block_tree_at(&self, a: LinkAddr) -> Option<Arc<BlockTree>> {
        let (entry, offset) = self.function_die_at(a)?;
        self.block_tree(entry, offset)
    }

    /// The blocks of a function. Kept, for stepping asks for those of the same function over and over.
    fn block_tree(&self, entry: &UnitEntry<'a>, function: UnitOffset) -> Option<Arc<BlockTree>> {
        let id = entry.id_of(function)?;
        // A panic of another thread leaves at worst a missing entry behind.
        let lock = || self.block_trees.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(tree) = lock().get(&id) {
            return Some(tree.clone());
        }
        let tree = Arc::new(BlockTree::read(self, entry, function)?);
        lock().insert(id, tree.clone());
        Some(tree)
    }

    fn inline_chain(&self, a: LinkAddr) -> Option<Vec<InlineFrame>> {
        let (entry, function) = self.function_die_at(a)?;
        let unit = entry.unit(self)?;
        let tree = self.block_tree(entry, function)?;
        let (row, _) = entry.lines(self).covering(a.0).unzip();
        let mut file = row.and_then(|r| entry.files(self).files.get(r.file as usize).cloned());
        let mut line = row.map(|r| r.line);
        let mut column = row.map(|r| r.column).filter(|c| *c != 0);
        let mut chain = Vec::new();
        for block in tree.around(a).into_iter().rev() {
            if !matches!(block.kind, BlockKind::Function | BlockKind::Inlined) {
                continue;
            }
            let inlined = block.kind == BlockKind::Inlined;
            let die = entry.offset_of(block.die).and_then(|o| unit.entry(o).ok());
            let entered = die.as_ref().and_then(|die| self.entry_address(unit, die));
            chain.push(InlineFrame {
                die: Some(block.die),
                name: display_name(self, block.die).map(|n| n.to_string()).unwrap_or_default(),
                file: file.take(),
                line: line.take(),
                column: column.take(),
                inlined,
                is_main: false,
                entry: entered,
                begins: inlined && (entered == Some(a) || block.begins_piece(a)),
            });
            if !inlined && let Some(frame) = chain.last_mut() {
                frame.is_main =
                    frame.name == "main" || die.is_some_and(|die| is_flag_set(&die, gimli::DW_AT_main_subprogram));
            } else if let Some(die) = die {
                let number = |name| die.attr_value(name).and_then(|v| v.udata_value());
                file = entry.file_of(self, &die, gimli::DW_AT_call_file);
                let small = |name| number(name).and_then(|n| u32::try_from(n).ok()).filter(|n| *n != 0);
                line = small(gimli::DW_AT_call_line);
                column = small(gimli::DW_AT_call_column);
            }
        }
        Some(chain)
    }
}

impl<'a> UnitEntry<'a> {
    /// The functions of this unit that have code.
    pub(in crate::dwarf) fn functions(&self, debug: &Debug<'a>) -> &UnitFunctions {
        self.functions.get_or_init(|| {
            let mut functions = UnitFunctions::default();
            if let Some(unit) = self.unit(debug) {
                // A malformed unit yields what comes before the damage.
                let _ = functions.read(debug, unit);
            }
            functions.ranges.sort_unstable();
            functions
        })
    }
}

impl UnitFunctions {
    /// The code of all of them.
    pub(in crate::dwarf) fn all_ranges(&self) -> Ranges {
        self.ranges.iter().map(|(start, end, _)| (*start, *end)).collect()
    }

    fn at(&self, a: LinkAddr) -> Option<UnitOffset> {
        let after = self.ranges.partition_point(|(start, _, _)| *start <= a);
        // Functions do not overlap, but for ones that were folded into one and for nested ones.
        let mut candidates = self.ranges.get(..after)?.iter().rev().take(8);
        candidates.find(|(_, end, _)| a < *end).map(|(_, _, die)| *die)
    }

    fn read<'a>(&mut self, debug: &Debug<'a>, unit: UnitRef<'_, 'a>) -> gimli::Result<()> {
        let mut input = unit.entries_raw(None)?;
        let mut die = Die::null();
        while !input.is_empty() {
            let (at_die, offset) = (input.clone(), input.next_offset());
            let Some(abbreviation) = input.read_abbreviation()? else {
                continue;
            };
            if abbreviation.tag() != gimli::DW_TAG_subprogram {
                input.skip_attributes(abbreviation.attributes())?;
                continue;
            }
            input = at_die;
            input.read_entry(&mut die)?;
            let ranges = debug.ranges(unit, &die);
            self.ranges.extend(ranges.into_iter().map(|(start, end)| (start, end, offset)));
        }
        Ok(())
    }
}

impl BlockTree {
    fn read<'a>(debug: &Debug<'a>, entry: &UnitEntry<'a>, function: UnitOffset) -> Option<Self> {
        let unit = entry.unit(debug)?;
        let mut tree = Self { blocks: Vec::new() };
        // A malformed function yields what comes before the damage.
        let _ = tree.walk(debug, entry, unit, function);
        (!tree.blocks.is_empty()).then_some(tree)
    }

    fn walk<'a>(
        &mut self,
        debug: &Debug<'a>,
        entry: &UnitEntry<'a>,
        unit: UnitRef<'_, 'a>,
        function: UnitOffset,
    ) -> gimli::Result<()> {
        let mut cursor = unit.entries_at_offset(function)?;
        // The open blocks: depth of the DIE, index of the block.
        let mut open: Vec<(isize, usize)> = Vec::new();
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
                        && let Some((parent_depth, parent)) = open.last()
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
                && let Some(id) = entry.id_of(die.offset())
            {
                open.push((depth, self.blocks.len()));
                self.blocks.push(Block { die: id, kind, ranges: debug.ranges(unit, die), end: 0 });
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
    fn close(&mut self, open: &mut Vec<(isize, usize)>, depth: isize) {
        let end = self.blocks.len();
        while let Some((_, index)) = open.pop_if(|(d, _)| *d >= depth) {
            if let Some(block) = self.blocks.get_mut(index) {
                block.end = end;
            }
        }
    }
}

/// Whether a child with this tag makes its lexical block one that declares something.
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

/// Whether an address is in one of the ranges.
pub(in crate::dwarf) fn contains(ranges: &[(LinkAddr, LinkAddr)], a: LinkAddr) -> bool {
    ranges.iter().any(|(start, end)| *start <= a && a < *end)
}

#[cfg(test)]
mod tests;
