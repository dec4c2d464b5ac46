//! The macros of one unit.

use crate::model::code::SourcePath;
use crate::model::die::DieId;
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use std::collections::HashMap;
use std::sync::Arc;

/// The macros of one unit.
#[derive(Default)]
pub(crate) struct MacroTable<'a> {
    /// Each time that a file was included, the unit's primary source file first.
    pub(super) files: Vec<Inclusion>,
    /// By name, in the order of the text.
    pub(super) changes: HashMap<&'a [u8], Vec<Change<'a>>>,
}

/// A file that was included once.
pub(super) struct Inclusion {
    /// Its number in the unit's line table.
    pub(super) file: u64,
    /// The including one, and the line there.
    pub(super) parent: Option<(u32, u64)>,
    /// How many files are around it.
    pub(super) depth: u32,
    /// The line of what stands in this file itself, and where that is in the list.
    pub(super) entries: Vec<(u64, u32)>,
    /// Where in the list it ends.
    pub(super) end: u32,
}

/// A definition, or the end of one.
pub(super) struct Change<'a> {
    /// Where in the list it is; what the compiler and its command line define is at the beginning.
    pub(super) at: u32,
    /// The inclusion that it is in; `None` if it is in no file.
    pub(super) inclusion: Option<u32>,
    pub(super) line: u64,
    /// The name with its parameters and what it stands for; `None` after `#undef`.
    pub(super) text: Option<&'a [u8]>,
}

/// A place of the source from which macros are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroScope {
    pub(super) unit: DieId,
    /// What comes in the unit's list before this is in effect.
    pub(super) before: u32,
    /// The same place of the other inclusions of the file, of which any may be meant.
    pub(super) others: Vec<u32>,
    /// The numbers of all inclusions of the file.
    pub(super) inclusions: Vec<u32>,
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

impl MacroScope {
    /// Returns how often the file is included.
    pub fn inclusions(&self) -> usize {
        self.inclusions.len()
    }
}

impl<'a> MacroTable<'a> {
    /// Finds the place of a line. Of a file that was included several times, the inclusion with the fewest files around
    /// it counts, as in GDB.
    pub(super) fn scope(
        &self,
        units: &Units<'a>,
        unit: &UnitEntry<'a>,
        file: Arc<SourcePath>,
        line: u32,
    ) -> Option<MacroScope> {
        let is_meant = |number: u64| unit.source_file(units, number).is_some_and(|found| found.path == file.path);
        let mut known: HashMap<u64, bool> = HashMap::new();
        let all = (0..).zip(&self.files).filter(|(_, i)| *known.entry(i.file).or_insert_with(|| is_meant(i.file)));
        let (inclusions, meant): (Vec<u32>, Vec<&Inclusion>) = all.unzip();
        let place = |inclusion: &Inclusion| {
            let next = inclusion.entries.iter().find(|(at, _)| *at > u64::from(line));
            next.map_or(inclusion.end, |(_, at)| *at)
        };
        let found = meant.iter().min_by_key(|inclusion| inclusion.depth);
        let (before, included) = match found {
            Some(inclusion) => (place(inclusion), self.around(units, unit, inclusion.parent)),
            // The list does not have the file: what is in effect at the end of the primary one.
            None => (u32::MAX, Vec::new()),
        };
        let others = meant.iter().map(|inclusion| place(inclusion)).filter(|at| *at != before).collect();
        Some(MacroScope { unit: unit.root()?, before, others, inclusions, file, line, included })
    }

    /// Finds where the files around an inclusion include what is in them.
    fn around(
        &self,
        units: &Units<'a>,
        unit: &UnitEntry<'a>,
        mut parent: Option<(u32, u64)>,
    ) -> Vec<(Arc<SourcePath>, u64)> {
        let mut around = Vec::new();
        while let Some((number, line)) = parent {
            let Some(inclusion) = self.files.get(number as usize) else { break };
            around.extend(unit.source_file(units, inclusion.file).map(|file| (file, line)));
            parent = inclusion.parent;
        }
        around
    }

    /// Finds the changes of a name that may be in effect at a place, each with another text: that of the inclusion which is
    /// meant first, and those of so many others. `None`: the name is not defined.
    pub(super) fn in_effect(&self, scope: &MacroScope, name: &str, most: usize) -> Vec<Option<&Change<'a>>> {
        let mut found: Vec<Option<&Change<'a>>> = Vec::new();
        for before in [scope.before].into_iter().chain(scope.others.iter().copied()).take(most) {
            let change = self.last_before(name, before).filter(|change| change.text.is_some());
            let text = |change: Option<&Change<'a>>| change.and_then(|change| change.text);
            if !found.iter().any(|other| text(*other) == text(change)) {
                found.push(change);
            }
        }
        // Where one inclusion defines it in front of the place, and another has nothing of that line, it has nothing of the
        // place either: a condition leaves them out.
        let is_of_file =
            |change: &&Change<'a>| change.inclusion.is_some_and(|number| scope.inclusions.contains(&number));
        let is_above = |change: &Change<'a>| change.line <= u64::from(scope.line);
        if found.iter().flatten().any(|change| is_of_file(change) && is_above(change)) {
            found.retain(Option::is_some);
        }
        found
    }

    /// Finds the last change of a name before a place in the list.
    pub(super) fn last_before(&self, name: &str, before: u32) -> Option<&Change<'a>> {
        let changes = self.changes.get(name.as_bytes())?.iter().enumerate();
        changes.filter(|(_, c)| c.at < before).max_by_key(|(i, c)| (c.at, *i)).map(|(_, change)| change)
    }

    pub(super) fn definition(
        &self,
        units: &Units<'a>,
        unit: &UnitEntry<'a>,
        change: &Change<'a>,
    ) -> Option<MacroDefinition> {
        let text = String::from_utf8_lossy(change.text?).into_owned();
        let inclusion = self.files.get(change.inclusion.unwrap_or(0) as usize);
        Some(MacroDefinition {
            text,
            file: inclusion.and_then(|inclusion| unit.source_file(units, inclusion.file)),
            line: change.line,
            included: inclusion.map(|i| self.around(units, unit, i.parent)).unwrap_or_default(),
        })
    }
}
