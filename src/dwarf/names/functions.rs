//! Functions by name.

use super::display::display_name;
use super::entry::NameEntry;
use super::entry::NameKind;
use super::index::NameIndex;
use super::lookup::Names;
use crate::model::die::DieId;
use crate::naming::components::is_spelled_out;
use crate::naming::query::NameQuery;
use crate::units::attributes::inherited;
use base::qualified::bare;

impl<'a> Names<'a> {
    /// Calls `f` with the subprogram DIEs that have the name of a query, whatever their parameters are: functions with
    /// code, declarations, and what inlined copies are of.
    pub(crate) fn with_functions_of_name(
        &self,
        query: &NameQuery<'_>,
        mut f: impl FnMut(&NameIndex<'a>, NameEntry<'a>),
    ) {
        self.with_names_for(&[NameKind::Function], query, |names| {
            let matches = |e: &NameEntry<'a>| {
                let shown = || display_name(self, e.die).is_some_and(|shown| query.matches_shown(&shown));
                // A Rust path through an `impl` block reads differently in the two places that have it.
                let is_elsewhere = || !query.scopes().is_empty() && self.may_be_shown_in(e.die, query) && shown();
                names.in_scopes(e, query) || is_elsewhere()
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
