//! The index from names to DIEs: functions, variables, types and enumerators of all units.
//!
//! One pass over all DIEs, by several threads, makes it; the names stay where they are in the file. GDB does the same
//! when it loads a program; here nothing is indexed until somebody asks by name.

use super::entry::{MAX_HOPS, NO_SCOPE, NameEntry, NameKind, ParentEntry, entry_of, hash};
use super::template_names::{TemplateNames, spell};
use crate::model::die::DieId;
use crate::names::entry::UnitNames;
use crate::names::reader::read_unit;
use crate::names::unit_scan::scan_names;
use crate::naming::components::{component_matches, component_means};
use crate::naming::query::NameQuery;
use crate::sections::missing_debug_info::Subject;
use crate::tasks::parallel::in_parallel;
use crate::tasks::work::READING;
use crate::tasks::work::{Measure, Task};
use crate::units::attributes::inherited_name;
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use crate::units::file_number::FileNumber;
use base::qualified::bare;
use base::untrusted::PathText as _;
use gimli::SectionId;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Names, scopes and copies that are kept of a file, however few bytes it has.
const SMALL_FILE: usize = 1 << 22;

/// Beyond that, one for so many bytes that the file has. Compilers and linkers leave ten at least, compressed or not.
const BYTES_OF_NAME: usize = 4;

/// Most of all files together.
const MOST_OF_ALL: usize = 1 << 25;

/// All names of an image.
pub(crate) struct NameIndex<'a> {
    /// By rising DIE.
    entries: Vec<NameEntry<'a>>,
    scopes: Vec<ParentEntry<'a>>,
    /// Hash of kind and bare name in the upper half, index into `entries` in the lower; sorted.
    by_hash: Vec<u64>,
    /// Inlined copies: the DIE of the function, the DIE of the copy; sorted.
    inlined: Vec<(DieId, DieId)>,
    /// The whole names of templates that debug info names without arguments.
    templates: TemplateNames,
    /// The whole names of the inline namespaces.
    inline: Vec<String>,
}

impl<'a> NameIndex<'a> {
    /// Walks all units, several at a time.
    pub(crate) fn build(all: &Units<'a>) -> Self {
        let task = all.sections.work.begin(READING, Measure::Bytes, all.info_size());
        let room = Room::of(all);
        let read = |unit: &UnitEntry<'a>| room.read(unit, || read_unit(all, unit, &task));
        let mut units = read_main_units(all, &read, &task);
        let imports = units.iter().flat_map(|unit| unit.imports.iter().copied()).collect();
        units.append(&mut read_units(&all.packaged_types(), |unit| vec![read(unit)]));
        units.append(&mut read_imported(all, imports, &read));
        Self::of(all, units)
    }

    /// Reads the names of one unit.
    pub(crate) fn of_unit(all: &Units<'a>, unit: &UnitEntry<'a>, task: &Task<'_>) -> Self {
        let alone = Self::of_self_contained(all, unit, task);
        let names = alone.unwrap_or_else(|| Self::of(all, vec![read_unit(all, unit, task)]));
        task.did(unit.header().length_including_self());
        names
    }

