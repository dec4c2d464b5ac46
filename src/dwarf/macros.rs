//! Macros: which definition a name has at a place of the source (DWARF 5 section 6.3, its GNU predecessor, and
//! `.debug_macinfo` from before).
//!
//! A unit's macros are one list in the order of its text: what was defined and undefined, and which file was included
//! where. It is read when a macro of the unit is asked for, and once.

mod reader;

use super::image::Image;
use super::units::{Debug, UnitEntry};
use super::{DieId, SourcePath};
use crate::arch::LinkAddr;
use std::collections::HashMap;
use std::sync::Arc;

/// The macros of one unit.
#[derive(Default)]
pub(super) struct MacroTable<'a> {
    /// Each time that a file was included, the unit's primary source file first.
    files: Vec<Inclusion>,
    /// By name, in the order of the text.
    changes: HashMap<&'a [u8], Vec<Change<'a>>>,
}

/// A file that was included once.
struct Inclusion {
    /// Its number in the unit's line table.
    file: u64,
    /// The including one, and the line there.
    parent: Option<(u32, u64)>,
    /// How many files are around it.
    depth: u32,
    /// The line of what stands in this file itself, and where that is in the list.
    entries: Vec<(u64, u32)>,
    /// Where in the list it ends.
    end: u32,
}

/// A definition, or the end of one.
struct Change<'a> {
    /// Where in the list it is; what the compiler and its command line define is at the beginning.
    at: u32,
    /// The inclusion that it is in; `None` if it is in no file.
    inclusion: Option<u32>,
    line: u64,
    /// The name with its parameters and what it stands for; `None` after `#undef`.
    text: Option<&'a [u8]>,
}

/// A place of the source from which macros are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroScope {
    unit: DieId,
    /// What comes in the unit's list before this is in effect.
    before: u32,
    /// The file of the place.
    pub file: Arc<SourcePath>,
    /// Its line.
    pub line: u32,
    /// The files that include that one, and where, the innermost first.
    pub included: Vec<(Arc<SourcePath>, u64)>,
}

/// A macro as it was defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroDefinition {
    /// `NAME body`, `NAME(a,b) body`
    pub text: String,
    /// The file that it was defined in; the primary one for what was defined in none.
    pub file: Option<Arc<SourcePath>>,
    /// The line there; 0 if the compiler or its command line has defined it.
    pub line: u64,
    /// The files that include that one, and where, the innermost first.
    pub included: Vec<(Arc<SourcePath>, u64)>,
}

impl Image {
    /// From where the code at an address looks at macros: the line that it was made of, or, if functions are inlined
    /// there, the line of that level (0 is the innermost). `None` if its unit has no macros.
    pub fn macro_scope(&self, at: LinkAddr, inline: usize) -> Option<MacroScope> {
        let has_some = || self.with_debug(|debug| debug.unit_at(at).is_some_and(|unit| unit.macros(debug).is_some()));
        if !self.has_debug_info() || !has_some() {
            return None;
        }
        let level = self.inline_chain(at).into_iter().nth(inline).and_then(|level| Some((level.file?, level.line?)));
        let (file, line) = level.or_else(|| self.line_at(at).map(|row| (row.file, row.line)))?;
        self.with_debug(|debug| {
            let unit = debug.unit_at(at)?;
            unit.macros(debug)?.scope(debug, unit, file, line)
        })
    }

    /// The definition that a name has at a place.
    pub fn macro_named(&self, scope: &MacroScope, name: &str) -> Option<MacroDefinition> {
        self.with_debug(|debug| {
            let unit = debug.unit_of(scope.unit)?;
            let table = unit.macros(debug)?;
            let changes = table.changes.get(name.as_bytes())?.iter().enumerate();
            let (_, last) = changes.filter(|(_, c)| c.at < scope.before).max_by_key(|(i, c)| (c.at, *i))?;
            table.definition(debug, unit, last)
        })
    }

    /// All definitions that a name has in the unit of a place.
    pub fn macros_named(&self, scope: &MacroScope, name: &str) -> Vec<MacroDefinition> {
        self.with_debug(|debug| {
            let Some(unit) = debug.unit_of(scope.unit) else { return Vec::new() };
            let Some(table) = unit.macros(debug) else { return Vec::new() };
            let changes = table.changes.get(name.as_bytes()).map(Vec::as_slice).unwrap_or_default();
            let mut changes: Vec<_> = changes.iter().collect();
            changes.sort_by_key(|change| change.at);
            changes.into_iter().filter_map(|change| table.definition(debug, unit, change)).collect()
        })
    }
}

impl<'a> UnitEntry<'a> {
    /// The unit's macros; `None` if there are none.
    pub(super) fn macros<'d>(&'d self, debug: &'d Debug<'a>) -> Option<&'d MacroTable<'a>> {
        self.macros.get_or_init(|| reader::read(debug, self)).as_ref()
    }
}

impl<'a> MacroTable<'a> {
    /// The place of a line. Of a file that was included several times, the inclusion with the fewest files around it
    /// counts, as in GDB.
    fn scope(&self, debug: &Debug<'a>, unit: &UnitEntry<'a>, file: Arc<SourcePath>, line: u32) -> Option<MacroScope> {
        let is_meant = |number: u64| unit.source_file(debug, number).is_some_and(|found| found.path == file.path);
        let mut known: HashMap<u64, bool> = HashMap::new();
        let mut meant = self.files.iter().filter(|i| *known.entry(i.file).or_insert_with(|| is_meant(i.file)));
        let found = meant.by_ref().min_by_key(|inclusion| inclusion.depth);
        let (before, included) = match found {
            Some(inclusion) => {
                let next = inclusion.entries.iter().find(|(at, _)| *at > u64::from(line));
                (next.map_or(inclusion.end, |(_, at)| *at), self.around(debug, unit, inclusion.parent))
            }
            // The list does not have the file: what is in effect at the end of the primary one.
            None => (u32::MAX, Vec::new()),
        };
        Some(MacroScope { unit: unit.root()?, before, file, line, included })
    }

    /// Where the files around an inclusion include what is in them.
    fn around(
        &self,
        debug: &Debug<'a>,
        unit: &UnitEntry<'a>,
        mut parent: Option<(u32, u64)>,
    ) -> Vec<(Arc<SourcePath>, u64)> {
        let mut around = Vec::new();
        while let Some((number, line)) = parent {
            let Some(inclusion) = self.files.get(number as usize) else { break };
            around.extend(unit.source_file(debug, inclusion.file).map(|file| (file, line)));
            parent = inclusion.parent;
        }
        around
    }

    fn definition(&self, debug: &Debug<'a>, unit: &UnitEntry<'a>, change: &Change<'a>) -> Option<MacroDefinition> {
        let text = String::from_utf8_lossy(change.text?).into_owned();
        let inclusion = self.files.get(change.inclusion.unwrap_or(0) as usize);
        Some(MacroDefinition {
            text,
            file: inclusion.and_then(|inclusion| unit.source_file(debug, inclusion.file)),
            line: change.line,
            included: inclusion.map(|i| self.around(debug, unit, i.parent)).unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests;
