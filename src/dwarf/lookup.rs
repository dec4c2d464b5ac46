//! Names looked up: in the index of all names of a file, or for a large file, in those of the units that its directory
//! of names tells.

use super::DieId;
use super::directory::Directory;
use super::name_query::NameQuery;
use super::names::{NameEntry, NameIndex, NameKind, in_parallel};
use super::split::FileNumber;
use super::units::Debug;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock};

/// Names of so many units are kept.
const KEPT: usize = 32;

/// The names of an image, as far as they have been read.
#[derive(Default)]
pub(super) struct Names<'a> {
    whole: OnceLock<Arc<NameIndex<'a>>>,
    directory: OnceLock<Option<Directory>>,
    /// By number of the unit, the last used at the end.
    units: Mutex<VecDeque<(usize, Arc<NameIndex<'a>>)>>,
}

impl<'a> Debug<'a> {
    /// Names of functions, variables, types and enumerators of all units; built when first asked for.
    pub(super) fn index(&self) -> &Arc<NameIndex<'a>> {
        self.names.whole.get_or_init(|| Arc::new(NameIndex::build(self)))
    }

    /// For a large file, which units have which names; made when first asked for. `None`: its names are all indexed.
    pub(super) fn directory(&self) -> Option<&Directory> {
        let open = || {
            let large = self.is_large() && self.sections.supplement.is_none();
            large.then(|| Directory::open(self)).flatten()
        };
        self.names.directory.get_or_init(open).as_ref()
    }

    /// The names of one unit.
    fn names_of_unit(&self, number: usize) -> Option<Arc<NameIndex<'a>>> {
        // A panic of another thread leaves at worst a missing entry behind.
        let lock = || self.names.units.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut units = lock();
        if let Some(at) = units.iter().position(|(known, _)| *known == number) {
            let found = units.remove(at)?;
            let names = found.1.clone();
            units.push_back(found);
            return Some(names);
        }
        drop(units);
        let names = Arc::new(NameIndex::of_unit(self, self.units().get(number)?));
        let mut units = lock();
        units.push_back((number, names.clone()));
        if units.len() > KEPT {
            units.pop_front();
        }
        Some(names)
    }

    fn names_of_units(&self, numbers: &[usize]) -> Vec<Arc<NameIndex<'a>>> {
        in_parallel(numbers, || (), |(), _, number| self.names_of_unit(*number)).into_iter().flatten().collect()
    }

    /// The names among which are all that a query may mean, in parts.
    pub(super) fn names_for(&self, kinds: &[NameKind], query: &NameQuery<'_>) -> Vec<Arc<NameIndex<'a>>> {
        match self.directory() {
            Some(directory) => self.names_of_units(&directory.units(kinds, query)),
            None => vec![self.index().clone()],
        }
    }

    /// The names among which is that of a DIE.
    pub(super) fn names_around(&self, die: DieId) -> Option<Arc<NameIndex<'a>>> {
        if self.directory().is_none() {
            return Some(self.index().clone());
        }
        if FileNumber::of(die) != FileNumber::MAIN {
            return None;
        }
        self.names_of_unit(self.unit_number_of(die)?)
    }

    /// The DIEs that a name stands for: `name` is a bare name (`f`), or one with some or all of the scopes around it
    /// (`b::f`, `a::b::f`). Definitions come before declarations, names at file level before those inside functions,
    /// then by rising [`DieId`].
    ///
    /// Of copies of one type, enumerator or declaration, a large file may give the first only.
    pub(super) fn find(&self, kind: NameKind, name: &str) -> impl Iterator<Item = DieId> + use<> {
        let query = NameQuery::parse(name);
        let mut found: Vec<(bool, bool, DieId)> = Vec::new();
        for names in self.names_for(&[kind], &query) {
            found.extend(names.find(kind, &query).map(|e| (e.declaration, e.local, e.die)));
        }
        found.sort_unstable();
        found.into_iter().map(|(_, _, die)| die)
    }

    /// Name of a DIE with the namespaces, types and functions around it: `a::b::f`. `None` if it is not indexed.
    pub(super) fn qualified(&self, die: DieId) -> Option<String> {
        self.names_around(die)?.qualified(die)
    }

    /// Whether a DIE is inside a function. `false` if it is not indexed.
    pub(super) fn is_in_function(&self, die: DieId) -> bool {
        self.names_around(die).is_some_and(|names| names.is_in_function(die))
    }

    /// The inlined copies of a function.
    pub(super) fn copies_of(&self, function: DieId) -> Vec<DieId> {
        self.names_around(function).map(|names| names.inlined_copies(function).collect()).unwrap_or_default()
    }

    /// Rust's tables of functions for trait objects.
    pub(super) fn vtables(&self) -> Vec<DieId> {
        let parts = match self.directory() {
            Some(directory) => self.names_of_units(&directory.units_with_vtables()),
            None => vec![self.index().clone()],
        };
        parts.iter().flat_map(|names| names.variables_ending("::{vtable}").collect::<Vec<_>>()).collect()
    }

    /// The subprogram DIEs that a query means: functions with code, declarations, and what inlined copies are of.
    pub(super) fn functions_matching(&self, query: &NameQuery<'_>) -> Vec<NameEntry<'a>> {
        let mut found = Vec::new();
        for names in self.names_for(&[NameKind::Function], query) {
            let matches = |e: &NameEntry<'a>| {
                let shown =
                    || super::functions::display_name(self, e.die).is_some_and(|shown| query.matches_shown(&shown));
                match (names.in_scopes(e, query), query.parameters) {
                    (true, None) => true,
                    (true, Some(_)) => shown(),
                    // A Rust path through an `impl` block reads differently in the two places that have it.
                    (false, _) => !query.scopes().is_empty() && shown(),
                }
            };
            found.extend(names.functions_like(query).into_iter().filter(matches));
        }
        found
    }
}
