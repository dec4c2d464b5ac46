//! One unit's rows of the directory of names. Reads `.debug_info` by itself, for it skips most of what it passes: each
//! kind of DIE (each abbreviation) is looked at once, and from then on skipped in as few steps as its attributes allow.

use super::directory::{ANYWHERE, NOWHERE, Row, VTABLES, letters};
use super::name_reader::{Role, is_static_location, role};
use super::names::{ANONYMOUS_NAMESPACE, MAX_HOPS, NO_SCOPE, NameKind, bare, hash};
use super::units::{Slice, Unit};
use gimli::{AttributeSpecification, DwAt, DwForm, Encoding, Format};
use std::cell::OnceCell;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// What was read is taken out of memory about each time that it is so much.
const FORGOTTEN_AT_ONCE: usize = 4 << 20;

/// Entries are found by offset divided by this.
const BUCKET: usize = 128;

/// What is listed already. Identities are hashes by themselves.
pub(super) type Seen = HashSet<u64, BuildHasherDefault<Identity>>;

/// Hashes what is a hash.
#[derive(Default)]
pub(super) struct Identity(u64);

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
pub(super) struct Found {
    /// Rows of which each counts.
    pub(super) each: Vec<Row>,
    /// Rows with what they stand for: those of the first unit count.
    pub(super) first: Vec<(u64, Row)>,
}

/// Reads a unit; `seen` is what needs not be listed again. `None` if its names are not to be known from it alone. Of a
/// malformed unit, what comes before the damage counts.
pub(super) fn scan<'a>(
    dwarf: &gimli::Dwarf<Slice<'a>>,
    header: &gimli::UnitHeader<Slice<'a>>,
    number: u32,
    seen: &mut Seen,
) -> Option<Found> {
    if header.section() != gimli::SectionId::DebugInfo {
        return None;
    }
    let Ok(abbreviations) = dwarf.abbreviations(header) else { return Some(Found::default()) };
    let mut scan = Scan {
        dwarf,
        header,
        unit: OnceCell::new(),
        encoding: header.encoding(),
        entries: Vec::new(),
        scopes: Vec::new(),
        buckets: Vec::new(),
        inlined: Vec::new(),
        open: Vec::new(),
    };
    scan.walk(&abbreviations)?;
    scan.resolve();
    Some(scan.rows(number, seen))
}

/// Calls `forget` with what has been read by the end of a unit, about each time that it is [`FORGOTTEN_AT_ONCE`].
pub(super) fn forget_read(header: &gimli::UnitHeader<Slice<'_>>, forget: impl FnOnce(Range<usize>)) {
    let start = header.offset().0;
    let end = start + header.length_including_self();
    if start / FORGOTTEN_AT_ONCE != end / FORGOTTEN_AT_ONCE {
        // Around a page that is read, the kernel maps others, so what was forgotten before may be back.
        forget(start.saturating_sub(4 * FORGOTTEN_AT_ONCE)..end);
    }
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

/// A string attribute that is not looked up before it is needed.
#[derive(Clone, Copy, Default)]
enum Text<'a> {
    #[default]
    None,
    Here(&'a [u8]),
    /// Offset into `.debug_str`.
    Shared(usize),
    /// Offset into `.debug_line_str`.
    Line(usize),
    /// Number in the unit's table of offsets.
    Indexed(usize),
}

impl Text<'_> {
    fn is_some(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Tells apart strings that differ; also some that do not.
    fn identity(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Here(bytes) => bytes.iter().fold(1, |hash, byte| mix(hash, u64::from(*byte))),
            Self::Shared(offset) => mix(2, offset as u64),
            Self::Line(offset) => mix(3, offset as u64),
            Self::Indexed(number) => mix(4, number as u64),
        }
    }
}

/// What was taken of a DIE.
#[derive(Default)]
struct Taken<'a> {
    name: Text<'a>,
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
    name: Text<'a>,
    scope: u32,
    kind: NameKind,
    declaration: bool,
    local: bool,
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
}

struct Scan<'d, 'a> {
    dwarf: &'d gimli::Dwarf<Slice<'a>>,
    header: &'d gimli::UnitHeader<Slice<'a>>,
    /// The unit itself, parsed if somebody needs it.
    unit: OnceCell<Option<Unit<'a>>>,
    encoding: Encoding,
    entries: Vec<Named<'a>>,
    scopes: Vec<Around<'a>>,
    /// Index of the first entry at or after each multiple of [`BUCKET`].
    buckets: Vec<u32>,
    /// The functions that are inlined.
    inlined: Vec<usize>,
    /// Depth of the children, scope, whether inside a function.
    open: Vec<(usize, u32, bool)>,
}

