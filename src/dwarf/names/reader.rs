//! One unit's contribution to the index of names.

use crate::dwarf::model::die::DieId;
use crate::dwarf::names::index::{NO_SCOPE, NameEntry, NameKind, Scope};
use crate::dwarf::tasks::work::Task;
use crate::dwarf::units::collection::{Debug, Die, UnitEntry, UnitRef};
use gimli::AttributeValue;

/// In a large unit, each time that so many bytes have been read, it is looked whether the rest is wanted.
pub(in crate::dwarf) const LOOK: usize = 1 << 18;

/// What one unit contributes.
#[derive(Default)]
pub(in crate::dwarf) struct UnitNames<'a> {
    /// By rising DIE.
    pub(in crate::dwarf) entries: Vec<NameEntry<'a>>,
    pub(in crate::dwarf) scopes: Vec<Scope<'a>>,
    /// DW_AT_specification and DW_AT_abstract_origin: from, to.
    pub(in crate::dwarf) references: Vec<(DieId, DieId)>,
    /// The DIE of the function, the DIE of the inlined copy.
    pub(in crate::dwarf) inlined: Vec<(DieId, DieId)>,
    /// DW_TAG_imported_unit: root DIEs of units that belong to this one as well.
    pub(in crate::dwarf) imports: Vec<DieId>,
}

/// Reads the names of a unit. Of a malformed one, those before the damage.
pub(in crate::dwarf) fn read_unit<'a>(debug: &Debug<'a>, entry: &UnitEntry<'a>, task: &Task<'_>) -> UnitNames<'a> {
    let mut reader = Reader { debug, entry, task, names: UnitNames::default(), open: Vec::new() };
    if let Some(unit) = entry.unit(debug) {
        let _ = reader.walk(unit);
    }
    reader.names
}

struct Reader<'d, 'a> {
    debug: &'d Debug<'a>,
    entry: &'d UnitEntry<'a>,
    task: &'d Task<'d>,
    names: UnitNames<'a>,
    /// The scopes around the current DIE: depth of their children, index, whether inside a function.
    open: Vec<(isize, u32, bool)>,
}

/// What is done with a DIE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dwarf) enum Role {
    Named(NameKind),
    Namespace,
    InlinedCopy,
    Import,
}

/// What is done with DIEs of a tag; `None`: nothing.
pub(in crate::dwarf) fn role(tag: gimli::DwTag) -> Option<Role> {
    Some(match tag {
        gimli::DW_TAG_subprogram => Role::Named(NameKind::Function),
        gimli::DW_TAG_variable | gimli::DW_TAG_member => Role::Named(NameKind::Variable),
        gimli::DW_TAG_base_type | gimli::DW_TAG_unspecified_type => Role::Named(NameKind::BaseType),
        gimli::DW_TAG_typedef | gimli::DW_TAG_template_alias => Role::Named(NameKind::Typedef),
        gimli::DW_TAG_structure_type => Role::Named(NameKind::Struct),
        gimli::DW_TAG_union_type => Role::Named(NameKind::Union),
        gimli::DW_TAG_class_type => Role::Named(NameKind::Class),
        gimli::DW_TAG_enumeration_type => Role::Named(NameKind::Enum),
        gimli::DW_TAG_enumerator => Role::Named(NameKind::Enumerator),
        gimli::DW_TAG_namespace | gimli::DW_TAG_module => Role::Namespace,
        gimli::DW_TAG_inlined_subroutine => Role::InlinedCopy,
        gimli::DW_TAG_imported_unit => Role::Import,
        _ => return None,
    })
}

