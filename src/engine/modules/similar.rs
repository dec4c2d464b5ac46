//! Names that may have been meant by one that nothing has.

use crate::modules::loaded::Modules;
use base::qualified::{bare, bare_last, nearest};
use dwarf::NameSort;
use program::names::similar::{distinct, functions_meant};
use std::collections::BTreeSet;

impl Modules {
    /// Returns the functions that may have been meant: in other scopes, or called nearly so. Those of the program come
    /// before those of libraries, which are left out if so wanted.
    pub(crate) fn functions_near(&self, name: &str, with_libraries: bool) -> Vec<String> {
        functions_meant(name, self.all(), with_libraries)
    }

    /// Returns the variables of the program that may have been meant.
    pub(crate) fn variables_near(&self, name: &str) -> Vec<String> {
        self.named_near(name, NameSort::Variable)
    }

    /// Returns the types of the program that may have been meant. `struct` may stand before the name.
    pub(crate) fn types_near(&self, name: &str) -> Vec<String> {
        let tag = ["struct ", "union ", "enum ", "class "].into_iter().find(|tag| name.starts_with(tag));
        self.named_near(tag.and_then(|tag| name.strip_prefix(tag)).unwrap_or(name), NameSort::Type)
    }

    fn named_near(&self, name: &str, sort: NameSort) -> Vec<String> {
        let last = bare_last(name);
        let names: BTreeSet<(String, String)> =
            self.program().into_iter().flat_map(|module| module.image.names_of(sort)).collect();
        let wanted = std::iter::once(last).chain(nearest(last, names.iter().map(|(one, _)| bare(one))));
        let found =
            wanted.flat_map(|last| names.iter().filter(move |(one, _)| bare(one) == last)).map(|(_, whole)| whole);
        distinct(found.filter(|found| found.as_str() != name))
    }
}
