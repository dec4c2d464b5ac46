//! Member functions, access, typedefs and types of classes (DWARF 5 sections 5.7.3, 5.7.8 and 5.14).

use super::reader::{Located, TypeReader};
use crate::model::die::DieId;
use crate::units::attributes::is_flag_set;
use ctype::{Access, Link, Method, Parts};
use gimli::{AttributeValue, Operation};

/// Member functions and typedefs of a class that are read.
const MAX_PARTS: usize = 10_000;

impl<'d, 'a> TypeReader<'d, 'a> {
    /// Reads what the class that a DIE defines declares besides its data, in the order in which `record` lists it.
    pub(crate) fn parts(&self, die: DieId) -> Option<Parts> {
        let (entry, unit, die_read) = self.debug.die(die)?;
        let at = Located { id: die, entry, unit, die: &die_read };
        let usual = match at.die.tag() {
            gimli::DW_TAG_class_type => Access::Private,
            _ => Access::Public,
        };
        let mut parts = Parts::default();
        self.for_each_child(at, |child| {
            if child.die.tag() == gimli::DW_TAG_inheritance {
                let access = access(child, usual);
                match self.is_virtual_base(child) {
                    true => parts.virtual_bases.push(access),
                    false => parts.members.push(access),
                }
            }
        });
        self.for_each_child(at, |child| {
            let access = access(child, usual);
            match child.die.tag() {
                gimli::DW_TAG_member | gimli::DW_TAG_variable => match self.is_static_member(child) {
                    true => parts.statics.push(access),
                    false if child.die.tag() == gimli::DW_TAG_member => parts.members.push(access),
                    false => {}
                },
                gimli::DW_TAG_subprogram if parts.methods.len() < MAX_PARTS => {
                    parts.methods.extend(self.method(child, access));
                    parts.specials.extend(self.special(at, child));
                }
                gimli::DW_TAG_typedef if parts.typedefs.len() < MAX_PARTS => {
                    parts.typedefs.push((access, Link::lazy(self.loader.clone(), child.id.0)));
                }
                gimli::DW_TAG_structure_type
                | gimli::DW_TAG_class_type
                | gimli::DW_TAG_union_type
                | gimli::DW_TAG_enumeration_type
                    if parts.types.len() < MAX_PARTS =>
                {
                    let name = self.debug.name(child.unit, child.die).unwrap_or_default().to_owned();
                    parts.types.push((name, Link::lazy(self.loader.clone(), child.id.0)));
                }
                _ => {}
            }
        });
        Some(parts)
    }

    /// Reads a member function; `None` for those that the compiler has added.
    fn method(&self, at: Located<'d, 'a, '_>, access: Access) -> Option<Method> {
        if is_flag_set(at.die, gimli::DW_AT_artificial) {
            return None;
        }
        let name = self.debug.name(at.unit, at.die)?.to_owned();
        let mut hidden = 0;
        self.for_each_child(at, |child| {
            let is_parameter = child.die.tag() == gimli::DW_TAG_formal_parameter;
            hidden += usize::from(is_parameter && is_flag_set(child.die, gimli::DW_AT_artificial));
        });
        let is_virtual = matches!(
            at.die.attr_value(gimli::DW_AT_virtuality),
            Some(AttributeValue::Virtuality(gimli::DW_VIRTUALITY_virtual | gimli::DW_VIRTUALITY_pure_virtual))
        );
        let reference = match () {
            () if is_flag_set(at.die, gimli::DW_AT_rvalue_reference) => "&&",
            () if is_flag_set(at.die, gimli::DW_AT_reference) => "&",
            () => "",
        };
        let ty = Link::lazy(self.loader.clone(), at.id.0);
        let slot = slot(at);
        Some(Method { slot, name, ty, hidden, access, is_virtual, is_static: hidden == 0, reference })
    }
}

fn access(at: Located<'_, '_, '_>, usual: Access) -> Access {
    match at.die.attr_value(gimli::DW_AT_accessibility) {
        Some(AttributeValue::Accessibility(gimli::DW_ACCESS_public)) => Access::Public,
        Some(AttributeValue::Accessibility(gimli::DW_ACCESS_protected)) => Access::Protected,
        Some(AttributeValue::Accessibility(gimli::DW_ACCESS_private)) => Access::Private,
        _ => usual,
    }
}

/// Returns the place of a member function in the virtual table, which is said by a constant, or by an expression for
/// one.
fn slot(at: Located<'_, '_, '_>) -> Option<u64> {
    let value = at.die.attr_value(gimli::DW_AT_vtable_elem_location)?;
    let Some(expression) = value.exprloc_value() else { return value.udata_value() };
    let mut operations = expression.operations(at.unit.encoding());
    match operations.next().ok()?? {
        Operation::UnsignedConstant { value } => Some(value),
        _ => None,
    }
}