    /// Reads the names of units that refer to each other.
    pub(crate) fn of_units(all: &Units<'a>, units: &[&UnitEntry<'a>], task: &Task<'_>) -> Self {
        let room = Room::of(all);
        let read = |unit: &&UnitEntry<'a>| {
            let read = room.read(unit, || read_unit(all, unit, task));
            task.did(unit.header().length_including_self());
            vec![read]
        };
        Self::of(all, read_units(units, read))
    }

    /// Reads the names of one unit; `None` if it refers to others.
    pub(crate) fn of_self_contained(all: &Units<'a>, unit: &UnitEntry<'a>, task: &Task<'_>) -> Option<Self> {
        Some(Self::of(all, vec![scan_names(all, unit, task)?]))
    }

    fn of(all: &Units<'a>, units: Vec<UnitNames<'a>>) -> Self {
        if units.iter().any(|unit| unit.is_cut) {
            let path = all.sections.debug().path().in_text();
            let text = format!("{path} has more names than are kept of a file of its size: some are missing");
            all.sections.problems.add_suffered(Subject::DebugFile, text);
        }
        let mut index = Self {
            entries: Vec::new(),
            scopes: Vec::new(),
            by_hash: Vec::new(),
            inlined: Vec::new(),
            templates: TemplateNames::default(),
            inline: Vec::new(),
        };
        let (mut references, mut parameters) = (Vec::new(), Vec::new());
        for mut unit in units {
            let first_scope = index.scopes.len() as u32;
            let shift = |scope: u32| {
                if scope == NO_SCOPE { NO_SCOPE } else { scope.saturating_add(first_scope) }
            };
            unit.entries.iter_mut().for_each(|e| e.scope = shift(e.scope));
            unit.scopes.iter_mut().for_each(|s| s.parent = shift(s.parent));
            unit.parameters.iter_mut().for_each(|p| p.scope = shift(p.scope));
            index.entries.append(&mut unit.entries);
            index.scopes.append(&mut unit.scopes);
            index.inlined.append(&mut unit.inlined);
            references.append(&mut unit.references);
            parameters.append(&mut unit.parameters);
        }
        // Units are in order and so are the DIEs of each, but not type units of another section and units of packages.
        index.entries.sort_by_key(|e| e.die);
        references.sort_unstable();
        index.resolve(&references);
        index.name_statics(all);
        index.mark_transparent();
        let hashed = index.entries.iter().enumerate().filter(|(_, e)| !e.name.is_empty());
        index.by_hash = hashed.map(|(i, e)| hash(e.kind, bare(e.name)) << 32 | i as u64).collect();
        index.by_hash.sort_unstable();
        index.inlined.sort_unstable();
        index.templates = spell(all, (&index.entries, &index.scopes), &references, &parameters);
        index
    }

    /// Gives entries and scopes that complete another DIE the name and the scope of that one.
    fn resolve(&mut self, references: &[(DieId, DieId)]) {
        let target_of = |die: DieId| {
            let at = references.binary_search_by_key(&die, |(from, _)| *from).ok()?;
            references.get(at).map(|(_, to)| *to)
        };
        let mut found: Vec<(usize, &'a str, u32)> = Vec::new();
        for (from, _) in references {
            let Ok(i) = self.entries.binary_search_by_key(from, |e| e.die) else {
                continue;
            };
            let mut die = *from;
            for _ in 0..MAX_HOPS {
                match target_of(die) {
                    Some(target) => die = target,
                    None => break,
                }
            }
            let target = self.entry(die).filter(|e| e.die != *from);
            found.extend(target.map(|e| (i, e.name, e.scope)));
        }
        for (i, name, scope) in found {
            if let Some(entry) = self.entries.get_mut(i) {
                entry.name = if name.is_empty() { entry.name } else { name };
                entry.scope = scope;
            }
        }
        for i in 0..self.scopes.len() {
            let unresolved = self.scopes.get(i).and_then(|s| s.unresolved);
            let Some(&entry) = unresolved.and_then(|die| self.entry(die)) else {
                continue;
            };
            if let Some(scope) = self.scopes.get_mut(i) {
                scope.name = Some(entry.name).filter(|name| !name.is_empty()).or(scope.name);
                scope.parent = entry.scope;
            }
        }
    }

    /// Names static variables of functions that complete one without a place, which is none of the entries: with link-time
    /// optimisation GCC has that in another unit.
    fn name_statics(&mut self, all: &Units<'a>) {
        let is_nameless = |e: &&mut NameEntry<'a>| e.kind == NameKind::Variable && e.local && e.name.is_empty();
        for entry in self.entries.iter_mut().filter(is_nameless) {
            entry.name = inherited_name(all, entry.die).unwrap_or_default();
        }
    }

    /// Notes which namespaces are inline that only some units say it of: type units of GCC do not.
    fn mark_transparent(&mut self) {
        let is_inline = |scope: &ParentEntry<'_>| scope.is_namespace && scope.transparent;
        let inline = (0..).zip(&self.scopes).filter(|(_, scope)| is_inline(scope) && scope.name.is_some());
        let inline: HashSet<Vec<Option<&str>>> = inline.map(|(at, _)| self.path(at)).collect();
        let last: HashSet<_> = inline.iter().filter_map(|path| path.first().copied()).collect();
        let may_be = |scope: &ParentEntry<'_>| scope.is_namespace && !scope.transparent && last.contains(&scope.name);
        let others = (0..).zip(&self.scopes).filter(|(_, scope)| may_be(scope));
        let others: Vec<u32> = others.map(|(at, _)| at).filter(|at| inline.contains(&self.path(*at))).collect();
        for other in others {
            if let Some(scope) = self.scopes.get_mut(other as usize) {
                scope.transparent = true;
            }
        }
        let whole = |path: Vec<Option<&str>>| Some(path.into_iter().rev().collect::<Option<Vec<_>>>()?.join("::"));
        self.inline = inline.into_iter().filter_map(whole).collect();
        // What is in another comes before that.
        self.inline.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Writes a name without the inline namespaces that are in it.
    pub(crate) fn without_inline<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let mut plain = Cow::Borrowed(name);
        for namespace in &self.inline {
            let outside = namespace.rfind("::").map_or(0, |at| at + 2);
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
            let mut from = 0;
            while let Some(at) = plain.get(from..).and_then(|rest| rest.find(namespace.as_str())).map(|at| from + at) {
                let end = at + namespace.len();
                let is_it = plain[end..].starts_with("::") && !plain[..at].ends_with(is_part);
                from = if is_it { at + outside } else { end };
                if is_it {
                    plain.to_mut().replace_range(at + outside..end + 2, "");
                }
            }
        }
        plain
    }

    /// Returns whether a component of a query means this name; inline namespaces need not be named in the arguments of
    /// its template.
    fn means(&self, component: &str, name: Option<&str>) -> bool {
        component_means(component, name)
            || name.is_some_and(|name| {
                let are_templates = component.contains('<') && name.contains('<') && !self.inline.is_empty();
                are_templates && component_means(&self.without_inline(component), Some(&self.without_inline(name)))
            })
    }

    /// Returns the names of a scope and of those around it, innermost first.
    fn path(&self, scope: u32) -> Vec<Option<&'a str>> {
        let parent = |scope: &&ParentEntry<'a>| self.scopes.get(scope.parent as usize);
        std::iter::successors(self.scopes.get(scope as usize), parent).take(MAX_HOPS).map(|scope| scope.name).collect()
    }

    /// Returns how many names there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns all names, by rising DIE.
    pub(super) fn entries(&self) -> &[NameEntry<'a>] {
        &self.entries
    }

    /// Returns all names, as often as they are there.
    #[cfg(test)]
    pub(crate) fn names(&self) -> Vec<String> {
        let named = self.entries.iter().filter(|e| !e.name.is_empty());
        named.map(|e| self.qualified(e.die).unwrap_or_else(|| e.name.to_owned())).collect()
    }

    fn entry(&self, die: DieId) -> Option<&NameEntry<'a>> {
        entry_of(&self.entries, die)
    }

    /// Iterates over what a query means: the entries whose scopes are those that it names.
    pub(crate) fn find(&self, kind: NameKind, query: &NameQuery<'_>) -> impl Iterator<Item = &NameEntry<'a>> {
        self.candidates(kind, query).filter(move |e| self.in_scopes(e, query)).collect::<Vec<_>>().into_iter()
    }

    /// Finds the functions whose last component is that of the query, whatever is around them.
    pub(crate) fn functions_like(&self, query: &NameQuery<'_>) -> Vec<NameEntry<'a>> {
        self.candidates(NameKind::Function, query).copied().collect()
    }

    fn candidates<'s>(&'s self, kind: NameKind, query: &NameQuery<'_>) -> impl Iterator<Item = &'s NameEntry<'a>> {
        let last = query.last();
        let key = hash(kind, bare(last));
        let start = self.by_hash.partition_point(|h| h >> 32 < key);
        let indexes = self.by_hash.get(start..).unwrap_or_default().iter().take_while(move |h| **h >> 32 == key);
        let entries = indexes.filter_map(|h| self.entries.get((h & 0xffff_ffff) as usize));
        let entries: Vec<_> = entries.filter(|e| e.kind == kind).collect();
        let matching = |is_it: &dyn Fn(&str, Option<&str>) -> bool| -> Vec<&'s NameEntry<'a>> {
            entries.iter().copied().filter(|e| is_it(last, Some(self.name_of(e)))).collect()
        };
        let same = matching(&component_matches);
        // A large file has many instances of one template, and to compare their spellings takes longer.
        let is_other = same.is_empty() && last.contains('<');
        let found = if is_other { matching(&|component, name| self.means(component, name)) } else { same };
        found.into_iter()
    }

    /// Returns whether the scopes around an entry are those that the query names.
    pub(crate) fn in_scopes(&self, entry: &NameEntry<'a>, query: &NameQuery<'_>) -> bool {
        let mut wanted = query.scopes().iter().rev().peekable();
        let mut scope = entry.scope;
        for _ in 0..MAX_HOPS {
            let Some(around) = self.scopes.get(scope as usize) else {
                break;
            };
            match wanted.peek() {
                Some(component) if self.means(component, self.shown(scope)) => {
                    wanted.next();
                }
                Some(_) if around.transparent => {}
                None if !query.absolute || around.transparent => {}
                _ => return false,
            }
            scope = around.parent;
        }
        wanted.peek().is_none()
    }

    /// Returns the name of a DIE with the namespaces, types and functions around it: `a::b::f`. `None` if it is not
    /// indexed.
    pub(crate) fn qualified(&self, die: DieId) -> Option<String> {
        let entry = self.entry(die).filter(|e| !e.name.is_empty())?;
        let mut parts = vec![self.name_of(entry)];
        let mut scope = entry.scope;
        for _ in 0..MAX_HOPS {
            let Some(around) = self.scopes.get(scope as usize) else {
                break;
            };
            parts.extend(self.shown(scope).filter(|_| !around.transparent || around.is_namespace));
            scope = around.parent;
        }
        parts.reverse();
        Some(parts.join("::"))
    }

    /// Returns the name of an entry, with the arguments of its template.
    pub(super) fn name_of<'s>(&'s self, entry: &NameEntry<'a>) -> &'s str {
        self.templates.of_entry(entry.die).unwrap_or(entry.name)
    }

    /// Returns the name of a scope, with the arguments of its template.
    fn shown(&self, scope: u32) -> Option<&str> {
        self.templates.of_scope(scope).or_else(|| self.scopes.get(scope as usize)?.shown())
    }

    /// Returns whether a DIE is inside a function. `false` if it is not indexed.
    pub(crate) fn is_in_function(&self, die: DieId) -> bool {
        self.entry(die).is_some_and(|e| e.local)
    }

    /// Returns whether the innermost scope around what is inside a function has no name: then it is a function without
    /// one, as no class without a name has static members.
    pub(crate) fn is_in_nameless(&self, die: DieId) -> bool {
        let scope = self.entry(die).filter(|e| e.local).and_then(|e| self.scopes.get(e.scope as usize));
        scope.is_some_and(|around| around.name.is_none() && !around.transparent && around.unresolved.is_none())
    }

    /// Iterates over the variables whose names end so.
    pub(crate) fn variables_ending(&self, end: &str) -> impl Iterator<Item = DieId> {
        self.entries.iter().filter(move |e| e.kind == NameKind::Variable && e.name.ends_with(end)).map(|e| e.die)
    }

    /// Iterates over the inlined copies of a function.
    pub(crate) fn inlined_copies(&self, function: DieId) -> impl Iterator<Item = DieId> + '_ {
        let start = self.inlined.partition_point(|(origin, _)| *origin < function);
        let rest = self.inlined.get(start..).unwrap_or_default().iter();
        rest.take_while(move |(origin, _)| *origin == function).map(|(_, copy)| *copy)
    }
}