impl<'a> Scan<'_, 'a> {
    /// `None` if the unit refers to others.
    fn walk(&mut self, abbreviations: &gimli::Abbreviations) -> Option<()> {
        let header = self.header;
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
            if plan.role.is_none() && !plan.closed {
                if input.pass(plan).is_none() {
                    return Some(());
                }
                at = input.at;
                depth += usize::from(plan.has_children);
                continue;
            }
            while self.open.pop_if(|(inside, ..)| depth < *inside).is_some() {}
            let Some(taken) = self.take(plan, &mut input)? else { return Some(()) };
            at = input.at;
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

    /// Reads the attributes of a DIE. `Some(None)` if they are malformed, `None` if they refer to other units.
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

    /// The text of a name; `None` if it has none that can be read.
    fn text(&self, name: Text<'a>) -> Option<&'a str> {
        let dwarf = self.dwarf;
        let text = match name {
            Text::None => return None,
            Text::Here(bytes) => bytes,
            Text::Shared(offset) => dwarf.debug_str.get_str(gimli::DebugStrOffset(offset)).ok()?.slice(),
            Text::Line(offset) => dwarf.debug_line_str.get_str(gimli::DebugLineStrOffset(offset)).ok()?.slice(),
            Text::Indexed(number) => {
                let value = gimli::AttributeValue::DebugStrOffsetsIndex(gimli::DebugStrOffsetsIndex(number));
                let unit = self.unit.get_or_init(|| dwarf.unit(*self.header).ok()).as_ref()?;
                dwarf.attr_string(unit, value).ok()?.slice()
            }
        };
        std::str::from_utf8(text).ok().filter(|text| !text.is_empty())
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
                let transparent = !taken.name.is_some() || taken.transparent;
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
                code: plan.code,
                target: taken.target,
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
            let function = self.inlined.get(i).and_then(|offset| self.entry_at(*offset));
            if let Some(function) = function.and_then(|i| self.entries.get_mut(i)) {
                function.code = true;
            }
        }
    }

    fn rows(&self, unit: u32, seen: &mut Seen) -> Found {
        let mut found = Found::default();
        let mut shown = vec![None; self.scopes.len()];
        for entry in &self.entries {
            if !entry.name.is_some() || (entry.kind == NameKind::Function && !entry.code) {
                continue;
            }
            let once = match entry.kind {
                NameKind::Function => false,
                NameKind::Variable => entry.declaration,
                _ => true,
            };
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
            identity = mix(identity, self.header.offset().0 as u64);
        }
        let mut scope = entry.scope;
        for _ in 0..MAX_HOPS {
            let Some(around) = self.scopes.get(scope as usize) else { break };
            let flags = u64::from(around.transparent) | u64::from(around.is_namespace) << 1;
            identity = mix(identity, around.name.identity() ^ flags);
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

fn mix(hash: u64, word: u64) -> u64 {
    let wide = u128::from(hash ^ 0x9e37_79b9_7f4a_7c15) * u128::from(word ^ 0xd6e8_feb8_6659_fd93 | 1);
    (wide as u64 ^ (wide >> 64) as u64).rotate_left(23).wrapping_add(word)
}

impl Plan {
    /// `None` if such DIEs refer to other units, or if there is a form that is not known.
    fn new<'a>(abbreviation: &gimli::Abbreviation, header: &gimli::UnitHeader<Slice<'a>>) -> Option<Self> {
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

    fn add<'a>(&mut self, specification: &AttributeSpecification, header: &gimli::UnitHeader<Slice<'a>>) -> Option<()> {
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
        self.at = self.at.checked_add(count).filter(|end| *end <= self.all.len())?;
        Some(())
    }

    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let bytes = self.all.get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    /// Passes over a DIE.
    fn pass(&mut self, plan: &Plan) -> Option<()> {
        for step in &plan.steps {
            match step {
                Step::Skip(count) => self.skip(*count)?,
                Step::SkipForm(form) | Step::Take(_, form) => self.skip_form(*form)?,
            }
        }
        Some(())
    }

    fn number(&mut self, size: usize) -> Option<u64> {
        if size == 4 {
            let number = u32::from_le_bytes(*self.all.get(self.at..)?.first_chunk()?);
            self.at += 4;
            return Some(u64::from(number));
        }
        let bytes = self.bytes(size)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn uleb(&mut self) -> Option<u64> {
        let first = *self.all.get(self.at)?;
        if first & 0x80 == 0 {
            self.at += 1;
            return Some(u64::from(first));
        }
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

    /// A string attribute.
    fn text(&mut self, form: DwForm, format: Format) -> Option<Text<'a>> {
        Some(match form {
            gimli::DW_FORM_string => Text::Here(self.string()?),
            gimli::DW_FORM_strp => Text::Shared(self.word(format)?),
            gimli::DW_FORM_line_strp => Text::Line(self.word(format)?),
            _ => Text::Indexed(self.index(form)?),
        })
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
