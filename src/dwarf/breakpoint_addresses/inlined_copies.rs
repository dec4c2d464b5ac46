//! Where the inlined copies of a function are entered, for breakpoints.
//!
//! GCC says where (DW_AT_entry_pc), but only of one place, though the code of a call may be there several times: once
//! for each turn of an unrolled loop, or for each way that leads to it. It marks each by a row of the line that
//! declares the function, as no statement of it has. LLVM says nothing, and its copies may be in pieces: some hold
//! instructions that were moved there from other lines, before the call is made at all; others are the same code once
//! more, where a loop was unrolled.

use crate::lines::table::Row;
use crate::model::die::DieId;
use crate::names::lookup::Names;
use crate::naming::query::NameQuery;
use crate::types::by_die::Types;
use crate::units::attributes::inherited;
use crate::units::blocks::BlockKind;
use crate::units::entry::UnitEntry;
use crate::units::ranges::{entry_address, entry_named, ranges};
use arch::LinkAddr;
use base::qualified::with_plain_literal;
use base::untrusted::unspelled;
use std::collections::BTreeSet;

impl Types<'_> {
    /// Returns whether the compiler says where the calls of a copy begin, so that none is met twice.
    pub(crate) fn tells_entry(&self, copy: DieId) -> bool {
        self.die(copy).is_some_and(|(_, _, die)| die.has_attr(gimli::DW_AT_entry_pc))
    }

    /// Finds the inlined copies of the function: where a breakpoint meets each call of them, and their DIEs. Of a copy
    /// in several pieces of which the compiler says no more, that is where its first statement is, in each piece that
    /// has it.
    pub(crate) fn inlined_copies(&self, name: &str) -> Vec<(LinkAddr, DieId)> {
        let mut found = BTreeSet::new();
        let name = unspelled(name);
        let query = with_plain_literal(&name);
        let copies: BTreeSet<DieId> = self.copies_matching(&NameQuery::parse(&query)).into_iter().collect();
        for copy in copies.iter().copied() {
            let statements = self.first_statements(copy).unwrap_or_default();
            found.extend(statements.iter().map(|at| (*at, copy)));
            if statements.is_empty()
                && let Some((unit_entry, unit, die)) = self.die(copy)
                && let Some(entry) = entry_address(unit, &die)
            {
                let marked = self.marked_entries(unit_entry, copy, &copies).unwrap_or_default();
                let entries = marked.into_iter().chain([entry]);
                found.extend(entries.map(|entry| (self.breakpoint_address(entry), copy)));
            }
        }
        found.into_iter().collect()
    }
}

impl<'a> Names<'a> {
    /// Finds where the first statement of a copy in several pieces is; `None` if its entry says enough.
    fn first_statements(&self, copy: DieId) -> Option<Vec<LinkAddr>> {
        let (entry, unit, die) = self.die(copy)?;
        let ranges = ranges(unit, &die);
        if ranges.len() < 2 || die.has_attr(gimli::DW_AT_entry_pc) {
            return None;
        }
        let line = inherited(self, copy, gimli::DW_AT_decl_line)?.value.udata_value()?;
        let pieces: Vec<Vec<Row>> = ranges.iter().map(|range| self.statements_of(entry, copy, line, *range)).collect();
        let first = *pieces.iter().flatten().next()?;
        let is_first = |row: &&Row| (row.file, row.line, row.column) == (first.file, first.line, first.column);
        Some(pieces.iter().filter_map(|piece| piece.iter().find(is_first)).map(|row| LinkAddr(row.address)).collect())
    }

    /// Finds where a copy is entered by its marks, of which the entry that it names has to have one; `copies`: all of
    /// the function.
    fn marked_entries(
        &self,
        unit_entry: &UnitEntry<'a>,
        copy: DieId,
        copies: &BTreeSet<DieId>,
    ) -> Option<Vec<LinkAddr>> {
        let (_, unit, die) = self.die(copy)?;
        let ranges = ranges(unit, &die);
        let entry = entry_named(unit, &die, ranges.first()?.0)?;
        let number = |name| inherited(self, copy, name)?.value.udata_value().and_then(|n| u32::try_from(n).ok());
        let (line, column) = (number(gimli::DW_AT_decl_line)?, number(gimli::DW_AT_decl_column)?);
        let rows = unit_entry.lines(self).rows();
        let within = |start: u64, end: u64| {
            let first = rows.partition_point(|row| row.address < start);
            let behind = rows.get(first..).unwrap_or_default().iter();
            let from_start = behind.take_while(move |row| row.address < end);
            from_start.filter(|row| row.is_stmt && (row.line, row.column) == (line, column))
        };
        let file = within(entry.0, entry.0.saturating_add(1)).next()?.file;
        let is_of_copy = |at: &LinkAddr| {
            let Some(tree) = self.block_tree_at(*at) else { return false };
            let around = tree.around(*at);
            around.iter().rev().find(|block| copies.contains(&block.die)).is_some_and(|block| block.die == copy)
        };
        let marks = ranges.iter().flat_map(|(start, end)| within(start.0, end.0)).filter(|row| row.file == file);
        Some(marks.map(|row| LinkAddr(row.address)).filter(is_of_copy).collect())
    }

    /// Finds the statements that begin in a range and are of this copy, which is declared in a line, not of what it is
    /// inlined into, nor of the middle of what is inlined into it.
    fn statements_of(
        &self,
        entry: &UnitEntry<'a>,
        copy: DieId,
        declared: u64,
        (start, end): (LinkAddr, LinkAddr),
    ) -> Vec<Row> {
        let rows = entry.lines(self).rows();
        let first = rows.partition_point(|row| row.address < start.0);
        let rows = rows.get(first..).unwrap_or_default().iter().take_while(|row| row.address < end.0);
        let is_own = |row: &&Row| {
            let at = LinkAddr(row.address);
            let Some(tree) = self.block_tree_at(at) else { return false };
            let around = tree.around(at);
            let mut inlined = around.iter().rev().filter(|block| block.kind == BlockKind::Inlined).peekable();
            let mut is_call = false;
            while inlined.next_if(|b| b.die != copy && b.ranges.iter().any(|range| range.0 == at)).is_some() {
                is_call = true;
            }
            inlined.next().is_some_and(|block| block.die == copy) && (is_call || u64::from(row.line) >= declared)
        };
        rows.filter(|row| row.is_stmt && row.line != 0).filter(is_own).copied().collect()
    }
}
