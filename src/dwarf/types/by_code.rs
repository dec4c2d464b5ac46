//! What code and tables belong to: the class of a member function, the type that a Rust vtable is made for.

use super::by_die::{Owners, Types};
use crate::model::die::DieId;
use crate::names::lookup::Names;
use crate::units::attributes::origin;
use arch::LinkAddr;
use ctype::TypeRef;
use gimli::AttributeValue;
use std::sync::Arc;

impl Types<'_> {
    /// Finds the class that the function whose code is at an address is a member of.
    pub(crate) fn class_of_function(&self, at: LinkAddr) -> Option<TypeRef> {
        let class = self.class_by(at, || class_of_function(self, at))?;
        Some(self.type_at(class))
    }

    /// Finds the classes that a function is in, the innermost first, each with its whole name.
    pub(crate) fn classes_around(&self, function: DieId) -> Vec<(String, TypeRef)> {
        let around = self.dies_around_method(function);
        let classes = around.iter().filter(|die| is_class(self, **die));
        classes.filter_map(|class| Some((self.qualified(*class)?, self.type_at(*class)))).collect()
    }

    /// Finds the DIEs around the declaration of a function, and what is around the functions among these where they are
    /// declared, the innermost first.
    pub(crate) fn dies_around_method(&self, function: DieId) -> Arc<[DieId]> {
        self.around_by(function, || around_declaration(self, function))
    }

    /// Finds the Rust type whose vtable for some trait starts at an address. rustc describes each as a variable whose
    /// type names the implementing one (DW_AT_containing_type). `None` also where the linker has merged those of
    /// several types.
    pub(crate) fn vtable_owner(&self, at: LinkAddr) -> Option<TypeRef> {
        let owners = self.vtables_by(|| vtables(self));
        let owner = (*owners.get(&at)?)?;
        Some(self.type_at(owner))
    }
}

/// DW_AT_abstract_origin and DW_AT_specification are followed no further than this.
const MAX_HOPS: usize = 8;

/// Finds the class around the declaration of the function at an address.
fn class_of_function(debug: &Names<'_>, at: LinkAddr) -> Option<DieId> {
    let (entry, offset) = debug.function_die_at(at)?;
    let mut function = entry.id_of(offset)?;
    for _ in 0..MAX_HOPS {
        let (entry, _, die) = debug.die(function)?;
        match origin(debug, entry, &die) {
            Some(declared) => function = declared,
            None => break,
        }
    }
    class_around(debug, function)
}

/// Finds the class that a DIE is directly in.
fn class_around(debug: &Names<'_>, die: DieId) -> Option<DieId> {
    dies_around(debug, die)?.into_iter().next().filter(|class| is_class(debug, *class))
}

fn is_class(debug: &Names<'_>, die: DieId) -> bool {
    let tag = debug.die(die).map(|(_, _, read)| read.tag());
    matches!(tag, Some(gimli::DW_TAG_class_type | gimli::DW_TAG_structure_type))
}

/// Finds the DIEs around the declaration of a function, the innermost first.
fn around_declaration(debug: &Names<'_>, function: DieId) -> Vec<DieId> {
    let origin_of = |die: DieId| debug.die(die).and_then(|(entry, _, read)| origin(debug, entry, &read));
    let mut found = Vec::new();
    let mut next = Some(function);
    for _ in 0..MAX_HOPS {
        let Some(die) = next else { break };
        let declared = std::iter::successors(Some(die), |die| origin_of(*die)).take(MAX_HOPS).last();
        let around = declared.and_then(|die| dies_around(debug, die)).unwrap_or_default();
        // What is around a completion is around what it completes.
        next = around.iter().copied().find(|die| origin_of(*die).is_some());
        let near = around.iter().copied().take_while(|die| next.is_none_or(|next| next != *die)).chain(next);
        found.extend(near);
    }
    found
}

/// Finds the DIEs that a DIE is in, the innermost first. DIEs do not know their parents, so the unit is read up to it.
pub(crate) fn dies_around(debug: &Names<'_>, die: DieId) -> Option<Vec<DieId>> {
    let entry = debug.unit_of(die)?;
    let unit = entry.unit(debug)?;
    let target = entry.offset_of(die)?;
    let mut input = unit.entries_raw(None).ok()?;
    let mut around: Vec<(isize, gimli::UnitOffset)> = Vec::new();
    while !input.is_empty() && input.next_offset() <= target {
        let (offset, depth) = (input.next_offset(), input.next_depth());
        let Some(abbreviation) = input.read_abbreviation().ok()? else { continue };
        while around.pop_if(|(outer, ..)| *outer >= depth).is_some() {}
        if offset == target {
            return Some(around.into_iter().rev().filter_map(|(_, outer)| entry.id_of(outer)).collect());
        }
        if abbreviation.has_children() {
            around.push((depth, offset));
        }
        input.skip_attributes(abbreviation.attributes()).ok()?;
    }
    None
}

/// Finds the owners of all vtables.
fn vtables(debug: &Names<'_>) -> Owners {
    let mut owners = Owners::new();
    for variable in debug.vtables() {
        if let Some((address, owner)) = vtable(debug, variable) {
            owners
                .entry(address)
                .and_modify(|known| *known = known.filter(|k| same_name(debug, *k, owner)))
                .or_insert(Some(owner));
        }
    }
    owners
}

fn same_name(debug: &Names<'_>, a: DieId, b: DieId) -> bool {
    a == b || debug.qualified(a).is_some_and(|name| Some(name) == debug.qualified(b))
}

/// Reads where a vtable is, and whose it is.
fn vtable(debug: &Names<'_>, variable: DieId) -> Option<(LinkAddr, DieId)> {
    let (entry, unit, die) = debug.die(variable)?;
    let AttributeValue::Exprloc(location) = die.attr_value(gimli::DW_AT_location)? else { return None };
    let address = match location.operations(unit.encoding()).next().ok()?? {
        gimli::Operation::Address { address } => address,
        gimli::Operation::AddressIndex { index } => unit.address(index).ok()?,
        _ => return None,
    };
    let table = debug.referenced(entry, &die, gimli::DW_AT_type)?;
    let (entry, _, die) = debug.die(table)?;
    Some((LinkAddr(address), debug.referenced(entry, &die, gimli::DW_AT_containing_type)?))
}
