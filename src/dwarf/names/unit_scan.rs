//! One unit's rows of the directory of names. Reads `.debug_info` by itself, for it skips most of what it passes: each
//! kind of DIE (each abbreviation) is looked at once, and from then on skipped in as few steps as its attributes allow.

use crate::model::die::DEEPEST;
use crate::model::die::DieId;
use crate::names::abbreviation_plan::{Plan, Step, What};
use crate::names::entry::{LOOK, MOST_OF_UNIT, Role, UnitNames, is_static_location};
use crate::names::entry::{MAX_HOPS, NO_SCOPE, NameEntry, NameKind, ParameterEntry, ParentEntry, hash};
use crate::names::raw_attributes::{Input, Text};
use crate::names::row::{ANYWHERE, NOWHERE, Row, VTABLES, letters};
use crate::names::template_names::may_lack_arguments;
use crate::naming::hash::mix;
use crate::sections::slice::Slice;
use crate::tasks::work::Task;
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use crate::units::language::is_c_plus_plus;
use base::qualified::{ANONYMOUS_NAMESPACE, bare};
use gimli::Encoding;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// What was read is taken out of memory about each time that it is so much.
const FORGOTTEN_AT_ONCE: usize = 4 << 20;

/// Entries are found by offset divided by this.
const BUCKET: usize = 128;

/// What is listed already. Identities are hashes by themselves.
pub(crate) type Seen = HashSet<u64, BuildHasherDefault<Identity>>;

/// Hashes what is a hash.
#[derive(Default)]
pub(crate) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = mix(self.0, u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// What a unit contributes.
#[derive(Default)]
pub(crate) struct UnitRows {
    /// Where it is in its section.
    pub(crate) place: Range<usize>,
    pub(crate) number: u32,
    /// The DIEs of other units that it refers to. Then it has no rows.
    pub(crate) elsewhere: Vec<usize>,
    /// Rows of which each counts.
    pub(crate) each: Vec<Row>,
    /// Rows with what they stand for: those of the first unit count.
    pub(crate) first: Vec<(u64, Row)>,
}

/// Reads a unit; `place` is where it is in its section, `seen` what needs not be listed again. `None` if its names are
/// neither to be known from it alone nor from other units of the section. Of a malformed unit, what comes before the
/// damage counts.
pub(crate) fn scan<'a>(
    dwarf: &gimli::Dwarf<Slice<'a>>,
    header: &gimli::UnitHeader<Slice<'a>>,
    place: usize,
    number: u32,
    seen: &mut Seen,
    task: &Task<'_>,
) -> Option<UnitRows> {
    let found = UnitRows { place: place..place + header.length_including_self(), number, ..UnitRows::default() };
    let Ok(abbreviations) = dwarf.abbreviations(header) else { return Some(found) };
    let mut scan = Scan::new(dwarf, header, place, &abbreviations)?;
    scan.walk(task)?;
    if !scan.elsewhere.is_empty() {
        scan.elsewhere.sort_unstable();
        scan.elsewhere.dedup();
        return Some(UnitRows { elsewhere: scan.elsewhere, ..found });
    }
    scan.resolve();
    Some(scan.rows(found, seen))
}

/// Reads the names of a unit, as [`read_unit`](super::reader::read_unit) does, but faster. `None` if they are not
/// to be known from it alone.
pub(crate) fn scan_names<'a>(units: &Units<'a>, entry: &UnitEntry<'a>, task: &Task<'_>) -> Option<UnitNames<'a>> {
    let unit = entry.unit(units)?;
    let mut scan = Scan::new(unit.dwarf, &unit.unit.header, unit.header.offset().0, &unit.abbreviations)?;
    scan.walk(task)?;
    if !scan.elsewhere.is_empty() {
        return None;
    }
    scan.resolve();
    Some(scan.names(|offset| entry.id_of(gimli::UnitOffset(offset))))
}

