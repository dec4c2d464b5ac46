//! What units have tables of: source files, lines, functions and their blocks. Each is read when it is asked for.

use super::blocks::BlockTree;
use super::collection::Units;
use super::entry::UnitEntry;
use super::functions::UnitFunctions;
use crate::lines::table::{FileTable, LineTable};
use crate::model::code::{LineRange, SourcePath};
use crate::sections::missing_debug_info::Subject;
use crate::sections::slice::{Die, UnitRef};
use crate::tasks::work::Measure;
use arch::LinkAddr;
use base::untrusted::PathText as _;
use gimli::{AttributeValue, UnitOffset};
use std::sync::Arc;

impl<'a> Units<'a> {
    /// Looks up the line-table row that covers this address (DWARF 5 section 6.2). Neighbouring rows may be of the same
    /// line.
    pub(crate) fn line_at(&self, a: LinkAddr) -> Option<LineRange> {
        let entry = self.unit_at(a)?;
        let (row, end) = entry.lines(self).covering(a.0)?;
        Some(LineRange {
            start: LinkAddr(row.address),
            end: LinkAddr(end),
            file: entry.files(self).files.get(row.file as usize)?.clone(),
            line: row.line,
            column: row.column,
            is_stmt: row.is_stmt,
        })
    }

    /// Finds the subprogram with code at an address.
    pub(crate) fn function_die_at(&self, a: LinkAddr) -> Option<(&UnitEntry<'a>, UnitOffset)> {
        let entry = self.unit_at(a)?;
        Some((entry, entry.functions(self).at(a)?))
    }

    /// Returns the blocks of the function at an address; `None` if none is known.
    pub(crate) fn block_tree_at(&self, a: LinkAddr) -> Option<Arc<BlockTree>> {
        let (entry, offset) = self.function_die_at(a)?;
        self.block_tree(entry, offset)
    }

    /// Returns the blocks of a function. Kept, for stepping asks for those of the same function over and over.
    pub(crate) fn block_tree(&self, entry: &UnitEntry<'a>, function: UnitOffset) -> Option<Arc<BlockTree>> {
        let id = entry.id_of(function)?;
        // A panic of another thread leaves at worst a missing entry behind.
        let lock = || self.block_trees.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(tree) = lock().get(&id) {
            return Some(tree.clone());
        }
        let tree = Arc::new(BlockTree::read(entry, entry.unit(self)?, function)?);
        lock().insert(id, tree.clone());
        Some(tree)
    }
}

impl<'a> UnitEntry<'a> {
    /// Returns the unit's source files.
    pub(crate) fn files<'d>(&'d self, units: &'d Units<'a>) -> &'d FileTable {
        // The table of a split unit stays with its skeleton.
        if let Some(skeleton) = units.skeleton_of(self) {
            return skeleton.files(units);
        }
        self.files.get_or_init(|| self.unit(units).map(FileTable::read).unwrap_or_default())
    }

    /// Returns the unit's line table.
    pub(crate) fn lines<'d>(&'d self, units: &'d Units<'a>) -> &'d LineTable {
        if let Some(skeleton) = units.skeleton_of(self) {
            return skeleton.lines(units);
        }
        self.lines.get_or_init(|| self.unit(units).map(|unit| self.read_lines(units, unit)).unwrap_or_default())
    }

    fn read_lines(&self, units: &Units<'a>, unit: UnitRef<'_, 'a>) -> LineTable {
        let sections = units.sections;
        let task = sections.work.begin("reading lines of", Measure::Units, 1);
        let table = LineTable::read(unit, self.files(units), &units.rows, &task);
        if table.is_cut {
            let path = sections.debug().path().in_text();
            let text = format!("{path} has more rows of lines than are read of a file of its size: some are missing");
            sections.problems.add_suffered(Subject::DebugFile, text);
        }
        table
    }

    /// Returns the file that DW_AT_decl_file or DW_AT_call_file of a DIE of this unit means.
    pub(crate) fn file_of(&self, units: &Units<'a>, die: &Die<'a>, name: gimli::DwAt) -> Option<Arc<SourcePath>> {
        match die.attr_value(name)? {
            AttributeValue::FileIndex(number) => self.source_file(units, number),
            _ => None,
        }
    }

    /// Returns the file with a number in the unit's line table.
    pub(crate) fn source_file(&self, units: &Units<'a>, number: u64) -> Option<Arc<SourcePath>> {
        let files = self.files(units);
        files.files.get(files.index_of(number)? as usize).cloned()
    }

    /// Returns the functions of this unit that have code.
    pub(crate) fn functions(&self, units: &Units<'a>) -> &UnitFunctions {
        self.functions.get_or_init(|| self.unit(units).map(UnitFunctions::read).unwrap_or_default())
    }
}
