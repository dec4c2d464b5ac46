//! One unit's rows of the directory of names. Reads `.debug_info` by itself, for it skips most of what it passes: each
//! kind of DIE (each abbreviation) is looked at once, and from then on skipped in as few steps as its attributes allow.

use super::directory::{ANYWHERE, NOWHERE, Row, VTABLES, letters};
use super::name_reader::{Role, is_static_location, role};
use super::names::{ANONYMOUS_NAMESPACE, MAX_HOPS, NO_SCOPE, NameKind, bare, hash};
use super::units::{Debug, UnitEntry};
use gimli::{AttributeSpecification, DwAt, DwForm, Encoding, Format};
use std::collections::HashSet;

/// What a unit contributes.
#[derive(Default)]
pub(super) struct Found {
    /// Rows of which each counts.
    pub(super) each: Vec<Row>,
    /// Rows with what they stand for: those of the first unit count.
    pub(super) first: Vec<(u64, Row)>,
}

/// Reads a unit; `seen` is what needs not be listed again. `None` if its names are not to be known from it alone. Of a
/// malformed unit, what comes before the damage counts.
pub(super) fn scan<'a>(
    debug: &Debug<'a>,
    entry: &UnitEntry<'a>,
    number: u32,
    seen: &mut HashSet<u64>,
) -> Option<Found> {
    let header = entry.header();
    if header.section() != gimli::SectionId::DebugInfo {
        return None;
    }
    let Ok(abbreviations) = debug.dwarf.abbreviations(header) else { return Some(Found::default()) };
    let mut scan = Scan {
        debug,
        entry,
        encoding: header.encoding(),
        entries: Vec::new(),
        scopes: Vec::new(),
        references: Vec::new(),
        inlined: Vec::new(),
        open: Vec::new(),
    };
    scan.walk(&abbreviations)?;
    let start = header.offset().0;
    debug.sections.forget_info(start..start + header.length_including_self());
    scan.resolve();
    Some(scan.rows(number, seen))
}

/// What is known of a kind of DIE.
struct Plan {
    role: Option<Role>,
    has_children: bool,
    steps: Vec<Step>,
    code: bool,
    /// Nothing inside is named: whatever is in it may be passed over.
    closed: bool,
}

enum Step {
    Skip(usize),
    SkipForm(DwForm),
    Take(What, DwForm),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Name,
    Origin,
    Declaration,
    Transparent,
    EnumClass,
    Location,
    Sibling,
}

/// What was taken of a DIE.
#[derive(Default)]
struct Taken<'a> {
    name: Option<&'a str>,
    /// The DIE that it completes, in the same unit.
    target: Option<usize>,
    declaration: bool,
    transparent: bool,
    enum_class: bool,
    is_static: bool,
    sibling: Option<usize>,
}

struct Named<'a> {
    offset: usize,
    name: &'a str,
    scope: u32,
    kind: NameKind,
    declaration: bool,
    local: bool,
    /// Of a function: its own code, or inlined somewhere.
    code: bool,
}

struct Around<'a> {
    name: Option<&'a str>,
    parent: u32,
    transparent: bool,
    is_namespace: bool,
    unresolved: Option<usize>,
}

struct Scan<'d, 'a> {
    debug: &'d Debug<'a>,
    entry: &'d UnitEntry<'a>,
    encoding: Encoding,
    entries: Vec<Named<'a>>,
    scopes: Vec<Around<'a>>,
    references: Vec<(usize, usize)>,
    /// The functions that are inlined.
    inlined: Vec<usize>,
    /// Depth of the children, scope, whether inside a function.
    open: Vec<(usize, u32, bool)>,
}