/// What is kept of the names of several units.
struct Room {
    /// Of the file with the debug info.
    of_main: usize,
    main: AtomicUsize,
    all: AtomicUsize,
}

impl Room {
    /// Returns the room for the names of a file: as many as its bytes can have.
    fn of(all: &Units<'_>) -> Self {
        let bytes = all.sections.debug().size_in_file(SectionId::DebugInfo.name());
        let of_main = SMALL_FILE.saturating_add(bytes / BYTES_OF_NAME);
        Self { of_main, main: AtomicUsize::new(0), all: AtomicUsize::new(0) }
    }

    /// Reads the names of a unit, as long as there is room.
    fn read<'a>(&self, unit: &UnitEntry<'a>, read: impl FnOnce() -> UnitNames<'a>) -> UnitNames<'a> {
        let is_main = unit.file() == FileNumber::MAIN;
        let is_full = is_main && self.main.load(Ordering::Relaxed) >= self.of_main;
        if is_full || self.all.load(Ordering::Relaxed) >= MOST_OF_ALL {
            return UnitNames { is_cut: true, ..UnitNames::default() };
        }
        let names = read();
        self.all.fetch_add(names.amount(), Ordering::Relaxed);
        if is_main {
            self.main.fetch_add(names.amount(), Ordering::Relaxed);
        }
        names
    }
}

