//! Names looked up: in the index of all names of a file, or for a large file, in those of the units that its directory
//! of names tells.

use crate::model::die::DieId;
use crate::names::background_scan::BackgroundScan;
use crate::names::directory::Directory;
use crate::names::entry::NameKind;
use crate::names::index::NameIndex;
use crate::names::type_tables::TypeTable;
use crate::naming::query::NameQuery;
use crate::sections::missing_debug_info::Subject;
use crate::symbols::lookup::Symbols;
use crate::tasks::parallel::in_parallel;
use crate::tasks::work::READING;
use crate::tasks::work::{Measure, Task};
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use crate::units::file_number::FileNumber;
use base::untrusted::one_line;
use std::collections::{HashMap, VecDeque};
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// So many names of units are kept, of 64 bytes each: those of the units that were asked about last.
const KEPT: usize = 1 << 20;

/// Names of so many units are read at a time.
const AT_ONCE: usize = 4;

/// The names of an image, as far as they have been read: those of its DIEs, and its symbols.
pub(crate) struct Names<'a> {
    units: Units<'a>,
    pub(crate) symbols: Arc<Symbols>,
    whole: OnceLock<Arc<NameIndex<'a>>>,
    directory: OnceLock<Option<Directory>>,
    /// What makes the directory: begun when `.debug_info` is decompressed, or when somebody asks for a name.
    scan: OnceLock<Arc<BackgroundScan>>,
    /// Of the units that refer to each other, if a directory leaves some to be read together.
    linked: OnceLock<Option<Arc<NameIndex<'a>>>>,
    table: OnceLock<Option<TypeTable<'a>>>,
    /// By the root of the unit, the last used at the end.
    recent: Mutex<VecDeque<(DieId, Arc<NameIndex<'a>>)>>,
    /// Of functions for people, made so far.
    pub(super) display_names: Mutex<HashMap<DieId, Arc<str>>>,
    /// Whether there are operators for operands of some types, by both, as far as that was asked.
    pub(crate) own_operators: Mutex<HashMap<String, bool>>,
    /// The source files that a name means which was asked for last.
    pub(crate) last_file: Mutex<Option<(String, FilesOfUnits)>>,
}

/// Source files: index of the unit, index into its file table.
pub(crate) type FilesOfUnits = Vec<(usize, u32)>;

impl<'a> Deref for Names<'a> {
    type Target = Units<'a>;

    fn deref(&self) -> &Units<'a> {
        &self.units
    }
}

impl Drop for Names<'_> {
    fn drop(&mut self) {
        if let Some(scan) = self.scan.get() {
            scan.stop();
        }
    }
}

/// Most things that one name finds; no program has more.
pub(crate) const MOST_OF_NAME: usize = 1 << 14;

/// Most instances of a template of which the spelling of arguments is compared.
const MOST_COMPARED: usize = 256;

impl<'a> Names<'a> {
    /// Creates the names of units. If their section is being decompressed, the directory of their names is made on the
    /// way.
    pub(crate) fn new(units: Units<'a>, symbols: Arc<Symbols>) -> Self {
        let sections = units.sections;
        let scan = sections.decompression().map(|decompression| {
            BackgroundScan::following(sections.main().for_names(), decompression, sections.debug(), &sections.cache)
        });
        Self {
            units,
            symbols,
            whole: OnceLock::new(),
            directory: OnceLock::new(),
            scan: scan.map_or_else(OnceLock::new, OnceLock::from),
            linked: OnceLock::new(),
            table: OnceLock::new(),
            recent: Mutex::default(),
            display_names: Mutex::default(),
            own_operators: Mutex::default(),
            last_file: Mutex::default(),
        }
    }

    /// Returns what makes the directory of names, or has it from the cache. Begins it.
    pub(crate) fn scan(&self) -> &Arc<BackgroundScan> {
        let sections = self.sections;
        self.scan.get_or_init(|| match Directory::cached(sections.debug(), &sections.cache) {
            Some(directory) => BackgroundScan::ended(directory),
            None => BackgroundScan::over(sections.main().clone(), sections.debug(), &sections.cache),
        })
    }

    /// Waits for the directory that is made in the background, and takes it.
    fn wait_for_scan(&self) -> Option<Directory> {
        let (scan, size) = (self.scan(), self.info_size());
        let made = || match self.sections.decompression() {
            Some(decompression) if decompression.has_ended() => size,
            Some(decompression) => decompression.made(),
            None => scan.bytes(),
        };
        self.sections.work.wait(READING, Measure::Bytes, size, made, |patience| scan.has_ended(patience));
        scan.take()
    }