/// Calls `forget` with what has been read by the end of a unit, about each time that it is [`FORGOTTEN_AT_ONCE`].
pub(crate) fn forget_read(header: &gimli::UnitHeader<Slice<'_>>, forget: impl FnOnce(Range<usize>)) {
    let start = header.offset().0;
    let end = start + header.length_including_self();
    if start / FORGOTTEN_AT_ONCE != end / FORGOTTEN_AT_ONCE {
        // Around a page that is read, the kernel maps others, so what was forgotten before may be back.
        forget(start.saturating_sub(4 * FORGOTTEN_AT_ONCE)..end);
    }
}

/// What was taken of a DIE.
#[derive(Default)]
struct Taken<'a> {
    name: Text<'a>,
    /// The DIE that it completes, in the same unit.
    target: Option<usize>,
    /// The same in another unit, as an offset into the section.
    elsewhere: Option<usize>,
    declaration: bool,
    transparent: bool,
    enum_class: bool,
    is_static: bool,
    sibling: Option<usize>,
}

struct Named<'a> {
    offset: usize,
    name: Text<'a>,
    scope: u32,
    kind: NameKind,
    declaration: bool,
    local: bool,
    has_code: bool,
    /// Of a function: its own code, or inlined somewhere.
    code: bool,
    /// The DIE that it completes.
    target: Option<usize>,
}

struct Around<'a> {
    name: Text<'a>,
    parent: u32,
    transparent: bool,
    is_namespace: bool,
    unresolved: Option<usize>,
    offset: usize,
    /// It is made of a template, and may have a name without arguments.
    is_of_template: bool,
}

struct Scan<'d, 'a> {
    dwarf: &'d gimli::Dwarf<Slice<'a>>,
    header: &'d gimli::UnitHeader<Slice<'a>>,
    /// Where the unit is in its section.
    place: usize,
    abbreviations: &'d gimli::Abbreviations,
    /// Where the unit's offsets of strings are, if somebody needs them.
    strings: OnceCell<gimli::DebugStrOffsetsBase>,
    encoding: Encoding,
    entries: Vec<Named<'a>>,
    scopes: Vec<Around<'a>>,
    /// Index of the first entry at or after each multiple of [`BUCKET`].
    buckets: Vec<u32>,
    /// The functions that are inlined, and the copies.
    inlined: Vec<(usize, usize)>,
    /// Of templates whose names may be without arguments: index of the scope, the parameter.
    parameters: Vec<(u32, usize)>,
    /// Whether the unit is of a language with such, if somebody has asked.
    has_templates: OnceCell<bool>,
    /// The DIEs of other units that some of this one complete.
    elsewhere: Vec<usize>,
    /// Depth of the children, scope, whether inside a function.
    open: Vec<(usize, u32, bool)>,
    /// There are more names than are kept.
    is_cut: bool,
}

impl<'d, 'a> Scan<'d, 'a> {
    /// Creates the scan of a unit. `None` if the unit is not one of code and data.
    fn new(
        dwarf: &'d gimli::Dwarf<Slice<'a>>,
        header: &'d gimli::UnitHeader<Slice<'a>>,
        place: usize,
        abbreviations: &'d gimli::Abbreviations,
    ) -> Option<Self> {
        (header.section() == gimli::SectionId::DebugInfo).then(|| Self {
            dwarf,
            header,
            place,
            abbreviations,
            strings: OnceCell::new(),
            encoding: header.encoding(),
            entries: Vec::new(),
            scopes: Vec::new(),
            buckets: Vec::new(),
            inlined: Vec::new(),
            parameters: Vec::new(),
            has_templates: OnceCell::new(),
            elsewhere: Vec::new(),
            open: Vec::new(),
            is_cut: false,
        })
    }

