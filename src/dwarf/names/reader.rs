//! One unit's contribution to the index of names.

use super::entry::{LOOK, MOST_OF_UNIT, ParameterEntry, Role, UnitNames, is_static_location, role};
use super::template_names::may_lack_arguments;
use crate::model::die::{DEEPEST, DieId};
use crate::names::entry::{NO_SCOPE, NameEntry, NameKind, ParentEntry};
use crate::sections::slice::{Die, UnitRef};
use crate::tasks::work::Task;
use crate::units::collection::Units;
use crate::units::entry::UnitEntry;
use crate::units::language::is_c_plus_plus;
use gimli::AttributeValue;

/// Reads the names of a unit. Of a malformed one, those before the damage.
pub(crate) fn read_unit<'a>(units: &Units<'a>, entry: &UnitEntry<'a>, task: &Task<'_>) -> UnitNames<'a> {
    let mut reader = Reader { units, entry, task, has_templates: false, names: UnitNames::default(), open: Vec::new() };
    reader.has_templates = units.language(entry).is_some_and(is_c_plus_plus);
    if let Some(unit) = entry.unit(units) {
        let _ = reader.walk(unit);
    }
    reader.names
}

struct Reader<'d, 'a> {
    units: &'d Units<'a>,
    entry: &'d UnitEntry<'a>,
    task: &'d Task<'d>,
    /// It is of a language whose templates may have names without arguments.
    has_templates: bool,
    names: UnitNames<'a>,
    /// The scopes around the current DIE.
    open: Vec<Open>,
}

/// A scope around the current DIE.
struct Open {
    die: DieId,
    /// Of its children.
    depth: isize,
    /// Its index.
    scope: u32,
    is_in_function: bool,
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
            if self.names.amount() >= MOST_OF_UNIT {
                self.names.is_cut = true;
                break;
            }
            let (at_die, offset, depth) = (input.clone(), input.next_offset(), input.next_depth());
            let Some(abbreviation) = input.read_abbreviation()? else {
                continue;
            };
            while self.open.pop_if(|open| depth < open.depth).is_some() {}
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
        if self.open.len() > DEEPEST {
            return;
        }
        let (scope, local) = self.open.last().map_or((NO_SCOPE, false), |open| (open.scope, open.is_in_function));
        let flag = |name| matches!(die.attr_value(name), Some(AttributeValue::Flag(true)));
        let origin = || self.units.referenced(self.entry, die, gimli::DW_AT_abstract_origin);
        let kind = match role {
            Role::InlinedCopy => {
                self.names.inlined.extend(origin().map(|function| (function, id)));
                return;
            }
            Role::Import => {
                self.names.imports.extend(self.units.referenced(self.entry, die, gimli::DW_AT_import));
                return;
            }
            Role::Namespace => {
                let name = self.units.name(unit, die);
                let transparent = name.is_none() || flag(gimli::DW_AT_export_symbols);
                let scope = ParentEntry { name, parent: scope, transparent, is_namespace: true, unresolved: None };
                self.open_scope(die, id, scope, depth, local);
                return;
            }
            Role::Parameter => {
                self.take_parameter(id, depth);
                return;
            }
            Role::Named(kind) => kind,
        };
        if kind == NameKind::Variable && local && !is_static(die) {
            return;
        }
        let name = self.units.name(unit, die);
        // DW_AT_signature: around a nested type in its type unit there is a nameless stand-in of the outer one.
        let referenced = |name| self.units.referenced(self.entry, die, name);
        let target =
            origin().or_else(|| referenced(gimli::DW_AT_specification)).or_else(|| referenced(gimli::DW_AT_signature));
        // A DIE that completes another one gets that one's name and scope when all units are read.
        self.names.references.extend(target.map(|target| (id, target)));
        // One without a name is the declaration of a type in its type unit, which may be in a named one.
        let is_declared_type =
            || flag(gimli::DW_AT_declaration) && !matches!(kind, NameKind::Function | NameKind::Variable);
        if name.is_some() || target.is_some() || is_declared_type() {
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
        if matches!(kind, NameKind::BaseType | NameKind::Typedef | NameKind::Enumerator) {
            return;
        }
        let function = kind == NameKind::Function;
        let scope = ParentEntry {
            name,
            parent: scope,
            transparent: kind == NameKind::Enum && !flag(gimli::DW_AT_enum_class),
            is_namespace: false,
            unresolved: target.map(|_| id),
        };
        self.open_scope(die, id, scope, depth, local || function);
    }

    /// Notes a parameter of the template that is around it.
    fn take_parameter(&mut self, die: DieId, depth: isize) {
        let Some(open) = self.open.last().filter(|open| self.has_templates && open.depth == depth) else { return };
        let template = self.names.scopes.get(open.scope as usize);
        if template.is_some_and(|template| template.name.is_none_or(may_lack_arguments)) {
            self.names.parameters.push(ParameterEntry { die, of: open.die, scope: open.scope });
        }
    }

    fn open_scope(&mut self, die: &Die<'a>, id: DieId, scope: ParentEntry<'a>, depth: isize, local: bool) {
        if die.has_children() {
            let index = self.names.scopes.len() as u32;
            self.open.push(Open { die: id, depth: depth + 1, scope: index, is_in_function: local });
            self.names.scopes.push(scope);
        }
    }
}

/// Returns whether a variable's location is one fixed address (or thread-local offset).
fn is_static(die: &Die<'_>) -> bool {
    let Some(AttributeValue::Exprloc(expression)) = die.attr_value(gimli::DW_AT_location) else {
        return false;
    };
    is_static_location(expression.0.slice())
}
