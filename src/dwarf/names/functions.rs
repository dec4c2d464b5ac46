//! Functions by name, and the inlined copies of them.

use super::display::display_name;
use super::entry::NameEntry;
use super::entry::NameKind;
use super::index::NameIndex;
use super::lookup::Names;
use crate::dwarf::model::die::DieId;
use crate::dwarf::naming::components::is_spelled_out;
use crate::dwarf::naming::query::NameQuery;
use crate::dwarf::units::attributes::inherited;
use crate::dwarf::units::language::unit_language;
use crate::qualified::bare;

impl<'a> Names<'a> {
    /// Finds the subprogram DIEs that a query means: functions with code, declarations, and what inlined copies are of.
    pub(in crate::dwarf) fn functions_matching(&self, query: &NameQuery<'_>) -> Vec<NameEntry<'a>> {
        let mut found = Vec::new();
        self.with_functions_matching(query, |_, function| found.push(function));
        found
    }

    /// Finds the inlined copies of the functions that a query means.
    pub(in crate::dwarf) fn copies_matching(&self, query: &NameQuery<'_>) -> Vec<DieId> {
        let mut found = Vec::new();
        self.with_functions_matching(query, |names, function| found.extend(names.inlined_copies(function.die)));
        found
    }

    fn with_functions_matching(&self, query: &NameQuery<'_>, mut f: impl FnMut(&NameIndex<'a>, NameEntry<'a>)) {
        self.with_names_for(&[NameKind::Function], query, |names| {
            let matches = |e: &NameEntry<'a>| {
                // The functions of C have no overloads, and are shown without parameters.
                let is_in_c = || self.die(e.die).is_some_and(|(unit, ..)| unit_language(self, unit) == Some("c"));
                let is_of_c = |shown: &str| !shown.contains(['(', ':']) && query.scopes().is_empty() && is_in_c();
                let is_meant = |shown: &str| query.matches_shown(shown) || is_of_c(shown);
                let shown = || display_name(self, e.die).is_some_and(|shown| is_meant(&shown));
                match (names.in_scopes(e, query), query.parameters) {
                    (true, None) => true,
                    (true, Some(_)) => shown(),
                    // A Rust path through an `impl` block reads differently in the two places that have it.
                    (false, _) => !query.scopes().is_empty() && self.may_be_shown_in(e.die, query) && shown(),
                }
            };
            names.functions_like(query).into_iter().filter(matches).for_each(|function| f(names, function));
        });
    }

    /// Returns whether a function may be shown in the innermost scope of a query, as its mangled name tells: names are
    /// many, and to demangle them takes long.
    fn may_be_shown_in(&self, function: DieId, query: &NameQuery<'_>) -> bool {
        let Some(scope) = query.scopes().last().map(|scope| bare(scope)).filter(|scope| is_spelled_out(scope)) else {
            return true;
        };
        let name = inherited(self, function, gimli::DW_AT_linkage_name);
        let name = name.and_then(|name| self.string(name.unit, name.value));
        // Without a mangled name, it is shown in the scopes that it is in.
        name.is_some_and(|name| !name.starts_with("_Z") || name.contains(scope))
    }
}
