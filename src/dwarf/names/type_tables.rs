//! Types by name without reading the names of all units, where a table in the file tells which units to look into:
//! `.gdb_index` or `.debug_names`.
//!
//! Such a table answers for types only, by their whole names, and only if it leads to a definition: it lists neither
//! what is declared, nor what is in functions, nor inlined functions, nor does it know a name by its end. Nobody says
//! that a table is of this very file, or right; what a unit does not confirm is not so, and what is not found goes the
//! long way.

use crate::names::debug_names::DebugNames;
use crate::names::gdb_index::GdbIndex;
use crate::units::collection::Units;

/// More units than this that a table knows nothing of are too many to be looked into for every name.
const MAX_UNLISTED: usize = 16;

/// The table of a file.
pub(crate) struct TypeTable<'a> {
    names: Names<'a>,
    /// Units that may define what it does not list.
    unlisted: Vec<u64>,
}

enum Names<'a> {
    Gdb(GdbIndex<'a>),
    Standard(DebugNames<'a>),
}

impl<'a> TypeTable<'a> {
    /// Opens the table of a file; `None` if it has none that is of use.
    pub(crate) fn open(units: &Units<'a>) -> Option<Self> {
        let names = Self::gdb(units).or_else(|| Self::standard(units))?;
        let unlisted = match &names {
            Names::Gdb(index) => index.unlisted(),
            Names::Standard(names) => names.unlisted().to_vec(),
        };
        (unlisted.len() <= MAX_UNLISTED).then_some(Self { names, unlisted })
    }

    fn gdb(units: &Units<'a>) -> Option<Names<'a>> {
        GdbIndex::parse(units.sections.names_section(".gdb_index").slice(), units.info_size()).map(Names::Gdb)
    }

    fn standard(units: &Units<'a>) -> Option<Names<'a>> {
        let section = units.sections.names_section(".debug_names");
        // All units are to be known for it.
        if section.is_empty() || units.is_incomplete() {
            return None;
        }
        let offsets: Vec<u64> = units.units().iter().map(|unit| unit.header().offset().0 as u64).collect();
        DebugNames::parse(section, units.dwarf.debug_str, &offsets).map(Names::Standard)
    }

    /// Looks up the offsets of the units that may define a type.
    pub(super) fn units(&self, whole: &str, last: &str) -> Option<Vec<u64>> {
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
