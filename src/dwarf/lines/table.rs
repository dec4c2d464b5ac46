//! Line tables: from an address to a line (DWARF 5 section 6.2).
//!
//! The rows are filtered the way GDB filters them, so that stepping by line and breakpoints on lines stop where GDB's
//! users expect them to: rows without a line continue the row before them, further rows of a line that only tell apart
//! its blocks (discriminators) are dropped, and of several files that claim an address the last one wins.

use crate::lines::allowance::RowAllowance;
use crate::model::code::SourcePath;
use crate::sections::slice::{UnitRef, is_tombstone};
use crate::tasks::work::Task;
use base::untrusted::one_line;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Characters of the longest path that the system takes.
const LONGEST_PATH: usize = 4096;

/// After so many rows, it is looked whether the question is still asked.
const LONG: usize = 1 << 14;

/// The source files of one unit.
#[derive(Default)]
pub(crate) struct FileTable {
    /// Each path once: DWARF 5 tables list the primary file twice.
    pub(crate) files: Vec<Arc<SourcePath>>,
    /// DWARF's file number to index into `files`.
    numbers: Vec<u32>,
    /// DWARF number of the first entry of `numbers`: 1 up to DWARF 4, 0 from DWARF 5 on.
    first: u64,
}

/// The rows of one unit's line table, by rising address.
#[derive(Default)]
pub(crate) struct LineTable {
    rows: Vec<Row>,
    /// The program has more rows than are read.
    pub(crate) is_cut: bool,
}

/// The code from its address to the address of the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) address: u64,
    /// 0: nothing is known from here on (the end of a sequence, or of a file's part of it).
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// Index into [`FileTable::files`].
    pub(crate) file: u32,
    pub(crate) is_stmt: bool,
    pub(crate) prologue_end: bool,
}

/// Returns a name as it is shown. One that ends a line would pass for what stands behind it in an answer; one that the
/// system would not take for a path is cut.
fn name_of_file(name: &str) -> String {
    let name = one_line(name);
    match name.char_indices().nth(LONGEST_PATH) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.into_owned(),
    }
}

impl FileTable {
    pub(crate) fn read(unit: UnitRef<'_, '_>) -> Self {
        let Some(program) = &unit.line_program else {
            return Self::default();
        };
        let header = program.header();
        let text = |value| unit.attr_string(value).ok().map(|s| name_of_file(&s.to_string_lossy()));
        let comp_dir = unit.comp_dir.map(|d| name_of_file(&d.to_string_lossy()));
        let mut base = comp_dir.map(PathBuf::from).unwrap_or_default();
        if base.as_os_str().is_empty()
            && let Some(directory) = header.directory(0).and_then(text)
        {
            base = PathBuf::from(directory);
        }
        let mut table = Self { first: if header.version() >= 5 { 0 } else { 1 }, ..Self::default() };
        let mut known = HashMap::new();
        for entry in header.file_names() {
            let mut name = text(entry.path_name()).unwrap_or_default();
            // Directory 0 is the compilation directory.
            if entry.directory_index() != 0
                && !name.starts_with('/')
                && let Some(directory) = entry.directory(header).and_then(text)
                && !directory.is_empty()
            {
                name = format!("{}/{name}", directory.trim_end_matches('/'));
            }
            // `join` keeps an absolute name as it is; collecting the components drops `.` and doubled slashes.
            let path: PathBuf = base.join(&name).components().collect();
            let index = *known.entry(path).or_insert_with_key(|path| {
                table.files.push(Arc::new(SourcePath { name, path: path.clone() }));
                table.files.len() as u32 - 1
            });
            table.numbers.push(index);
        }
        table
    }

    /// Returns the index into `files` of the file with a DWARF number.
    pub(crate) fn index_of(&self, number: u64) -> Option<u32> {
        let index = number.checked_sub(self.first)?;
        self.numbers.get(usize::try_from(index).ok()?).copied()
    }
}

impl LineTable {
    /// Returns the rows by rising address.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Finds the row that covers an address, and where the next one begins.
    pub(crate) fn covering(&self, address: u64) -> Option<(Row, u64)> {
        let after = self.rows.partition_point(|r| r.address <= address);
        let end = self.rows.get(after)?.address;
        let mut row = *self.rows.get(after.checked_sub(1)?)?;
        if row.line == 0 {
            return None;
        }
        if !row.is_stmt {
            // A recommended breakpoint location at the same address describes it better.
            let same = self.rows.get(..after)?.iter().rev().take_while(|r| r.address == row.address && r.line != 0);
            row = same.into_iter().find(|r| r.is_stmt && r.file == row.file).copied().unwrap_or(row);
        }
        Some((row, end))
    }