    /// Walks over the DIEs; `None` if the unit is not to be known from its section alone.
    fn walk(&mut self, task: &Task<'_>) -> Option<()> {
        let (header, abbreviations) = (self.header, self.abbreviations);
        let Ok(all) = header.range_from(header.root_offset()..) else { return Some(()) };
        let (all, first) = (all.slice(), header.root_offset().0);
        let mut plans: Vec<Option<Plan>> = Vec::new();
        let (mut at, mut depth, mut looked) = (0, 0usize, 0);
        while at < all.len() {
            if at / LOOK != looked {
                looked = at / LOOK;
                task.check();
            }
            let offset = first + at;
            let mut input = Input { all, at };
            let Some(code) = input.uleb() else { return Some(()) };
            if code == 0 {
                depth = depth.saturating_sub(1);
                at = input.at;
                continue;
            }
            // Compilers number them from 1 on; what has other numbers is indexed as a whole.
            let number = usize::try_from(code).ok().filter(|number| *number < 1 << 20)?;
            if plans.len() <= number {
                plans.resize_with(number + 1, || None);
            }
            let slot = plans.get_mut(number)?;
            let plan = match slot {
                Some(plan) => &*plan,
                None => {
                    let Some(abbreviation) = abbreviations.get(code) else { return Some(()) };
                    slot.insert(Plan::new(abbreviation, header)?)
                }
            };
            if plan.role.is_none() && !plan.closed {
                if plan.pass(&mut input).is_none() {
                    return Some(());
                }
                at = input.at;
                depth += usize::from(plan.has_children);
                continue;
            }
            while self.open.pop_if(|(inside, ..)| depth < *inside).is_some() {}
            if self.entries.len() + self.scopes.len() + self.inlined.len() + self.elsewhere.len() >= MOST_OF_UNIT {
                self.is_cut = true;
                return Some(());
            }
            let Some(taken) = self.take(plan, &mut input)? else { return Some(()) };
            at = input.at;
            self.elsewhere.extend(taken.elsewhere);
            if let Some(role) = plan.role {
                self.enter(plan, role, taken, offset, depth);
            } else if let Some(sibling) = taken.sibling.and_then(|sibling| sibling.checked_sub(first))
                && sibling >= at
            {
                at = sibling;
                continue;
            }
            if plan.has_children {
                depth += 1;
            }
        }
        Some(())
    }

