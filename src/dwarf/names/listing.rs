//! All names of a sort, for those who look for one like another.

use super::entry::NameKind;
use super::index::NameIndex;
use super::lookup::Names;
use crate::model::die::NameSort;
use std::collections::BTreeSet;

/// The kinds of names of types.
const TYPES: [NameKind; 6] =
    [NameKind::BaseType, NameKind::Typedef, NameKind::Struct, NameKind::Union, NameKind::Class, NameKind::Enum];

impl Names<'_> {
    /// Lists the names of a sort: each by itself, and with the scopes around it. None of a large file, whose names are
    /// not in memory.
    pub(crate) fn names_of(&self, sort: NameSort) -> BTreeSet<(String, String)> {
        let kinds = match sort {
            NameSort::Variable => [NameKind::Variable].as_slice(),
            NameSort::Type => &TYPES,
        };
        match self.directory() {
            Some(_) => BTreeSet::new(),
            None => self.index().names_of(kinds),
        }
    }
}

impl NameIndex<'_> {
    fn names_of(&self, kinds: &[NameKind]) -> BTreeSet<(String, String)> {
        let named = self.entries().iter().filter(|entry| kinds.contains(&entry.kind) && !entry.name.is_empty());
        named.filter_map(|entry| Some((self.name_of(entry).to_owned(), self.qualified(entry.die)?))).collect()
    }
}
