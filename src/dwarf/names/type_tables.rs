//! Types by name without reading the names of all units, where a table in the file tells which units to look into:
//! `.gdb_index` or `.debug_names`.
//!
//! Such a table answers for types only, by their whole names, and only if it leads to a definition: it lists neither
//! what is declared, nor what is in functions, nor inlined functions, nor does it know a name by its end. Nobody says
//! that a table is of this very file, or right; what a unit does not confirm is not so, and what is not found goes the
//! long way.

use crate::dwarf::model::die::DieId;
use crate::dwarf::names::debug_names::DebugNames;
use crate::dwarf::names::gdb_index::GdbIndex;
use crate::dwarf::names::index::NameKind;
use crate::dwarf::naming::query::NameQuery;
use crate::dwarf::units::collection::Debug;
use crate::dwarf::units::split::FileNumber;

/// No more units are looked into for a name.
const MAX_UNITS: usize = 32;

/// More units than this that a table knows nothing of are too many to be looked into for every name.
const MAX_UNLISTED: usize = 16;

/// The table of a file.
pub(in crate::dwarf) struct TypeTable<'a> {
    names: Names<'a>,
    /// Units that may define what it does not list.
    unlisted: Vec<u64>,
}

enum Names<'a> {
    Gdb(GdbIndex<'a>),
    Standard(DebugNames<'a>),
}

impl<'a> TypeTable<'a> {
    /// That of a file; `None` if it has none that is of use.
    pub(in crate::dwarf) fn open(debug: &Debug<'a>) -> Option<Self> {
        let names = Self::gdb(debug).or_else(|| Self::standard(debug))?;
        let unlisted = match &names {
            Names::Gdb(index) => index.unlisted(),
            Names::Standard(names) => names.unlisted().to_vec(),
        };
        (unlisted.len() <= MAX_UNLISTED).then_some(Self { names, unlisted })
    }

    fn gdb(debug: &Debug<'a>) -> Option<Names<'a>> {
        GdbIndex::parse(debug.sections.names_section(".gdb_index").slice(), debug.info_size()).map(Names::Gdb)
    }

    fn standard(debug: &Debug<'a>) -> Option<Names<'a>> {
        let section = debug.sections.names_section(".debug_names");
        // All units are to be known for it.
        if section.is_empty() || debug.is_incomplete() {
            return None;
        }
        let units: Vec<u64> = debug.units().iter().map(|unit| unit.header().offset().0 as u64).collect();
        DebugNames::parse(section, debug.dwarf.debug_str, &units).map(Names::Standard)
    }

    /// Offsets of the units that may define a type.
    fn units(&self, whole: &str, last: &str) -> Option<Vec<u64>> {
        let mut units = match &self.names {
            Names::Gdb(index) => index.units(whole)?,
            Names::Standard(names) => names.units(whole, last)?,
        };
        units.extend_from_slice(&self.unlisted);
        units.sort_unstable();
        units.dedup();
        Some(units)
    }
}

impl<'a> Debug<'a> {
    /// The first definition of a type, by the order of `kinds`, then of the file: `name` with all scopes around it.
    /// `None` if the file has no table that leads to one, or if all names are known anyway.
    pub(in crate::dwarf) fn tabled_type(&self, kinds: &[NameKind], name: &str) -> Option<DieId> {
        if self.knows_names() {
            return None;
        }
        let query = NameQuery::parse(name);
        let whole = query.scopes().iter().copied().chain([query.last()]).collect::<Vec<_>>().join("::");
        let units = self.type_table()?.units(&whole, query.last())?;
        if units.len() > MAX_UNITS || query.parameters.is_some() {
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
        found.into_iter().min().map(|(_, die)| die)
    }
}

#[cfg(test)]
mod tests;
