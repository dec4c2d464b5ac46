//! Types and enumerators of a source file, as a name with the file before it means them.

use crate::model::die::{DieId, TypeTag};
use crate::names::entry::NameKind;
use crate::types::by_die::Types;
use crate::units::attributes::unit_file;
use ctype::TypeRef;
use std::collections::BTreeSet;
use std::path::Path;

/// Most units of which all types of one name are listed.
const MOST_UNITS: usize = 64;
/// What the name of a type may be.
const KINDS: [NameKind; 6] =
    [NameKind::Typedef, NameKind::BaseType, NameKind::Struct, NameKind::Class, NameKind::Union, NameKind::Enum];

impl Types<'_> {
    /// Lists the types that units define by a name, each with the unit's file; of so many units.
    pub(crate) fn types_of_units(&self, tag: Option<TypeTag>, name: &str) -> Vec<(String, TypeRef)> {
        self.of_units(&KINDS, name, |unit| self.type_of_unit(unit, &[], tag, name))
    }

    /// Lists the types and values of the enumerators that units define by a name, each with the unit's file; of so many
    /// units.
    pub(crate) fn enumerators_of_units(&self, name: &str) -> Vec<(String, (TypeRef, i128))> {
        self.of_units(&[NameKind::Enumerator], name, |unit| self.enumerator_of_unit(unit, &[], name))
    }

    fn of_units<T>(&self, kinds: &[NameKind], name: &str, find: impl Fn(DieId) -> Option<T>) -> Vec<(String, T)> {
        // Of a large file all of these would have to be read for a note.
        if self.is_large() {
            return Vec::new();
        }
        let units = self.units_with(kinds, name).into_iter().take(MOST_UNITS);
        units.filter_map(|unit| Some((unit_file(self, unit)?.to_owned(), find(unit)?))).collect()
    }

    /// Finds the type that a name means in the units of a source file: the definition of the first one that has any.
    pub(crate) fn type_of_file(&self, file: &str, tag: Option<TypeTag>, name: &str) -> Option<TypeRef> {
        self.units_of_file(file, &KINDS, name).into_iter().find_map(|unit| self.type_of_unit(unit, &[], tag, name))
    }

    /// Finds the enumerator that a name means in the units of a source file: its type and value.
    pub(crate) fn enumerator_of_file(&self, file: &str, name: &str) -> Option<(TypeRef, i128)> {
        let units = self.units_of_file(file, &[NameKind::Enumerator], name);
        units.into_iter().find_map(|unit| self.enumerator_of_unit(unit, &[], name))
    }

    /// Returns the roots of the units that have a name and were made of a source file.
    fn units_of_file(&self, file: &str, kinds: &[NameKind], name: &str) -> Vec<DieId> {
        let is_of_file = |unit: &DieId| unit_file(self, *unit).is_some_and(|path| ends_with(path, file));
        self.units_with(kinds, name).into_iter().filter(is_of_file).collect()
    }

    /// Returns the roots of the units that have a name.
    fn units_with(&self, kinds: &[NameKind], name: &str) -> BTreeSet<DieId> {
        let named = kinds.iter().flat_map(|kind| self.find(*kind, name));
        named.filter_map(|die| self.unit_of(die)?.root()).collect()
    }
}

/// Returns whether the last components of a path are these.
pub(super) fn ends_with(path: impl AsRef<Path>, wanted: &str) -> bool {
    !wanted.is_empty() && path.as_ref().ends_with(wanted)
}
