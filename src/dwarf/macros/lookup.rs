//! Macros by name, at a place of the source.

use crate::arch::LinkAddr;
use crate::dwarf::image::facade::Image;
use crate::dwarf::units::collection::{Debug, UnitEntry};

use super::table::{MacroDefinition, MacroScope, MacroTable};

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
    pub(in crate::dwarf) fn macros<'d>(&'d self, debug: &'d Debug<'a>) -> Option<&'d MacroTable<'a>> {
        self.macros.get_or_init(|| super::reader::read(debug, self)).as_ref()
    }
}

#[cfg(test)]
mod tests;
