//! Macros by name, at a place of the source.

use super::reader;
use super::table::{Change, MacroDefinition, MacroScope, MacroTable};
use crate::names::lookup::Names;
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use crate::units::unit_cache::PerUnit;
use arch::LinkAddr;

/// Most inclusions of a file that are compared.
const MOST_INCLUSIONS: usize = 1000;

/// The macros of an image, as far as they have been read; `None` for a unit that has none.
#[derive(Default)]
pub(crate) struct Macros<'a>(PerUnit<Option<MacroTable<'a>>>);

impl<'a> Macros<'a> {
    /// Returns the place from where the code at an address looks at macros: the line that it was made of, or, if
    /// functions are inlined there, the line of that level (0 is the innermost). `None` if its unit has no macros.
    pub(crate) fn scope(&self, names: &Names<'a>, at: LinkAddr, inline: usize) -> Option<MacroScope> {
        let has_some = || names.unit_at(at).is_some_and(|unit| self.of_unit(names, unit).is_some());
        if !has_some() {
            return None;
        }
        let level = names.inline_chain(at).into_iter().nth(inline).and_then(|level| Some((level.file?, level.line?)));
        let (file, line) = level.or_else(|| names.line_at(at).map(|row| (row.file, row.line)))?;
        let unit = names.unit_at(at)?;
        self.of_unit(names, unit)?.scope(names, unit, file, line)
    }

    /// Looks up the definition that a name has at a place.
    pub(crate) fn named(&self, units: &Units<'a>, scope: &MacroScope, name: &str) -> Option<MacroDefinition> {
        let unit = units.unit_of(scope.unit)?;
        let table = self.of_unit(units, unit)?;
        let found = table.in_effect(scope, name, MOST_INCLUSIONS);
        table.definition(units, unit, found.into_iter().next()??)
    }

    /// Returns the different texts that a name is defined as where the file of a place is included several times; `None`
    /// if there are not several.
    pub(crate) fn ambiguous(&self, units: &Units<'a>, scope: &MacroScope, name: &str) -> Option<Vec<String>> {
        let unit = units.unit_of(scope.unit).filter(|_| !scope.others.is_empty())?;
        let found = self.of_unit(units, unit)?.in_effect(scope, name, MOST_INCLUSIONS);
        let text = |change: Option<&Change<'a>>| match change.and_then(|change| change.text) {
            Some(text) => String::from_utf8_lossy(text).into_owned(),
            None => "not defined".to_owned(),
        };
        (found.len() > 1).then(|| found.into_iter().map(text).collect())
    }

    /// Looks up all definitions that a name has in the unit of a place.
    pub(crate) fn all_named(&self, units: &Units<'a>, scope: &MacroScope, name: &str) -> Vec<MacroDefinition> {
        let Some(unit) = units.unit_of(scope.unit) else { return Vec::new() };
        let Some(table) = self.of_unit(units, unit) else { return Vec::new() };
        let changes = table.changes.get(name.as_bytes()).map(Vec::as_slice).unwrap_or_default();
        let mut changes: Vec<_> = changes.iter().collect();
        changes.sort_by_key(|change| change.at);
        changes.into_iter().filter_map(|change| table.definition(units, unit, change)).collect()
    }

    /// Returns the macros of a unit; `None` if there are none.
    pub(crate) fn of_unit(&self, units: &Units<'a>, unit: &UnitEntry<'a>) -> Option<&MacroTable<'a>> {
        self.0.get_or_make(unit.base, || Some(reader::read(units, unit)))?.as_ref()
    }
}

#[cfg(test)]
mod tests;