/// Reads the names of all units that are not in the supplementary file. Split units are read in place of skeletons.
fn read_main_units<'a>(
    all: &Units<'a>,
    read_one: &(dyn Fn(&UnitEntry<'a>) -> UnitNames<'a> + Sync),
    task: &Task<'_>,
) -> Vec<UnitNames<'a>> {
    let numbers: Vec<usize> = (0..all.units().len()).collect();
    read_units(&numbers, |number| {
        let read = all.units_for(*number).into_iter().map(read_one).collect();
        task.did(all.units().get(*number).map_or(0, |unit| unit.header().length_including_self()));
        read
    })
}

/// Reads the names of the units of the supplementary file that are imported, directly or by others of them: it has
/// those of other programs, too. Units of the main file are read in any case.
fn read_imported<'a>(
    all: &Units<'a>,
    imports: Vec<DieId>,
    read_one: &(dyn Fn(&UnitEntry<'a>) -> UnitNames<'a> + Sync),
) -> Vec<UnitNames<'a>> {
    let mut known = HashSet::new();
    let mut names = Vec::new();
    let mut wanted = imports;
    while !wanted.is_empty() {
        wanted.sort_unstable();
        let roots = wanted.drain(..).filter(|die| FileNumber::of(*die) == FileNumber::SUPPLEMENT && known.insert(*die));
        let is_root = |unit: &&UnitEntry<'a>, die: DieId| unit.root() == Some(die);
        let units: Vec<_> = roots.filter_map(|die| all.unit_of(die).filter(|unit| is_root(unit, die))).collect();
        let mut read = read_units(&units, |unit| vec![read_one(unit)]);
        wanted.extend(read.iter().flat_map(|unit| unit.imports.iter().copied()));
        names.append(&mut read);
    }
    names
}