impl<'a> Reader<'_, 'a> {
    fn walk(&mut self, unit: UnitRef<'_, 'a>) -> gimli::Result<()> {
        let mut input = unit.entries_raw(None)?;
        let mut die = Die::null();
        let mut looked = 0;
        while !input.is_empty() {
            if input.next_offset().0 / LOOK != looked {
                looked = input.next_offset().0 / LOOK;
                self.task.check();
            }
            let (at_die, offset, depth) = (input.clone(), input.next_offset(), input.next_depth());
            let Some(abbreviation) = input.read_abbreviation()? else {
                continue;
            };
            while self.open.pop_if(|(inside, _, _)| depth < *inside).is_some() {}
            let specifications = abbreviation.attributes();
            let has = |name| specifications.iter().any(|s| s.name() == name);
            let tag = abbreviation.tag();
            // Of members, only static ones are variables.
            let skipped = tag == gimli::DW_TAG_member && !has(gimli::DW_AT_external) && !has(gimli::DW_AT_declaration);
            let Some(role) = role(tag).filter(|_| !skipped) else {
                input.skip_attributes(specifications)?;
                continue;
            };
            input = at_die;
            input.read_entry(&mut die)?;
            if let Some(id) = self.entry.id_of(offset) {
                self.take(unit, &die, id, role, depth);
            }
        }
        Ok(())
    }

    fn take(&mut self, unit: UnitRef<'_, 'a>, die: &Die<'a>, id: DieId, role: Role, depth: isize) {
        let (scope, local) = self.open.last().map_or((NO_SCOPE, false), |(_, scope, local)| (*scope, *local));
        let flag = |name| matches!(die.attr_value(name), Some(AttributeValue::Flag(true)));
        let origin = || self.debug.referenced(self.entry, die, gimli::DW_AT_abstract_origin);
        let kind = match role {
            Role::InlinedCopy => {
                self.names.inlined.extend(origin().map(|function| (function, id)));
                return;
            }
            Role::Import => {
                self.names.imports.extend(self.debug.referenced(self.entry, die, gimli::DW_AT_import));
                return;
            }
            Role::Namespace => {
                let name = self.debug.name(unit, die);
                let transparent = name.is_none() || flag(gimli::DW_AT_export_symbols);
                let scope = Scope { name, parent: scope, transparent, is_namespace: true, unresolved: None };
                self.open_scope(die, scope, depth, local);
                return;
            }
            Role::Named(kind) => kind,
        };
        if kind == NameKind::Variable && local && !is_static(die) {
            return;
        }
        let name = self.debug.name(unit, die);
        // DW_AT_signature: around a nested type in its type unit there is a nameless stand-in of the outer one.
        let referenced = |name| self.debug.referenced(self.entry, die, name);
        let target =
            origin().or_else(|| referenced(gimli::DW_AT_specification)).or_else(|| referenced(gimli::DW_AT_signature));
        // A DIE that completes another one gets that one's name and scope when all units are read.
        self.names.references.extend(target.map(|target| (id, target)));
        if name.is_some() || target.is_some() {
            let has_code = |name| die.attr(name).is_some();
            self.names.entries.push(NameEntry {
                name: name.unwrap_or_default(),
                die: id,
                scope,
                kind,
                declaration: flag(gimli::DW_AT_declaration),
                local,
                code: has_code(gimli::DW_AT_low_pc) || has_code(gimli::DW_AT_ranges),
            });
        }
        if matches!(kind, NameKind::Variable | NameKind::BaseType | NameKind::Typedef | NameKind::Enumerator) {
            return;
        }
        let function = kind == NameKind::Function;
        let scope = Scope {
            name,
            parent: scope,
            transparent: kind == NameKind::Enum && !flag(gimli::DW_AT_enum_class),
            is_namespace: false,
            unresolved: target.map(|_| id),
        };
        self.open_scope(die, scope, depth, local || function);
    }

    fn open_scope(&mut self, die: &Die<'a>, scope: Scope<'a>, depth: isize, local: bool) {
        if die.has_children() {
            self.open.push((depth + 1, self.names.scopes.len() as u32, local));
            self.names.scopes.push(scope);
        }
    }
}

/// Whether a variable's location is one fixed address (or thread-local offset).
fn is_static(die: &Die<'_>) -> bool {
    let Some(AttributeValue::Exprloc(expression)) = die.attr_value(gimli::DW_AT_location) else {
        return false;
    };
    is_static_location(expression.0.slice())
}

/// The same for the bytes of an expression.
pub(in crate::dwarf) fn is_static_location(bytes: &[u8]) -> bool {
    let op = |byte: Option<&u8>| byte.map(|b| gimli::DwOp(*b));
    let addresses = [gimli::DW_OP_addr, gimli::DW_OP_addrx, gimli::DW_OP_GNU_addr_index];
    let thread_local = [gimli::DW_OP_form_tls_address, gimli::DW_OP_GNU_push_tls_address];
    op(bytes.first()).is_some_and(|o| addresses.contains(&o))
        || op(bytes.last()).is_some_and(|o| thread_local.contains(&o))
}