    /// Reads the attributes of a DIE. `Some(None)` if they are malformed, `None` if they refer to other sections.
    fn take(&self, plan: &Plan, input: &mut Input<'a>) -> Option<Option<Taken<'a>>> {
        let mut taken = Taken::default();
        for step in &plan.steps {
            let done = match step {
                Step::Skip(count) => input.skip(*count),
                Step::SkipForm(form) => input.skip_form(*form),
                Step::Take(What::Name, form) => input.text(*form, self.encoding.format).map(|name| taken.name = name),
                Step::Take(What::Location, form) => input.block(*form, self.encoding.format).map(|bytes| {
                    taken.is_static = bytes.is_some_and(is_static_location);
                }),
                Step::Take(What::Origin, gimli::DW_FORM_ref_addr) => {
                    input.far_reference(self.encoding).map(|offset| taken.elsewhere = Some(offset))
                }
                Step::Take(what @ (What::Origin | What::Sibling), form) => {
                    let Some(offset) = input.reference(*form) else { return Some(None) };
                    let offset = offset?;
                    match what {
                        What::Origin => taken.target = taken.target.or(Some(offset)),
                        _ => taken.sibling = Some(offset),
                    }
                    Some(())
                }
                Step::Take(what, form) => input.flag(*form).map(|set| match what {
                    What::Declaration => taken.declaration = set,
                    What::Transparent => taken.transparent = set,
                    _ => taken.enum_class = set,
                }),
            };
            if done.is_none() {
                return Some(None);
            }
        }
        Some(Some(taken))
    }

    /// Reads the text of a name; `None` if it has none that can be read.
    fn text(&self, name: Text<'a>) -> Option<&'a str> {
        let dwarf = self.dwarf;
        let text = match name {
            Text::None => return None,
            Text::Here(bytes) => bytes,
            Text::Shared(offset) => dwarf.debug_str.get_str(gimli::DebugStrOffset(offset)).ok()?.slice(),
            Text::Line(offset) => dwarf.debug_line_str.get_str(gimli::DebugLineStrOffset(offset)).ok()?.slice(),
            Text::Indexed(number) => {
                let base = *self.strings.get_or_init(|| self.string_offsets());
                let number = gimli::DebugStrOffsetsIndex(number);
                let offset = dwarf.debug_str_offsets.get_str_offset(self.encoding.format, base, number).ok()?;
                dwarf.debug_str.get_str(offset).ok()?.slice()
            }
        };
        let is_name = |text: &&str| !text.is_empty() && !text.bytes().any(|byte| byte.is_ascii_control());
        std::str::from_utf8(text).ok().filter(is_name)
    }

    /// Returns DW_AT_str_offsets_base of the root, or what it is without.
    fn string_offsets(&self) -> gimli::DebugStrOffsetsBase {
        let root = self.header.entry(self.abbreviations, self.header.root_offset()).ok();
        match root.and_then(|root| root.attr_value(gimli::DW_AT_str_offsets_base)) {
            Some(gimli::AttributeValue::DebugStrOffsetsBase(base)) => base,
            _ => gimli::DebugStrOffsetsBase::default_for_encoding_and_file(self.encoding, gimli::DwarfFileType::Main),
        }
    }

    /// Notes a DIE that is named or around names, as the index of all names does.
    fn enter(&mut self, plan: &Plan, role: Role, taken: Taken<'a>, offset: usize, depth: usize) {
        if self.open.len() > DEEPEST {
            return;
        }
        let (scope, local) = self.open.last().map_or((NO_SCOPE, false), |(_, scope, local)| (*scope, *local));
        let kind = match role {
            Role::InlinedCopy => {
                self.inlined.extend(taken.target.map(|function| (function, offset)));
                return;
            }
            // Files with imports have no directory.
            Role::Import => return,
            Role::Parameter => {
                self.enter_parameter(offset, depth);
                return;
            }
            Role::Namespace => {
                let transparent = !taken.name.is_some() || taken.transparent;
                let around = Around {
                    name: taken.name,
                    parent: scope,
                    transparent,
                    is_namespace: true,
                    unresolved: None,
                    offset,
                    is_of_template: false,
                };
                self.open_scope(plan, around, depth, local);
                return;
            }
            Role::Named(kind) => kind,
        };
        if kind == NameKind::Variable && local && !taken.is_static {
            return;
        }
        if taken.name.is_some() || taken.target.is_some() {
            let bucket = offset / BUCKET;
            if self.buckets.len() <= bucket {
                self.buckets.resize(bucket + 1, self.entries.len() as u32);
            }
            self.entries.push(Named {
                offset,
                name: taken.name,
                scope,
                kind,
                declaration: taken.declaration,
                local,
                has_code: plan.code,
                code: plan.code,
                target: taken.target,
            });
        }
        if matches!(kind, NameKind::BaseType | NameKind::Typedef | NameKind::Enumerator) {
            return;
        }
        let around = Around {
            name: taken.name,
            parent: scope,
            transparent: kind == NameKind::Enum && !taken.enum_class,
            is_namespace: false,
            unresolved: taken.target.map(|_| offset),
            offset,
            is_of_template: false,
        };
        self.open_scope(plan, around, depth, local || kind == NameKind::Function);
    }

    /// Notes a parameter of the template that is around it.
    fn enter_parameter(&mut self, offset: usize, depth: usize) {
        let Some((_, scope, _)) = self.open.last().copied().filter(|(inside, ..)| *inside == depth) else { return };
        let Some(around) = self.scopes.get(scope as usize) else { return };
        let may_lack = || self.text(around.name).is_none_or(may_lack_arguments);
        if around.is_of_template || (self.has_templates() && may_lack()) {
            self.parameters.push((scope, offset));
            if let Some(around) = self.scopes.get_mut(scope as usize) {
                around.is_of_template = true;
            }
        }
    }

    fn has_templates(&self) -> bool {
        *self.has_templates.get_or_init(|| {
            let root = self.header.entry(self.abbreviations, self.header.root_offset()).ok();
            match root.and_then(|root| root.attr_value(gimli::DW_AT_language)) {
                Some(gimli::AttributeValue::Language(language)) => is_c_plus_plus(language),
                _ => false,
            }
        })
    }

    fn open_scope(&mut self, plan: &Plan, around: Around<'a>, depth: usize, local: bool) {
        if plan.has_children {
            self.open.push((depth + 1, self.scopes.len() as u32, local));
            self.scopes.push(around);
        }
    }

    fn entry_at(&self, offset: usize) -> Option<usize> {
        let first = *self.buckets.get(offset / BUCKET)? as usize;
        let near = self.entries.get(first..)?.iter().position(|e| e.offset >= offset)?;
        self.entries.get(first + near).filter(|e| e.offset == offset).map(|_| first + near)
    }

    /// Gives what completes another DIE the name and the scope of that one, and finds out what is inlined.
    fn resolve(&mut self) {
        let mut found = Vec::new();
        for (i, entry) in self.entries.iter().enumerate() {
            let Some(target) = entry.target else { continue };
            let mut last = self.entry_at(target).and_then(|i| self.entries.get(i));
            for _ in 1..MAX_HOPS {
                match last.and_then(|e| e.target) {
                    Some(target) => last = self.entry_at(target).and_then(|i| self.entries.get(i)),
                    None => break,
                }
            }
            let named = last.filter(|e| e.offset != entry.offset && e.name.is_some());
            found.extend(named.map(|e| (i, e.name, e.scope)));
        }
        for (i, name, scope) in found {
            if let Some(entry) = self.entries.get_mut(i) {
                (entry.name, entry.scope) = (name, scope);
            }
        }
        for i in 0..self.scopes.len() {
            let unresolved = self.scopes.get(i).and_then(|s| s.unresolved);
            let Some(entry) = unresolved.and_then(|offset| self.entry_at(offset)).and_then(|i| self.entries.get(i))
            else {
                continue;
            };
            let (name, parent) = (entry.name, entry.scope);
            if let Some(scope) = self.scopes.get_mut(i)
                && name.is_some()
            {
                (scope.name, scope.parent) = (name, parent);
            }
        }
        for i in 0..self.inlined.len() {
            let function = self.inlined.get(i).and_then(|(function, _)| self.entry_at(*function));
            if let Some(function) = function.and_then(|i| self.entries.get_mut(i)) {
                function.code = true;
            }
        }
    }

    fn names(&self, id: impl Fn(usize) -> Option<DieId> + Copy) -> UnitNames<'a> {
        let entry = |entry: &Named<'a>| {
            Some(NameEntry {
                name: self.text(entry.name).unwrap_or_default(),
                die: id(entry.offset)?,
                scope: entry.scope,
                kind: entry.kind,
                declaration: entry.declaration,
                local: entry.local,
                code: entry.has_code,
            })
        };
        let parameter = |(scope, offset): &(u32, usize)| {
            let of = self.scopes.get(*scope as usize)?.offset;
            Some(ParameterEntry { die: id(*offset)?, of: id(of)?, scope: *scope })
        };
        let scope = |scope: &Around<'a>| ParentEntry {
            name: self.text(scope.name),
            parent: scope.parent,
            transparent: scope.transparent,
            is_namespace: scope.is_namespace,
            unresolved: None,
        };
        UnitNames {
            entries: self.entries.iter().filter_map(entry).collect(),
            scopes: self.scopes.iter().map(scope).collect(),
            inlined: self.inlined.iter().filter_map(|(function, copy)| Some((id(*function)?, id(*copy)?))).collect(),
            parameters: self.parameters.iter().filter_map(parameter).collect(),
            references: self.references(id),
            is_cut: self.is_cut,
            ..UnitNames::default()
        }
    }

    /// Returns what completes what, for those who look for parameters of templates.
    fn references(&self, id: impl Fn(usize) -> Option<DieId>) -> Vec<(DieId, DieId)> {
        let completing = self.entries.iter().filter(|_| !self.parameters.is_empty());
        completing.filter_map(|entry| Some((id(entry.offset)?, id(entry.target?)?))).collect()
    }

    fn rows(&self, mut found: UnitRows, seen: &mut Seen) -> UnitRows {
        let unit = found.number;
        let mut shown = vec![None; self.scopes.len()];
        let templates = self.scopes.iter().filter(|around| around.is_of_template);
        let templates: HashSet<usize> = templates.map(|around| around.offset).collect();
        for entry in &self.entries {
            if !entry.name.is_some() || (entry.kind == NameKind::Function && !entry.code) {
                continue;
            }
            let once = match entry.kind {
                NameKind::Function => false,
                NameKind::Variable => entry.declaration,
                _ => true,
            };
            let once = once && !templates.contains(&entry.offset);
            let identity = once.then(|| self.identity(entry));
            if identity.is_some_and(|identity| !seen.insert(identity)) {
                continue;
            }
            let Some(name) = self.text(entry.name) else { continue };
            let (bare, full) = (hash(entry.kind, bare(name)) as u32, letters(name));
            let row = |parent| Row { bare, full, parent, unit };
            let mut push = |row: Row| match identity {
                Some(identity) => found.first.push((identity, row)),
                None => found.each.push(row),
            };
            self.parents(entry, &mut shown, |parent| push(row(parent)));
            if entry.kind == NameKind::Variable && name.ends_with("::{vtable}") {
                push(Row { bare: hash(NameKind::Variable, VTABLES) as u32, ..row(NOWHERE) });
            }
        }
        found
    }

    /// Calls `f` with what a query may name as the scope around an entry.
    fn parents(&self, entry: &Named<'a>, shown: &mut [Option<Shown>], mut f: impl FnMut(u32)) {
        let mut scope = entry.scope;
        for _ in 0..MAX_HOPS {
            let Some(around) = self.scopes.get(scope as usize) else { break };
            let known = shown.get(scope as usize).copied().flatten().unwrap_or_else(|| self.shown(around));
            if let Some(slot) = shown.get_mut(scope as usize) {
                *slot = Some(known);
            }
            if entry.kind == NameKind::Function && !known.plain && !around.transparent {
                break;
            }
            f(known.letters);
            if !around.transparent {
                return;
            }
            scope = around.parent;
        }
        f(if entry.kind == NameKind::Function { ANYWHERE } else { NOWHERE });
    }

    fn shown(&self, scope: &Around<'a>) -> Shown {
        let name = self.text(scope.name);
        let shown = name.or(scope.is_namespace.then_some(ANONYMOUS_NAMESPACE));
        Shown {
            letters: shown.map_or(NOWHERE, |name| letters(bare(name))),
            // Demangled, the scope of a function may read differently if its name is none of these.
            plain: name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_')),
        }
    }

    /// Tells apart what is not the same type, enumerator or declaration; also some that are the same.
    fn identity(&self, entry: &Named<'a>) -> u64 {
        let start = entry.kind as u64 | u64::from(entry.declaration) << 8 | u64::from(entry.local) << 9;
        let mut identity = mix(start, entry.name.identity());
        if matches!(entry.name, Text::Indexed(_)) {
            identity = mix(identity, self.place as u64);
        }
        let mut scope = entry.scope;
        for _ in 0..MAX_HOPS {
            let Some(around) = self.scopes.get(scope as usize) else { break };
            let flags = u64::from(around.transparent) | u64::from(around.is_namespace) << 1;
            identity = mix(identity, around.name.identity() ^ flags);
            if around.is_of_template {
                identity = mix(identity, (self.place + around.offset) as u64);
            }
            scope = around.parent;
        }
        identity
    }
}

/// What a query may name a scope by.
#[derive(Clone, Copy)]
struct Shown {
    letters: u32,
    plain: bool,
}
