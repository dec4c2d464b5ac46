//! Types by name, without the names of all units: by a table that the file has, or by the symbols of member functions.

use super::entry::NameKind;
use super::lookup::Names;
use crate::model::die::DieId;
use crate::naming::components::is_spelled_out;
use crate::naming::query::NameQuery;
use crate::units::file_number::FileNumber;
use std::collections::BTreeSet;

/// No more units are looked into for a name.
const MAX_LISTED: usize = 32;

/// No more units are looked into for a class: what its name is that of, is a namespace.
const MAX_UNITS: usize = 4;

impl<'a> Names<'a> {
    /// Finds the first definition of a type, by the order of `kinds`, then of the file: `name` with all scopes around
    /// it. `None` if the file has no table that leads to one, or if all names are known anyway.
    pub(crate) fn tabled_type(&self, kinds: &[NameKind], name: &str) -> Option<DieId> {
        self.tabled_types(kinds, name)?.into_iter().next()
    }

    /// Finds all definitions of a type, in the order of [`Names::tabled_type`].
    pub(crate) fn tabled_types(&self, kinds: &[NameKind], name: &str) -> Option<Vec<DieId>> {
        if self.knows_names() {
            return None;
        }
        let query = NameQuery::parse(name);
        let whole = query.whole();
        let units = self.type_table()?.units(&whole, query.last())?;
        if units.len() > MAX_LISTED || query.parameters.is_some() {
            return None;
        }
        let mut found = Vec::new();
        for offset in units {
            let unit = self.unit_of(FileNumber::MAIN.die_at(offset)?)?;
            // A table of another build leads anywhere.
            if unit.header().offset().0 as u64 != offset || self.is_skeleton(unit) {
                return None;
            }
            let names = self.self_contained_names(unit)?;
            for (order, kind) in kinds.iter().enumerate() {
                let definitions = names.find(*kind, &query).filter(|entry| !entry.declaration);
                let dies = definitions.map(|entry| entry.die);
                let same = dies.filter(|die| names.qualified(*die).as_deref() == Some(&*whole));
                found.extend(same.map(|die| (order, die)));
            }
        }
        found.sort_unstable();
        Some(found.into_iter().map(|(_, die)| die).collect()).filter(|found: &Vec<DieId>| !found.is_empty())
    }

    /// Finds, while the names of a large file are still being read, the definition of a class whose functions have
    /// symbols: `name` with all scopes around it. It is that of a unit with a function of the class, of several the
    /// first in the file; not always the one that is found when all names are known, but one of the same class. What
    /// else has the name, as a type definition in another unit, is not known.
    pub(crate) fn class_by_symbol(&self, kinds: &[NameKind], name: &str) -> Option<DieId> {
        let query = NameQuery::parse(name);
        let components: Vec<&str> = query.scopes().iter().copied().chain([query.last()]).collect();
        if query.parameters.is_some() || !components.iter().all(|part| is_spelled_out(part)) || !self.is_reading() {
            return None;
        }
        let functions = self.symbols.functions_inside(&components);
        let whole = query.whole();
        let units: BTreeSet<u64> = functions.into_iter().filter_map(|at| self.listed_unit_at(at)).collect();
        let roots = units.into_iter().take(MAX_UNITS).filter_map(|offset| FileNumber::MAIN.die_at(offset));
        let definition = |root| {
            let begins = self.unit_of(root).is_some_and(|unit| unit.header().offset().0 as u64 == root.0);
            let names = self.early_names_around(root).filter(|_| begins)?;
            let is_it = |die: DieId| names.qualified(die).as_deref() == Some(&*whole);
            let has = |kind: &NameKind| {
                names.find(*kind, &query).find(|e| !e.declaration && !e.local && is_it(e.die)).map(|e| e.die)
            };
            // A type definition of this very name comes first.
            let other = [NameKind::Typedef, NameKind::BaseType].iter().any(|kind| has(kind).is_some());
            kinds.iter().find_map(has).filter(|_| !other)
        };
        roots.into_iter().find_map(definition)
    }
}

#[cfg(test)]
mod tests;