impl<'a> Scan<'_, 'a> {
    /// `None` if the unit refers to others.
    fn walk(&mut self, abbreviations: &gimli::Abbreviations) -> Option<()> {
        let header = self.entry.header();
        let Ok(all) = header.range_from(header.root_offset()..) else { return Some(()) };
        let (all, first) = (all.slice(), header.root_offset().0);
        let mut plans: Vec<Option<Plan>> = Vec::new();
        let (mut at, mut depth) = (0, 0usize);
        while at < all.len() {
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
            while self.open.pop_if(|(inside, ..)| depth < *inside).is_some() {}
            let Some(taken) = self.take(plan, &mut input)? else { return Some(()) };
            at = input.at;
            if let Some(role) = plan.role {
                self.enter(plan, role, taken, offset, depth);
            } else if plan.closed
                && let Some(sibling) = taken.sibling.and_then(|sibling| sibling.checked_sub(first))
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

    /// Reads the attributes of a DIE. `Some(None)` if they are malformed, `None` if they refer to other units.
    fn take(&self, plan: &Plan, input: &mut Input<'a>) -> Option<Option<Taken<'a>>> {
        let mut taken = Taken::default();
        for step in &plan.steps {
            let done = match step {
                Step::Skip(count) => input.skip(*count),
                Step::SkipForm(form) => input.skip_form(*form),
                Step::Take(What::Name, form) => match self.text(input, *form) {
                    Some(name) => {
                        taken.name = name;
                        Some(())
                    }
                    None => None,
                },
                Step::Take(What::Location, form) => input.block(*form, self.encoding.format).map(|bytes| {
                    taken.is_static = bytes.is_some_and(is_static_location);
                }),
                Step::Take(what @ (What::Origin | What::Sibling), form) => {
                    let Some(offset) = input.reference(*form) else { return Some(None) };
                    // A reference into another unit.
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

    /// A string attribute; `Some(None)` if it is none that can be read.
    fn text(&self, input: &mut Input<'a>, form: DwForm) -> Option<Option<&'a str>> {
        let dwarf = &self.debug.dwarf;
        let text = match form {
            gimli::DW_FORM_string => Some(input.string()?),
            gimli::DW_FORM_strp => {
                let offset = input.word(self.encoding.format)?;
                dwarf.debug_str.get_str(gimli::DebugStrOffset(offset)).ok().map(|text| text.slice())
            }
            gimli::DW_FORM_line_strp => {
                let offset = input.word(self.encoding.format)?;
                dwarf.debug_line_str.get_str(gimli::DebugLineStrOffset(offset)).ok().map(|text| text.slice())
            }
            _ => {
                let index = input.index(form)?;
                let value = gimli::AttributeValue::DebugStrOffsetsIndex(gimli::DebugStrOffsetsIndex(index));
                self.entry.unit(self.debug).and_then(|unit| unit.attr_string(value).ok()).map(|text| text.slice())
            }
        };
        Some(text.and_then(|text| std::str::from_utf8(text).ok()))
    }

    /// Notes a DIE that is named or around names, as the index of all names does.
    fn enter(&mut self, plan: &Plan, role: Role, taken: Taken<'a>, offset: usize, depth: usize) {
        let (scope, local) = self.open.last().map_or((NO_SCOPE, false), |(_, scope, local)| (*scope, *local));
        let kind = match role {
            Role::InlinedCopy => {
                self.inlined.extend(taken.target);
                return;
            }
            // Files with imports have no directory.
            Role::Import => return,
            Role::Namespace => {
                let transparent = taken.name.is_none() || taken.transparent;
                let around =
                    Around { name: taken.name, parent: scope, transparent, is_namespace: true, unresolved: None };
                self.open_scope(plan, around, depth, local);
                return;
            }
            Role::Named(kind) => kind,
        };
        if kind == NameKind::Variable && local && !taken.is_static {
            return;
        }
        self.references.extend(taken.target.map(|target| (offset, target)));
        if taken.name.is_some() || taken.target.is_some() {
            self.entries.push(Named {
                offset,
                name: taken.name.unwrap_or_default(),
                scope,
                kind,
                declaration: taken.declaration,
                local,
                code: plan.code,
            });
        }
        if matches!(kind, NameKind::Variable | NameKind::BaseType | NameKind::Typedef | NameKind::Enumerator) {
            return;
        }
        let around = Around {
            name: taken.name,
            parent: scope,
            transparent: kind == NameKind::Enum && !taken.enum_class,
            is_namespace: false,
            unresolved: taken.target.map(|_| offset),
        };
        self.open_scope(plan, around, depth, local || kind == NameKind::Function);
    }

    fn open_scope(&mut self, plan: &Plan, around: Around<'a>, depth: usize, local: bool) {
        if plan.has_children {
            self.open.push((depth + 1, self.scopes.len() as u32, local));
            self.scopes.push(around);
        }
    }

    fn entry_at(&self, offset: usize) -> Option<usize> {
        self.entries.binary_search_by_key(&offset, |e| e.offset).ok()
    }

    /// Gives what completes another DIE the name and the scope of that one, and finds out what is inlined.
    fn resolve(&mut self) {
        let target_of = |offset: usize| {
            let at = self.references.binary_search_by_key(&offset, |(from, _)| *from).ok()?;
            self.references.get(at).map(|(_, to)| *to)
        };
        let mut found = Vec::new();
        for (from, _) in &self.references {
            let Some(i) = self.entry_at(*from) else { continue };
            let mut offset = *from;
            for _ in 0..MAX_HOPS {
                match target_of(offset) {
                    Some(target) => offset = target,
                    None => break,
                }
            }
            let named = self.entry_at(offset).and_then(|i| self.entries.get(i));
            found.extend(named.filter(|e| e.offset != *from && !e.name.is_empty()).map(|e| (i, e.name, e.scope)));
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
                && !name.is_empty()
            {
                (scope.name, scope.parent) = (Some(name), parent);
            }
        }
        self.inlined.sort_unstable();
        self.inlined.dedup();
        for i in 0..self.inlined.len() {
            let function = self.inlined.get(i).and_then(|offset| self.entry_at(*offset));
            if let Some(function) = function.and_then(|i| self.entries.get_mut(i)) {
                function.code = true;
            }
        }
    }

    fn rows(&self, unit: u32, seen: &mut HashSet<u64>) -> Found {
        let mut found = Found::default();
        let hashes: Vec<(u64, u32)> = self.scopes.iter().map(scope_hashes).collect();
        for entry in &self.entries {
            if entry.name.is_empty() || (entry.kind == NameKind::Function && !entry.code) {
                continue;
            }
            let once = match entry.kind {
                NameKind::Function => false,
                NameKind::Variable => entry.declaration,
                _ => true,
            };
            let identity = once.then(|| self.identity(entry, &hashes));
            if identity.is_some_and(|identity| !seen.insert(identity)) {
                continue;
            }
            let row = |parent| Row {
                bare: hash(entry.kind, bare(entry.name)) as u32,
                full: letters(entry.name),
                parent,
                unit,
            };
            let mut push = |row: Row| match identity {
                Some(identity) => found.first.push((identity, row)),
                None => found.each.push(row),
            };
            self.parents(entry, &hashes, |parent| push(row(parent)));
            if entry.kind == NameKind::Variable && entry.name.ends_with("::{vtable}") {
                push(Row { bare: hash(NameKind::Variable, VTABLES) as u32, ..row(NOWHERE) });
            }
        }
        found
    }

    /// Calls `f` with what a query may name as the scope around an entry.
    fn parents(&self, entry: &Named<'a>, hashes: &[(u64, u32)], mut f: impl FnMut(u32)) {
        let mut scope = entry.scope;
        let mut any = false;
        for _ in 0..MAX_HOPS {
            let Some(around) = self.scopes.get(scope as usize) else { break };
            let shown = hashes.get(scope as usize).map_or(NOWHERE, |(_, shown)| *shown);
            // Demangled, a function's scope may read differently if it is none that has a plain name.
            let plain = around.name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
            if entry.kind == NameKind::Function && !plain && !around.transparent {
                break;
            }
            if shown != NOWHERE {
                f(shown);
                any = true;
            }
            if !around.transparent {
                return if any { () } else { f(NOWHERE) };
            }
            scope = around.parent;
        }
        f(if entry.kind == NameKind::Function { ANYWHERE } else { NOWHERE });
    }

    /// Tells apart what is not the same type, enumerator or declaration.
    fn identity(&self, entry: &Named<'a>, hashes: &[(u64, u32)]) -> u64 {
        let start = entry.kind as u64 | u64::from(entry.declaration) << 8 | u64::from(entry.local) << 9;
        let mut identity = mix(start, text_hash(entry.name));
        let mut scope = entry.scope;
        for _ in 0..MAX_HOPS {
            let (Some(around), Some((name, _))) = (self.scopes.get(scope as usize), hashes.get(scope as usize)) else {
                break;
            };
            identity = mix(identity, *name);
            scope = around.parent;
        }
        identity
    }
}

/// Of a scope: what tells it from others, and what a query names it by.
fn scope_hashes(scope: &Around<'_>) -> (u64, u32) {
    let shown = scope.name.or(scope.is_namespace.then_some(ANONYMOUS_NAMESPACE));
    let flags = u64::from(scope.transparent) | u64::from(scope.is_namespace) << 1 | u64::from(scope.name.is_some()) << 2;
    (mix(flags, text_hash(scope.name.unwrap_or_default())), shown.map_or(NOWHERE, |name| letters(bare(name))))
}

fn text_hash(text: &str) -> u64 {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let start = words.iter().fold(text.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(start, |hash, byte| mix(hash, u64::from(*byte)))
}

fn mix(hash: u64, word: u64) -> u64 {
    let wide = u128::from(hash ^ 0x9e37_79b9_7f4a_7c15) * u128::from(word ^ 0xd6e8_feb8_6659_fd93 | 1);
    (wide as u64 ^ (wide >> 64) as u64).rotate_left(23).wrapping_add(word)
}

impl Plan {
    /// `None` if such DIEs refer to other units, or if there is a form that is not known.
    fn new<'a>(abbreviation: &gimli::Abbreviation, header: &gimli::UnitHeader<super::units::Slice<'a>>) -> Option<Self> {
        let specifications = abbreviation.attributes();
        let has = |name| specifications.iter().any(|s| s.name() == name);
        let tag = abbreviation.tag();
        let elsewhere = [gimli::DW_AT_dwo_name, gimli::DW_AT_GNU_dwo_name, gimli::DW_AT_signature];
        if tag == gimli::DW_TAG_imported_unit || elsewhere.into_iter().any(has) {
            return None;
        }
        // Of members, only static ones are variables.
        let skipped = tag == gimli::DW_TAG_member && !has(gimli::DW_AT_external) && !has(gimli::DW_AT_declaration);
        let role = role(tag).filter(|_| !skipped);
        let closed = role.is_none() && abbreviation.has_children() && is_closed(tag);
        let mut plan = Self {
            role,
            has_children: abbreviation.has_children(),
            steps: Vec::new(),
            code: has(gimli::DW_AT_low_pc) || has(gimli::DW_AT_ranges),
            closed,
        };
        for specification in specifications {
            plan.add(specification, header)?;
        }
        Some(plan)
    }

    fn add<'a>(
        &mut self,
        specification: &AttributeSpecification,
        header: &gimli::UnitHeader<super::units::Slice<'a>>,
    ) -> Option<()> {
        let form = specification.form();
        match self.what(specification.name()) {
            Some(what) if !what.may_be(form) => return None,
            None if specification.size(header).is_none() && !is_known(form) => return None,
            Some(what) => self.steps.push(Step::Take(what, form)),
            None => match (specification.size(header), self.steps.last_mut()) {
                (Some(size), Some(Step::Skip(before))) => *before += size,
                (Some(size), _) => self.steps.push(Step::Skip(size)),
                (None, _) => self.steps.push(Step::SkipForm(form)),
            },
        }
        Some(())
    }

    fn what(&self, name: DwAt) -> Option<What> {
        let Some(role) = self.role else {
            return (self.closed && name == gimli::DW_AT_sibling).then_some(What::Sibling);
        };
        match (name, role) {
            (gimli::DW_AT_abstract_origin, _) => Some(What::Origin),
            (_, Role::InlinedCopy | Role::Import) => None,
            (gimli::DW_AT_name, _) => Some(What::Name),
            (gimli::DW_AT_export_symbols, Role::Namespace) => Some(What::Transparent),
            (_, Role::Namespace) => None,
            (gimli::DW_AT_specification, _) => Some(What::Origin),
            (gimli::DW_AT_declaration, _) => Some(What::Declaration),
            (gimli::DW_AT_enum_class, Role::Named(NameKind::Enum)) => Some(What::EnumClass),
            (gimli::DW_AT_location, Role::Named(NameKind::Variable)) => Some(What::Location),
            _ => None,
        }
    }
}

impl What {
    /// Whether this is read in such a form.
    fn may_be(self, form: DwForm) -> bool {
        use gimli as g;
        match self {
            // Of other forms are references to other units, which are noticed when there is one.
            Self::Origin | Self::Sibling => form != g::DW_FORM_indirect && form != g::DW_FORM_implicit_const,
            Self::Name => matches!(
                form,
                g::DW_FORM_string
                    | g::DW_FORM_strp
                    | g::DW_FORM_line_strp
                    | g::DW_FORM_strx
                    | g::DW_FORM_strx1
                    | g::DW_FORM_strx2
                    | g::DW_FORM_strx3
                    | g::DW_FORM_strx4
                    | g::DW_FORM_GNU_str_index
            ),
            Self::Location => matches!(
                form,
                g::DW_FORM_exprloc
                    | g::DW_FORM_block
                    | g::DW_FORM_block1
                    | g::DW_FORM_block2
                    | g::DW_FORM_block4
                    | g::DW_FORM_sec_offset
                    | g::DW_FORM_data4
                    | g::DW_FORM_loclistx
            ),
            Self::Declaration | Self::Transparent | Self::EnumClass => {
                matches!(form, g::DW_FORM_flag | g::DW_FORM_flag_present)
            }
        }
    }
}

/// Whether [`Input::skip_form`] can pass over an attribute of this form.
fn is_known(form: DwForm) -> bool {
    use gimli as g;
    matches!(
        form,
        g::DW_FORM_string
            | g::DW_FORM_udata
            | g::DW_FORM_sdata
            | g::DW_FORM_ref_udata
            | g::DW_FORM_strx
            | g::DW_FORM_addrx
            | g::DW_FORM_loclistx
            | g::DW_FORM_rnglistx
            | g::DW_FORM_GNU_addr_index
            | g::DW_FORM_GNU_str_index
            | g::DW_FORM_exprloc
            | g::DW_FORM_block
            | g::DW_FORM_block1
            | g::DW_FORM_block2
            | g::DW_FORM_block4
    )
}

/// Whether nothing that has a name of its own is inside of such DIEs.
fn is_closed(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_subroutine_type
            | gimli::DW_TAG_array_type
            | gimli::DW_TAG_call_site
            | gimli::DW_TAG_GNU_call_site
            | gimli::DW_TAG_GNU_formal_parameter_pack
            | gimli::DW_TAG_GNU_template_parameter_pack
    )
}

/// The DIEs of a unit, and where reading them is. What ends early gives `None`.
struct Input<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn skip(&mut self, count: usize) -> Option<()> {
        self.bytes(count).map(|_| ())
    }

    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let bytes = self.all.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    fn number(&mut self, size: usize) -> Option<u64> {
        let bytes = self.bytes(size)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn uleb(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.all.get(self.at)?;
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn word(&mut self, format: Format) -> Option<usize> {
        usize::try_from(self.number(usize::from(format.word_size()))?).ok()
    }

    fn string(&mut self) -> Option<&'a [u8]> {
        let length = memchr::memchr(0, self.all.get(self.at..)?)?;
        let text = self.bytes(length)?;
        self.skip(1)?;
        Some(text)
    }

    /// The index of a string.
    fn index(&mut self, form: DwForm) -> Option<usize> {
        let index = match form {
            gimli::DW_FORM_strx | gimli::DW_FORM_GNU_str_index => self.uleb()?,
            gimli::DW_FORM_strx1 => self.number(1)?,
            gimli::DW_FORM_strx2 => self.number(2)?,
            gimli::DW_FORM_strx3 => self.number(3)?,
            gimli::DW_FORM_strx4 => self.number(4)?,
            _ => return None,
        };
        usize::try_from(index).ok()
    }

    fn flag(&mut self, form: DwForm) -> Option<bool> {
        match form {
            gimli::DW_FORM_flag_present => Some(true),
            gimli::DW_FORM_flag => Some(self.number(1)? != 0),
            _ => None,
        }
    }

    /// A reference; `Some(None)` if it is not within the unit.
    fn reference(&mut self, form: DwForm) -> Option<Option<usize>> {
        let offset = match form {
            gimli::DW_FORM_ref1 => self.number(1)?,
            gimli::DW_FORM_ref2 => self.number(2)?,
            gimli::DW_FORM_ref4 => self.number(4)?,
            gimli::DW_FORM_ref8 => self.number(8)?,
            gimli::DW_FORM_ref_udata => self.uleb()?,
            _ => return Some(None),
        };
        usize::try_from(offset).ok().map(Some)
    }

    /// An expression; `Some(None)` for what is not one, but a list of them.
    fn block(&mut self, form: DwForm, format: Format) -> Option<Option<&'a [u8]>> {
        let size = match form {
            gimli::DW_FORM_exprloc | gimli::DW_FORM_block => self.uleb()?,
            gimli::DW_FORM_block1 => self.number(1)?,
            gimli::DW_FORM_block2 => self.number(2)?,
            gimli::DW_FORM_block4 => self.number(4)?,
            gimli::DW_FORM_sec_offset => return self.word(format).map(|_| None),
            gimli::DW_FORM_data4 => return self.skip(4).map(|()| None),
            gimli::DW_FORM_loclistx => return self.uleb().map(|_| None),
            _ => return None,
        };
        self.bytes(usize::try_from(size).ok()?).map(Some)
    }

    /// Passes over an attribute of a form without a fixed size.
    fn skip_form(&mut self, form: DwForm) -> Option<()> {
        let size = match form {
            gimli::DW_FORM_string => return self.string().map(|_| ()),
            gimli::DW_FORM_exprloc | gimli::DW_FORM_block => self.uleb()?,
            gimli::DW_FORM_block1 => self.number(1)?,
            gimli::DW_FORM_block2 => self.number(2)?,
            gimli::DW_FORM_block4 => self.number(4)?,
            _ => return self.skip_leb(),
        };
        self.skip(usize::try_from(size).ok()?)
    }

    fn skip_leb(&mut self) -> Option<()> {
        let length = self.all.get(self.at..)?.iter().position(|byte| byte & 0x80 == 0)?;
        self.skip(length + 1)
    }
}