    /// Reads the table of a unit, as far as the file's rows are not used up.
    pub(crate) fn read(unit: UnitRef<'_, '_>, files: &FileTable, allowance: &RowAllowance, task: &Task<'_>) -> Self {
        let mut builder = Builder { rows: vec![Vec::new(); files.files.len()] };
        let Some(program) = unit.line_program.clone() else {
            return Self::default();
        };
        let mut input = program.rows();
        let mut sequence = Sequence::default();
        let (most, mut count, mut is_cut) = (allowance.of_unit(), 0_usize, false);
        while let Ok(Some((_, row))) = input.next_row() {
            if count >= most {
                is_cut = true;
                sequence.finish(sequence.last_address, &mut builder);
                break;
            }
            count += 1;
            if count.is_multiple_of(LONG) {
                task.check();
            }
            if row.end_sequence() {
                sequence.finish(row.address(), &mut builder);
                sequence = Sequence::default();
            } else if row.op_index() == 0
                && let Some(file) = files.index_of(row.file_index())
            {
                sequence.take(row, file, &mut builder);
            }
        }
        allowance.take(count);
        builder.rows.retain(|of_file| !of_file.is_empty());
        // Those of one file are not copied.
        let mut rows = match builder.rows.len() {
            0 | 1 => builder.rows.pop().unwrap_or_default(),
            _ => builder.rows.into_iter().flatten().collect(),
        };
        // An end comes before what begins at the same address; otherwise the order of the program counts.
        rows.sort_by_key(|r| (r.address, r.line != 0));
        Self { rows, is_cut }
    }
}

/// Rows so far, file by file.
struct Builder {
    rows: Vec<Vec<Row>>,
}

impl Builder {
    /// Ends what a file says at an address. Rows of it that are empty because of that go.
    fn end(&mut self, file: u32, address: u64) {
        let Some(rows) = self.rows.get_mut(file as usize) else {
            return;
        };
        while rows.pop_if(|last| last.address == address).is_some() {}
        if rows.last().is_some_and(|last| last.line != 0) {
            rows.push(Row { address, line: 0, column: 0, file, is_stmt: true, prologue_end: false });
        }
    }

    fn push(&mut self, row: Row) {
        if let Some(rows) = self.rows.get_mut(row.file as usize) {
            rows.push(row);
        }
    }
}

/// State within one sequence of rows.
#[derive(Default)]
struct Sequence {
    started: bool,
    /// The linker discarded the code.
    dead: bool,
    last_line: u32,
    /// File of the last row that was kept.
    last_file: Option<u32>,
    last_address: u64,
    /// Whether a row at `last_address` is a recommended breakpoint location.
    stmt_at_address: bool,
    raw_line: u32,
    /// Whether a row of the current line has a discriminator.
    discriminated: bool,
}

impl Sequence {
    fn take(&mut self, row: &gimli::LineRow, file: u32, builder: &mut Builder) {
        let (address, is_stmt) = (row.address(), row.is_stmt());
        if !self.started {
            self.started = true;
            self.dead = is_tombstone(address);
        }
        if self.dead {
            return;
        }
        let line = row.line().map_or(0, |l| u32::try_from(l.get()).unwrap_or(0));
        let discriminator = row.discriminator() != 0;
        self.discriminated = discriminator || (line == self.raw_line && self.discriminated);
        self.raw_line = line;

        let changed = self.last_file != Some(file);
        let shadowed = changed && address == self.last_address && !is_stmt && self.stmt_at_address;
        if line != 0 && !shadowed {
            if changed && let Some(last) = self.last_file {
                builder.end(last, address);
            }
            if changed || line != self.last_line || !self.discriminated {
                let column = match row.column() {
                    gimli::ColumnType::LeftEdge => 0,
                    gimli::ColumnType::Column(c) => u32::try_from(c.get()).unwrap_or(0),
                };
                builder.push(Row { address, line, column, file, is_stmt, prologue_end: row.prologue_end() });
                self.last_file = Some(file);
            }
            self.last_line = line;
        }
        if self.last_address != address {
            self.last_address = address;
            self.stmt_at_address = false;
        }
        self.stmt_at_address |= is_stmt;
    }

    fn finish(&mut self, address: u64, builder: &mut Builder) {
        if !self.dead
            && let Some(last) = self.last_file
        {
            builder.end(last, address);
        }
    }
}

#[cfg(test)]
mod tests;