    /// Returns the names of functions, variables, types and enumerators of all units; built when first asked for.
    pub(crate) fn index(&self) -> &Arc<NameIndex<'a>> {
        self.whole.get_or_init(|| Arc::new(NameIndex::build(self)))
    }

    /// Returns the directory of which units have which names in a large file; made when first asked for. `None`: its
    /// names are all indexed.
    pub(crate) fn directory(&self) -> Option<&Directory> {
        let open = || self.may_have_directory().then(|| Directory::open(self, self.wait_for_scan())).flatten();
        self.directory.get_or_init(open).as_ref()
    }

    fn may_have_directory(&self) -> bool {
        self.is_large() && self.sections.supplement.is_none()
    }

    /// Returns the names of one unit, which `read` reads if they are not known.
    fn names_of_unit(
        &self,
        unit: &UnitEntry<'a>,
        read: impl FnOnce() -> Option<NameIndex<'a>>,
    ) -> Option<Arc<NameIndex<'a>>> {
        let root = unit.root()?;
        // A panic of another thread leaves at worst a missing entry behind.
        let lock = || self.recent.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut units = lock();
        if let Some(at) = units.iter().position(|(known, _)| *known == root) {
            let found = units.remove(at)?;
            let names = found.1.clone();
            units.push_back(found);
            return Some(names);
        }
        drop(units);
        let names = Arc::new(read()?);
        let mut units = lock();
        units.push_back((root, names.clone()));
        let mut total: usize = units.iter().map(|(_, names)| names.len()).sum();
        while total > KEPT
            && units.len() > 1
            && let Some((_, oldest)) = units.pop_front()
        {
            total -= oldest.len();
        }
        Some(names)
    }

    /// Begins to read the names of units.
    fn read_units(&self, numbers: &[usize]) -> Task<'_> {
        let units = numbers.iter().filter_map(|number| self.units().get(*number));
        let bytes = units.map(|unit| unit.header().length_including_self() as u64).sum();
        self.sections.work.begin(READING, Measure::Bytes, bytes)
    }

    /// Calls `f` with the names of units, by rising number. Few are in memory at a time: a name may be in most units.
    fn with_names_of(&self, numbers: &[usize], mut f: impl FnMut(&NameIndex<'a>)) {
        let task = self.read_units(numbers);
        for few in numbers.chunks(AT_ONCE) {
            let of = |number: &usize| {
                let unit = self.units().get(*number)?;
                self.names_of_unit(unit, || Some(NameIndex::of_unit(self, unit, &task)))
            };
            let read = in_parallel(few, || (), |(), _, number| of(number));
            read.into_iter().flatten().for_each(|names| f(&names));
            if numbers.len() > AT_ONCE {
                self.sections.forget_all();
            }
        }
    }

    /// Calls `f` with names, in parts, among which are all that a query may mean.
    pub(super) fn with_names_for(&self, kinds: &[NameKind], query: &NameQuery<'_>, mut f: impl FnMut(&NameIndex<'a>)) {
        match self.directory() {
            Some(directory) => {
                self.linked(directory).into_iter().for_each(|names| f(names));
                self.with_names_of(&directory.units(kinds, query), f);
            }
            None => f(self.index()),
        }
    }

    /// Returns in how many units names would have to be read for a query; 0 if they are all indexed.
    pub(crate) fn units_for(&self, kinds: &[NameKind], query: &NameQuery<'_>) -> usize {
        self.directory().map_or(0, |directory| directory.units(kinds, query).len())
    }

    /// Returns the names of the units that refer to each other, if there are some.
    fn linked(&self, directory: &Directory) -> Option<&Arc<NameIndex<'a>>> {
        let read = || {
            let numbers: Vec<usize> = directory.linked().collect();
            let units: Vec<_> = numbers.iter().filter_map(|number| self.units().get(*number)).collect();
            let task = self.read_units(&numbers);
            (!units.is_empty()).then(|| Arc::new(NameIndex::of_units(self, &units, &task)))
        };
        self.linked.get_or_init(read).as_ref()
    }

    /// Returns the names among which is that of a DIE.
    pub(crate) fn names_around(&self, die: DieId) -> Option<Arc<NameIndex<'a>>> {
        if let Some(names) = self.early_names_around(die) {
            return Some(names);
        }
        let Some(directory) = self.directory() else { return Some(self.index().clone()) };
        if FileNumber::of(die) != FileNumber::MAIN {
            return None;
        }
        let unit = self.unit_of(die)?;
        let number = self.number_of(unit.header().offset().0 as u64);
        if directory.linked().any(|linked| Some(linked) == number) {
            return self.linked(directory).cloned();
        }
        self.names_of_unit(unit, || Some(NameIndex::of_unit(self, unit, &self.read_unit(unit))))
    }

    /// Returns those names while the directory is being made, for a unit that does not refer to others.
    pub(crate) fn early_names_around(&self, die: DieId) -> Option<Arc<NameIndex<'a>>> {
        if !self.is_reading() || FileNumber::of(die) != FileNumber::MAIN {
            return None;
        }
        self.self_contained_names(self.unit_of(die)?)
    }

    /// Returns the names of a unit that does not refer to others.
    pub(crate) fn self_contained_names(&self, unit: &UnitEntry<'a>) -> Option<Arc<NameIndex<'a>>> {
        self.names_of_unit(unit, || NameIndex::of_self_contained(self, unit, &self.read_unit(unit)))
    }

    /// Returns the table that a large file has itself, if it has one.
    pub(crate) fn type_table(&self) -> Option<&TypeTable<'a>> {
        if let Some(known) = self.table.get() {
            return known.as_ref();
        }
        // Some tables are of no use before all units are known.
        let is_incomplete = self.is_incomplete();
        let table = self.may_have_directory().then(|| TypeTable::open(self)).flatten();
        if table.is_none() && is_incomplete {
            return None;
        }
        self.table.get_or_init(|| table).as_ref()
    }

    /// Returns whether the names of all units have been read.
    pub(crate) fn knows_names(&self) -> bool {
        self.directory.get().is_some() || self.whole.get().is_some()
    }

    /// Begins to read the names of a unit.
    fn read_unit(&self, unit: &UnitEntry<'a>) -> Task<'_> {
        self.sections.work.begin(READING, Measure::Bytes, unit.header().length_including_self() as u64)
    }

    /// Returns whether somebody who asks for the directory has to wait for it. Begins to make it.
    pub(crate) fn is_reading(&self) -> bool {
        self.directory.get().is_none() && self.may_have_directory() && !self.scan().has_ended(Duration::ZERO)
    }

    /// Finds the DIEs that a name stands for: `name` is a bare name (`f`), or one with some or all of the scopes around
    /// it (`b::f`, `a::b::f`). Definitions come before declarations, names at file level before those inside functions,
    /// then by rising [`DieId`].
    ///
    /// Of copies of one type, enumerator or declaration, a large file may give the first only.
    pub(crate) fn find(&self, kind: NameKind, name: &str) -> impl Iterator<Item = DieId> + use<> {
        let query = NameQuery::parse(name);
        let mut found: Vec<(bool, bool, DieId)> = Vec::new();
        self.with_names_for(&[kind], &query, |names| {
            found.extend(names.find(kind, &query).map(|e| (e.declaration, e.local, e.die)));
        });
        found.sort_unstable();
        if found.len() > MOST_OF_NAME {
            found.truncate(MOST_OF_NAME);
            let text = format!("`{}` is the name of more than {MOST_OF_NAME} things: some are missing", one_line(name));
            self.sections.problems.add_suffered(Subject::DebugFile, text);
        }
        self.keep_spelled_so(name, &mut found);
        found.into_iter().map(|(_, _, die)| die)
    }

    /// Keeps those of several instances of templates that have the arguments just as they are written, if there are some:
    /// Clang's `t<1>` and `t<1ULL>` are different ones, which GCC both calls `t<1>`.
    fn keep_spelled_so(&self, name: &str, found: &mut Vec<(bool, bool, DieId)>) {
        let is_value = |c: char| c.is_ascii_digit();
        if !name.contains('<') || !name.contains(is_value) || !(2..=MOST_COMPARED).contains(&found.len()) {
            return;
        }
        let plain = |name: &str| name.replace(' ', "").to_ascii_lowercase();
        let asked = plain(name);
        let is_so = |die: DieId| self.qualified(die).is_some_and(|whole| plain(&whole).ends_with(&asked));
        let kept: Vec<bool> = found.iter().map(|(.., die)| is_so(*die)).collect();
        if kept.contains(&true) {
            let mut kept = kept.into_iter();
            found.retain(|_| kept.next().unwrap_or(true));
        }
    }

    /// Returns the name of a DIE with the namespaces, types and functions around it: `a::b::f`. `None` if it is not
    /// indexed.
    pub(crate) fn qualified(&self, die: DieId) -> Option<String> {
        self.names_around(die)?.qualified(die)
    }

    /// Returns whether a DIE is inside a function. `false` if it is not indexed.
    pub(crate) fn is_in_function(&self, die: DieId) -> bool {
        self.names_around(die).is_some_and(|names| names.is_in_function(die))
    }

    /// Finds Rust's tables of functions for trait objects.
    pub(crate) fn vtables(&self) -> Vec<DieId> {
        let mut found = Vec::new();
        let mut take = |names: &NameIndex<'a>| found.extend(names.variables_ending("::{vtable}"));
        match self.directory() {
            Some(directory) => {
                self.linked(directory).into_iter().for_each(|names| take(names));
                self.with_names_of(&directory.units_with_vtables(), take);
            }
            None => take(self.index()),
        }
        found
    }
}
