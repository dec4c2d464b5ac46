//! Members of unions without a name that are in no class: they are named as variables of the namespace are (C++20
//! 11.5.2).
//!
//! Clang describes them as such. GCC has a variable without a name, whose type is the union.

use crate::model::die::DieId;
use crate::model::variable::{Variable, Visible};
use crate::types::by_die::Types;
use crate::units::attributes::{inherited, inherited_name, origin};
use base::qualified::{ANONYMOUS_NAMESPACE, last, same_name};
use ctype::layout::{find_member, strip};
use ctype::{Record, RecordKind, Type};
use gimli::UnitOffset;

impl Types<'_> {
    /// Finds the member with a whole name of a union that a unit has outside of functions and classes, as a variable. The
    /// name need not say that a namespace has none.
    pub(crate) fn union_member(&self, unit: DieId, whole: &str) -> Option<Variable> {
        let (entry, ..) = self.die(unit)?;
        let nameless = entry.functions(self).nameless();
        let around_of = |die: UnitOffset| {
            let at = nameless.binary_search_by_key(&die, |(one, _)| *one).ok()?;
            nameless.get(at).map(|(_, around)| *around)
        };
        let is_asked = |path: &str| same_name(&shortened(path), &shortened(whole));
        let mut declared = None;
        for (offset, around) in nameless {
            let Some(id) = entry.id_of(*offset) else { continue };
            let Some((_, _, die)) = self.die(id) else { continue };
            let around = match origin(self, entry, &die).and_then(|declared| entry.offset_of(declared)) {
                // What completes a member of a class is none of a union.
                Some(declared) => match around_of(declared) {
                    Some(around) => around,
                    None => continue,
                },
                None => *around,
            };
            let Some(around) = entry.id_of(around) else { continue };
            let scopes = self.namespace(entry, around).unwrap_or_default().into_iter();
            let path = scopes.chain([last(whole).to_owned()]).collect::<Vec<_>>().join("::");
            if !is_asked(&path) {
                continue;
            }
            let Some(variable) = self.member_of_union(id, path) else { continue };
            if die.has_attr(gimli::DW_AT_location) {
                return Some(variable);
            }
            declared = declared.or(Some(variable));
        }
        declared
    }

    /// Returns the member of a whole name of a variable that is a union without a name, where that begins.
    fn member_of_union(&self, union: DieId, path: String) -> Option<Variable> {
        let ty = inherited(self, union, gimli::DW_AT_type).and_then(|ty| self.reference(ty.entry, ty.value))?;
        let ty = strip(&self.type_at(ty));
        // What completes a static member says no name itself, either.
        let is_union = matches!(&*ty, Type::Record(Record { name: None, kind: RecordKind::Union, .. }))
            && inherited_name(self, union).is_none();
        let found =
            find_member(&ty, last(&path)).filter(|found| is_union && found.offset == 0 && found.bits.is_none())?;
        Some(Variable {
            die: union,
            name: path,
            ty: found.ty,
            is_argument: false,
            depth: 0,
            line: None,
            file: None,
            of_function: false,
            elsewhere: None,
            through: Vec::new(),
            visible: Visible::Yes,
        })
    }
}

/// Returns a name without namespaces that have none.
fn shortened(name: &str) -> String {
    name.replace(&format!("{ANONYMOUS_NAMESPACE}::"), "")
}