/// Reads several units at a time; the result is in the order of the units.
fn read_units<'a, U: Sync>(units: &[U], read: impl Fn(&U) -> Vec<UnitNames<'a>> + Sync) -> Vec<UnitNames<'a>> {
    in_parallel(units, || (), |(), _, unit| read(unit)).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use crate::Image;
    use crate::names::entry::{MOST_OF_UNIT, NameKind};
    use crate::testing::{build, with_packed};
    use ctype::Type;

    #[test]
    fn types_are_found_that_are_described_away_from_their_namespace() {
        for (compiler, version) in [("g++", 5), ("clang++", 4), ("clang++", 5)] {
            let flags = format!("-gdwarf-{version} -O0 -fdebug-types-section");
            let image = build(compiler, &flags, &["type_units.cpp"]).image;
            let what = format!("{compiler} {flags}");
            for name in ["lib::Part", "lib::v1::Part", "lib::Part::Kind", "lib::Part::Inner"] {
                assert!(image.type_named(None, name).is_some(), "{what}: {name}");
            }
            for (name, value) in [("lib::Part::SECOND", 4), ("lib::Part::NAMELESS", 8), ("lib::v1::Part::NAMELESS", 8)]
            {
                let found = image.enumerator_in(&[], name).map(|(_, value)| value);
                assert_eq!(found, Some(value), "{what}: {name}");
            }
            assert_eq!(image.globals_named(None, "lib::Part::made").len(), 1, "{what}");
            for (name, count) in [("lib::Part::get", 2), ("lib::Part::twice", 1)] {
                let function = image.functions_named(name)[0].die.unwrap();
                let ty = image.function_type(function).unwrap();
                let Type::Function { parameters, .. } = &*ty else { panic!("{ty:?}") };
                assert_eq!(parameters.len(), count, "{what}: {name}");
            }
        }
    }

    #[test]
    fn units_of_a_file_that_has_hundreds_of_thousands_are_cut_with_a_reason() {
        use crate::units::entry::MOST_UNITS;
        // DWARF 5, DW_UT_compile, addresses of 8 bytes; the unit has no children.
        let unit = [9, 0, 0, 0, 5, 0, 1, 8, 0, 0, 0, 0, 1];
        let named = [11, 0, 0, 0, 5, 0, 1, 8, 0, 0, 0, 0, 2, b'v', 0];
        let abbreviations = [&[1, 0x11, 0, 0, 0][..], &[2, 0x34, 0, 3, 8, 0, 0], &[0]].concat();
        let info = [&unit.repeat(MOST_UNITS)[..], &named].concat();
        let program = build("gcc", "-g -O0", &["lines.c"]).bytes;
        let sections = [(".debug_info", &info[..]), (".debug_abbrev", &abbreviations)];
        let image = Image::from_bytes("x", with_packed(&program, &sections)).unwrap();
        assert!(image.globals_named(None, "v").is_empty());
        let problems = image.problems();
        assert!(problems.iter().any(|problem| problem.contains("more than 131072 units")), "{problems:?}");
    }

    #[test]
    fn names_of_a_unit_that_has_millions_are_cut_with_a_reason() {
        // A unit, and in it variables of which nothing but the name is there.
        let abbreviations = [&[1, 0x11, 1, 0, 0][..], &[2, 0x34, 0, 3, 8, 0, 0], &[0]].concat();
        let mut entries = vec![1];
        entries.extend([2, b'v', 0].repeat(MOST_OF_UNIT + (1 << 17)));
        entries.extend([2, b'w', 0, 0]);
        // DWARF 5, DW_UT_compile, addresses of 8 bytes, the first abbreviation.
        let header = [&(entries.len() as u32 + 8).to_le_bytes()[..], &[5, 0, 1, 8, 0, 0, 0, 0]].concat();
        let info = [header, entries].concat();
        let program = build("gcc", "-g -O0", &["lines.c"]).bytes;
        let sections = [(".debug_info", &info[..]), (".debug_abbrev", &abbreviations)];
        let image = Image::from_bytes("x", with_packed(&program, &sections)).unwrap();
        assert!(image.globals_named(None, "w").is_empty());
        assert_eq!(image.with_debug(|debug| debug.index().len()), MOST_OF_UNIT);
        let problems = image.problems();
        assert!(problems[0].starts_with("x has more names than are kept"), "{problems:?}");
        let found = image.with_debug(|debug| debug.find(NameKind::Variable, "v").count());
        assert_eq!(found, crate::names::lookup::MOST_OF_NAME);
    }
}
